"""When the bots at a table move: they think a while, wait for the grace window, and press like anybody else.

What they choose is `controller.bots`; what becomes of it goes the way of every command.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable

from controller import bots
from controller.rules import views
from controller.rules.game import Game
from controller.rules.legal import due_seat
from controller.rules.position import BEFORE, COUNT, MATCH_OVER, ROUND_OVER
from controller.table.catches import Catches, exposed_seats
from controller.table.ground import Ground
from controller.table.messages import PROGRAM, Refuse, Who

log = logging.getLogger("controller.table")

_AGAIN = 0.25  # seconds until a bot tries again what cannot be done yet, where nobody knows how long that takes
# Refusals that pass by themselves or by a person.
_LATER = ("too-fast", "firing", "fault", "hopper-empty", "shot-count", "not-yet")
Do = Callable[[Who, dict[str, object]], None]


class BotSeats:
    """The moves of all bots; one deadline for whichever bot is to do something next."""

    def __init__(self, ground: Ground, catches: Catches, do: Do, deal: Callable[[], None]) -> None:
        self._ground = ground
        self._catches = catches
        self._do = do
        self._deal = deal
        # Their choices are no chance of the game: a stream of their own, so that a restart repeats no shuffle or shot.
        self._rng = random.Random(f"bots {ground.state.seed} {ground.state.epoch}")
        self._planned_for: tuple[int, int] | None = None
        self._idle_at: tuple[int, int] | None = None  # where no bot found anything to do
        self._noticed_for: tuple[int, ...] = ()
        self._catching: list[tuple[int, int]] = []
        self.deadline: float | None = None

    def plan(self) -> None:
        """Something may have changed: decide whether and when a bot moves next."""
        game = self._ground.game
        if game is None or self._ground.state.paused or not self._bots():
            self.deadline = None
            return
        self._notice(game)
        stage = (id(game), len(game.entries))
        if stage == self._idle_at or not self._has_work(game):
            self.deadline = None
            return
        if self.deadline is None or self._planned_for != stage:
            self._planned_for = stage
            self.deadline = self._ground.now + self._ground.settings.think
        if exposed_seats(game):
            self.deadline = max(self.deadline, self._catches.grace_until)

    def move(self) -> None:
        """The deadline has come: one bot makes its move. What is refused for now is tried again a little later."""
        game = self._ground.game
        self.deadline = None
        if game is None:
            return
        stage = (id(game), len(game.entries))
        try:
            moved = self._one_move(game)
        except Refuse as refuse:
            if refuse.reason in _LATER:
                wait = refuse.more.get("seconds")
                wait = float(wait) if isinstance(wait, int | float) else _AGAIN
                self.deadline, self._planned_for = self._ground.now + wait, stage
                return
            log.error("a bot's move was refused: %s (%s)", refuse.reason, refuse.text)
            moved = False
        self._idle_at = None if moved else stage

    def _one_move(self, game: Game) -> bool:
        caught, self._catching = self._catching, []
        for seat, target in caught:
            if target in exposed_seats(game):
                self._do(_as(seat), {"do": "catch", "seat": seat, "target": target})
                return True
        if game.position.phase in (BEFORE, ROUND_OVER):
            self._deal()
            return True
        public = views.public(game.position)
        for seat in self._in_order(game):
            commands = bots.choose(public, views.private(game.position, seat), self._rng)
            if self._ground.settings.typed and commands and commands[0]["do"] == "press":
                continue  # somebody presses for it, or types what came
            for command in commands:
                self._do(_as(seat), command)
            if commands:
                return True
        return False

    def _notice(self, game: Game) -> None:
        """Once for everybody who can be caught: which bots have seen it."""
        exposed = tuple(exposed_seats(game))
        if exposed == self._noticed_for:
            return
        self._noticed_for = exposed
        self._catching = []
        for seat in self._bots() if exposed else []:
            for command in bots.catches(views.private(game.position, seat), self._rng):
                target = command["target"]
                if isinstance(target, int):
                    self._catching.append((seat, target))

    def _has_work(self, game: Game) -> bool:
        state, position = self._ground.state, game.position
        if self._ground.shooting or position.phase in (MATCH_OVER, COUNT):
            return False
        if position.phase in (BEFORE, ROUND_OVER):
            return len(self._bots()) == len([seat for seat in state.seats if not seat.gone])
        return bool(self._in_order(game) or self._catching)

    def _in_order(self, game: Game) -> list[int]:
        """The bots that may have to do something, the one most due first."""
        position, own = game.position, self._bots()
        if position.slap:
            return [seat for seat in own if position.slap >> seat & 1]
        due = due_seat(position) if position.debts or position.naming < 0 else position.naming
        return [due] if due in own else []

    def _bots(self) -> list[int]:
        seats = self._ground.state.seats
        return [number for number, seat in enumerate(seats) if seat.kind == "bot" and not seat.gone]


def _as(seat: int) -> Who:
    return Who(PROGRAM, seats=frozenset({seat}))
