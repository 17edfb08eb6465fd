"""Decks as data: how many cards of each kind there are. Five come with the program, a user can write another.

A deck file is TOML: `title`, a table `[each_colour]` (rank = how many in every colour) and a table `[wilds]`
(name = how many), both in deck order. Single colours may differ: `[red]`, `[yellow]`, `[green]`, `[blue]`.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from .cards import COLOURED_RANKS, COLOURS, KINDS, POINTS_OF, WILD_RANKS, kind
from .records import record

BUILT_IN = ("classic-108", "attack-1998", "extreme-2012", "attack-2015", "mega-hit")


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


def _whole(name: str, table: str, entry: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DeckError(f"deck {name}: [{table}] {entry} = {value!r}: must be a whole number, 0 or more")
    return value


def _ranks(name: str, table: str, entries: object, allowed: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(entries, dict):
        raise DeckError(f"deck {name}: [{table}] must be a table of rank = how many")
    for entry in entries:
        if entry not in allowed:
            near = get_close_matches(entry, allowed, n=1)
            meant = f", did you mean '{near[0]}'?" if near else f": known are {', '.join(allowed)}"
            raise DeckError(f"deck {name}: [{table}] has no rank '{entry}'{meant}")
    return {entry: _whole(name, table, entry, value) for entry, value in entries.items()}


def deck_from_mapping(name: str, data: dict[str, Any]) -> Deck:
    """A deck from the parsed content of a deck file. Raises `DeckError`."""
    known = ("title", "each_colour", "wilds", *COLOURS)
    for key in data:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            meant = f", did you mean '{near[0]}'?" if near else f": known are {', '.join(known)}"
            raise DeckError(f"deck {name}: unknown entry '{key}'{meant}")
    everywhere = _ranks(name, "each_colour", data.get("each_colour", {}), COLOURED_RANKS)
    cards: list[int] = []
    for number, colour in enumerate(COLOURS):
        ranks = {**everywhere, **_ranks(name, colour, data.get(colour, {}), COLOURED_RANKS)}
        for rank, count in ranks.items():
            cards += [kind(number, COLOURED_RANKS.index(rank))] * count
    for wild, count in _ranks(name, "wilds", data.get("wilds", {}), WILD_RANKS).items():
        cards += [kind(0, len(COLOURED_RANKS) + WILD_RANKS.index(wild))] * count
    if len(cards) < 2:
        raise DeckError(f"deck {name}: holds {len(cards)} cards; nobody can play with that")
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    title = data.get("title", name)
    if not isinstance(title, str):
        raise DeckError(f"deck {name}: title must be a text")
    return Deck(name, title, tuple(cards), tuple(counts))


def load_deck(path: Path) -> Deck:
    """The deck a file describes; its name is the file's. Raises `DeckError`, which names the line of a TOML error."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise DeckError(f"deck {path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeckError(f"deck {path}: not a TOML file: {error}") from error
    return deck_from_mapping(path.stem, data)


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
