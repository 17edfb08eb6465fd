"""The tape: recorded shots played back at the other end of mock pins, under the code that drives the real machine.

Each time the motor is switched on for a new shot, the inputs change as they did in the next shot recorded, at the same
moments after it. What the motor does meanwhile changes nothing. When the tape is over no card comes, and the launcher
says that the machine is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from hardware.arbiter import MotorOutputs
from hardware.clock import Clock, VirtualClock
from hardware.gpio import GpiozeroBackend
from hardware.launcher import MotorLauncher
from hardware.ports import HardwareEvent, Listener, ShotEnded, ShotOrder, UnoButton
from hardware.sensors import Sense, Sensors
from hardware.settings import LauncherSettings
from hardware.traces import INPUTS, Trace, TracedShot
from hardware.twin import TwinFactory

HELD: Final = 0.07  # seconds a finger stays on the button
AFTER: Final = 0.1  # seconds from the end of a recorded shot until its traces are cleared away
PAUSE: Final = 61.0  # seconds between two shots that are played back one after the other: the motor has cooled down
PATIENCE: Final = 30.0  # seconds a shot may take

_Change = tuple[float, Any, bool]  # when (seconds on the clock), which pin, whether it goes high


class Tape:
    """The machine. It hears enable, and moves the inputs."""

    NAME = "tape"

    def __init__(self, factory: TwinFactory, clock: Clock, trace: Trace) -> None:
        self._clock = clock
        self._shots = trace.shots
        self._place = 0  # of the shot that comes next
        self._begun = float("-inf")
        self._pulses = 0  # of the shot that is played
        self._coming: list[_Change] = []
        self._worker = clock.worker(self.NAME, self._handle)
        pins = trace.pins
        self._enable = factory.pin(pins.enable)
        self._button = factory.pin(pins.button)
        wired = {INPUTS[sense][0]: getattr(pins, INPUTS[sense][0]) for sense in INPUTS}
        self._inputs = {name: factory.pin(pin) for name, pin in wired.items() if pin is not None}

    @property
    def next(self) -> TracedShot | None:
        """The shot that comes next; None when the tape is over."""
        return self._shots[self._place] if self._place < len(self._shots) else None

    def start(self) -> None:
        """Rest, and listen. The pins have been claimed before."""
        for change in self._at_rest(self._clock.now()):
            _make(change)
        self._enable.wire = self._feel
        self._worker.start()

    def stop(self) -> None:
        """End."""
        self._enable.wire = None
        self._worker.stop()

    def press(self) -> None:
        """A finger pushes the button; one that is still down cannot push again."""
        if self._button.state:
            now = self._clock.now()
            self._button.drive_low()
            self._worker.post((now + HELD, self._button, True))

    def _feel(self) -> None:
        """Enable has changed: only wakes the worker, for it is called from the launcher's thread."""
        self._worker.post((self._clock.now(), self._enable, bool(self._enable.state)))

    def _handle(self, item: _Change | None) -> float | None:
        if item is not None:
            at, pin, high = item
            if pin is not self._enable:
                self._coming.append(item)
            elif high:
                self._switched_on(at)
        now = self._clock.now()
        self._coming.sort(key=lambda change: change[0])
        while self._coming and self._coming[0][0] <= now:
            _make(self._coming.pop(0))
        return self._coming[0][0] if self._coming else None

    def _switched_on(self, at: float) -> None:
        before = self._shots[self._place - 1] if self._place else None
        if before is not None and self._pulses < before.pulses and at < self._begun + before.lasted_ms / 1000:
            self._pulses += 1  # the second try of the same shot
            return
        shot = self.next
        if shot is None:
            return
        self._place, self._begun, self._pulses = self._place + 1, at, 1
        fingers = [change for change in self._coming if change[1] is self._button]
        self._coming = fingers + [
            (max(at, at + change.at_ms / 1000), self._inputs[change.what], self._level(change.what, change.active))
            for change in shot.changes
            if change.what in self._inputs
        ]
        self._coming += self._at_rest(at + shot.lasted_ms / 1000 + AFTER)

    def _at_rest(self, at: float) -> list[_Change]:
        """Lid closed, stop released, nothing in the beams."""
        return [(at, pin, self._level(name, name == "lid")) for name, pin in self._inputs.items()]

    def _level(self, name: str, active: bool) -> bool:
        """Inputs are active low, but for the stop."""
        return active if name == INPUTS[Sense.STOP][0] else not active


