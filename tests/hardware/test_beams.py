"""The launcher with two beams, with none, with beams whose changes get lost, and with a roller slow to start."""

from __future__ import annotations

import logging
from collections.abc import Callable
from statistics import fmean

import pytest

from hardware.pins import PinMap
from hardware.ports import Certainty, LauncherState, ShotEnd, ShotEnded
from hardware.sensors import BEAM_BLOCKED
from hardware.settings import LauncherSettings
from hardware.twin_physics import Physics
from tests.hardware.world import World

Make = Callable[..., World]
TWO = PinMap(beam2=20, stop=26)
NONE = PinMap(beam=None, stop=26)
QUICK = LauncherSettings(rest_ms=0, duty_ms=30_000)


def test_two_beams_count_what_came_out_and_doubt_nothing(make_world: Make) -> None:
    world = make_world(pins=TWO, settings=QUICK, hopper=10_000)
    for shot in range(60):
        before = world.twin.out
        if shot % 4 == 0:
            world.twin.double(overlap=0.2 + 0.01 * shot)
        ended = world.shoot(1 + shot % 7)
        assert (ended.cards, ended.end) == (world.twin.out - before, ShotEnd.DONE)
        assert ended.certainty is Certainty.EXACT
        world.run(8)


def test_two_beams_tell_a_slow_card_from_two(make_world: Make) -> None:
    for pins, cards in ((TWO, 3), (PinMap(), 4)):
        world = make_world(pins=pins, physics=Physics(interval_ms=(150, 150), card_ms=70, card_jitter=0))
        ended = world.shoot(3)
        if pins is TWO:
            assert (ended.cards, ended.certainty) == (cards, Certainty.EXACT)
        else:  # one beam takes slow cards for pairs, and is not sure of them
            assert (ended.cards, ended.certainty) == (cards, Certainty.UNKNOWN)


@pytest.mark.parametrize("beam", ["beam", "beam2"])
def test_something_in_either_beam_keeps_the_motor_still(make_world: Make, beam: str) -> None:
    world = make_world(pins=TWO)
    world.pin(beam).drive_low()
    world.run(0)
    denial = world.launcher.denial()
    assert denial is not None
    assert denial.text == "something is in front of the card exit"
    assert world.shoot(2).end is ShotEnd.VOID
    world.pin(beam).drive_high()
    world.run(0)
    assert world.launcher.denial() is None


def test_without_a_beam_a_shot_is_timed_and_its_count_is_unknown(make_world: Make) -> None:
    world = make_world(pins=NONE)
    begun = world.clock.now()
    ended = world.shoot(3)
    assert ended == ShotEnded(1, 3, Certainty.UNKNOWN, ShotEnd.DONE)
    forward, _braking = world.pulses("in1")[0]
    assert forward == begun
    turned = world.trace["in2"][0][0] - forward  # braking lifts the other input as well
    assert turned == pytest.approx(world.settings.forward_ms(3, 112) / 1000)
    assert world.launcher.status().hopper == 109
    assert not any(world.level(name) for name in ("enable", "in1", "in2"))


def test_without_a_beam_about_as_many_cards_come_as_were_asked_for(make_world: Make) -> None:
    world = make_world(pins=NONE, settings=QUICK, hopper=10_000)
    errors = []
    for shot in range(60):
        wanted, before = 1 + shot % 8, world.twin.out
        assert world.shoot(wanted).cards == wanted
        errors.append(world.twin.out - before - wanted)
        world.run(8)
    assert abs(fmean(errors)) < 0.5
    assert max(map(abs, errors)) <= 2


@pytest.mark.parametrize("fault", ["jam", "hard-jam", "slip", "empty", "hand"])
def test_without_a_beam_nothing_is_taken_for_a_jam(make_world: Make, fault: str) -> None:
    world = make_world(pins=NONE)
    if fault != "hand":
        world.twin.ask(fault)
    ended = world.shoot(4)
    assert (ended.end, ended.certainty) == (ShotEnd.DONE, Certainty.UNKNOWN)
    assert len(world.pulses("enable")) == 1
    world.ready()


def test_without_a_beam_a_hopper_known_to_be_empty_ends_the_shot(make_world: Make) -> None:
    world = make_world(pins=NONE, hopper=2)
    ended = world.shoot(4)
    assert (ended.cards, ended.certainty, ended.end) == (2, Certainty.UNKNOWN, ShotEnd.EMPTY)
    assert world.launcher.status().hopper == 0


