"""Names of seats: fit for every screen, and each once at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from controller.table.messages import Refuse

LONGEST = 20  # characters
BOT_NAMES = ("Bolt", "Cog", "Gizmo", "Pixel", "Rivet", "Servo", "Sprocket", "Turbo", "Widget", "Zap")  # no child's
_JOINERS = "\u200d\ufe0f"  # parts of emoji
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")  # letters and symbols nobody sees
_SELECTORS = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_UNSEEN = BLANK | _SELECTORS | frozenset("\u034f\u17b4\u17b5")


def cleaned(name: object) -> str:
    """`name` on one line, without what no screen can show. Raises `Refuse` when nothing is left or it is too long."""
    if not isinstance(name, str):
        raise Refuse("bad-command", "a name is a text")
    characters = unicodedata.normalize("NFC", name)
    shown = (each if _is_shown(each) else " " for each in characters)
    clean = " ".join("".join(shown).split())
    if not as_seen(clean) or len(clean) > LONGEST:
        raise Refuse("bad-command", f"a name has 1 to {LONGEST} characters, and can be seen")
    return clean


def as_seen(name: str) -> str:
    """What people take `name` for: names that are the same here cannot be told apart at the table."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(each for each in folded if not _is_ignored(each)).split())


def unused(name: str, taken: Iterable[str]) -> str:
    """`name`, when nobody has it yet, nor one that looks like it. Raises `Refuse`."""
    if as_seen(name) in map(as_seen, taken):
        raise Refuse("name-taken", f"somebody here is called {name} already")
    return name


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that nobody has yet."""
    used = set(map(as_seen, taken))
    return next(name for name in (*BOT_NAMES, *(f"Bot {n}" for n in range(1, 1000))) if as_seen(name) not in used)


def _is_shown(character: str) -> bool:
    return character.isprintable() or character in _JOINERS or "\U000e0020" <= character <= "\U000e007f"


def _is_ignored(character: str) -> bool:
    """Whether nothing is to be seen of `character` by itself: controls, joiners, selectors, fillers, blanks."""
    return character in _UNSEEN or unicodedata.category(character)[0] == "C"
