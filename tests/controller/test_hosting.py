"""Seats, starting and ending games, pauses; and every command answered, whatever it says."""

from __future__ import annotations

import pytest

from controller.rules.cards import parse_card
from controller.table.answers import KEPT
from controller.table.messages import Answer, Who
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, Stand, facts

ANN, BO = Who("a"), Who("b")


def seated(stand: Stand, *names: str) -> list[Who]:
    """People sit down, a phone each."""
    phones = []
    for name in names:
        answer = stand.do(Who(name), do="sit", name=name)
        phones.append(Who(name, seats=frozenset({int(str(answer["seat"]))})))
    return phones


def test_people_sit_and_are_shown(stand: Stand) -> None:
    answer = stand.do(ANN, do="sit", name="  Ann\u202e\n Lee ")
    assert answer["seat"] == 0
    stand.do(HOST, do="add-bot")
    table = stand.table()
    assert table["phase"] == "gathering"
    assert [(seat["name"], seat["kind"]) for seat in table["seats"]] == [("Ann Lee", "person"), ("Bolt", "bot")]
    assert stand.state.seats_of("a") == {0}


@pytest.mark.parametrize("name", ["", "   ", "\u202e", 7, None, "x" * 21])
def test_a_name_no_screen_can_show_is_refused(stand: Stand, name: object) -> None:
    assert stand.refused(ANN, do="sit", name=name) == "bad-command"


def test_names_are_unique_whatever_their_case(stand: Stand) -> None:
    phones = seated(stand, "Ann", "Bo")
    assert stand.refused(Who("c"), do="sit", name="ANN") == "name-taken"
    assert stand.refused(phones[1], do="rename", seat=1, name="ann") == "name-taken"
    stand.do(phones[1], do="rename", seat=1, name="BO")
    assert stand.refused(phones[1], do="rename", seat=0, name="Zoe") == "not-your-seat"
    assert stand.table()["seats"][1]["name"] == "BO"


def test_a_table_has_room_for_nine_and_the_host_can_close_it(stand: Stand) -> None:
    for _ in range(8):
        stand.do(HOST, do="add-bot")
    stand.do(HOST, do="close-table")
    assert stand.refused(ANN, do="sit", name="Ann") == "table-closed"
    stand.do(HOST, do="open-table")
    stand.do(ANN, do="sit", name="Ann")
    assert stand.refused(BO, do="sit", name="Bo") == "table-full"
    assert stand.refused(HOST, do="add-bot") == "table-full"


def test_seats_are_numbered_anew_only_while_gathering(stand: Stand) -> None:
    phones = seated(stand, "Ann", "Bo", "Cy", "Di")
    stand.do(phones[1], do="stand", seat=1)
    assert [seat["name"] for seat in stand.table()["seats"]] == ["Ann", "Cy", "Di"]
    assert (stand.state.seats_of("Cy"), stand.state.seats_of("Bo")) == (frozenset({1}), frozenset())
    stand.do(HOST, do="start")
    stand.do(HOST, do="remove", seat=1)
    table = stand.table()
    assert [(seat["name"], seat["left"]) for seat in table["seats"]] == [("Ann", False), ("Cy", True), ("Di", False)]
    stand.do(HOST, do="end")
    assert [seat["name"] for seat in stand.table()["seats"]] == ["Ann", "Di"]
    assert stand.state.seats_of("Di") == {1}


def test_only_the_host_hosts(stand: Stand) -> None:
    phones = seated(stand, "Ann", "Bo")
    for verb in ("add-bot", "remove", "start", "rematch", "end", "pause", "resume", "reload", "undo", "clear-fault",
                 "halt", "open-table", "close-table", "give"):  # fmt: skip
        assert stand.refused(phones[0], do=verb, seat=1) == "not-host"
    assert stand.refused(phones[0], do="stand", seat=1) == "not-your-seat"
    assert stand.refused(Who("tv"), do="next") == "not-your-seat"


def test_a_game_needs_players_and_rules_that_can_be(stand: Stand) -> None:
    seated(stand, "Ann")
    assert stand.refused(HOST, do="start") == "too-few"
    stand.do(HOST, do="add-bot")
    wrongs: tuple[dict[str, object], ...] = (
        {"preset": "atack"}, {"options": {"uno_penality": 2}}, {"options": {"hand_size": 60}}, {"options": []},
        {"match": {"format": "golf"}}, {"match": {"goal": 1}}, {"match": {"target": "much"}}, {"preset": 7},
        {"match": {"rounds": 1.5}}, {"match": {"target": True}}, {"match": {"teams": "Ann"}}, {"match": {"teams": [0]}},
    )  # fmt: skip
    for wrong in wrongs:
        assert stand.refused(HOST, do="start", **wrong) == "bad-command", wrong
    answer = stand.tell(HOST, do="start", preset="atack")
    assert answer is not None
    assert "attack" in str(answer["text"])
    assert stand.table()["phase"] == "gathering"
    stand.do(HOST, do="start", options={"hand_size": 5}, match={"target": 300})
    table = stand.table()
    assert table["seats"][0]["hand"] in (5, *range(5, 40))
    assert table["match"]["target"] == 300
    assert stand.refused(HOST, do="start") == "game-on"


