"""A seat's own tap taken back: by the phone that made it, within ten seconds, and only while nothing came of it.

Taken back may be a card played, a pass, a colour, a wild draw four accepted, when

- it was the last thing done in the game, and the round still goes on;
- nobody's catch is held, and no shot is under way;
- no card came into any hand by it and none left the pile: nobody has seen a card that they would not have seen;
- nobody can be caught for it: a call that was forgotten stays forgotten.

Calls, catches and slaps are races; hits, draws and challenges show cards: these are the host's to take back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from controller.rules.actions import Accept, NameColour, Pass, Play, Undo
from controller.rules.game import Game
from controller.rules.position import PLAY, Position
from controller.table.asking import game_of, seat_of
from controller.table.catches import Catches
from controller.table.ground import Ground, Tap
from controller.table.messages import PROGRAM, Answer, Command, Refuse
from controller.table.shots import Shots

OFFERED_FOR = 10.0  # seconds


class Taps:
    """The last tap that may be taken back, and the command that does it."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self._over: Tap | None = None  # the one of which all are told that its time is over
        self.commands: dict[str, Callable[[Command], Answer | None]] = {"take-back": self._take_back}

    @property
    def deadline(self) -> float | None:
        """When the offer that pages show ends."""
        tap = self._ground.last_tap
        return None if tap is None or tap is self._over else tap.until

    def due(self) -> None:
        """Nobody has taken the tap back in time: pages show no offer any more."""
        if self.deadline is not None and self.deadline <= self._ground.now:
            self._over = self._ground.last_tap
            self._ground.show()

    def note(self, command: Command, game: Game) -> None:
        """`command` has done the last thing that was done in the game."""
        ground, session = self._ground, command.who.session
        ground.tap = None
        [(action, before)] = game.story(1)
        if session == PROGRAM or not isinstance(action, Play | Pass | NameColour | Accept):
            return
        no_misplay = not isinstance(action, Play) or len(game.position.discards) > len(before.discards)
        if action.seat in command.who.seats and no_misplay and _had_no_effect(before, game.position, action.seat):
            ground.tap = Tap(session, action.seat, len(game.entries), ground.now + OFFERED_FOR)

    def _take_back(self, command: Command) -> Answer:
        ground, tap = self._ground, self._ground.last_tap
        game, seat = game_of(ground), seat_of(ground, command)
        if ground.state.paused:
            raise Refuse("paused")
        if tap is None or tap.seat != seat or tap.session != command.who.session:
            raise Refuse("nothing-to-undo", "the last thing done was not a tap of yours that can be taken back")
        if ground.now > tap.until:
            raise Refuse("too-late", f"a tap is taken back within {OFFERED_FOR:.0f} seconds: ask the host")
        self._shots.refuse_during_shot()
        if self._catches.holding:
            raise Refuse("too-late", "somebody has caught somebody meanwhile: ask the host")
        ground.tap = None
        ground.apply(game, Undo(), by=seat)
        return {"ok": True}


def _had_no_effect(before: Position, after: Position, seat: int) -> bool:
    """Whether no card moved but from the seat's own hand to the discards, and nobody can be caught for it."""
    if after.phase != PLAY or before.phase != PLAY or after.pile != before.pile or after.exposed & ~before.exposed:
        return False
    if any(after.hands[other] != before.hands[other] for other in range(len(before.hands)) if other != seat):
        return False
    lost = Counter(before.hands[seat])
    lost.subtract(after.hands[seat])
    played = len(before.hands[seat]) - len(after.hands[seat])
    return min(lost.values(), default=0) >= 0 and len(after.discards) - len(before.discards) == played
