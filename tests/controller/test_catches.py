"""UNO calls and catches: who was first is decided by arrival, and a call within the grace window beats a catch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table.messages import Answer, Who
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, Stand, always

ONE_LEFT = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 7"]
Bo = ["red 1", "green 2", "green 3"]
Cy = ["yellow 3", "yellow 4", "red 6"]
"""


@pytest.fixture
def table(make_stand: MakeStand) -> tuple[Stand, list[Who]]:
    """Ann has just played down to one card and said nothing."""
    stand = make_stand(profile=always(2))
    phones = stand.put(ONE_LEFT)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    assert stand.table()["seats"][0]["catchable"]
    return stand, phones


def hold(stand: Stand, who: Who, **body: object) -> list[Answer]:
    """Send a command whose answer comes later, into the list returned."""
    answers: list[Answer] = []
    stand.send(who, answers.append, **body)
    stand.run()
    return answers


def test_a_catch_within_the_grace_is_held_and_takes_effect_at_its_end(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.pass_time(0.5)
    answers = hold(stand, phones[1], do="catch", seat=1, target=0)
    stand.pass_time(0.98)
    assert answers == []
    assert stand.table()["seats"][0]["owed"] == 0
    stand.pass_time(0.04)
    assert [answer["ok"] for answer in answers] == [True]
    assert stand.table()["seats"][0]["owed"] == 2
    assert stand.table()["turn"] == 1


def test_a_call_before_the_grace_ends_beats_a_catch_that_came_first(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.pass_time(0.5)
    answers = hold(stand, phones[1], do="catch", seat=1, target=0)
    stand.pass_time(0.32)
    stand.do(phones[0], do="uno", seat=0)
    assert [(answer["ok"], answer["reason"]) for answer in answers] == [(False, "nothing-to-catch")]
    assert answers[0]["first"] == {"what": "call", "seat": 0, "ms": -320}
    stand.pass_time(2)
    assert stand.table()["seats"][0]["owed"] == 0


def test_a_catch_after_the_grace_takes_effect_at_once_and_a_late_call_is_told_by_how_much(
    table: tuple[Stand, list[Who]],
) -> None:
    stand, phones = table
    stand.pass_time(1.6)
    stand.do(phones[2], do="catch", seat=2, target=0)
    assert stand.table()["seats"][0]["owed"] == 2
    stand.pass_time(0.03)
    second = stand.tell(phones[1], do="catch", seat=1, target=0)
    assert second is not None
    assert (second["reason"], second["first"]) == ("nothing-to-catch", {"what": "catch", "seat": 2, "ms": 30})


def test_a_call_in_time_makes_a_later_catch_wrong_and_says_by_how_much(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.do(phones[0], do="uno", seat=0)
    stand.pass_time(0.25)
    answer = stand.tell(phones[1], do="catch", seat=1, target=0)
    assert answer is not None
    assert (answer["reason"], answer["first"]) == ("nothing-to-catch", {"what": "call", "seat": 0, "ms": 250})


def test_the_first_of_two_held_catches_is_the_one_that_counts(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    first = hold(stand, phones[2], do="catch", seat=2, target=0)
    stand.pass_time(0.1)
    second = hold(stand, phones[1], do="catch", seat=1, target=0)
    stand.pass_time(1.5)
    assert first[0]["ok"]
    assert second[0]["reason"] == "nothing-to-catch"
    assert second[0]["first"] == {"what": "catch", "seat": 2, "ms": 100}
    assert stand.table()["seats"][0]["owed"] == 2


def test_a_play_that_would_close_the_window_makes_a_held_catch_take_effect_first(
    table: tuple[Stand, list[Who]],
) -> None:
    stand, phones = table
    answers = hold(stand, phones[2], do="catch", seat=2, target=0)
    play = stand.tell(phones[1], do="play", seat=1, card="red 1")
    assert play is not None
    assert (play["ok"], play["reason"]) == (False, "owes"), "Ann owes now, and while anybody owes nobody plays"
    assert answers[0]["ok"]
    assert stand.table()["seats"][0]["owed"] == 2
    assert len(stand.game.position.hands[1]) == 3


def test_a_play_that_is_refused_anyway_closes_nothing(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    answers = hold(stand, phones[2], do="catch", seat=2, target=0)
    assert stand.refused(phones[1], do="play", seat=1, card="green 2") == "no-match"
    assert answers == []
    stand.do(phones[0], do="uno", seat=0)
    assert answers[0]["reason"] == "nothing-to-catch"


def test_without_a_held_catch_the_next_player_closes_the_window(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.do(phones[1], do="play", seat=1, card="red 1")
    assert stand.refused(phones[2], do="catch", seat=2, target=0) == "nothing-to-catch"


def test_a_press_makes_a_held_catch_take_effect_first(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    answers = hold(stand, phones[2], do="catch", seat=2, target=0)
    press = stand.tell(phones[1], do="press", seat=1)
    assert press is not None
    assert press["reason"] == "not-your-turn"
    assert answers[0]["ok"]
    assert stand.state.shot is None
    stand.do(phones[0], do="press", seat=0)
    stand.until(lambda: stand.state.shot is None)
    assert stand.table()["seats"][0]["owed"] == 1


def test_a_catch_after_the_press_that_closed_the_window_comes_too_late(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.do(phones[1], do="press", seat=1)
    answers = hold(stand, phones[2], do="catch", seat=2, target=0)
    stand.until(lambda: stand.state.shot is None)
    assert [answer["reason"] for answer in answers] == ["nothing-to-catch"]
    assert stand.table()["seats"][0]["owed"] == 0


def test_a_call_goes_on_during_a_shot(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    stand.do(phones[1], do="press", seat=1)
    stand.do(phones[0], do="uno", seat=0)
    assert stand.state.shot is not None
    assert stand.table()["seats"][0]["called"]


def test_the_same_catch_sent_again_while_it_is_held_is_answered_twice_and_done_once(
    table: tuple[Stand, list[Who]],
) -> None:
    stand, phones = table
    answers = hold(stand, phones[1], do="catch", seat=1, target=0, id="same")
    answers_again = hold(stand, phones[1], do="catch", seat=1, target=0, id="same")
    stand.pass_time(1.6)
    assert answers == answers_again == [{"ok": True, "id": "same"}]
    assert stand.table()["seats"][0]["owed"] == 2


def test_a_held_catch_lapses_when_the_host_lets_the_player_leave(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    answers = hold(stand, phones[1], do="catch", seat=1, target=0)
    stand.do(HOST, do="stand", seat=0)
    assert len(answers) == 1
    assert stand.table()["seats"][0]["left"]
    assert stand.table()["due"] == {"seat": 1, "what": "play"}


def test_without_grace_a_catch_takes_effect_at_once(make_stand: MakeStand) -> None:
    stand = make_stand(settings=replace(SETTINGS, grace=0.0))
    phones = stand.put(ONE_LEFT)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    stand.do(phones[1], do="catch", seat=1, target=0)
    assert stand.table()["seats"][0]["owed"] == 2


def test_bots_wait_for_the_grace_before_they_play_on(make_stand: MakeStand) -> None:
    stand = make_stand(settings=replace(SETTINGS, think=0.1))
    phones = stand.put(ONE_LEFT, phones="pbb")
    stand.do(phones[0], do="play", seat=0, card="red 7")
    began = stand.clock.now()
    stand.until(lambda: len(stand.game.entries) > 1)
    assert stand.clock.now() - began >= 1.5
    stand.until(lambda: stand.table()["turn"] != 1 or stand.table()["due"]["seat"] == 0)


def test_spectators_and_others_cannot_catch(table: tuple[Stand, list[Who]]) -> None:
    stand, phones = table
    assert stand.refused(Who("television"), do="catch", seat=1, target=0) == "not-your-seat"
    assert stand.refused(phones[0], do="catch", seat=0, target=0) == "bad-target"
    assert stand.refused(phones[1], do="catch", seat=1, target=2) == "nothing-to-catch"


def test_where_a_wrong_call_costs_cards_only_a_plainly_right_one_is_taken_during_a_shot(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = stand.put(ONE_LEFT.replace("[hands]", "[rules]\nfalse_uno_penalty = 2\n[hands]"))
    stand.do(phones[0], do="play", seat=0, card="red 7")
    stand.do(phones[1], do="press", seat=1)
    assert stand.refused(phones[2], do="uno", seat=2) == "firing"
    stand.do(phones[0], do="uno", seat=0)
    stand.until(lambda: stand.state.shot is None)
    assert len(stand.game.position.hands[1]) == 5
    assert stand.table()["seats"][2]["owed"] == 0


CLASSIC = ONE_LEFT.replace('"attack"', '"classic"')


def test_two_catches_at_once_cost_the_second_nothing_and_tell_by_how_much(make_stand: MakeStand) -> None:
    """Also where a wrong catch costs two cards: it was right when it came."""
    stand = make_stand(profile=always(2))
    phones = stand.put(CLASSIC)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    first = hold(stand, phones[1], do="catch", seat=1, target=0)
    stand.pass_time(0.04)
    second = hold(stand, phones[2], do="catch", seat=2, target=0)
    stand.pass_time(2)
    assert first[0]["ok"]
    assert second[0]["reason"] == "nothing-to-catch"
    assert second[0]["first"] == {"what": "catch", "seat": 1, "ms": 40}
    assert [seat["hand"] for seat in stand.table()["seats"]] == [3, 3, 3]


def test_a_catch_a_moment_after_the_call_costs_nothing(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = stand.put(CLASSIC)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    stand.do(phones[0], do="uno", seat=0)
    stand.pass_time(0.12)
    late = stand.tell(phones[1], do="catch", seat=1, target=0)
    assert late is not None
    assert (late["reason"], late["first"]) == ("nothing-to-catch", {"what": "call", "seat": 0, "ms": 120})
    assert stand.table()["seats"][1]["owed"] == 0


def test_a_call_a_moment_after_the_catch_costs_nothing_more(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2), settings=replace(SETTINGS, grace=0.0))
    phones = stand.put(CLASSIC)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    stand.do(phones[1], do="catch", seat=1, target=0)
    assert stand.table()["seats"][0]["hand"] == 3
    stand.pass_time(0.2)
    late = stand.tell(phones[0], do="uno", seat=0)
    assert late is not None
    assert (late["reason"], late["first"]) == ("false-call", {"what": "catch", "seat": 1, "ms": 200})
    assert stand.table()["seats"][0]["hand"] == 3


def test_a_second_catch_of_the_same_costs_two_when_it_comes_long_after(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = stand.put(CLASSIC)
    stand.do(phones[0], do="play", seat=0, card="red 7")
    stand.pass_time(2)
    stand.do(phones[1], do="catch", seat=1, target=0)
    stand.pass_time(3)
    stand.do(phones[2], do="catch", seat=2, target=0)
    assert [seat["hand"] for seat in stand.table()["seats"]] == [3, 3, 5]
