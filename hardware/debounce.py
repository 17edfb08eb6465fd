"""Debouncing of the UNO button: pure, with the time handed in. Pins and threads are elsewhere."""

from __future__ import annotations


class Debouncer:
    """Takes the first edge of a press at once and asks a release to be quiet for `lockout` seconds.

    So a press costs no latency, and neither a bouncing press, a chattering held button nor a bouncing release can
    make a second one: the next press counts only after a release that was quiet.
    """

    def __init__(self, lockout: float, down: bool = False) -> None:
        self._lockout = lockout
        self.down = down
        self.last_edge = 0.0
        self.due: float | None = None  # when `settle` wants to be called with the level of that moment

    def edge(self, at: float, down: bool) -> bool:
        """The pin changed to `down` at `at`. True when this is a press."""
        self.last_edge = at
        # Down again without any edge up in between: that edge was lost, so this is a press all the same.
        if down and (not self.down or self.due is None):
            self.down = True
            return True
        if self.down:
            self.due = at + self._lockout
        return False

    def settle(self, now: float, down: bool) -> bool:
        """The level is `down` now, and `due` may have come. True when this is a release."""
        if self.due is None or now < self.due:
            return False
        self.due = None
        if down or not self.down:
            return False
        self.down = False
        return True
