"""Counts cards from the time they block the exit beam, and says how sure it is. Pure: times are handed in, no pins.

An edge alone counts nothing: overlapping cards make one long block, and a loose wire makes many short ones. With one
beam a block is compared with the time one card takes (`CardTime`), with two it has a speed, a length and a direction.

What no beam sees: of two cards that lie on each other by more than 85 % (with two beams 97 %), one.
"""

from __future__ import annotations

from collections import deque
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

from hardware.ports import Certainty

# As shares of one card: of its time at one beam, of its length between two.
NOISE: Final = 0.3  # shorter is no card
SHORT: Final = 0.7  # shorter is a card, or a finger: counted, but not surely
WHOLE: Final = 0.93  # shorter is a piece, of a card at which the beam flickered
CLOSE: Final = 0.5  # pieces that belong together are closer
PAIR: Final = 1.15  # two cards that overlap by 85 %, the closest that one beam must tell from one
TWO: Final = 2.1  # longer is more than two cards, or a slow one
SPREAD: Final = 0.05  # cards at one speed differ by so much at least, either way
LENGTH_SPREAD: Final = 0.025  # lengths between two beams differ by so much
EARLIEST: Final = 0.4  # of the time from beam to beam: nothing is there sooner
FLICKER: Final = 0.003  # seconds; a gap shorter than this is inside one card, not between two
SPARK: Final = 0.001  # seconds; a block shorter than this is nothing at all

