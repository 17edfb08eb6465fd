"""Phones as the web companion knows them: opaque tokens in a cookie, kept only as hashes, and who is host.

Which seats belong to a phone is the table's knowledge; what a phone may do in the game is the table's to judge.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from web_companion.door import Store

COOKIE = "uno_attack"
MAX_AGE = 400 * 24 * 3600  # seconds; the longest browsers keep. Not a date: a Pi has no clock of its own
MOST_SESSIONS = 300
NEVER_FORGOTTEN = 2  # the worth of a phone that is host or has a place at the table
_KEY = "web.sessions"


@dataclass(slots=True, eq=False)
class Session:
    """One phone: its public id (no secret), the name it last gave, and whether it is host."""

    id: str
    name: str = ""
    host: bool = False


def _in_order(session: Session) -> int:
    """No phone is worth more than another."""
    return 0


class Sessions:
    """All phones that have joined, kept in a store so that they are known again after a restart of the process."""

    def __init__(self, store: Store) -> None:
        self.worth: Callable[[Session], int] = _in_order  # who is forgotten first: whoever knows the table, says it
        self._store = store
        self._by_hash: dict[str, Session] = {}
        self._listeners: list[Callable[[Session], None]] = []
        self._load()

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_hash.values()))

    def find(self, token: str | None) -> Session | None:
        """The session of a cookie's token, or None."""
        return self._by_hash.get(_hash(token)) if token else None

    def create(self) -> tuple[str, Session]:
        """A new session and its token; the token is not kept anywhere and cannot be asked for again."""
        token = secrets.token_urlsafe(16)  # 128 bits
        session = Session(secrets.token_hex(6))
        self._make_room()
        self._by_hash[_hash(token)] = session
        self._save()
        return token, session

    def changed(self, session: Session) -> None:
        """Keep what has become of `session`, and tell whoever listens (open pages show it at once)."""
        self._save()
        for listener in list(self._listeners):
            listener(session)

    def with_id(self, identity: str) -> Session | None:
        """The phone of this public id, or None."""
        return next((session for session in self if session.id == identity), None)

    def hosts(self) -> list[Session]:
        """The phones that are host."""
        return [session for session in self if session.host]

    def listen(self, listener: Callable[[Session], None]) -> None:
        """Be told whenever a session has changed."""
        self._listeners.append(listener)

    def _make_room(self) -> None:
        """Forget the oldest of those that are worth least."""
        if len(self._by_hash) >= MOST_SESSIONS:
            worth = {key: self.worth(session) for key, session in self._by_hash.items()}
            least = min(worth, key=worth.__getitem__)
            if worth[least] < NEVER_FORGOTTEN:
                del self._by_hash[least]

    def _save(self) -> None:
        rows = [
            {"token": key, "id": session.id, "name": session.name, "host": session.host}
            for key, session in self._by_hash.items()
        ]
        self._store.keep(_KEY, json.dumps({"form": 1, "sessions": rows}, ensure_ascii=False))

    def _load(self) -> None:
        text = self._store.kept(_KEY)
        if text is None:
            return
        for row in json.loads(text)["sessions"]:
            session = Session(row["id"], row["name"], bool(row["host"]))
            self._by_hash[row["token"]] = session


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
