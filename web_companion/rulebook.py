"""The rules as data for pages: every option with its values in words, every preset, every deck. JSON, made once for
each language.

What an option means and which there are is the rules' to say; here it is only written down for `GET /api/v1/rules`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Final, cast

from controller.rules.cards import COLOURED_RANKS, COLOURS, KIND_OF, POINTS_OF, RANKS, WILD_RANKS
from controller.rules.decks import BUILT_IN, deck
from controller.rules.explain import GROUPS, SHEETS, english, fillings_of, text_key, words
from controller.rules.matches import FORMATS
from controller.rules.options import LAST_CARD, LIST, OPTIONS, PRESETS, YES_NO, Option, Value
from web_companion.assets import Asset

_FAMILIES: Mapping[str, str] = {"attack": "attack", "printed": "attack", "classic": "classic",
                                "classic-tables": "classic"}  # fmt: skip
NO_WORDS: Final = "none"  # a language of that name
_HOUSE = "house"  # where every other kind of sheet belongs


@cache
def rulebook(language: str = "en") -> Asset:
    """The answer of `GET /api/v1/rules`, in one of `controller.rules.explain.LANGUAGES`, or `none`: without words."""
    data = _bare(rules_data()) if language == NO_WORDS else rules_data(words(language))
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return Asset(
        text, gzip.compress(text, 9, mtime=0), "application/json", f'"{hashlib.sha256(text).hexdigest()[:20]}"'
    )


def rules_data(texts: Mapping[str, str] | None = None) -> dict[str, object]:
    """Options in their groups, presets in their families with what each sets differently, decks with their cards.

    `texts`: the words, by default English ones.
    """
    texts = texts or english()
    return {
        "options": [_option(option, texts) for option in OPTIONS],
        "groups": [{"name": name, "title": texts[f"group.{name}"], "options": GROUPS[name]} for name in GROUPS],
        "presets": [_preset(name, texts) for name in PRESETS],
        "decks": {name: _deck(name) for name in BUILT_IN},
        "formats": FORMATS,
    }


def _bare(data: dict[str, object]) -> dict[str, object]:
    """What is needed to reckon with the rules, and nothing that is only read: a seat's page loads it when it begins."""
    wanted = {"options": ("name", "default"), "presets": ("name", "values")}
    kept = {
        part: [{name: each[name] for name in names} for each in cast(list[dict[str, object]], data[part])]
        for part, names in wanted.items()
    }
    return {**kept, "decks": data["decks"], "formats": data["formats"]}


def _option(option: Option, texts: Mapping[str, str]) -> dict[str, object]:
    data: dict[str, object] = {
        "name": option.name, "kind": option.kind, "default": option.default, "section": option.section,
        "text": texts.get(f"option.{option.name}", option.text),
        "choices": [_choice(option, value, texts) for value in _values(option)],
    }  # fmt: skip
    if option.kind in ("units", "whole"):
        data |= {"least": option.least, "most": option.most}
    return data


def _values(option: Option) -> tuple[Value, ...]:
    """The values that can be picked from a list; none for numbers and for who may play."""
    if option.kind == YES_NO:
        return (True, False)
    if option.kind == "deck":
        return BUILT_IN
    if option.kind == LAST_CARD:
        return ("any", "numbers", *RANKS)
    return option.choices


def _choice(option: Option, value: Value, texts: Mapping[str, str]) -> dict[str, object]:
    if option.kind == "deck":
        said = texts.get(f"title.{value}", deck(str(value)).title)
    elif option.kind == LIST:
        said = texts[f"defend.{value}"]
    elif option.kind == LAST_CARD and value in RANKS:
        said = texts.get(f"name.{value}", str(value))
    else:
        said = texts[text_key(option.name, value, texts)].format(**fillings_of(option.name, value, "any", texts))
    return {"value": value, "text": said}


def _preset(name: str, texts: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": name,
        "family": _FAMILIES.get(SHEETS[name], _HOUSE),
        "text": texts[f"preset.{name}"],
        "values": PRESETS[name],
    }


def _deck(name: str) -> dict[str, object]:
    """Its ranks in the order of cards, and what each costs in a hand."""
    counts = deck(name).counts
    coloured = [rank for rank in COLOURED_RANKS if any(counts[KIND_OF[f"{c} {rank}"]] for c in COLOURS)]
    wilds = [rank for rank in WILD_RANKS if counts[KIND_OF[rank]]]
    points = {rank: POINTS_OF[KIND_OF[f"red {rank}"]] for rank in coloured}
    points |= {rank: POINTS_OF[KIND_OF[rank]] for rank in wilds}
    return {"coloured": coloured, "wilds": wilds, "points": points}
