"""Calibrating the twin on a virtual clock: its machine's own figures are found again, and trouble is said and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from controller.calibrating import BURST_CARDS, BURSTS, CARDS, SINGLES, Session
from controller.calibration import CalibrationError, Figure
from controller.measuring import LIGHT_CARDS
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.settings import DUTY_WINDOW_MS, LauncherSettings
from hardware.twin import TwinBackend
from hardware.twin_physics import Motor, Physics

Make = Callable[..., tuple[Session, TwinBackend, list[str]]]


@pytest.fixture
def make() -> Iterator[Make]:
    """A session on a twin of one's own."""
    backends: list[TwinBackend] = []

    def session(seed: int = 1, hopper: int = 112, settings: LauncherSettings | None = None, **physics: Any) -> Any:
        clock = VirtualClock()
        machine = Physics(**physics)
        backend = TwinBackend(clock, settings or LauncherSettings(), PinMap(), seed, machine, hopper)
        backends.append(backend)

        def wait(done: Callable[[], bool], limit: float) -> bool:
            end = clock.now() + limit
            while not done() and clock.now() < end:
                clock.advance(0.02)
            return done()

        said: list[str] = []
        return Session(backend, wait, said.append), backend, said

    yield session
    for backend in backends:
        backend.close()


def value(figures: dict[str, Figure], name: str) -> int:
    return figures[name].value


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("card", "interval"), [(43.0, (60.0, 120.0)), (30.0, (45.0, 60.0)), (60.0, (100.0, 180.0))])
def test_the_machines_own_figures_are_found(make: Make, seed: int, card: float, interval: tuple[float, float]) -> None:
    """Within 4 % of a card's time, 12 % of the pace (its interval is drawn anew each time), 8 ms of the first card."""
    session, backend, _ = make(seed, card_ms=card, interval_ms=interval)
    figures = session.measure()
    assert value(figures, "card_ms") == pytest.approx(card, rel=0.04)
    pace = sum(interval) / 2
    assert value(figures, "pace_ms") == pytest.approx(pace, rel=0.12)
    assert interval[1] * 0.85 <= value(figures, "interval_ms") <= interval[1] * 1.12
    # After the pull back the next card is as far away as it can be; half the run-up is lost on the way.
    assert value(figures, "spin_up_ms") == pytest.approx(interval[1] + Physics().spin_up_ms / 2, abs=8)
    assert "light_ms" not in figures
    assert figures["card_ms"].measured >= SINGLES
    assert figures["pace_ms"].measured >= BURSTS * (BURST_CARDS - 1) - 3
    assert session.cards(value(figures, "card_ms")) == backend.twin.out


def lag_of(settings: LauncherSettings, physics: Physics) -> float:
    """How far the machine still feeds, told to brake and then to pull back, in milliseconds of full speed."""
    motor = Motor()
    motor.speed = 1.0
    motor.aim(0.0, physics.brake_ms)
    gone = motor.run(settings.brake_ms / 1000)
    motor.aim(-1.0, physics.spin_up_ms)
    while motor.speed > 0:
        gone += max(0.0, motor.run(0.0005))
    return gone * 1000


def test_how_long_a_machine_still_feeds_is_found_where_cards_come_late(make: Make) -> None:
    """Within 15 ms of what the motor really still moves: how often a card came late is all there is to go by."""
    for seed in range(4):
        session, backend, _ = make(seed, brake_ms=110.0)
        truth = lag_of(backend.settings, Physics(brake_ms=110.0))
        assert 35 < truth < 60
        assert value(session.measure(), "stop_lag_ms") == pytest.approx(truth, abs=15)


def test_a_machine_that_stops_at_once_gets_no_lag(make: Make) -> None:
    session, _, _ = make(brake_ms=12.0)
    assert "stop_lag_ms" not in session.measure()


def test_a_light_pile_is_found(make: Make) -> None:
    """The last card comes later by half the mean interval: within a third of that."""
    session, backend, said = make(2, light_share=0.5, light_cards=LIGHT_CARDS, interval_ms=(85.0, 95.0))

    def load() -> int:
        backend.twin.load(24)
        return 24

    figures = session.measure(load)
    assert value(figures, "light_cards") == LIGHT_CARDS
    assert value(figures, "light_ms") == pytest.approx(45, abs=15)
    assert any("light pile: 24 cards" in line for line in said)


