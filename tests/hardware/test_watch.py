"""A machine that is only watched: bursts at the beam become shots, presses that bring nothing become dry ones."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.backends import UNDRIVEN, open_backend
from hardware.clock import VirtualClock
from hardware.gpio import BackendError
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
    ShotSeen,
)
from hardware.sensors import BEAM_BLOCKED, EDGES_DEAD
from hardware.settings import LauncherSettings
from hardware.twin import TwinFactory
from hardware.watch import Bursts, WatchBackend
from hardware.watch_twin import WatchTwinBackend
from tests.hardware.headers import MockHeader

SETTINGS = LauncherSettings()
CARD, PAUSE, DRY = SETTINGS.card_ms / 1000, SETTINGS.burst_pause_ms / 1000, SETTINGS.dry_ms / 1000


class Bench:
    """The watcher on the mock pins of a virtual clock, with a hand at its beam and its button."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.factory = TwinFactory(self.clock)
        self.backend = WatchBackend(self.clock, SETTINGS, PinMap(), MockHeader(self.factory))
        self.events: list[HardwareEvent] = []
        self.backend.start(self.events.append)
        self.clock.advance(0)

    @property
    def launcher(self) -> Any:
        return self.backend.launcher

    def block(self, seconds: float, gap: float = 0.05) -> None:
        """Something is in the beam for so long, and then nothing for `gap`."""
        self.beam(True)
        self.clock.advance(seconds)
        self.beam(False)
        self.clock.advance(gap)

    def cards(self, number: int) -> None:
        for _ in range(number):
            self.block(CARD)

    def beam(self, blocked: bool) -> None:
        pin = self.factory.pin(self.backend.pins.beam)
        pin.drive_low() if blocked else pin.drive_high()

    def press(self) -> None:
        pin = self.factory.pin(self.backend.pins.button)
        pin.drive_low()
        self.clock.advance(0.07)
        pin.drive_high()
        self.clock.advance(0.05)

    def seen(self) -> list[tuple[int, str]]:
        return [(each.cards, each.certainty.value) for each in self.events if isinstance(each, ShotSeen)]

    def states(self) -> list[LauncherState]:
        return [each.state for each in self.events if isinstance(each, LauncherChanged)]


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.backend.close()


def test_a_burst_ended_by_a_pause_is_a_shot(bench: Bench) -> None:
    bench.launcher.loaded(50)
    bench.cards(3)
    bench.clock.advance(PAUSE - 0.06)
    assert bench.seen() == []
    assert bench.launcher.status().state is LauncherState.FIRING
    bench.clock.advance(0.02)
    assert bench.seen() == [(3, "exact")]
    assert bench.states() == [LauncherState.FIRING, LauncherState.READY]
    assert isinstance(bench.events[-2], ShotSeen), "told before the launcher is ready: nothing comes between"
    assert bench.launcher.status().hopper == 47
    bench.clock.advance(60)
    assert len(bench.seen()) == 1


def test_two_bursts_are_two_shots_and_a_hesitation_is_not(bench: Bench) -> None:
    bench.cards(2)
    bench.clock.advance(PAUSE - 0.2)
    bench.cards(1)
    bench.clock.advance(PAUSE)
    bench.cards(4)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(3, "exact"), (4, "exact")]


def test_a_press_that_brings_nothing_is_a_dry_shot(bench: Bench) -> None:
    bench.press()
    assert bench.states() == [LauncherState.PRESSED]
    bench.clock.advance(DRY - 0.2)
    assert bench.seen() == []
    bench.clock.advance(0.2)
    assert bench.seen() == [(0, "exact")]
    assert bench.states() == [LauncherState.PRESSED, LauncherState.READY]


def test_a_press_with_cards_is_one_shot_and_no_dry_one(bench: Bench) -> None:
    bench.press()
    bench.clock.advance(2.0)
    bench.cards(2)
    bench.clock.advance(20)
    assert bench.seen() == [(2, "exact")]
    assert bench.states() == [LauncherState.PRESSED, LauncherState.FIRING, LauncherState.READY]


def test_pressing_again_while_it_thinks_is_the_same_press(bench: Bench) -> None:
    bench.press()
    bench.clock.advance(1.0)
    bench.press()
    bench.clock.advance(DRY - 0.2)
    assert bench.seen() == []
    bench.clock.advance(0.2)
    assert bench.seen() == [(0, "exact")]


def test_a_press_after_the_cards_ends_the_burst_and_one_among_them_does_not(bench: Bench) -> None:
    bench.press()
    bench.cards(2)
    bench.press()
    bench.cards(2)
    bench.clock.advance(0.5)
    assert bench.seen() == []
    bench.press()
    assert bench.seen() == [(4, "exact")]
    bench.cards(1)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(4, "exact"), (1, "exact")]


