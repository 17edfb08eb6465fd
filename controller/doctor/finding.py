"""What a check says: how it stands, why, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Result(StrEnum):
    """How it stands; a later one is worse, but for the last."""

    OK = "ok"
    WARN = "warn"  # it will do, or cannot be told
    FAIL = "fail"  # what the configuration asks for will not work so
    NOT_APPLICABLE = "not-applicable"  # it does not matter for what is configured


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of the check called `check`; whatever is not well has a `remedy`, a thing to do."""

    check: str
    result: Result
    reason: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if self.result in (Result.WARN, Result.FAIL) and not self.remedy:
            raise ValueError(f"{self.check}: {self.reason}: what is to be done about it?")
