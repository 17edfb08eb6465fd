"""The watchdog: drops enable when the launcher's loop hangs with the motor on, or overruns its permit.

A worker of its own, outside the control loop. While the motor is off it sleeps without any timeout.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final

from hardware.clock import Clock
from hardware.ports import Fault

log = logging.getLogger("hardware.watchdog")

OVERRUN: Final = 0.05  # seconds past the permit's end that the loop itself has to act

Follower = Callable[[bool], Fault | None]
"""Somebody else who watches the loop. Told True before enable rises and at every look while the motor is on, False
when it is off; always from the launcher's loop. Returns at once, with a fault when it cannot follow; never raises."""


class Watchdog:
    """Told when the motor goes on (`arm`) and off (`disarm`), and fed by `beat`, all from the launcher's loop."""

    NAME = "watchdog"

    def __init__(
        self, clock: Clock, limit_ms: int, bite: Callable[[Fault], None], followers: Sequence[Follower] = ()
    ) -> None:
        self._clock = clock
        self._limit = limit_ms / 1000
        self._bite = bite
        self._followers = followers
        self._armed = False
        self._on = False  # armed, or has bitten and was not told yet that the motor is off
        self._following = False
        self._last = 0.0
        self._until = 0.0
        self._worker = clock.worker(self.NAME, self._look)
        self.fault = Fault(
            "watchdog",
            f"the launcher's loop hung with the motor on (no tick for {limit_ms} ms, or beyond its permit)",
            "look at the log and restart the table",
        )

    def start(self) -> None:
        """Begin to watch."""
        self._worker.start()

    def stop(self) -> None:
        """End."""
        self._armed = False
        self._worker.stop()

    def arm(self, now: float, until: float) -> Fault | None:
        """The motor goes on, with a permit `until`: from now on beats are expected. Call it before enable rises.

        A fault: somebody does not follow, and the motor must not go on.
        """
        self._last = now
        self._until = until
        self._on = True
        if not self._armed:
            self._armed = True
            self._worker.post(True)
        return self._tell(True)

    def disarm(self) -> None:
        """The motor is off."""
        self._armed = self._on = False
        if self._following:
            self._tell(False)

    def missed(self, now: float) -> bool:
        """Whether the loop, which has come round only `now`, is too late with the motor on. Ask before `beat`.

        True also where the watchdog itself has not bitten: a process that stood still wakes in any order.
        """
        return self._on and now >= self._due

    def beat(self, now: float) -> Fault | None:
        """The loop has ticked. A fault: with the motor on, somebody no longer follows."""
        self._last = now
        return self._tell(True) if self._armed else None

    def _tell(self, on: bool) -> Fault | None:
        self._following = on
        first: Fault | None = None
        for follow in self._followers:
            try:
                fault = follow(on)
            except Exception as problem:
                log.exception("a follower failed")
                fault = Fault("watcher-failed", f"what watches the motor failed: {problem}", "restart the table")
            first = first or fault
        return first

    @property
    def _due(self) -> float:
        return min(self._last + self._limit, self._until + OVERRUN)

    def _look(self, item: bool | None) -> float | None:
        del item  # only there to wake us
        if not self._armed:
            return None
        due = self._due
        if self._clock.now() < due:
            return due
        self._armed = False
        self._bite(self.fault)
        return None
