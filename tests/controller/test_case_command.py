"""`uno-attack case --position`: a position in words, and everything that is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli import main
from controller.rules.cases import read_case
from controller.rules.line import read, write

CASE = Path(__file__).parents[1] / "cases" / "come-back.toml"


def position() -> str:
    """The line of a position that can be played."""
    return write(read_case(CASE.read_text(encoding="utf-8")).game.position)


def test_a_position_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", "--position", position()]) == 0
    out = capsys.readouterr().out
    assert "Ann" in out
    assert "red 5" in out
    assert "wrong" not in out


def test_all_that_is_wrong_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    broken = read(position())
    broken.turn, broken.dealer = 7, 9
    assert main(["case", "--position", write(broken)]) == 1
    assert len([line for line in capsys.readouterr().out.splitlines() if line.startswith("wrong: ")]) >= 2


def test_a_line_that_is_none_and_nothing_at_all_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", "--position", "nonsense"]) == 2
    assert "a position begins with" in capsys.readouterr().err
    assert main(["case"]) == 2
    assert "name a case file" in capsys.readouterr().err
