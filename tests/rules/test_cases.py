"""Every case file of the collection holds; and the runner says what is wrong where one does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.rules.cases import run_case, run_files

CASES = sorted(Path(__file__).parent.parent.joinpath("cases").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_holds(path: Path) -> None:
    outcome = run_case(str(path), path.read_text(encoding="utf-8"))
    assert outcome.ok, f"step {outcome.step}: {outcome.text}: {outcome.problem}\n" + "\n".join(outcome.position)


def test_the_collection_is_here() -> None:
    assert len(CASES) >= 60


HEAD = """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
pile = ["blue 1"]
[hands]
Ann = ["red 7", "green 3", "green 4"]
Bo = ["green 1", "green 2"]
"""


def case(*steps: str, head: str = HEAD, more: str = "") -> str:
    return f"steps = {json.dumps(steps)}\n{more}{head}"


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("? turn Bo", "expected Bo, is Ann"),
        ("? direction counterclockwise", "expected counterclockwise, is clockwise"),
        ("? colour blue", "expected blue, is red"),
        ("? top red 6", "expected red 6, is red 5"),
        ("? hand Ann 4", "expected 4, is 3"),
        ("? hand Ann: red 7, green 3", "expected red 7, green 3, is red 7, green 3, green 4"),
        ("? owed Bo 2", "expected 2, is 0"),
        ("? playable Ann: green 3", "expected green 3, is red 7"),
        ("? playable Ann:", "expected nothing, is red 7"),
        ("? pile 3", "expected 3, is 106"),
        ("? discards 2", "expected 2, is 1"),
        ("? may Bo catch Ann", "expected to be accepted, is refused: nothing-to-catch"),
        ("? may not Ann play red 7", "expected to be refused, would be accepted"),
        ("? out Ann", "expected Ann out, is holding 3"),
        ("? round over", "expected the round over, it goes on"),
        ("? match over", "expected the match over, it goes on"),
        ("? winner Ann", "expected Ann, is nobody"),
        ("? score Ann 5", "expected 5, is 0"),
        ("? chips Ann 5", "expected 5, is 0"),
        ("? marks Ann 5", "expected 5, is 0"),
        ("? eliminated Ann", "expected Ann out of the match, is still in"),
        ("? waiting reload", "expected the game to wait for the hopper"),
        ("Ann: play red 7 ! not-your-turn", "expected the refusal not-your-turn, is accepted"),
        ("Bo: play green 1 ! owes", "expected the refusal owes, is refused: not-your-turn"),
        ("Bo: play green 1", "expected to be accepted, is refused: not-your-turn"),
    ],
)
def test_a_fact_that_does_not_hold_is_told(step: str, problem: str) -> None:
    outcome = run_case("x", case("? turn Ann", step))
    assert not outcome.ok
    assert outcome.readable
    assert outcome.step == 2
    assert problem in outcome.problem
    assert any("Ann's turn" in line or "Bo's turn" in line for line in outcome.position)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("players = [", "not TOML"),
        (case("x", more="colur = 'red'\n"), "entry 'colur' is not known, did you mean 'colour'?"),
        (case("Ann: play red 77"), "there is no card 'red 77', did you mean 'red 7'?"),
        (case("Ann: paly red 7"), "there is no verb 'paly', did you mean 'play'?"),
        (case("An: play red 7"), "there is no player 'An', did you mean 'Ann'?"),
        (case("An: play red 7 ! not-your-turn"), "there is no player 'An', did you mean 'Ann'?"),
        (case("Ann: catch Boo ! bad-target"), "there is no player 'Boo', did you mean 'Bo'?"),
        (case("Zed: paly red 7 ! no-such-player"), "there is no verb 'paly', did you mean 'play'?"),
        (case("Zed: play red 77 ! no-such-player"), "there is no card 'red 77', did you mean 'red 7'?"),
        (case("? may not Zed play red 7"), "there is no player 'Zed'"),
        (case("? colour grean"), "there is no colour 'grean'"),
        (case("Ann: play red 7 ! not-your-trun"), "did you mean 'not-your-turn'?"),
        (case("? hnad Ann 3"), "there is no fact '? hnad', did you mean '? hand'?"),
        (case("Ann: hit 3"), "a hit is written 'hit -> 3'"),
        (case("table: relod"), "did you mean 'reload'?"),
        (case("Ann: pass now"), "'pass' stands alone"),
        (case("just words"), "is neither"),
        (
            case(head=HEAD + "\n[rules]\nuno_penality = 2\n"),
            "there is no option 'uno_penality'; did you mean 'uno_penalty'?",
        ),
        (case(head=HEAD + '\n[rules]\nuno_penalty = "two"\n'), "must be a whole number"),
        (
            case(head=HEAD.replace('"red 7"', '"red 7 x3"')),
            "'red 7' is named more often than the deck attack-1998 holds it (2)",
        ),
        (case(head=HEAD.replace('"red 7"', '"blue 0"')), "holds it (0)"),
        (case(head=HEAD.replace('"red 7"', '"? x2"')), "unknown cards are for physical tables"),
        (case(head=HEAD.replace("Ann =", "Anne =")), "[hands] player 'Anne' is not known, did you mean 'Ann'?"),
        (case(head=HEAD.replace('top = "red 5"', 'colour = "red"')), "colour and discards go with a top card"),
        (case(head=HEAD.replace('top = "red 5"', 'table = "physical"')), "turn goes with a top card"),
        (case(more='direction = "left"\n'), "direction 'left' is not known"),
        (case(head=HEAD.replace('"red 5"', '"wild"')), "a wild on top needs colour"),
        (case(head=HEAD.replace('turn = "Ann"', 'turn = "Cy"')), "there is no such player"),
        (case(head=HEAD + '\n[match]\nformat = "best"\n'), "there is no match format 'best'"),
        (case(head=HEAD + '\n[match]\nrotation = "four"\n'), "rotation four is for 4 players"),
        (case(head=HEAD.replace('"attack"', '"atack"')), "there is no preset 'atack'; did you mean 'attack'?"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text: str, problem: str) -> None:
    outcome = run_case("x", text)
    assert not outcome.readable
    assert problem in outcome.problem


@pytest.mark.parametrize(
    "step",
    [
        "Zed: hit -> 1", "Zed: play red 7 as blue", "Ann: catch Zed", "Ann: play red 7 with Zed", "Bo: report Zed",
        "table: last Zed", "table: advice Zed", "table: leave Zed", "table: dealer Zed", "table: set hand Zed 3",
        "table: set turn Zed", "table: correct Zed 2", "table: count Zed red 5", "table: points Zed 5",
    ],
)  # fmt: skip
def test_where_no_such_player_is_expected_a_name_that_nobody_has_is_one(step: str) -> None:
    assert run_case("x", case(f"{step} ! no-such-player", "? turn Ann", "? hand Ann 3")).ok
    assert not run_case("x", case(step)).readable


def test_a_name_that_somebody_has_is_judged_where_no_such_player_is_expected() -> None:
    outcome = run_case("x", case("Bo: play green 1 ! no-such-player"))
    assert outcome.problem == "expected the refusal no-such-player, is refused: not-your-turn"


START = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
hands = { Ann = ["red 3"], Bo = ["red 4"], Cy = ["red 7"] }
"""


