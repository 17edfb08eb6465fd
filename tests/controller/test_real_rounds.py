"""The end of a round with real cards, undo over a deal, and a restart in every phase."""

from __future__ import annotations

import pytest

from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import hand, last_event, real_cards, refusal, same_after_a_restart, shoot
from tests.controller.stand import HOST, Stand, always, facts

# --- counting


def to_the_count(stand: Stand) -> list[Who]:
    """Ann has gone out, Bo and Cy hold seven cards each."""
    phones = real_cards(stand, options={"last_card": "any"})
    stand.do(HOST, do="set-hand", seat=0, count=1)
    stand.do(phones[0], do="play", seat=0, card="red 9")
    return phones


def test_hands_are_counted_by_their_cards_or_as_a_sum(stand: Stand) -> None:
    phones = to_the_count(stand)
    table = stand.table()
    assert (table["phase"], table["toCount"], table["counted"]) == ("counting", [1, 2], [0, None, None])
    assert table["due"]["what"] == "count"
    assert stand.refused(phones[2], do="count", seat=1, cards=["wild"]) == "not-your-seat"
    stand.do(phones[1], do="count", seat=1, cards=["wild", "blue skip", "red 7"])
    table = stand.table()
    assert (table["toCount"], table["counted"]) == ([2], [0, 77, None])
    assert last_event(stand, "counted")["points"] == 77
    stand.do(phones[1], do="points", seat=1, points=27)
    stand.do(HOST, do="points", seat=2, points=12)
    table = stand.table()
    assert (table["phase"], table["toCount"], table["counted"]) == ("round-over", None, None)
    assert table["rounds"][0]["points"] == [39, 0, 0]


@pytest.mark.parametrize("body", [
    {"do": "count", "seat": 1, "cards": ["red 9", "red 9"]}, {"do": "count", "seat": 1, "cards": ["red 99"]},
    {"do": "count", "seat": 1, "cards": "red 9"}, {"do": "count", "seat": 1, "cards": ["?"]},
    {"do": "count", "seat": 1, "cards": ["blue 1"] * 3}, {"do": "count", "seat": 0, "cards": ["blue 1"]},
    {"do": "count", "seat": 1, "cards": ["red draw-two"]}, {"do": "count", "seat": 8, "cards": []},
    {"do": "points", "seat": 1, "points": -1}, {"do": "points", "seat": 1, "points": "many"},
    {"do": "points", "seat": 1, "points": 2.5}, {"do": "points", "seat": 1}, {"do": "points", "seat": 0, "points": 9},
    {"do": "next"}, {"do": "play", "seat": 1, "card": "red 1"}, {"do": "press", "seat": 1}, {"do": "reload"},
    {"do": "set-turn", "seat": 1}, {"do": "uno", "seat": 1}, {"do": "catch", "seat": 1, "target": 2},
])  # fmt: skip
def test_what_makes_no_sense_at_the_count_is_refused_in_words(stand: Stand, body: dict[str, object]) -> None:
    to_the_count(stand)
    answer = refusal(stand, HOST, **body)
    assert answer["reason"]
    assert answer["text"]


def test_cards_there_cannot_be_are_named(stand: Stand) -> None:
    to_the_count(stand)
    answer = refusal(stand, HOST, do="count", seat=1, cards=["blue 1", "red 9", "red 9"])
    assert (answer["reason"], answer["card"], answer["copies"]) == ("not-in-deck", "red 9", 2)
    stand.do(HOST, do="count", seat=1, cards=["blue 1", "red 9"])


def test_a_player_who_leaves_is_not_counted(stand: Stand) -> None:
    phones = to_the_count(stand)
    stand.do(phones[1], do="count", seat=1, cards=["blue 1"])
    stand.do(HOST, do="remove", seat=2)
    assert stand.table()["phase"] == "round-over"


# --- undo and restarts


