"""What a launcher has brought, press by press: from the rows of a journal, or from a file of counts. Read, not judged.

A file of counts has a line for each press, in order: how many cards came (`0`: dry, `?`: nobody knows), or how many
were asked for and how many came (`3 4`). Empty lines and what follows a `#` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.journal import StoredRow
from controller.odds.errors import OddsError

KINDS = ("shot", "shot-end")  # rows of a journal that are read
MOST = 112  # cards there are: no shot can have brought more


@dataclass(frozen=True, slots=True)
class Press:
    """One press. `came`: cards that came, None: not known; `ordered`: what the odds had asked for, None: nothing had.

    `exact`: whether the count is sure to be right, and not only the least it can be.
    """

    came: int | None
    ordered: int | None = None
    exact: bool = True


@dataclass(slots=True)
class Record:
    """Presses in order. `profile`: the key of the profile that ordered them; "": they were seen or typed."""

    profile: str
    presses: list[Press] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)  # how a shot ended that says nothing of the launcher's odds


def from_rows(rows: Iterable[StoredRow]) -> list[Record]:
    """The presses that a journal's rows tell of, apart for each profile and for what nobody ordered.

    Raises `OddsError` for a row that tells nothing.
    """
    records: dict[str, Record] = {}
    begun: StoredRow | None = None
    for row in rows:
        try:
            if row.kind == "shot":
                begun = row if row.body["shot"] else None
            elif row.kind == "shot-end" and begun is not None and begun.body["shot"] == row.body["shot"]:
                key = "" if "source" in begun.body else str(begun.body["odds"]["profile"])
                _take(records.setdefault(key, Record(key)), begun, row)
                begun = None
        except (KeyError, TypeError, ValueError) as error:
            raise OddsError(f"row {row.number} of the journal ({row.kind}) cannot be understood: {error!r}") from error
    return list(records.values())


def _take(record: Record, begun: StoredRow, ended: StoredRow) -> None:
    ordered = int(begun.body["cards"]) if record.profile else None
    end, certainty = str(ended.body["end"]), str(ended.body["certainty"])
    known = end == "done" and certainty != "unknown"
    if not known:
        why = end if end != "done" else "not counted"
        record.left_out[why] = record.left_out.get(why, 0) + 1
    record.presses.append(Press(int(ended.body["cards"]) if known else None, ordered, certainty == "exact"))


def from_counts(text: str) -> Record:
    """The presses of a file of counts. Raises `OddsError` for a line that is none, naming it."""
    record = Record("")
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) > 2 or not all(re.fullmatch(r"\d{1,3}", word) for word in words[:-1]):
            raise OddsError(_no_count(number, line))
        if words[-1] == "?":
            record.left_out["not counted"] = record.left_out.get("not counted", 0) + 1
        elif not re.fullmatch(r"\d{1,3}", words[-1]):
            raise OddsError(_no_count(number, line))
        counts = [None if word == "?" else int(word) for word in words]
        if any(count is not None and count > MOST for count in counts):
            raise OddsError(f"line {number}: {line.strip()!r}: no shot has more than {MOST} cards")
        record.presses.append(Press(counts[-1], counts[0] if len(counts) == 2 else None))
    return record


def _no_count(number: int, line: str) -> str:
    return (
        f"line {number}: {line.strip()!r} is no press: write how many cards came (0: none, ?: not known), "
        "or how many were asked for and how many came, like 3 4"
    )
