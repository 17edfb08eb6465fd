"""Shots nobody ordered: typed at a table without a launcher, or seen at one that shoots by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table.messages import Answer, Who
from hardware.ports import Certainty, ShotSeen
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import last_event, real_cards
from tests.controller.stand import HOST, SETTINGS, Stand, facts

TYPED = replace(SETTINGS, button="none", typed=True)
WATCHED = replace(SETTINGS, button="finger", typed=True)
DIGITAL = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red hit-2", "blue 7", "blue 8"]
Bo = ["green 1", "green 2"]
Cy = ["yellow 3", "yellow 4", "yellow 6"]
"""


def typed(make_stand: MakeStand) -> Stand:
    return make_stand(machine="none", settings=TYPED)


def watched(make_stand: MakeStand) -> Stand:
    return make_stand(machine="watch-twin", settings=WATCHED)


def hands(stand: Stand) -> list[int]:
    return [seat["hand"] for seat in stand.table()["seats"]]


def shots_told(stand: Stand) -> list[tuple[int, int, str]]:
    return [(e["seat"], e["cards"], e["certainty"]) for e in stand.events() if e["e"] == "shot"]


# --- no launcher


@pytest.mark.parametrize("physical", [True, False])
def test_people_type_how_many_came(make_stand: MakeStand, physical: bool) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand) if physical else stand.put(DIGITAL)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    held = hands(stand)[1]
    launcher = stand.table()["launcher"]
    assert (launcher["backend"], launcher["button"], launcher["typed"]) == ("none", "none", True)
    assert launcher["hopper"] == (90 if physical else None)
    stand.do(phones[1], do="hit", seat=1, cards=3)
    assert hands(stand)[1] == held + 3
    assert stand.table()["seats"][1]["owed"] == 1
    assert stand.table()["launcher"]["last"] == {"seat": 1, "cards": 3, "certainty": "exact"}
    assert stand.table()["launcher"]["hopper"] == (87 if physical else None)
    stand.do(phones[1], do="hit", cards=0)
    assert stand.table()["turn"] == 2
    assert shots_told(stand) == [(1, 3, "exact"), (1, 0, "exact")]
    assert stand.state.shots == 2
    assert [(row.body["source"], row.body["cards"]) for row in stand.rows("shot")] == [("typed", 3), ("typed", 0)]
    stand.do(HOST, do="undo")
    stand.do(HOST, do="hit", seat=1, cards=2)
    assert hands(stand)[1] == held + 5


def test_a_typed_shot_comes_back_after_a_restart_and_is_corrected(make_stand: MakeStand) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand)
    stand.do(phones[0], do="hit", seat=0, cards=4, id="typed once")
    assert facts(stand.folded()) == facts(stand.state)
    again = stand.again()
    assert {**facts(again.state), "epoch": 0} == {**facts(stand.state), "epoch": 0}
    again.do(phones[0], do="hit", seat=0, cards=4, id="typed once")
    assert hands(again)[0] == 11, "sent again after a reconnect it does nothing twice"
    again.do(phones[0], do="correct", cards=3)
    assert hands(again)[0] == 10
    again.close()


def test_a_typed_hit_may_be_by_choice(make_stand: MakeStand) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand, options={"voluntary_draw": False})
    assert stand.refused(phones[0], do="hit", seat=0, cards=2, choice=True) == "must-play"
    assert stand.refused(phones[0], do="hit", seat=0, cards=2, choice="no") == "bad-command"
    stand.do(phones[0], do="hit", seat=0, cards=2)
    assert hands(stand)[0] == 9


@pytest.mark.parametrize(("who", "body", "reason"), [
    (1, {"seat": 1, "cards": 2}, "no-hit-due"), (1, {"seat": 0, "cards": 2}, "not-your-seat"),
    (1, {"cards": 2}, "not-your-seat"), (0, {"seat": 0}, "bad-command"), (0, {"seat": 0, "cards": -1}, "bad-command"),
    (0, {"seat": 0, "cards": 113}, "bad-command"), (0, {"seat": 0, "cards": "2"}, "bad-command"),
    (0, {"seat": 0, "cards": True}, "bad-command"), (0, {"seat": "me", "cards": 2}, "no-such-player"),
    (0, {"seat": 9, "cards": 2}, "no-such-player"),
])  # fmt: skip
def test_whose_hit_and_how_many_is_checked(
    make_stand: MakeStand, who: int, body: dict[str, object], reason: str
) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand)
    assert stand.refused(phones[who], do="hit", **body) == reason


