"""The contracts of every launcher, over the firmware's core at the other end of a line.

Of the twin's own contract, what is about this process's watchdog and loop is left out (the controller's dead-man and
watchdogs are tried in `test_chip`), and what asks of a line that it takes no time at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import ButtonPressed, ButtonReleased, LampState, ShotEnd
from hardware.settings import LauncherSettings
from tests.bridge.world import BridgeWorld, ChipBackend
from tests.hardware import test_contract, test_contract_port
from tests.hardware.world import Port

OF_THE_TWIN = (
    "a_card_that_sticks_once_is_freed_by_one_retry",
    "a_dry_shot_moves_nothing",
    "a_fault_is_not_cleared_while_its_shot_is_still_being_ended",
    "a_finger_that_is_still_down_cannot_press_again",
    "a_hand_in_the_exit_at_the_reveal_makes_the_shot_void",
    "a_hopper_emptied_behind_our_back_is_said_to_be_unclear",
    "a_jam_is_cleared_by_a_person_once_the_exit_is_free",
    "a_lid_whose_edge_was_lost_is_found_open_at_the_reveal",
    "a_lid_whose_edge_was_lost_stops_the_motor_all_the_same",
    "a_listener_that_raises_loses_nothing_else",
    "a_second_order_in_a_shot_is_void_and_the_first_goes_on",
    "a_shot_of_three",
    "a_shot_whose_reveal_has_come_begins_at_once",
    "a_slipping_roller_is_a_jam_within_the_motor_time",
    "a_slow_machine_stops_when_its_time_is_over",
    "an_empty_hopper_ends_the_shot_with_what_came",
    "an_open_lid_is_latched_also_when_nothing_is_under_way",
    "cards_that_come_slowly_use_up_the_minute_and_not_more",
    "close_before_the_reveal_makes_the_shot_void",
    "halt_cuts_before_it_returns",
    "lid_opened_before_the_reveal_makes_the_shot_void",
    "lid_opened_in_mid_shot",
    "more_cards_than_ordered_are_reported_as_they_came",
    "nothing_before_the_reveal_tells_a_dry_shot_from_a_firing_one",
    "rest_after_a_shot_denies_until_its_very_end",
    "the_button_works_in_every_fault_and_during_a_shot",
    "the_duty_budget_denies_before_the_press_and_at_the_reveal_and_recovers",
    "the_motor_turns_at_the_reveal_and_every_output_is_low_afterwards",
)

port = test_contract_port.port
globals().update({f"test_{name}": getattr(test_contract, f"test_{name}") for name in OF_THE_TWIN})
globals().update({name: test for name, test in vars(test_contract_port).items() if name.startswith("test_")})

pytestmark = pytest.mark.slow

PINS = {"one beam": PinMap(), "two beams": PinMap(beam2=20), "no beam": PinMap(beam=None)}


@pytest.fixture(params=PINS)
def open_port(request: pytest.FixtureRequest, core: Any) -> Any:
    """Opens ports of the backend; closed afterwards."""
    ports: list[Port] = []
    pins = PINS[request.param]

    def opened() -> Port:
        clock, settings = VirtualClock(), LauncherSettings()
        ports.append(Port(clock, settings, ChipBackend(core, clock, settings, pins, hopper=112)))
        ports[-1].settle()
        return ports[-1]

    yield opened
    for each in ports:
        each.close()


def test_the_emergency_stop_stops_and_is_cleared_when_it_is_released(world: BridgeWorld) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.twin.press_stop()
    assert world.level("enable") is False
    assert world.end_of(shot).end is ShotEnd.STOPPED
    still = world.launcher.clear_fault()
    assert still is not None
    assert still.code == "stop-pressed"
    world.twin.release_stop()
    world.run(0)
    assert world.launcher.clear_fault() is None
    world.ready()


def test_a_card_that_stays_stuck_is_a_jam_after_one_retry_and_never_a_third(world: BridgeWorld) -> None:
    world.twin.jam(hard=True)
    ended = world.shoot(3)
    assert (ended.cards, ended.end) == (0, ShotEnd.JAMMED)
    world.run(60)
    assert len(world.pulses("in2")) == 1
    assert sum(off - on for on, off in world.pulses("enable")) <= world.settings.on_ms(3) / 1000
    fault = world.launcher.status().fault
    assert fault is not None
    assert "stuck" in fault.cause


def test_loading_clears_a_jam_and_an_open_lid_when_the_sensors_agree(world: BridgeWorld) -> None:
    world.twin.jam(hard=True)
    world.shoot(3)
    world.twin.open_lid()
    world.twin.free()
    world.run(1)
    world.launcher.loaded(100)
    assert world.launcher.status().fault is not None
    world.twin.close_lid()
    world.run(0)
    world.launcher.loaded(100)
    world.ready()
    assert world.launcher.status().hopper == 100


def test_the_button_is_told_once_for_each_press_and_each_release(make_world: Callable[..., BridgeWorld]) -> None:
    world = make_world()
    for _ in range(5):
        at = world.clock.now()
        world.backend.button.press()
        world.run(0.5)
        pressed, released = (seen.event for seen in world.seen[-2:])
        assert isinstance(pressed, ButtonPressed)
        assert pressed.at == pytest.approx(at, abs=0.002)
        assert isinstance(released, ButtonReleased)
    assert len(world.seen) == 10


def test_the_lamp_answers_a_press_with_an_edge_whatever_it_showed(world: BridgeWorld) -> None:
    for before in LampState:
        world.backend.signals.lamp(before)
        world.run(0.3)
        lit = world.level("lamp")
        world.backend.signals.lamp(LampState.PRESSED)
        world.run(0.002)
        assert before is LampState.PRESSED or world.level("lamp") is not lit
    world.close()
    assert world.level("lamp") is False
