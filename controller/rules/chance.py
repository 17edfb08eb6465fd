"""Where chance enters the rules: shuffles and places are asked for from outside, recorded, and replayed.

The engine has no randomness of its own. `Dice` rolls for a live game, `Recorder` keeps what was rolled for the log,
`Script` gives it again.
"""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from typing import Protocol

# What one question to chance was answered with: the cards in their new order, or a number.
Answer = tuple[int, ...] | int


class Chance(Protocol):
    """What the engine may ask of the world."""

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Put `cards` into a random order, in place."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1."""


class Dice:
    """Chance from a generator that is handed in."""

    __slots__ = ("_random",)

    def __init__(self, rng: random.Random) -> None:
        self._random = rng

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Put `cards` into a random order, in place."""
        draw = self._random.random
        keys = [draw() for _ in cards]
        cards[:] = [cards[place] for place in sorted(range(len(keys)), key=keys.__getitem__)]

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1."""
        return self._random.randrange(bound)


class InOrder:
    """No chance at all: cards stay as they lie, the first place is taken. For case files, whose order is given."""

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Leave `cards` as they are."""

    def below(self, bound: int) -> int:
        """Always 0."""
        return 0


class Recorder:
    """Passes questions on to `source` and keeps every answer, for the log."""

    __slots__ = ("_source", "answers")

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.answers: list[Answer] = []

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Shuffle by the source; the order is kept."""
        self._source.shuffle(cards)
        self.answers.append(tuple(cards))

    def below(self, bound: int) -> int:
        """Ask the source; the number is kept."""
        number = self._source.below(bound)
        self.answers.append(number)
        return number


class ScriptError(ValueError):
    """A recorded answer does not fit the question asked: the log was made by other rules."""


class Script:
    """Gives recorded answers again, one by one. Raises `ScriptError` where they do not fit the questions."""

    __slots__ = ("_answers", "_at")

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = answers
        self._at = 0

    def _next(self) -> Answer:
        if self._at >= len(self._answers):
            raise ScriptError("the log holds no answer for this question of chance")
        self._at += 1
        return self._answers[self._at - 1]

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Put `cards` into the recorded order."""
        answer = self._next()
        if not isinstance(answer, tuple) or sorted(answer) != sorted(cards):
            raise ScriptError("the shuffle in the log is of other cards")
        cards[:] = answer

    def below(self, bound: int) -> int:
        """The recorded number."""
        answer = self._next()
        if not isinstance(answer, int) or not 0 <= answer < bound:
            raise ScriptError(f"the number in the log is not one of 0 to {bound - 1}")
        return answer
