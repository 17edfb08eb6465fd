"""Cards as small integers (*kinds*), and what is printed on them: colour, rank, points, name.

Kind 0 is the unknown card `?`. Kinds 1 to 68 are the coloured cards (17 ranks in each of four colours), 69 to 75 the
wilds. The numbers are the same in every deck; a deck (`decks`) says how many of each kind it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

COLOURS = ("red", "yellow", "green", "blue")
RED, YELLOW, GREEN, BLUE = range(4)
NO_COLOUR = 4
"""The colour of wilds and unknown cards; as the active colour: none is known, anything may follow."""

SKIP, REVERSE, DRAW_TWO, HIT_1, HIT_2, DISCARD_ALL, TRADE_HANDS = range(10, 17)
WILD, WILD_DRAW_FOUR, WILD_HIT_4, WILD_ALL_HIT, WILD_HIT_FIRE, WILD_ATTACK_ATTACK, WILD_CUSTOMIZABLE = range(17, 24)
NO_RANK = 24
"""The rank of an unknown card."""

COLOURED_RANKS = (
    *(str(number) for number in range(10)),
    "skip", "reverse", "draw-two", "hit-1", "hit-2", "discard-all", "trade-hands",
)  # fmt: skip
WILD_RANKS = (
    "wild", "wild-draw-four", "wild-hit-4", "wild-all-hit", "wild-hit-fire", "wild-attack-attack", "wild-customizable",
)  # fmt: skip
RANKS = (*COLOURED_RANKS, *WILD_RANKS)
"""Names of the ranks by number: 0 to 9, then as the constants above."""

UNKNOWN = 0
FIRST_WILD = 1 + 4 * len(COLOURED_RANKS)
KINDS = FIRST_WILD + len(WILD_RANKS)
"""How many kinds there are, the unknown one included."""

COLOUR_OF: tuple[int, ...] = (
    NO_COLOUR,
    *(colour for colour in range(4) for _ in COLOURED_RANKS),
    *(NO_COLOUR for _ in WILD_RANKS),
)
RANK_OF: tuple[int, ...] = (
    NO_RANK,
    *(rank for _ in range(4) for rank in range(len(COLOURED_RANKS))),
    *range(WILD, WILD + len(WILD_RANKS)),
)
NAME_OF: tuple[str, ...] = (
    "?",
    *(f"{colour} {rank}" for colour in COLOURS for rank in COLOURED_RANKS),
    *WILD_RANKS,
)
KIND_OF: dict[str, int] = {name: kind for kind, name in enumerate(NAME_OF)}

_RANK_POINTS = {DISCARD_ALL: 30, TRADE_HANDS: 30, WILD_HIT_4: 40}


def _points(rank: int) -> int:
    if rank < SKIP:
        return rank
    if rank == NO_RANK:
        return 0
    return _RANK_POINTS.get(rank, 20 if rank < WILD else 50)


POINTS_OF: tuple[int, ...] = tuple(_points(rank) for rank in RANK_OF)
"""What a card costs in a hand at the end of a round (rules §1)."""


class CardError(ValueError):
    """A text that names no card; says which one was probably meant."""


def kind(colour: int, rank: int) -> int:
    """The kind of a coloured card of `rank` (0 to 16), or of the wild of `rank`, whatever the colour."""
    return FIRST_WILD + rank - WILD if rank >= WILD else 1 + colour * len(COLOURED_RANKS) + rank


def parse_card(text: str) -> int:
    """The kind a name says: `red 5`, `blue skip`, `wild-hit-fire`, `?`. Raises `CardError`."""
    name = " ".join(text.split()).lower()
    found = KIND_OF.get(name)
    if found is None:
        near = get_close_matches(name, KIND_OF, n=1)
        meant = f", did you mean '{near[0]}'?" if near else ": a card is written 'red 5', 'blue skip' or 'wild'"
        raise CardError(f"there is no card '{text}'{meant}")
    return found


def parse_colour(text: str) -> int:
    """The number of a colour's name. Raises `CardError`."""
    if text not in COLOURS:
        raise CardError(f"there is no colour '{text}': it is one of {', '.join(COLOURS)}")
    return COLOURS.index(text)


def names(cards: Iterable[int]) -> list[str]:
    """The names of `cards`, in their order."""
    return [NAME_OF[card] for card in cards]


def points(cards: Iterable[int]) -> int:
    """The points of all `cards` together."""
    return sum([POINTS_OF[card] for card in cards])
