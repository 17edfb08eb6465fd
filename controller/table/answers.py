"""The last answers given to each session, so that a command sent again after a reconnect does nothing twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from controller.table.messages import Answer

KEPT = 64  # answers of one session
_SESSIONS = 512  # sessions remembered; far more than a home has phones


class Answers:
    """Answers by session and command id; of a command not answered yet, who waits for the answer."""

    def __init__(self) -> None:
        self._given: OrderedDict[str, OrderedDict[str, Answer]] = OrderedDict()
        self._waiting: dict[tuple[str, str], list[Callable[[Answer], None]]] = {}

    def given(self, session: str, command: str) -> Answer | None:
        """The answer given to this command before, or None."""
        of_session = self._given.get(session)
        return None if of_session is None else of_session.get(command)

    def remember(self, session: str, command: str, answer: Answer) -> None:
        """`answer` was given."""
        of_session = self._given.setdefault(session, OrderedDict())
        self._given.move_to_end(session)
        of_session[command] = answer
        while len(of_session) > KEPT:
            of_session.popitem(last=False)
        while len(self._given) > _SESSIONS:
            self._given.popitem(last=False)

    def wait(self, session: str, command: str, answer: Callable[[Answer], None]) -> bool:
        """Add `answer` to those told when the command is answered; False when it is the first."""
        waiting = self._waiting.setdefault((session, command), [])
        waiting.append(answer)
        return len(waiting) > 1

    def waiters(self, session: str, command: str) -> list[Callable[[Answer], None]]:
        """Who waits for the answer; nobody waits any more after this."""
        return self._waiting.pop((session, command), [])
