"""The path of one press: from the button to the motor and to the phones, and what nobody may know before the reveal."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Any

import pytest

from controller.odds import Odds
from controller.table.picture import as_told_at
from hardware.ports import Cue, LampState
from hardware.settings import LauncherSettings
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, Stand, always

TWO_HITS = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red hit-2", "blue 7", "blue 8"]
Bo = ["green 1", "green 2"]
Cy = ["yellow 3", "yellow 4", "yellow 6"]
"""


def motor(stand: Stand) -> bool:
    return bool(stand.backend.factory.pin(22).state)


def hit_two(stand: Stand) -> list[Any]:
    """Ann plays a hit-2: Bo owes two hits."""
    phones = stand.put(TWO_HITS)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    assert stand.table()["due"]["what"] == "hit"
    return phones


def test_a_press_of_the_button_fires_and_the_cards_reach_the_phones(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    hit_two(stand)
    assert stand.lamp.told[-1][1] is LampState.PRESS_NOW
    began = stand.clock.now()
    stand.press()
    assert stand.lamp.told[-1] == (began, LampState.PRESSED), "the lamp answers at once"
    assert stand.table()["launcher"]["state"] == "pressed"
    assert stand.table()["launcher"]["shot"] == {"seat": 1, "cards": 0}
    assert not motor(stand)
    stand.until(lambda: motor(stand))
    assert stand.clock.now() - began == pytest.approx(0.7, abs=0.03)
    stand.until(lambda: stand.state.shot is None)
    assert stand.lamp.told[-1][1] is LampState.PRESS_NOW
    assert not motor(stand)
    table = stand.table()
    assert table["launcher"]["last"] == {"seat": 1, "cards": 3, "certainty": "exact"}
    assert table["launcher"]["hopper"] == 109
    assert table["seats"][1]["hand"] == 5
    assert table["seats"][1]["owed"] == 1
    counted = [event["cards"] for event in stand.events() if event["e"] == "shot"]
    assert counted == [3]
    took = next(event for event in stand.events(1) if event["e"] == "took")
    assert len(took["cards"]) == 3
    assert "cards" not in next(event for event in stand.events(0, 2) if event["e"] == "took")
    stand.pass_time(1)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert stand.table()["turn"] == 2


def test_the_cards_are_seen_while_they_come(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(5))
    hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    seen = [view["table"]["launcher"]["shot"] for view in frames(stand)]
    assert [shot["cards"] for shot in seen if shot][-1] == 5
    assert {1, 2, 3, 4, 5} <= {shot["cards"] for shot in seen if shot}


def frames(stand: Stand, *seats: int) -> list[dict[str, Any]]:
    return [json.loads(each.frame(frozenset(seats))) for _, each in stand.published]


def everything_before_the_reveal(stand: Stand, cards: int, source: str) -> list[object]:
    """All that leaves the table from a press to just before its reveal, with the times at which it leaves."""
    phones = hit_two(stand)
    stand.published.clear()
    stand.lamp.told.clear()
    stand.lamp.cues.clear()
    heard: list[object] = []
    began = stand.clock.now()
    if source == "button":
        stand.press()
    else:
        stand.send(phones[1], lambda answer: heard.append((stand.clock.now(), answer)), do="press", seat=1)
        stand.run()
    channels: list[object] = []
    reveal = began + SETTINGS.suspense + (SETTINGS.pause if stand.profile.pauses else 0)
    while stand.clock.now() < reveal - 0.0015:
        stand.pass_time(0.001, 0.001)
        lamp, buzzer = (stand.backend.factory.pin(number).state for number in (23, 24))
        channels.append((motor(stand), lamp, buzzer, stand.core.ground.launcher_state))
        refusals = [stand.tell(phones[0], do="play", seat=0, card="blue 7", id=f"x{len(channels)}")]
        channels.append(refusals)
    channels += [[(at, each.frame(frozenset(seats))) for at, each in stand.published] for seats in ({0}, {1}, set())]
    assert [cue for _, cue, _ in stand.lamp.cues] == [Cue.PRESSED]
    assert [name.split()[0] for _, name in stand.players.log] == ["aplay", "killed", "aplay"], "cut by the suspense"
    channels += [heard, list(stand.lamp.told), list(stand.lamp.more), list(stand.lamp.cues), list(stand.players.log)]
    assert not motor(stand)
    stand.until(lambda: stand.state.shot is None)
    assert stand.state.last is not None
    assert stand.state.last.cards == cards
    return channels


@pytest.mark.parametrize("mysteries", [{}, {"rising": True, "pauses": 1.0}])
@pytest.mark.parametrize("source", ["button", "phone"])
def test_a_dry_and_a_firing_press_cannot_be_told_apart_before_the_reveal(
    make_stand: MakeStand, source: str, mysteries: dict[str, Any]
) -> None:
    def secret(cards: int) -> list[object]:
        profile = replace(always(cards), **mysteries)
        return everything_before_the_reveal(make_stand(profile=profile, loudspeaker=True), cards, source)

    dry, fires = secret(0), secret(4)
    assert len(dry) > 1000
    assert dry == fires


def test_a_press_from_a_phone_is_answered_when_the_launcher_has_it(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = hit_two(stand)
    assert stand.do(phones[1], do="press", seat=1) == {"ok": True, "id": "c2"}
    assert stand.state.shot is not None
    stand.until(lambda: stand.state.shot is None)
    assert len(stand.game.position.hands[1]) == 4


def test_whose_press_it_may_be(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = hit_two(stand)
    assert stand.refused(phones[0], do="press", seat=0) == "no-hit-due"
    assert stand.refused(phones[0], do="press", seat=1) == "not-your-seat"
    assert stand.refused(phones[2], do="press") == "no-hit-due"
    assert stand.refused(HOST, do="press", seat=2) == "no-hit-due"
    assert stand.refused(HOST, do="press", seat="one") == "bad-command"
    stand.do(HOST, do="press")
    assert stand.state.shot is not None
    assert stand.state.shot.seat == 1


def test_a_table_with_a_real_button_wants_that_pressed(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2), settings=replace(SETTINGS, button="finger"))
    phones = hit_two(stand)
    assert stand.table()["launcher"]["button"] == "finger"
    assert stand.refused(phones[1], do="press", seat=1) == "wrong-source"
    stand.press()
    assert stand.state.shot is not None


def test_presses_and_plays_during_a_shot_are_refused_and_not_queued(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = hit_two(stand)
    stand.press()
    assert stand.refused(phones[1], do="press", seat=1) == "firing"
    assert stand.refused(phones[0], do="play", seat=0, card="blue 7") == "firing"
    assert stand.refused(HOST, do="undo") == "firing"
    assert stand.refused(HOST, do="stand", seat=2) == "firing"
    stand.pass_time(0.2)
    stand.press()  # a finger
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(3)
    assert stand.state.shots == 1
    assert stand.table()["seats"][1]["owed"] == 1


def test_a_press_in_the_rest_after_a_shot_is_too_fast(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None, step=0.001)
    assert stand.refused(phones[1], do="press", seat=1) == "too-fast"
    stand.pass_time(2)
    assert stand.state.shots == 1


HOT = LauncherSettings(duty_ms=4000)  # 2220 ms are set aside: two shots of eight cards, and it must cool down


def test_a_launcher_that_cools_down_says_so_and_for_how_long(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(8), launcher=HOT)
    phones = hit_two(stand)
    for shots in (1, 2):
        assert stand.table()["launcher"]["readyIn"] is None
        stand.press()
        stand.until(lambda shots=shots: stand.state.shots == shots and stand.state.shot is None)  # type: ignore[misc]
        stand.pass_time(0.5)
    launcher = stand.table()["launcher"]
    assert launcher["state"] == "cooling"
    assert 50 < launcher["readyIn"] < 60
    assert stand.lamp.told[-1][1].value == "off"
    began = stand.published[-1][0]
    late = as_told_at(began + 20, stand.published[-1][1])
    assert json.loads(late.frame(frozenset()))["table"]["launcher"]["readyIn"] == pytest.approx(
        launcher["readyIn"] - 20
    )
    for who, more in ((phones[2], {"seat": 2}), (HOST, {})):
        before = stand.clock.now()
        answer = stand.tell(who, do="press", **more)
        assert answer is not None
        assert (answer["ok"], answer["reason"]) == (False, "too-fast")
        assert answer["seconds"] == pytest.approx(began + launcher["readyIn"] - before, abs=0.11)
    told = len(stand.published)
    stand.until(lambda: len(stand.published) > told, limit=60)
    assert stand.clock.now() == pytest.approx(began + launcher["readyIn"], abs=0.15)
    assert (stand.table()["launcher"]["state"], stand.table()["launcher"]["readyIn"]) == ("ready", None)
    assert stand.lamp.told[-1][1].value == "your-turn"
    stand.press()
    assert stand.state.shots == 3


def test_refused_presses_are_told_once_a_second(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="controller.table.button")
    hit_two(stand)
    stand.do(HOST, do="pause")
    for _ in range(7):
        stand.press()
        stand.pass_time(0.3)
    refused = [event for event in stand.events() if event["e"] == "press-refused"]
    assert refused == [{"e": "press-refused", "reason": "paused"}] * 2
    lines = [record.message for record in caplog.records if record.name == "controller.table.button"]
    assert lines == ["the button does nothing now: the game is paused: the host resumes it"] * 2


@pytest.mark.parametrize("cards", [0, 8])
def test_cooling_down_tells_nothing_of_a_press_before_its_reveal(make_stand: MakeStand, cards: int) -> None:
    stand = make_stand(profile=always(8), launcher=HOT)
    hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(0.5)
    stand.core.ground.odds = Odds(always(cards), stand.core.ground.rng)
    stand.press()
    pressed = stand.clock.now()
    stand.pass_time(0.69)
    launchers = [
        (at - pressed, json.loads(each.frame(frozenset()))["table"]["launcher"])
        for at, each in stand.published
        if at >= pressed
    ]
    assert [(at, each["state"], each["readyIn"]) for at, each in launchers] == [(0, "pressed", None)] * len(launchers)
    assert len(launchers) == 2


def test_a_press_nobody_may_make_changes_nothing_and_is_told(stand: Stand) -> None:
    stand.press()
    assert [event for event in stand.events() if event["e"] == "press-refused"] == [
        {"e": "press-refused", "reason": "no-game"}
    ]
    assert stand.state.shots == 0


def test_a_shot_denied_at_its_reveal_is_void_and_the_hit_stays_owed(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    hit_two(stand)
    stand.press()
    stand.backend.twin.open_lid()
    stand.until(lambda: stand.state.shot is None)
    assert [event["end"] for event in stand.events() if event["e"] == "shot"] == ["void"]
    table = stand.table()
    assert table["seats"][1] | {"hand": 2, "owed": 2} == table["seats"][1]
    assert table["launcher"]["state"] == "fault"
    assert table["launcher"]["fault"]["remedy"]
    assert stand.lamp.told[-1][1] is LampState.FAULT


def test_a_fault_is_cleared_by_a_person_when_its_cause_is_gone(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = hit_two(stand)
    stand.backend.twin.open_lid()
    stand.run()
    assert stand.refused(phones[1], do="press", seat=1) == "fault"
    answer = stand.tell(HOST, do="clear-fault")
    assert answer is not None
    assert (answer["ok"], answer["code"]) == (False, "lid-open")
    assert stand.refused(phones[1], do="clear-fault") == "not-host"
    stand.backend.twin.close_lid()
    stand.do(HOST, do="clear-fault")
    stand.until(lambda: stand.table()["launcher"]["state"] == "ready")
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert len(stand.game.position.hands[1]) == 5


def test_a_shot_stopped_in_the_middle_counts_what_came_out(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(8))
    hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is not None and stand.state.shot.came >= 2, step=0.002)
    stand.backend.twin.open_lid()
    stand.until(lambda: stand.state.shot is None)
    shot = next(event for event in stand.events() if event["e"] == "shot")
    assert shot["end"] == "stopped"
    assert 2 <= shot["cards"] < 8
    assert shot["cards"] == stand.backend.twin.out or shot["certainty"] == "at_least"
    assert len(stand.game.position.hands[1]) == 2 + shot["cards"]
    assert stand.table()["seats"][1]["owed"] == 1


def test_halting_stops_the_motor_at_once(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(8))
    phones = hit_two(stand)
    stand.press()
    stand.until(lambda: motor(stand))
    assert stand.refused(phones[0], do="halt") == "not-host"
    stand.do(HOST, do="halt")
    assert not motor(stand)
    stand.until(lambda: stand.state.shot is None)
    assert stand.table()["launcher"]["fault"] == {
        "code": "halted", "cause": "The host stopped the launcher.",
        "remedy": "Clear the fault when the cause is gone.",
    }  # fmt: skip


def test_an_empty_machine_asks_for_a_reload_and_changes_no_card_of_the_game(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3), hopper=2)
    phones = hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert len(stand.game.position.hands[1]) == 4
    due = stand.table()["due"]
    assert (due["seat"], due["what"], due["units"], due["why"]) == (1, "reload", 1, "hit-2")
    stand.pass_time(1)
    assert stand.refused(phones[1], do="press", seat=1) == "hopper-empty"
    assert stand.refused(phones[1], do="reload") == "not-host"
    assert stand.refused(HOST, do="reload", cards=0) == "bad-command"
    pile = len(stand.game.position.pile)
    stand.do(HOST, do="reload")
    assert stand.table()["launcher"]["hopper"] == 112
    assert len(stand.game.position.pile) == pile
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert len(stand.game.position.hands[1]) == 7


def test_with_an_empty_machine_whoever_has_a_card_to_play_goes_on(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3), hopper=4)
    phones = stand.put(TWO_HITS.replace('"green 1", "green 2"', '"green 1", "red 9"'))
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    for _ in range(2):
        stand.press()
        stand.until(lambda: stand.state.shot is None)
        stand.pass_time(0.5)
    assert stand.state.empty
    turn = stand.table()["turn"]
    assert stand.table()["due"] == {"seat": turn, "what": "reload"}
    stand.do(HOST, do="set-turn", seat=1)
    assert stand.table()["due"] == {"seat": 1, "what": "reload"}
    stand.do(phones[1], do="play", seat=1, card="red 9")
    assert stand.table()["due"] == {"seat": 2, "what": "reload"}
    assert stand.refused(phones[2], do="press", seat=2) == "hopper-empty"
    stand.do(HOST, do="reload")
    assert stand.table()["due"] == {"seat": 2, "what": "play"}


def test_a_jam_counts_what_came_and_asks_a_person(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    hit_two(stand)
    stand.backend.twin.jam(hard=True)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    table = stand.table()
    assert table["launcher"]["state"] == "jammed"
    assert table["launcher"]["fault"]["remedy"]
    assert stand.refused(HOST, do="press") == "fault"
    stand.backend.twin.free()
    stand.pass_time(0.5)
    stand.do(HOST, do="clear-fault")
    stand.pass_time(1)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert stand.table()["launcher"]["state"] in ("resting", "ready")


def test_the_last_shot_is_corrected_by_its_presser_at_once_and_by_the_host_later(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    assert stand.refused(phones[0], do="correct", cards=1) == "not-host"
    assert stand.refused(phones[1], do="correct", cards=1, seat=0) == "not-host"
    stand.do(phones[1], do="correct", cards=2)
    assert len(stand.game.position.hands[1]) == 4
    assert stand.table()["launcher"]["last"] == {"seat": 1, "cards": 2, "certainty": "exact"}
    stand.pass_time(1)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(1)
    stand.do(HOST, do="set-colour", colour="yellow")
    stand.do(phones[2], do="play", seat=2, card="yellow 3")
    assert stand.refused(phones[1], do="correct", cards=1) == "not-host"
    stand.do(HOST, do="correct", cards=1)
    assert len(stand.game.position.hands[1]) == 5


def test_nothing_published_names_the_planned_shot_or_the_seed(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(4), seed="an unguessable seed")
    hit_two(stand)
    stand.press()
    everything = "".join(each.frame(frozenset({0, 1, 2}), host=True) for _, each in stand.published)
    assert "unguessable" not in everything
    assert '"cards":4' not in everything
    assert stand.state.shot is not None
    assert stand.state.shot.cards == 4
