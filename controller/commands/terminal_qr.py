"""A QR code as text for a terminal: in colours of its own, so that a dark terminal and a light one show the same."""

from __future__ import annotations

import io
from collections.abc import Sequence

import segno

_DARK, _LIGHT = 16, 231  # black and white of the 256 colours, which no colour scheme of a terminal changes
_RESET = "\x1b[0m"


def qr_text(text: str) -> str:
    """The code of `text`, with a quiet border; two rows of modules a line, black on white by escape codes."""
    code = segno.make(text, error="m", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=4)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return "".join(_line(upper, lower) for upper, lower in zip(rows[::2], rows[1::2], strict=True))


def plain_qr_text(text: str) -> str:
    """The code of `text` without escape codes, for files and pipes: for a screen with light letters."""
    shown = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(shown, compact=True)
    return shown.getvalue()


def _line(upper: Sequence[int], lower: Sequence[int]) -> str:
    """Upper half blocks: the upper module is the letter's colour, the lower one that of its ground."""
    parts, last = [], None
    for pair in zip(upper, lower, strict=True):
        if pair != last:
            front, ground = (_DARK if module else _LIGHT for module in pair)
            parts.append(f"\x1b[38;5;{front};48;5;{ground}m")
            last = pair
        parts.append("▀")
    return f"{''.join(parts)}{_RESET}\n"
