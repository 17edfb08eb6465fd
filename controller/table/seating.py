"""Who sits at the table: sitting down and standing up, bots, names, phones; and who waits for the next game.

What a player's leaving does to a game is the rules' business.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules import actions
from controller.rules.position import MATCH_OVER
from controller.table import codes, names
from controller.table.asking import flag_of, seat_of
from controller.table.catches import Catches
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.shots import Shots


class Seating:
    """One method a command; each raises `Refuse` or `Refused`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self.commands: dict[str, Callable[[Command], Answer | None]] = {
            "sit": self._sit, "stand": self._stand, "rename": self._rename, "claim": self._claim,
            "come-back": self._come_back, "help": self._help,
        }  # fmt: skip
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {
            "add-bot": self._add_bot, "remove": self._stand, "give": self._give,
            "open-table": self._open, "close-table": self._close,
        }  # fmt: skip

    def gone(self) -> list[int]:
        """The seats whose players have left the game."""
        return [number for number, seat in enumerate(self._ground.state.seats) if seat.gone]

    def returning(self) -> list[int]:
        """The seats whose players had left the game and are back: the next round is dealt to them, too."""
        state = self._ground.state
        left = state.game.position.match.left if state.game is not None else 0
        return [number for number, seat in enumerate(state.seats) if left >> number & 1 and not seat.gone]

    def seat_the_waiting(self) -> None:
        """No game is on any more: whoever waited sits down, in the order in which they came."""
        for each in list(self._ground.state.waiting):
            self._take_seat(each.name, "person", each.session)

    def _sit(self, command: Command) -> Answer:
        """A seat, or during a game a wait for one: a phone waits once, by the name it gave last."""
        ground, who = self._ground, command.who
        waited = next((each for each in ground.state.waiting if each.session == who.session), None)
        taken = self._names()
        if waited is not None:
            taken.remove(waited.name)
        name = names.unused(names.cleaned(command.body.get("name")), taken)
        if waited is not None and waited.name == name:
            return {"ok": True, "waiting": True}
        if waited is None and not ground.state.open and not who.host:
            raise Refuse("table-closed", "the host takes no new players")
        if ground.game is None:
            return self._new_seat(name, "person", who.session)
        if waited is None:
            self._refuse_full(len(ground.state.seats) - len(self.gone()) + len(ground.state.waiting))
        else:
            self._unwait(waited.name)
        ground.record("wait", {"name": name, "session": who.session})
        ground.tell("waiting", name=name)
        return {"ok": True, "waiting": True}

    def _add_bot(self, command: Command) -> Answer:
        if self._ground.game is not None:
            raise Refuse("game-on", "a game is on: the host ends it first")
        asked = command.body.get("name")
        name = names.bot_name(self._names()) if asked is None else names.unused(names.cleaned(asked), self._names())
        return self._new_seat(name, "bot", "")

    def _new_seat(self, name: str, kind: str, session: str) -> Answer:
        self._refuse_full(len(self._ground.state.seats))
        return {"ok": True, "seat": self._take_seat(name, kind, session)}

    def _take_seat(self, name: str, kind: str, session: str) -> int:
        code = self._new_code() if kind == "person" else ""
        self._ground.record("sit", {"name": name, "kind": kind, "session": session, "code": code})
        seat = len(self._ground.state.seats) - 1
        self._ground.tell("sat", seat=seat, name=name, kind=kind)
        return seat

    def _stand(self, command: Command) -> Answer:
        if "seat" not in command.body and "name" in command.body:
            return self._stop_waiting(command)
        ground = self._ground
        seat, game = seat_of(ground, command), ground.game
        name = ground.state.seats[seat].name
        if game is None:
            ground.record("free", {"seats": [seat]})
            ground.tell("stood", seat=seat, name=name)
            return {"ok": True, "seat": seat}
        if game.position.phase != MATCH_OVER and not game.position.match.left >> seat & 1:
            self._shots.refuse_during_shot()
            self._catches.take_effect(game)
            ground.apply(game, actions.Leave(seat))
        removed = ground.state.seats[seat].removed or seat not in command.who.seats
        if not ground.state.seats[seat].gone or removed != ground.state.seats[seat].removed:
            self._vacate(seat, removed)
        ground.tell("stood", seat=seat, name=name)
        return {"ok": True, "seat": seat}

    def _vacate(self, seat: int, removed: bool) -> None:
        """Nobody plays there any more. Whom the host has removed cannot come back by the seat's code either."""
        row: dict[str, object] = {"seat": seat, "session": "", "gone": True}
        if removed:
            row["removed"] = True
            if self._ground.state.seats[seat].code:
                row["code"] = self._new_code()
        self._ground.record("give", row)

    def _stop_waiting(self, command: Command) -> Answer:
        ground, who, name = self._ground, command.who, command.body["name"]
        found = next((each for each in ground.state.waiting if each.name == name), None)
        if found is None:
            raise Refuse("no-such-player", "nobody of that name waits for a seat")
        if not who.host and found.session != who.session:
            raise Refuse("not-your-seat")
        self._unwait(found.name)
        return {"ok": True}

    def _unwait(self, name: str) -> None:
        self._ground.record("unwait", {"name": name})
        self._ground.tell("not-waiting", name=name)

    def _rename(self, command: Command) -> Answer:
        seat, ground = seat_of(self._ground, command), self._ground
        name = names.unused(names.cleaned(command.body.get("name")), self._names(but=seat))
        ground.record("name", {"seat": seat, "name": name})
        ground.tell("renamed", seat=seat, name=name)
        return {"ok": True, "seat": seat}

    def _give(self, command: Command) -> Answer:
        """Another phone takes a seat over (the first one is lost, or its player was given a new one)."""
        seat, session = seat_of(self._ground, command), command.body.get("session")
        if not isinstance(session, str) or not 0 < len(session) <= 64:
            raise Refuse("bad-command", "say which phone: session")
        if self._ground.state.seats[seat].kind != "person":
            raise Refuse("no-such-player", "a bot plays there: no phone can have that seat")
        self._pass_on(seat, session)
        return {"ok": True, "seat": seat}

    def _claim(self, command: Command) -> Answer:
        """Another phone of the same player: it knows the seat's code. How often that is tried, its gate limits."""
        ground, who, seat = self._ground, command.who, command.body.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(ground.state.seats):
            raise Refuse("no-such-player")
        if not codes.is_code(command.body.get("code"), ground.state.seats[seat].code) or not who.session:
            raise Refuse("wrong-code", "that is not the code of this seat: it stands on the seat's own page")
        if seat not in who.seats:
            self._pass_on(seat, who.session)
        return {"ok": True, "seat": seat}

    def _come_back(self, command: Command) -> Answer:
        """Who stood up in the middle of a game comes back to it, with the standing kept; who was removed, by the host.

        The standing is no new place: a closed table keeps nobody from it.
        """
        ground, who, number = self._ground, command.who, command.body.get("seat")
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(ground.state.seats):
            raise Refuse("no-such-player")
        seat = ground.state.seats[number]
        if number not in who.seats:
            if not who.host and number not in ground.state.left_by(who.session):
                raise Refuse("not-your-seat")
            if not seat.gone:
                raise Refuse("not-away", "that player has not left")
            ground.record("give", {"seat": number, "session": seat.before, "gone": False})
            ground.tell("came-back", seat=number, name=seat.name)
        return {"ok": True, "seat": number}

    def _pass_on(self, seat: int, session: str) -> None:
        """The seat is `session`'s phone's now. Its code is a new one: the phone that had it knows the old one."""
        ground = self._ground
        was_gone, name = ground.state.seats[seat].gone, ground.state.seats[seat].name
        ground.record("give", {"seat": seat, "session": session, "gone": False, "code": self._new_code()})
        ground.tell("reseated", seat=seat)
        if was_gone:
            ground.tell("came-back", seat=seat, name=name)

    def _new_code(self) -> str:
        return codes.draw({seat.code for seat in self._ground.state.seats})

    def _help(self, command: Command) -> Answer:
        """Help for a child or somebody new: what it is, the pages know; here it lengthens the seat's grace."""
        ground, seat = self._ground, seat_of(self._ground, command)
        on = flag_of(command.body, "on")
        if ground.state.seats[seat].kind != "person":
            raise Refuse("no-such-player", "a bot plays there: it needs no help")
        if ground.state.seats[seat].helped != on:
            ground.record("help", {"seat": seat, "on": on})
            ground.show()
        return {"ok": True, "seat": seat}

    def _open(self, command: Command) -> Answer:
        return self._set_open("table-opened", True)

    def _close(self, command: Command) -> Answer:
        return self._set_open("table-closed", False)

    def _set_open(self, event: str, open_: bool) -> Answer:
        self._ground.record("table", {"open": open_})
        self._ground.tell(event)
        return {"ok": True}

    def _refuse_full(self, taken: int) -> None:
        most = self._ground.settings.most_seats
        if taken >= most:
            raise Refuse("table-full", f"at most {most} can play", most=most)

    def _names(self, but: int = -1) -> list[str]:
        """The names in use, those who wait included."""
        state = self._ground.state
        return [seat.name for number, seat in enumerate(state.seats) if number != but] + [
            each.name for each in state.waiting
        ]
