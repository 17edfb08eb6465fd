"""The arbiter alone: limits at the bound and one beyond, faults, and that enable is never high outside a permit."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.arbiter import Arbiter, NoPermit, Permit
from hardware.ports import Denial, Fault
from hardware.settings import LauncherSettings
from hardware.shot_machine import Drive

FAULT = Fault("test", "a cause", "a remedy")
SETTINGS = LauncherSettings(rest_ms=400, duty_ms=4000, most_cards=10)  # the longest shot: 2500 ms, 1740 at best


class Outputs:
    """Outputs that remember when enable was high, and may call something in the middle of a write."""

    def __init__(self) -> None:
        self.now = 0.0
        self.high_since: float | None = None
        self.pulses: list[tuple[float, float]] = []
        self.inputs = (False, False)
        self.before_enable: Callable[[], None] | None = None
        self.broken = False

    def enable(self, high: bool) -> None:
        if self.broken:
            raise OSError("the pin is gone")
        if high and self.before_enable is not None:
            self.before_enable()
        if high and self.high_since is None:
            self.high_since = self.now
        if not high and self.high_since is not None:
            self.pulses.append((self.high_since, self.now))
            self.high_since = None

    def bridge(self, in1: bool, in2: bool) -> None:
        self.inputs = (in1, in2)


@pytest.fixture
def out() -> Outputs:
    return Outputs()


@pytest.fixture
def arbiter(out: Outputs) -> Arbiter:
    made = Arbiter(out, SETTINGS)
    made.open()
    return made


def pulse(arbiter: Arbiter, out: Outputs, at: float, seconds: float, cards: int = 10) -> None:
    """One shot of `seconds`."""
    out.now = at
    assert isinstance(arbiter.grant(1, cards, at), Permit)
    arbiter.drive(Drive.FORWARD, at)
    out.now = at + seconds
    arbiter.release(at + seconds)


def test_nothing_is_permitted_before_it_was_opened(out: Outputs) -> None:
    arbiter = Arbiter(out, SETTINGS)
    assert isinstance(arbiter.grant(1, 3, 0.0), Denial)
    with pytest.raises(NoPermit):
        arbiter.drive(Drive.FORWARD, 0.0)
    assert out.high_since is None


@pytest.mark.parametrize("drive", [Drive.FORWARD, Drive.REVERSE, Drive.BRAKE, Drive.ARMED])
def test_no_permit_no_motor(arbiter: Arbiter, out: Outputs, drive: Drive) -> None:
    with pytest.raises(NoPermit):
        arbiter.drive(drive, 1.0)
    assert out.high_since is None
    assert out.inputs == (False, False)


def test_a_permit_holds_until_it_expires_and_not_longer(arbiter: Arbiter, out: Outputs) -> None:
    permit = arbiter.grant(1, 3, 10.0)
    assert permit == Permit(1, 10.0, 11.1)
    out.now = 10.0
    arbiter.drive(Drive.FORWARD, 10.0)
    out.now = math.nextafter(11.1, 0)
    assert not arbiter.expire(out.now)
    assert out.pulses == []
    out.now = 11.1
    assert arbiter.expire(out.now)
    assert out.pulses == [(10.0, 11.1)]
    assert arbiter.permit is None


def test_an_expired_permit_does_not_drive(arbiter: Arbiter, out: Outputs) -> None:
    arbiter.grant(1, 3, 10.0)
    with pytest.raises(NoPermit):
        arbiter.drive(Drive.FORWARD, 11.1)
    assert out.high_since is None


@pytest.mark.parametrize(("cards", "ms"), [(1, 700), (3, 1100), (17, 3900), (18, 4000), (100, 4000)])
def test_motor_time_grows_with_the_cards_and_never_over_four_seconds(out: Outputs, cards: int, ms: int) -> None:
    arbiter = Arbiter(out, LauncherSettings())
    arbiter.open()
    permit = arbiter.grant(1, cards, 0.0)
    assert isinstance(permit, Permit)
    assert permit.expires_at == pytest.approx(ms / 1000)


def test_rest_at_its_bound(arbiter: Arbiter, out: Outputs) -> None:
    pulse(arbiter, out, 0.0, 0.5)
    denial = arbiter.judge(0.5 + 0.4 - 0.001)
    assert denial is not None
    assert denial.reason == "too-fast"
    assert arbiter.judge(0.9) is None


def test_the_duty_budget_at_the_bound_and_one_beyond(out: Outputs) -> None:
    for used, denied in ((2.26, False), (2.261, True)):  # 4000 - 1740 ms may have been used
        arbiter = Arbiter(out, SETTINGS)
        arbiter.open()
        pulse(arbiter, out, 0.0, used)
        denial = arbiter.judge(10.0)
        assert (denial is not None) is denied
        assert denial is None or denial.reason == "too-fast"
        # A dry shot and one of a single card are judged like the longest.
        assert isinstance(arbiter.grant(2, 1, 10.0), Denial) is denied


def test_what_was_used_is_forgotten_after_a_minute(arbiter: Arbiter, out: Outputs) -> None:
    pulse(arbiter, out, 0.0, 2.5)
    assert arbiter.used(2.5) == pytest.approx(2.5)
    assert arbiter.used(61.0) == pytest.approx(1.5)
    assert arbiter.used(62.5) == 0.0
    assert arbiter.judge(60.239) is not None
    assert arbiter.judge(60.24) is None


def test_it_says_when_it_has_cooled_down(arbiter: Arbiter, out: Outputs) -> None:
    assert arbiter.cool_at(7.0) == 7.0
    pulse(arbiter, out, 0.0, 1.0)
    pulse(arbiter, out, 10.0, 2.26)
    # 1.0 s too much: gone when the first second is, and not when the longer pulse begins to go.
    assert arbiter.cool_at(20.0) == pytest.approx(61.0)
    assert arbiter.cool_at(60.5) == pytest.approx(61.0)
    denial = arbiter.judge(60.5)
    assert denial is not None
    assert denial.seconds == pytest.approx(0.5)
    assert arbiter.judge(61.0) is None
    assert arbiter.cool_at(61.0) == 61.0
    resting = arbiter.judge(12.26 + 0.1)
    assert resting is not None
    assert resting.seconds == pytest.approx(0.3)


@pytest.mark.parametrize(("used", "seconds"), [(1.5, 2.5), (1.501, 2.499), (2.26, 1.74)])
def test_a_long_shot_gets_what_is_left_of_the_minute_and_no_more(out: Outputs, used: float, seconds: float) -> None:
    arbiter = Arbiter(out, SETTINGS)
    arbiter.open()
    pulse(arbiter, out, 0.0, used)
    assert arbiter.left(10.0) == pytest.approx(4.0 - used)
    permit = arbiter.grant(2, 10, 10.0)
    assert isinstance(permit, Permit)
    assert permit.expires_at == pytest.approx(10.0 + seconds)
    arbiter.drive(Drive.FORWARD, 10.0)
    arbiter.release(11.5)
    again = arbiter.grant_again(2, 10, 12.0)
    assert isinstance(again, Permit)
    assert again.expires_at == pytest.approx(12.0 + seconds - 1.5)


def test_a_second_permit_of_a_shot_has_only_what_is_left(arbiter: Arbiter, out: Outputs) -> None:
    arbiter.grant(1, 3, 0.0)
    arbiter.drive(Drive.FORWARD, 0.0)
    assert isinstance(arbiter.grant_again(1, 3, 0.1), Denial)  # the first one still stands
    arbiter.release(0.4)
    assert isinstance(arbiter.grant_again(1, 3, 0.7), Denial)  # no rest yet
    permit = arbiter.grant_again(1, 3, 0.8)
    assert isinstance(permit, Permit)
    assert permit.expires_at == pytest.approx(0.8 + 0.7)
    arbiter.drive(Drive.REVERSE, 0.8)
    arbiter.release(1.5)
    assert isinstance(arbiter.grant_again(1, 3, 3.0), Denial)  # all used up


def test_a_fault_cuts_latches_and_denies(arbiter: Arbiter, out: Outputs) -> None:
    arbiter.grant(1, 3, 0.0)
    arbiter.drive(Drive.FORWARD, 0.0)
    arbiter.trip(FAULT)
    assert out.high_since is None
    arbiter.trip(Fault("later", "another", "another"))
    assert arbiter.fault == FAULT  # the first cause stays
    arbiter.drive(Drive.FORWARD, 0.1)  # quietly refused: the loop has not heard of the fault yet
    assert out.high_since is None
    denial = arbiter.judge(5.0)
    assert denial == Denial("fault", "a cause")
    assert isinstance(arbiter.grant(2, 3, 5.0), Denial)


def test_a_fault_is_cleared_only_when_the_motor_is_booked_off_and_it_is_the_same(arbiter: Arbiter) -> None:
    arbiter.grant(1, 3, 0.0)
    arbiter.drive(Drive.FORWARD, 0.0)
    arbiter.trip(FAULT)
    assert not arbiter.clear(FAULT)
    arbiter.release(0.5)
    assert not arbiter.clear(Fault("test", "a cause", "a remedy"))  # equal, but not the one that was shown
    assert arbiter.clear(FAULT)
    assert arbiter.judge(0.95) is None


def test_a_trip_between_the_check_and_the_pin_takes_the_pin_back(arbiter: Arbiter, out: Outputs) -> None:
    arbiter.grant(1, 3, 0.0)

    def trip_from_another_thread() -> None:
        thread = threading.Thread(target=arbiter.trip, args=(FAULT,))
        thread.start()
        thread.join(10)

    out.before_enable = trip_from_another_thread
    arbiter.drive(Drive.FORWARD, 0.0)
    assert out.high_since is None


def test_a_pin_that_cannot_be_written_still_latches_the_fault(arbiter: Arbiter, out: Outputs) -> None:
    out.broken = True
    with pytest.raises(OSError, match="gone"):
        arbiter.trip(FAULT)
    assert arbiter.fault is FAULT


STEPS = st.one_of(
    st.tuples(st.just("grant"), st.integers(0, 20)),
    st.tuples(st.just("again"), st.integers(0, 20)),
    st.tuples(st.just("drive"), st.sampled_from(list(Drive))),
    st.tuples(st.just("wait"), st.floats(0, 3)),
    st.tuples(st.just("release"), st.none()),
    st.tuples(st.just("trip"), st.none()),
    st.tuples(st.just("clear"), st.none()),
    st.tuples(st.just("dry"), st.none()),
)


@given(st.lists(STEPS, max_size=60))
def test_enable_is_never_high_outside_a_permit_whatever_is_asked(steps: list[tuple[str, object]]) -> None:
    out = Outputs()
    arbiter = Arbiter(out, SETTINGS)
    arbiter.open()
    now, permits = 0.0, list[Permit]()
    for what, value in steps:
        out.now = now
        if what in ("grant", "again"):
            assert isinstance(value, int)
            granted = (arbiter.grant if what == "grant" else arbiter.grant_again)(1, value, now)
            if isinstance(granted, Permit):
                permits.append(granted)
        elif what == "drive":
            assert isinstance(value, Drive)
            try:
                arbiter.drive(value, now)
            except NoPermit:
                assert out.high_since is None
        elif what == "wait":
            assert isinstance(value, float)
            # The loop wakes at the end of a permit at the latest.
            for at in sorted({now + value, *(p.expires_at for p in permits if now < p.expires_at < now + value)}):
                out.now = now = at
                arbiter.expire(now)
        elif what == "release":
            arbiter.release(now)
        elif what == "trip":
            arbiter.trip(FAULT)
            assert out.high_since is None
        elif what == "clear":
            arbiter.clear(FAULT)
        else:
            arbiter.rest(now)
        if out.high_since is not None:
            permit = arbiter.permit
            assert permit is not None
            assert permit.granted_at <= now < permit.expires_at
            assert arbiter.fault is None
    out.now = now
    arbiter.release(now)
    pulses = out.pulses
    for on, off in pulses:
        assert off - on <= 4.0
        assert any(p.granted_at <= on and off <= p.expires_at for p in permits)
    for _, end in pulses:
        inside = sum(max(0.0, min(off, end) - max(on, end - 60)) for on, off in pulses)
        assert inside <= SETTINGS.duty_ms / 1000 + 1e-6
