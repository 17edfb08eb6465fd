"""What may follow what, as tables made once: a byte for every kind, 1 when it may be played.

A position keeps a reference to the table in force, so that asking whether a card fits is one look-up.
"""

from __future__ import annotations

from functools import cache

from .cards import COLOUR_OF, KINDS, NO_COLOUR, NO_RANK, RANK_OF, RANKS, SKIP, UNKNOWN, WILD, WILD_CUSTOMIZABLE

COLOUR_ONLY = 1
"""After a penalty that could have been answered: nothing but the active colour, or a wild (`after_chain`)."""
NO_WILD = 2
"""After a draw card that was paid for: no plain wild (`wild_after_draw` no)."""

FIRST_LAST = ("any", "numbers")
"""Values of `last_card` that are a word."""


@cache
def fits_table(colour: int, rank: int, limits: int = 0) -> bytes:
    """What may be played on a top card of `rank` with active `colour`; NO_COLOUR: not known, anything may follow.

    The unknown card itself is 1 as well: whether it may be played at all is the table's question, not the colour's.
    """
    table = bytearray(KINDS)
    for kind in range(KINDS):
        own, its_rank = COLOUR_OF[kind], RANK_OF[kind]
        if kind == UNKNOWN or colour == NO_COLOUR:
            fits = True
        elif own == NO_COLOUR:
            fits = not (limits & NO_WILD and its_rank == WILD)
        else:
            fits = own == colour or (its_rank == rank and rank != NO_RANK and not limits & COLOUR_ONLY)
        table[kind] = fits
    return bytes(table)


@cache
def last_table(last_card: str | tuple[str, ...]) -> bytes:
    """By kind: 1 when it may be the last card played; the unknown card always (nobody can check it)."""
    table = bytearray(KINDS)
    for kind in range(KINDS):
        rank = RANK_OF[kind]
        if kind == UNKNOWN or last_card == "any":
            table[kind] = 1
        elif last_card == "numbers":
            table[kind] = rank < SKIP
        else:
            table[kind] = RANKS[rank] not in last_card
    return bytes(table)


HOUSE_RANKS: dict[int, tuple[str, ...]] = {0: ("zero", "red_zero"), 7: ("seven",), 2: ("two",), 9: ("nine",)}
"""Numbers that a house rule may give an effect, and the options that do."""


@cache
def plain_table(with_effect: frozenset[int]) -> bytes:
    """By kind: 1 when playing the card only shows it: numbers but those `with_effect`, wild, wild-customizable."""
    return bytes(
        kind != UNKNOWN and (rank not in with_effect if rank < SKIP else rank in (WILD, WILD_CUSTOMIZABLE))
        for kind, rank in enumerate(RANK_OF)
    )


@cache
def unfit(table: bytes) -> bytes:
    """The kinds that `table` does not let through: what to delete from a hand to see what may be played."""
    return bytes(kind for kind in range(KINDS) if not table[kind])


FITS: tuple[tuple[bytes, ...], ...] = tuple(
    tuple(fits_table(colour, rank) for rank in range(NO_RANK + 1)) for colour in range(NO_COLOUR + 1)
)
"""`fits_table` without limits, by colour and rank."""
UNFIT: tuple[tuple[bytes, ...], ...] = tuple(tuple(unfit(table) for table in row) for row in FITS)
"""`unfit` of `FITS`."""
