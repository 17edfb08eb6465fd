"""What every launcher that takes orders keeps, asked through its port alone: over each backend there is to run.

Over a real machine with `pytest -m pi tests/hardware/test_contract_port.py`: loaded with 60 cards at least, its lid
closed, wired as the file in UNO_ATTACK_CONFIG says (none: the defaults), and nobody's fingers near. Its motor moves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller import config as configuration
from hardware.backends import open_backend
from hardware.clock import Clock, RealClock, VirtualClock
from hardware.pins import PinMap
from hardware.ports import (
    Certainty,
    HardwareEvent,
    LauncherChanged,
    LauncherState,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    ShotProgress,
)
from hardware.settings import LauncherSettings
from tests.hardware.world import Port

SLACK = 0.25  # seconds: of a real clock on a busy machine


def twin(clock: Clock, pins: PinMap) -> Callable[[], Port]:
    """Makes ports of the simulated machine."""
    settings = LauncherSettings()
    return lambda: Port(clock, settings, open_backend("twin", settings, pins, clock=clock, seed=5))


def real_machine() -> Callable[[], Port]:
    """Makes ports of the machine this Pi is wired to."""
    path = os.environ.get("UNO_ATTACK_CONFIG")
    config = configuration.load(None if path is None else Path(path))
    settings, pins = configuration.launcher_settings(config), PinMap.from_mapping(config.pins)
    return lambda: Port(RealClock(), settings, open_backend("gpio", settings, pins, chip=config.chip))


MACHINES: dict[str, Callable[[], Callable[[], Port]]] = {
    "twin": lambda: twin(VirtualClock(), PinMap()),
    "twin-two-beams": lambda: twin(VirtualClock(), PinMap(beam2=20)),
    "twin-no-beam": lambda: twin(VirtualClock(), PinMap(beam=None)),
    "twin-real-time": lambda: twin(RealClock(), PinMap()),
    "gpio": real_machine,
}
MARKS = {"twin-real-time": pytest.mark.slow, "gpio": pytest.mark.pi}


@pytest.fixture(params=[pytest.param(name, marks=MARKS.get(name, ())) for name in MACHINES])
def open_port(request: pytest.FixtureRequest) -> Iterator[Callable[[], Port]]:
    """Opens the machine's port; closed afterwards."""
    ports: list[Port] = []
    make = MACHINES[request.param]()

    def opened() -> Port:
        ports.append(make())
        ports[-1].settle()
        return ports[-1]

    yield opened
    for port in ports:
        port.close()


@pytest.fixture
def port(open_port: Callable[[], Port]) -> Port:
    """A port, ready."""
    opened = open_port()
    opened.ready()
    return opened


def moving(port: Port) -> int:
    """A long shot whose motor turns."""
    shot = port.begin(8, suspense=0.0)
    port.until(lambda: LauncherState.FIRING in port.states())
    return shot


def test_a_shot_ends_once_with_what_came_and_the_launcher_is_ready_again(port: Port) -> None:
    shot = port.begin(3, suspense=0.3)
    ended = port.end_of(shot)
    assert ended.end is ShotEnd.DONE
    assert ended.cards >= 3 or ended.certainty is not Certainty.EXACT
    port.ready()
    port.until(lambda: port.states()[-1] is LauncherState.READY)
    assert port.ends(shot) == [ended]
    assert port.states() == [
        LauncherState.PRESSED,
        LauncherState.FIRING,
        LauncherState.RESTING,
        LauncherState.READY,
    ]
    told = port.progress(shot)
    assert told == sorted(set(told))
    assert not told or told[-1] == ended.cards


def test_a_dry_shot_ends_like_any_other_and_brings_nothing(port: Port) -> None:
    shot = port.begin(0, suspense=0.3)
    assert port.end_of(shot) == ShotEnded(shot, 0, Certainty.EXACT, ShotEnd.DONE)
    port.ready()
    port.until(lambda: port.states()[-1] is LauncherState.READY)
    assert port.states() == [LauncherState.PRESSED, LauncherState.RESTING, LauncherState.READY]
    assert port.progress(shot) == []