@pytest.mark.parametrize("cards", [1, 9, 30, 108])
def test_without_a_beam_every_limit_holds(make_world: Make, cards: int) -> None:
    # A pace slower than the motor time allows: the time ends the shot, not the cards.
    world = make_world(pins=NONE, settings=LauncherSettings(pace_ms=300, spin_up_ms=600), hopper=500)
    ended = world.shoot(cards)
    ((on, off),) = world.pulses("enable")
    assert off - on <= world.settings.on_ms(cards) / 1000
    assert ended.cause == "the time for this shot is over"
    assert ended.cards < cards
    assert ended.end is ShotEnd.DONE


def test_without_a_beam_a_lid_opened_in_mid_shot_stops_it_and_what_should_have_come_is_told(make_world: Make) -> None:
    world = make_world(pins=NONE)
    shot = world.begin(8, suspense=0.0)
    world.run(0.300)
    world.twin.open_lid()
    world.run(0)
    assert not world.level("enable")
    ended = world.end_of(shot)
    # The fronts of the first two come 150 and 240 ms after forward.
    assert (ended.cards, ended.certainty, ended.end) == (2, Certainty.UNKNOWN, ShotEnd.STOPPED)


def test_without_a_beam_the_last_cards_of_a_light_pile_are_given_more_time(make_world: Make) -> None:
    def turned(settings: LauncherSettings) -> float:
        world = make_world(pins=NONE, settings=settings, hopper=4)
        world.shoot(4)
        return world.trace["in2"][0][0] - world.trace["in1"][0][0]

    light = turned(LauncherSettings(light_cards=10, light_ms=50))
    # The last four of ten come 35, 40, 45 and 50 ms later.
    assert light == pytest.approx(turned(LauncherSettings()) + 0.170)


def test_a_light_pile_is_waited_for_with_a_beam_as_well(make_world: Make) -> None:
    slow = Physics(interval_ms=(300, 300), light_share=1.5, light_cards=30, card_jitter=0)
    jams = make_world(physics=slow, hopper=3).shoot(2)
    assert jams.end is ShotEnd.JAMMED
    settings = LauncherSettings(light_cards=30, light_ms=450, max_on_base_ms=2000)
    waits = make_world(physics=slow, hopper=3, settings=settings).shoot(2)
    assert (waits.end, waits.cards) == (ShotEnd.DONE, 2)


@pytest.mark.parametrize("pins", [PinMap(), TWO])
def test_a_beam_whose_changes_get_lost_stops_the_motor_and_is_a_fault(make_world: Make, pins: PinMap) -> None:
    world = make_world(pins=pins)
    world.twin.ask("edges-lost")
    begun = world.clock.now()
    ended = world.shoot(8)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert world.pulses("enable")[-1][1] - begun < 0.4  # before it could be taken for a jam
    status = world.launcher.status()
    assert status.state is LauncherState.FAULT
    assert status.fault is not None
    assert status.fault.code == "edges-lost"
    world.run(60)
    assert world.launcher.denial() is not None  # latched
    world.twin.ask("edges-alive")
    assert world.launcher.clear_fault() is None
    world.ready()
    assert world.shoot(3).certainty is Certainty.EXACT


@pytest.mark.parametrize("pins", [PinMap(), TWO])
def test_a_free_beam_whose_last_change_was_lost_refuses_no_shot_once_the_fault_is_cleared(
    make_world: Make, pins: PinMap
) -> None:
    world = make_world(pins=pins)
    shot = world.begin(8, suspense=0.0)
    world.until(lambda: not world.level("beam"))  # low: something is in it
    world.run(0.005)
    world.twin.ask("edges-lost")  # with a card in the beam: that it has left again is told by nobody
    assert world.end_of(shot).certainty is Certainty.UNKNOWN
    world.run(10)
    world.twin.ask("edges-alive")
    world.run(60)
    assert world.level("beam"), "the pin says that it is free"
    assert world.launcher.clear_fault() is None
    assert world.launcher.denial() is None
    world.run(0.1)
    assert world.launcher.denial() is None
    assert world.shoot(3).certainty is Certainty.EXACT


