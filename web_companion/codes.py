"""The two codes of a table: the join code that lets a phone sit or watch, and the host code."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from web_companion.door import Store

ALPHABET = "ABCDEFGHJKMNPQRTUVWXYZ346789"  # nothing that can be read two ways across a table
_KEY = "web.codes"


@dataclass(frozen=True, slots=True)
class Codes:
    """The join code (shown on every page of the table) and the host code (console and launcher side only)."""

    join: str
    host: str

    def is_join(self, tried: object) -> bool:
        """Whether `tried` is the join code, however it was typed."""
        return _same(tried, self.join)

    def is_host(self, tried: object) -> bool:
        """Whether `tried` is the host code, however it was typed."""
        return _same(tried, self.host)


def _plain(code: str) -> str:
    return "".join(character for character in code.upper() if character.isalnum())


def _same(tried: object, code: str) -> bool:
    if not isinstance(tried, str) or len(tried) > 64:
        return False
    return hmac.compare_digest(_plain(tried).encode(), _plain(code).encode())


def _draw(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def codes_of(store: Store) -> Codes:
    """The table's codes: as kept, so that a printed QR outlives a restart, or new ones which are then kept."""
    kept = store.kept(_KEY)
    if kept is not None:
        join, _, host = kept.partition(" ")
        if join and host:
            return Codes(join, host)
    codes = Codes(_draw(5), f"{_draw(4)}-{_draw(4)}")
    store.keep(_KEY, f"{codes.join} {codes.host}")
    return codes
