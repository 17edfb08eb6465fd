"""Which presses fire. The state of a rhythm is one small number, however long a dry run lasts."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from operator import mul

from controller.odds.errors import OddsError

_TOLD = 12  # presses since the last fire that are told one by one where a dry run has no end
_RARE = 0.01  # or fewer, when so small a share of all fires is left


class Rhythm(ABC):
    """Which presses fire. A *wait* is the number of presses from one fire to the next, that one included."""

    @abstractmethod
    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        """(which press since the last fire this fire is, 0 = dry; the state after it)."""

    @abstractmethod
    def valid(self, presses: int) -> bool:
        """Whether a state can be `presses`."""

    @abstractmethod
    def restarted(self, presses: int) -> int:
        """The state after power-on or after the lid was closed."""

    @abstractmethod
    def since(self, presses: int) -> int:
        """Which press since the last fire the next one is, in state `presses`; as far as that makes a difference."""

    @abstractmethod
    def outlasts(self, presses: int) -> float:
        """Share of all waits that are longer than `presses`."""

    @property
    @abstractmethod
    def longest_wait(self) -> int | None:
        """The longest wait there can be; None: there is no longest."""

    @property
    @abstractmethod
    def mean_wait(self) -> float:
        """The mean wait."""

    @property
    @abstractmethod
    def mean_square_wait(self) -> float:
        """The mean of the squares of all waits."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of all fires that are the first, second, ... press since the last fire; they add up to 1.

        Where no wait is the longest, the last one stands for all later presses too.
        """
        left = [self.outlasts(press) for press in range(self._told)] + [0.0]
        return tuple(before - after for before, after in pairwise(left))

    @property
    def hazards(self) -> tuple[float, ...]:
        """Chance of firing of the first, second, ... press since the last fire; the last holds for all later ones."""
        left = [self.outlasts(press) for press in range(self._told + 1)]
        return tuple(1 - after / before if before else 1.0 for before, after in pairwise(left))

    @property
    def _told(self) -> int:
        if self.longest_wait is not None:
            return self.longest_wait
        return next((press for press in range(1, _TOLD) if self.outlasts(press) < _RARE), _TOLD)


@dataclass(frozen=True)
class Hazard(Rhythm):
    """A press fires with a chance given by how many presses it is since the last fire.

    The last chance holds for all later presses too; unless it is 1, a dry run has no end.
    """

    chances: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chances or not all(0 <= chance <= 1 for chance in self.chances) or self.chances[-1] == 0:
            raise OddsError(f"the chances of firing lie in 0..1 and do not end with 0, not {self.chances}")

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        if rng.random() < self.chances[presses]:
            return presses + 1, 0
        return 0, presses + 1 if presses + 1 < len(self.chances) else presses

    def valid(self, presses: int) -> bool:
        return 0 <= presses < len(self.chances)

    def restarted(self, presses: int) -> int:
        # The measured unit was not seen to start anew, so the count goes on.
        return presses

    def since(self, presses: int) -> int:
        return presses + 1

    def outlasts(self, presses: int) -> float:
        inside = self._left[min(presses, len(self.chances))]
        return inside * float((1 - self.chances[-1]) ** max(0, presses - len(self.chances)))

    @property
    def longest_wait(self) -> int | None:
        return self.chances.index(1) + 1 if 1 in self.chances else None

    # The first presses one by one, then, from `head` on, a wait with the same chance at every press.

    @property
    def mean_wait(self) -> float:
        head, left, chance = len(self.chances) - 1, self._left, self.chances[-1]
        return sum(left[:head]) + left[head] / chance

    @property
    def mean_square_wait(self) -> float:
        head, left, chance = len(self.chances) - 1, self._left, self.chances[-1]
        inside = sum((press + 1) ** 2 * (left[press] - left[press + 1]) for press in range(head))
        return inside + left[head] * (head * head + 2 * head / chance + (2 - chance) / chance**2)

    @cached_property
    def _left(self) -> tuple[float, ...]:
        """Share of waits that are longer than 0, 1, ... presses, as far as chances are told one by one."""
        return tuple(accumulate((1 - chance for chance in self.chances), mul, initial=1.0))


@dataclass(frozen=True)
class FixedList(Rhythm):
    """A list of the presses that fire, from power-on or from closing the lid; it starts over after `period`."""

    fires: tuple[int, ...]
    period: int

    def __post_init__(self) -> None:
        rising = all(one < other for one, other in pairwise((0, *self.fires, self.period + 1)))
        if not self.fires or not rising:
            raise OddsError(f"the presses that fire must rise within 1..{self.period}, not {self.fires}")

    @cached_property
    def _since(self) -> Mapping[int, int]:
        """Press of the list that fires -> which press since the last fire it is."""
        last_of_list_before = self.fires[-1] - self.period
        return {now: now - before for before, now in pairwise((last_of_list_before, *self.fires))}

    @cached_property
    def _waits(self) -> tuple[int, ...]:
        return tuple(self._since.values())

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        now = presses + 1
        return self._since.get(now, 0), now % self.period

    def valid(self, presses: int) -> bool:
        return 0 <= presses < self.period

    def restarted(self, presses: int) -> int:
        return 0

    def since(self, presses: int) -> int:
        before = bisect_right(self.fires, presses)
        return presses + 1 - (self.fires[before - 1] if before else self.fires[-1] - self.period)

    def outlasts(self, presses: int) -> float:
        return sum(wait > presses for wait in self._waits) / len(self._waits)

    @property
    def longest_wait(self) -> int | None:
        return max(self._waits)

    @property
    def mean_wait(self) -> float:
        return self.period / len(self.fires)

    @property
    def mean_square_wait(self) -> float:
        return sum(wait * wait for wait in self._waits) / len(self._waits)
