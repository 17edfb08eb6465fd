"""Why not? What stands against something is told without doing it, and a refusal is kept as a case file."""

from __future__ import annotations

import stat
import tomllib
from typing import Any

import pytest

from controller.rules.cases import run_case
from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, Stand, always

GAME = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 8", "wild", "red trade-hands"]
Bo = ["red 1", "green 2", "green 3"]
Cy = ["yellow 3", "yellow 4", "red 6"]
"""


@pytest.fixture
def table(make_stand: MakeStand) -> tuple[Stand, list[Who]]:
    stand = make_stand(profile=always(2))
    return stand, stand.put(GAME)


def why(stand: Stand, who: Who, seat: int, **about: object) -> Any:
    """What stands against it; nothing may change, and nothing be written."""
    before, rows = stand.told_state(), len(stand.rows())
    answer = stand.do(who, do="why", seat=seat, about=about)
    assert (stand.told_state(), len(stand.rows())) == (before, rows)
    return answer["why"]


def test_a_dim_card_has_its_reason_and_the_option_behind_it(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    assert why(stand, ann, 0, do="play", card="blue 8")["reason"] == "no-match"
    assert why(stand, bo, 1, do="play", card="red 1")["reason"] == "not-your-turn"
    told = why(stand, ann, 0, do="pass")
    assert told["reason"] == "must-draw"


def test_an_option_is_named_with_its_value_and_section(make_stand: MakeStand) -> None:
    stand = make_stand()
    ann, *_ = stand.put(GAME.replace('"red 7", "blue 8", "wild", "red trade-hands"', '"red trade-hands"'))
    told = why(stand, ann, 0, do="play", card="red trade-hands")
    assert told["reason"] == "last-card"
    assert told["because"] == [{"option": "last_card", "value": "[trade-hands]", "section": "2"}]


OWING = """
preset = "PRESET"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red hit-2", "blue 8", "wild-all-hit"]
Bo = ["red 1", "green 2", "green 3"]
Cy = ["yellow 3", "yellow 4", "red 6"]
[rules]
deck = "attack-1998"
draw_from = "launcher"
false_uno_penalty = 1
"""


@pytest.mark.parametrize(
    ("preset", "asks", "did", "behind"),
    [
        ("attack", 1, {"do": "play", "card": "red hit-2"}, ["defend"]),
        ("stack", 1, {"do": "play", "card": "red hit-2"}, ["defend"]),
        ("attack", 1, {"do": "play", "card": "wild-all-hit", "colour": "red"}, []),
        ("attack", 0, {"do": "uno"}, ["false_uno_penalty"]),
    ],
)
def test_behind_what_is_owed_stands_what_could_answer_it_or_brought_it(
    make_stand: MakeStand, preset: str, asks: int, did: dict[str, str], behind: list[str]
) -> None:
    stand = make_stand()
    phones = stand.put(OWING.replace("PRESET", preset))
    stand.do(phones[0], seat=0, **did)
    told = why(stand, phones[asks], asks, do="play", card="red 1")
    assert told["reason"] == "owes"
    assert [one["option"] for one in told["because"]] == behind


@pytest.mark.parametrize("card", ["red 7", "wild", "red trade-hands"])
def test_nothing_stands_against_what_may_be_played(table: tuple[Stand, list[Who]], card: str) -> None:
    stand, (ann, *_) = table
    assert why(stand, ann, 0, do="play", card=card) is None


def test_what_would_be_paid_for_is_told_without_paying(make_stand: MakeStand) -> None:
    stand = make_stand()
    game = GAME.replace('"attack"', '"classic"').replace(', "red trade-hands"', "")
    ann, *_ = stand.put(game + '[rules]\nmisplay = "penalty"\n')
    assert why(stand, ann, 0, do="catch", target=1)["reason"] == "nothing-to-catch"
    assert why(stand, ann, 0, do="uno")["because"][0]["option"] == "false_uno_penalty"
    assert why(stand, ann, 0, do="play", card="blue 8")["reason"] == "no-match"


def test_a_phone_asks_about_its_own_seats_only(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    assert stand.refused(ann, do="why", seat=1, about={"do": "play", "card": "red 1"}) == "not-your-seat"


@pytest.mark.parametrize("about", [
    None, "play", {}, {"do": "undo"}, {"do": "hit", "cards": 3}, {"do": "play"}, {"do": "play", "card": 5},
])  # fmt: skip
def test_nonsense_is_refused(table: tuple[Stand, list[Who]], about: object) -> None:
    stand, (ann, *_) = table
    assert stand.refused(ann, do="why", seat=0, about=about) == "bad-command"


def test_a_refusal_is_kept_as_a_case_that_comes_to_the_same(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    assert stand.refused(ann, do="case", seat=0) == "no-case"
    assert stand.refused(ann, do="play", seat=0, card="blue 8") == "no-match"
    answer = stand.do(ann, do="case", seat=0)
    text = str(answer["case"])
    assert run_case("dispute.toml", text).ok
    assert tomllib.loads(text)["steps"] == ["Ann: play blue 8 ! no-match"]
    kept = stand.place / "cases" / str(answer["name"])
    assert answer["kept"]
    assert kept.read_text() == text
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700  # there are hands in it


def test_a_case_shows_no_hand_of_another_while_the_round_is_on(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    stand.refused(ann, do="play", seat=0, card="blue 8")
    hands = tomllib.loads(str(stand.do(ann, do="case", seat=0)["case"]))["hands"]
    assert sorted(hands["Ann"]) == ["blue 8", "red 7", "red trade-hands", "wild"]
    assert sorted(hands["Bo"]) != ["green 2", "green 3", "red 1"]
    assert len(hands["Bo"]) == 3
    assert stand.refused(bo, do="case", seat=0) == "not-your-seat"
    assert stand.refused(HOST, do="case", seat=0) == "not-your-seat"


def test_the_host_keeps_it_when_the_round_is_over_with_every_hand(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    ann, bo, _ = stand.put(GAME.replace('"red 1", "green 2", "green 3"', '"red 1"'))
    stand.refused(ann, do="play", seat=0, card="blue 8")
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.do(bo, do="play", seat=1, card="red 1")
    assert stand.table()["phase"] == "round-over"
    text = str(stand.do(HOST, do="case", seat=0)["case"])
    assert tomllib.loads(text)["hands"]["Bo"] == ["red 1"]
    assert run_case("dispute.toml", text).ok


def test_real_cards_are_unknown_in_a_case_too(make_stand: MakeStand) -> None:
    stand = make_stand()
    game = """
preset = "attack"
table = "physical"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["? x3"]
Bo = ["? x4"]
"""
    ann, *_ = stand.put(game)
    told = why(stand, ann, 0, do="play", card="blue 8")
    assert told["reason"] == "no-match"
    text = str(stand.do(HOST, do="case", seat=0)["case"])
    assert tomllib.loads(text)["hands"] == {"Ann": ["?"] * 3, "Bo": ["?"] * 4}
    assert run_case("dispute.toml", text).ok
