"""The `alive` output: a square wave while the launcher's thread ticks with the motor on, for hardware that watches it.

A retriggerable one-shot that is fed by it and gates the driver's enable stops the motor even when the whole machine is
frozen, which no program on it can do. The wave begins with a rise before enable rises, has an edge at least every 50 ms
(`MotorLauncher.HEARTBEAT`), so a rise at least every 100 ms, and stands still, low, while the motor is off.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.ports import Fault


class AliveWave:
    """See `hardware.watchdog.Follower`."""

    def __init__(self, write: Callable[[bool], None]) -> None:
        """`write` sets the output."""
        self._write = write
        self._high = False

    def __call__(self, on: bool) -> Fault | None:
        """The next edge; low when the motor is off."""
        high = on and not self._high
        if high is not self._high:
            self._high = high
            self._write(high)
        return None
