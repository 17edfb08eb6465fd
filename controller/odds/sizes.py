"""How many cards a fire brings."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product


@dataclass(frozen=True)
class Sizes:
    """`ways[i]` equally likely ways out of all lead to `cards[i]` cards; `cards` rise."""

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
        return cls.weighed(ways)

    @classmethod
    def weighed(cls, ways: Mapping[int, int]) -> Sizes:
        """Each number of cards as likely as its weight says; what weighs nothing is left out."""
        cards = sorted(each for each, weight in ways.items() if weight)
        return cls(tuple(cards), tuple(ways[each] for each in cards))

    def at_most(self, most: int) -> Sizes:
        """The same, but drawn again whenever it is more than `most`."""
        return Sizes.weighed({cards: ways for cards, ways in zip(self.cards, self.ways, strict=True) if cards <= most})

    def with_one_in(self, rarity: int, cards: int) -> Sizes:
        """The same, but one time in `rarity` it is `cards`, which else it never is."""
        mine = {each: ways * (rarity - 1) for each, ways in zip(self.cards, self.ways, strict=True)}
        return Sizes.weighed({**mine, cards: sum(self.ways)})

    @cached_property
    def _cumulative(self) -> tuple[int, ...]:
        return tuple(accumulate(self.ways))

    @property
    def shares(self) -> Mapping[int, float]:
        """How likely each number of cards is; they add up to 1."""
        return {cards: ways / sum(self.ways) for cards, ways in zip(self.cards, self.ways, strict=True)}

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
