"""Decks: what each holds, counted by hand from its sheet; and decks of a user's own, with what can be wrong there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.rules.cards import COLOURS, KIND_OF, NAME_OF, RANK_OF, CardError, kind, names, parse_card, points
from controller.rules.decks import BUILT_IN, Deck, DeckError, deck, load_deck
from controller.rules.options import OptionError, resolve

ONE_TO_NINE = {str(number): 2 for number in range(1, 10)}
SHEETS: Mapping[str, tuple[Mapping[str, int], Mapping[str, int], int, int]] = {
    # deck: what each colour holds, the wilds, how many cards, how many points
    "classic-108": (
        {"0": 1, **ONE_TO_NINE, "skip": 2, "reverse": 2, "draw-two": 2},
        {"wild": 4, "wild-draw-four": 4}, 108, 1240,
    ),
    "attack-1998": (
        {**ONE_TO_NINE, "hit-2": 2, "reverse": 2, "skip": 2, "discard-all": 1, "trade-hands": 1},
        {"wild": 4, "wild-all-hit": 2, "wild-hit-fire": 2}, 112, 1480,
    ),
    "extreme-2012": (
        {**ONE_TO_NINE, "hit-2": 2, "reverse": 2, "skip": 2, "discard-all": 2},
        {"wild": 4, "wild-attack-attack": 4}, 112, 1480,
    ),
    "attack-2015": (
        {**ONE_TO_NINE, "hit-2": 2, "reverse": 1, "skip": 2, "discard-all": 2},
        {"wild": 4, "wild-attack-attack": 4, "wild-customizable": 3, "wild-hit-4": 1}, 112, 1590,
    ),
    "mega-hit": (
        {**ONE_TO_NINE, "hit-1": 1, "hit-2": 2, "reverse": 1, "skip": 2, "discard-all": 2},
        {"wild": 4, "wild-attack-attack": 4}, 112, 1480,
    ),
}  # fmt: skip


def written_out(name: str) -> list[str]:
    """All cards of a deck in deck order, from the sheets above."""
    colour, wilds, _, _ = SHEETS[name]
    coloured = [f"{each} {rank}" for each in COLOURS for rank, count in colour.items() for _ in range(count)]
    return coloured + [wild for wild, count in wilds.items() for _ in range(count)]


@pytest.mark.parametrize("name", SHEETS)
def test_every_deck_card_by_card(name: str) -> None:
    _, _, count, worth = SHEETS[name]
    found = deck(name)
    assert names(found.cards) == written_out(name)
    assert (len(found.cards), found.points) == (count, worth)
    assert {NAME_OF[card]: copies for card, copies in enumerate(found.counts) if copies} == Counter(written_out(name))
    assert f"{count} cards" in found.title


def test_there_are_no_other_decks() -> None:
    assert set(BUILT_IN) == set(SHEETS)


@pytest.mark.parametrize(
    ("card", "worth"),
    [
        ("red 0", 0), ("blue 1", 1), ("green 9", 9), ("red skip", 20), ("red reverse", 20), ("red draw-two", 20),
        ("red hit-1", 20), ("red hit-2", 20), ("red discard-all", 30), ("red trade-hands", 30), ("wild-hit-4", 40),
        ("wild", 50), ("wild-draw-four", 50), ("wild-all-hit", 50), ("wild-hit-fire", 50), ("wild-attack-attack", 50),
        ("wild-customizable", 50), ("?", 0),
    ],
)  # fmt: skip
def test_what_a_card_costs(card: str, worth: int) -> None:
    assert points([parse_card(card)]) == worth


def test_every_name_says_one_kind() -> None:
    assert len(KIND_OF) == len(NAME_OF) == 76
    for number, name in enumerate(NAME_OF):
        assert parse_card(name) == number
        assert parse_card(f"  {name.upper()} ") == number
    assert all(
        NAME_OF[kind(2, rank)] == f"green {word}" for rank, word in ((0, "0"), (10, "skip"), (16, "trade-hands"))
    )
    assert NAME_OF[kind(2, RANK_OF[parse_card("wild-hit-4")])] == "wild-hit-4"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("red 77", "did you mean 'red 7'?"),
        ("wild-draw-for", "did you mean 'wild-draw-four'?"),
        ("xyzzy", "a card is written 'red 5', 'blue skip' or 'wild'"),
    ],
)
def test_what_is_no_card_names_the_nearest(text: str, meant: str) -> None:
    with pytest.raises(CardError, match=re.escape(meant)):
        parse_card(text)


def written(folder: Path, text: str) -> Path:
    path = folder / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return path


OURS = """title = "Ours"
[each_colour]
1 = 2
skip = 1
[wilds]
wild = 3
[red]
skip = 2
reverse = 1
[blue]
1 = 0
"""


def ours(folder: Path, text: str = OURS) -> Deck:
    return load_deck(written(folder, text))


def test_a_deck_of_ones_own_with_colours_that_differ(tmp_path: Path) -> None:
    found = ours(tmp_path)
    assert (found.name, found.title) == ("ours", "Ours")
    assert names(found.cards) == [
        "red 1", "red 1", "red skip", "red skip", "red reverse", "yellow 1", "yellow 1", "yellow skip", "green 1",
        "green 1", "green skip", "blue skip", "wild", "wild", "wild",
    ]  # fmt: skip
    assert found.points == 6 + 6 * 20 + 3 * 50


def test_a_deck_file_is_an_option_like_others(tmp_path: Path) -> None:
    rules = resolve("classic", {"deck": str(written(tmp_path, OURS)), "hand_size": 7})
    assert rules.cards.title == "Ours"
    with pytest.raises(OptionError, match=r"2 players would take 16 cards, and there are 15; at most 7 each"):
        resolve("classic", {"deck": str(tmp_path / "ours.toml"), "hand_size": 8})


@pytest.mark.parametrize("decks", [1, 2, 3])
@pytest.mark.parametrize("name", SHEETS)
def test_several_decks_are_one_large_one(name: str, decks: int) -> None:
    rules = resolve("attack", {"deck": name, "decks": decks})
    once = Counter(written_out(name))
    assert Counter(names(rules.deck_order)) == {card: decks * count for card, count in once.items()}
    assert list(dict.fromkeys(names(rules.deck_order))) == list(once)  # the order of one deck, copies together
    assert sum(rules.counts) == decks * len(written_out(name))
    assert points(rules.deck_order) == decks * SHEETS[name][3]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (OURS.replace("skip = 1", "skp = 1"), "line 4: [each_colour] has no rank 'skp', did you mean 'skip'?"),
        (OURS.replace("wild = 3", "red = 3"), "ours.toml, line 6: [wilds] has no rank 'red'"),
        (OURS.replace("wild = 3", "skip = 3"), "ours.toml, line 6: [wilds] has no rank 'skip'"),
        (OURS.replace("reverse = 1", "wild = 1"), "ours.toml, line 9: [red] has no rank 'wild'"),
        (OURS.replace("wild = 3", "wild = -3"), "ours.toml, line 6: [wilds] wild = -3: must be a whole number from 0"),
        (OURS.replace("reverse = 1", "reverse = -1"), "ours.toml, line 9: [red] reverse = -1: must be a whole number"),
        (OURS.replace("wild = 3", "wild = true"), "ours.toml, line 6: [wilds] wild = True: must be a whole number"),
        (OURS.replace("wild = 3", "wild = 2.5"), "ours.toml, line 6: [wilds] wild = 2.5: must be a whole number"),
        (OURS.replace("wild = 3", "wild = 101"), "[wilds] wild = 101: must be a whole number from 0 to 100"),
        (OURS.replace("skip = 1", "skip = 1\nskip = 2"), "a card or a table is there twice, keep one of the two"),
        (OURS.replace("skip = 1", "skip = 1\nskip = 2"), "(at line 5"),
        (OURS.replace("[red]", "[wilds]"), "a card or a table is there twice, keep one of the two"),
        (OURS.replace("[red]", "[rde]"), "ours.toml, line 7: unknown entry 'rde', did you mean 'red'?"),
        (OURS.replace("title", "titel"), "ours.toml, line 1: unknown entry 'titel', did you mean 'title'?"),
        (OURS.replace('"Ours"', "5"), "ours.toml, line 1: title must be a text in quotes"),
        (OURS.replace("[each_colour]\n", "each_colour = 5\n[green]\n"), "line 2: [each_colour] must be a table of"),
        (OURS.replace("[each_colour]", "[each_colour"), "not a TOML file"),
        (OURS.replace("[each_colour]", "[each_colour"), "(at line 2"),
        ("[wilds]\nwild = 1\n", "ours.toml: holds 1 cards; nobody can play with that"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_deck_is_named_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DeckError, match=re.escape(problem)):
        ours(tmp_path, text)
    with pytest.raises(OptionError, match=re.escape(problem)):
        resolve("attack", {"deck": str(tmp_path / "ours.toml")})


def test_a_deck_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be read: No such file"):
        load_deck(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('title = "Größe"'.encode("latin-1"))
    with pytest.raises(DeckError, match="not a TOML file"):
        load_deck(tmp_path / "latin.toml")
