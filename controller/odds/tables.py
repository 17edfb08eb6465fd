"""Tables of one's own: a profile of odds as it is written in the configuration. `EXAMPLE` shows all there is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from hashlib import blake2b

from controller.odds.errors import OddsError
from controller.odds.known import MOST_CARDS, PROFILES
from controller.odds.profiles import OddsProfile
from controller.odds.rhythms import Hazard
from controller.odds.sizes import Sizes

EXAMPLE = """\
[odds.tables.ours]
summary = "as counted on our red one"
chances = [0.2, 0.5, 0.6, 1.0]        # of firing on the first, second, ... press since the last fire; then the last
cards = "1-3 + 0-3 + 0-3"             # of a fire: a sum of even draws
# cards = { 1 = 2, 2 = 5, 8 = 1 }     # or numbers of cards with their weights
# cards = ["1-3", { 4 = 1, 8 = 1 }]   # or one of these for each press since the last fire; then the last
pauses = 0.1                          # share of presses that keep their secret longer, by pause_ms
rising = true                         # whether sound and light rise with every dry press
"""
KEYS = ("summary", "chances", "cards", "pauses", "rising")
MOST_CHANCES = 20
LEAST_LAST = 0.01  # a launcher that fires less often than that looks broken
MOST_DICE = 6
MOST_WEIGHT = 1_000_000
LONGEST_SUMMARY = 120


def own_profiles(tables: object) -> dict[str, OddsProfile]:
    """The profiles of `[odds.tables]`, by name. Raises `OddsError`, which names table and key, for what is wrong."""
    if not isinstance(tables, Mapping):
        raise OddsError(
            "tables are sections of their own: write [odds.tables.NAME] and the keys under it", key="tables"
        )
    return {name: _Reader(name, table).profile() for name, table in tables.items()}


class _Reader:
    """Reads one table."""

    def __init__(self, name: str, table: object) -> None:
        self._name = name
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,23}", name):
            raise self._wrong("", f"a table's name is made of a-z, 0-9 and '-', up to 24 of them, not {name!r}")
        if name in PROFILES or name.startswith("fixed-"):
            raise self._wrong("", f"{name!r} comes with the program: give this table another name")
        if not isinstance(table, Mapping):
            raise self._wrong("", f"a table is a section of its own: write [odds.tables.{name}], not {table!r}")
        for key in table:
            if key not in KEYS:
                near = get_close_matches(key, KEYS, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(KEYS)}"
                raise self._wrong(key, f"there is no such key: {hint}")
        self._table: Mapping[str, object] = table

    def profile(self) -> OddsProfile:
        """The profile. Raises `OddsError`."""
        chances = self._chances()
        sizes = self._sizes(len(chances))
        pauses, rising = self._pauses(), self._rising()
        figures = [chances, [[each.cards, each.ways] for each in sizes], pauses, rising]
        edition = blake2b(json.dumps(figures).encode(), digest_size=4).hexdigest()
        return OddsProfile(self._name, self._summary(), Hazard(chances), sizes, pauses, rising, edition)

    def _wrong(self, key: str, text: str) -> OddsError:
        return OddsError(text, self._name, key)

    def _summary(self) -> str:
        text = self._table.get("summary", "a table of one's own")
        if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_SUMMARY or not text.isprintable():
            raise self._wrong("summary", f"one line of up to {LONGEST_SUMMARY} characters, in quotes, not {text!r}")
        return text

    def _chances(self) -> tuple[float, ...]:
        like = "write one number from 0 to 1 for each press since the last fire, like [0.2, 0.5, 1]"
        given = self._table.get("chances")
        if given is None:
            raise self._wrong("chances", f"chances are missing: {like}")
        if not isinstance(given, list) or not 1 <= len(given) <= MOST_CHANCES:
            raise self._wrong("chances", f"{given!r} is no list of 1 to {MOST_CHANCES} chances: {like}")
        chances = tuple(self._share("chances", each, like) for each in given)
        if chances[-1] < LEAST_LAST:
            raise self._wrong(
                "chances",
                f"the last chance holds for all later presses too, and with {given[-1]!r} it may never fire again: "
                f"end with {LEAST_LAST} or more",
            )
        return chances

    def _share(self, key: str, value: object, like: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self._wrong(key, f"{value!r} is not a chance: {like}")
        return float(value)

    def _sizes(self, presses: int) -> tuple[Sizes, ...]:
        given = self._table.get("cards")
        if given is None:
            raise self._wrong("cards", f"cards are missing: {_LIKE}")
        each = given if isinstance(given, list) else [given]
        if not 1 <= len(each) <= presses:
            raise self._wrong(
                "cards",
                f"{len(each)} entries for {presses} chances: write one for each chance or fewer (the last holds on)",
            )
        return tuple(self._size(one) for one in each)

    def _size(self, given: object) -> Sizes:
        if isinstance(given, str):
            return self._dice(given)
        if isinstance(given, Mapping):
            return self._weights(given)
        raise self._wrong("cards", f"{given!r} is neither dice nor weights: {_LIKE}")

    def _refuse_beyond(self, given: object, fewest: int, most: int) -> None:
        if fewest < 1 or most > MOST_CARDS:
            raise self._wrong(
                "cards",
                f"{given!r} comes to {fewest} to {most} cards, but a fire brings 1 to {MOST_CARDS}: "
                "dry presses are for `chances` to say",
            )

    def _dice(self, text: str) -> Sizes:
        dice = []
        for part in text.split("+"):
            found = re.fullmatch(r"\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*", part)
            low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
            if not low <= high <= MOST_CARDS:
                raise self._wrong("cards", f"{text!r} is no sum of draws: write it like '1-3 + 0-3' or '5'")
            dice.append((low, high))
        if len(dice) > MOST_DICE:
            raise self._wrong("cards", f"{text!r} adds {len(dice)} draws: {MOST_DICE} are the most")
        self._refuse_beyond(
            text, sum(low for low, _ in dice), sum(high for _, high in dice)
        )  # before counting them out
        return Sizes.dice(*dice)

    def _weights(self, weights: Mapping[str, object]) -> Sizes:
        ways: dict[int, int] = {}
        for cards, weight in weights.items():
            if not re.fullmatch(r"\d{1,3}", cards):
                raise self._wrong("cards", f"{cards!r} is no number of cards: {_LIKE}")
            if isinstance(weight, bool) or not isinstance(weight, int) or not 0 <= weight <= MOST_WEIGHT:
                raise self._wrong("cards", f"{cards} = {weight!r}: a weight is a whole number from 0 to {MOST_WEIGHT}")
            ways[int(cards)] = weight
        if not any(ways.values()):
            raise self._wrong("cards", f"nothing in {dict(weights)!r} has a weight: {_LIKE}")
        sizes = Sizes.weighed(ways)
        self._refuse_beyond(dict(weights), sizes.cards[0], sizes.largest)
        return sizes

    def _pauses(self) -> float:
        return self._share("pauses", self._table.get("pauses", 0), "write the share of presses, from 0 to 1, like 0.1")

    def _rising(self) -> bool:
        value = self._table.get("rising", False)
        if not isinstance(value, bool):
            raise self._wrong("rising", f"write true or false, not {value!r}")
        return value


_LIKE = 'write dice, like "1-3 + 0-3", or weights, like { 1 = 2, 2 = 5 }, or a list of these, one for each chance'
