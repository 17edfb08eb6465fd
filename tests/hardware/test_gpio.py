"""The gpiozero devices on a factory handed in, the `gpio` backend's refusals, and the choice of a backend."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import LED, OutputDevice
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.backends import open_backend
from hardware.clock import Clock, RealClock, VirtualClock
from hardware.gpio import BackendError, GpioBackend, Lines
from hardware.header import how_to_get_lgpio
from hardware.pins import PinMap
from hardware.ports import (
    Certainty,
    HardwareEvent,
    LampState,
    LauncherChanged,
    LauncherState,
    NotPressable,
    ShotEnd,
    ShotEnded,
    ShotOrder,
)
from hardware.settings import LauncherSettings
from tests.hardware.headers import MockHeader
from tests.hardware.world import World

Make = Callable[..., World]


def backend_on(factory: Any, clock: Clock) -> GpioBackend:
    """The real backend on pins that are not real."""
    return GpioBackend(clock, LauncherSettings(), PinMap(), MockHeader(factory))


@pytest.fixture(params=[MockPin, MockPWMPin])
def factory(request: pytest.FixtureRequest) -> Any:
    return MockFactory(pin_class=request.param)


def test_the_gpio_backend_on_gpiozeros_own_mock_pins(factory: Any) -> None:
    events: SimpleQueue[HardwareEvent] = SimpleQueue()

    def wait_for(kind: type[HardwareEvent], state: LauncherState | None = None) -> HardwareEvent:
        while True:
            event = events.get(timeout=10)
            if isinstance(event, kind) and (state is None or getattr(event, "state", None) is state):
                return event

    backend = backend_on(factory, RealClock())
    assert backend.name == "gpio"
    assert "motor will move" in backend.announcement
    for part in ("launcher", "signals"):
        with pytest.raises(RuntimeError, match="has not been started"):
            getattr(backend, part)
    backend.start(events.put)
    wait_for(LauncherChanged, LauncherState.FAULT)
    status = backend.launcher.status()
    assert status.fault is not None
    assert status.fault.code == "lid-open"  # nothing is wired: it does not arm
    assert status.hopper is None
    factory.pin(6).drive_low()
    assert backend.launcher.clear_fault() is None
    wait_for(LauncherChanged, LauncherState.READY)
    backend.launcher.begin_shot(ShotOrder(1, 1, 0.0))
    wait_for(LauncherChanged, LauncherState.FIRING)
    assert (bool(factory.pin(22).state), bool(factory.pin(17).state)) == (True, True)
    factory.pin(16).drive_low()
    factory.pin(6).drive_high()
    ended = wait_for(ShotEnded)
    assert isinstance(ended, ShotEnded)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.AT_LEAST)
    assert not factory.pin(22).state
    backend.signals.lamp(LampState.PRESS_NOW)
    assert factory.pin(23).state
    with pytest.raises(NotPressable, match="finger"):
        backend.button.press()
    backend.close()
    backend.close()


def test_every_output_is_claimed_low_and_enable_first(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    claimed: list[tuple[int, bool]] = []
    real = OutputDevice

    def claim(pin: int, **options: Any) -> Any:
        device = real(pin, **options)
        claimed.append((pin, bool(device.pin.state)))
        return device

    monkeypatch.setattr("hardware.gpio.OutputDevice", claim)
    backend = backend_on(factory, VirtualClock())
    backend.start(lambda _: None)
    assert claimed == [(22, False), (17, False), (27, False), (23, False)]
    monkeypatch.undo()
    backend.close()


def test_a_pin_that_is_taken_is_said_and_the_others_are_given_back(factory: Any) -> None:
    other = LED(16, pin_factory=factory)
    backend = backend_on(factory, VirtualClock())
    with pytest.raises(BackendError, match=r"the pins cannot be claimed: .*16"):
        backend.start(lambda _: None)
    backend.close()
    other.close()
    second = backend_on(factory, VirtualClock())
    second.start(lambda _: None)
    second.close()


def test_a_pin_that_fails_to_close_keeps_no_other_from_closing(factory: Any, caplog: pytest.LogCaptureFixture) -> None:
    class OtherError(Exception):
        """As lgpio's: neither gpiozero's nor the system's."""

    def fail() -> None:
        factory.pin(22).close = close
        raise OtherError("bad handle")

    lines = Lines(factory, PinMap(), lambda _: None, lambda *_: None)
    lines.enable(True)
    lines.bridge(True, True)
    close, factory.pin(22).close = factory.pin(22).close, fail
    lines.close()
    assert not any(factory.pin(pin).state for pin in (22, 17, 27))
    assert "bad handle" in caplog.text


def test_a_claim_that_fails_in_lgpios_own_way_is_said(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any, **__: Any) -> Any:
        raise Exception("GPIO busy")

    monkeypatch.setattr("hardware.gpio.InputDevice", busy)
    backend = backend_on(factory, VirtualClock())
    with pytest.raises(BackendError, match="the pins cannot be claimed: GPIO busy"):
        backend.start(lambda _: None)
    assert factory.pins == {}
    backend.close()


def test_closing_leaves_every_output_low(factory: Any) -> None:
    levels: dict[int, bool] = {}
    lines = Lines(factory, PinMap(), lambda _: None, lambda *_: None)
    lines.bridge(True, True)
    lines.enable(True)
    lines.lamp(True)
    for pin in (22, 17, 27, 23):
        close = factory.pin(pin).close

        def closing(number: int = pin, close: Callable[[], None] = close) -> None:
            levels[number] = bool(factory.pin(number).state)
            close()

        factory.pin(pin).close = closing
    lines.close()
    lines.close()
    assert levels == {22: False, 17: False, 27: False, 23: False}


