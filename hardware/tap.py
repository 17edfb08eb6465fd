"""Listening in on a launcher: every edge of its inputs and every word to its motor, with their times, as they happen.

For whoever measures a machine or keeps its traces. A tap is called from the edge thread and from the launcher thread:
it only enqueues and never raises. What is listened to is not changed by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.arbiter import MotorOutputs
from hardware.clock import Clock
from hardware.sensors import Edge
from hardware.shot_machine import Drive


@dataclass(frozen=True, slots=True)
class Motion:
    """What the motor's driver is told from `at` on (seconds on the clock): its three inputs."""

    at: float
    enable: bool
    in1: bool
    in2: bool

    @property
    def forward(self) -> bool:
        """It moves cards out."""
        return (self.enable, self.in1, self.in2) == Drive.FORWARD.value


Tapped = Edge | Motion
Tap = Callable[[Tapped], None]


class TappedOutputs:
    """Motor outputs that tell a tap of every change, after it was made."""

    def __init__(self, outputs: MotorOutputs, clock: Clock, tap: Tap) -> None:
        self._outputs = outputs
        self._clock = clock
        self._tap = tap
        self._enable, self._in1, self._in2 = False, False, False

    def enable(self, high: bool) -> None:
        """See `hardware.arbiter.MotorOutputs`."""
        self._outputs.enable(high)
        self._enable = high
        self._tell()

    def bridge(self, in1: bool, in2: bool) -> None:
        """See `hardware.arbiter.MotorOutputs`."""
        self._outputs.bridge(in1, in2)
        self._in1, self._in2 = in1, in2
        self._tell()

    def _tell(self) -> None:
        self._tap(Motion(self._clock.now(), self._enable, self._in1, self._in2))
