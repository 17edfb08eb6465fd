"""Counts cards from the time they block the exit beam, and says how sure it is. Pure: times are handed in, no pins.

An edge alone counts nothing: overlapping cards make one long block, and a loose wire makes many short ones. With one
beam a block is compared with the time one card takes (`CardTime`), with two it has a speed, a length and a direction.

What no beam sees: of two cards that lie on each other by more than 85 % (with two beams 97 %), one.
"""

from __future__ import annotations

from collections import deque
from math import sqrt
from statistics import fmean, median_low
from typing import Final, NamedTuple

from hardware.ports import Certainty

# As shares of one card: of its time at one beam, of its length between two.
NOISE: Final = 0.3  # shorter is no card
SHORT: Final = 0.7  # shorter is a card, or a finger: counted, but not surely
WHOLE: Final = 0.93  # two shorter blocks close together may be one card at which the beam flickered
CLOSE: Final = 0.5  # so close
PAIR: Final = 1.15  # two cards that overlap by 85 %, the closest that one beam must tell from one
TWO: Final = 2.1  # longer is more than two cards, or a slow one
SPREAD: Final = 0.05  # cards at one speed differ by so much, either way
LENGTH_SPREAD: Final = 0.025  # lengths between two beams differ by so much
FLICKER: Final = 0.003  # seconds; a gap shorter than this is inside one card, not between two

TRUST: Final = 0.03  # a calibrated time is right by so much until cards have shown what is
CHANGED: Final = 0.15  # but before that, a block that long may still be one card, of a machine that has become slower
RECENT: Final = 40  # blocks a card's time is learned from
ENOUGH: Final = 8  # so many of them are believed rather than the calibration
FAR: Final = 0.25  # so far from its calibration a time is not learned any more: somebody must look

_ORDER: Final = (Certainty.EXACT, Certainty.AT_LEAST, Certainty.UNKNOWN)


class CardTime:
    """How long one card blocks the beam: as calibrated at first, then as the cards themselves show it.

    A motor slows down as its cells do, and with one beam a slow card looks like two. So the middle of the last blocks
    (most cards come alone) is taken for one card, within `FAR` of the calibration. Lives from shot to shot.
    """

    def __init__(self, card_ms: float) -> None:
        self._calibrated = card_ms / 1000
        self._recent: deque[float] = deque(maxlen=RECENT)
        self.seconds = self._calibrated
        self.least = self.most = 0.0  # bounds of the true time, as shares of `seconds`
        self.known = True  # False: the blocks agree on nothing, or on something far from the calibration
        self._learn()

    def saw(self, blocked: float) -> None:
        """Something blocked the beam for so long, most likely one card."""
        if 0.5 <= blocked / self.seconds <= TWO:
            self._recent.append(blocked)
            self._learn()

    def forget(self, blocked: float) -> None:
        """What was seen last was only a part of a block."""
        if self._recent and self._recent[-1] == blocked:
            self._recent.pop()
            self._learn()

    def judge(self, blocked: float) -> tuple[int, Certainty]:
        """How many cards one block of `blocked` seconds was."""
        share = blocked / self.seconds
        if share < NOISE:
            return 0, Certainty.EXACT
        if share < SHORT:
            return 1, Certainty.UNKNOWN
        if share > TWO:
            return int(share + 0.1), Certainty.UNKNOWN  # or one that was held up
        sure = Certainty.EXACT if self.known else Certainty.UNKNOWN
        if share > (1 + SPREAD) * self.most:
            return 2, sure
        # Not longer than the shortest pair: one. Else it may be either.
        return 1, sure if share < PAIR * (1 - SPREAD) * self.least else max(sure, Certainty.AT_LEAST, key=_ORDER.index)

    def alike(self, one: float, other: float) -> bool:
        """Both may be single cards at one speed."""
        return max(one, other) <= min(one, other) * (1 + SPREAD) / (1 - SPREAD)

    def _learn(self) -> None:
        recent = self._recent
        if len(recent) < ENOUGH:
            self.seconds, self.least, self.most, self.known = self._calibrated, 1 - TRUST, 1 + CHANGED, True
            return
        middle = median_low(recent)  # one of them, so that there is always a time to learn
        singles = [each for each in recent if abs(each / middle - 1) <= SPREAD * 1.5]
        time = fmean(singles)
        self.known = 2 * len(singles) > len(recent) and abs(time / self._calibrated - 1) <= FAR
        error = 3 * SPREAD / sqrt(3 * len(singles))  # of the mean of an even spread, three times its deviation
        self.seconds, self.least, self.most = time, 1 - error, 1 + error


class _Past(NamedTuple):
    """The block before, and the count without it: taken back when that block turns out to go on."""

    start: float
    end: float
    front2: float | None
    cards: int = 0
    certainty: Certainty = Certainty.EXACT


_NOTHING: Final = _Past(float("-inf"), float("-inf"), None)


