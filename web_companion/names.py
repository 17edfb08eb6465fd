"""Cleaning of the names people type: what a seat may be called, and what never reaches another screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from controller.table.names import BLANK

LONGEST_NAME = 20  # code points: what a chip of the ring still shows on a television
_KINDS = {
    **dict.fromkeys(BLANK, " "), **dict.fromkeys("0123456789#*", "D"), "\u200d": "J", "\ufe0f": "V", "\u20e3": "K",
    **{chr(code): "T" for code in range(0x1F3FB, 0x1F400)},  # skin tones
    **{chr(code): "R" for code in range(0x1F1E6, 0x1F200)},  # halves of flags
    "\U0001f3f4": "B", **{chr(code): "G" for code in range(0xE0061, 0xE007B)}, "\U000e007f": "E",  # Scotland's
}  # fmt: skip
_INVISIBLE_MARKS = frozenset({0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)})
_FIRST_SELECTOR = 0xE0100  # variation selectors of ideographs, up to the end of that plane

_MARKS = "[MHK]{0,2}(?:C[MHK]{0,2})*"  # a tower of accents would climb over its neighbours
_PIECE = re.compile(
    rf"""
    RR                                               # a flag
    | BG{{5}}E                                       # the flag of a part of a country
    | DV?K                                           # a keycap
    | [PB]V?T? (?:J[PB]V?T?)* {_MARKS}               # an emoji, or several joined to one
    | [XDTR]{_MARKS} (?:(?<=H)J?X{_MARKS})*          # a letter with what belongs to it; joiners after a virama only
    | [ ]
    """,
    re.VERBOSE,
)


def clean_name(raw: object) -> str:
    """Return `raw` as a name fit for every screen: NFC, one line, nothing that is not seen, at most 20 code points.

    It is cut between what people see as characters, so that an emoji stays whole. An empty text means that nothing
    usable was left; anything that is not a text is such a name too.
    """
    if not isinstance(raw, str):
        return ""
    text = "".join(_pieces(unicodedata.normalize("NFC", raw[:400])))
    name = ""
    for piece in _pieces(unicodedata.normalize("NFC", " ".join(text.split()))):
        if len(name) + len(piece) > LONGEST_NAME:
            break
        name += piece
    return name.strip()


def _pieces(text: str) -> Iterator[str]:
    """What people see as characters (grapheme clusters, near enough), blanks as spaces; the rest is left out."""
    for match in _PIECE.finditer("".join(map(_kind, text))):
        yield " " if match[0] == " " else text[match.start() : match.end()]


def _kind(character: str) -> str:
    """A letter for each part that a character can have in a piece; `-`: none."""
    category = unicodedata.category(character)
    kind = _KINDS.get(character)
    if kind is not None:
        return kind
    if character.isspace() or category == "Cc":
        return " "
    if category in ("Mn", "Me"):
        code = ord(character)
        if code in _INVISIBLE_MARKS or code >= _FIRST_SELECTOR:
            return "-"
        return "H" if unicodedata.combining(character) == 9 else "M"
    if category == "Mc":
        return "C"
    if category in ("So", "Sm"):
        return "P"
    return "X" if category[0] in "LNSP" else "-"
