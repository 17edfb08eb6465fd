"""Counts cards from the time they block the exit beam, and says how sure it is. Pure: times are handed in, no pins.

An edge alone counts nothing: overlapping cards make one long block, and a loose wire makes many short ones.
"""

from __future__ import annotations

from typing import Final

from hardware.ports import Certainty

# As shares of the calibrated time of one card at the beam.
NOISE: Final = 0.3  # shorter is no card
SHORT: Final = 0.7  # shorter is a card, or a finger: counted, but not surely
ONE: Final = 1.07  # longer is more than one card: two that overlap by 85 %, at cards 5 % faster than calibrated
TWO: Final = 2.1  # longer is more than two cards, or a slow one
FLICKER: Final = 0.003  # seconds; a gap shorter than this is inside one card, not between two

_ORDER: Final = (Certainty.EXACT, Certainty.AT_LEAST, Certainty.UNKNOWN)


def cards_in(blocked: float, card: float) -> tuple[int, Certainty]:
    """How many cards one block of `blocked` seconds was, `card` being the calibrated time of one."""
    share = blocked / card
    if share < NOISE:
        return 0, Certainty.EXACT
    if share < SHORT:
        return 1, Certainty.UNKNOWN
    if share <= ONE:
        return 1, Certainty.EXACT
    if share <= TWO:
        return 2, Certainty.EXACT
    return int(share + 0.1), Certainty.AT_LEAST


class BeamCounter:
    """The count of one shot at one beam. Times are seconds of one monotonic clock."""

    def __init__(self, card_ms: float, at: float = 0.0) -> None:
        self._card = card_ms / 1000
        self.cards = 0
        self.certainty = Certainty.EXACT
        self.blocked_since: float | None = None
        self.last_change = at  # the last moment anything was seen to happen at the beam
        self._stuck = False
        self._before = (0.0, 0.0, 0, Certainty.EXACT)  # start and end of the last block, count and certainty before it

    def block(self, at: float) -> None:
        """Something has come into the beam."""
        if self.blocked_since is not None:
            return
        start, end, cards, certainty = self._before
        if at - end < FLICKER and end > 0.0:
            # The card before has not left yet after all: take its count back and go on with its block.
            self.cards, self.certainty, self.blocked_since = cards, certainty, start
        else:
            self.blocked_since = at
        self.last_change = at

    def clear(self, at: float, backwards: bool = False) -> None:
        """The beam is free again; `backwards` says that the motor was pulling back."""
        since = self.blocked_since
        if since is None:
            return
        self.blocked_since = None
        self.last_change = at
        self._before = (since, at, self.cards, self.certainty)
        found, sure = self._judge(at - since, backwards)
        self.cards += found
        self.doubt(sure)
        self._stuck = False

    def stuck(self) -> None:
        """What is in the beam now is stuck: its time says nothing about how many cards it is."""
        self._stuck = self.blocked_since is not None
        self.doubt(Certainty.AT_LEAST)

    def doubt(self, at_best: Certainty) -> None:
        """The count is no surer than `at_best`."""
        if _ORDER.index(at_best) > _ORDER.index(self.certainty):
            self.certainty = at_best

    def _judge(self, blocked: float, backwards: bool) -> tuple[int, Certainty]:
        if self._stuck:
            return (0 if backwards else 1), Certainty.AT_LEAST
        if backwards:
            # It may have been pulled back in or may just have made it; a whole card's time says it made it.
            return (1 if blocked >= SHORT * self._card else 0), Certainty.AT_LEAST
        return cards_in(blocked, self._card)
