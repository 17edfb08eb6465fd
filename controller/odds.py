"""The odds: how many cards a press of the UNO button brings. Profiles as data, and the small state each one keeps.

Pure: chance comes from the `random.Random` handed in, the state goes out as JSON for the journal. Motors, suspense and
whose press it was live elsewhere.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate, pairwise, product
from typing import Protocol, TypedDict


class OddsError(ValueError):
    """An unknown profile or a state that cannot be one; the text says what would be right."""


class OddsState(TypedDict):
    """What a profile remembers between presses, fit for JSON.

    `presses` is counted since the last fire, or, for a fixed list, since the list was begun.
    """

    profile: str
    presses: int


@dataclass(frozen=True)
class Sizes:
    """How many cards a fire brings: `ways[i]` equally likely ways out of all to `cards[i]` cards."""

    cards: tuple[int, ...]
    ways: tuple[int, ...]

    @classmethod
    def dice(cls, *dice: tuple[int, int]) -> Sizes:
        """The sum of even draws from `low..high`, both ends included, one for each of `dice`."""
        return cls.counted(sum(faces) for faces in product(*(range(low, high + 1) for low, high in dice)))

    @classmethod
    def counted(cls, outcomes: Iterable[int]) -> Sizes:
        """Each of `outcomes` as likely as any other; equal ones add up."""
        ways: dict[int, int] = {}
        for cards in outcomes:
            ways[cards] = ways.get(cards, 0) + 1
        return cls(tuple(sorted(ways)), tuple(ways[cards] for cards in sorted(ways)))

    @cached_property
    def _cumulative(self) -> tuple[int, ...]:
        return tuple(accumulate(self.ways))

    @property
    def mean(self) -> float:
        """Cards of a fire in the long run."""
        return sum(cards * ways for cards, ways in zip(self.cards, self.ways, strict=True)) / sum(self.ways)

    @property
    def largest(self) -> int:
        """The most cards a fire can bring."""
        return self.cards[-1]

    def draw(self, rng: random.Random) -> int:
        """One fire's number of cards."""
        return self.cards[bisect_right(self._cumulative, int(rng.random() * self._cumulative[-1]))]


class Rhythm(Protocol):
    """Which presses fire."""

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        """(which press since the last fire this fire is, 0 = dry; the state after it)."""

    def valid(self, presses: int) -> bool:
        """Whether a state can be `presses`."""

    def restarted(self, presses: int) -> int:
        """The state after power-on or after the lid was closed."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of all fires that are the first, second, ... press since the last fire; they add up to 1."""


@dataclass(frozen=True)
class Hazard:
    """A press fires with a chance given by how many presses it is since the last fire; the last chance must be 1."""

    chances: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chances or self.chances[-1] != 1 or not all(0 <= chance <= 1 for chance in self.chances):
            raise OddsError(f"the chances of firing must lie in 0..1 and end with 1, not {self.chances}")

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        fires = rng.random() < self.chances[presses]
        return (presses + 1, 0) if fires else (0, presses + 1)

    def valid(self, presses: int) -> bool:
        return 0 <= presses < len(self.chances)

    def restarted(self, presses: int) -> int:
        # The measured unit was not seen to start anew, so the count goes on.
        return presses

    @property
    def shares(self) -> tuple[float, ...]:
        shares, dry_so_far = [], 1.0
        for chance in self.chances:
            shares.append(dry_so_far * chance)
            dry_so_far *= 1 - chance
        return tuple(shares)


@dataclass(frozen=True)
class FixedList:
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

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        now = presses + 1
        return self._since.get(now, 0), now % self.period

    def valid(self, presses: int) -> bool:
        return 0 <= presses < self.period

    def restarted(self, presses: int) -> int:
        return 0

    @property
    def shares(self) -> tuple[float, ...]:
        gaps = list(self._since.values())
        return tuple(gaps.count(gap) / len(gaps) for gap in range(1, max(gaps) + 1))