def test_a_hit_is_refused_where_the_launcher_counts_and_when_it_cannot_be(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = real_cards(stand)
    assert stand.refused(phones[0], do="hit", seat=0, cards=2) == "wrong-source"
    none = typed(make_stand)
    assert none.refused(HOST, do="hit", seat=0, cards=2) == "no-game"
    phones = real_cards(none)
    none.do(HOST, do="pause")
    assert none.refused(phones[0], do="hit", seat=0, cards=2) == "paused"
    none.do(HOST, do="resume")
    none.do(HOST, do="end")
    none.do(HOST, do="start", physical=True)
    assert none.refused(phones[0], do="hit", seat=0, cards=2) == "not-yet"
    assert none.refused(HOST, do="hit", cards=2) == "not-yet"
    assert none.refused(HOST, do="give-shot", seat=0) == "nothing-to-correct"


def test_nobody_presses_where_there_is_no_button(make_stand: MakeStand) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand)
    assert stand.refused(phones[0], do="press") == "wrong-source"
    answer = stand.tell(HOST, do="press")
    assert answer is not None
    assert (answer["reason"], answer["text"]) == ("wrong-source", "there is no launcher here: type how many cards came")
    assert stand.state.shots == 0


def test_without_a_launcher_the_hopper_is_what_people_say(make_stand: MakeStand) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    stand.do(HOST, do="set-hand", seat=2, count=7 + stand.table()["pile"] - 1)
    stand.do(phones[1], do="hit", seat=1, cards=3)
    assert stand.table()["due"] == {"seat": 1, "what": "reload"}
    assert stand.refused(phones[1], do="hit", seat=1, cards=3) == "hopper-empty"
    stand.do(HOST, do="reload", cards=20)
    stand.do(phones[1], do="hit", seat=1, cards=3)
    assert stand.table()["launcher"]["hopper"] == 17
    digital = typed(make_stand)
    phones = digital.put(DIGITAL)
    digital.do(HOST, do="reload", cards=40)
    digital.do(phones[0], do="hit", seat=0, cards=3)
    assert digital.table()["launcher"]["hopper"] == 37


def test_a_catch_that_is_held_comes_before_a_typed_hit(make_stand: MakeStand) -> None:
    stand = typed(make_stand)
    phones = real_cards(stand)
    stand.do(HOST, do="set-hand", seat=0, count=2)
    stand.do(phones[0], do="play", seat=0, card="red 9")
    caught: list[Answer] = []
    stand.send(phones[2], caught.append, do="catch", seat=2, target=0)
    answer = stand.tell(phones[1], do="hit", seat=1, cards=3)
    assert answer is not None
    assert answer["reason"] == "no-hit-due", "the one caught has to hit first"
    assert caught[0]["ok"]
    stand.do(phones[0], do="hit", seat=0, cards=1)
    stand.do(phones[0], do="hit", seat=0, cards=1)
    stand.do(phones[1], do="hit", seat=1, cards=3)
    assert hands(stand) == [3, 10, 7]


def test_bots_wait_until_somebody_types_for_them(make_stand: MakeStand, caplog: pytest.LogCaptureFixture) -> None:
    stand = typed(make_stand)
    stand.put(DIGITAL.replace('Bo = ["green 1", "green 2"]', 'Bo = ["green 1", "yellow 2"]'), phones="pbp")
    stand.do(HOST, do="play", seat=0, card="red hit-2")
    stand.pass_time(10, 0.1)
    assert stand.table()["due"]["seat"] == 1
    stand.do(HOST, do="hit", seat=1, cards=0)
    stand.do(HOST, do="hit", seat=1, cards=0)
    assert stand.table()["turn"] == 2
    assert caplog.text == ""


# --- a launcher that is only watched


