"""The contract every backend keeps, as scenarios; here over the twin on a virtual clock, two of them in real time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from hardware.ports import (
    ButtonPressed,
    ButtonReleased,
    Certainty,
    HardwareEvent,
    LampState,
    LauncherChanged,
    LauncherState,
    ShotEnd,
    ShotEnded,
    ShotOrder,
)
from hardware.settings import LauncherSettings
from hardware.twin_physics import Physics
from tests.hardware.world import World, real

Make = Callable[..., World]


def test_a_shot_of_three(world: World) -> None:
    shot = world.begin(3)
    world.run(0.699)
    assert world.level("enable") is False
    assert world.launcher.status().state is LauncherState.PRESSED
    assert world.end_of(shot) == ShotEnded(shot, 3, Certainty.EXACT, ShotEnd.DONE)
    assert world.progress(shot) == [1, 2, 3]
    assert world.twin.out == 3
    assert world.launcher.status().hopper == 109
    world.ready()
    assert world.states() == [
        LauncherState.PRESSED,
        LauncherState.FIRING,
        LauncherState.RESTING,
        LauncherState.READY,
    ]


def test_the_motor_turns_at_the_reveal_and_every_output_is_low_afterwards(world: World) -> None:
    begun = world.clock.now()
    world.end_of(world.begin(3))
    on, off = world.pulses("enable")[0]
    assert on == pytest.approx(begun + 0.7)
    assert off - on <= world.settings.on_ms(3) / 1000
    assert len(world.pulses("enable")) == 1
    assert len(world.pulses("in2")) == 1  # braking and pulling back
    assert not any(world.level(name) for name in ("enable", "in1", "in2"))


def test_a_shot_whose_reveal_has_come_begins_at_once(world: World) -> None:
    shot = world.begin(2, suspense=-5.0)
    world.run(0)
    assert world.level("enable") is True
    assert world.level("in1") is True
    assert world.states() == [LauncherState.PRESSED, LauncherState.FIRING]
    assert world.end_of(shot).cards == 2


def test_a_dry_shot_moves_nothing(world: World) -> None:
    shot = world.begin(0)
    world.run(0.699)
    assert world.ends(shot) == []
    assert world.end_of(shot) == ShotEnded(shot, 0, Certainty.EXACT, ShotEnd.DONE)
    world.ready()
    assert world.states() == [LauncherState.PRESSED, LauncherState.RESTING, LauncherState.READY]
    assert world.trace["enable"] == world.trace["in1"] == world.trace["in2"] == []
    assert world.launcher.status().hopper == 112


@pytest.mark.parametrize("disturbance", ["", "lid", "hand", "press", "second order"])
@pytest.mark.parametrize("cards", [1, 3, 14])
def test_nothing_before_the_reveal_tells_a_dry_shot_from_a_firing_one(
    make_world: Make, caplog: pytest.LogCaptureFixture, cards: int, disturbance: str
) -> None:
    caplog.set_level(logging.DEBUG)

    def watch(ordered: int) -> list[object]:
        caplog.clear()
        world = make_world()
        world.begin(2, suspense=0.0)  # something before it, so that rest and duty are in play
        world.ready()
        begun = world.clock.now()
        world.begin(ordered)
        seen: list[object] = []
        for tick in range(699):
            world.run(0.001)
            seen += [world.launcher.status(), world.launcher.denial()]
            if tick == 300 and disturbance == "lid":
                world.twin.open_lid()
            if tick == 300 and disturbance == "hand":
                world.twin.hand_in_exit()
            if tick == 300 and disturbance == "press":
                world.backend.button.press()
            if tick == 300 and disturbance == "second order":
                world.begin(3)
        assert world.clock.now() < begun + 0.7
        pins = [(name, [state.state for state in pin.states]) for name, pin in _all_pins(world)]
        logged = [(record.name, record.levelno, record.getMessage()) for record in caplog.records]
        return [*seen, *world.seen, pins, world.trace, logged, world.clock.now()]

    assert watch(0) == watch(cards)


def _all_pins(world: World) -> list[tuple[str, Any]]:
    return [(repr(pin), pin) for pin in world.backend.factory.pins.values()]


@pytest.mark.parametrize("cards", [0, 3])
def test_lid_opened_before_the_reveal_makes_the_shot_void(world: World, cards: int) -> None:
    shot = world.begin(cards)
    world.run(0.3)
    world.twin.open_lid()
    world.run(0.01)
    assert world.ends(shot) == [ShotEnded(shot, 0, Certainty.EXACT, ShotEnd.VOID, "the lid is open")]
    world.run(3)
    assert len(world.ends(shot)) == 1
    assert world.trace["enable"] == []
    assert world.launcher.status().hopper == 112


@pytest.mark.parametrize("cards", [0, 3])
def test_a_lid_whose_edge_was_lost_is_found_open_at_the_reveal(world: World, cards: int) -> None:
    shot = world.begin(cards)
    world.run(0.3)
    world.pin("lid")._state = 1.0  # without an edge
    assert world.end_of(shot).end is ShotEnd.VOID
    assert world.launcher.status().fault is not None
    assert world.trace["enable"] == []


@pytest.mark.parametrize("cards", [0, 3])
def test_a_hand_in_the_exit_at_the_reveal_makes_the_shot_void(world: World, cards: int) -> None:
    shot = world.begin(cards)
    world.run(0.3)
    world.twin.hand_in_exit()
    assert world.end_of(shot).end is ShotEnd.VOID
    assert world.trace["enable"] == []
    denial = world.launcher.denial()
    assert denial is not None
    assert denial.reason == "fault"
    world.twin.hand_in_exit(False)
    world.run(0)
    assert world.launcher.denial() is None
    assert world.shoot(cards).end is ShotEnd.DONE


def test_lid_opened_in_mid_shot(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1, 2])
    opened = world.clock.now()
    world.twin.open_lid()
    world.run(0)
    assert world.pulses("enable")[-1][1] <= opened + 0.010
    assert world.level("enable") is False
    ended = world.end_of(shot)
    assert ended.end is ShotEnd.STOPPED
    assert ended.cause == "the lid is open"
    assert ended.cards == world.twin.out
    assert world.launcher.status().state is LauncherState.FAULT
    assert world.states()[-1] is LauncherState.FAULT


def test_a_lid_whose_edge_was_lost_stops_the_motor_all_the_same(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.pin("lid")._state = 1.0
    lost = world.clock.now()
    assert world.end_of(shot).end is ShotEnd.STOPPED
    assert world.pulses("enable")[-1][1] <= lost + 0.05


def test_the_emergency_stop_stops(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.twin.press_stop()
    world.run(0)
    assert world.level("enable") is False
    assert world.end_of(shot).end is ShotEnd.STOPPED
    still = world.launcher.clear_fault()
    assert still is not None
    assert still.code == "stop-pressed"
    world.twin.release_stop()
    assert world.launcher.clear_fault() is None


def test_halt_cuts_before_it_returns(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.launcher.halt("somebody shouted")
    assert not any(world.level(name) for name in ("enable", "in1", "in2"))
    ended = world.end_of(shot)
    assert (ended.end, ended.cause) == (ShotEnd.STOPPED, "somebody shouted")
    denial = world.launcher.denial()
    assert denial is not None
    assert (denial.reason, denial.text) == ("fault", "somebody shouted")
    assert world.shoot(3).end is ShotEnd.VOID
    assert world.launcher.clear_fault() is None
    world.run(0.4)
    assert world.shoot(3).end is ShotEnd.DONE


def test_a_fault_is_not_cleared_while_its_shot_is_still_being_ended(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.launcher.halt("now")
    assert world.launcher.clear_fault() is not None
    world.end_of(shot)
    assert world.launcher.clear_fault() is None


def test_a_card_that_sticks_once_is_freed_by_one_retry(world: World) -> None:
    world.twin.jam()
    ended = world.shoot(3)
    assert ended == ShotEnded(1, 3, Certainty.AT_LEAST, ShotEnd.DONE)
    assert world.twin.out == 3
    assert len(world.pulses("enable")) == 2
    first, second = world.pulses("enable")
    assert second[0] - first[1] == pytest.approx(world.settings.rest_ms / 1000)


def test_a_card_that_stays_stuck_is_a_jam_after_one_retry_and_never_a_third(world: World) -> None:
    world.twin.jam(hard=True)
    ended = world.shoot(3)
    assert (ended.cards, ended.end) == (0, ShotEnd.JAMMED)
    world.run(60)
    assert len(world.pulses("in1")) == 2
    assert len(world.pulses("in2")) == 1
    total = sum(off - on for on, off in world.pulses("enable"))
    assert total <= world.settings.on_ms(3) / 1000
    status = world.launcher.status()
    assert status.state is LauncherState.JAMMED
    assert status.fault is not None
    assert "stuck" in status.fault.cause


@pytest.mark.parametrize("cards", [1, 2, 3, 14])
def test_a_slipping_roller_is_a_jam_within_the_motor_time(world: World, cards: int) -> None:
    world.twin.slip(1000)
    ended = world.shoot(cards)
    assert (ended.cards, ended.end) == (0, ShotEnd.JAMMED)
    assert "cannot be told apart" in ended.cause or "stuck, slipping or empty" in ended.cause
    assert len(world.pulses("in1")) == 2
    assert sum(off - on for on, off in world.pulses("enable")) <= world.settings.on_ms(cards) / 1000


def test_a_jam_is_cleared_by_a_person_once_the_exit_is_free(world: World) -> None:
    world.twin.jam(hard=True)
    world.shoot(3)
    still = world.launcher.clear_fault()
    assert still is not None
    assert still.code == "beam-blocked"
    world.twin.free()
    world.run(1)
    assert world.launcher.clear_fault() is None
    world.run(0)
    assert world.states()[-1] is LauncherState.READY
    assert world.shoot(3).cards == 3


def test_loading_clears_a_jam_and_an_open_lid_when_the_sensors_agree(world: World) -> None:
    world.twin.jam(hard=True)
    world.shoot(3)
    world.twin.open_lid()
    world.twin.free()
    world.run(1)
    world.launcher.loaded(100)
    assert world.launcher.status().fault is not None
    world.twin.close_lid()
    world.launcher.loaded(100)
    assert world.launcher.status().fault is None
    assert world.launcher.status().hopper == 100
    with pytest.raises(ValueError, match="cannot be loaded"):
        world.launcher.loaded(-1)


def test_an_open_lid_is_latched_also_when_nothing_is_under_way(world: World) -> None:
    world.twin.open_lid()
    world.run(0)
    assert world.launcher.status().state is LauncherState.FAULT
    fault = world.launcher.clear_fault()
    assert fault is not None
    assert fault.code == "lid-open"
    world.twin.close_lid()
    world.run(5)
    assert world.launcher.status().state is LauncherState.FAULT
    assert world.launcher.clear_fault() is None
    world.run(0)
    assert world.states() == [LauncherState.FAULT, LauncherState.READY]


def test_a_slow_machine_stops_when_its_time_is_over(make_world: Make) -> None:
    world = make_world(physics=Physics(interval_ms=(320.0, 330.0)))
    ended = world.shoot(3)
    assert (ended.end, ended.cards) == (ShotEnd.DONE, 2)
    assert ended.cause == "the time for this shot is over"
    ((on, off),) = world.pulses("enable")
    assert 0.9 < off - on <= world.settings.on_ms(3) / 1000


def test_rest_after_a_shot_denies_until_its_very_end(world: World) -> None:
    for cards in (2, 0):
        world.shoot(cards)
        rest_until = (world.pulses("enable")[-1][1] if cards else world.clock.now()) + 0.4
        world.run(rest_until - world.clock.now() - 0.001)
        denial = world.launcher.denial()
        assert denial is not None
        assert denial.reason == "too-fast"
        assert world.launcher.status().state is LauncherState.RESTING
        assert world.shoot(2, suspense=0.0).end is ShotEnd.VOID
        world.run(0.002)
        assert world.launcher.denial() is None
        assert world.launcher.status().state is LauncherState.READY


def test_the_duty_budget_denies_before_the_press_and_at_the_reveal_and_recovers(make_world: Make) -> None:
    world = make_world(settings=LauncherSettings(duty_ms=4000, most_cards=14))
    while world.launcher.denial() is None:
        assert world.shoot(4).end is ShotEnd.DONE
        world.run(0.4)
    denial = world.launcher.denial()
    assert denial is not None
    assert (denial.reason, "cool down" in denial.text) == ("too-fast", True)
    assert denial.seconds is not None
    assert world.launcher.status().state is LauncherState.COOLING
    changed = [each.event for each in world.seen if isinstance(each.event, LauncherChanged)][-1]
    assert changed.until == pytest.approx(world.clock.now() + denial.seconds)
    assert changed.until is not None
    for cards in (0, 1):
        ended = world.shoot(cards)
        assert (ended.end, ended.cards) == (ShotEnd.VOID, 0)
    world.run(changed.until - 0.001 - world.clock.now())
    assert world.launcher.denial() is not None
    assert world.states()[-1] is LauncherState.COOLING
    world.run(0.002)
    assert world.states()[-1] is LauncherState.READY  # told by itself
    assert world.launcher.denial() is None
    assert world.shoot(4).end is ShotEnd.DONE


def test_cards_that_come_slowly_use_up_the_minute_and_not_more(make_world: Make) -> None:
    settings = LauncherSettings(duty_ms=4000, most_cards=4, interval_ms=60)
    world = make_world(settings=settings, physics=Physics(interval_ms=(320.0, 330.0)))
    while world.launcher.denial() is None:
        assert world.shoot(12).end is ShotEnd.DONE
        world.run(0.4)
    assert world.launcher.status().fault is None
    pulses = world.pulses("enable")
    for _, end in pulses:
        assert sum(max(0.0, off - max(on, end - 60)) for on, off in pulses) <= 4.0


def test_an_empty_hopper_ends_the_shot_with_what_came(make_world: Make) -> None:
    world = make_world(hopper=2)
    ended = world.shoot(3)
    assert (ended.cards, ended.certainty, ended.end) == (2, Certainty.EXACT, ShotEnd.EMPTY)
    assert world.launcher.status().hopper == 0
    world.ready()
    assert world.shoot(3).end is ShotEnd.EMPTY
    world.launcher.loaded(112)
    world.ready()
    assert world.shoot(3).end is ShotEnd.DONE
    assert world.launcher.status().hopper == 109


def test_a_hopper_emptied_behind_our_back_is_said_to_be_unclear(world: World) -> None:
    world.twin.empty()
    ended = world.shoot(3)
    assert ended.end is ShotEnd.JAMMED
    assert "empty" in ended.cause


def test_more_cards_than_ordered_are_reported_as_they_came(world: World) -> None:
    world.shoot(2)
    world.ready()
    world.twin.double()
    ended = world.shoot(1)
    assert ended.cards == world.twin.out - 2 == 2
    assert ended.certainty is Certainty.EXACT


def test_a_second_order_in_a_shot_is_void_and_the_first_goes_on(world: World) -> None:
    first = world.begin(3)
    second = world.begin(4)
    world.run(0)
    denial = world.launcher.denial()
    assert denial is not None
    assert denial.reason == "firing"
    assert world.end_of(second).end is ShotEnd.VOID
    assert world.end_of(first) == ShotEnded(first, 3, Certainty.EXACT, ShotEnd.DONE)
    world.run(10)
    assert len(world.ends(first)) == len(world.ends(second)) == 1
    assert world.twin.out == 3


def test_close_is_idempotent_and_ends_a_shot_under_way(world: World, caplog: pytest.LogCaptureFixture) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.close()
    assert not any(world.level(name) for name in ("enable", "in1", "in2", "lamp"))
    (ended,) = world.ends(shot)
    assert (ended.end, ended.cards, ended.certainty) == (ShotEnd.STOPPED, 1, Certainty.AT_LEAST)
    assert world.states()[-1] is LauncherState.CLOSED
    world.close()
    world.launcher.halt("too late")
    world.backend.signals.lamp(LampState.FAULT)
    world.backend.button.press()
    assert "Error" not in caplog.text
    late = world.begin(3)
    assert [ended.end for ended in world.ends(late)] == [ShotEnd.VOID]
    denial = world.launcher.denial()
    assert denial is not None
    assert denial.reason == "fault"
    assert world.launcher.clear_fault() is not None
    assert world.launcher.status().state is LauncherState.CLOSED
    world.run(10)
    assert len(world.ends(shot)) == 1


def test_close_before_the_reveal_makes_the_shot_void(world: World) -> None:
    shot = world.begin(3)
    world.run(0.1)
    world.close()
    assert [ended.end for ended in world.ends(shot)] == [ShotEnd.VOID]
    assert world.trace["enable"] == []


def test_a_loop_that_hangs_in_mid_shot_is_cut_by_the_watchdog(world: World) -> None:
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1, 2])
    world.clock.freeze("launcher")  # type: ignore[attr-defined]  # a virtual clock
    hung = world.clock.now()
    world.run(0.5)
    assert world.level("enable") is False
    assert world.pulses("enable")[-1][1] <= hung + 0.25
    assert world.states()[-1] is LauncherState.FAULT
    assert world.ends(shot) == []
    world.clock.freeze("launcher", False)  # type: ignore[attr-defined]  # a virtual clock
    ended = world.end_of(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert ended.cards == world.twin.out
    assert world.launcher.denial() is not None


@pytest.mark.parametrize("first", ["launcher", "watchdog"])
@pytest.mark.parametrize("halted", [False, True])
def test_a_process_that_stood_still_in_mid_shot_knows_no_count(world: World, first: str, halted: bool) -> None:
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1, 2])
    world.clock.freeze("launcher")  # type: ignore[attr-defined]  # a virtual clock
    world.clock.freeze("watchdog")  # type: ignore[attr-defined]
    world.run(5)
    if halted:
        world.launcher.halt("somebody asks")  # its fault is the first, and the one that is shown
    for name in (first, "launcher", "watchdog"):
        world.clock.freeze(name, False)  # type: ignore[attr-defined]
        world.run(0)
    ended = world.end_of(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert world.level("enable") is False
    fault = world.launcher.status().fault
    assert fault is not None
    assert fault.code == ("halted" if halted else "watchdog")
    assert world.launcher.clear_fault() is None
    world.ready()
    assert world.shoot(2).certainty is Certainty.EXACT


def test_close_ends_the_shot_of_a_loop_that_never_comes_back(world: World) -> None:
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.clock.freeze("launcher")  # type: ignore[attr-defined]  # a virtual clock
    world.close()
    (ended,) = world.ends(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert world.level("enable") is False


def test_an_error_in_the_loop_stops_the_motor_and_is_a_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr("hardware.launcher.step", fail)
    world.run(0.2)
    assert world.level("enable") is False
    (ended,) = world.ends(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert "a mistake" in ended.cause
    assert world.launcher.status().state is LauncherState.FAULT
    monkeypatch.undo()
    assert world.launcher.clear_fault() is None
    world.run(0.4)
    assert world.shoot(2).end is ShotEnd.DONE
    assert "loop failed" in caplog.text


def test_a_listener_that_raises_loses_nothing_else(make_world: Make, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: HardwareEvent) -> None:
        raise RuntimeError("a mistake in the listener")

    world = make_world(on_event=fail)
    world.backend.button.press()
    world.run(0.5)
    world.backend.button.press()
    world.run(0.5)
    presses = [seen for seen in world.seen if isinstance(seen.event, ButtonPressed)]
    assert len(presses) == 2
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.twin.open_lid()
    world.run(0)
    assert world.level("enable") is False
    assert world.end_of(shot).end is ShotEnd.STOPPED
    assert "the listener failed" in caplog.text


def test_the_button_is_told_once_for_each_press_at_its_first_contact(world: World) -> None:
    for press in range(1, 31):
        pushed = world.clock.now()
        world.backend.button.press()
        events = [seen.event for seen in world.seen]
        assert events[-1] == ButtonPressed(pushed)  # before any time has passed
        world.run(0.2)
        events = [seen.event for seen in world.seen]
        assert len(events) == 2 * press
        assert isinstance(events[-1], ButtonReleased)
        assert pushed + 0.05 < events[-1].at < pushed + 0.1


def test_a_finger_that_is_still_down_cannot_press_again(world: World) -> None:
    for _ in range(3):
        world.backend.button.press()
        world.run(0.01)
    world.run(1)
    assert [type(seen.event) for seen in world.seen] == [ButtonPressed, ButtonReleased]


def test_the_button_works_in_every_fault_and_during_a_shot(world: World) -> None:
    world.begin(3)
    world.backend.button.press()
    world.run(5)
    world.launcher.halt("a fault")
    world.backend.button.press()
    world.run(1)
    assert len([seen for seen in world.seen if isinstance(seen.event, ButtonPressed)]) == 2


def test_the_lamp_answers_a_press_with_an_edge_whatever_it_showed(world: World) -> None:
    for before in (LampState.OFF, LampState.PRESS_NOW, LampState.YOUR_TURN, LampState.FIRING):
        world.backend.signals.lamp(before)
        world.run(0.05)
        lit = world.level("lamp")
        world.backend.signals.lamp(LampState.PRESSED)
        assert world.level("lamp") is not lit
        edges = len(world.trace["lamp"])
        world.run(0.7)
        assert len(world.trace["lamp"]) > edges + 5  # it blinks
    world.backend.signals.lamp(LampState.OFF)
    edges = len(world.trace["lamp"])
    world.run(60)
    assert len(world.trace["lamp"]) == edges
    assert world.level("lamp") is False


def test_nothing_wakes_up_while_nothing_is_under_way(world: World) -> None:
    world.shoot(3)
    world.ready()
    world.run(1)
    clock = world.clock
    waiting = [worker.name for worker in clock._workers if worker.deadline is not None]  # type: ignore[attr-defined]
    assert waiting == []


def test_restarting_gives_a_fresh_launcher(make_world: Make) -> None:
    first = make_world()
    first.begin(5, suspense=0.0)
    first.run(0.2)
    first.close()
    with pytest.raises(RuntimeError, match="started once"):
        first.backend.start(lambda _: None)
    second = make_world(hopper=107)
    assert second.shoot(3).cards == 3


def test_real_time_a_shot_of_three(real_world: World) -> None:
    shot = real_world.begin(3, suspense=0.05)
    ended = real_world.end_of(shot)
    assert ended.end is ShotEnd.DONE
    assert ended.cards == real_world.twin.out >= 3
    assert not any(real_world.level(name) for name in ("enable", "in1", "in2"))
    real_world.backend.button.press()
    real_world.until(lambda: any(isinstance(seen.event, ButtonReleased) for seen in real_world.seen))
    real_world.ready()


def test_real_time_lid_opened_in_mid_shot(real_world: World) -> None:
    shot = real_world.begin(14, suspense=0.0)
    real_world.until(lambda: bool(real_world.progress(shot)))
    real_world.twin.open_lid()
    real_world.until(lambda: not real_world.level("enable"))
    assert real_world.end_of(shot).end is ShotEnd.STOPPED
    real_world.until(lambda: real_world.states()[-1] is LauncherState.FAULT)


def test_real_time_a_listener_that_hangs_is_cut_by_the_watchdog() -> None:
    hang, hanging = threading.Event(), threading.Event()

    def listen(event: HardwareEvent) -> None:
        if isinstance(event, LauncherChanged) and event.state is LauncherState.FIRING:
            hanging.set()
            hang.wait(20)

    world = real(on_event=listen)
    try:
        shot = world.begin(14, suspense=0.0)
        assert hanging.wait(10)
        world.until(lambda: not world.level("enable"))
        assert world.launcher.status().state is LauncherState.FAULT
        hang.set()
        assert world.end_of(shot).end is ShotEnd.STOPPED
    finally:
        hang.set()
        world.close()


def test_orders_from_many_threads_all_end_exactly_once(real_world: World) -> None:
    orders = [ShotOrder(number, number % 2, 0.0) for number in range(100, 140)]
    threads = [threading.Thread(target=real_world.launcher.begin_shot, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    real_world.until(lambda: all(real_world.ends(order.shot) for order in orders))
    real_world.close()
    assert [len(real_world.ends(order.shot)) for order in orders] == [1] * len(orders)
