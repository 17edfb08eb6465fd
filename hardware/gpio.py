"""The gpiozero devices, and the backend made of them: the same code on real pins (`gpio`) and on mock pins (the twin).

The only module, with `hardware.twin`, that knows gpiozero. Every device gets its pin factory explicitly. Callbacks of
edges only enqueue, and none of them lets an exception through: on real pins that would end all inputs, silently.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from gpiozero import InputDevice, OutputDevice

from hardware.alive import AliveWave
from hardware.arbiter import MotorOutputs
from hardware.button import Button
from hardware.clock import Clock
from hardware.guardian_link import GuardianError, GuardianLink
from hardware.header import HeaderError
from hardware.launcher import MotorLauncher
from hardware.pins import PinMap
from hardware.ports import (
    Fault,
    HardwareEvent,
    Launcher,
    Listener,
    MotorTime,
    NotPressable,
    Reading,
    Signals,
    Tick,
    UnoButton,
)
from hardware.sensors import EDGES_DEAD, Edge, Sense, Sensors
from hardware.settings import LauncherSettings
from hardware.signals import Panel
from hardware.tap import Tap, TappedOutputs
from hardware.watchdog import Follower

log = logging.getLogger("hardware.gpio")


class BackendError(RuntimeError):
    """A backend that cannot be used here; the message says why and what to do."""


class InputLine:
    """One input with its internal pull-up. Active means `active_low`'s level; every edge is passed on with its time.

    Not `gpiozero.Button`: that keeps a thread polling for being held, and its debounce would swallow cards.
    """

    def __init__(self, factory: Any, pin: int, on_edge: Callable[[float, bool], None], active_low: bool = True) -> None:
        self._on_edge = on_edge
        self._active_low = active_low
        self._device = InputDevice(pin, pull_up=True, pin_factory=factory)
        self._pin = self._device.pin
        self._pin.bounce = None
        self._pin.edges = "both"
        self._pin.when_changed = self._changed  # gpiozero holds it weakly; we live as long as the backend

    def active(self) -> bool:
        """The level now, read from the pin."""
        return bool(self._pin.state) is not self._active_low

    def close(self) -> None:
        """Stop listening and give the pin back."""
        self._pin.when_changed = None
        self._device.close()

    def _changed(self, ticks: float, state: float) -> None:
        try:
            self._on_edge(ticks, bool(state) is not self._active_low)
        except Exception:
            log.exception("an edge on pin %r was lost", self._pin)


class Lines:
    """All pins of a launcher: the motor's outputs, lamp, buzzer and the inputs."""

    def __init__(
        self,
        factory: Any,
        pins: PinMap,
        on_edge: Callable[[Edge], None],
        on_button: Callable[[float, bool], None],
        trouble: Callable[[], Fault | None] = lambda: None,
    ) -> None:
        """Claims everything, enable first and low. Gives everything back when one pin cannot be had."""
        self._open: list[Any] = []
        self._on_edge = on_edge
        self.trouble = trouble
        try:
            self._enable = self._output(factory, pins.enable)
            self._in1 = self._output(factory, pins.in1)
            self._in2 = self._output(factory, pins.in2)
            self._lamp = None if pins.lamp is None else self._output(factory, pins.lamp)
            self._buzzer = None if pins.buzzer is None else self._output(factory, pins.buzzer)
            self._alive = None if pins.alive is None else self._output(factory, pins.alive)
            self._lid = self._input(factory, pins.lid, self._lid_edge)
            self._beam = None if pins.beam is None else self._input(factory, pins.beam, self._beam_edge)
            self._beam2 = None if pins.beam2 is None else self._input(factory, pins.beam2, self._beam2_edge)
            self._stop = (
                None if pins.stop is None else self._input(factory, pins.stop, self._stop_edge, active_low=False)
            )
            self._button = self._input(factory, pins.button, on_button)
        except Exception:
            self.close()
            raise

    def enable(self, high: bool) -> None:
        """Set the driver's enable."""
        self._enable.state = high

    def bridge(self, in1: bool, in2: bool) -> None:
        """Set both inputs of the bridge."""
        self._in1.state = in1
        self._in2.state = in2

    def lamp(self, lit: bool) -> None:
        """Light the button's lamp, where there is one."""
        if self._lamp is not None:
            self._lamp.state = lit

    def buzzer(self, on: bool) -> None:
        """Sound the buzzer, where there is one."""
        if self._buzzer is not None:
            self._buzzer.state = on

    def alive(self, high: bool) -> None:
        """Set the wave of `hardware.alive`, where it is wired."""
        if self._alive is not None:
            self._alive.state = high

    def lid_closed(self) -> bool:
        """The lid switch is closed."""
        return self._lid.active()

    def stop_pressed(self) -> bool:
        """The emergency stop is pressed; False where none is wired."""
        return self._stop is not None and self._stop.active()

    def beam_blocked(self) -> bool:
        """Something is in the beam; False where none is wired."""
        return self._beam is not None and self._beam.active()

    def beam2_blocked(self) -> bool:
        """Something is in the second beam; False where none is wired."""
        return self._beam2 is not None and self._beam2.active()

    @property
    def beams(self) -> int:
        """How many beams are wired."""
        return (self._beam is not None) + (self._beam2 is not None)

    def button_down(self) -> bool:
        """The UNO button is down."""
        return self._button.active()

    def levels(self) -> dict[str, bool]:
        """What the inputs that are wired say now, by name."""
        named = {
            "lid-closed": self._lid,
            "beam-blocked": self._beam,
            "beam2-blocked": self._beam2,
            "stop-pressed": self._stop,
            "button-down": self._button,
        }
        return {name: line.active() for name, line in named.items() if line is not None}

    def close(self) -> None:
        """Outputs low, enable first; then every pin given back, the inputs first. Idempotent."""
        outputs = [device for device in self._open if isinstance(device, OutputDevice)]
        for device in outputs:
            self._quietly(device.off)
        while self._open:
            self._quietly(self._open.pop().close)

    def _quietly(self, action: Callable[[], None]) -> None:
        """One pin that fails to close must not keep the others from closing."""
        try:
            action()
        except Exception:  # lgpio has an error class of its own, which is no OSError
            log.exception("a pin could not be closed")

    def _output(self, factory: Any, pin: int) -> Any:
        """The pin of a new output device: writing its state directly takes a third of the device's own way."""
        device = OutputDevice(pin, initial_value=False, pin_factory=factory)
        self._open.append(device)
        return device.pin

    def _input(
        self, factory: Any, pin: int, on_edge: Callable[[float, bool], None], active_low: bool = True
    ) -> InputLine:
        line = InputLine(factory, pin, on_edge, active_low)
        self._open.append(line)
        return line

    def _lid_edge(self, at: float, active: bool) -> None:
        self._on_edge(Edge(Sense.LID, at, active))

    def _beam_edge(self, at: float, active: bool) -> None:
        self._on_edge(Edge(Sense.BEAM, at, active))

    def _beam2_edge(self, at: float, active: bool) -> None:
        self._on_edge(Edge(Sense.BEAM2, at, active))

    def _stop_edge(self, at: float, active: bool) -> None:
        self._on_edge(Edge(Sense.STOP, at, active))


