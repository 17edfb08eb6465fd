"""The four figures with which another phone claims a seat: known to the seat's own phone and to the host only."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.table.state import Seat

FIGURES = 4


def draw(taken: Collection[str]) -> str:
    """A code that nobody at the table has. No chance of the game: it must not be told by the table's seed."""
    while True:
        code = f"{secrets.randbelow(10**FIGURES):0{FIGURES}}"
        if code not in taken:
            return code


def is_code(tried: object, code: str) -> bool:
    """Whether `tried` is the code, however it was typed; compared in the same time whatever is wrong with it."""
    if not isinstance(tried, str) or len(tried) > 40 or not code:
        return False
    figures = "".join(each for each in tried if each in "0123456789")
    return hmac.compare_digest(figures.encode(), code.encode())


def lacking(seats: Sequence[Seat]) -> Iterator[tuple[int, str]]:
    """A code for every player without one: those whom an older version of this program seated."""
    taken = {seat.code for seat in seats}
    for number, seat in enumerate(seats):
        if seat.kind == "person" and not seat.code:
            code = draw(taken)
            taken.add(code)
            yield number, code
