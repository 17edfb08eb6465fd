"""The mechanics of the simulated launcher: a motor with inertia and the cards it expels. Pure: no pins, no threads.

Distances are seconds of the motor at full speed. The figures follow what is known of the toy: a card every 60-120 ms,
each some 43 ms at the beam.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final


@dataclass(frozen=True, slots=True)
class Physics:
    """The figures of one machine, in milliseconds unless said otherwise."""

    interval_ms: tuple[float, float] = (60.0, 120.0)  # from one card's front to the next one's, at full speed
    card_ms: float = 43.0  # one card at the beam
    card_jitter: float = 0.05  # share of card_ms, either way
    spin_up_ms: float = 60.0  # standstill to full speed
    brake_ms: float = 12.0  # full speed to standstill with both bridge inputs high
    coast_ms: float = 120.0  # the same with the driver off


class Motor:
    """Speed between -1 (full reverse) and 1 (full forward), changing evenly towards a target."""

    def __init__(self) -> None:
        self.speed = 0.0
        self._target = 0.0
        self._rate = 0.0  # change of speed in one second, without its sign

    def aim(self, target: float, full_change_ms: float) -> None:
        """Go for `target`; a change by 1 takes `full_change_ms`."""
        self._target = target
        self._rate = 1000.0 / full_change_ms

    def run(self, seconds: float) -> float:
        """Let time pass; the distance gone (negative backwards)."""
        whole, slope = self._ramp(), self._slope()
        ramp = min(seconds, whole)
        distance = self.speed * ramp + slope * ramp * ramp / 2
        self.speed = self._target if seconds >= whole else self.speed + slope * ramp
        return distance + self._target * (seconds - ramp)

    def reach(self, distance: float, way: int = 1) -> float | None:
        """Seconds until `distance` is gone, forward (way 1) or backwards (way -1); None if never."""
        if distance <= 0:
            return 0.0
        speed, target = way * self.speed, way * self._target
        ramp, slope = self._ramp(), way * self._slope()
        root = speed**2 + 2 * slope * distance
        if slope and root >= 0:
            # v t + s t^2 / 2 = d; of two roots (slowing down) the first one after now is the way there
            bend = sqrt(root)
            for time in sorted(((-speed + bend) / slope, (-speed - bend) / slope)):
                if 0 <= time <= ramp:
                    return time
        if target <= 0:
            return None
        return ramp + (distance - speed * ramp - slope * ramp * ramp / 2) / target

    def _slope(self) -> float:
        if self._target == self.speed:
            return 0.0
        return self._rate if self._target > self.speed else -self._rate

    def _ramp(self) -> float:
        return abs(self._target - self.speed) / self._rate if self._rate else 0.0


PULLED_BACK: Final = 0.02  # so much reverse frees a softly stuck card


@dataclass(slots=True)
class Faults:
    """What has been asked to go wrong with the next cards."""

    doubles: int = 0  # so many of the next cards come in pairs
    overlap: float | None = None  # of those pairs, as a share of a card; None = drawn evenly from 0.1 to 0.85
    slips: int = 0  # so many cards' worth of turning moves nothing
    jam: str = ""  # "soft": the next card sticks until pulled back; "hard": until a person frees it


class Machine:
    """Hopper, motor and exit: what happens to cards while the motor turns. Times are seconds on the caller's clock."""

    def __init__(self, physics: Physics, chance: Random, hopper: int, now: float) -> None:
        self.physics = physics
        self.motor = Motor()
        self.faults = Faults()
        self.hopper = hopper
        self.out = 0  # cards that have left for good: the truth a count is compared with
        self.stuck = ""  # the kind of jam that holds a card in the beam
        self._chance = chance
        self._now = now
        self._clear_at: float | None = None  # when the card in the beam has passed
        self._ahead = self._interval()  # distance to the next card's front reaching the beam
        self._back = 0.0  # reverse gone since the jam

    @property
    def blocked(self) -> bool:
        """Something is in the beam."""
        return self._clear_at is not None or bool(self.stuck)

    def drive(self, enable: bool, in1: bool, in2: bool) -> None:
        """The driver's inputs have changed (call `run` up to that moment before)."""
        physics = self.physics
        if not enable or not (in1 or in2):
            self.motor.aim(0.0, physics.coast_ms)
        elif in1 and in2:
            self.motor.aim(0.0, physics.brake_ms)
        else:
            self.motor.aim(1.0 if in1 else -1.0, physics.spin_up_ms)

    def run(self, now: float) -> None:
        """Let time pass until `now`; never past `next_event`."""
        gone = self.motor.run(max(0.0, now - self._now))
        self._now = now
        if self._clear_at is not None and now >= self._clear_at:
            self._clear_at = None
        if self.stuck:
            self._back += max(0.0, -gone)
            if self.stuck == "soft" and self._back >= PULLED_BACK - 1e-9:
                self.free()
            return
        if gone < 0:
            self._ahead = min(self._ahead - gone, self.physics.interval_ms[1] / 1000)
            return
        self._ahead -= gone
        if self._ahead <= 1e-9:
            self._front()

    def next_event(self) -> float | None:
        """When something next happens by itself; None while all is still."""
        waits: list[float | None] = []
        if self.stuck == "soft":
            waits.append(self.motor.reach(PULLED_BACK - self._back, way=-1))
        elif not self.stuck and self.hopper > 0:
            waits.append(self.motor.reach(self._ahead))
        times = [self._now + wait for wait in waits if wait is not None]
        if self._clear_at is not None:
            times.append(self._clear_at)
        return min(times) if times else None

    def free(self) -> None:
        """The stuck card goes back where it came from."""
        self.stuck = ""
        self._ahead = self._interval()

    def _front(self) -> None:
        """The next card's front has come to the beam."""
        faults, physics = self.faults, self.physics
        self._ahead = self._interval()
        if faults.slips > 0:
            faults.slips -= 1
            return
        if self.hopper <= 0:
            return
        if faults.jam:
            self.stuck, faults.jam, self._back = faults.jam, "", 0.0
            return
        card = physics.card_ms * (1 + self._chance.uniform(-physics.card_jitter, physics.card_jitter)) / 1000
        cards, time = 1, card
        if faults.doubles > 0 and self.hopper >= 2:
            faults.doubles -= 1
            overlap = self._chance.uniform(0.1, 0.85) if faults.overlap is None else faults.overlap
            cards, time = 2, card * (2 - overlap)
            self._ahead += time - card  # the roller takes the next one when the pair has left it
        self.hopper -= cards
        self.out += cards
        self._clear_at = max(self._clear_at or 0.0, self._now + time)

    def _interval(self) -> float:
        return self._chance.uniform(*self.physics.interval_ms) / 1000