class GpiozeroBackend:
    """A launcher, its button and signals on one gpiozero factory's pins. Subclasses say which, and who moves it."""

    name = ""
    announcement = ""

    def __init__(self, clock: Clock, settings: LauncherSettings, pins: PinMap, hopper: int | None = None) -> None:
        """Touches no pin yet. `hopper`: cards known to be in the machine."""
        self.clock = clock
        self.settings = settings
        self.pins = pins
        self._hopper = hopper
        self._lines: Lines | None = None
        self._launcher: MotorLauncher | None = None
        self._button: Button | None = None
        self._panel: Panel | None = None
        self._listener: Listener | None = None
        self._factory: Any = None
        self._closed = False
        self.tap: Tap | None = None
        """Who listens in, set before `start`."""

    @property
    def launcher(self) -> Launcher:
        """The launcher; there is one from `start` on."""
        if self._launcher is None:
            raise RuntimeError(f"the {self.name} backend has not been started")
        return self._launcher

    @property
    def button(self) -> UnoButton:
        """The UNO button."""
        return RealButton()

    @property
    def signals(self) -> Signals:
        """Lamp and buzzer, from `start` on."""
        if self._panel is None:
            raise RuntimeError(f"the {self.name} backend has not been started")
        return self._panel

    def ticks(self) -> Mapping[str, Tick]:
        """See `hardware.ports.Backend`."""
        if self._launcher is None:
            raise RuntimeError(f"the {self.name} backend has not been started")
        return {"launcher thread": self._launcher.tick, "edge thread": self.tick_edges}

    def reading(self) -> Reading | None:
        """See `hardware.ports.Backend`."""
        if self._lines is None or self._launcher is None or self._closed:
            return None
        now, arbiter = self.clock.now(), self._launcher.arbiter
        ready_at = max(arbiter.rest_until, arbiter.cool_at(now))
        motor = MotorTime(arbiter.used(now), self.settings.duty_ms / 1000, now, ready_at)
        return Reading(self._lines.levels(), motor)

    def start(self, listener: Listener) -> None:
        """See `hardware.ports.Backend`. Raises `BackendError` when a pin cannot be had."""
        if self._factory is not None or self._closed:
            raise RuntimeError(f"the {self.name} backend can be started once")
        self._listener = listener
        self._factory = self.open_factory()
        try:
            lines = self._lines = Lines(self._factory, self.pins, self._edge, self._button_edge, self.trouble)
        except Exception as problem:  # lgpio has an error class of its own, gpiozero others, the system OSError
            self.close_factory()
            raise BackendError(f"{self.name}: the pins cannot be claimed: {problem}") from problem
        atexit.register(self.close)
        self.wire()
        self._panel = Panel(self.clock, lines.lamp, None if self.pins.buzzer is None else lines.buzzer)
        self._button = Button(self.clock, self.settings.lockout_ms, lines.button_down, self._tell)
        outputs = lines if self.tap is None else TappedOutputs(lines, self.clock, self.tap)
        self._launcher = self.make_launcher(outputs, lines, listener)
        self._launcher.start()
        self._panel.start()
        self._button.start()

    def close(self) -> None:
        """See `hardware.ports.Backend`. The motor first, the pins last."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._launcher is not None:
                self._launcher.close()
        finally:
            for part in (self._button, self._panel):
                if part is not None:
                    part.stop()
            self.unwire()
            if self._lines is not None:
                self._lines.close()
            self.close_factory()
            atexit.unregister(self.close)

    def open_factory(self) -> Any:
        """The pin factory. Raises `BackendError`."""
        raise NotImplementedError

    def make_launcher(self, outputs: MotorOutputs, sensors: Sensors, listener: Listener) -> MotorLauncher:
        """The launcher on these outputs and inputs, not yet started."""
        return MotorLauncher(
            self.clock, self.settings, outputs, sensors, listener, self._hopper, self.loaded, self.followers()
        )

    def followers(self) -> list[Follower]:
        """Who follows whether the launcher's loop lives while the motor is on."""
        return [] if self._lines is None or self.pins.alive is None else [AliveWave(self._lines.alive)]

    def trouble(self) -> Fault | None:
        """What is wrong with the machine's own parts, so that no motor may turn. From any thread, at once."""
        return None if self.edges_alive() else EDGES_DEAD

    def edges_alive(self) -> bool:
        """The thread that brings the inputs' edges is alive. From any thread, at once."""
        return True

    def tick_edges(self, call: Callable[[], None]) -> None:
        """Have `call` called by the thread that brings the edges; here by the asker, as long as it is alive."""
        if self.edges_alive():
            call()

    def wire(self) -> None:
        """Called when the pins are claimed, before anything looks at them."""

    def unwire(self) -> None:
        """Called before the pins are given back."""

    def loaded(self, cards: int) -> None:
        """Called when a person has said that the machine now holds `cards` cards."""

    def close_factory(self) -> None:
        """Give the chip back."""
        if self._factory is not None:
            self._factory.close()

    def _edge(self, edge: Edge) -> None:
        # Before the launcher is there nobody needs edges: it reads the levels when it starts.
        if self._launcher is not None:
            self._launcher.edge(edge)
        if self.tap is not None:
            self.tap(edge)

    def _button_edge(self, at: float, down: bool) -> None:
        if self._button is not None:
            self._button.edge(at, down)

    def _tell(self, event: HardwareEvent) -> None:
        if self._listener is None:
            return
        try:
            self._listener(event)
        except Exception:
            log.exception("the listener failed on %s", type(event).__name__)


