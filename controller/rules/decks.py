"""Decks as data: how many cards of each kind there are. Five come with the program, a user can write another.

A deck file is TOML: `title`, a table `[each_colour]` (rank = how many in every colour) and a table `[wilds]`
(name = how many), both in deck order. Single colours may differ: `[red]`, `[yellow]`, `[green]`, `[blue]`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from .cards import COLOURED_RANKS, COLOURS, KINDS, POINTS_OF, WILD_RANKS, kind
from .places import line_of
from .records import record

BUILT_IN = ("classic-108", "attack-1998", "extreme-2012", "attack-2015", "mega-hit")
MOST_ALIKE = 100
"""How many cards of one kind a deck may hold: more is a slip of the finger."""


class DeckError(ValueError):
    """A deck that cannot be: names the file, the entry and the remedy."""


@record
class Deck:
    """One deck: `cards` in deck order (colours first, copies together, then the wilds), `counts` by kind."""

    name: str
    title: str
    cards: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def points(self) -> int:
        """What the whole deck would cost in a hand."""
        return sum(POINTS_OF[card] for card in self.cards)


@record
class _Source:
    """What a deck is read from: its file or name, and the text when there is one. For messages."""

    name: str
    text: str

    def of(self, table: str, entry: str = "") -> str:
        line = line_of(self.text, table, entry)
        return f"deck {self.name}, line {line}" if line else f"deck {self.name}"


def _whole(source: _Source, table: str, entry: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_ALIKE:
        where = source.of(table, entry)
        raise DeckError(f"{where}: [{table}] {entry} = {value!r}: must be a whole number from 0 to {MOST_ALIKE}")
    return value


def _ranks(source: _Source, table: str, entries: object, allowed: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(entries, dict):
        raise DeckError(f"{source.of('', table)}: [{table}] must be a table of rank = how many")
    for entry in entries:
        if entry not in allowed:
            near = get_close_matches(entry, allowed, n=1)
            meant = f", did you mean '{near[0]}'?" if near else f": known are {', '.join(allowed)}"
            raise DeckError(f"{source.of(table, entry)}: [{table}] has no rank '{entry}'{meant}")
    return {entry: _whole(source, table, entry, value) for entry, value in entries.items()}


def deck_from_mapping(name: str, data: dict[str, Any], file: str = "", text: str = "") -> Deck:
    """A deck from the parsed content of a deck file; `file` and its `text` are for messages. Raises `DeckError`."""
    source = _Source(file or name, text)
    known = ("title", "each_colour", "wilds", *COLOURS)
    for key, value in data.items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            meant = f", did you mean '{near[0]}'?" if near else f": known are {', '.join(known)}"
            where = source.of(key) if isinstance(value, dict) else source.of("", key)
            raise DeckError(f"{where}: unknown entry '{key}'{meant}")
    everywhere = _ranks(source, "each_colour", data.get("each_colour", {}), COLOURED_RANKS)
    cards: list[int] = []
    for number, colour in enumerate(COLOURS):
        ranks = {**everywhere, **_ranks(source, colour, data.get(colour, {}), COLOURED_RANKS)}
        for rank, count in ranks.items():
            cards += [kind(number, COLOURED_RANKS.index(rank))] * count
    for wild, count in _ranks(source, "wilds", data.get("wilds", {}), WILD_RANKS).items():
        cards += [kind(0, len(COLOURED_RANKS) + WILD_RANKS.index(wild))] * count
    if len(cards) < 2:
        raise DeckError(f"deck {source.name}: holds {len(cards)} cards; nobody can play with that")
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    title = data.get("title", name)
    if not isinstance(title, str):
        raise DeckError(f"{source.of('', 'title')}: title must be a text in quotes")
    return Deck(name, title, tuple(cards), tuple(counts))


def load_deck(path: Path) -> Deck:
    """The deck a file describes; its name is the file's. Raises `DeckError`, which names the line of a TOML error."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise DeckError(f"deck {path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        twice = "Cannot overwrite" in str(error) or "Cannot declare" in str(error)
        problem = "a card or a table is there twice, keep one of the two" if twice else "not a TOML file"
        raise DeckError(f"deck {path}: {problem}: {error}") from error
    return deck_from_mapping(path.stem, data, str(path), text)


def with_deck(options: Mapping[str, object], beside: Path | None) -> dict[str, object]:
    """The options of a file; one of decks that they name is found `beside` that file first, else where it says."""
    found = dict(options)
    named = found.get("deck")
    if beside is not None and isinstance(named, str) and named.endswith(".toml") and (beside / named).is_file():
        found["deck"] = str(beside / named)
    return found


@lru_cache(maxsize=16)
def deck(name: str) -> Deck:
    """The built-in deck of this name, or the deck of a file when `name` ends in `.toml`. Raises `DeckError`."""
    if name.endswith(".toml"):
        return load_deck(Path(name))
    if name not in BUILT_IN:
        near = get_close_matches(name, BUILT_IN, n=1)
        meant = f", did you mean '{near[0]}'?" if near else f": known are {', '.join(BUILT_IN)}, or a .toml file"
        raise DeckError(f"there is no deck '{name}'{meant}")
    text = resources.files(__package__).joinpath("decks", f"{name}.toml").read_text(encoding="utf-8")
    return deck_from_mapping(name, tomllib.loads(text))
