"""What comes into the table's inbox, and who sends it. Plain data; what is done about it lives in `core`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from controller.rules.refusals import Refusal
from hardware.ports import HardwareEvent

Answer = dict[str, object]
PROGRAM = ""  # the session of the program itself: bots, timers


class Asker(Protocol):
    """Whoever hands in a command, as the table wants to know it."""

    @property
    def session(self) -> str: ...
    @property
    def host(self) -> bool: ...
    @property
    def seats(self) -> frozenset[int]: ...


@dataclass(frozen=True, slots=True)
class Who:
    """Who is asking: the stable id of a phone's session ("" for the program itself), host or not, its seats."""

    session: str
    host: bool = False
    seats: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a phone or of the program; `answer` is called once, after the commit."""

    who: Asker
    body: Mapping[str, object]
    answer: Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class ShotTaken:
    """The row of shot `shot` is on disk and the launcher has the order."""

    shot: int


@dataclass(frozen=True, slots=True)
class JournalFailed:
    """Nothing can be written any more."""

    text: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Somebody wants to know whether the table still comes round to its inbox: `ticked` is called when it does."""

    ticked: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Presence:
    """The seats that have a phone listening now."""

    seats: frozenset[int]


# Of refusals that always mean the same; others say what exactly is wrong.
_WORDS = {
    "no-such-player": "nobody sits there: name a seat of this table",
    "no-game": "no game is on: the host starts one",
    "not-host": "only the host may do that",
    "not-your-seat": "that seat belongs to another phone: its player or the host may do that",
    "paused": "the game is paused: the host resumes it",
}

Message = Command | ShotTaken | JournalFailed | Presence | Tick | HardwareEvent


class Refuse(Exception):
    """Raised while a command is judged: it is refused for `reason`, and nothing has changed.

    `more` goes into the answer as it is; `text` is for logs, pages have their own words.
    """

    def __init__(self, reason: str, text: str = "", **more: object) -> None:
        super().__init__(text or reason)
        self.reason = reason
        self.text = text or _WORDS.get(reason, "")
        self.more = more

    @classmethod
    def by_rules(cls, refusal: Refusal, **more: object) -> Refuse:
        """The refusal of the rules, with the options behind it."""
        because = [{"option": each.option, "value": each.value, "section": each.section} for each in refusal.because]
        return cls(refusal.reason, str(refusal), because=because, **more)

    def answer(self) -> Answer:
        """As the asker gets it, but for the id."""
        return {"ok": False, "reason": self.reason, "because": [], "text": self.text, **self.more}