@pytest.mark.parametrize("cards", [0, 3])
def test_nothing_but_the_press_is_told_before_the_reveal(port: Port, cards: int) -> None:
    reveal_at = port.clock.now() + 0.5
    port.launcher.begin_shot(ShotOrder(900, cards, reveal_at))
    port.until(lambda: bool(port.ends(900)))
    early = [seen.event for seen in port.seen if seen.at < reveal_at]
    assert early == [LauncherChanged(LauncherState.PRESSED)]


def test_a_shot_keeps_its_motor_time(port: Port) -> None:
    shot = port.begin(2, suspense=0.0)
    port.end_of(shot)
    began = next(seen.at for seen in port.seen if seen.event == LauncherChanged(LauncherState.FIRING))
    ended = next(seen.at for seen in port.seen if isinstance(seen.event, ShotEnded))
    # A jam rests between its two tries, and a card may be waited for at the end.
    settings = port.settings
    assert ended - began <= (settings.on_ms(2) + settings.rest_ms + settings.settle_ms + settings.jam_ms) / 1000 + SLACK


def test_a_press_in_a_shot_and_in_the_rest_after_it_is_denied(port: Port) -> None:
    shot = moving(port)
    denial = port.launcher.denial()
    assert denial is not None
    assert denial.reason == "firing"
    port.end_of(shot)
    denial = port.launcher.denial()
    assert denial is not None
    assert denial.reason == "too-fast"
    assert denial.seconds is not None
    assert denial.seconds <= port.settings.rest_ms / 1000
    port.ready()


def test_a_second_order_is_void_and_the_first_goes_on(port: Port) -> None:
    first = moving(port)
    second = port.begin(2, suspense=0.0)
    assert port.end_of(second).end is ShotEnd.VOID
    assert port.end_of(first).end is ShotEnd.DONE
    assert len(port.ends(first)) == len(port.ends(second)) == 1


def test_halt_ends_the_shot_and_stays_until_it_is_cleared(port: Port) -> None:
    shot = moving(port)
    port.launcher.halt("a test")
    ended = port.end_of(shot)
    assert (ended.end, ended.cause) == (ShotEnd.STOPPED, "a test")
    port.until(lambda: port.states()[-1] is LauncherState.FAULT)
    denial = port.launcher.denial()
    assert denial is not None
    assert (denial.reason, denial.text) == ("fault", "a test")
    assert port.shoot(2).end is ShotEnd.VOID
    assert port.shoot(0).end is ShotEnd.VOID
    assert port.launcher.clear_fault() is None
    port.ready()
    assert port.shoot(1).end is ShotEnd.DONE


def test_close_in_a_shot_ends_it_and_can_be_repeated(port: Port) -> None:
    shot = moving(port)
    port.close()
    (ended,) = port.ends(shot)
    assert ended.end is ShotEnd.STOPPED
    assert ended.certainty is not Certainty.EXACT
    assert port.states()[-1] is LauncherState.CLOSED
    port.close()
    port.launcher.halt("too late")
    late = port.begin(2)
    assert [each.end for each in port.ends(late)] == [ShotEnd.VOID]
    assert port.launcher.denial() is not None
    assert port.launcher.clear_fault() is not None


def test_a_launcher_opened_again_is_a_fresh_one(open_port: Callable[[], Port]) -> None:
    first = open_port()
    first.ready()
    moving(first)
    first.launcher.halt("a test")
    first.close()
    second = open_port()
    second.ready()
    assert second.launcher.status().fault is None
    assert second.shoot(1).end is ShotEnd.DONE


def test_a_listener_that_raises_does_not_end_a_shot(port: Port) -> None:
    def fail(event: HardwareEvent) -> None:
        if isinstance(event, ShotProgress | LauncherChanged):
            raise RuntimeError("a mistake in the listener")

    port.on_event = fail
    assert port.shoot(2).end is ShotEnd.DONE
