"""Names of seats: fit for every screen, and each once at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from controller.table.messages import Refuse

LONGEST = 20  # characters
BOT_NAMES = ("Bolt", "Cog", "Gizmo", "Pixel", "Rivet", "Servo", "Sprocket", "Turbo", "Widget", "Zap")  # no child's
_JOINERS = "\u200d\ufe0f"  # parts of emoji


def cleaned(name: object) -> str:
    """`name` on one line, without what no screen can show. Raises `Refuse` when nothing is left or it is too long."""
    if not isinstance(name, str):
        raise Refuse("bad-command", "a name is a text")
    characters = unicodedata.normalize("NFC", name)
    shown = (each if each.isprintable() or each in _JOINERS else " " for each in characters)
    clean = " ".join("".join(shown).split())
    if not clean or len(clean) > LONGEST:
        raise Refuse("bad-command", f"a name has 1 to {LONGEST} characters")
    return clean


def unused(name: str, taken: Iterable[str]) -> str:
    """`name`, when nobody has it yet. Raises `Refuse`."""
    if name.casefold() in {other.casefold() for other in taken}:
        raise Refuse("name-taken", f"somebody here is called {name} already")
    return name


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that nobody has yet."""
    used = {other.casefold() for other in taken}
    return next(name for name in (*BOT_NAMES, *(f"Bot {n}" for n in range(1, 1000))) if name.casefold() not in used)