def test_cards_seen_go_to_whoever_is_due(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = real_cards(stand)
    assert stand.backend.launcher.status().hopper == 90
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    stand.backend.toy.shoot(3)
    stand.pass_time(0.5)
    assert stand.table()["launcher"]["state"] == "firing"
    stand.until(lambda: stand.state.shots == 1)
    table = stand.table()
    assert (hands(stand)[1], table["seats"][1]["owed"]) == (10, 1)
    assert table["launcher"]["state"] == "ready"
    assert table["launcher"]["last"] == {"seat": 1, "cards": 3, "certainty": "exact"}
    assert (table["launcher"]["button"], table["launcher"]["typed"]) == ("finger", True)
    assert table["launcher"]["hopper"] == stand.backend.launcher.status().hopper == 87
    assert [row.body["source"] for row in stand.rows("shot")] == ["seen"]
    stand.do(phones[1], do="correct", cards=4)
    assert stand.backend.launcher.status().hopper == 86
    stand.do(phones[1], do="hit", seat=1, cards=0)
    assert stand.table()["turn"] == 2, "what the beam cannot see, a dry press, is typed"
    assert facts(stand.folded()) == facts(stand.state)


def test_it_works_for_cards_on_the_phones_too(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = stand.put(DIGITAL)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    stand.backend.toy.shoot(2)
    stand.until(lambda: stand.state.shots == 1)
    assert len(stand.view(1)["mine"][0]["hand"]) == 4


def test_a_press_sensed_that_brings_nothing_is_a_dry_hit(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = real_cards(stand)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    for count in range(1, 9):
        if stand.table()["turn"] != 1:
            break
        stand.press()
        assert stand.table()["launcher"]["state"] == "pressed"
        assert stand.refused(HOST, do="undo") == "firing"
        assert stand.refused(phones[1], do="hit", seat=1, cards=1) == "firing"
        stand.until(lambda count=count: stand.state.shots == count)  # type: ignore[misc]
    assert stand.table()["turn"] == 2
    assert len(shots_told(stand)) == 2, "two hits, whatever they brought"


def test_what_is_held_while_cards_come_waits_for_their_end(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = real_cards(stand)
    stand.do(HOST, do="set-hand", seat=0, count=2)
    stand.do(phones[0], do="play", seat=0, card="red 9")
    stand.pass_time(2)
    stand.backend.toy.shoot(2)
    stand.pass_time(0.1)
    assert stand.refused(phones[1], do="play", seat=1, card="red 1") == "firing"
    assert stand.tell(phones[2], do="catch", seat=2, target=0) is None
    stand.until(lambda: stand.state.shots == 1)
    assert hands(stand) == [1, 9, 7], "the cards are the presser's"
    assert stand.table()["seats"][0]["owed"] == 0, "Bo's hit has closed the window"


def test_a_catch_before_the_cards_came_first(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = real_cards(stand)
    stand.do(HOST, do="set-hand", seat=0, count=2)
    stand.do(phones[0], do="play", seat=0, card="red 9")
    assert stand.tell(phones[2], do="catch", seat=2, target=0) is None
    stand.backend.toy.shoot(2)
    stand.pass_time(0.1)
    assert stand.table()["seats"][0]["owed"] == 2


def see(stand: Stand, cards: int, certainty: Certainty = Certainty.EXACT) -> None:
    """The watcher tells of a shot."""
    stand.core.handle(ShotSeen(cards, certainty), stand.clock.now())
    stand.run()


def nobody_due(make_stand: MakeStand) -> tuple[Stand, list[Who]]:
    """A game whose start card is not turned up yet."""
    stand = watched(make_stand)
    phones = real_cards(stand)
    stand.do(HOST, do="undo")
    return stand, phones


def test_cards_that_come_when_nobody_is_due_wait_for_the_host(make_stand: MakeStand) -> None:
    stand, phones = nobody_due(make_stand)
    see(stand, 3, Certainty.AT_LEAST)
    assert stand.events()[-1] == {"e": "shot-unowned", "cards": 3, "certainty": "at_least"}
    assert stand.table()["launcher"]["unowned"] == {"cards": 3, "certainty": "at_least"}
    assert hands(stand) == [7, 7, 7]
    assert stand.refused(phones[0], do="give-shot", seat=0) == "not-host"
    assert stand.refused(HOST, do="give-shot", seat=0) == "not-yet"
    assert stand.refused(HOST, do="give-shot", seat=7) == "no-such-player"
    assert stand.refused(HOST, do="give-shot", seat="Ann") == "no-such-player"
    again = stand.again()
    assert again.table()["launcher"]["unowned"] == {"cards": 3, "certainty": "at_least"}
    again.do(HOST, do="start-card", card="red 5")
    again.do(HOST, do="give-shot", seat=0)
    assert shots_told(again) == [(0, 3, "at_least")], "it was their hit after all"
    assert again.table()["launcher"]["unowned"] is None
    assert again.events()[-1] == {"e": "shot-given", "seat": 0, "cards": 3}
    assert hands(again) == [10, 7, 7]
    assert again.refused(HOST, do="give-shot", seat=0) == "nothing-to-correct"
    assert facts(again.folded()) == facts(again.state)
    again.close()


def test_the_host_may_give_them_to_somebody_who_owed_none(make_stand: MakeStand) -> None:
    stand, _ = nobody_due(make_stand)
    see(stand, 3)
    stand.do(HOST, do="start-card", card="red 5")
    pile = stand.table()["pile"]
    stand.do(HOST, do="give-shot", seat=2)
    assert (hands(stand), stand.table()["turn"], stand.table()["pile"]) == ([7, 7, 10], 0, pile - 3)
    assert last_event(stand, "host-set")["reason"] == "shot"


def test_the_host_may_say_that_they_went_back(make_stand: MakeStand) -> None:
    stand, _ = nobody_due(make_stand)
    see(stand, 3)
    stand.do(HOST, do="give-shot")
    assert stand.table()["launcher"]["unowned"] is None
    assert stand.events()[-1] == {"e": "shot-given", "seat": None, "cards": 3}
    assert hands(stand) == [7, 7, 7]


def test_the_next_deal_ends_the_question(make_stand: MakeStand) -> None:
    stand, phones = nobody_due(make_stand)
    see(stand, 3)
    stand.do(HOST, do="start-card", card="red 5")
    stand.do(HOST, do="set-hand", seat=0, count=1)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    for seat in (1, 2):
        stand.do(phones[seat], do="points", seat=seat, points=5)
    assert stand.table()["phase"] == "round-over"
    assert stand.table()["launcher"]["unowned"] == {"cards": 3, "certainty": "exact"}
    stand.do(HOST, do="next")
    assert stand.table()["launcher"]["unowned"] is None
    assert facts(stand.folded()) == facts(stand.state)


def test_a_shot_in_a_pause_or_without_a_game_is_nobodys(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    see(stand, 5)
    assert stand.events()[-1] == {"e": "shot-unowned", "cards": 5, "certainty": "exact"}
    assert stand.table()["launcher"]["unowned"] is None, "there is nobody to give it to"
    real_cards(stand)
    stand.do(HOST, do="pause")
    see(stand, 0)
    see(stand, 2)
    assert stand.table()["launcher"]["unowned"] == {"cards": 2, "certainty": "exact"}
    stand.do(HOST, do="end")
    assert stand.table()["launcher"]["unowned"] is None


def test_secret_hands_take_no_cards_that_were_not_due(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    stand.put(DIGITAL)
    stand.do(HOST, do="pause")
    see(stand, 2)
    stand.do(HOST, do="resume")
    assert stand.refused(HOST, do="give-shot", seat=1) == "no-hit-due"
    stand.do(HOST, do="give-shot", seat=0)
    assert hands(stand) == [5, 2, 3]


def test_a_hand_before_the_beam_stops_nobody_for_long(make_stand: MakeStand) -> None:
    stand = watched(make_stand)
    phones = real_cards(stand)
    stand.backend.toy.hand(8.0)
    stand.pass_time(2)
    launcher = stand.table()["launcher"]
    assert (launcher["state"], launcher["fault"]["code"]) == ("fault", "beam-blocked")
    told = [event for event in stand.events() if event["e"] == "launcher-fault"]
    assert told == [{"e": "launcher-fault", "code": "beam-blocked"}]
    stand.do(phones[0], do="play", seat=0, card="red 1")
    stand.do(phones[1], do="hit", seat=1, cards=2)
    stand.pass_time(10, 0.1)
    assert stand.table()["launcher"]["state"] == "ready"
    assert stand.state.shots == 1