@pytest.mark.parametrize("pins", [PinMap(), TWO])
def test_a_hand_whose_coming_or_going_was_lost_refuses_as_long_as_it_is_there(make_world: Make, pins: PinMap) -> None:
    world = make_world(pins=pins)
    world.twin.ask("edges-lost")
    world.twin.ask("hand")
    world.run(0.1)
    denial = world.launcher.denial()
    assert denial is not None
    assert denial.text == BEAM_BLOCKED.cause
    world.twin.ask("hand-away")
    world.run(0.1)
    assert world.launcher.denial() is None
    world.twin.lose_edges(False)
    world.twin.ask("hand")
    world.run(0.1)
    world.twin.ask("edges-lost")
    world.twin.ask("hand-away")
    world.run(0.1)
    assert world.launcher.denial() is None


def test_changes_that_get_lost_in_mid_shot_are_noticed(world: World) -> None:
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1, 2])
    world.twin.ask("edges-lost")
    lost = world.clock.now()
    assert world.end_of(shot).end is ShotEnd.STOPPED
    assert world.pulses("enable")[-1][1] - lost < 0.4
    assert world.launcher.status().fault is not None


def test_one_look_at_a_beam_that_shows_something_else_is_not_enough(world: World) -> None:
    shot = world.begin(8, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.twin.lose_edges()
    world.until(lambda: bool(world.launcher._unheard), limit=0.3)  # type: ignore[attr-defined]  # the first look
    since = world.clock.now()
    world.run(0.019)
    assert world.launcher.status().fault is None
    world.run(0.002)
    assert world.launcher.status().fault is not None
    assert world.pulses("enable")[-1][1] == pytest.approx(since + 0.020, abs=0.001)


def test_an_edge_that_comes_late_is_no_lost_one(world: World) -> None:
    shot = world.begin(8, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    world.twin.lose_edges()
    world.until(lambda: bool(world.launcher._unheard), limit=0.3)  # type: ignore[attr-defined]  # the first look
    world.run(0.015)
    world.twin.lose_edges(False)
    world.pin("beam")._call_when_changed()  # only now it is told
    assert world.end_of(shot).end is ShotEnd.DONE


def test_a_stiff_roller_is_shaken_loose_within_the_same_shot(make_world: Make) -> None:
    world = make_world(settings=LauncherSettings(kick_after_ms=200))
    world.twin.ask("stiff")
    ended = world.shoot(3)
    assert (ended.cards, ended.certainty, ended.end) == (3, Certainty.EXACT, ShotEnd.DONE)
    assert len(world.pulses("enable")) == 1  # no second try
    kick = world.pulses("in2")[0]
    assert kick[1] - kick[0] == pytest.approx(0.030)


@pytest.mark.parametrize("cards", [1, 3, 14])
def test_a_roller_that_is_not_shaken_loose_is_a_jam_after_one_kick_and_one_retry(make_world: Make, cards: int) -> None:
    world = make_world(settings=LauncherSettings(kick_after_ms=200))
    world.twin.ask("slip", 1000)
    ended = world.shoot(cards)
    assert (ended.cards, ended.end) == (0, ShotEnd.JAMMED)
    assert len(world.pulses("enable")) == 2
    assert len(world.pulses("in2")) == 2  # the kick, and the pulling back before the second try
    assert sum(off - on for on, off in world.pulses("enable")) <= world.settings.on_ms(cards) / 1000


def test_a_machine_that_is_not_slow_is_not_kicked(make_world: Make) -> None:
    world = make_world(settings=LauncherSettings(kick_after_ms=200))
    world.shoot(3)
    assert len(world.pulses("in2")) == 1  # braking and pulling back


def test_every_transition_is_one_line_of_keys_and_values(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "hardware.launcher")
    world.twin.jam(hard=True)
    world.shoot(2)
    lines = [record.getMessage() for record in caplog.records if record.getMessage().startswith("shot=")]
    keys = ["shot", "from", "to", "at", "after_ms", "drive", "wanted", "cards", "try", "end", "cause"]
    for line in lines:
        head, _, cause = line.partition(' cause="')
        assert cause.endswith('"')
        assert [pair.partition("=")[0] for pair in head.split()] == keys[:-1]
    phases = [line.split(" to=")[1].split()[0] for line in lines]
    assert phases == ["spinning", "counting", "clearing", "reversing", "spinning", "counting", "settling", "settled"]
    assert 'end=jammed cause="the beam has been blocked too long' in lines[-1]
