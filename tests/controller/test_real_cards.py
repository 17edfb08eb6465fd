"""A table with real cards: the start card, what players say they play, what the host says and sets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import NAMES, hand, last_event, real_cards, refusal, shoot
from tests.controller.stand import HOST, Stand, always, facts

# --- the start


def test_the_host_says_who_deals_and_which_card_was_turned_up(stand: Stand) -> None:
    phones = real_cards(stand, start="")
    table = stand.table()
    assert (table["phase"], table["physical"], table["tracking"]) == ("start", True, "all")
    assert table["due"] == {"seat": 2, "what": "start"}
    assert [seat["hand"] for seat in table["seats"]] == [7, 7, 7]
    stand.do(HOST, do="dealer", seat=0)
    assert stand.table()["due"] == {"seat": 0, "what": "start"}
    assert stand.table()["dealer"] == 0
    assert stand.refused(phones[1], do="dealer", seat=1) == "not-host"
    assert stand.refused(phones[1], do="start-card", card="red 5") == "not-host"
    assert stand.refused(phones[1], do="play", seat=1, card="red 5") == "not-yet"
    assert stand.refused(phones[1], do="press", seat=1) == "not-yet"
    stand.do(HOST, do="start-card", card="blue skip")
    table = stand.table()
    assert (table["phase"], table["top"], table["turn"]) == ("playing", "blue skip", 2)


def test_a_start_card_that_goes_back_is_turned_again(stand: Stand) -> None:
    real_cards(stand, start="red trade-hands")
    assert stand.table()["phase"] == "start"
    assert last_event(stand, "turned") == {"e": "turned", "card": "red trade-hands", "putBack": True}
    assert "machine-loaded" not in [event["e"] for event in stand.events()]
    stand.do(HOST, do="start-card", card="red 5")
    assert stand.table()["turn"] == 0


@pytest.mark.parametrize("body", [
    {"do": "start-card"}, {"do": "start-card", "card": 5}, {"do": "start-card", "card": "red 55"},
    {"do": "start-card", "card": "?"}, {"do": "start-card", "card": "red draw-two"}, {"do": "dealer"},
    {"do": "dealer", "seat": 7}, {"do": "dealer", "seat": "Bo"}, {"do": "count", "seat": 0, "cards": []},
    {"do": "points", "seat": 0, "points": 3}, {"do": "reload"}, {"do": "hit", "seat": 0, "cards": 2},
    {"do": "set-hand", "seat": 0, "count": 3}, {"do": "give-shot", "seat": 0}, {"do": "next"}, {"do": "rematch"},
    {"do": "correct", "cards": 1}, {"do": "done", "seat": 0},
])  # fmt: skip
def test_what_makes_no_sense_before_the_start_card_is_refused(stand: Stand, body: dict[str, object]) -> None:
    real_cards(stand, start="")
    answer = refusal(stand, HOST, **body)
    assert answer["reason"]
    assert answer["text"]


def test_a_start_card_the_deck_has_not_is_named(stand: Stand) -> None:
    real_cards(stand, start="")
    answer = refusal(stand, HOST, do="start-card", card="red draw-two")
    assert (answer["reason"], answer["card"], answer["copies"]) == ("not-in-deck", "red draw-two", 0)


def test_the_dealer_is_no_business_of_a_digital_table(stand: Stand) -> None:
    for name in NAMES:
        stand.do(Who(name), do="sit", name=name)
    stand.do(HOST, do="start")
    assert stand.table()["physical"] is False
    assert stand.table()["tracking"] is None
    assert stand.refused(HOST, do="dealer", seat=0) == "not-yet"
    assert stand.refused(HOST, do="start-card", card="red 5") == "not-yet"


def test_bots_hold_no_real_cards(stand: Stand) -> None:
    stand.do(Who("Ann"), do="sit", name="Ann")
    stand.do(HOST, do="add-bot")
    answer = refusal(stand, HOST, do="start", physical=True)
    assert answer["reason"] == "no-bots"
    assert "remove the bots" in str(answer["text"])
    assert stand.refused(HOST, do="start", physical="yes") == "bad-command"
    stand.do(HOST, do="start")


# --- play


def test_a_player_says_what_is_played_and_it_is_checked(stand: Stand) -> None:
    phones = real_cards(stand)
    mine = stand.view(0)["mine"][0]
    assert mine["hand"] == ["?"] * 7
    assert {"red 9", "blue 5", "wild"} <= {move["card"] for move in mine["moves"]}
    assert stand.refused(phones[1], do="play", seat=1, card="red 1") == "not-your-turn"
    assert stand.refused(phones[0], do="play", seat=0, card="blue 1") == "no-match"
    assert stand.refused(phones[0], do="play", seat=0, card="wild") == "colour-needed"
    assert stand.refused(phones[0], do="play", seat=0, card="?") == "option-off"
    stand.do(phones[0], do="play", seat=0, card="red 9")
    table = stand.table()
    assert (table["top"], table["turn"], hand(stand, 0)) == ("red 9", 1, 6)
    stand.do(phones[1], do="play", seat=1, card="red discard-all", went=3)
    assert hand(stand, 1) == 3
    assert stand.refused(phones[2], do="play", seat=2, card="red 9", went=2) == "wrong-count"


def test_a_card_the_deck_no_longer_holds_is_refused_in_words(stand: Stand) -> None:
    phones = real_cards(stand, "Ann", "Bo")
    for _ in range(2):
        stand.do(phones[0], do="play", seat=0, card="red skip")
    answer = refusal(stand, phones[0], do="play", seat=0, card="red skip")
    assert (answer["reason"], answer["card"], answer["copies"]) == ("not-in-deck", "red skip", 2)
    assert "2 of red skip" in str(answer["text"])


def test_with_effects_tracked_a_plain_card_is_a_question_mark(stand: Stand) -> None:
    phones = real_cards(stand, options={"tracking": "effects"})
    assert stand.table()["tracking"] == "effects"
    assert "?" in [move["card"] for move in stand.view(0)["mine"][0]["moves"]]
    stand.do(phones[0], do="play", seat=0, card="?")
    table = stand.table()
    assert (table["top"], table["colour"], table["turn"], hand(stand, 0)) == ("?", None, 1, 6)
    stand.do(phones[1], do="play", seat=1, card="green hit-2")
    assert stand.table()["seats"][2]["owed"] == 2


def test_a_call_a_catch_and_the_host_for_whoever_has_no_phone(stand: Stand) -> None:
    phones = real_cards(stand)
    stand.do(HOST, do="set-hand", seat=0, count=2, reason="  miscounted\n at the deal ")
    assert last_event(stand, "host-set") == {
        "e": "host-set", "what": "hand", "seat": 0, "value": 2, "reason": "miscounted at the deal",
    }  # fmt: skip
    stand.do(HOST, do="play", seat=0, card="red 9")
    assert stand.table()["seats"][0]["catchable"]
    assert stand.tell(HOST, do="catch", seat=1, target=0) is None
    stand.pass_time(2)
    assert stand.table()["seats"][0]["owed"] == 2
    stand.do(HOST, do="undo", reason="she had called")
    assert last_event(stand, "undone")["reason"] == "she had called"
    stand.do(HOST, do="uno", seat=0)
    assert stand.refused(phones[1], do="catch", seat=1, target=0) == "nothing-to-catch"


def test_the_host_is_told_what_every_seat_may_do_and_nobody_else_is(stand: Stand) -> None:
    real_cards(stand)
    publication = stand.published[-1][1]
    host = json.loads(publication.frame(frozenset({1}), host=True))
    assert [each["seat"] for each in host["mine"]] == [1]
    assert [each["seat"] for each in host["others"]] == [0, 2]
    assert host["others"][0]["moves"]
    assert host["others"] == json.loads(publication.frame(frozenset({0, 2})))["mine"]
    assert "others" not in json.loads(publication.frame(frozenset({1})))
    stand.do(HOST, do="end")
    stand.do(HOST, do="start")
    assert "others" not in json.loads(stand.published[-1][1].frame(frozenset(), host=True)), "cards are secret here"


def test_a_known_card_in_a_hand_is_shown_to_its_seat_alone(stand: Stand) -> None:
    stand.put("""