class BeamCounter:
    """The count of one shot at one beam, or at two. Times are seconds of one monotonic clock.

    `gap`: from the first beam to the second as a share of a card's length, None = there is no second one.
    """

    def __init__(self, card: CardTime, at: float = 0.0, gap: float | None = None) -> None:
        self._card = card
        self._gap = gap
        self.cards = 0
        self.certainty = Certainty.EXACT
        self.blocked_since: float | None = None
        self.last_change = at  # the last moment anything was seen to happen at the first beam
        self._stuck = False
        self._past = _NOTHING
        self._front2: float | None = None  # when what is in the first beam came into the second
        self._left2 = False  # and has left it again: it goes backwards
        self._pairs: list[float] = []  # blocks that were taken for two cards, as long as no other came
        self._singles = 0

    def block(self, at: float) -> None:
        """Something has come into the first beam."""
        if self.blocked_since is not None:
            return
        past = self._past
        if at - past.end < FLICKER:
            # What was there has not left yet after all: take its count back and go on with its block.
            self._take_back(past)
        else:
            self.blocked_since, self._front2 = at, None
        self._left2 = False
        self.last_change = at

    def clear(self, at: float, backwards: bool = False) -> None:
        """The first beam is free again; `backwards` says that the motor was pulling back."""
        since = self.blocked_since
        if since is None:
            return
        self.blocked_since = None
        self.last_change = at
        if not self._stuck and not backwards:
            since = self._join(since, at)
        self._past = _Past(since, at, self._front2, self.cards, self.certainty)
        found, sure = self._judge(at - since, backwards)
        self.cards += found
        self.doubt(sure)
        self._stuck = False

    def block2(self, at: float) -> None:
        """Something has come into the second beam."""
        if self.blocked_since is not None:
            self._left2 = False
            if self._front2 is None:
                self._front2 = at

    def clear2(self, at: float) -> None:
        """The second beam is free again."""
        del at
        # Before that comes the end of the card at the first beam, unless it goes back.
        self._left2 = self.blocked_since is not None and self._front2 is not None

    def stuck(self) -> None:
        """What is in the beam now is stuck: its time says nothing about how many cards it is."""
        self._stuck = self.blocked_since is not None
        self.doubt(Certainty.AT_LEAST)

    def doubt(self, at_best: Certainty) -> None:
        """The count is no surer than `at_best`."""
        if _ORDER.index(at_best) > _ORDER.index(self.certainty):
            self.certainty = at_best

    def _take_back(self, past: _Past) -> None:
        self._card.forget(past.end - past.start)
        self.cards, self.certainty = past.cards, past.certainty
        self.blocked_since, self._front2 = past.start, past.front2

    def _join(self, since: float, at: float) -> float:
        """When the block that ends now began: with the one before, if both are too short for cards and make one."""
        past, card = self._past, self._card.seconds
        short = WHOLE * card
        if since - past.end > CLOSE * card or at - since >= short or past.end - past.start >= short:
            return since
        if at - past.start > (1 + SPREAD) * self._card.most * card:
            return since
        self._take_back(past)
        self.blocked_since = None
        return past.start

    def _judge(self, blocked: float, backwards: bool) -> tuple[int, Certainty]:
        if self._stuck:
            return (0 if backwards else 1), Certainty.AT_LEAST
        if self._gap is not None:
            return self._judge_length(blocked, self._gap, backwards)
        if backwards:
            # It may have been pulled back in or may just have made it; a whole card's time says it made it.
            return (1 if blocked >= SHORT * self._card.seconds else 0), Certainty.AT_LEAST
        found, sure = self._card.judge(blocked)
        self._card.saw(blocked)
        return found, self._suspect(blocked, found, sure)

    def _judge_length(self, blocked: float, gap: float, backwards: bool) -> tuple[int, Certainty]:
        since, front2 = self._past.start, self._front2
        if self._left2:
            return 0, Certainty.EXACT if backwards else Certainty.AT_LEAST  # it was out so far, and went back
        if front2 is None:
            if backwards or blocked < SHORT * self._card.seconds:
                return 0, Certainty.EXACT  # it never came as far as the second beam
            return self._card.judge(blocked)[0], Certainty.UNKNOWN
        length = blocked * gap / max(front2 - since, 1e-6)
        if length < SHORT:
            return 1, Certainty.UNKNOWN
        if length <= 1 + LENGTH_SPREAD:
            return 1, Certainty.EXACT
        if length <= TWO:
            return 2, Certainty.EXACT
        return int(length + 0.9), Certainty.AT_LEAST

    def _suspect(self, blocked: float, found: int, sure: Certainty) -> Certainty:
        """Doubt a shot in which all that came looks like pairs, and like each other: rather these are slow cards."""
        if found == 1:
            self._singles += 1
        elif found == 2 and not self._singles:
            self._pairs.append(blocked)
            if len(self._pairs) > 1 and self._card.alike(min(self._pairs), max(self._pairs)):
                return Certainty.UNKNOWN
        return sure
