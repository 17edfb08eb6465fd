"""A seat and its phone: the code it is claimed with, leaving for the night and coming back, help."""

from __future__ import annotations

import json
import re

import pytest

from controller.table.messages import Answer, Who
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, Stand, always, facts

ANN, BO, NEW = Who("phone Ann"), Who("phone Bo"), Who("phone New")
GAME = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 7", "blue 8"]
Bo = ["red 1"]
Cy = ["yellow 3", "yellow 4", "red 6"]
"""


@pytest.fixture
def seated(stand: Stand) -> Stand:
    stand.do(ANN, do="sit", name="Ann")
    stand.do(BO, do="sit", name="Bo")
    return stand


def codes(stand: Stand, *seats: int, host: bool = False) -> dict[str, str]:
    """The codes in the frame of a phone that holds `seats`."""
    frame = json.loads(stand.published[-1][1].frame(frozenset(seats), host))
    found: dict[str, str] = frame["codes"]
    return found


def test_a_phone_is_told_the_codes_of_its_own_seats_and_the_host_all(seated: Stand) -> None:
    both = codes(seated, host=True)
    assert set(both) == {"0", "1"}
    assert all(re.fullmatch(r"\d{4}", code) for code in both.values())
    assert len(set(both.values())) == 2
    assert codes(seated, 0) == {"0": both["0"]}
    assert codes(seated) == {}
    for _, publication in seated.published:
        assert both["1"] not in re.findall(r'"(\d{4})"', publication.frame(frozenset({0})))


def test_codes_are_kept_over_a_restart_and_a_game(seated: Stand) -> None:
    before = codes(seated, host=True)
    seated.do(HOST, do="start")
    assert codes(seated, host=True) == before
    again = seated.again()
    try:
        assert codes(again, host=True) == before
    finally:
        again.close()


def test_another_phone_claims_a_seat_and_the_code_is_another_then(seated: Stand) -> None:
    code = codes(seated, 0)["0"]
    assert seated.do(NEW, do="claim", seat=0, code=f" {code[:2]} {code[2:]}")["seat"] == 0
    assert seated.state.seats_of("phone New") == {0}
    assert seated.state.seats_of("phone Ann") == frozenset()
    assert {"e": "reseated", "seat": 0} in seated.events()
    assert codes(seated, 0)["0"] != code
    assert seated.refused(ANN, do="claim", seat=0, code=code) == "wrong-code"


@pytest.mark.parametrize("code", ["", "12345", None, 1234, "abcd", "①②③④", "0" * 4000])
def test_what_is_not_the_code_is_refused(seated: Stand, code: object) -> None:
    assert seated.refused(NEW, do="claim", seat=0, code=code) == "wrong-code"


def test_bots_have_no_code_and_cannot_be_claimed(seated: Stand) -> None:
    seated.do(HOST, do="add-bot")
    assert "2" not in codes(seated, host=True)
    assert seated.refused(NEW, do="claim", seat=2, code="") == "wrong-code"
    assert seated.refused(HOST, do="give", seat=2, session="phone New") == "no-such-player"
    assert seated.refused(NEW, do="claim", seat=9, code="1234") == "no-such-player"


def test_a_code_is_in_no_answer_and_no_row_of_one(seated: Stand) -> None:
    code = codes(seated, 0)["0"]
    answer = seated.do(NEW, do="claim", seat=0, code=code)
    assert code not in json.dumps(answer)
    assert all(code not in json.dumps(row.body) for row in seated.rows("answer"))


def test_seats_of_an_older_journal_get_a_code(seated: Stand) -> None:
    for seat in seated.state.seats:
        seat.code = ""
    seated.do(HOST, do="start")  # the row of the game has seats without a code, as an older program wrote it
    again = seated.again()
    try:
        assert set(codes(again, host=True)) == {"0", "1"}
    finally:
        again.close()


def test_who_leaves_for_the_night_keeps_the_standing_and_comes_back_to_the_next_round(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = stand.put(GAME)
    ann, bo, cy = phones
    stand.do(HOST, do="set-score", seat=0, score=140)
    stand.do(ann, do="stand", seat=0)
    assert stand.table()["seats"][0]["left"]
    assert stand.state.left_by("phone Ann") == {0}
    gone = Who("phone Ann")
    assert stand.refused(cy, do="come-back", seat=0) == "not-your-seat"
    assert stand.refused(gone, do="come-back", seat=1) == "not-your-seat"
    stand.do(gone, do="come-back", seat=0)
    assert stand.table()["seats"][0]["returning"]
    stand.do(HOST, do="set-turn", seat=1)
    stand.do(bo, do="play", seat=1, card="red 1")
    assert stand.table()["phase"] == "round-over"
    stand.do(bo, do="next")
    seat = stand.table()["seats"][0]
    assert (seat["hand"], seat["score"], seat["left"], seat["returning"]) == (7, 140, False, False)
    assert stand.state.seats_of("phone Ann") == {0}


def test_who_left_comes_back_with_another_phone_by_the_code(make_stand: MakeStand) -> None:
    stand = make_stand()
    stand.do(ANN, do="sit", name="Ann")
    stand.do(BO, do="sit", name="Bo")
    stand.do(NEW, do="sit", name="Cy")
    stand.do(HOST, do="start")
    code = codes(stand, 0)["0"]
    stand.do(Who("phone Ann", seats=frozenset({0})), do="stand", seat=0)
    stand.do(Who("tablet"), do="claim", seat=0, code=code)
    assert stand.state.seats_of("tablet") == {0}
    assert stand.state.left_by("phone Ann") == frozenset()
    assert {"e": "came-back", "seat": 0, "name": "Ann"} in stand.events()


def test_the_host_brings_somebody_back(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = stand.put(GAME)
    assert stand.refused(HOST, do="come-back", seat=0) == "not-away"
    stand.do(phones[0], do="stand", seat=0)
    stand.do(HOST, do="come-back", seat=0)
    assert stand.state.seats_of("phone Ann") == {0}


@pytest.mark.parametrize("verb", ["remove", "stand"])
@pytest.mark.parametrize("stood_up", [False, True], ids=["seated", "had stood up"])
def test_who_was_removed_comes_back_only_when_the_host_lets_them(seated: Stand, verb: str, stood_up: bool) -> None:
    seated.do(NEW, do="sit", name="Cy")
    seated.do(HOST, do="start")
    code = codes(seated, 0)["0"]
    if stood_up:
        seated.do(Who("phone Ann", seats=frozenset({0})), do="stand", seat=0)
    seated.do(HOST, do=verb, seat=0)
    assert facts(seated.folded()) == facts(seated.state)
    again = seated.again()
    try:
        assert again.state.left_by("phone Ann") == frozenset()
        assert again.refused(ANN, do="come-back", seat=0) == "not-your-seat"
        assert again.refused(ANN, do="claim", seat=0, code=code) == "wrong-code"
        again.do(HOST, do="come-back", seat=0)
        assert again.state.seats_of("phone Ann") == {0}
        again.do(Who("phone Ann", seats=frozenset({0})), do="stand", seat=0)
        again.do(ANN, do="come-back", seat=0)
    finally:
        again.close()


def test_a_closed_table_keeps_nobody_from_coming_back(make_stand: MakeStand) -> None:
    stand = make_stand()
    ann, *_ = stand.put(GAME)
    stand.do(ann, do="stand", seat=0)
    stand.do(HOST, do="close-table")
    stand.do(Who("phone Ann"), do="come-back", seat=0)
    assert stand.state.seats_of("phone Ann") == {0}


def test_a_phone_has_a_place_until_its_player_can_come_back_no_more(seated: Stand) -> None:
    seated.do(HOST, do="start")
    assert seated.do(NEW, do="sit", name="Cy")["waiting"]
    seated.do(HOST, do="remove", seat=0)
    assert [seated.state.has_place(phone) for phone in ("phone Ann", "phone Bo", "phone New", "another", "")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    seated.do(HOST, do="end")
    assert not seated.state.has_place("phone Ann")


def test_help_is_for_its_phone_and_the_host_to_set(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = stand.put(GAME)
    assert stand.refused(phones[1], do="help", seat=0, on=True) == "not-your-seat"
    assert stand.refused(phones[0], do="help", seat=0, on="yes") == "bad-command"
    stand.do(phones[0], do="help", seat=0, on=True)
    assert [seat["helped"] for seat in stand.table()["seats"]] == [True, False, False]
    stand.do(HOST, do="help", seat=0, on=False)
    assert not stand.table()["seats"][0]["helped"]


@pytest.mark.parametrize(("helped", "grace"), [(False, 1.5), (True, 4.0)])
def test_a_seat_that_gets_help_has_a_longer_grace(make_stand: MakeStand, helped: bool, grace: float) -> None:
    stand = make_stand(profile=always(2))
    ann, bo, _ = stand.put(GAME.replace('"red 7", "blue 7", "blue 8"', '"red 7", "blue 7"'))
    stand.do(HOST, do="help", seat=0, on=helped)
    stand.do(ann, do="play", seat=0, card="red 7")
    heard: list[Answer] = []
    stand.send(bo, heard.append, do="catch", seat=1, target=0)
    stand.pass_time(grace - 0.05)
    assert heard == []
    stand.pass_time(0.1)
    assert [answer["ok"] for answer in heard] == [True]
