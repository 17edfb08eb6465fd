"""The simulated machine: its physics, its truth against what is reported, that it repeats and that it stays small."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.arbiter import Permit
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import Certainty, LauncherState, ShotEnd, ShotOrder
from hardware.settings import LauncherSettings
from hardware.twin import KEPT_STATES
from hardware.twin_faults import FAULTS
from hardware.twin_physics import Machine, Motor, Physics
from tests.hardware.world import World, virtual

Make = Callable[..., World]
QUICK = LauncherSettings(rest_ms=0, duty_ms=30_000)


def test_the_motor_spins_up_evenly_and_brakes() -> None:
    motor = Motor()
    motor.aim(1.0, 60)
    assert motor.run(0.030) == pytest.approx(0.0075)
    assert motor.speed == pytest.approx(0.5)
    assert motor.run(0.130) == pytest.approx(0.0225 + 0.1)
    motor.aim(0.0, 12)
    assert motor.run(1.0) == pytest.approx(0.006)
    assert motor.speed == 0.0


@given(
    st.lists(
        st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.floats(5, 200), st.floats(0, 0.2)), min_size=1, max_size=6
    ),
    st.floats(0.0001, 0.2),
)
def test_the_motor_is_where_it_was_said_to_be_at_the_time_it_was_said(
    before: list[tuple[float, float, float]], distance: float
) -> None:
    motor = Motor()
    for target, change, time in before:
        motor.aim(target, change)
        motor.run(time)
    time_to = motor.reach(distance)
    if time_to is not None:
        assert motor.run(time_to) == pytest.approx(distance, abs=1e-9)


def test_cards_come_at_the_intervals_of_the_toy() -> None:
    machine = Machine(Physics(), Random(1), 200, 0.0)
    machine.drive(True, True, False)
    fronts: list[float] = []
    blocked = False
    while len(fronts) < 150:
        due = machine.next_event()
        assert due is not None
        machine.run(due)
        if machine.blocked and not blocked:
            fronts.append(due)
        blocked = machine.blocked
    gaps = [1000 * (after - before) for before, after in pairwise(fronts)]
    assert 60 <= min(gaps) < 63
    assert 117 < max(gaps) <= 120
    assert machine.out == 150
    assert machine.hopper == 50


def test_a_machine_at_rest_has_nothing_to_wait_for(world: World) -> None:
    world.shoot(3)
    world.run(5)
    workers = {worker.name: worker.deadline for worker in world.clock._workers}  # type: ignore[attr-defined]
    assert workers["twin"] is None


def test_the_same_seed_gives_the_same_machine_and_another_another(make_world: Make) -> None:
    def times(seed: int) -> list[float]:
        world = make_world(seed=seed)
        world.shoot(5)
        world.backend.button.press()
        world.run(1)
        return [seen.at for seen in world.seen]

    assert times(3) == times(3)
    assert times(3) != times(4)


def test_hundreds_of_shots_report_what_came_out(make_world: Make) -> None:
    world = make_world(settings=QUICK, hopper=10_000, seed=11)
    chance, exact = Random(5), 0
    for _ in range(300):
        wanted, before = chance.randint(1, 9), world.twin.out
        if chance.random() < 0.2:
            world.twin.double(pairs=1)
        ended = world.shoot(wanted)
        world.seen.clear()
        truth = world.twin.out - before
        # A card that passes while the motor pulls back is doubted; what is called exact is.
        assert ended.cards == truth or (ended.certainty is Certainty.AT_LEAST and ended.cards < truth)
        assert ended.cards >= wanted
        assert ended.end is ShotEnd.DONE
        exact += ended.certainty is Certainty.EXACT
        world.run(8)
    assert exact >= 291  # 97 %


def test_nothing_grows_with_the_shots(make_world: Make) -> None:
    world = make_world(settings=QUICK, hopper=100_000)
    for _ in range(40):
        for cards in (9, 0, 9):
            world.shoot(cards)
            world.backend.button.press()
            world.run(6)
    for pin in world.backend.factory.pins.values():
        assert len(pin.states) <= KEPT_STATES + 1
    assert len(world.backend.launcher.arbiter._used) < 20  # type: ignore[attr-defined]  # the duty window only


def test_the_mock_pin_itself_is_a_button(world: World) -> None:
    world.pin("button").drive_low()
    assert len(world.seen) == 1
    world.run(0.5)
    world.pin("button").drive_high()
    world.run(0.5)
    assert len(world.seen) == 2


ACTS = st.one_of(
    st.tuples(st.just("begin"), st.integers(0, 20)),
    st.tuples(st.just("wait"), st.integers(0, 900)),
    st.tuples(st.sampled_from(["lid", "stop", "hand", "halt", "clear", "jam", "hard jam", "free"]), st.just(0)),
    st.tuples(st.sampled_from(["slip", "double", "empty", "press", "freeze", "load"]), st.just(0)),
    st.tuples(st.just("ask"), st.integers(0, len(FAULTS) - 1)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=40), st.integers(0, 3), st.sampled_from([16, None]), st.sampled_from([20, None]))
def test_whatever_happens_enable_keeps_its_limits_and_every_order_ends_once(
    acts: list[tuple[str, int]], seed: int, beam: int | None, beam2: int | None
) -> None:
    pins = PinMap(stop=26, beam=beam, beam2=beam2 if beam else None)
    world = virtual(seed=seed, settings=LauncherSettings(duty_ms=4000, kick_after_ms=200), pins=pins, hopper=40)
    permits = _permits(world)
    twin = world.twin
    lid, stop, hand, frozen = False, False, False, False
    orders: dict[int, ShotOrder] = {}
    for what, value in acts:
        if what == "begin":
            order = ShotOrder(len(orders) + 1, value, world.clock.now() + 0.3)
            orders[order.shot] = order
            world.launcher.begin_shot(order)
        elif what == "wait":
            world.run(value / 1000)
        elif what == "lid":
            lid = not lid
            (twin.open_lid if lid else twin.close_lid)()
        elif what == "stop":
            stop = not stop
            (twin.press_stop if stop else twin.release_stop)()
        elif what == "hand":
            hand = not hand
            twin.hand_in_exit(hand)
        elif what == "halt":
            world.launcher.halt("because")
            assert not world.level("enable")
        elif what == "clear":
            world.launcher.clear_fault()
        elif what in ("jam", "hard jam"):
            twin.jam(hard=what == "hard jam")
        elif what == "free":
            twin.free()
        elif what == "slip":
            twin.slip(3)
        elif what == "double":
            twin.double(2)
        elif what == "empty":
            twin.empty()
        elif what == "load":
            twin.load(40)
            world.launcher.loaded(40)
        elif what == "ask":
            fault = FAULTS[value]
            if fault in twin.faults():
                twin.ask(fault.name)
        elif what == "press":
            world.backend.button.press()
        else:
            frozen = not frozen
            world.clock.freeze("launcher", frozen)  # type: ignore[attr-defined]  # a virtual clock
        denial, status = world.launcher.denial(), world.launcher.status()
        assert denial is None or denial.reason in ("fault", "firing", "too-fast")
        assert (status.fault is not None) is (status.state in (LauncherState.FAULT, LauncherState.JAMMED))
    if frozen:
        world.clock.freeze("launcher", False)  # type: ignore[attr-defined]  # a virtual clock
    world.run(20)
    assert not world.level("enable")
    world.close()
    pulses = world.pulses("enable")
    grace = 0.25 if any(what == "freeze" for what, _ in acts) else 0.0
    spent = dict.fromkeys(orders, 0.0)
    for on, off in pulses:
        permit = [permit for permit in permits if permit.granted_at <= on][-1]
        assert off <= permit.expires_at + grace + 1e-9
        spent[permit.shot] += off - on
    for shot, seconds in spent.items():
        assert seconds <= world.settings.on_ms(orders[shot].cards) / 1000 + grace + 1e-9
    for shot, order in orders.items():
        (ended,) = world.ends(shot)
        told = world.progress(shot)
        assert told == sorted(set(told))
        if order.cards == 0:
            assert ended.cards == 0
        if ended.end is ShotEnd.VOID:
            assert (ended.cards, ended.certainty) == (0, Certainty.EXACT)


def _permits(world: World) -> list[Permit]:
    """Every permit granted from now on."""
    arbiter = world.backend.launcher.arbiter  # type: ignore[attr-defined]
    found: list[Permit] = []
    for name in ("grant", "grant_again"):
        grant = getattr(arbiter, name)

        def granted(shot: int, cards: int, now: float, grant: Callable[..., object] = grant) -> object:
            permit = grant(shot, cards, now)
            if isinstance(permit, Permit):
                found.append(permit)
            return permit

        setattr(arbiter, name, granted)
    return found


@pytest.mark.parametrize("held", [("twin",), ("twin", "launcher"), ("launcher",)])
@pytest.mark.parametrize("seconds", [0.02, 0.06, 0.1, 0.15])
def test_on_a_machine_too_busy_to_run_it_no_card_comes_that_nobody_could_have_stopped(
    make_world: Make, held: tuple[str, ...], seconds: float
) -> None:
    world = make_world(settings=QUICK)
    assert isinstance(world.clock, VirtualClock)
    for wanted in (1, 2, 3) * 8:
        before, shot = world.twin.out, world.begin(wanted, suspense=0.0)
        world.until(lambda before=before: world.twin.out > before)  # type: ignore[misc]  # a default for each
        for name in held:
            world.clock.freeze(name)
        world.run(seconds)
        for name in held:
            world.clock.freeze(name, frozen=False)
        ended = world.end_of(shot)
        world.run(8)
        assert (ended.cards, ended.end, world.twin.out - before) == (wanted, ShotEnd.DONE, wanted)