def test_a_new_game_is_a_new_epoch(stand: Stand) -> None:
    seated(stand, "Ann", "Bo")
    before = stand.published[-1][1]
    stand.do(HOST, do="start")
    after = stand.published[-1][1]
    assert after.epoch > before.epoch
    versions = [each.version for _, each in stand.published if each.epoch == after.epoch]
    assert versions == list(range(1, len(versions) + 1))


def test_a_pause_holds_everything_but_the_host(stand: Stand) -> None:
    phones = seated(stand, "Ann", "Bo")
    stand.do(HOST, do="start")
    stand.do(HOST, do="pause")
    assert stand.table()["paused"]
    for seat in (0, 1):
        assert stand.refused(phones[seat], do="press", seat=seat) == "paused"
        assert stand.refused(phones[seat], do="pass", seat=seat) == "paused"
    stand.press()
    assert stand.state.shots == 0
    stand.do(HOST, do="resume")
    assert not stand.table()["paused"]


def test_a_seat_can_be_given_to_another_phone(stand: Stand) -> None:
    seated(stand, "Ann", "Bo")
    stand.do(HOST, do="start")
    stand.do(HOST, do="give", seat=0, session="new phone")
    assert stand.state.seats_of("new phone") == {0}
    assert stand.state.seats_of("Ann") == frozenset()


def test_the_host_acts_for_a_seat(make_stand: MakeStand) -> None:
    stand = make_stand()
    stand.put("""
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 7", "blue 8"]
Bo = ["red 1", "green 2"]
""")
    assert stand.refused(HOST, do="play", seat=1, card="red 1") == "not-your-turn"
    stand.do(HOST, do="play", seat=0, card="red 7")
    assert stand.table()["top"] == "red 7"
    stand.do(HOST, do="undo")
    assert stand.table()["top"] == "red 5"
    assert stand.refused(HOST, do="undo") == "nothing-to-undo"


@pytest.mark.parametrize(
    "body",
    [
        {"do": "dance"}, {"do": 7}, {"do": None}, {}, {"do": "play"}, {"do": "play", "seat": "0"},
        {"do": "play", "seat": 99}, {"do": "play", "seat": True}, {"do": "play", "seat": -1},
        {"do": "play", "seat": 0, "card": "red 55"}, {"do": "play", "seat": 0, "card": ["red 5"]},
        {"do": "play", "seat": 0, "card": "red 5", "colr": "red"}, {"do": "play", "seat": 0},
        {"do": "play", "seat": 0, "card": "wild", "colour": "pink"}, {"do": "hit", "seat": 0, "cards": 3},
        {"do": "catch", "seat": 0}, {"do": "next", "seat": 0}, {"do": "correct"}, {"do": "correct", "cards": "2"},
        {"do": "shot-was", "cards": 2}, {"do": "rematch"}, {"do": "last", "target": 0}, {"do": "set-score", "seat": 0},
    ],
)  # fmt: skip
def test_a_command_that_makes_no_sense_is_answered_and_changes_nothing(stand: Stand, body: dict[str, object]) -> None:
    phones = seated(stand, "Ann", "Bo")
    stand.do(HOST, do="start")
    asker = Who("host", host=True, seats=phones[0].seats)
    answer = stand.tell(asker, **{"do": None, **body})
    assert answer is not None
    assert not answer["ok"]
    assert answer["reason"]


def test_a_command_without_an_id_is_answered_too(stand: Stand) -> None:
    for identity in (None, 7, "", "x" * 65):
        answer = stand.tell(ANN, do="sit", name="Ann", id=identity)
        assert answer is not None
        assert (answer["ok"], answer["reason"]) == (False, "bad-command")
    assert stand.state.seats == []


def test_a_command_sent_again_does_nothing_twice(stand: Stand) -> None:
    first = stand.tell(ANN, do="sit", name="Ann", id="one")
    before = facts(stand.state)
    published = len(stand.published)
    again = stand.tell(ANN, do="sit", name="Ann", id="one")
    assert first == again == {"ok": True, "seat": 0, "id": "one"}
    assert facts(stand.state) == before
    assert len(stand.published) == published
    assert stand.tell(BO, do="sit", name="Bo", id="one") == {"ok": True, "seat": 1, "id": "one"}


def test_a_command_sent_again_after_a_restart_does_nothing_twice(stand: Stand) -> None:
    phones = seated(stand, "Ann", "Bo")
    stand.do(HOST, do="start")
    seat = stand.table()["turn"]
    press = {"do": "press", "seat": seat, "id": "press one"}
    assert stand.tell(phones[seat], **press) == {"ok": True, "id": "press one"}
    second = stand.again()
    assert second.tell(phones[seat], **press) == {"ok": True, "id": "press one"}
    assert second.state.shots == 1
    second.close()


