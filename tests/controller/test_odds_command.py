"""`uno-attack odds`: what it prints and draws, and makes of a table's journal; and that the document says the same."""

from __future__ import annotations

import json
import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from controller import cli
from controller.commands import oddsbook
from controller.odds import PROFILES, own_profiles, pictures, profile
from controller.odds.tables import EXAMPLE
from hardware.settings import LauncherSettings
from tests.controller.conftest import MakeStand
from tests.controller.test_press import hit_two

DOCS = Path(__file__).parents[2] / "docs"
OURS = """
[odds]
profile = "ours"
[odds.tables.ours]
chances = [0.25, 1]
cards = { 2 = 1, 4 = 1 }
"""


@pytest.fixture
def configured(tmp_path: Path) -> Path:
    path = tmp_path / "uno-attack.toml"
    path.write_text(OURS)
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert cli.main(["odds", *arguments]) == code
    said = capsys.readouterr()
    return said.out if code < 2 else said.err


def test_the_list_names_all_and_marks_the_chosen_one(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "--config", str(configured)).splitlines()
    assert [line[2:].partition(":")[0] for line in lines[:7]] == [*PROFILES, "fixed-7", "ours"]
    assert [line for line in lines if line.startswith("*")] == [lines[6]]


def test_a_profile_is_shown_in_words_and_as_data(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = printed(capsys, "show", "extreme", "--config", str(configured))
    assert "A press fires in 30.0 % of cases and brings 5.15 cards then: 1.55 cards a press." in words
    assert "A dry run has no end" in words
    assert "10.0 % of presses, dry or not, keep their secret longer." in words
    ours = json.loads(printed(capsys, "show", "--json", "--config", str(configured)))
    assert (ours["profile"], ours["fire_rate"], ours["longest_dry_run"]) == ("ours", 1 / 1.75, 1)
    assert ours["cards"] == {"2": 0.5, "4": 0.5}
    wrong = printed(capsys, "show", "extrem", "--config", str(configured), code=2)
    assert "did you mean 'extreme'? There are: measured," in wrong
    assert wrong.rstrip().endswith("fixed-N, ours")


@pytest.mark.parametrize("name", [*PROFILES, "fixed-20"])
def test_a_picture_of_every_profile(
    name: str, configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "plot", name, "--config", str(configured))
    each = profile(name)
    for label, _, shown in (*pictures.fires(each), *pictures.cards(each)):
        assert re.search(rf"(?m)^ +{re.escape(label)}\b.*{re.escape(shown)}$", text)
    path = tmp_path / "picture.svg"
    printed(capsys, "plot", name, "--svg", str(path), "--config", str(configured))
    svg = ET.fromstring(path.read_text())
    spaces = {"": "http://www.w3.org/2000/svg"}
    rects = svg.findall("rect", spaces)
    heights = {kind: [float(rect.attrib["height"]) for rect in rects if rect.get("class") == kind]
               for kind in ("fires", "cards")}  # fmt: skip
    assert heights["fires"] == pytest.approx([136 * chance for _, chance, _ in pictures.fires(each)], abs=0.06)
    shares = [share for _, share, _ in pictures.cards(each)]
    assert heights["cards"] == pytest.approx([136 * share / max(shares) for share in shares], abs=0.06)
    assert all(0 <= float(rect.attrib["x"]) <= 760 for rect in rects)


def test_a_picture_that_cannot_be_drawn(configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "no" / "picture.svg"
    said = printed(capsys, "plot", "--svg", str(missing), "--config", str(configured), code=2)
    assert f"{missing} cannot be written" in said


def test_bars_are_as_long_as_they_say() -> None:
    assert pictures.bar(0.5, 8) == "████    "
    assert pictures.bar(5 / 64, 8) == "▋       "
    assert pictures.bar(1, 4, mark=0.5) == "██│█"
    assert pictures.bar(0.5, 4, mark=1, plain=True) == "## |"
    assert pictures.bar(7, 3) == "███"


def test_a_file_of_counts_is_judged(configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = tmp_path / "counts.txt"
    counts.write_text("0\n4\n2\n0\n4\n0\n2\n2\n0\n4\n" * 10)
    right = printed(capsys, "check", "--file", str(counts), "--config", str(configured))
    assert "Nothing speaks against the profile: it fires on 60.0 % of presses, and ours says 57.1 %." in right
    wrong = printed(capsys, "check", "measured", "--file", str(counts), "--config", str(configured), code=1)
    assert "Your launcher fires more often than the profile says: on 60.0 % of presses instead of 40.4 %." in wrong
    assert re.search(r"(?m)^ +1  .*20 of 59 ", wrong)
    few = printed(capsys, "check", "--last", "9", "--file", str(counts), "--config", str(configured))
    assert "Too few presses to say: 9, and it takes at least 24" in few
    data = json.loads(printed(capsys, "check", "--json", "--file", str(counts), "--config", str(configured)))
    assert (data[0]["presses"], data[0]["agrees"], data[0]["expected"]["profile"]) == (100, True, "ours")


@pytest.mark.parametrize(("text", "said"), [
    ("0\nmany\n", "line 2: 'many' is no press"), ("# nothing\n", "has no press in it"), (None, "cannot be read"),
])  # fmt: skip
def test_a_file_of_counts_that_is_none(
    text: str | None, said: str, configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = tmp_path / "counts.txt"
    if text is not None:
        counts.write_text(text)
    message = printed(capsys, "check", "--file", str(counts), "--config", str(configured), code=2)
    assert str(counts) in message
    assert said in message


def test_nothing_to_judge(configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, "check", "--data", str(tmp_path), "--config", str(configured), code=2)
    assert f"there is no table in {tmp_path}" in said
    (tmp_path / "tables.sqlite").write_text("no database at all, but long enough to be looked at by one" * 9)
    said = printed(capsys, "check", "--data", str(tmp_path), "--config", str(configured), code=2)
    assert "cannot be read as a table's journal" in said
    said = printed(capsys, "check", "--last", "0", "--config", str(configured), code=2)
    assert "--last is a number of presses" in said


def test_a_table_is_judged_while_it_runs_and_afterwards(
    make_stand: MakeStand, configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand = make_stand()
    where = ("--data", str(stand.place), "--config", str(configured))
    assert "no shot to judge" in printed(capsys, "check", *where, code=2)
    hit_two(stand)
    came = []
    for _ in range(2):
        stand.press()
        stand.until(lambda: stand.state.shot is None)
        came.append(stand.rows("shot-end")[-1].body["cards"])
        stand.pass_time(1)
    running = printed(capsys, "check", *where)
    assert "shots ordered by measured, against measured" in running
    assert "Too few presses to say: 2" in running
    data = json.loads(printed(capsys, "check", "--json", *where))
    assert data[0]["fires"] == sum(bool(cards) for cards in came)
    stand.close()
    assert printed(capsys, "check", *where) == running
    assert "no shot to judge" in printed(capsys, "check", "ours", *where, code=2)


def test_shots_that_were_seen_are_judged_by_the_chosen_profile(
    make_stand: MakeStand, configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand = make_stand(machine="watch-twin")
    hit_two(stand)
    stand.press()
    stand.until(lambda: bool(stand.rows("shot-end")))
    where = ("--data", str(stand.place), "--config", str(configured))
    assert "shots that were seen or typed, against ours" in printed(capsys, "check", *where)
    assert "shots that were seen or typed, against original" in printed(capsys, "check", "original", *where)


def test_shots_by_a_table_that_was_changed_are_left_out(
    make_stand: MakeStand, configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = own_profiles(tomllib.loads(OURS)["odds"]["tables"])["ours"]
    stand = make_stand(profile=ours)
    hit_two(stand)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    where = ("--data", str(stand.place), "--config", str(configured))
    assert "shots ordered by ours" in printed(capsys, "check", *where)
    configured.write_text(OURS.replace("0.25", "0.26"))
    assert cli.main(["odds", "check", *where]) == 2
    said = capsys.readouterr()
    assert f"left out: shots by the table of odds {ours.key}" in said.out


# --- the document ------------------------------------------------------------------------------------------------


def test_the_document_says_what_the_profiles_are() -> None:
    text = (DOCS / "odds.md").read_text()
    assert oddsbook.filled(text) == text, "renew it: uno-attack odds markdown --write docs/odds.md"
    assert EXAMPLE in text
    for each in PROFILES.values():
        assert (DOCS / oddsbook.picture(each)).read_text() == pictures.svg(each), f"renew the picture of {each.name}"


def test_the_document_is_renewed_with_its_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "odds.md"
    (tmp_path / "img").mkdir()
    right = (DOCS / "odds.md").read_text()
    copy.write_text(re.sub(r"\d+\.\d %", "99.9 %", right))
    printed(capsys, "markdown", "--write", str(copy))
    assert oddsbook.table() in copy.read_text()
    assert len(list((tmp_path / "img").glob("odds-*.svg"))) == len(PROFILES)
    copy.write_text("nothing to renew")
    assert "<!-- generated: profiles -->" in printed(capsys, "markdown", "--write", str(copy), code=2)
    assert printed(capsys, "markdown").strip() == oddsbook.table()


def test_its_other_figures_are_right() -> None:
    text = (DOCS / "odds.md").read_text()
    assert "one of ten or more begins about once in 35\n  presses that follow a fire" in text
    assert 1 / profile("extreme").rhythm.outlasts(10) == pytest.approx(35, abs=0.6)
    settings = LauncherSettings(most_cards=profile("extreme").max_cards)
    assert "may run the\nmotor for 4 seconds, the most there is for any; 2.9 s of the minute's 8 must be free" in text
    assert (settings.longest_ms, round(settings.reserve_ms, -2), settings.duty_ms) == (4000, 2900, 8000)
    assert (
        "right after a fire the\n  next press seldom fires, later ones do more often than not, and the fifth always"
        in text
    )
    first, *later, fifth = profile("measured").rhythm.hazards
    assert first < 0.2
    assert all(chance >= 0.5 for chance in later)
    assert fifth == 1


def test_a_row_that_is_damaged_is_named(
    make_stand: MakeStand, configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand = make_stand()
    stand.close()
    for body, said in (("{}", "row 3 of the journal (shot) cannot be understood"), ("{", "cannot be read")):
        with closing(sqlite3.connect(stand.place / "tables.sqlite")) as database, database:
            database.execute("DELETE FROM rows WHERE id > 2")
            database.execute("INSERT INTO rows (id, kind, body) VALUES (3, 'shot', ?)", (body,))
            database.execute("INSERT INTO rows (id, kind, body) VALUES (4, 'shot-end', '{\"shot\": 1}')")
        assert said in printed(capsys, "check", "--data", str(stand.place), "--config", str(configured), code=2)