def test_a_pile_that_makes_no_difference_is_told_apart(make: Make) -> None:
    session, backend, _ = make(2, interval_ms=(88.0, 92.0))

    def load() -> int:
        backend.twin.load(20)
        return 20

    figures = session.measure(load)
    assert (value(figures, "light_cards"), value(figures, "light_ms")) == (0, 0)


def test_the_limits_hold_and_a_wait_is_said(make: Make) -> None:
    settings = LauncherSettings(duty_ms=4000)
    session, backend, said = make(settings=settings)
    began = backend.clock.now()
    session.measure()
    assert any(line.startswith("the motor cools down for") for line in said)
    spent = backend.reading().motor.used if backend.reading() else 0  # type: ignore[union-attr]
    assert spent <= settings.duty_ms / 1000
    assert backend.clock.now() - began > DUTY_WINDOW_MS / 1000, "more than a minute's motor time in one minute"
    assert not backend.factory.pin(22).state


def test_every_shot_is_told(make: Make) -> None:
    session, _, said = make()
    session.measure()
    told = [line for line in said if " of " in line]
    assert len(told) == SINGLES + BURSTS
    assert told[0].startswith(f"single card 1 of {SINGLES}: ")
    assert told[-1].startswith(f"burst {BURSTS} of {BURSTS}: ")
    assert told[-1].count(" ") >= BURST_CARDS


# --- trouble ----------------------------------------------------------------------------------------------------------


def test_an_empty_machine(make: Make) -> None:
    session, backend, _ = make(hopper=112)
    backend.twin.empty()
    with pytest.raises(CalibrationError, match=rf"no card came.*calibrate again.*loaded with {CARDS} cards or more"):
        session.measure()
    assert not backend.factory.pin(22).state


def test_a_pile_that_runs_out(make: Make) -> None:
    session, _, _ = make(hopper=20)
    with pytest.raises(CalibrationError, match=rf"ran empty.*Load {CARDS} cards"):
        session.measure()


def test_a_jam(make: Make) -> None:
    session, backend, _ = make()
    backend.twin.jam(hard=True)
    with pytest.raises(CalibrationError, match=r"stuck.*calibrate again"):
        session.measure()


def test_a_second_try_is_no_measurement(make: Make) -> None:
    session, backend, _ = make()
    backend.twin.jam()
    with pytest.raises(CalibrationError, match="second try"):
        session.measure()


def test_an_open_lid(make: Make) -> None:
    session, backend, _ = make()
    backend.twin.open_lid()
    with pytest.raises(CalibrationError, match=r"the lid is open\. To do: close the lid"):
        session.measure()


def test_a_lid_opened_in_the_middle(make: Make) -> None:
    session, backend, said = make()

    def listen(line: str) -> None:
        said.append(line)
        if line.startswith("single card 3"):
            backend.twin.open_lid()

    session._say = listen
    with pytest.raises(CalibrationError, match=r"the lid is open\. To do: close the lid"):
        session.measure()
    assert not backend.factory.pin(22).state


def test_cards_that_come_in_pairs(make: Make) -> None:
    session, _, _ = make(double_share=0.5, overlap=(0.1, 0.5))
    with pytest.raises(CalibrationError, match=r"differ too much|only \d+ of \d+ needed gaps"):
        session.measure()


def test_a_machine_that_brings_pairs_only_is_known_by_counting_its_cards(make: Make) -> None:
    session, backend, _ = make(double_share=1.0, overlap=(0.4, 0.5))
    figures = session.measure()
    assert session.cards(value(figures, "card_ms")) < backend.twin.out, "a person who counts sees twice as many"


def test_a_few_pairs_are_left_out(make: Make) -> None:
    session, backend, _ = make(3, double_share=0.05, overlap=(0.1, 0.5))
    figures = session.measure()
    assert value(figures, "card_ms") == pytest.approx(43, rel=0.04)
    assert value(figures, "pace_ms") == pytest.approx(90, rel=0.12)
    assert session.cards(value(figures, "card_ms")) == backend.twin.out
