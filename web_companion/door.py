"""The door between the web companion and the table: all that the pages' server may ask of the game, as small protocols.

Nothing of the game lives here; `controller.table` fulfils these protocols, and tests may fulfil them with a small fake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from controller.table import Answer, Who

__all__ = ["Answer", "MemoryStore", "Publication", "Store", "TableDoor", "Who"]


class Publication(Protocol):
    """One version of the table, already redacted: the web companion never sees a position."""

    @property
    def epoch(self) -> int: ...

    @property
    def version(self) -> int: ...

    def owned_by(self, session: str) -> frozenset[int]:
        """The seats that were this phone's session's then."""

    def frame(self, seats: frozenset[int], host: bool = False) -> str:
        """The JSON text of the `state` frame for a viewer holding these seats."""


class TableDoor(Protocol):
    """The table as the web companion uses it; everything is called on the event loop only."""

    def submit(self, who: Who, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None:
        """Hand in a command; `answer` is called exactly once, on the event loop."""

    def subscribe(self, listener: Callable[[Publication], None]) -> Callable[[], None]:
        """Be told every publication; returns the way to stop it."""

    def current(self) -> Publication:
        """The last publication released."""

    def since(self, epoch: int, version: int) -> Sequence[Publication] | None:
        """What was published after `version`; None when that is too long ago or of another epoch."""

    def seats_of(self, session: str) -> frozenset[int]:
        """The seats that belong to a phone's session now: whose seat is whose, the table alone knows."""

    def left_by(self, session: str) -> frozenset[int]:
        """The seats from which a phone's player has stood up in the game that is on, and may come back to."""

    def waits(self, session: str) -> bool:
        """Whether a phone waits for a seat in the next game."""

    def has_place(self, session: str) -> bool:
        """Whether a phone has a seat, had one when the game began, or waits for one."""

    def take_chair(self, name: str) -> bool:
        """A phone asks to be host without a code; True, once, when somebody has just held the button for it."""

    def presence(self, seats: frozenset[int]) -> None:
        """The seats whose phone has a page open now."""

    def service(self) -> dict[str, object]:
        """What the maker sees of the machine: no hand, and nothing that is planned."""

    def failure(self) -> str | None:
        """Why nothing can be done at this table any more (its journal failed), or None."""


class Store(Protocol):
    """Where sessions and codes survive a restart: texts under keys. The journal fulfils it."""

    def keep(self, key: str, text: str) -> None:
        """Keep `text` under `key`, replacing what was there."""

    def kept(self, key: str) -> str | None:
        """The text kept under `key`, or None."""


class MemoryStore:
    """A store that forgets with the process: for tests and for tables that keep nothing."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def keep(self, key: str, text: str) -> None:
        self._texts[key] = text

    def kept(self, key: str) -> str | None:
        return self._texts.get(key)
