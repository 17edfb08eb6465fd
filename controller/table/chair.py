"""The host's chair, free for a minute when somebody holds the UNO button: for when the host's phone is lost.

Whoever can reach the machine can run the table. The button is held for five seconds and let go again, at a moment at
which a press does nothing: then the first phone that asks within a minute is host too. A press that fires a shot is
nobody's asking, however long it lasts, and neither is a button that somebody leans on for longer than fifteen
seconds. By holding alone nothing changes: hosts stay hosts, everybody is told, and a host can close the offer again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.table.ground import Ground
from controller.table.messages import Answer, Command

HELD: Final = 5.0  # seconds at least
LEANT_ON: Final = 15.0  # seconds from which on it is no asking
FREE_FOR: Final = 60.0  # seconds


class Chair:
    """When the chair is free. Times are seconds of the table's clock; nothing of it outlives a restart."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._down_at: float | None = None
        self.deadline: float | None = None
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {"keep-chair": self._keep}

    def pressed(self, at: float, did_something: bool) -> None:
        """The button went down at `at`."""
        self._down_at = None if did_something else at

    def released(self, at: float) -> None:
        """The button came up at `at`."""
        down_at, self._down_at = self._down_at, None
        if down_at is not None and HELD <= at - down_at <= LEANT_ON and not self._ground.shooting:
            self.deadline = self._ground.now + FREE_FOR
            self._ground.chair_free = True
            self._ground.tell("chair-free")

    def due(self) -> None:
        """Nobody has asked in time."""
        if self.deadline is not None and self.deadline <= self._ground.now:
            self._close()
            self._ground.show()

    def take(self, name: str) -> bool:
        """A phone asks for the chair; True when it was free, which it is not any more then."""
        if not self._ground.chair_free:
            return False
        self._close()
        self._ground.tell("chair-taken", name=name)
        return True

    def _keep(self, command: Command) -> Answer:
        """`keep-chair`: a host is here, and nobody needs the chair."""
        self._close()
        self._ground.show()
        return {"ok": True}

    def _close(self) -> None:
        self.deadline = None
        self._ground.chair_free = False
