"""The grace window: a catch shortly after the play is held, and a call before the window ends beats it.

Who comes first is decided by arrival here, never by a phone's clock. What a catch costs is the rules' business.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.actions import Call, Catch
from controller.rules.game import Game
from controller.rules.legal import can_be_caught
from controller.rules.position import PLAY
from controller.rules.refusals import Refused
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse


@dataclass(frozen=True, slots=True)
class Held:
    """A catch that waits for its window to end, or for a shot to."""

    command: Command
    action: Catch
    at: float


@dataclass(frozen=True, slots=True)
class First:
    """What was first: a call by `seat` of its own, or a catch of somebody by `seat`."""

    what: str
    seat: int
    at: float


class Catches:
    """Windows of those who may be caught, and the catches that are held. Times are seconds of the table's clock."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._ends: dict[int, float] = {}
        self._held: list[Held] = []
        self._settled: list[tuple[Held, Answer]] = []
        self._first: dict[int, First] = {}

    @property
    def deadline(self) -> float | None:
        """When the next held catch takes effect; None while none can (a shot is under way, nothing is held)."""
        if self._ground.shooting:
            return None
        return min((self._end(held) for held in self._held), default=None)

    @property
    def grace_until(self) -> float:
        """When the last window ends, for bots to wait for."""
        return max(self._ends.values(), default=0.0)

    @property
    def holding(self) -> bool:
        """Whether any catch is held."""
        return bool(self._held)

    def catch(self, game: Game, command: Command, action: Catch) -> bool:
        """Do or hold a catch. True when it is held and its answer comes later. Raises `Refuse`."""
        ground = self._ground
        refusal = game.check(action)
        if refusal is not None:
            raise Refuse.by_rules(refusal, **self._was_first(action.target, ground.now))
        if ground.shooting or self._ends.get(action.target, 0.0) > ground.now:
            self._held.append(Held(command, action, ground.now))
            return True
        ground.apply(game, action)
        self._first[action.target] = First("catch", action.seat, ground.now)
        return False

    def call(self, game: Game, action: Call) -> None:
        """Call UNO. Raises `Refuse`; a call that comes after a catch is told by how much."""
        refusal = game.check(action)
        if refusal is not None:
            raise Refuse.by_rules(refusal, **self._was_first(action.seat, self._ground.now))
        if self._ground.shooting and game.position.rules.false_uno_penalty:
            self._refuse_doubtful(game, action)
        self._ground.apply(game, action)
        self._first[action.seat] = First("call", action.seat, self._ground.now)
        self._judge([held for held in self._held if held.action.target == action.seat], game)

    def due(self, game: Game | None) -> None:
        """Let the catches take effect whose window has ended."""
        if not self._ground.shooting:
            self._judge([held for held in self._held if self._end(held) <= self._ground.now], game)

    def take_effect(self, game: Game | None) -> None:
        """Something would close the windows: whatever is held takes effect first."""
        self._judge(list(self._held), game)

    def after(self, game: Game | None) -> None:
        """The game may have changed: begin and end windows."""
        exposed = exposed_seats(game)
        now = self._ground.now
        for seat in exposed:
            if seat not in self._ends:
                self._ends[seat] = now + self._ground.settings.grace
                self._first.pop(seat, None)
        self._ends = {seat: end for seat, end in self._ends.items() if seat in exposed}

    def settled(self) -> list[tuple[Held, Answer]]:
        """The held catches that are decided by now, with their answers; each is given once."""
        settled, self._settled = self._settled, []
        return settled

    def _end(self, held: Held) -> float:
        return self._ends.get(held.action.target, held.at)

    def _judge(self, ripe: list[Held], game: Game | None) -> None:
        for held in sorted(ripe, key=lambda each: each.at):
            self._held.remove(held)
            self._settled.append((held, self._outcome(held, game)))

    def _outcome(self, held: Held, game: Game | None) -> Answer:
        target = held.action.target
        if game is None:
            return Refuse("no-game").answer()
        try:
            self._ground.apply(game, held.action)
        except Refused as refused:
            return Refuse.by_rules(refused.refusal, **self._was_first(target, held.at)).answer()
        self._first[target] = First("catch", held.action.seat, held.at)
        self._ends.pop(target, None)
        return {"ok": True}

    def _refuse_doubtful(self, game: Game, action: Call) -> None:
        """A wrong call would owe units before the shot under way is counted: only a plainly right one is taken then."""
        if len(game.position.hands[action.seat]) != 1:
            raise Refuse("firing", "a shot is under way")

    def _was_first(self, target: int, at: float) -> dict[str, object]:
        """Who came before what was done at `at`, and by how many milliseconds; below 0: later, but within the grace."""
        first = self._first.get(target)
        if first is None:
            return {}
        return {"first": {"what": first.what, "seat": first.seat, "ms": round((at - first.at) * 1000)}}


def exposed_seats(game: Game | None) -> list[int]:
    """The seats that may be caught now."""
    if game is None:
        return []
    position = game.position
    if position.phase != PLAY or not position.exposed:
        return []
    return [seat for seat in range(len(position.players)) if can_be_caught(position, seat)]
