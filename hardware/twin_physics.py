"""The mechanics of the simulated launcher: a motor with inertia and the cards it expels. Pure: no pins, no threads.

Distances are seconds of the motor at full speed. The figures follow what is known of the toy: a card every 60-120 ms,
each some 43 ms at the beam: 87 mm at 2 m/s.
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
    card_ms: float = 43.0  # one card at the beam, at full speed
    card_jitter: float = 0.05  # share of card_ms, either way
    spin_up_ms: float = 60.0  # standstill to full speed
    brake_ms: float = 12.0  # full speed to standstill with both bridge inputs high
    coast_ms: float = 120.0  # the same with the driver off
    double_share: float = 0.0  # of the cards: how many bring a second one along
    overlap: tuple[float, float] = (0.1, 0.85)  # of such a pair, as shares of a card, drawn evenly
    slow_share: float = 0.0  # of the cards: how many are held up on their way
    slow: tuple[float, float] = (1.1, 2.0)  # so much longer they take
    flicker_share: float = 0.0  # of the cards: at how many a beam looks free for a moment, each for itself
    flicker_ms: float = 2.0  # for so long
    light_share: float = 0.0  # so much longer is the interval of the last card of a pile than that of a full pile
    light_cards: int = 30  # from so many cards down, the pile presses less on the roller


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
LOOSE: Final = 0.005  # and so much a stiff roller
CARD_MM: Final = 87.0
BEAM_GAP_MM: Final = 25.0  # from the first beam to the second, on the way out
WEAKEST: Final = 0.3  # of full speed; weaker cells turn nothing

_Pass = tuple[float, float]  # from when until when something is in a beam


@dataclass(slots=True)
class Faults:
    """What has been asked to go wrong with the next cards."""

    doubles: int = 0  # so many of the next cards come in pairs
    double_share: float = 0.0  # of the cards: how many bring a second one along
    overlap: tuple[float, float] = (0.1, 0.85)  # of those pairs, as shares of a card, drawn evenly
    slips: int = 0  # so many cards' worth of turning moves nothing
    jam: str = ""  # "soft": the next card sticks until pulled back; "hard": until a person frees it
    stick_out: bool = False  # the next card stays lying in the exit
    flickers: int = 0  # so many of the next cards flicker in the beam
    stiff: bool = False  # forward does not turn the roller
    run_down: float = 0.0  # of full speed, lost with every second of the motor


class Machine:
    """Hopper, motor and exit: what happens to cards while the motor turns. Times are seconds on the caller's clock."""

    def __init__(self, physics: Physics, chance: Random, hopper: int, now: float) -> None:
        self.physics = physics
        self.motor = Motor()
        self.faults = Faults(double_share=physics.double_share, overlap=physics.overlap)
        self.hopper = hopper
        self.out = 0  # cards that have left for good: the truth a count is compared with
        self.closest = 0.0  # the largest overlap of a pair so far; who keeps score sets it back
        self.stuck = ""  # the kind of jam that holds a card in the first beam
        self.cells = 1.0  # of the full speed
        self._chance = chance
        self._now = now
        self._passes: tuple[list[_Pass], list[_Pass]] = ([], [])  # at each beam, what is in it or will be
        self._lying: tuple[float, float] | None = None  # a card lies in the exit: since when it is in each beam
        self.powered = False  # the driver turns the motor, one way or the other
        self._ahead = self._interval()  # distance to the next card's front reaching the beam
        self._back = 0.0  # reverse gone since the jam, or with a stiff roller
        self._held_until = now  # until then the motor makes no way

    @property
    def blocked(self) -> bool:
        """Something is in the beam."""
        return bool(self.stuck) or self._is_in(0)

    @property
    def blocked2(self) -> bool:
        """Something is in the second beam. A stuck card does not reach it."""
        return self._is_in(1)

    def hold(self, until: float) -> None:
        """The motor makes no way until then, or until it is driven anew; cards on their way out fly on."""
        self._held_until = until

    def fronts_at(self) -> float | None:
        """When the next card's front comes to the beam; None while none comes."""
        if self.stuck or self.hopper <= 0:
            return None
        wait = self.motor.reach(self._ahead)
        return None if wait is None else max(self._now, self._held_until) + wait

    def drive(self, enable: bool, in1: bool, in2: bool) -> None:
        """The driver's inputs have changed (call `run` up to that moment before)."""
        physics, motor = self.physics, self.motor
        self._held_until = self._now
        self.powered = enable and in1 is not in2
        if not self.powered:
            motor.aim(0.0, physics.brake_ms if enable and in1 else physics.coast_ms)
        elif in2:
            motor.aim(-self.cells, physics.spin_up_ms)
        else:
            if self.faults.stiff:
                self._back = 0.0
            motor.aim(0.0 if self.faults.stiff else self.cells, physics.spin_up_ms)

    def run(self, now: float) -> None:
        """Let time pass until `now`; never past `next_event`."""
        gone = self.motor.run(max(0.0, now - max(self._now, self._held_until)))
        if self.powered and self.faults.run_down:
            self.cells = max(WEAKEST, self.cells - self.faults.run_down * (now - self._now))
        self._now = now
        for passes in self._passes:
            passes[:] = [each for each in passes if each[1] > now]
        if gone < 0 and (self.stuck == "soft" or self.faults.stiff):
            self._back -= gone
            if self._back >= LOOSE - 1e-9:
                self.faults.stiff = False
            if self._back >= PULLED_BACK - 1e-9 and self.stuck:
                self.put_back()
                return
        if self.stuck:
            return
        if gone < 0:
            self._ahead = min(self._ahead - gone, self.physics.interval_ms[1] / 1000)
            return
        self._ahead -= gone
        if self._ahead <= 1e-9:
            self._front()

    def next_event(self) -> float | None:
        """When something next happens by itself; None while all is still."""
        waits = []
        if self.stuck == "soft" or self.faults.stiff:
            goal = LOOSE if self.faults.stiff else PULLED_BACK
            waits.append(self.motor.reach(goal - self._back, way=-1))
        now = self._now
        times = [now + wait for wait in waits if wait is not None]
        front = self.fronts_at()
        if front is not None:
            times.append(front)
        times += [at for passes in self._passes for each in passes for at in each if at > now]
        if self._lying is not None:
            times += [at for at in self._lying if at > now]
        return min(times, default=None)

    def free(self) -> None:
        """A person clears the exit: a stuck card goes back on the pile, one that lies in the exit is taken."""
        faults = self.faults
        faults.jam, faults.slips, faults.stiff, faults.stick_out = "", 0, False, False
        self._lying, self._back = None, 0.0
        if self.stuck:
            self.put_back()

    def put_back(self) -> None:
        """The stuck card goes back where it came from."""
        self.stuck, self._back = "", 0.0
        self._ahead = self._interval()

    def _is_in(self, beam: int) -> bool:
        now, lying = self._now, self._lying
        if lying is not None and now >= lying[beam]:
            return True
        return any(start <= now < end for start, end in self._passes[beam])

    def _front(self) -> None:
        """The next card's front has come to the beam."""
        faults = self.faults
        self._ahead = self._interval()
        if faults.slips > 0:
            faults.slips -= 1
            return
        if self.hopper <= 0:
            return
        if faults.jam:
            self.stuck, faults.jam, self._back = faults.jam, "", 0.0
            return
        jitter = self.physics.card_jitter
        card = self.physics.card_ms * (1 + self._chance.uniform(-jitter, jitter)) / self.cells / 1000
        if self.physics.slow_share and self._chance.random() < self.physics.slow_share:
            card *= self._chance.uniform(*self.physics.slow)
        cards, time = 1, card
        if self._comes_double():
            overlap = self._chance.uniform(*faults.overlap)
            self.closest = max(self.closest, overlap)
            cards, time = 2, card * (2 - overlap)
            self._ahead += (time - card) * self.cells  # the roller takes the next one when the pair has left it
        self.hopper -= cards
        self.out += cards
        self._pass(card, time)

    def _comes_double(self) -> bool:
        faults = self.faults
        if self.hopper < 2:
            return False
        if faults.doubles > 0:
            faults.doubles -= 1
            return True
        # No draw where there is no chance, so that a machine without doubles takes the same cards as ever.
        return bool(faults.double_share) and self._chance.random() < faults.double_share

    def _asked_to_flicker(self) -> bool:
        asked = self.faults.flickers > 0
        self.faults.flickers -= asked
        return asked

    def _flickers(self) -> bool:
        share = self.physics.flicker_share
        return bool(share) and self._chance.random() < share

    def _pass(self, card: float, time: float) -> None:
        """Something passes whose whole length takes `time`, at the speed at which one card takes `card`."""
        now, lag = self._now, card * BEAM_GAP_MM / CARD_MM
        if self._lying is not None:  # it is pushed out, and is in the beams until then
            for passes, since in zip(self._passes, self._lying, strict=True):
                passes.append((since, now + lag))
            self._lying = None
        elif self.faults.stick_out:
            self.faults.stick_out = False
            self._lying = (now, now + lag)
            return
        asked = self._asked_to_flicker()
        for passes, front in zip(self._passes, (now, now + lag), strict=True):
            again, end = front, front + time
            if asked or self._flickers():
                free = front + time * self._chance.uniform(0.1, 0.9)
                again = free + min(self.physics.flicker_ms / 1000, (end - free) / 2)
                passes.append((front, free))
            passes.append((again, end))

    def _interval(self) -> float:
        physics = self.physics
        light = physics.light_share * max(0.0, 1 - self.hopper / physics.light_cards) if physics.light_share else 0.0
        return self._chance.uniform(*physics.interval_ms) * (1 + light) / 1000