def test_the_last_answers_are_kept_and_no_more(stand: Stand) -> None:
    stand.do(ANN, do="sit", name="Ann", id="first")
    for number in range(KEPT):
        stand.tell(ANN, do="rename", seat=5, name="x", id=f"filler {number}")
    assert stand.state.answers.given("a", "first") is None
    assert stand.state.answers.given("a", "filler 0") is not None


def test_two_copies_before_the_commit_are_both_answered(stand: Stand) -> None:
    heard: list[Answer] = []
    stand.send(ANN, heard.append, do="sit", name="Ann", id="one")
    stand.send(ANN, heard.append, do="sit", name="Ann", id="one")
    assert heard == [], "nothing leaves before it is on disk"
    stand.run()
    assert heard == [{"ok": True, "seat": 0, "id": "one"}] * 2
    assert len(stand.state.seats) == 1


def test_a_rematch_is_between_those_who_stayed(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = seated(stand, "Ann", "Bo", "Cy")
    stand.do(HOST, do="start", options={"hand_size": 3})
    stand.do(HOST, do="stand", seat=1)
    assert stand.refused(HOST, do="rematch") == "not-yet"
    stand.do(HOST, do="set-score", seat=0, score=499)
    win(stand, 0)
    assert stand.table()["phase"] == "match-over"
    stand.do(phones[2], do="stand", seat=2)
    assert stand.refused(HOST, do="rematch") == "too-few", "one alone cannot play"
    assert stand.table()["phase"] == "match-over"
    stand.do(HOST, do="give", seat=2, session="Cy")
    stand.do(HOST, do="rematch")
    table = stand.table()
    assert [(seat["name"], seat["score"]) for seat in table["seats"]] == [("Ann", 0), ("Cy", 0)]
    assert table["phase"] == "playing"
    assert facts(stand.folded()) == facts(stand.state)


def test_without_a_target_the_host_ends_the_match_and_the_standings_count(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = seated(stand, "Ann", "Bo")
    stand.do(HOST, do="start", options={"hand_size": 3}, match={"target": 0, "rounds": 0})
    assert stand.refused(HOST, do="finish") == "not-yet"
    stand.do(HOST, do="set-score", seat=1, score=400)
    win(stand, 0)
    assert stand.refused(phones[0], do="finish") == "not-host"
    stand.do(HOST, do="finish")
    table = stand.table()
    assert (table["phase"], table["match"]["winners"], table["match"]["ranking"]) == ("match-over", [1], [1, 0])
    stand.do(HOST, do="end")
    assert stand.table()["phase"] == "gathering"
    assert facts(stand.folded()) == facts(stand.state)


def test_marks_stay_for_the_evening(make_stand: MakeStand) -> None:
    stand = make_stand()
    phones = seated(stand, "Ann", "Bo", "Cy")
    match = {"format": "winner-takes", "target": 500, "forfeits": True, "forfeit_text": "the dishes"}
    stand.do(HOST, do="start", options={"hand_size": 3}, match=match)
    stand.do(HOST, do="set-score", seat=0, score=499)
    win(stand, 0)
    assert [seat["marks"] for seat in stand.table()["seats"]] == [0, 1, 1]
    assert stand.table()["match"]["forfeit"] == "the dishes"
    stand.do(phones[1], do="stand", seat=1)
    stand.do(HOST, do="rematch")
    table = stand.table()
    assert [(seat["name"], seat["score"], seat["marks"]) for seat in table["seats"]] == [("Ann", 0, 0), ("Cy", 0, 1)]
    second = stand.again()
    assert [seat["marks"] for seat in second.table()["seats"]] == [0, 1]
    second.do(HOST, do="end")
    second.do(phones[1], do="sit", name="Bo")
    second.do(HOST, do="start", options={"hand_size": 3}, match=match)
    assert [seat["marks"] for seat in second.table()["seats"]] == [0, 1, 0]
    second.close()


def win(stand: Stand, seat: int) -> None:
    """Let `seat` play its last card."""
    position = stand.game.position
    stand.do(HOST, do="set-turn", seat=seat)
    red_five = parse_card("red 5")
    position.hands[seat][:] = type(position.hands[seat])([red_five])
    stand.do(HOST, do="set-colour", colour="red")
    stand.do(HOST, do="play", seat=seat, card="red 5")


@pytest.mark.parametrize("half", ["\ud800", "ab\ud800c"])
def test_half_characters_are_refused_before_anything_is_written(stand: Stand, half: str) -> None:
    stand.do(ANN, do="sit", name="Ann")
    seated = Who(ANN.session, seats=frozenset({0}))
    for body in ({"id": half, "do": "rename", "name": "Eva"}, {"do": "rename", "name": "Eva", "more": [{"x": half}]}):
        assert stand.refused(seated, seat=0, **body) == "bad-command"
    assert stand.refused(HOST, do="give", seat=0, session=half) == "bad-command"
    stand.do(HOST, do="rename", seat=0, name="Eva")
    assert stand.failures == []
