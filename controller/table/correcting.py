"""What a person puts right: the last shot, a shot nobody saw the end of, the last action, and what the host sets.

How the game takes it is the rules' business; the reason given is kept with it.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules import actions
from controller.table.asking import cards_of, game_of, reason_of, seat_of
from controller.table.catches import Catches
from controller.table.ground import Ground
from controller.table.messages import Answer, Asker, Command, Refuse
from controller.table.shots import Shots


class Correcting:
    """One method a command; each raises `Refuse` or `Refused`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self.commands: dict[str, Callable[[Command], Answer | None]] = {
            "shot-was": self._shot_was, "correct": self._correct,
        }  # fmt: skip
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {"undo": self._undo}

    def _shot_was(self, command: Command) -> Answer:
        shot = self._ground.state.shot
        if shot is not None and not command.who.host and shot.seat not in command.who.seats:
            raise Refuse("not-your-seat")
        self._shots.told(cards_of(command, 0, self._ground.game))
        return {"ok": True}

    def _correct(self, command: Command) -> Answer:
        ground, who, seat = self._ground, command.who, command.body.get("seat")
        game = game_of(ground)
        cards, reason = cards_of(command, 0, game), reason_of(command.body)
        self._shots.refuse_during_shot()
        last = ground.state.last
        if last is None:
            raise Refuse("nothing-to-correct", "no shot has been made")
        if not who.host:
            self._presser_corrects(who, last.seat, seat, at_once=last.entry == len(game.entries))
        if seat is not None:
            seat = seat_of(ground, command)
        self._catches.take_effect(game)
        ground.apply(game, actions.Correct(cards, -1 if seat is None else seat), reason)
        corrected = game.position.shot
        owner = last.seat if corrected is None else corrected.seat  # after an undo it may be an earlier shot
        ground.record("corrected", {"seat": owner, "cards": cards})
        return {"ok": True}

    def _presser_corrects(self, who: Asker, shooter: int, seat: object, at_once: bool) -> None:
        if shooter not in who.seats or (seat is not None and seat != shooter):
            raise Refuse("not-host", "whose shot it was is corrected by the host")
        if not at_once:
            raise Refuse("not-host", "play has gone on: the host corrects the shot now")

    def _undo(self, command: Command) -> Answer:
        game, reason = game_of(self._ground), reason_of(command.body)
        self._shots.refuse_during_shot()
        self._ground.apply(game, actions.Undo(), reason)
        return {"ok": True}