@pytest.mark.parametrize(
    ("head", "steps"),
    [
        ('direction = "counterclockwise"\npile = ["red 5"]', ["? turn Ann", "Ann: hit -> 0", "? turn Cy"]),
        ('direction = "counterclockwise"\npile = ["red reverse"]', ["? direction clockwise", "? turn Cy"]),
        ('direction = "counterclockwise"\npile = ["red skip"]', ["? direction counterclockwise", "? turn Cy"]),
        ('turn = "Bo"\npile = ["red 5"]', ["? turn Bo", "? top red 5"]),
        ('turn = "Ann"\npile = ["red skip"]', ["? turn Ann"]),
        (
            'turn = "Cy"\npile = ["red hit-2"]',
            ["? owed Ann 2", "? turn Ann", "Ann: hit -> 1", "Ann: hit -> 1", "? turn Cy"],
        ),
        ('turn = "Cy"\npile = ["wild"]', ["Cy: colour red ! not-your-turn", "Ann: colour red", "? turn Cy"]),
        (
            'turn = "Ann"\npile = ["wild-hit-4"]\n[rules]\ndeck = "attack-2015"',
            ["? owed Ann 4", *["Ann: hit -> 0"] * 4, "Bo: colour red", "? turn Ann"],
        ),
        (
            'table = "physical"\ndirection = "counterclockwise"',
            ["table: start red skip", "? turn Cy", "? direction counterclockwise"],
        ),
    ],
)
def test_direction_and_turn_with_a_start_card_that_is_turned_up(head: str, steps: list[str]) -> None:
    outcome = run_case("x", case(*steps, more=START, head=head))
    assert outcome.ok, outcome