def test_overlapping_cards_are_counted_and_too_many_make_it_unsure(bench: Bench) -> None:
    bench.block(CARD * 1.6)
    bench.block(CARD * 2.8)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(4, "unknown")]


def test_a_spark_is_no_card_and_takes_no_press_away(bench: Bench) -> None:
    bench.block(0.004)
    bench.clock.advance(PAUSE)
    assert bench.seen() == []
    bench.press()
    bench.block(0.004)
    bench.clock.advance(DRY)
    assert bench.seen() == [(0, "exact")]


def test_a_hand_before_the_exit_is_a_fault_and_no_card(bench: Bench) -> None:
    bench.block(PAUSE + 2)
    fault = next(each for each in bench.events if isinstance(each, LauncherChanged) and each.fault)
    assert (fault.state, fault.fault) == (LauncherState.FAULT, BEAM_BLOCKED)
    bench.clock.advance(10)
    assert bench.seen() == []
    assert bench.states() == [LauncherState.FIRING, LauncherState.FAULT, LauncherState.READY]
    bench.block(0.6)
    bench.clock.advance(10)
    assert bench.seen() == []


def test_a_fault_goes_when_the_beam_is_free_and_not_before(bench: Bench) -> None:
    bench.beam(True)
    bench.clock.advance(PAUSE + 1)
    assert bench.launcher.clear_fault() == bench.launcher.status().fault == BEAM_BLOCKED
    bench.beam(False)
    bench.clock.advance(0)
    assert bench.launcher.clear_fault() is None
    assert bench.launcher.status().state is LauncherState.READY


def test_a_fault_whose_going_was_lost_goes_when_it_is_cleared_or_somebody_asks(bench: Bench) -> None:
    pin = bench.factory.pin(bench.backend.pins.beam)
    for ask in (bench.launcher.clear_fault, bench.launcher.denial):
        bench.beam(True)
        bench.clock.advance(PAUSE + 1)
        assert bench.launcher.status().fault == BEAM_BLOCKED
        pin.deaf = True
        bench.beam(False)
        bench.clock.advance(10)
        pin.deaf = False
        assert bench.launcher.status().fault == BEAM_BLOCKED, "nobody has told"
        assert ask() is not BEAM_BLOCKED
        bench.clock.advance(0)
        assert bench.launcher.status().state is LauncherState.READY
    bench.cards(2)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(2, "exact")]


def test_a_card_that_sticks_counts_with_its_burst_once(bench: Bench) -> None:
    bench.cards(2)
    bench.beam(True)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(3, "at_least")]
    assert bench.launcher.status().fault == BEAM_BLOCKED
    bench.beam(False)
    bench.clock.advance(10)
    assert bench.seen() == [(3, "at_least")]


def test_a_card_that_stuck_for_a_while_is_one_card(bench: Bench) -> None:
    bench.press()
    bench.block(0.6)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(1, "at_least")]


def test_what_a_blocked_beam_cannot_see_is_not_said_to_be_dry(bench: Bench) -> None:
    bench.beam(True)
    bench.clock.advance(PAUSE + 1)
    bench.press()
    bench.clock.advance(DRY)
    assert bench.seen() == [(0, "unknown")]


def test_a_beam_blocked_at_the_start_is_a_fault() -> None:
    clock = VirtualClock()
    factory = TwinFactory(clock)
    factory.pin(PinMap().beam).drive_low()
    events: list[HardwareEvent] = []
    backend = WatchBackend(clock, SETTINGS, PinMap(), MockHeader(factory))
    # gpiozero's mock pins go to their pull when they are claimed, as a real one would not with a hand in the beam.
    claim = factory.pin(PinMap().beam)._set_pull
    factory.pin(PinMap().beam)._set_pull = lambda value: (claim(value), factory.pin(PinMap().beam).drive_low())
    backend.start(events.append)
    clock.advance(PAUSE)
    assert backend.launcher.status().fault == BEAM_BLOCKED
    assert [each for each in events if isinstance(each, ShotSeen)] == []
    backend.close()


def test_a_lost_edge_is_noticed(bench: Bench) -> None:
    bench.press()
    bench.launcher.beam_edge(bench.clock.now(), True)
    bench.clock.advance(PAUSE)
    assert bench.seen() == [(1, "at_least")]
    assert bench.launcher.status().state is LauncherState.READY