TRUST: Final = 0.03  # a calibrated time is right by so much until cards have shown what is
CHANGED: Final = 0.15  # but before that, a block that long may still be one card, of a machine that has become slower
RECENT: Final = 80  # blocks a card's time is learned from
DRIFT: Final = 0.015  # what is learned lags behind cells that run down, and is never surer than that
ENOUGH: Final = 8  # so many of them are believed rather than the calibration
FAR: Final = 0.4  # so far from its calibration a time is not learned any more: somebody must look

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
        self.spread = SPREAD
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
        if share > (1 + self.spread) * self.most:
            return 2, sure
        # Not longer than the shortest pair: one. Else it may be either.
        return 1, sure if share < PAIR * (1 - self.spread) * self.least else _worse(sure, Certainty.AT_LEAST)

    @property
    def longest(self) -> float:
        """Seconds that one card may block the beam, as far as is known."""
        return self.seconds * self.most * (1 + self.spread)

    def alike(self, one: float, other: float) -> bool:
        """Both may be single cards at one speed."""
        return max(one, other) <= min(one, other) * (1 + self.spread) / (1 - self.spread)

    def _learn(self) -> None:
        recent = self._recent
        if len(recent) < ENOUGH:
            self.seconds, self.least, self.most, self.known = self._calibrated, 1 - TRUST, 1 + CHANGED, True
            self.spread = SPREAD
            return
        # Pairs are all on the long side: how cards differ is seen on the short one. One of them may be a piece.
        ranked = sorted(recent)
        middle = ranked[(len(ranked) - 1) // 2]  # one of them, so that there is always a time to learn
        below = 1 - ranked[1] / middle
        self.spread = SPREAD if below <= 1.25 * SPREAD else 1.1 * below
        singles = [each for each in ranked if abs(each / middle - 1) <= 1.5 * self.spread]
        time = fmean(singles)
        self.known = 2 * len(singles) > len(recent) and abs(time / self._calibrated - 1) <= FAR
        # Of the mean of an even spread, three times its deviation.
        error = max(DRIFT, 3 * self.spread / sqrt(3 * len(singles)))
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
        self._free2 = float("-inf")  # the last time the second beam was free
        self._pairs: list[float] = []  # blocks that were taken for two cards, as long as no other came
        self._singles = 0

    def block(self, at: float) -> None:
        """Something has come into the first beam."""
        if self.blocked_since is not None:
            return
        past = self._past = self._past._replace(front2=self._front2)  # which may have come after its end
        if at - past.end < FLICKER:
            # What was there has not left yet after all: take its count back and go on with its block.
            self._take_back()
            self.blocked_since = past.start
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
        pieces = (
            not self._stuck and (self._gap is not None or not backwards) and 0 < since - self._past.end < self._close
        )
        if pieces and self._is_one_thing(since, at):
            front2 = self._past.front2 or self._front2
            since = self._past.start
            self._take_back()
            self._front2, pieces = front2, False
        found, sure = self._judge(since, at, backwards)
        if pieces and self._is_torn(since, at):
            sure = _worse(sure, Certainty.AT_LEAST)
        self._past = _Past(since, at, self._front2, self.cards, self.certainty)
        self.cards += found
        self.doubt(sure)
        self._stuck = False

    def block2(self, at: float) -> None:
        """Something has come into the second beam."""
        past, since = self._past, self.blocked_since
        self._left2 = False
        if self._front2 is not None or self._gap is None or (since is None and at - past.end >= self._close):
            return
        # Where something has gone through before, a card cannot be there so soon: that is its end, flickering.
        if since is None or past.front2 is None or at - since >= EARLIEST * self._gap * self._card.seconds:
            self._front2 = at

    def clear2(self, at: float) -> None:
        """The second beam is free again."""
        self._free2 = at
        # The end of a card comes by the first beam before, unless it goes back.
        self._left2 = self.blocked_since is not None and self._front2 is not None

    def stuck(self) -> None:
        """What is in the beam now is stuck: its time says nothing about how many cards it is."""
        self._stuck = self.blocked_since is not None
        self.doubt(Certainty.AT_LEAST)

    def doubt(self, at_best: Certainty) -> None:
        """The count is no surer than `at_best`."""
        self.certainty = _worse(self.certainty, at_best)

    @property
    def _close(self) -> float:
        """Seconds between two pieces of one thing, at the most."""
        return CLOSE * self._card.seconds

    def _take_back(self) -> None:
        past = self._past
        self._card.forget(past.end - past.start)
        self.cards, self.certainty, self._front2 = past.cards, past.certainty, past.front2

    def _is_one_thing(self, since: float, at: float) -> bool:
        """The block that ends now and the one just before are pieces of one thing: alone each is too short for a card.

        With two beams: the first one is, at its speed, or the second beam saw no gap between them.
        """
        past, card = self._past, self._card
        if self._gap is None:
            short = WHOLE * card.seconds
            return past.end - past.start < short and at - since < short and at - past.start <= card.longest
        if past.front2 is None:
            return self._front2 is not None and WHOLE <= self._length(past.start, at, self._front2) <= TWO
        # Its end would have come by the second beam by now; a piece that never came there starts something new.
        one = self._front2 is None and self._free2 < past.front2 and at - past.end > past.front2 - past.start
        one = one or self._length(past.start, past.end, past.front2) < WHOLE
        return one and self._length(past.start, at, past.front2) <= TWO

    def _is_torn(self, since: float, at: float) -> bool:
        """A piece of something lies right before this block, or this is one: the beam flickered, perhaps in a pair."""
        pieces = (self._past.end - self._past.start, at - since)
        return any(SPARK < piece < NOISE * self._card.seconds for piece in pieces)

    def _judge(self, since: float, at: float, backwards: bool) -> tuple[int, Certainty]:
        blocked = at - since
        if self._stuck:
            return (0 if backwards else 1), Certainty.AT_LEAST
        if self._gap is not None:
            return self._judge_length(since, at, backwards)
        if backwards:
            # It may have been pulled back in or may just have made it; a whole card's time says it made it.
            return (1 if blocked >= SHORT * self._card.seconds else 0), Certainty.AT_LEAST
        found, sure = self._card.judge(blocked)
        self._card.saw(blocked)
        return found, self._suspect(blocked, found, sure)

    def _judge_length(self, since: float, at: float, backwards: bool) -> tuple[int, Certainty]:
        blocked, front2 = at - since, self._front2
        if backwards and self._left2:
            return 0, Certainty.EXACT  # it was out so far, and went back
        if front2 is None:
            if backwards or blocked < SHORT * self._card.seconds:
                return 0, Certainty.EXACT  # it never came as far as the second beam
            return self._card.judge(blocked)[0], Certainty.UNKNOWN
        length = self._length(since, at, front2)
        if length < WHOLE:
            return 1, Certainty.UNKNOWN
        if length <= 1 + LENGTH_SPREAD:
            self._card.saw(blocked)
            return 1, Certainty.EXACT
        if length <= TWO:
            return 2, Certainty.EXACT
        return int(length + 0.9), Certainty.AT_LEAST

    def _length(self, since: float, at: float, front2: float) -> float:
        """In cards, of what was in the first beam from `since` to `at` and in the second one from `front2` on."""
        return (at - since) * (self._gap or 1.0) / max(front2 - since, 1e-6)

    def _suspect(self, blocked: float, found: int, sure: Certainty) -> Certainty:
        """Doubt a shot in which all that came looks like pairs, and like each other: rather these are slow cards."""
        if found == 1:
            self._singles += 1
        elif found == 2 and not self._singles:
            self._pairs.append(blocked)
            if len(self._pairs) > 1 and self._card.alike(min(self._pairs), max(self._pairs)):
                return Certainty.UNKNOWN
        return sure


def _worse(one: Certainty, other: Certainty) -> Certainty:
    return max(one, other, key=_ORDER.index)
