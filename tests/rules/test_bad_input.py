"""What people get wrong in a case file: refused in words that name the line, what was meant, and the remedy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.rules.cases import run_case, run_files
from controller.rules.places import line_of, line_of_problem, line_of_word

CASE = """title = "One card too many"
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
pile = ["blue 1", "wild-hit-fire"]
steps = [
  "? turn Ann",
]
[hands]
Ann = ["red 7", "green 3"]
Bo = ["green 1", "green 2"]
[rules]
uno_penalty = 2
defend = [
  "hit-2",
]
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            '"green 1", ', '"green 1 x3", ',
            "line 12: 'green 1' is named more often than the deck attack-1998 holds it (2): take one away, or",
        ),
        ('"green 3"]', '"wild-hit-fire x2"]', "line 11: 'wild-hit-fire' is named more often than the deck attack-1998"),
        ('"green 3"]', '"green 0"]', "line 11: 'green 0' is named more often than the deck attack-1998 holds it (0)"),
        ('"green 3"]', '"gren 3"]', "line 11: [hands] Ann: there is no card 'gren 3', did you mean 'green 3'?"),
        ('"blue 1", ', '"bleu 1", ', "line 6: pile: there is no card 'bleu 1', did you mean 'blue 1'?"),
        ("uno_penalty", "uno_penality", "line 14: there is no option 'uno_penality'; did you mean 'uno_penalty'?"),
        ("= 2\n", '= "2"\n', "line 14: option uno_penalty = 2: must be a whole number"),
        ('"hit-2"', '"hit-3"', "line 15: option defend: 'hit-3' is not possible here; did you mean 'hit-2'?"),
        ("turn =", "trun =", "line 5: entry 'trun' is not known, did you mean 'turn'?"),
        ("Bo = [", "Boo = [", "line 12: [hands] player 'Boo' is not known, did you mean 'Bo'?"),
        ('turn = "Ann"', 'turn = "Cy"', "line 5: turn = 'Cy': there is no such player; they are Ann, Bo"),
        ("[rules]", "[hands]", "not TOML: Cannot declare ('hands',) twice (at line 1"),
        ("players =", "# players =", "players = [...] is needed: two names at least"),
    ],
)  # fmt: skip
def test_a_case_file_says_on_which_line_it_is_wrong(old: str, new: str, problem: str) -> None:
    assert run_case("x", CASE).ok
    assert old in CASE
    outcome = run_case("x", CASE.replace(old, new, 1))
    assert not outcome.readable
    assert outcome.problem.startswith(problem)


def test_the_command_prints_it_and_says_that_the_file_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.toml"
    path.write_text(CASE.replace('"green 1", ', '"green 1 x3", '))
    assert run_files([str(path)]) == 2
    assert re.search(r"CANNOT BE READ .*many\.toml\n +line 12: 'green 1' is named more often", capsys.readouterr().out)


TEXT = """# a comment
first = 1
rules.dotted = 2
inline = {deep = 1}
[ table ]  # with a comment
"quoted" = 3
list = [
  "one",
  'two',
]
[other]
first = 4
"""


@pytest.mark.parametrize(
    ("table", "key", "line"),
    [
        ("", "first", 2), ("rules", "dotted", 3), ("inline", "deep", 4), ("table", "", 5), ("table", "quoted", 6),
        ("table", "list", 7), ("other", "first", 12), ("other", "none", 11), ("", "none", 0), ("none", "none", 0),
    ],
)  # fmt: skip
def test_the_line_of_an_entry(table: str, key: str, line: int) -> None:
    assert line_of(TEXT, table, key) == line


def test_the_line_of_a_word_in_a_list_of_many_lines() -> None:
    assert line_of_word(TEXT, 7, "one") == 8
    assert line_of_word(TEXT, 7, "two") == 9
    assert line_of_word(TEXT, 7, "three") == 7


def test_a_word_is_found_whole_and_not_within_another() -> None:
    assert line_of_problem('a = "wild-hit-4"\nb = "wild"\n', "no 'wild' here") == 2
    assert line_of_problem("", "nothing is quoted") == 0
    assert line_of_problem("a = 1", "'b' is nowhere") == 0
