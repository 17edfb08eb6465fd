"""Bots: they finish matches by themselves, see no more than a seat may, and never do what would be refused."""

from __future__ import annotations

import logging
import random
from dataclasses import replace

import pytest

from controller import bots
from controller.rules import views
from controller.rules.cases import read_case
from hardware.ports import LauncherState
from hardware.settings import LauncherSettings
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, always

INSTANT = replace(SETTINGS, grace=0.0, think=0.0, suspense=0.0)


@pytest.mark.parametrize(
    ("players", "preset"),
    [(2, "attack"), (4, "attack"), pytest.param(9, "attack-sheet", marks=pytest.mark.slow), (3, "mega-hit")],
)
def test_bots_finish_a_whole_match_without_a_refusal(
    make_stand: MakeStand, caplog: pytest.LogCaptureFixture, players: int, preset: str
) -> None:
    stand = make_stand(settings=INSTANT, seed=f"{players} {preset}")
    for _ in range(players):
        stand.do(HOST, do="add-bot")
    with caplog.at_level(logging.WARNING, logger="controller.table"):
        stand.do(HOST, do="start", preset=preset, match={"target": 150})
        while stand.table()["phase"] != "match-over":
            if stand.state.empty:
                stand.do(HOST, do="reload")
            stand.pass_time(0.05, 0.05)
            assert stand.clock.now() < 20_000
    assert [record.message for record in caplog.records] == []
    table = stand.table()
    assert table["match"]["winners"]
    assert max(seat["score"] for seat in table["seats"]) >= 150
    kinds = {type(entry.action).__name__ for entry in stand.game.entries}
    assert {"Play", "Hit", "Call", "Next"} <= kinds


def test_bots_play_a_pile_table_too(make_stand: MakeStand, caplog: pytest.LogCaptureFixture) -> None:
    stand = make_stand(settings=INSTANT)
    for _ in range(3):
        stand.do(HOST, do="add-bot")
    with caplog.at_level(logging.WARNING, logger="controller.table"):
        stand.do(HOST, do="start", preset="classic", match={"target": 100})
        stand.until(lambda: stand.table()["phase"] == "match-over", limit=2000)
    assert [record.message for record in caplog.records] == []
    assert stand.state.shots == 0


def test_a_bot_waits_until_the_launcher_has_cooled_down(make_stand: MakeStand) -> None:
    stand = make_stand(settings=INSTANT, profile=always(8), launcher=LauncherSettings(duty_ms=4000))
    stand.put(
        """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Bo"
[hands]
Ann = ["blue 7", "blue 8"]
Bo = ["green 1", "green 2"]
""",
        phones="bb",
    )
    stand.until(lambda: stand.core.ground.launcher_state is LauncherState.COOLING)
    stand.pass_time(0.5)
    until, shots = stand.core.ground.launcher_until, stand.state.shots
    assert until is not None
    deadline = stand.core.next_deadline()
    assert deadline == pytest.approx(until, abs=0.11), "it does not try again and again meanwhile"
    stand.until(lambda: stand.state.shots > shots)
    assert until <= stand.clock.now() <= until + 0.2


def test_bots_that_can_only_pass_come_to_an_end(make_stand: MakeStand) -> None:
    stand = make_stand(settings=INSTANT, profile=always(3))
    stand.put(
        """
preset = "classic"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
pile = []
[rules]
deck = "classic-108"
[hands]
Ann = ["blue 1", "blue 2", "blue 3", "blue 4", "blue 6", "blue 7", "blue 8", "blue 9", "blue 0"]
Bo = ["green 1", "green 2", "green 3"]
""",
        phones="bb",
    )
    position = stand.game.position
    position.pile.clear()  # every other card is with nobody: nothing can be drawn, and nothing fits
    del position.discards[:-1]
    entries = len(stand.game.entries)
    stand.pass_time(0.5)
    passes = [entry for entry in stand.game.entries[entries:] if type(entry.action).__name__ == "Pass"]
    assert 2 <= len(passes) <= 4
    assert stand.game.position.match.rounds[0].winner == -1, "nobody went out"


def test_a_bot_thinks_before_it_moves(make_stand: MakeStand) -> None:
    stand = make_stand(settings=replace(SETTINGS, grace=0.0, think=0.9))
    stand.put(
        """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Bo"
[hands]
Ann = ["red 7", "blue 7", "blue 8"]
Bo = ["red 1", "green 2", "green 3"]
""",
        phones="pb",
    )
    stand.pass_time(0.88)
    assert stand.table()["turn"] == 1
    stand.pass_time(0.04)
    assert stand.table()["turn"] == 0


def test_bots_wait_for_the_launcher_and_for_people(make_stand: MakeStand) -> None:
    stand = make_stand(settings=INSTANT, profile=always(2))
    stand.put(
        """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red hit-2", "blue 7", "blue 8"]
Bo = ["green 1", "green 2"]
""",
        phones="pb",
    )
    stand.backend.twin.open_lid()
    stand.run()
    stand.do(HOST, do="play", seat=0, card="red hit-2")
    stand.pass_time(3)
    assert stand.state.shots == 0
    stand.backend.twin.close_lid()
    stand.do(HOST, do="clear-fault")
    stand.until(lambda: stand.table()["turn"] == 0, limit=20)
    assert stand.state.shots == 2
    entries = len(stand.game.entries)
    stand.pass_time(5)
    assert len(stand.game.entries) == entries


def test_a_bot_prefers_action_cards_and_the_colour_it_holds_most_of() -> None:
    game = read_case("""
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "red skip", "wild", "blue 1", "blue 2", "green 3"]
Bo = ["green 1", "green 2"]
Cy = ["yellow 3"]
""").game
    rng = random.Random(1)
    public, private = views.public(game.position), views.private(game.position, 0)
    assert bots.choose(public, private, rng) == [{"do": "play", "seat": 0, "card": "red skip"}]
    only_wild = {**private, "moves": [move for move in private["moves"] if move["card"] == "wild"]}
    assert bots.choose(public, only_wild, rng)[-1]["colour"] == "blue"


def test_a_bot_mostly_calls_before_its_last_card_but_one() -> None:
    game = read_case("""
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 1"]
Bo = ["green 1", "green 2"]
""").game
    rng = random.Random(4)
    public, private = views.public(game.position), views.private(game.position, 0)
    chosen = [bots.choose(public, private, rng) for _ in range(400)]
    assert all(commands[-1] == {"do": "play", "seat": 0, "card": "red 7"} for commands in chosen)
    called = sum(commands[0] == {"do": "uno", "seat": 0} for commands in chosen)
    assert 300 < called < 380


def test_bots_sometimes_catch_and_only_after_the_grace(make_stand: MakeStand) -> None:
    caught = 0
    for seed in range(12):
        stand = make_stand(settings=replace(SETTINGS, think=0.1), seed=str(seed), profile=always(2))
        phones = stand.put(
            """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "blue 7"]
Bo = ["red 1", "green 2", "green 3"]
Cy = ["yellow 3", "yellow 4", "red 6"]
""",
            phones="pbp",
        )
        stand.do(phones[0], do="play", seat=0, card="red 7")
        began = stand.clock.now()
        stand.until(lambda stand=stand: len(stand.game.entries) > 1)  # type: ignore[misc]
        assert stand.clock.now() - began >= 1.5
        caught += stand.table()["seats"][0]["owed"] == 2
    assert 3 <= caught <= 11