def test_a_deck_is_found_beside_the_case_and_else_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = case(
        "? pile 1", "? hand Ann: red 1", "? top red 3", more="players = ['Ann', 'Bo']\ntop = 'red 3'\n", head=""
    )
    text += "[rules]\ndeck = 'ours.toml'\nhand_size = 1\n"
    beside, here = tmp_path / "cases", tmp_path / "here"
    beside.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    path = beside / "case.toml"
    assert "cannot be read" in run_case(str(path), text).problem
    (here / "ours.toml").write_text("[red]\n1 = 1\n2 = 1\n3 = 1\n4 = 2\n")
    assert "expected 1, is 2" in run_case(str(path), text).problem
    (beside / "ours.toml").write_text("[red]\n1 = 1\n2 = 1\n3 = 1\n4 = 1\n")
    assert run_case(str(path), text).ok
    assert run_case("case.toml", text).problem == "expected 1, is 2"


def test_a_start_card_settles_as_in_a_round_that_is_dealt(tmp_path: Path) -> None:
    """Two units are owed, and no card is left: they are forgiven at once, and the turn is lost."""
    (tmp_path / "four.toml").write_text("[red]\n1 = 1\ndraw-two = 1\n[blue]\n3 = 1\n[green]\n4 = 1\n")
    head = (
        "preset = 'classic'\nplayers = ['Ann', 'Bo']\npile = ['red draw-two']\n"
        "[hands]\nAnn = ['red 1']\nBo = ['blue 3', 'green 4']\n[rules]\ndeck = 'four.toml'\nhand_size = 1\n"
    )
    path = str(tmp_path / "case.toml")
    steps = ("? pile 0", "? owed Ann 0", "? turn Bo", "Bo: draw ! owes-nothing", "Bo: pass", "? turn Ann")
    assert run_case(path, case(*steps, head=head)).ok
    every = head.replace("pile = ['red draw-two']\n", "").replace("'red 1'", "'red 1', 'red draw-two'")
    assert "no card is left to be turned up" in run_case(path, case(head=every)).problem


def test_the_round_is_over_before_its_hands_are_counted() -> None:
    head = HEAD.replace('pile = ["blue 1"]', 'table = "physical"').partition("[hands]")[0]
    steps = ("Ann: play red 9", "? round over", "? winner Ann", "Bo: hit -> 1 ! round-over", "table: next ! not-yet")
    assert run_case("x", case(*steps, head=head + "[hands]\nAnn = ['?']\nBo = ['? x3']\n")).ok
    teams = 'players = ["Ann", "Bo", "Cy", "Di"]\ntable = "physical"\ntop = "red 5"\nturn = "Ann"\n'
    teams += '[hands]\nAnn = ["?"]\n[match]\nteams = [["Ann", "Cy"], ["Bo", "Di"]]\n'
    assert run_case("x", case("Ann: play red 9", "? round over", "? winner Ann", "? winner Cy", head=teams)).ok


def test_an_unknown_colour_is_written_like_an_unknown_card() -> None:
    head = HEAD.replace('pile = ["blue 1"]', 'table = "physical"').partition("[hands]")[0]
    head += "[rules]\ntracking = 'effects'\n"
    assert run_case("x", case("Ann: play ?", "? top ?", "? colour ?", head=head)).ok
    assert run_case("x", case("? colour ?")).problem == "expected ?, is red"
    assert run_case("x", case("Ann: play ?", "? colour red", head=head)).problem == "expected red, is ?"


def test_exit_codes_and_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = (tmp_path / name for name in ("good.toml", "bad.toml", "broken.toml"))
    good.write_text(case("? turn Ann", more="title = 'Ann begins'\n"))
    bad.write_text(case("? turn Bo"))
    broken.write_text("players = [")
    assert run_files([str(good)]) == 0
    assert capsys.readouterr().out == f"ok {good}: Ann begins\n"
    assert run_files([str(good), str(bad)]) == 1
    assert f"FAILS {bad} step 1: ? turn Bo\n    expected Bo, is Ann\n" in capsys.readouterr().out
    assert run_files([str(bad), str(broken)]) == 2
    assert f"CANNOT BE READ {broken}\n    not TOML" in capsys.readouterr().out
    assert run_files([str(tmp_path / "none.toml")]) == 2
    capsys.readouterr()
    (tmp_path / "empty.toml").mkdir()
    assert run_files([str(good), str(tmp_path / "empty.toml")]) == 2
    assert f"CANNOT BE READ {tmp_path / 'empty.toml'}\n    no case files (*.toml) in it" in capsys.readouterr().out
    assert run_files([]) == 2
    assert "no case files" in capsys.readouterr().err
    assert run_files([str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == ["FAILS", "CANNOT", "ok"]
    broken.unlink()
    assert run_files([str(tmp_path)]) == 1
    capsys.readouterr()
    assert run_files([str(good)], as_json=True) == 0
    assert json.loads(capsys.readouterr().out)[0]["ok"] is True
    assert run_files([str(good)], show=True) == 0
    assert "Ann's turn, clockwise" in capsys.readouterr().out