preset = "attack"
table = "physical"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "? x2"]
Bo = ["? x3"]
""")
    host = json.loads(stand.published[-1][1].frame(frozenset(), host=True))
    assert [each["seat"] for each in host["others"]] == [1]


def test_one_phone_holds_everybody(stand: Stand) -> None:
    phone = Who("tablet")
    for seat, name in enumerate(NAMES):
        assert stand.do(phone, do="sit", name=name)["seat"] == seat
    assert stand.state.seats_of("tablet") == {0, 1, 2}
    everybody = Who("tablet", seats=frozenset({0, 1, 2}))
    stand.do(HOST, do="start", physical=True)
    stand.do(HOST, do="start-card", card="red 5")
    for seat, card in enumerate(("red 1", "red 2", "red 3")):
        stand.do(everybody, do="play", seat=seat, card=card)
    stand.do(everybody, do="press")
    assert stand.state.shot is not None
    assert stand.state.shot.seat == 0, "a press is for the seat that is due"


@pytest.mark.parametrize(("verdict", "owing"), [("guilty", 0), ("innocent", 1)])
def test_the_challenger_says_the_verdict(stand: Stand, verdict: str, owing: int) -> None:
    phones = real_cards(stand, preset="classic")
    stand.do(phones[0], do="play", seat=0, card="wild-draw-four", colour="blue")
    assert stand.table()["due"]["what"] == "challenge"
    assert stand.refused(phones[1], do="challenge", seat=1) == "verdict-needed"
    assert stand.refused(phones[1], do="challenge", seat=1, verdict="perhaps") == "verdict-needed"
    assert stand.refused(phones[1], do="challenge", seat=1, verdict=7) == "bad-command"
    held = hand(stand, owing)
    stand.do(phones[1], do="challenge", seat=1, verdict=verdict)
    assert hand(stand, owing) + stand.table()["seats"][owing]["owed"] == held + (4 if verdict == "guilty" else 6)


@pytest.mark.parametrize("verdict", ["", "guilty", "innocent"])
def test_a_verdict_from_a_phone_changes_nothing_at_a_digital_table(stand: Stand, verdict: str) -> None:
    ann, bo = stand.put("""
