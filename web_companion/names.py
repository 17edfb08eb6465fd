"""Cleaning of the names people type: what a seat may be called, and what never reaches another screen."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 20  # characters: what a chip of the ring still shows on a television
_FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # controls, bidi marks, surrogates, private use
_JOINERS = frozenset({"\u200d", "\ufe0f"})  # needed inside emoji; harmless between visible characters


def clean_name(raw: object) -> str:
    """Return `raw` as a name fit for every screen: NFC, one line, no control or bidi characters, at most 20 characters.

    An empty text means that nothing usable was left; anything that is not a text is such a name too.
    """
    if not isinstance(raw, str):
        return ""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", raw[:400]):
        category = unicodedata.category(character)
        if category in _FORBIDDEN and character not in _JOINERS:
            if category == "Cc":
                kept.append(" ")
            continue
        marks = marks + 1 if category == "Mn" else 0
        if marks > 2:  # a tower of accents would climb over its neighbours
            continue
        kept.append(character)
    text = " ".join("".join(kept).split())[:LONGEST_NAME].strip().strip("\u200d")
    return text if any(unicodedata.category(character)[0] in "LNSP" for character in text) else ""
