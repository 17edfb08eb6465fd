"""The UNO button: from a pin's edges to `ButtonPressed` and `ButtonReleased`. The pin itself is claimed elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hardware.clock import Clock
from hardware.debounce import Debouncer
from hardware.ports import ButtonPressed, ButtonReleased, HardwareEvent


class Button:
    """A press is told from the edge's own thread, at once; a release from a worker, when the contact is quiet."""

    NAME = "button"

    def __init__(
        self, clock: Clock, lockout_ms: int, level: Callable[[], bool], tell: Callable[[HardwareEvent], None]
    ) -> None:
        """`level` reads whether the button is down now; `tell` must not raise."""
        self._clock = clock
        self._level = level
        self._tell = tell
        self._guard = threading.Lock()
        self._debouncer = Debouncer(lockout_ms / 1000)
        self._worker = clock.worker(self.NAME, self._settle)

    def start(self) -> None:
        """Take the level as it is (a button held down at start is not a press) and begin."""
        self._debouncer.down = self._level()
        if self._debouncer.down:
            self._debouncer.due = self._clock.now()
        self._worker.start()

    def stop(self) -> None:
        """End."""
        self._worker.stop()

    def edge(self, at: float, down: bool) -> None:
        """The pin changed. Called from the edge thread."""
        with self._guard:
            asleep = self._debouncer.due is None
            press = self._debouncer.edge(at, down)
            wake = asleep and self._debouncer.due is not None
        if press:
            self._tell(ButtonPressed(at))
        if wake:
            self._worker.post(True)

    def _settle(self, item: bool | None) -> float | None:
        del item  # only there to wake us
        now, down = self._clock.now(), self._level()
        with self._guard:
            released = self._debouncer.settle(now, down)
            due, at = self._debouncer.due, self._debouncer.last_edge
        if released:
            self._tell(ButtonReleased(at))
        return due