class RealButton:
    """A button of flesh and plastic."""

    def press(self) -> None:
        """Always raises `NotPressable`."""
        raise NotPressable("this button is a real one: press it with a finger")


class PinSource(Protocol):
    """Where real pins come from: `hardware.header.Header`, or a stand-in for it in tests."""

    label: str

    def open(self, pins: Mapping[str, int]) -> Any:
        """A gpiozero pin factory, nothing claimed yet. Raises `HeaderError`."""

    def edges_alive(self) -> bool:
        """Edges still arrive."""

    def tick_edges(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""

    def close(self) -> None:
        """Idempotent."""


class GpioBackend(GpiozeroBackend):
    """Real pins, through lgpio; never anything else instead."""

    name = "gpio"
    announcement = "gpio: the real launcher on this Pi's pins; keep hair and fingers away, its motor will move"

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        pins: PinMap,
        header: PinSource,
        guard: Callable[[str, Mapping[str, int]], GuardianLink] | None = None,
    ) -> None:
        """`guard` starts the guardian of a chip (by label) and of the outputs on it, before any is claimed."""
        super().__init__(clock, settings, pins)
        self._header = header
        self._guard = guard
        self._guardian: GuardianLink | None = None

    def open_factory(self) -> Any:
        """The header's pins, when nobody else has them, and the guardian beside them."""
        try:
            factory = self._header.open(self.pins.wired())
            if self._guard is not None:
                self._guardian = self._guard(self._header.label, self.pins.outputs())
        except HeaderError as problem:
            raise BackendError(f"{self.name}: {problem}") from problem
        except GuardianError as problem:
            self._header.close()
            raise BackendError(f"{self.name}: no motor without its guardian: {problem}") from problem
        return factory

    def close_factory(self) -> None:
        """The chip first; the guardian stays until there is nothing left to guard."""
        try:
            self._header.close()
        finally:
            if self._guardian is not None:
                self._guardian.dismiss()

    def followers(self) -> list[Follower]:
        """The guardian, and what is wired."""
        guardian = [] if self._guardian is None else [self._guardian.follow]
        return [*guardian, *super().followers()]

    def trouble(self) -> Fault | None:
        """Also a guardian that has gone."""
        return super().trouble() or (None if self._guardian is None else self._guardian.trouble())

    def edges_alive(self) -> bool:
        """lgpio's thread."""
        return self._header.edges_alive()

    def tick_edges(self, call: Callable[[], None]) -> None:
        """lgpio's thread."""
        self._header.tick_edges(call)
