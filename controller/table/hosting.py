"""Commands about the game as a whole: which one is played, when it pauses and ends; and about the launcher.

What a command may do is decided here and written down as rows; how the game takes it is the rules' business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from controller.rules import actions
from controller.rules.game import Game
from controller.rules.matches import MatchError
from controller.rules.options import OptionError
from controller.rules.position import BEFORE, MATCH_OVER, ROUND_OVER
from controller.table.asking import cards_of, flag_of, game_of, refusal_of
from controller.table.catches import Catches
from controller.table.games import Choice, chosen, game_row, open_game
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.seating import Seating
from controller.table.shots import Shots


class Hosting:
    """One method a command; each raises `Refuse` or `Refused`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches, seating: Seating) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self._seating = seating
        self.commands: dict[str, Callable[[Command], Answer | None]] = {"next": self._next}
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {
            "start": self._start, "rematch": self._rematch, "finish": self._finish, "end": self._end,
            "pause": self._pause, "resume": self._resume, "reload": self._reload, "clear-fault": self._clear_fault,
            "halt": self._halt,
        }  # fmt: skip

    def next_round(self) -> None:
        """Deal the next round; a machine that fills itself is full again. Raises `Refused`, `Refuse`."""
        game = game_of(self._ground)
        self._shots.refuse_during_shot()
        if game.position.phase in (BEFORE, ROUND_OVER):
            for seat in self._seating.returning():
                self._ground.apply(game, actions.Return(seat))
        self._ground.apply(game, actions.Next())
        self._note_round(game)
        if self._ground.state.unowned is not None:
            self._ground.record("unowned", {})
        if self._ground.parts.fill is not None and not game.position.physical:
            self._shots.load(self._ground.settings.machine_cards)

    # The game

    def _start(self, command: Command) -> Answer:
        if self._ground.game is not None:
            raise Refuse("game-on", "a game is on: the host ends it first")
        self._shots.refuse_during_shot()
        body, settings = command.body, self._ground.settings
        preset, options = body.get("preset", settings.preset), body.get("options", {})
        match = body.get("match", {})
        if not isinstance(preset, str) or not isinstance(options, dict) or not isinstance(match, dict):
            raise Refuse("bad-command", "preset is a text, options and match are sets of named values")
        if preset == settings.preset:
            options = {**settings.options, **options}
        physical = flag_of(body, "physical") if "physical" in body else settings.physical
        choice = Choice(preset, options, {**settings.match, **match}, physical)
        self._refuse_impossible(choice)
        return self._begin(choice)

    def _rematch(self, command: Command) -> Answer:
        if game_of(self._ground).position.phase != MATCH_OVER:
            raise Refuse("not-yet", "the match is not over")
        self._shots.refuse_during_shot()
        choice = chosen(self._ground.state.rules)
        self._refuse_impossible(choice, self._seating.gone())
        self._clear_table()
        return self._begin(choice)

    def _finish(self, command: Command) -> Answer:
        """`finish`: the match ends here, and the standings count."""
        game = game_of(self._ground)
        self._shots.refuse_during_shot()
        self._ground.apply(game, actions.EndMatch())
        return {"ok": True}

    def _end(self, command: Command) -> Answer:
        game_of(self._ground)
        self._shots.refuse_during_shot()
        self._clear_table()
        self._ground.tell("ended")
        return {"ok": True}

    def _next(self, command: Command) -> Answer:
        if not command.who.host and not command.who.seats & set(range(len(self._ground.state.seats))):
            raise Refuse("not-your-seat")
        game_of(self._ground)
        if self._ground.state.paused:
            raise Refuse("paused")
        self.next_round()
        return {"ok": True}

    def _begin(self, choice: Choice) -> Answer:
        ground = self._ground
        ground.record("epoch", {"epoch": ground.state.epoch + 1})
        ground.record("game", game_row(ground.state, choice))
        ground.version = 0
        ground.repaint()
        ground.tell("game-begun", preset=choice.preset, physical=choice.physical)
        self.next_round()
        return {"ok": True}

    def _refuse_impossible(self, choice: Choice, gone: Collection[int] = ()) -> None:
        """Whatever is wrong with a game is refused before anything is written. Raises `Refuse`."""
        seats = self._ground.state.seats
        if len(seats) - len(gone) + len(self._ground.state.waiting) < 2:
            raise Refuse("too-few", "a game needs two players at least: somebody must take a seat first")
        if choice.physical and any(seat.kind == "bot" for number, seat in enumerate(seats) if number not in gone):
            raise Refuse("no-bots", "a bot has no hands to hold real cards: remove the bots, or play on the phones")
        try:
            open_game(game_row(self._ground.state, choice, gone))
        except (OptionError, MatchError) as error:
            raise Refuse("bad-command", str(error)) from error

    def _note_round(self, game: Game) -> None:
        row = self._ground.state.rules
        self._ground.note("round", {
            "number": game.position.match.number, "revision": row["revision"], "options": row["all"],
            "deck": row["deck"],
        })  # fmt: skip

    def _clear_table(self) -> None:
        """The game is over for good; who left it has no seat any more, and who waited for one has."""
        self._catches.take_effect(self._ground.game)
        gone = self._seating.gone()
        self._ground.record("game-over", {"marks": list(game_of(self._ground).position.match.marks)})
        if gone:
            self._ground.record("free", {"seats": gone})
        self._seating.seat_the_waiting()
        self._ground.repaint()

    def _pause(self, command: Command) -> Answer:
        return self._set_paused("paused", True)

    def _resume(self, command: Command) -> Answer:
        if self._ground.state.service is not None:
            raise Refuse("firing", "a service shot is under way")
        return self._set_paused("resumed", False)

    def _set_paused(self, event: str, paused: bool) -> Answer:
        game_of(self._ground)
        self._ground.record("table", {"paused": paused})
        self._ground.tell(event)
        return {"ok": True}

    # The launcher

    def _reload(self, command: Command) -> Answer:
        ground = self._ground
        game = ground.game
        loaded = -1 if command.body.get("cards") is None else cards_of(command, 1, game)
        self._shots.refuse_during_shot()
        if game is not None and game.position.physical:
            refuse = refusal_of(game, actions.Reload(loaded))
            if refuse is not None:
                raise refuse
            ground.apply(game, actions.Reload(loaded))
            self._shots.load(len(game.position.pile))
        else:
            self._shots.load(ground.settings.machine_cards if loaded < 0 else loaded)
        return {"ok": True}

    def _clear_fault(self, command: Command) -> Answer:
        self._shots.clear_fault()
        return {"ok": True}

    def _halt(self, command: Command) -> Answer:
        self._ground.parts.launcher.halt("the host stopped the launcher")
        self._ground.tell("halted")
        return {"ok": True}