def _make(change: _Change) -> None:
    at, pin, high = change
    pin.happened = at
    if high:
        pin.drive_high()
    else:
        pin.drive_low()


class TapeButton:
    """The button of a machine on tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def press(self) -> None:
        """See `hardware.ports.UnoButton`."""
        self._tape.press()


class TapeLauncher(MotorLauncher):
    """A shot of the tape asks for as many cards as were asked for when it was recorded, whatever is ordered now."""

    def __init__(
        self, tape: Tape, clock: Clock, settings: LauncherSettings, outputs: MotorOutputs, sensors: Sensors,
        listener: Listener,
    ) -> None:  # fmt: skip
        super().__init__(clock, settings, outputs, sensors, listener)
        self._tape = tape

    def _begin(self, order: ShotOrder, now: float) -> None:
        shot = self._tape.next
        if self._order is None:
            self._hopper = None if shot is not None else 0
        if shot is not None and order.cards > 0:
            order = replace(order, cards=shot.wanted)
        super()._begin(order, now)


class TapeBackend(GpiozeroBackend):
    """The gpiozero code on mock pins, a tape at their other end: its figures and its wiring are the recorded ones."""

    name = "tape"

    def __init__(self, clock: Clock, trace: Trace) -> None:
        super().__init__(clock, trace.settings, trace.pins)
        self.announcement = (
            f"tape: {len(trace.shots)} recorded shots of {trace.cards} cards are played back on mock pins; "
            "nothing real will move"
        )
        self.factory = TwinFactory(clock)
        self.tape = Tape(self.factory, clock, trace)

    @property
    def button(self) -> UnoButton:
        """The button, which may be pushed."""
        return TapeButton(self.tape)

    def open_factory(self) -> TwinFactory:
        """The mock pins."""
        return self.factory

    def make_launcher(self, outputs: MotorOutputs, sensors: Sensors, listener: Listener) -> MotorLauncher:
        """See `GpiozeroBackend`."""
        return TapeLauncher(self.tape, self.clock, self.settings, outputs, sensors, listener)

    def wire(self) -> None:
        """Start the tape."""
        self.tape.start()

    def unwire(self) -> None:
        """Stop the tape."""
        self.tape.stop()


def play_back(trace: Trace) -> Iterator[tuple[TracedShot, ShotEnded]]:
    """Every shot of the trace with what the launcher makes of it now, in no time: the clock is a virtual one."""
    clock = VirtualClock()
    heard: list[HardwareEvent] = []
    backend = TapeBackend(clock, trace)
    backend.start(heard.append)
    try:
        for number, shot in enumerate(trace.shots, 1):
            clock.advance(PAUSE)
            backend.launcher.clear_fault()
            clock.advance(0)
            ended = _ended(heard, number)
            backend.launcher.begin_shot(ShotOrder(number, max(1, shot.wanted), clock.now()))
            clock.advance_until(lambda ended=ended: ended() is not None, PATIENCE)  # type: ignore[misc]
            found = ended()
            assert found is not None
            yield shot, found
    finally:
        backend.close()


def _ended(heard: list[HardwareEvent], number: int) -> Callable[[], ShotEnded | None]:
    def found() -> ShotEnded | None:
        return next((each for each in heard if isinstance(each, ShotEnded) and each.shot == number), None)

    return found
