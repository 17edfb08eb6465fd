"""The arbiter: the only owner of the motor's outputs. Whatever it was not expressly allowed, it denies.

It lives in the launcher thread; `trip` alone may be called from any thread, and cuts before it does anything else. No
clock of its own, no sensors, no shots: the time is handed in.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Protocol

from hardware.ports import Denial, Fault
from hardware.settings import DUTY_WINDOW_MS, LauncherSettings
from hardware.shot_machine import Drive

_ROUNDING = 1e-9  # seconds: not motor time
CLOSED_FAULT = Fault("closed", "the launcher is closed", "start the table again")


class MotorOutputs(Protocol):
    """The three output pins."""

    def enable(self, high: bool) -> None:
        """Set the driver's enable."""

    def bridge(self, in1: bool, in2: bool) -> None:
        """Set both inputs of the bridge."""


@dataclass(frozen=True, slots=True)
class Permit:
    """Enable may be high for shot `shot` until `expires_at` (seconds on the clock), not longer."""

    shot: int
    granted_at: float
    expires_at: float


class NoPermit(RuntimeError):
    """The motor was to be driven without a permit: a mistake in this program, refused."""


class Arbiter:
    """Permits that expire, rest between shots, the motor's time in any minute, latched faults."""

    def __init__(self, outputs: MotorOutputs, settings: LauncherSettings) -> None:
        self._out = outputs
        self._settings = settings
        self._guard = threading.Lock()  # held for a few assignments only, never around a pin or a listener
        self._blocked = True  # set before any cut, so that a raise under way in another thread takes itself back
        self._fault: Fault | None = None
        self._permit: Permit | None = None
        self._on_since: float | None = None
        self._spent = 0.0  # seconds the motor was on in the shot that had the last permit
        self._used: deque[tuple[float, float]] = deque()  # when the motor was on, within the duty window
        self._rest_until = float("-inf")

    # --- what stands -------------------------------------------------------------------------------------------

    @property
    def fault(self) -> Fault | None:
        """The latched fault."""
        return self._fault

    @property
    def permit(self) -> Permit | None:
        """The permit that stands."""
        return self._permit

    @property
    def is_on(self) -> bool:
        """Enable is high."""
        return self._on_since is not None

    @property
    def rest_until(self) -> float:
        """When the rest after the last shot is over."""
        return self._rest_until

    def judge(self, now: float) -> Denial | None:
        """Why a new shot would not be permitted, judged for the longest one the odds can bring; None = it would."""
        fault = self._fault
        if fault is not None or self._blocked:
            return Denial("fault", fault.cause if fault else "the launcher is not ready yet")
        if self._permit is not None:
            return Denial("firing", "the launcher is firing")
        if now < self._rest_until:
            left = self._rest_until - now
            return Denial("too-fast", f"the motor rests for another {left * 1000:.0f} ms", left)
        left = self.cool_at(now) - now
        if left > 0:
            used = self.used(now)
            return Denial(
                "too-fast", f"the motor ran {used:.1f} s in the last minute and must cool down for {left:.1f} s", left
            )
        return None

    def cool_at(self, now: float) -> float:
        """When the motor has enough of its minute's time left for any shot: `now`, or later. From any thread."""
        start = now - DUTY_WINDOW_MS / 1000
        excess = self.used(now) - (self._settings.duty_ms - self._settings.reserve_ms) / 1000
        for on, off in tuple(self._used):
            if excess <= _ROUNDING:
                break
            counted_from = max(on, start)
            gone = min(excess, max(0.0, off - counted_from))
            excess -= gone
            if excess <= _ROUNDING:
                return counted_from + gone + DUTY_WINDOW_MS / 1000
        return now

    def left(self, now: float) -> float:
        """Seconds the motor may still be on from now, by the minute's budget. From any thread."""
        return max(0.0, self._settings.duty_ms / 1000 - self.used(now))

    def used(self, now: float) -> float:
        """Seconds the motor was on within the last minute; callable from any thread."""
        start = now - DUTY_WINDOW_MS / 1000
        return sum(max(0.0, off - max(on, start)) for on, off in tuple(self._used))

    # --- what the launcher thread does ---------------------------------------------------------------------------

    def open(self) -> None:
        """Everything low; from now on permits may be granted."""
        self._low()
        with self._guard:
            self._blocked = self._fault is not None

    def grant(self, shot: int, cards: int, now: float) -> Permit | Denial:
        """A permit for a new shot, for its whole motor time."""
        denial = self.judge(now)
        if denial is not None:
            return denial
        self._spent = 0.0
        self._permit = Permit(shot, now, now + min(self._settings.on_ms(cards) / 1000, self.left(now)))
        return self._permit

    def grant_again(self, shot: int, cards: int, now: float) -> Permit | Denial:
        """A permit for the second try of the shot that had the last one: only for what is left of its motor time."""
        if self._blocked or self._permit is not None or now < self._rest_until:
            return self.judge(now) or Denial("firing", "the launcher is firing")
        left = min(self._settings.on_ms(cards) / 1000 - self._spent, self.left(now))
        if left <= 0:
            return Denial("too-fast", "this shot's motor time is used up")
        self._permit = Permit(shot, now, now + left)
        return self._permit

    def drive(self, drive: Drive, now: float) -> None:
        """Set the outputs; anything but OFF needs a permit that has not expired, else `NoPermit` (and all is low)."""
        enable, in1, in2 = drive.value
        if not enable:
            self.release(now)
            return
        permit = self._permit
        if permit is None or now >= permit.expires_at or self._blocked:
            self.release(now)
            if self._fault is None:
                raise NoPermit(f"{drive.name} without a permit")
            return
        self._out.bridge(in1, in2)
        if self._on_since is None:
            self._on_since = now
            self._out.enable(True)
        if self._is_blocked():  # tripped by another thread meanwhile, perhaps just before enable went up
            self.release(now)

    def release(self, now: float) -> None:
        """Motor off, the permit given back, the rest begins."""
        self._low()
        self._permit = None
        if self._on_since is not None:
            self._book(self._on_since, now)
            self._on_since = None

    def rest(self, now: float) -> None:
        """Rest as after a shot (a dry one rests alike)."""
        self._rest_until = now + self._settings.rest_ms / 1000

    def expire(self, now: float) -> bool:
        """Cut the motor when its permit is over. True when that had to be done."""
        permit = self._permit
        if permit is None or now < permit.expires_at:
            return False
        was_on = self.is_on
        self.release(now)
        return was_on

    # --- faults --------------------------------------------------------------------------------------------------

    def trip(self, fault: Fault) -> None:
        """Motor off at once, then latch `fault` (the first one stays). From any thread; takes no lock before the cut.

        The permit is not touched here: the launcher thread gives it back when it books the motor's time.
        """
        self._blocked = True
        try:
            self._low()
        finally:
            with self._guard:
                self._blocked = True
                if self._fault is None:
                    self._fault = fault
        self._low()  # again: a clear in another thread may have let enable up between the two

    def clear(self, fault: Fault) -> bool:
        """Unlatch exactly this fault; False when another one has taken its place, or the motor is not booked off."""
        with self._guard:
            if self._fault is not fault or self._permit is not None or self._on_since is not None:
                return False
            self._fault = None
            self._blocked = False
            return True

    def _is_blocked(self) -> bool:
        return self._blocked

    def _low(self) -> None:
        # Enable first: it alone stops the motor.
        try:
            self._out.enable(False)
        finally:
            self._out.bridge(False, False)

    def _book(self, on: float, off: float) -> None:
        start = off - DUTY_WINDOW_MS / 1000
        while self._used and self._used[0][1] <= start:
            self._used.popleft()
        self._used.append((on, off))
        self._spent += off - on
        self.rest(off)
