"""Faults of the twin by name: what may be asked, what is refused and how, and what each does to a shot."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from hardware.pins import PinMap
from hardware.ports import ButtonPressed, ButtonReleased, Certainty, ShotEnd
from hardware.twin_faults import FAULTS, TwinFault, TwinFaultError, find
from tests.hardware.world import World

Make = Callable[..., World]
EVERYTHING = PinMap(beam2=20, stop=26)


def test_every_fault_describes_itself() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert fault.does
        assert fault.ends
        if fault.amount is not None:
            assert fault.amount.low <= fault.amount.usual <= fault.amount.high


def test_how_a_fault_ends_names_faults_there_are() -> None:
    for fault in FAULTS:
        if " with " in f" {fault.ends}":
            name = fault.ends.split("with ")[-1].split()[0]
            assert name in {"the"} | {known.name for known in FAULTS}, fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_can_be_asked_for_with_its_usual_amount_and_at_its_bounds(
    make_world: Make, fault: TwinFault
) -> None:
    amount = fault.amount
    for value in (None,) if amount is None else (None, amount.low, amount.high):
        world = make_world(pins=EVERYTHING)
        assert world.twin.ask(fault.name, value) is fault
        world.run(0.1)
        world.begin(2, suspense=0.0)
        world.run(5)
        assert not world.level("enable")


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.amount], ids=lambda fault: fault.name)
def test_an_amount_one_beyond_its_bounds_is_refused(world: World, fault: TwinFault) -> None:
    assert fault.amount is not None
    for value in (fault.amount.low - 1, fault.amount.high + 1, True):
        with pytest.raises(TwinFaultError, match=rf"^{fault.name}: {value} is not a number of {fault.amount.of} from"):
            world.twin.ask(fault.name, value)


def test_what_cannot_be_asked_for_is_said_and_changes_nothing(make_world: Make) -> None:
    world = make_world(pins=PinMap(beam=None))
    with pytest.raises(TwinFaultError, match=r"no fault 'jamm'; did you mean jam\?"):
        world.twin.ask("jamm")
    with pytest.raises(TwinFaultError, match=r"no fault 'zzz'; there are: press, jam, "):
        world.twin.ask("zzz")
    with pytest.raises(TwinFaultError, match="jam takes no number, and 2 was given"):
        world.twin.ask("jam", 2)
    with pytest.raises(TwinFaultError, match=r"press-stop: this machine has no stop wired; set \[pins\] stop"):
        world.twin.ask("press-stop")
    with pytest.raises(TwinFaultError, match="hand: this machine has no beam wired"):
        world.twin.ask("hand")
    assert world.launcher.denial() is None


def test_a_machine_offers_what_its_pins_allow(make_world: Make) -> None:
    everything = {fault.name for fault in make_world(pins=EVERYTHING).twin.faults()}
    assert everything == {fault.name for fault in FAULTS}
    less = {fault.name for fault in make_world(pins=PinMap(beam=None)).twin.faults()}
    assert everything - less == {"press-stop", "release-stop", "hand", "hand-away", "edges-lost"}
    assert find("jam").name == "jam"


def test_a_card_that_stays_lying_in_the_exit_is_pushed_out_by_the_next(world: World) -> None:
    world.twin.ask("stick-out")
    ended = world.shoot(3)
    assert world.twin.out >= 3
    assert (ended.end, ended.certainty is Certainty.EXACT) == (ShotEnd.DONE, False)


def test_the_last_card_lies_in_the_exit_until_a_person_takes_it(world: World) -> None:
    world.twin.ask("load", 1)
    world.launcher.loaded(1)
    world.twin.ask("stick-out")
    ended = world.shoot(1)
    assert ended.end is ShotEnd.JAMMED
    assert world.twin.out == 1
    assert not world.pin("beam").state
    world.twin.ask("free")
    world.run(0)
    assert world.pin("beam").state
    assert world.twin.hopper == 0  # it was taken, not put back


def test_cells_that_run_down_slow_the_motor_and_end_at_the_weakest(world: World) -> None:
    world.twin.ask("run-down", 10)
    world.shoot(4)
    machine = world.twin._machine
    on = sum(off - on for on, off in world.pulses("enable"))
    assert machine.cells == pytest.approx(1 - 0.1 * on, abs=0.01)
    world.twin.ask("run-down", 50)
    for _ in range(6):
        world.run(8)
        world.shoot(3)
        world.launcher.clear_fault()
    assert machine.cells == pytest.approx(0.3)
    world.twin.ask("cells", 100)
    world.run(0)
    assert machine.cells == 1.0


def test_weak_cells_make_every_card_slower(world: World) -> None:
    world.watch("beam")

    def blocks() -> list[float]:
        world.trace["beam"].clear()
        assert world.shoot(3).end is ShotEnd.DONE
        world.ready()
        return [end - start for (start, free), (end, _) in pairwise(world.trace["beam"]) if not free]

    full = blocks()
    assert len(full) == 3
    assert all(0.040 < time < 0.046 for time in full)
    world.twin.ask("cells", 80)
    weak = blocks()
    assert weak
    assert all(0.051 < time < 0.057 for time in weak)


def test_a_stiff_roller_turns_after_it_was_pulled_back(world: World) -> None:
    world.twin.ask("stiff")
    ended = world.shoot(3)
    assert (ended.cards, ended.end) == (3, ShotEnd.DONE)
    assert world.pulses("in2")


def test_a_flicker_in_the_beam_makes_no_card(world: World) -> None:
    world.twin.ask("flicker", 1000)
    ended = world.shoot(8)
    assert (ended.cards, ended.certainty) == (8, Certainty.EXACT) == (world.twin.out, Certainty.EXACT)


def test_a_bouncing_button_is_pressed_once(world: World) -> None:
    world.twin.ask("bounce", 40)
    for _ in range(20):
        world.twin.ask("press")
        world.run(1)
    told = [type(seen.event) for seen in world.seen]
    assert told == [ButtonPressed, ButtonReleased] * 20


def test_a_stuck_button_is_one_press_until_it_comes_up(world: World) -> None:
    world.twin.ask("stick-button")
    world.run(10)
    world.twin.ask("press")
    world.run(10)
    assert [type(seen.event) for seen in world.seen] == [ButtonPressed]
    world.twin.ask("release-button")
    world.run(1)
    world.twin.ask("press")
    world.run(1)
    assert [type(seen.event) for seen in world.seen] == [ButtonPressed, ButtonReleased, ButtonPressed, ButtonReleased]


def test_dead_edges_are_told_to_nobody(world: World) -> None:
    world.twin.ask("edges-dead")
    world.twin.ask("press")
    world.run(1)
    assert not any(isinstance(seen.event, ButtonPressed) for seen in world.seen)
    world.twin.ask("edges-alive")
    world.twin.ask("press")
    world.run(1)
    assert any(isinstance(seen.event, ButtonPressed) for seen in world.seen)


def test_the_second_beam_sees_each_card_a_little_later(make_world: Make) -> None:
    world = make_world(pins=EVERYTHING)
    for name in ("beam", "beam2"):
        world.watch(name)
    world.shoot(5)
    first, second = ([at for at, free in world.trace[name] if not free] for name in ("beam", "beam2"))
    assert len(first) == 5
    lags = [later - at for at, later in zip(first, second, strict=True)]
    assert all(0.043 * 0.95 * 25 / 87 <= lag <= 0.043 * 1.05 * 25 / 87 for lag in lags)