@dataclass(frozen=True)
class OddsProfile:
    """One way a launcher may behave: when it fires, and how many cards then.

    `sizes[i]` holds for a fire on press `i + 1` since the last one; the last entry holds for all later presses too.
    """

    name: str
    summary: str
    rhythm: Rhythm
    sizes: tuple[Sizes, ...]

    def start(self) -> OddsState:
        """The state of a launcher just switched on."""
        return {"profile": self.name, "presses": 0}

    def next(self, state: OddsState, rng: random.Random) -> tuple[int, OddsState]:
        """One press: (cards, 0 = dry; the state after it)."""
        cards, presses = self.press(state["presses"], rng)
        return cards, {"profile": self.name, "presses": presses}

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        """`next` with nothing but the number of presses as its state, for those who play a million."""
        fired_on, presses = self.rhythm.press(presses, rng)
        return (self._sizes_on(fired_on).draw(rng) if fired_on else 0), presses

    def restarted(self, state: OddsState) -> OddsState:
        """The state after power-on or after the lid was closed."""
        return {"profile": self.name, "presses": self.rhythm.restarted(state["presses"])}

    def state_from(self, data: Mapping[str, object] | None) -> OddsState:
        """The state that was journalled as `data`; None, or another profile's state, gives a launcher just switched on.

        Raises `OddsError` for what no profile can have written.
        """
        if data is None:
            return self.start()
        name, presses = data.get("profile"), data.get("presses")
        if not isinstance(name, str) or not isinstance(presses, int) or isinstance(presses, bool) or len(data) != 2:
            raise OddsError(f"a state of the odds has a profile and a number of presses, not {dict(data)!r}")
        if name != self.name:
            return self.start()
        if not self.rhythm.valid(presses):
            raise OddsError(f"{presses} presses cannot be a state of the odds profile {self.name!r}")
        return {"profile": self.name, "presses": presses}

    @property
    def fire_rate(self) -> float:
        """Share of all presses that fire, in the long run."""
        return 1 / sum(press * share for press, share in enumerate(self.rhythm.shares, start=1))

    @property
    def cards_per_fire(self) -> float:
        """Mean cards of a press that fires."""
        return sum(share * self._sizes_on(press).mean for press, share in enumerate(self.rhythm.shares, start=1))

    @property
    def cards_per_press(self) -> float:
        """Mean cards of any press, dry ones counted."""
        return self.fire_rate * self.cards_per_fire

    @property
    def longest_dry_run(self) -> int:
        """The most presses in a row that can bring nothing."""
        return len(self.rhythm.shares) - 1

    @property
    def max_cards(self) -> int:
        """The largest shot."""
        return max(sizes.largest for sizes in self.sizes)

    def describe(self) -> str:
        """One line for people: what is to be expected."""
        return (
            f"{self.name}: {self.summary}; fires on {self.fire_rate:.1%} of presses, "
            f"{self.cards_per_press:.2f} cards a press, "
            f"at most {self.longest_dry_run} dry in a row, at most {self.max_cards} cards"
        )

    def _sizes_on(self, press: int) -> Sizes:
        return self.sizes[min(press, len(self.sizes)) - 1]


_MEASURED_SIZES = ((1, 3), (0, 3), (0, 3))

# fmt: off
_ORIGINAL_FIRES = (
    2, 6, 9, 13, 17, 21, 24, 26, 27, 29, 32, 36, 37, 41, 44, 47, 48, 51, 54, 57, 58, 62, 66, 69, 72, 73, 77, 81, 84, 85,
    88, 92, 93, 96,
)
# fmt: on

# Counts published by owners of the toy, not ours: 800 presses on a unit of 2015 for `measured` (fires by press since
# the last fire; cards fitted by sums of even draws), one source's fixed list for `original`.
MEASURED = OddsProfile(
    name="measured",
    summary="as counted on a real launcher",
    rhythm=Hazard((0.18, 0.50, 0.59, 0.55, 1.0)),
    sizes=(*[Sizes.dice(*_MEASURED_SIZES)] * 4, Sizes.dice(*_MEASURED_SIZES, (0, 5))),
)
ORIGINAL = OddsProfile(
    name="original",
    summary="the fixed list the toy is said to follow from switching on or closing the lid",
    rhythm=FixedList(_ORIGINAL_FIRES, period=96),
    sizes=(Sizes.dice((3, 8)),),
)
PROFILES: Mapping[str, OddsProfile] = {each.name: each for each in (MEASURED, ORIGINAL)}
DEFAULT_PROFILE = MEASURED.name


def profile(name: str) -> OddsProfile:
    """The profile called `name`. Raises `OddsError`, with what may have been meant, for a name that is none."""
    found = PROFILES.get(name)
    if found is None:
        near = get_close_matches(name, PROFILES, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise OddsError(f"unknown odds profile {name!r}: {hint}There are: {', '.join(PROFILES)}")
    return found


class Odds:
    """A launcher's odds as they go on, press after press."""

    def __init__(self, profile: OddsProfile, rng: random.Random, state: Mapping[str, object] | None = None) -> None:
        """Go on from a journalled `state`, or begin as just switched on. Raises `OddsError` for a broken state."""
        self.profile = profile
        self._rng = rng
        self._presses = profile.state_from(state)["presses"]

    @property
    def state(self) -> OddsState:
        """The state to journal: with it, and the same chance, the same shots follow."""
        return {"profile": self.profile.name, "presses": self._presses}

    def press(self) -> int:
        """One press: how many cards it brings; 0 = dry."""
        cards, self._presses = self.profile.press(self._presses, self._rng)
        return cards

    def restarted(self) -> None:
        """The launcher was switched on, or its lid closed."""
        self._presses = self.profile.rhythm.restarted(self._presses)