def test_it_takes_no_orders_and_drives_nothing(bench: Bench) -> None:
    denial = bench.launcher.denial()
    assert denial is not None
    assert denial.reason == "wrong-source"
    bench.launcher.begin_shot(ShotOrder(2, 5, 0.0))
    assert bench.events == [ShotEnded(2, 0, Certainty.EXACT, ShotEnd.VOID, denial.text)]
    bench.launcher.halt("a test")
    bench.backend.signals.lamp(LampState.PRESS_NOW)
    bench.launcher.loaded(30)
    assert bench.launcher.status().hopper == 30
    with pytest.raises(ValueError, match="-2 cards"):
        bench.launcher.loaded(-2)
    functions = {str(pin.function) for pin in bench.factory.pins.values()}
    assert functions == {"input"}
    with pytest.raises(NotPressable, match="finger"):
        bench.backend.button.press()


def test_a_listener_that_fails_loses_no_later_shot(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    heard: list[HardwareEvent] = []

    def fail_once(event: HardwareEvent) -> None:
        heard.append(event)
        if len(heard) == 1:
            raise RuntimeError("a mistake")

    bench.launcher._listener = fail_once
    bench.cards(1)
    bench.clock.advance(PAUSE)
    assert "the listener failed on LauncherChanged" in caplog.text
    assert ShotSeen(1, Certainty.EXACT) in heard
    bench.backend.close()


def test_closing_gives_the_pins_back_and_says_so(bench: Bench) -> None:
    bench.backend.close()
    bench.backend.close()
    assert bench.launcher.status().state is LauncherState.CLOSED
    with pytest.raises(RuntimeError, match="started once"):
        bench.backend.start(bench.events.append)
    assert bench.factory.pins == {}


def test_a_pin_that_is_taken_is_said_and_the_others_are_given_back() -> None:
    factory = MockFactory()
    other = LED(PinMap().button, pin_factory=factory)
    backend = WatchBackend(VirtualClock(), SETTINGS, PinMap(), MockHeader(factory))
    with pytest.raises(RuntimeError, match="has not been started"):
        _ = backend.launcher
    with pytest.raises(BackendError, match=r"watch: the pins cannot be claimed: .*5"):
        backend.start(lambda _: None)
    backend.close()
    other.close()


def test_what_is_missing_is_said_in_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.edges._loaded", [])
    monkeypatch.setattr("hardware.edges.importlib.import_module", types.ModuleType)
    with pytest.raises(BackendError, match=r"^watch: the Python library lgpio .*; type"):
        open_backend("watch")
    backend = WatchBackend(VirtualClock(), SETTINGS, PinMap(), MockHeader(None, "no such chip"))
    with pytest.raises(BackendError, match=r"^watch: no such chip$"):
        backend.start(lambda _: None)


def test_edges_that_no_longer_arrive_are_a_fault_and_their_return_is_seen() -> None:
    clock = VirtualClock()
    header = MockHeader(TwinFactory(clock))
    backend = WatchBackend(clock, SETTINGS, PinMap(), header)
    events: list[HardwareEvent] = []
    backend.start(events.append)
    asked: list[str] = []

    def ask() -> None:
        asked.clear()
        for name, tick in backend.ticks().items():
            tick(partial(asked.append, name))
        clock.advance(0)

    ask()
    assert sorted(asked) == ["edge thread", "launcher thread"]
    header.alive = False
    ask()
    assert asked == ["launcher thread"]
    assert backend.launcher.status().fault == EDGES_DEAD
    assert events == [LauncherChanged(LauncherState.FAULT, EDGES_DEAD)]
    header.alive = True
    ask()
    assert backend.launcher.status().state is LauncherState.READY
    backend.close()


def test_nothing_is_watched_with_other_pins_than_the_real_ones_unasked() -> None:
    assert set(UNDRIVEN) == {"watch", "watch-twin", "none"}
    assert "nothing is driven" in WatchBackend.announcement
    assert "nothing real will move" in WatchTwinBackend.announcement


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_every_card_is_in_one_shot(bursts: list[int], chance: Any) -> None:
    watched, at, seen = Bursts(SETTINGS), 10.0, []

    def until(then: float) -> None:
        due = watched.due
        while due is not None and due <= then:
            seen.append(watched.settle(due, lambda: False))
            due = watched.due

    for number in bursts:
        if chance.random() < 0.5:
            seen.append(watched.press(at))
        for _ in range(number):
            until(at)
            watched.block(at)
            watched.clear(at + CARD)
            at += chance.uniform(0.06, 0.12)
        at += PAUSE + chance.uniform(0.01, 2.0)
        until(at)
    until(at + 100)
    assert [each.cards for each in seen if each is not None] == bursts


def test_watching_without_a_beam_is_refused() -> None:
    with pytest.raises(BackendError, match=r"watch: cards are counted at a beam: set \[pins\] beam"):
        WatchBackend(VirtualClock(), LauncherSettings(), PinMap(beam=None), MockHeader(None))