def test_undo_goes_back_over_a_deal_and_comes_back_from_the_journal(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = to_the_count(stand)
    for seat in (1, 2):
        stand.do(phones[seat], do="points", seat=seat, points=10)
    stand.do(phones[1], do="next")
    assert (stand.table()["phase"], stand.table()["round"]) == ("start", 2)
    stand.do(HOST, do="start-card", card="blue 4")
    assert facts(stand.folded()) == facts(stand.state)
    for phase, count in (("start", None), ("round-over", None), ("counting", [2]), ("counting", [1, 2])):
        stand.do(HOST, do="undo")
        table = stand.table()
        assert (table["phase"], table["toCount"]) == (phase, count)
        assert facts(stand.folded()) == facts(stand.state)
        stand = same_after_a_restart(stand, phase)
    stand.do(HOST, do="undo")
    assert (stand.table()["phase"], hand(stand, 0)) == ("playing", 1)
    assert stand.table()["rounds"] == []
    stand.close()


def test_undo_goes_back_over_a_digital_deal_too(make_stand: MakeStand) -> None:
    stand = make_stand(seed="deal 0")  # whoever begins holds a card that matches
    for name in ("Ann", "Bo"):
        stand.do(Who(name), do="sit", name=name)
    stand.do(HOST, do="start", options={"hand_size": 1, "last_card": "any"})
    assert stand.refused(HOST, do="undo") == "nothing-to-undo", "before the first deal there is no game to go back to"
    seat = stand.table()["turn"]
    (move,) = stand.view(seat)["mine"][0]["moves"]
    stand.do(HOST, do="play", seat=seat, card=move["card"])
    assert stand.table()["phase"] == "round-over"
    stand.do(HOST, do="next")
    first = stand.game.position.digest()
    stand.do(HOST, do="undo")
    assert stand.table()["due"] == {"seat": None, "what": "next"}
    assert stand.table()["phase"] == "round-over"
    assert facts(stand.folded()) == facts(stand.state)
    again = stand.again()
    again.do(HOST, do="next")
    assert again.table()["phase"] == "playing"
    assert again.game.position.digest() != first, "what chance gave is used up"
    assert facts(again.folded()) == facts(again.state)
    again.close()


def test_started_again_in_every_phase(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    real_cards(stand, start="", options={"last_card": "any"})
    stand = same_after_a_restart(stand, "start")
    stand.do(HOST, do="start-card", card="red trade-hands")
    stand = same_after_a_restart(stand, "put back")
    stand.do(HOST, do="start-card", card="red hit-2")
    stand = same_after_a_restart(stand, "owing")
    shoot(stand)
    stand = same_after_a_restart(stand, "after a shot")
    stand.do(HOST, do="correct", cards=5)
    stand = same_after_a_restart(stand, "corrected")
    shoot(stand)
    stand.do(HOST, do="set-hand", seat=1, count=1, reason="for the test")
    stand.do(HOST, do="play", seat=1, card="red 9")
    assert stand.table()["phase"] == "counting"
    stand = same_after_a_restart(stand, "counting")
    stand.do(HOST, do="count", seat=0, cards=["wild"])
    stand = same_after_a_restart(stand, "half counted")
    stand.do(HOST, do="points", seat=2, points=7)
    stand = same_after_a_restart(stand, "counted")
    stand.do(HOST, do="next")
    stand.do(HOST, do="start-card", card="red 5")
    assert stand.table()["round"] == 2
    stand.close()


def test_a_rematch_is_played_with_the_same_cards(stand: Stand) -> None:
    phones = to_the_count(stand)
    stand.do(HOST, do="set-score", seat=0, score=490)
    stand.do(phones[1], do="points", seat=1, points=10)
    stand.do(phones[2], do="points", seat=2, points=10)
    assert stand.table()["phase"] == "match-over"
    stand.do(HOST, do="rematch")
    table = stand.table()
    assert (table["phase"], table["physical"], table["seats"][0]["score"]) == ("start", True, 0)
