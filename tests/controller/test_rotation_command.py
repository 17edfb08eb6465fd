"""`uno-attack rotation`: the schedule in words, and standings from a file of points."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from controller.cli import main

EIGHT = ("Ann", "Bo", "Cy", "Di", "Emil", "Fay", "Gus", "Hal")


def test_eight_meet_each_other_once_in_twenty_eight_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rotation", "eight", *EIGHT]) == 0
    lines = capsys.readouterr().out.splitlines()
    met = [frozenset(pair.split(" and ")) for line in lines if line.startswith("opposite: ")
           for pair in line.removeprefix("opposite: ").split(", ")]  # fmt: skip
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(EIGHT, 2)))
    assert sum(line.startswith("  game") for line in lines) == 28
    assert "  game  1: Ann, Bo, Cy, Di   |   Emil, Fay, Gus, Hal" in lines


def test_players_without_names_have_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rotation", "four", "--cycles", "2"]) == 0
    out = capsys.readouterr().out
    assert "opposite: player 1 and player 3, player 2 and player 4" in out
    assert "game 24:" in out


def test_standings_rank_by_sum_and_say_how_far_the_match_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = tmp_path / "points"
    points.write_text("# Friday\n10 0 0 40\n\n0, 30, 0, 0  # a long one\n")
    assert main(["rotation", "four", "Ann", "Bo", "Cy", "Di", "--points", str(points)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == ["after 2 of 12 games", "  1. Di      40", "  2. Bo      30", "  3. Ann     10", "  4. Cy       0"]
    assert main(["rotation", "four", "Ann", "Bo", "Cy", "Di", "--points", str(points), "--lowest"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "  1. Cy       0"


def test_equal_sums_share_a_rank_and_the_last_game_is_final(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = tmp_path / "points"
    points.write_text("5 5 0 0\n" * 12)
    assert main(["rotation", "four", "--points", str(points)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "after 12 of 12 games: final"
    assert [line[:4] for line in out[1:]] == ["  1.", "  1.", "  3.", "  3."]


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["four", "Ann", "Bo", "Cy"], "", "rotation four is for 4 players"),
        (["four", "Ann", "Ann", "Cy", "Di"], "", "with names of their own"),
        (["four", "--cycles", "0"], "", "--cycles is a number from 1 to 20, not 0"),
        (["four", "--points", "FILE"], "1 2 3\n", "line 1: a game has 4 whole numbers, not '1 2 3'"),
        (["four", "--points", "FILE"], "1 2 3 4\n1 2 x 4\n", "line 2: a game has 4 whole numbers"),
        (["four", "--points", "FILE"], "\n# nothing\n", "has no game in it"),
        (["four", "--points", "FILE"], "1 2 3 4\n" * 13, "has 13 games, and the match has 12"),
        (["four", "--points", "nowhere"], "", "nowhere cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "points"
    file.write_text(text)
    assert main(["rotation", *(str(file) if word == "FILE" else word for word in arguments)]) == 2
    assert message in capsys.readouterr().err
