"""The grace window: a catch shortly after the play is held, and a call before the window ends beats it.

Who comes first is decided by arrival here, never by a phone's clock. What a catch costs is the rules' business.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.actions import Call, Catch
from controller.rules.because import refusal as refusal_of
from controller.rules.game import Game
from controller.rules.legal import call_is_right, can_be_caught
from controller.rules.position import PLAY
from controller.rules.refusals import Refused
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse

_RACE = 0.5  # seconds: who comes so much later meant the same thing, and was slower
_TOLD_FOR = 10.0  # seconds after which nobody asks any more who was first


@dataclass(frozen=True, slots=True)
class Held:
    """A catch that waits for its window to end, or for a shot to."""

    command: Command
    action: Catch
    at: float
    right: bool  # there was somebody to catch when it arrived


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
        ground, target = self._ground, action.target
        refusal = game.check(action)
        right = refusal is None and can_be_caught(game.position, target)
        if refusal is None and not right and self._just_lost(target):
            refusal = refusal_of(game.position, "nothing-to-catch")
        if refusal is not None:
            raise Refuse.by_rules(refusal, **self._was_first(target, ground.now))
        if ground.shooting or self._ends.get(target, 0.0) > ground.now:
            self._held.append(Held(command, action, ground.now, right))
            return True
        ground.apply(game, action)
        if right:
            self._first[target] = First("catch", action.seat, ground.now)
        return False

    def call(self, game: Game, action: Call) -> None:
        """Call UNO. Raises `Refuse`; a call that comes after a catch is told by how much."""
        ground, seat = self._ground, action.seat
        refusal = game.check(action)
        right = refusal is None and call_is_right(game.position, seat)
        if refusal is None and not right and self._just_lost(seat):
            refusal = refusal_of(game.position, "false-call")
        if refusal is not None:
            raise Refuse.by_rules(refusal, **self._was_first(seat, ground.now))
        if ground.shooting and game.position.rules.false_uno_penalty:
            self._refuse_doubtful(game, action)
        ground.apply(game, action)
        if right:
            self._first[seat] = First("call", seat, ground.now)
        self._judge([held for held in self._held if held.action.target == seat], game)

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
                self._ends[seat] = now + self._grace_of(seat)
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
        if held.right and game.check(held.action) is None and not can_be_caught(game.position, target):
            beaten = refusal_of(game.position, "nothing-to-catch")  # it was right when it came, so it costs nothing
            return Refuse.by_rules(beaten, **self._was_first(target, held.at)).answer()
        right = can_be_caught(game.position, target)
        try:
            self._ground.apply(game, held.action)
        except Refused as refused:
            return Refuse.by_rules(refused.refusal, **self._was_first(target, held.at)).answer()
        if right:
            self._first[target] = First("catch", held.action.seat, held.at)
        self._ends.pop(target, None)
        return {"ok": True}

    def _refuse_doubtful(self, game: Game, action: Call) -> None:
        """A wrong call would owe units before the shot under way is counted: only a plainly right one is taken then."""
        if len(game.position.hands[action.seat]) != 1:
            raise Refuse("firing", "a shot is under way")

    def _grace_of(self, seat: int) -> float:
        settings = self._ground.settings
        return max(settings.grace, settings.helped_grace) if self._ground.state.seats[seat].helped else settings.grace

    def _just_lost(self, target: int) -> bool:
        """Whether a call or a catch of `target` came so shortly before that who comes now was in the same race.

        To have lost it costs nothing, also where a wrong call or catch does.
        """
        first = self._first.get(target)
        return first is not None and self._ground.now - first.at <= max(self._ground.settings.grace, _RACE)

    def _was_first(self, target: int, at: float) -> dict[str, object]:
        """Who came before what was done at `at`, and by how many milliseconds; below 0: later, but within the grace."""
        first = self._first.get(target)
        if first is None or at - first.at > _TOLD_FOR:
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
