"""Service shots, deals, counts and the twin's faults at a table: what they do and refuse, and after a restart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.table.messages import Answer, Who
from controller.table.picture import in_words
from hardware.backends import open_backend
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import LampState
from hardware.settings import LauncherSettings
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import last_event, real_cards, refusal, shoot
from tests.controller.stand import HOST, SETTINGS, Stand, always, facts

GUEST = Who("guest")


def picture(stand: Stand) -> dict[str, Any]:
    return stand.core.service(stand.backend.reading())


def fired(stand: Stand, cards: int) -> Answer:
    """A service shot and what its asker is told, once it is over."""
    heard: list[Answer] = []
    stand.send(HOST, heard.append, do="service-shot", cards=cards)
    stand.run()
    stand.until(lambda: bool(heard))
    assert stand.state.service is None
    return heard[0]


def gathered(stand: Stand, *names: str) -> None:
    for name in names or ("Ann", "Bo", "Cy"):
        stand.do(Who(name), do="sit", name=name)


# --- service shots


def test_a_service_shot_fires_what_was_asked_and_its_asker_is_told_what_came(stand: Stand) -> None:
    answer = fired(stand, 3)
    assert {name: answer[name] for name in ("ok", "asked", "cards", "certainty", "end")} == {
        "ok": True, "asked": 3, "cards": 3, "certainty": "exact", "end": "done",
    }  # fmt: skip
    assert stand.backend.twin.out == 3
    assert stand.table()["launcher"]["hopper"] == 109
    assert picture(stand)["shots"] == [
        {"shot": 1, "seat": None, "asked": 3, "cards": 3, "certainty": "exact", "end": "done", "cause": ""}
    ]
    assert last_event(stand, "service-shot") == {"e": "service-shot", "cards": 3, "certainty": "exact", "end": "done"}
    assert facts(stand.folded()) == facts(stand.state)


def test_it_is_on_disk_before_the_motor_turns(stand: Stand) -> None:
    stand.send(HOST, lambda answer: None, do="service-shot", cards=2)
    assert stand.backend.launcher.status().state == "ready", "nothing was ordered yet"
    stand.run()
    assert stand.rows("service")[0].body == {"shot": 1, "cards": 2, "why": "shot"}
    stand.until(lambda: stand.state.service is None)
    assert [row.kind for row in stand.rows()][-4:] == ["service", "service-end", "machine", "answer"]


def test_the_odds_and_the_game_know_nothing_of_it(stand: Stand) -> None:
    before = (stand.state.odds, stand.state.drawn, stand.state.last)
    fired(stand, 5)
    assert (stand.state.odds, stand.state.drawn, stand.state.last) == before


@pytest.mark.parametrize("cards", [0, -1, 15, 2.5, "3", None, True, [3]])
def test_how_many_cards_are_too_many(stand: Stand, cards: object) -> None:
    answer = refusal(stand, HOST, do="service-shot", cards=cards)
    assert (answer["reason"], answer["least"], answer["most"]) == ("bad-command", 1, 14)
    assert not stand.rows("service")


def test_the_largest_shot_is_made(stand: Stand) -> None:
    assert fired(stand, 14)["cards"] == 14


def test_only_the_host_may(stand: Stand) -> None:
    for verb in (
        "service-shot",
        "twin",
        "deal",
        "deal-go",
        "deal-said",
        "deal-skip",
        "deal-end",
        "count-deck",
        "count-end",
    ):
        assert stand.refused(GUEST, do=verb, cards=3, fault="jam") == "not-host"


def test_every_limit_holds(stand: Stand) -> None:
    heard: list[Answer] = []
    stand.send(HOST, heard.append, do="service-shot", cards=3)
    stand.run()
    assert stand.refused(HOST, do="service-shot", cards=3) == "firing"
    stand.until(lambda: bool(heard))
    answer = refusal(stand, HOST, do="service-shot", cards=3)
    assert answer["reason"] == "too-fast"
    assert 0 < float(str(answer["seconds"])) <= 0.4
    used = 0
    while True:  # until the minute's motor time is used up
        stand.pass_time(0.5, 0.1)
        asked = stand.tell(HOST, do="service-shot", cards=14)
        if asked is not None:
            assert (asked["reason"], stand.table()["launcher"]["state"]) == ("too-fast", "cooling")
            break
        stand.until(lambda: stand.state.service is None)
        used += 1
    motor = picture(stand)["motor"]
    assert 3 <= used <= 6
    assert motor["used"] <= motor["budget"] == 8.0
    assert motor["readyIn"] > 5
    stand.backend.twin.open_lid()
    stand.pass_time(0.1)
    assert stand.refused(HOST, do="service-shot", cards=1) == "fault"


def test_a_jam_is_told_and_waits_for_a_person(stand: Stand) -> None:
    stand.do(HOST, do="twin", fault="hard-jam")
    answer = fired(stand, 2)
    assert (answer["ok"], answer["cards"], answer["end"]) == (True, 0, "jammed")
    seen = picture(stand)
    assert (seen["state"], seen["fault"]["code"]) == ("jammed", "jammed")
    assert stand.refused(HOST, do="service-shot", cards=2) == "fault"
    stand.do(HOST, do="twin", fault="free")
    stand.pass_time(0.5)
    stand.do(HOST, do="clear-fault")
    stand.pass_time(0.5)
    assert fired(stand, 2)["cards"] == 2


def test_a_launcher_that_takes_no_orders_says_so(make_stand: MakeStand) -> None:
    stand = make_stand(machine="none", settings=replace(SETTINGS, button="none", typed=True))
    for body in ({"do": "service-shot", "cards": 3}, {"do": "deal"}, {"do": "count-deck"}):
        assert stand.refused(HOST, **body) == "no-orders"
    assert stand.refused(HOST, do="twin", fault="jam") == "no-twin"
    seen = picture(stand)
    assert (seen["orders"], seen["levels"], seen["motor"], seen["twin"]) == (False, None, None, None)


def test_in_a_game_only_while_it_is_paused_and_the_cards_go_back_before_it_goes_on(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    real_cards(stand)
    stand.pass_time(1)
    assert stand.refused(HOST, do="service-shot", cards=2) == "not-paused"
    stand.do(HOST, do="pause")
    position = stand.game.position.digest()
    fired(stand, 2)
    assert (stand.table()["launcher"]["hopper"], stand.table()["pile"]) == (88, 90), "two lie outside"
    assert picture(stand)["loose"]
    assert facts(stand.folded()) == facts(stand.state)
    stand.do(HOST, do="resume")
    assert stand.game.position.digest() == position
    assert (stand.table()["launcher"]["hopper"], stand.backend.launcher.status().hopper) == (90, 90)
    assert not picture(stand)["loose"]
    shoot(stand)
    assert stand.table()["launcher"]["hopper"] == 87


def test_the_game_goes_on_only_when_the_service_shot_is_over(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = real_cards(stand)
    stand.pass_time(1)
    stand.do(HOST, do="pause")
    heard: list[Answer] = []
    stand.send(HOST, heard.append, do="service-shot", cards=4)
    stand.run()
    assert stand.refused(HOST, do="resume") == "firing"
    assert stand.refused(HOST, do="end") == "firing"
    assert stand.refused(phones[0], do="press", seat=0) == "paused"
    stand.until(lambda: bool(heard))
    stand.do(HOST, do="resume")
    assert stand.state.last is None
    assert stand.backend.launcher.status().hopper == stand.table()["pile"] == 90


def test_no_game_begins_while_it_fires(stand: Stand) -> None:
    gathered(stand)
    stand.send(HOST, lambda answer: None, do="service-shot", cards=4)
    stand.run()
    assert stand.refused(HOST, do="start") == "firing"
    stand.until(lambda: stand.state.service is None)
    stand.do(HOST, do="start")


def test_a_cut_in_a_service_shot_leaves_the_hopper_unknown_and_nobody_waiting(stand: Stand) -> None:
    stand.send(HOST, lambda answer: None, do="service-shot", cards=9)
    stand.run()
    stand.until(lambda: stand.state.service is not None and stand.state.service.came >= 2)
    again = stand.again()
    assert again.state.service is None
    assert again.table()["launcher"]["hopper"] is None
    assert last_event(again, "notice") == {"e": "notice", "code": "service-lost"}
    assert facts(again.folded()) == facts(again.state)
    again.pass_time(1)
    fired(again, 1)
    assert again.state.shots == 2, "no number is used twice"
    again.close()


def test_what_a_cut_swallowed_is_said_until_somebody_tells_what_the_machine_holds(
    stand: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    stand.send(HOST, lambda answer: None, do="service-shot", cards=9)
    stand.run()
    stand.until(lambda: stand.state.service is not None and stand.state.service.came >= 2)
    again = stand.again()
    assert "a service shot of 9 cards, and nobody saw how many came" in caplog.text
    for _ in range(2):  # a second start forgets nothing
        assert again.folded().unseen == again.state.unseen
        seen = picture(again)
        assert (seen["unseen"], seen["hopper"]) == (9, None)
        assert seen["shots"] == [
            {"shot": 1, "seat": None, "asked": 9, "cards": 0, "certainty": "unknown", "end": "unseen", "cause": ""}
        ]
        assert "nobody saw how a service shot ended" in in_words(again.core.ground)
        again = again.again()
    again.pass_time(1)
    fired(again, 1)
    assert (picture(again)["unseen"], picture(again)["hopper"]) == (9, None), "what is left of an unknown number"
    again.do(HOST, do="reload", cards=80)
    assert (picture(again)["unseen"], picture(again)["hopper"]) == (None, 80)
    assert again.folded().unseen is None
    assert "nobody saw" not in in_words(again.core.ground)
    again.pass_time(1)
    fired(again, 1)
    assert picture(again)["hopper"] == 79
    again.close()


def test_what_a_shot_of_the_game_will_bring_is_shown_only_when_it_has(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    real_cards(stand)
    stand.pass_time(1)
    stand.press()
    assert stand.state.shot is not None
    assert picture(stand)["shots"] == []
    assert picture(stand)["shot"] is None
    stand.until(lambda: stand.state.shot is None)
    last = picture(stand)["shots"][0]
    assert (last["seat"], last["asked"], last["cards"], last["end"]) == (0, 3, 3, "done")


# --- the twin


def test_levels_are_those_of_the_pins(stand: Stand) -> None:
    seen = picture(stand)["levels"]
    assert (seen["lid-closed"], seen["beam-blocked"], seen["button-down"]) == (True, False, False)
    for fault, level, now in (
        ("open-lid", "lid-closed", False), ("hand", "beam-blocked", True), ("stick-button", "button-down", True),
    ):  # fmt: skip
        stand.do(HOST, do="twin", fault=fault)
        stand.pass_time(0.1)
        assert picture(stand)["levels"][level] is now, fault


def test_every_input_that_is_wired_is_read() -> None:
    backend: Any = open_backend("twin", LauncherSettings(), PinMap(beam2=20, stop=26), VirtualClock())
    assert backend.reading() is None, "nothing is claimed yet"
    backend.start(lambda event: None)
    backend.twin.press_stop()
    assert backend.reading().levels == {
        "lid-closed": True, "beam-blocked": False, "beam2-blocked": False, "stop-pressed": True, "button-down": False,
    }  # fmt: skip
    backend.close()
    assert backend.reading() is None


def test_faults_are_listed_and_asked_for_with_their_amount(stand: Stand) -> None:
    faults = {fault["name"]: fault for fault in picture(stand)["twin"]}
    assert faults["slip"]["amount"]["of"] == "cards"
    assert faults["jam"]["amount"] is None
    stand.do(HOST, do="twin", fault="load", value=50)
    stand.pass_time(0.1)
    assert stand.backend.twin.hopper == 50
    assert "sticks" in str(stand.do(HOST, do="twin", fault="jam")["does"])


@pytest.mark.parametrize(
    ("fault", "value", "said"),
    [("jamm", None, "did you mean jam?"), ("slip", 0, "from 1 to 1000"), ("slip", 1001, "from 1 to 1000"),
     ("jam", 3, "takes no number"), (None, None, "fault is a word"), ("slip", "3", "whole number"),
     ("slip", True, "whole number")],
)  # fmt: skip
def test_a_fault_there_is_not_is_refused_in_words(stand: Stand, fault: object, value: object, said: str) -> None:
    answer = refusal(stand, HOST, do="twin", fault=fault, value=value)
    assert answer["reason"] == "bad-fault"
    assert said in str(answer["text"])


# --- dealing


def test_a_deal_gives_every_seat_its_cards_by_the_button_or_the_page(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=5)
    dealing = stand.table()["dealing"]
    assert (dealing["names"], dealing["want"], dealing["seat"], dealing["step"]) == (["Ann", "Bo", "Cy"], 5, 0, "ready")
    assert stand.lamp.told[-1][1] is LampState.PRESS_NOW
    for seat in range(3):
        stand.pass_time(0.6)
        if seat == 1:
            stand.press()
        else:
            stand.do(HOST, do="deal-go")
        assert stand.table()["dealing"]["step"] == "firing"
        assert facts(stand.folded()) == facts(stand.state)
        stand.until(lambda: stand.table()["dealing"]["step"] != "firing")
    dealing = stand.table()["dealing"]
    assert (dealing["hands"], dealing["step"], dealing["shots"]) == ([5, 5, 5], "done", 3)
    assert stand.backend.twin.out == 15
    assert stand.table()["launcher"]["hopper"] == 97


def test_the_whole_deck_is_in_the_twin_when_a_deal_begins(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="twin", fault="empty")
    stand.do(HOST, do="deal", cards=3)
    stand.pass_time(0.1)
    assert (stand.backend.twin.hopper, stand.table()["launcher"]["hopper"]) == (112, 112)
    stand.do(HOST, do="twin", fault="load", value=2)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.table()["dealing"]["step"] != "firing")
    assert stand.table()["dealing"]["step"] in ("count", "trouble"), "it ran empty, and a person is asked"


def test_the_hand_size_is_that_of_the_rules(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal")
    assert stand.table()["dealing"]["want"] == 7


def test_a_jam_in_a_deal_is_put_right_and_the_rest_follows(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=4)
    stand.do(HOST, do="twin", fault="hard-jam")
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.table()["dealing"]["step"] == "count")
    stand.do(HOST, do="deal-said", cards=0)
    assert stand.refused(HOST, do="deal-go") == "fault"
    stand.do(HOST, do="twin", fault="free")
    stand.pass_time(0.5)
    stand.do(HOST, do="clear-fault")
    stand.pass_time(0.5)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.table()["dealing"]["seat"] == 1)
    assert stand.table()["dealing"]["hands"][0] == 4


def test_an_unsure_count_is_said_by_a_person(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=3)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.state.service is not None and stand.state.service.came >= 1, step=0.002)
    stand.backend.twin.hand_in_exit()
    stand.pass_time(0.5)
    stand.backend.twin.hand_in_exit(False)
    stand.until(lambda: stand.table()["dealing"]["step"] == "count")
    assert stand.refused(HOST, do="deal-go") == "not-yet"
    assert stand.refused(HOST, do="deal-said", cards=61) == "bad-command"
    stand.do(HOST, do="deal-said", cards=4)
    dealing = stand.table()["dealing"]
    assert (dealing["hands"], dealing["seat"], dealing["passed"]) == ([3, 1, 0], 1, 1)


def test_a_shot_that_follows_by_itself_waits_for_the_launcher_and_stops_when_told(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=20)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.state.service is None)
    assert stand.table()["dealing"]["step"] == "firing", "six more follow"
    assert stand.refused(HOST, do="service-shot", cards=1) in ("busy", "too-fast")
    stand.do(HOST, do="deal-end")
    stand.pass_time(3, 0.1)
    assert stand.table()["dealing"] is None
    assert stand.backend.twin.out == 14


def test_a_halt_between_two_shots_of_a_deal_asks_a_person(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=20)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.state.service is None)
    stand.do(HOST, do="halt")
    stand.until(lambda: stand.table()["dealing"]["step"] == "trouble")
    assert stand.backend.twin.out == 14
    stand.do(HOST, do="clear-fault")
    stand.pass_time(1)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.table()["dealing"]["seat"] == 1)
    assert stand.backend.twin.out == 20


def test_a_deal_goes_on_after_the_power_was_cut(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal", cards=4)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.table()["dealing"]["seat"] == 1)
    stand.pass_time(0.6)
    stand.do(HOST, do="deal-go")
    stand.until(lambda: stand.state.service is not None and stand.state.service.came >= 1, step=0.002)
    again = stand.again()
    dealing = again.table()["dealing"]
    assert (dealing["step"], dealing["seat"], dealing["hands"]) == ("count", 1, [4, 0, 0])
    again.do(HOST, do="deal-said", cards=2)
    again.pass_time(0.6)
    again.do(HOST, do="deal-go")
    again.until(lambda: again.table()["dealing"]["seat"] == 2)
    assert again.table()["dealing"]["hands"] == [4, 4, 0]
    again.close()


def test_who_can_not_be_dealt_to(make_stand: MakeStand) -> None:
    empty, robots, digital, playing = (make_stand() for _ in range(4))
    assert empty.refused(HOST, do="deal") == "no-such-player"
    assert empty.refused(HOST, do="deal-go") == "no-deal"
    for cards in (0, 61, "7", True):
        gathered_at = make_stand()
        gathered(gathered_at)
        assert gathered_at.refused(HOST, do="deal", cards=cards) == "bad-command"
    gathered(robots, "Ann")
    robots.do(HOST, do="add-bot")
    assert robots.refused(HOST, do="deal") == "no-bots"
    gathered(digital)
    digital.do(HOST, do="start")
    assert digital.refused(HOST, do="deal") == "real-cards-only"
    real_cards(playing)
    assert playing.refused(HOST, do="deal") == "game-on"


def test_a_game_with_real_cards_is_dealt_before_its_start_card(stand: Stand) -> None:
    real_cards(stand, start="", options={"hand_size": 2})
    stand.do(HOST, do="deal")
    for seat in range(3):
        stand.pass_time(0.6)
        stand.do(HOST, do="deal-go")
        if seat == 0:
            assert stand.refused(HOST, do="start-card", card="red 5") == "firing"
        stand.until(lambda: stand.table()["dealing"]["step"] != "firing")
    assert stand.table()["dealing"]["hands"] == [2, 2, 2]
    stand.do(HOST, do="start-card", card="red 5")
    assert stand.table()["dealing"] is None
    assert stand.table()["launcher"]["hopper"] == stand.table()["pile"] == 112 - 6 - 1
    assert facts(stand.folded()) == facts(stand.state)


def test_a_deal_is_over_when_a_game_on_phones_begins(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="deal")
    stand.do(HOST, do="start")
    assert stand.table()["dealing"] is None
    stand.press()
    assert stand.state.service is None


# --- counting


def counted(stand: Stand) -> dict[str, Any]:
    stand.until(lambda: picture(stand)["count"]["step"] != "firing", limit=600, step=0.1)
    count: dict[str, Any] = picture(stand)["count"]
    return count


def test_a_whole_deck_is_counted_within_the_motors_time(stand: Stand) -> None:
    stand.do(HOST, do="count-deck")
    count = counted(stand)
    assert (count["step"], count["counted"], count["missing"], count["certainty"]) == ("done", 112, 0, "exact")
    assert picture(stand)["motor"]["used"] <= 8.0
    assert stand.state.empty
    stand.do(HOST, do="reload")
    assert stand.table()["launcher"]["hopper"] == 112


def test_missing_cards_are_said_once_a_person_has_looked(make_stand: MakeStand) -> None:
    stand = make_stand()
    stand.do(HOST, do="twin", fault="load", value=27)
    stand.do(HOST, do="count-deck", cards=30)
    count = counted(stand)
    assert (count["step"], count["counted"]) == ("trouble", 27), "stuck and empty cannot be told apart"
    stand.do(HOST, do="count-empty")
    count = picture(stand)["count"]
    assert (count["step"], count["missing"]) == ("done", 3)
    assert stand.table()["launcher"]["hopper"] == 0
    assert stand.backend.launcher.status().state != "jammed"


def test_a_count_can_be_ended_and_is_over_when_a_game_begins(stand: Stand) -> None:
    gathered(stand)
    stand.do(HOST, do="count-deck")
    assert stand.refused(HOST, do="deal") == "busy"
    assert stand.refused(HOST, do="count-deck") == "busy"
    stand.do(HOST, do="count-end")
    stand.until(lambda: stand.state.service is None)
    out = stand.backend.twin.out
    stand.pass_time(2, 0.1)
    assert (stand.backend.twin.out, picture(stand)["count"]) == (out, None)
    assert stand.refused(HOST, do="count-go") == "no-count"
    stand.do(HOST, do="count-deck")
    stand.until(lambda: stand.state.service is None)
    stand.do(HOST, do="start")
    stand.pass_time(2, 0.1)
    assert picture(stand)["count"] is None
    assert stand.refused(HOST, do="count-deck") == "game-on"


def test_a_machine_of_metal_is_taken_to_hold_the_whole_deck(make_stand: MakeStand) -> None:
    """Else one that was thought nearly empty would be called so as soon as a card sticks."""
    stand = make_stand(hopper=3)
    stand.core.ground.parts = replace(stand.core.ground.parts, fill=None)
    stand.do(HOST, do="count-deck", cards=12)
    count = counted(stand)
    assert (count["step"], count["counted"]) == ("done", 12)