preset = "classic"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["wild-draw-four", "green 1", "green 2"]
Bo = ["blue 1", "blue 2"]
""")
    stand.do(ann, do="play", seat=0, card="wild-draw-four", colour="blue")
    stand.do(bo, do="challenge", seat=1, verdict=verdict)
    assert (hand(stand, 0), hand(stand, 1)) == (2, 8)


def test_until_colour_ends_when_the_player_says_so(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = real_cards(stand, options={"hit_fire": "until-colour"})
    assert stand.refused(phones[1], do="done", seat=1) == "no-hit-due"
    stand.do(phones[0], do="play", seat=0, card="wild-hit-fire", colour="green")
    shoot(stand)
    assert stand.table()["due"]["units"] == "until-colour"
    assert stand.refused(phones[2], do="done", seat=2) == "no-hit-due"
    assert stand.refused(phones[0], do="done", seat=1) == "not-your-seat"
    stand.do(phones[1], do="done", seat=1)
    assert stand.table()["turn"] == 2
    assert hand(stand, 1) == 9


def test_what_the_host_sees(stand: Stand) -> None:
    phones = real_cards(stand, preset="killer")
    stand.do(phones[0], do="play", seat=0, card="red 9")
    stand.do(phones[1], do="slap", seat=1)
    assert stand.refused(phones[0], do="last", target=2) == "not-host"
    stand.do(HOST, do="last", target=2)
    assert hand(stand, 2) == 9
    stand.do(phones[1], do="play", seat=1, card="red 2")
    stand.do(HOST, do="report", seat=1, target=2)
    assert hand(stand, 2) == 11
    assert stand.refused(HOST, do="advice", target=2) == "option-off"


@pytest.mark.parametrize(("body", "shown"), [
    ({"do": "set-hand", "seat": 1, "count": 4}, ("hand", 1, 4)),
    ({"do": "set-score", "seat": 1, "score": 83}, ("score", 1, 83)),
    ({"do": "set-turn", "seat": 1}, ("turn", 1, 1)),
    ({"do": "set-direction", "step": -1}, ("direction", -1, "counterclockwise")),
    ({"do": "set-colour", "colour": "blue"}, ("colour", -1, "blue")),
])  # fmt: skip
def test_what_the_host_sets_is_kept_with_its_reason(stand: Stand, body: dict[str, Any], shown: tuple[Any, ...]) -> None:
    phones = real_cards(stand)
    assert stand.refused(phones[1], reason="I say so", **body) == "not-host"
    for wrong in (7, ["x"], "x" * 121):
        assert stand.refused(HOST, **{**body, "reason": wrong}) == "bad-command"
    stand.do(HOST, reason="seen by all", **body)
    event = last_event(stand, "host-set")
    assert (event["what"], event["seat"], event["value"], event["reason"]) == (*shown, "seen by all")
    rows = [row.body for row in stand.rows("entry")]
    assert rows[-1]["reason"] == "seen by all"
    assert facts(stand.folded()) == facts(stand.state)
    stand.do(HOST, **body)
    assert last_event(stand, "host-set")["reason"] == ""


@pytest.mark.parametrize("body", [
    {"do": "set-hand", "seat": 1, "count": 113}, {"do": "set-hand", "seat": 1, "count": -1},
    {"do": "set-hand", "seat": 1}, {"do": "set-hand", "seat": 5, "count": 2},
    {"do": "set-score", "seat": 1, "score": "high"},
    {"do": "set-turn", "seat": 3}, {"do": "set-direction", "step": 2}, {"do": "set-direction", "step": "left"},
    {"do": "set-colour", "colour": "pink"}, {"do": "set-colour", "colour": 1}, {"do": "count", "seat": 1, "cards": []},
    {"do": "count", "seat": 1}, {"do": "points", "seat": 1, "points": 5}, {"do": "dealer", "seat": 1},
    {"do": "start-card", "card": "red 1"}, {"do": "reload", "cards": 113}, {"do": "reload", "cards": 0},
    {"do": "reload", "cards": "all"}, {"do": "reload"}, {"do": "correct", "cards": 2}, {"do": "hit", "cards": 2},
    {"do": "give-shot"}, {"do": "press", "choice": "yes"}, {"do": "press", "choice": 1}, {"do": "last", "target": 1},
    {"do": "play", "seat": 0, "card": "red 1", "went": "three"}, {"do": "play", "seat": 0, "card": "red discard-all",
    "went": 99}, {"do": "shot-was", "cards": 3}, {"do": "undo", "reason": 5}, {"do": "advice", "target": 9},
])  # fmt: skip
def test_what_makes_no_sense_in_play_is_refused_in_words(stand: Stand, body: dict[str, object]) -> None:
    real_cards(stand)
    answer = refusal(stand, HOST, **body)
    assert answer["reason"]
    assert answer["text"]
