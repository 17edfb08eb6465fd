"""Commands about the table itself: who sits, which game is played, when it pauses; and the host's corrections.

What a command may do is decided here and written down as rows; how the game takes it is the rules' business.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules import actions
from controller.rules.game import Game
from controller.rules.matches import MatchError
from controller.rules.options import OptionError
from controller.rules.position import MATCH_OVER
from controller.table import names
from controller.table.catches import Catches
from controller.table.games import game_row, open_game
from controller.table.ground import Ground
from controller.table.messages import Answer, Asker, Command, Refuse
from controller.table.shots import Shots

_MOST_CARDS = 1000  # in one machine: a bound for what people type


class Hosting:
    """One method a command; each raises `Refuse` or `Refused`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self.commands: dict[str, Callable[[Command], Answer | None]] = {
            "sit": self._sit, "stand": self._stand, "rename": self._rename, "shot-was": self._shot_was,
            "correct": self._correct, "next": self._next,
        }  # fmt: skip
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {
            "add-bot": self._add_bot, "remove": self._stand, "give": self._give, "start": self._start,
            "rematch": self._rematch, "end": self._end, "pause": self._pause, "resume": self._resume,
            "reload": self._reload, "undo": self._undo, "clear-fault": self._clear_fault, "halt": self._halt,
            "open-table": self._open, "close-table": self._close,
        }  # fmt: skip

    def next_round(self) -> None:
        """Deal the next round; a machine that fills itself is full again. Raises `Refused`, `Refuse`."""
        game = self._game()
        self._shots.refuse_during_shot()
        self._ground.apply(game, actions.Next())
        self._note_round(game)
        if self._ground.parts.fill is not None:
            self._shots.load(self._ground.settings.machine_cards)

    # Seats

    def _sit(self, command: Command) -> Answer:
        who, state = command.who, self._ground.state
        name = names.unused(names.cleaned(command.body.get("name")), self._names())
        if not state.open and not who.host:
            raise Refuse("table-closed", "the host takes no new players")
        self._refuse_in_game()
        return self._new_seat(name, "person", who.session)

    def _add_bot(self, command: Command) -> Answer:
        self._refuse_in_game()
        asked = command.body.get("name")
        name = names.bot_name(self._names()) if asked is None else names.unused(names.cleaned(asked), self._names())
        return self._new_seat(name, "bot", "")

    def _new_seat(self, name: str, kind: str, session: str) -> Answer:
        state = self._ground.state
        if len(state.seats) >= self._ground.settings.most_seats:
            raise Refuse("table-full", f"at most {self._ground.settings.most_seats} can play")
        self._ground.record("sit", {"name": name, "kind": kind, "session": session})
        seat = len(state.seats) - 1
        self._ground.tell("sat", seat=seat, name=name, kind=kind)
        return {"ok": True, "seat": seat}

    def _stand(self, command: Command) -> Answer:
        seat = self._seat(command)
        state, game = self._ground.state, self._ground.game
        name = state.seats[seat].name
        if game is None:
            self._ground.record("free", {"seats": [seat]})
            self._ground.tell("stood", seat=seat, name=name)
            return {"ok": True, "seat": seat}
        if game.position.phase != MATCH_OVER:
            self._shots.refuse_during_shot()
            self._catches.take_effect(game)
            self._ground.apply(game, actions.Leave(seat))
        self._ground.record("give", {"seat": seat, "session": "", "gone": True})
        self._ground.tell("stood", seat=seat, name=name)
        return {"ok": True, "seat": seat}

    def _rename(self, command: Command) -> Answer:
        seat = self._seat(command)
        others = [each.name for number, each in enumerate(self._ground.state.seats) if number != seat]
        name = names.unused(names.cleaned(command.body.get("name")), others)
        self._ground.record("name", {"seat": seat, "name": name})
        self._ground.tell("renamed", seat=seat, name=name)
        return {"ok": True, "seat": seat}

    def _give(self, command: Command) -> Answer:
        """Another phone takes a seat over (the first one is lost, or its player was given a new one)."""
        seat, session = self._seat(command), command.body.get("session")
        if not isinstance(session, str) or not 0 < len(session) <= 64:
            raise Refuse("bad-command", "say which phone: session")
        self._ground.record("give", {"seat": seat, "session": session, "gone": False})
        self._ground.tell("reseated", seat=seat)
        return {"ok": True, "seat": seat}

    def _open(self, command: Command) -> Answer:
        return self._set_table("table-opened", open=True)

    def _close(self, command: Command) -> Answer:
        return self._set_table("table-closed", open=False)

    # The game

    def _start(self, command: Command) -> Answer:
        self._refuse_in_game()
        body, settings = command.body, self._ground.settings
        preset, options = body.get("preset", settings.preset), body.get("options", {})
        match = body.get("match", {})
        if not isinstance(preset, str) or not isinstance(options, dict) or not isinstance(match, dict):
            raise Refuse("bad-command", "preset is a text, options and match are sets of named values")
        if preset == settings.preset:
            options = {**settings.options, **options}
        return self._begin(preset, options, {**settings.match, **match})

    def _rematch(self, command: Command) -> Answer:
        game = self._game()
        if game.position.phase != MATCH_OVER:
            raise Refuse("not-yet", "the match is not over")
        row = dict(self._ground.state.rules)
        self._refuse_impossible(game_row(self._ground.state, row["preset"], row["options"], row["match"], self._gone()))
        self._clear_table()
        return self._begin(row["preset"], row["options"], row["match"])

    def _end(self, command: Command) -> Answer:
        self._game()
        self._shots.refuse_during_shot()
        self._clear_table()
        self._ground.tell("ended")
        return {"ok": True}

    def _next(self, command: Command) -> Answer:
        if not command.who.host and not command.who.seats & set(range(len(self._ground.state.seats))):
            raise Refuse("not-your-seat")
        self._game()
        self._refuse_paused()
        self.next_round()
        return {"ok": True}

    def _begin(self, preset: str, options: dict[str, object], match: dict[str, object]) -> Answer:
        ground = self._ground
        try:
            self._refuse_impossible(game_row(ground.state, preset, options, match))
        except OptionError as error:
            raise Refuse("bad-command", str(error)) from error
        ground.record("epoch", {"epoch": ground.state.epoch + 1})
        ground.record("game", game_row(ground.state, preset, options, match))
        ground.version = 0
        ground.repaint()
        ground.tell("game-begun", preset=preset)
        self.next_round()
        return {"ok": True}

    def _refuse_impossible(self, row: dict[str, object]) -> None:
        """Whatever is wrong with a game is refused before anything is written. Raises `Refuse`."""
        try:
            open_game(row)
        except (OptionError, MatchError) as error:
            raise Refuse("bad-command", str(error)) from error

    def _note_round(self, game: Game) -> None:
        row = self._ground.state.rules
        self._ground.note("round", {
            "number": game.position.match.number, "revision": row["revision"], "options": row["all"],
            "deck": row["deck"],
        })  # fmt: skip

    def _clear_table(self) -> None:
        """The game is over for good; who left it has no seat any more."""
        self._catches.take_effect(self._ground.game)
        gone = self._gone()
        self._ground.record("game-over", {})
        if gone:
            self._ground.record("free", {"seats": gone})
        self._ground.repaint()

    def _gone(self) -> list[int]:
        """The seats whose players have left the game."""
        state = self._ground.state
        left = state.game.position.match.left if state.game is not None else 0
        return [number for number, seat in enumerate(state.seats) if seat.gone or left >> number & 1]

    def _pause(self, command: Command) -> Answer:
        self._game()
        return self._set_table("paused", paused=True)

    def _resume(self, command: Command) -> Answer:
        self._game()
        return self._set_table("resumed", paused=False)

    def _set_table(self, event: str, **what: bool) -> Answer:
        self._ground.record("table", what)
        self._ground.tell(event)
        return {"ok": True}

    # The launcher and what came out of it

    def _reload(self, command: Command) -> Answer:
        cards = command.body.get("cards")
        loaded = self._ground.settings.machine_cards if cards is None else _count(cards, 1)
        self._shots.refuse_during_shot()
        game = self._ground.game
        if game is not None and game.position.physical:
            self._ground.apply(game, actions.Reload(-1 if cards is None else loaded))
        self._shots.load(loaded)
        return {"ok": True}

    def _shot_was(self, command: Command) -> Answer:
        shot = self._ground.state.shot
        if shot is not None and not command.who.host and shot.seat not in command.who.seats:
            raise Refuse("not-your-seat")
        self._shots.told(_count(command.body.get("cards"), 0))
        return {"ok": True}

    def _correct(self, command: Command) -> Answer:
        who, seat = command.who, command.body.get("seat")
        cards = _count(command.body.get("cards"), 0)
        game = self._game()
        self._shots.refuse_during_shot()
        last = self._ground.state.last
        if last is None:
            raise Refuse("nothing-to-correct", "no shot has been made")
        if not who.host:
            self._presser_corrects(who, last.seat, seat, at_once=last.entry == len(game.entries))
        if seat is not None:
            seat = self._seat(command)
        self._catches.take_effect(game)
        self._ground.apply(game, actions.Correct(cards, -1 if seat is None else seat))
        owner = last.seat if seat is None else seat
        self._ground.record("corrected", {"seat": owner, "cards": cards})
        return {"ok": True}

    def _presser_corrects(self, who: Asker, shooter: int, seat: object, at_once: bool) -> None:
        if shooter not in who.seats or (seat is not None and seat != shooter):
            raise Refuse("not-host", "whose shot it was is corrected by the host")
        if not at_once:
            raise Refuse("not-host", "play has gone on: the host corrects the shot now")

    def _undo(self, command: Command) -> Answer:
        game = self._game()
        self._shots.refuse_during_shot()
        self._ground.apply(game, actions.Undo())
        return {"ok": True}

    def _clear_fault(self, command: Command) -> Answer:
        self._shots.clear_fault()
        return {"ok": True}

    def _halt(self, command: Command) -> Answer:
        self._ground.parts.launcher.halt("the host stopped the launcher")
        self._ground.tell("halted")
        return {"ok": True}

    # What commands have in common

    def _game(self) -> Game:
        if self._ground.game is None:
            raise Refuse("no-game")
        return self._ground.game

    def _refuse_in_game(self) -> None:
        if self._ground.game is not None:
            raise Refuse("table-closed", "a game is on: the host ends it first")

    def _refuse_paused(self) -> None:
        if self._ground.state.paused:
            raise Refuse("paused")

    def _names(self) -> list[str]:
        return [seat.name for seat in self._ground.state.seats]

    def _seat(self, command: Command) -> int:
        """The seat a command names, when it is the asker's. Raises `Refuse`."""
        seat = command.body.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(self._ground.state.seats):
            raise Refuse("no-such-player")
        if not command.who.host and seat not in command.who.seats:
            raise Refuse("not-your-seat")
        return seat


def _count(value: object, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST_CARDS:
        raise Refuse("bad-command", f"cards is a whole number from {least} to {_MOST_CARDS}")
    return value
