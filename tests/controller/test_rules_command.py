"""`uno-attack rules`: rule sets in words, rule files judged line by line, and a rule book that is up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller import cli
from controller.commands import rulebook
from controller.rules.options import OPTIONS, PRESETS

BOOK = Path(__file__).parents[2] / "docs" / "rules.md"
Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *arguments: str, code: int = 0) -> str:
    """What the command prints; it must end with `code`."""
    assert cli.main(["rules", *arguments]) == code
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: str) -> str:
    """What the command complains of."""
    assert cli.main(["rules", *arguments]) == 2
    return capsys.readouterr().err


def test_list_has_a_line_for_each_preset(capsys: Capture) -> None:
    lines = said(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert lines[0].split()[1] == "attack-1998"
    assert all(len(line) < 145 for line in lines)
    rows = json.loads(said(capsys, "list", "--json"))
    assert [row["preset"] for row in rows] == list(PRESETS)
    assert {"deck", "players", "sheet", "for"} <= rows[0].keys()


def test_show_says_a_preset_in_words(capsys: Capture) -> None:
    text = said(capsys, "show", "killer")
    assert text.startswith("The cards\n  - Played with Classic UNO, 108 cards.")
    assert "\n\nHouse rules\n  - Cards that are exactly alike may be laid together.\n" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_show_takes_options_on_top(capsys: Capture) -> None:
    changes = ["--set", "uno_penalty=4", "--set", "defend=hit-2, hit-1", "--set", "voluntary_draw=no"]
    data = json.loads(said(capsys, "show", "attack", "--json", *changes, "--set", "last_card=numbers"))
    assert data["options"]["uno_penalty"] == "4"
    assert data["options"]["defend"] == "[hit-2, hit-1]"
    assert data["options"]["voluntary_draw"] == "false"
    assert data["options"]["last_card"] == "numbers"
    told = {line["option"]: line["text"] for section in data["sections"] for line in section["lines"]}
    assert told["uno_penalty"] == "To be caught without the call costs 4 hits."
    assert '"skip", "wild"' not in told["last_card"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("last_card=skip", "[skip]"),
        ('last_card=["skip", "wild"]', "[skip, wild]"),
        ("defend=", "[]"),
        ("sets=rank", "rank"),
    ],
)
def test_values_are_written_as_people_do_or_as_toml_does(capsys: Capture, text: str, value: str) -> None:
    data = json.loads(said(capsys, "show", "classic", "--json", "--set", text))
    assert data["options"][text.partition("=")[0]] == value


def test_show_against_another_shows_only_what_differs(capsys: Capture) -> None:
    text = said(capsys, "show", "classic", "--against", "classic-clockwise")
    assert text == (
        "Dealing\n"
        "  first_player\n"
        "    classic:           The one on the dealer's left begins.\n"
        "    classic-clockwise: The dealer begins.\n"
        "  start_reverse\n"
        "    classic:           When a reverse is turned up first, the one on the dealer's right begins, and\n"
        "                       it goes the other way.\n"
        "    classic-clockwise: When a reverse is turned up first, the dealer begins, and it goes the other\n"
        "                       way.\n"
        "\n"
        "Penalties\n"
        "  guilty_next\n"
        "    classic:           Whoever found out a bluff plays on.\n"
        "    classic-clockwise: Whoever found out a bluff is passed over all the same.\n"
    )
    rows = json.loads(said(capsys, "show", "classic", "--against", "classic-clockwise", "--json"))
    assert rows[2] == {"option": "guilty_next", "classic": "plays", "classic-clockwise": "skipped"}
    assert said(capsys, "show", "stack", "--against", "stack") == "stack and stack say the same.\n"


def test_show_names_what_was_meant(capsys: Capture) -> None:
    assert "there is no preset 'atack'; did you mean 'attack'?" in refused(capsys, "show", "atack")
    assert "did you mean 'stack'?" in refused(capsys, "show", "attack", "--against", "stak")
    assert "did you mean 'uno_penalty'?" in refused(capsys, "show", "attack", "--set", "uno_penality=4")
    assert "it is written OPTION=VALUE" in refused(capsys, "show", "attack", "--set", "uno_penalty")
    assert "no-such.toml" in refused(capsys, "show", "no-such.toml")


GOOD = """
preset = "classic"
deck = "short.toml"
[rules]
uno_penalty = 4
hand_size = 3
[match]
format = "own-points"
target = 100
"""
SHORT = 'title = "Short"\n[each_colour]\n1 = 2\nskip = 1\n[wilds]\nwild = 4\n'


def written(folder: Path, text: str, name: str = "ours.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_right_rule_file_with_a_deck_beside_it(tmp_path: Path, capsys: Capture) -> None:
    written(tmp_path, SHORT, "short.toml")
    path = written(tmp_path, GOOD)
    deck = tmp_path / "short.toml"
    assert said(capsys, "check", path) == f"ok {path}: classic with deck = {deck}, hand_size = 3, uno_penalty = 4\n"
    assert "Played with Short." in said(capsys, "show", path)
    assert "uno_penalty" in said(capsys, "show", path, "--against", "classic")
    assert "costs 9 cards" in said(capsys, "show", path, "--set", "uno_penalty=9")
    assert json.loads(said(capsys, "check", path, "--json")) == [{"file": path, "ok": True, "problems": []}]


def test_a_deck_that_is_not_beside_the_rule_file_is_looked_for_where_we_are(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, SHORT, "short.toml")
    (tmp_path / "rules").mkdir()
    path = written(tmp_path / "rules", GOOD)
    assert "deck = short.toml" in said(capsys, "check", path)


def test_everything_that_is_wrong_is_named_with_its_line(tmp_path: Path, capsys: Capture) -> None:
    path = written(
        tmp_path,
        'preset = "clasic"\n'
        'tilte = "ours"\n'
        "\n"
        "[rules]\n"
        "uno_penality = 4\n"
        'sets = "identicle"   # a slip\n'
        "defend = [\n"
        '  "draw-two",\n'
        '  "skp",\n'
        "]\n"
        "challenge = 1\n"
        "[match]\n"
        'format = "own-point"\n'
        'target = "100"\n'
        "round = 3\n",
    )
    out = said(capsys, "check", path, code=1)
    assert out.splitlines() == [
        f"{path}, line 1: there is no preset 'clasic'; did you mean 'classic'?",
        f"{path}, line 2: there is no entry 'tilte'; there are: preset, deck, rules, match",
        f"{path}, line 5: there is no option 'uno_penality'; did you mean 'uno_penalty'?",
        f"{path}, line 6: option sets = identicle is not possible; did you mean 'identical'?",
        f"{path}, line 9: option defend: 'skp' is not possible here; did you mean 'skip'?",
        f"{path}, line 11: option challenge = 1: must be true or false",
        f"{path}, line 13: there is no match format 'own-point'; did you mean 'own-points'?",
        f"{path}, line 14: match target = '100': must be a whole number",
        f"{path}, line 15: there is no match setting 'round'; did you mean 'rounds'?",
    ]
    data = json.loads(said(capsys, "check", path, "--json", code=1))[0]
    assert (data["ok"], data["problems"][0]["line"], len(data["problems"])) == (False, 1, 9)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "[rules]\nhand_size = 60\n",
            "line 2: option hand_size = 60: 2 players would take 120 cards, and there are 112",
        ),
        ("rules = {hand_size = 60}\n", "line 1: option hand_size = 60"),
        ("rules.uno_penality = 6\n", "line 1: there is no option 'uno_penality'"),
        ("rules = 5\n", "line 1: rules is a table: write [rules] on a line of its own"),
        ("match = 5\n", "line 1: match is a table: write [match] on a line of its own"),
        ("[match]\ntarget = -5\n", "line 2: match target = -5: must be 0 or more"),
        ('deck = "none.toml"\n', "line 1: option deck: deck "),
        ('deck = "atack-1998"\n', "line 1: option deck: there is no deck 'atack-1998', did you mean 'attack-1998'?"),
        ('[rules]\ndeck = "atack-1998"\n', "line 2: option deck: there is no deck 'atack-1998'"),
        (
            'deck = "mega-hit"\n[rules]\ndeck = "attack-2015"\n',
            "line 1: the deck is named twice: above, and in [rules]",
        ),
        ("preset = 5\n", "line 1: there is no preset 5"),
        ("[rules]\ndecks = 21\n", "line 2: option decks = 21: must be a whole number from 1 to 20"),
    ],
)
def test_one_thing_wrong(tmp_path: Path, capsys: Capture, text: str, problem: str) -> None:
    path = written(tmp_path, text)
    assert f"{path}, {problem}" in said(capsys, "check", path, code=1)


def test_options_that_fit_only_together_are_judged_together(tmp_path: Path, capsys: Capture) -> None:
    assert said(capsys, "check", written(tmp_path, "[rules]\nhand_size = 60\ndecks = 2\n")).startswith("ok ")


def test_a_wrong_deck_file_is_named_with_its_own_line(tmp_path: Path, capsys: Capture) -> None:
    deck = written(tmp_path, SHORT.replace("skip = 1", "skip = -1"), "short.toml")
    path = written(tmp_path, GOOD)
    out = said(capsys, "check", path, code=1)
    assert f"{path}, line 3: option deck: deck {deck}, line 4: [each_colour] skip = -1: must be a whole number" in out


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: Capture) -> None:
    good, bad, broken = (written(tmp_path, text, name) for name, text in (
        ("good.toml", ""), ("bad.toml", "[rules]\nunno = 1\n"), ("broken.toml", "preset = \n"),
    ))  # fmt: skip
    assert f"{broken}, line 1: is not TOML: " in said(capsys, "check", good, bad, broken, code=2)
    assert said(capsys, "check", good, bad, code=1).startswith(f"ok {good}: attack\n")
    nowhere = str(tmp_path / "nowhere.toml")
    assert f"{nowhere}: cannot be read: No such file" in said(capsys, "check", nowhere, code=2)
    (tmp_path / "latin.toml").write_bytes("# Größe".encode("latin-1"))
    assert "is not UTF-8 text" in said(capsys, "check", str(tmp_path / "latin.toml"), code=2)


def test_the_rule_book_is_up_to_date(capsys: Capture) -> None:
    text = BOOK.read_text(encoding="utf-8")
    assert rulebook.filled(text) == text, "uno-attack rules markdown --write docs/rules.md"
    assert said(capsys, "markdown").strip() == "\n\n".join(rulebook.blocks().values())


def test_the_rule_book_tells_of_every_option_and_preset() -> None:
    text = BOOK.read_text(encoding="utf-8")
    assert all(f"| `{option.name}`<br>{option.text} |" in text for option in OPTIONS)
    assert all(f"| `{preset}` |" in text for preset in PRESETS)


def test_the_tables_are_written_between_their_markers(tmp_path: Path, capsys: Capture) -> None:
    markers = "".join(f"Mine.\n<!-- generated: {name} -->\nold\n<!-- end: {name} -->\n" for name in rulebook.blocks())
    path = Path(written(tmp_path, markers, "book.md"))
    said(capsys, "markdown", "--write", str(path))
    text = path.read_text()
    assert text.count("Mine.") == 3
    assert "\nold\n" not in text
    assert "| 0 | 0 | 4 |" in text
    said(capsys, "markdown", "--write", str(path))
    assert path.read_text() == text
    path.write_text("no markers")
    assert "the markers '<!-- generated: cards -->'" in refused(capsys, "markdown", "--write", str(path))


def test_help_says_what_there_is(capsys: Capture) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["rules", "--help"])
    out = capsys.readouterr().out
    assert all(part in out for part in ("list", "show", "check", "markdown", "Exit code"))
    with pytest.raises(SystemExit, match="0"):
        cli.main(["rules", "check", "--help"])
    assert "1 one is not, 2 one cannot be read" in capsys.readouterr().out
