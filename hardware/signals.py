"""The button's lamp: which pattern says what, and who blinks it. Never in the way of a shot: a failure ends here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from hardware.clock import Clock
from hardware.ports import LampState

log = logging.getLogger("hardware.signals")

# Seconds lit, dark, lit, ... over and over; no entry: steady. Steady is also the cheapest: nobody wakes up for it.
PATTERNS: Final[dict[LampState, tuple[float, ...]]] = {
    LampState.YOUR_TURN: (0.15, 1.85),
    LampState.PRESSED: (0.08, 0.08),
    LampState.FAULT: (0.15, 0.15, 0.15, 0.75),
}
STEADY_LIT: Final = (LampState.PRESS_NOW, LampState.FIRING)


class Lamp:
    """Shows a `LampState` on one output. Every change to PRESSED starts with an edge, whatever was shown before."""

    NAME = "lamp"

    def __init__(self, clock: Clock, write: Callable[[bool], None]) -> None:
        self._clock = clock
        self._write = write
        self._guard = threading.Lock()
        self._state = LampState.OFF
        self._lit = False
        self._place = 0
        self._due: float | None = None
        self._stopped = False
        self._worker = clock.worker(self.NAME, self._blink)

    def start(self) -> None:
        """Begin, dark."""
        self._worker.start()

    def stop(self) -> None:
        """Dark, and end."""
        self.lamp(LampState.OFF)
        with self._guard:
            self._stopped = True  # whoever still wants to show something comes too late, and that is fine
        self._worker.stop()

    def lamp(self, state: LampState) -> None:
        """Show `state`: the first level at once from the caller's thread, the rest of the pattern from the worker."""
        with self._guard:
            if state is self._state or self._stopped:
                return
            self._state = state
            pattern = PATTERNS.get(state)
            if pattern is None:
                self._show(state in STEADY_LIT)
                self._due = None
                return
            # The pattern begins lit, or dark where the lamp was lit, so that the change is seen.
            self._place = 1 if self._lit else 0
            self._show(self._place == 0)
            self._due = self._clock.now() + pattern[self._place]
        self._worker.post(True)

    def _blink(self, item: bool | None) -> float | None:
        del item  # only there to wake us
        with self._guard:
            pattern = PATTERNS.get(self._state)
            if self._due is None or pattern is None:
                return None
            if self._clock.now() >= self._due:
                self._place = (self._place + 1) % len(pattern)
                self._show(self._place % 2 == 0)
                self._due += pattern[self._place]
            return self._due

    def _show(self, lit: bool) -> None:
        self._lit = lit
        try:
            self._write(lit)
        except Exception:
            log.exception("the lamp could not be set")
