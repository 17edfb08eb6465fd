"""Sitting down while a game is on: a seat at the next one; and leaving in the middle of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, Stand, facts

ZOE = Who("Zoe")


def playing(stand: Stand, *names: str) -> list[Who]:
    """A game of two, or of those named, with a phone each."""
    phones = []
    for seat, name in enumerate(names or ("Ann", "Bo")):
        stand.do(Who(name), do="sit", name=name)
        phones.append(Who(name, seats=frozenset({seat})))
    stand.do(HOST, do="start", physical=True)
    return phones


def names(stand: Stand) -> list[str]:
    return [seat["name"] for seat in stand.table()["seats"]]


def to_the_end(stand: Stand) -> None:
    """The match is won by the first seat."""
    last = len(names(stand)) - 1
    stand.do(HOST, do="dealer", seat=last)
    stand.do(HOST, do="start-card", card="red 5")
    stand.do(HOST, do="set-score", seat=0, score=499)
    stand.do(HOST, do="set-hand", seat=0, count=1)
    stand.do(HOST, do="play", seat=0, card="red 1")
    for seat in stand.table()["toCount"] or []:
        stand.do(HOST, do="points", seat=seat, points=5)
    assert stand.table()["phase"] == "match-over"


def test_who_sits_during_a_game_waits_and_plays_the_rematch(stand: Stand) -> None:
    playing(stand)
    assert stand.tell(ZOE, do="sit", name="Zoe", id="s") == {"ok": True, "waiting": True, "id": "s"}
    assert stand.events()[-1] == {"e": "waiting", "name": "Zoe"}
    assert (names(stand), stand.table()["waiting"]) == (["Ann", "Bo"], ["Zoe"])
    assert stand.state.seats_of("Zoe") == frozenset()
    assert facts(stand.folded()) == facts(stand.state)
    to_the_end(stand)
    stand.do(HOST, do="rematch")
    table = stand.table()
    assert (names(stand), table["waiting"], table["phase"]) == (["Ann", "Bo", "Zoe"], [], "start")
    assert [seat["hand"] for seat in table["seats"]] == [7, 7, 7]
    assert stand.state.seats_of("Zoe") == {2}
    assert facts(stand.folded()) == facts(stand.state)


def test_who_waits_still_waits_after_a_restart_and_sits_when_the_game_is_ended(stand: Stand) -> None:
    playing(stand)
    for name in ("Zoe", "Yan"):
        stand.do(Who(name), do="sit", name=name)
    again = stand.again()
    assert again.table()["waiting"] == ["Zoe", "Yan"]
    again.do(HOST, do="end")
    assert (names(again), again.table()["waiting"]) == (["Ann", "Bo", "Zoe", "Yan"], [])
    assert [e["name"] for e in again.events() if e["e"] == "sat"] == ["Zoe", "Yan"]
    again.do(HOST, do="start", physical=True)
    assert len(again.table()["seats"]) == 4
    assert facts(again.folded()) == facts(again.state)
    again.close()


def test_who_leaves_makes_room_for_who_waits(make_stand: MakeStand) -> None:
    stand = make_stand(settings=replace(SETTINGS, most_seats=3))
    phones = playing(stand, "Ann", "Bo", "Cy")
    answer = stand.tell(ZOE, do="sit", name="Zoe")
    assert answer is not None
    assert (answer["reason"], answer["most"]) == ("table-full", 3)
    stand.do(phones[1], do="stand", seat=1)
    assert stand.table()["seats"][1]["left"]
    stand.do(ZOE, do="sit", name="Zoe")
    assert stand.refused(Who("Yan"), do="sit", name="Yan") == "table-full"
    to_the_end(stand)
    stand.do(HOST, do="rematch")
    assert names(stand) == ["Ann", "Cy", "Zoe"]
    assert stand.state.seats_of("Cy") == {1}


def test_a_name_is_taken_while_it_waits(stand: Stand) -> None:
    phones = playing(stand)
    stand.do(ZOE, do="sit", name="Zoe")
    assert stand.refused(Who("Yan"), do="sit", name="ZOE") == "name-taken"
    assert stand.refused(Who("Yan"), do="sit", name="ann") == "name-taken"
    assert stand.refused(phones[0], do="rename", seat=0, name="zoe") == "name-taken"
    assert stand.refused(ZOE, do="sit", name="") == "bad-command"


def test_a_phone_waits_once_by_the_name_it_gave_last(make_stand: MakeStand) -> None:
    stand = make_stand(settings=replace(SETTINGS, most_seats=3))
    playing(stand)
    stand.do(ZOE, do="sit", name="Zoe")
    assert stand.do(ZOE, do="sit", name="Zelda")["waiting"]
    assert stand.table()["waiting"] == ["Zelda"]
    assert stand.events()[-2:] == [{"e": "not-waiting", "name": "Zoe"}, {"e": "waiting", "name": "Zelda"}]
    assert stand.state.waits("Zoe")
    assert stand.refused(ZOE, do="sit", name="ann") == "name-taken"
    stand.do(HOST, do="close-table")
    version = stand.view()["version"]
    assert stand.do(ZOE, do="sit", name="Zelda")["waiting"], "its own name again"
    assert (stand.view()["version"], stand.table()["waiting"]) == (version, ["Zelda"])
    stand.do(ZOE, do="sit", name="zelda")
    assert stand.table()["waiting"] == ["zelda"]
    stand.do(ZOE, do="stand", name="zelda")
    assert (stand.table()["waiting"], stand.state.waits("Zoe")) == ([], False)
    assert facts(stand.folded()) == facts(stand.state)


def test_a_closed_table_lets_nobody_wait(stand: Stand) -> None:
    playing(stand)
    stand.do(HOST, do="close-table")
    assert stand.refused(ZOE, do="sit", name="Zoe") == "table-closed"
    assert stand.refused(HOST, do="add-bot") == "game-on"


def test_waiting_is_given_up_by_whoever_waits_or_by_the_host(stand: Stand) -> None:
    phones = playing(stand)
    for name in ("Zoe", "Yan"):
        stand.do(Who(name), do="sit", name=name)
    assert stand.refused(phones[0], do="stand", name="Zoe") == "not-your-seat"
    assert stand.refused(ZOE, do="stand", name="Nobody") == "no-such-player"
    assert stand.refused(ZOE, do="stand", name=["Zoe"]) == "no-such-player"
    stand.do(ZOE, do="stand", name="Zoe")
    assert stand.events()[-1] == {"e": "not-waiting", "name": "Zoe"}
    assert stand.table()["waiting"] == ["Yan"]
    stand.do(HOST, do="remove", name="Yan")
    assert stand.table()["waiting"] == []
    assert facts(stand.folded()) == facts(stand.state)


def test_a_phone_at_the_table_may_let_another_player_wait(stand: Stand) -> None:
    phones = playing(stand)
    assert stand.do(phones[0], do="sit", name="Ann's child")["waiting"]
    stand.do(HOST, do="end")
    assert stand.state.seats_of("Ann") == {0, 2}


def test_a_rematch_too_many_for_the_rules_is_refused_before_anything_is_put_away(stand: Stand) -> None:
    playing(stand)
    stand.do(ZOE, do="sit", name="Zoe")
    to_the_end(stand)
    row = dict(stand.state.rules)
    row["options"] = {"players": "2-2"}
    stand.state.rules = row
    assert stand.refused(HOST, do="rematch") == "bad-command"
    assert stand.table()["phase"] == "match-over"
    stand.do(HOST, do="remove", name="Zoe")
    stand.do(HOST, do="rematch")
    assert names(stand) == ["Ann", "Bo"]


def test_no_bot_slips_into_a_rematch_with_real_cards(stand: Stand) -> None:
    playing(stand)
    to_the_end(stand)
    assert stand.refused(HOST, do="add-bot") == "game-on"


@pytest.mark.parametrize("phase", ["start", "playing"])
def test_a_player_may_leave_in_any_phase(stand: Stand, phase: str) -> None:
    phones = playing(stand, "Ann", "Bo", "Cy")
    if phase == "playing":
        stand.do(HOST, do="start-card", card="red 5")
    stand.do(phones[2], do="stand", seat=2)
    if phase == "start":
        assert stand.table()["phase"] == "start"
        stand.do(HOST, do="start-card", card="red 5")
    assert stand.table()["turn"] == 0, "left of the dealer who left"
    stand.do(phones[0], do="play", seat=0, card="red 7")
    assert stand.table()["turn"] == 1
    assert facts(stand.folded()) == facts(stand.state)
