"""Rotation schedules: everybody opposite everybody else, as often as the rules say; and a match that follows one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from controller.rules import actions as a
from controller.rules.chance import Dice
from controller.rules.game import Game
from controller.rules.matches import MatchError, MatchSettings
from controller.rules.options import resolve
from controller.rules.position import MATCH_OVER
from controller.rules.rotation import ROTATIONS, schedule, sitting, standings


@pytest.mark.parametrize(("rotation", "games", "cycles"), [("four", 12, 1), ("eight", 28, 1), ("four", 24, 2)])
def test_everybody_is_opposite_everybody_else_for_four_games_a_cycle(rotation: str, games: int, cycles: int) -> None:
    plan = schedule(rotation, cycles)
    assert [one.game for one in plan] == list(range(1, games + 1))
    players = range(ROTATIONS[rotation])
    opposite: Counter[tuple[int, ...]] = Counter()
    for one in plan:
        assert sorted(player for table in one.tables for player in table) == list(players)
        opposite.update(tuple(sorted(pair)) for pair in one.opposites)
    assert opposite == dict.fromkeys(combinations(players, 2), 4 * cycles)


def test_the_two_at_ones_sides_change_places_between_the_games_of_a_pairing() -> None:
    assert [sitting("four", game).tables[0] for game in range(1, 6)] == [
        (0, 1, 2, 3), (0, 3, 2, 1), (0, 1, 2, 3), (0, 3, 2, 1), (0, 1, 3, 2),
    ]  # fmt: skip
    assert sitting("eight", 1).tables == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert sitting("eight", 2).tables == ((0, 3, 2, 1), (4, 7, 6, 5))


def test_standings_add_up_every_game() -> None:
    points = [(10, 0, 0, 5), (0, 30, 0, 0), (15, 0, 0, 0)]
    assert standings(points, highest_wins=True) == ((1, 30), (0, 25), (3, 5), (2, 0))
    assert standings(points, highest_wins=False) == ((2, 0), (3, 5), (0, 25), (1, 30))


def rotating(form: str, partners: bool) -> Game:
    match = MatchSettings(format=form, target=0, rotation="four", partners=partners)
    return Game(resolve("classic", {"hand_size": 1}), ("Ann", "Bo", "Cy", "Di"), match)


@pytest.mark.parametrize("partners", [False, True])
def test_a_match_goes_through_its_twelve_games_and_the_sums_decide(partners: bool) -> None:
    game, dice, rng = rotating("winner-takes", partners), Dice(Random(3)), Random(4)
    for number in range(1, 13):
        game.apply(a.Next(), dice)
        pos = game.position
        assert pos.seating == sitting("four", number).tables[0]
        pos.hands[pos.turn] = bytearray((4,))  # a red 3, out at once on any red card
        pos.discards[-1] = 5
        pos.debts.clear()
        pos.resume, pos.naming, pos.chain = -1, -1, None
        pos.show_top(0, 4)
        winner = pos.turn
        game.apply(a.Play(winner, 4))
        result = pos.match.rounds[-1] if pos is game.position else game.position.match.rounds[-1]
        mate = pos.seating[(pos.seating.index(winner) + 2) % 4]
        assert result.points[winner] == (result.points[mate] if partners else max(result.points))
        rng.random()
    assert game.position.phase == MATCH_OVER
    best = max(game.position.match.scores)
    assert all(game.position.match.scores[seat] == best for seat in game.position.match.winners)


@pytest.mark.parametrize(
    ("settings", "players", "problem"),
    [
        (MatchSettings(target=0, rotation="five"), 4, "there is no rotation 'five'"),
        (MatchSettings(target=500, rotation="four"), 4, "no target, rounds or teams"),
        (MatchSettings("chips", target=0, rotation="four"), 4, "winner-takes or own-points, not chips"),
        (MatchSettings(target=0, rotation="four"), 3, "for 4 players; a table seats 4 of them, and here are 3"),
        (MatchSettings(target=0, rotation="eight"), 8, "for 8 players; a table seats 4 of them, and here are 8"),
        (MatchSettings(target=0, rotation="four", cycles=0), 4, "cycles = 0: must be 1 or more"),
        (MatchSettings(partners=True), 4, "go with a rotation"),
    ],
)
def test_a_rotation_that_cannot_be_is_refused(settings: MatchSettings, players: int, problem: str) -> None:
    with pytest.raises(MatchError) as error:
        Game(resolve("classic"), ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")[:players], settings)
    assert problem in str(error.value)