def test_an_exception_in_an_edge_callback_loses_no_later_edge(factory: Any, caplog: pytest.LogCaptureFixture) -> None:
    edges: list[object] = []

    def fail_once(edge: object) -> None:
        edges.append(edge)
        if len(edges) == 1:
            raise RuntimeError("a mistake")

    lines = Lines(factory, PinMap(), fail_once, lambda *_: None)
    factory.pin(16).drive_low()
    factory.pin(16).drive_high()
    factory.pin(6).drive_low()
    assert len(edges) == 3
    assert "a mistake" in caplog.text
    lines.close()


def test_without_lamp_and_stop_there_is_nothing_to_light_or_press(factory: Any) -> None:
    lines = Lines(factory, PinMap(lamp=None), lambda _: None, lambda *_: None)
    lines.lamp(True)
    assert lines.stop_pressed() is False
    lines.close()


def test_a_missing_lgpio_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def missing(name: str) -> types.ModuleType:
        if name == "lgpio":
            raise ImportError("No module named 'lgpio'")
        return real(name)

    monkeypatch.setattr("hardware.edges._loaded", [])
    monkeypatch.setattr("hardware.edges.importlib.import_module", missing)
    with pytest.raises(BackendError, match=r"lgpio is not installed; type.* (pip|apt) install .*lgpio"):
        open_backend("gpio", clock=VirtualClock())


@pytest.mark.parametrize(
    ("version", "prefix", "line"),
    [
        ((3, 12), "/home/ann/my uno/.venv", "'/home/ann/my uno/.venv/bin/python' -m pip install lgpio"),
        (
            (3, 13),
            "/uno/.venv",
            "sudo apt install python3-lgpio && /usr/bin/python3.13 -m venv --system-site-packages /uno/.venv",
        ),
        ((3, 13), "/usr", "sudo apt install python3-lgpio"),
    ],
)
def test_the_line_to_type_for_lgpio_fits_this_python(version: tuple[int, int], prefix: str, line: str) -> None:
    assert how_to_get_lgpio(version, prefix, "/usr").partition(": ")[2] == line


def test_the_empty_lgpio_of_newer_pythons_is_not_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.edges._loaded", [])
    monkeypatch.setattr("hardware.edges.importlib.import_module", types.ModuleType)
    with pytest.raises(BackendError, match=r"there but empty; type"):
        open_backend("gpio", clock=VirtualClock())


def test_pins_that_cannot_be_had_are_said_and_nothing_else_is_taken() -> None:
    header = MockHeader(None, "no GPIO chip")
    backend = GpioBackend(VirtualClock(), LauncherSettings(), PinMap(beam=None), header)
    with pytest.raises(BackendError, match=r"^gpio: no GPIO chip$"):
        backend.start(lambda _: None)
    assert header.wanted == {"enable": 22, "in1": 17, "in2": 27, "button": 5, "lamp": 23, "lid": 6}
    backend.close()


def test_the_twin_announces_itself() -> None:
    backend = open_backend("twin", clock=VirtualClock(), seed=1)
    assert backend.name == "twin"
    assert backend.announcement == "twin: a simulated launcher on mock pins; nothing real will move"
    backend.close()


def test_the_environment_does_not_choose_the_pins(monkeypatch: pytest.MonkeyPatch, make_world: Make) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpin")
    monkeypatch.setenv("GPIOZERO_MOCK_REVISION", "0002")
    assert make_world().shoot(3).cards == 3


def test_a_serial_port_is_named_by_whoever_opens_it() -> None:
    with pytest.raises(BackendError, match="nobody has said which port"):
        open_backend("serial")


@pytest.mark.parametrize(("name", "hint"), [("twni", "did you mean 'twin'"), ("Mock", "there are: twin, gpio")])
def test_an_unknown_backend_is_refused_with_a_suggestion(name: str, hint: str) -> None:
    with pytest.raises(BackendError, match=f"there is no backend '{name}'; {hint}"):
        open_backend(name)


def test_what_is_open_is_closed_in_order_and_the_guardian_goes_last(factory: Any) -> None:
    order: list[str] = []

    class Header(MockHeader):
        def close(self) -> None:
            order.append(f"chip, enable at {factory.pin(22).state:.0f}")
            super().close()

    guardian = types.SimpleNamespace(
        follow=lambda on: order.append(f"tick {on}"), trouble=lambda: None, dismiss=lambda: order.append("goodbye")
    )
    asked: list[object] = []

    def guard(label: str, outputs: Any) -> Any:
        asked.append((label, outputs, [pin.function for pin in factory.pins.values()]))
        return guardian

    clock = VirtualClock()
    backend = GpioBackend(clock, LauncherSettings(), PinMap(alive=25), Header(factory), guard)
    backend.start(lambda _: None)
    outputs = {"enable": 22, "in1": 17, "in2": 27, "lamp": 23, "alive": 25}
    assert asked == [("mock pins", outputs, [])]  # before any pin is claimed
    factory.pin(6).drive_low()
    backend.launcher.clear_fault()
    backend.launcher.begin_shot(ShotOrder(1, 3, 0.0))
    clock.advance(0)
    assert order == ["tick True"]
    assert factory.pin(22).state
    backend.close()
    backend.close()
    assert order == ["tick True", "tick True", "tick False", "chip, enable at 0", "goodbye"]
