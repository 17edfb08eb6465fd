"""The profiles that come with the program, and a profile by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from controller.odds.errors import OddsError
from controller.odds.profiles import OddsProfile
from controller.odds.rhythms import FixedList, Hazard
from controller.odds.sizes import Sizes

MOST_CARDS = 20  # of one fire: more are not out within the longest time a motor may run in one shot
FIXED = "fixed-N"

_MEASURED_DICE = ((1, 3), (0, 3), (0, 3))
_MEASURED_SIZES = Sizes.dice(*_MEASURED_DICE)

# fmt: off
_ORIGINAL_FIRES = (
    2, 6, 9, 13, 17, 21, 24, 26, 27, 29, 32, 36, 37, 41, 44, 47, 48, 51, 54, 57, 58, 62, 66, 69, 72, 73, 77, 81, 84, 85,
    88, 92, 93, 96,
)
# fmt: on

# Counts published by owners of the toy, not ours: 800 presses on a unit of 2015 for `measured` (fires by press since
# the last fire; cards fitted by sums of even draws), one source's fixed list for `original`.
MEASURED = OddsProfile(
    name="measured",
    summary="as counted on a real launcher",
    rhythm=Hazard((0.18, 0.50, 0.59, 0.55, 1.0)),
    sizes=(*[_MEASURED_SIZES] * 4, Sizes.dice(*_MEASURED_DICE, (0, 5))),
)
ORIGINAL = OddsProfile(
    name="original",
    summary="the fixed list the toy is said to follow from switching on or closing the lid",
    rhythm=FixedList(_ORIGINAL_FIRES, period=96),
    sizes=(Sizes.dice((3, 8)),),
)
# The others are made here, for the fun of it; their cards are the measured ones but for what their summary says.
ASCENDING = OddsProfile(
    name="ascending",
    summary="fires on a press drawn evenly from 1 to 5, with sound and light rising towards it",
    rhythm=Hazard((1 / 5, 1 / 4, 1 / 3, 1 / 2, 1.0)),
    sizes=(_MEASURED_SIZES,),
    rising=True,
)
EXTREME = OddsProfile(
    name="extreme",
    summary="no press knows of the one before, every tenth keeps its secret longer, one fire in a hundred is of 20",
    rhythm=Hazard((0.30,)),
    sizes=(_MEASURED_SIZES.with_one_in(100, MOST_CARDS),),
    pauses=0.10,
)
GENTLE = OddsProfile(
    name="gentle",
    summary="for small hands: as measured, but what would be more than 4 cards is drawn again",
    rhythm=MEASURED.rhythm,
    sizes=tuple(sizes.at_most(4) for sizes in MEASURED.sizes),
)
PROFILES: Mapping[str, OddsProfile] = {each.name: each for each in (MEASURED, ORIGINAL, ASCENDING, EXTREME, GENTLE)}
DEFAULT_PROFILE = MEASURED.name


def fixed(cards: int) -> OddsProfile:
    """Every press brings so many cards. Raises `OddsError` beyond 1 to `MOST_CARDS`."""
    if not 1 <= cards <= MOST_CARDS:
        raise OddsError(
            f"fixed-{cards}: a press brings 1 to {MOST_CARDS} cards, so write fixed-1 to fixed-{MOST_CARDS}"
        )
    summary = f"for dealing: every press brings {cards} card{'s' if cards > 1 else ''}"
    return OddsProfile(f"fixed-{cards}", summary, Hazard((1.0,)), (Sizes((cards,), (1,)),))


def profile(name: str, own: Mapping[str, OddsProfile] | None = None) -> OddsProfile:
    """The profile called `name`, of the known ones or one's `own`.

    Raises `OddsError`, with what may have been meant, for a name that is none.
    """
    number = re.fullmatch(r"fixed-(\d{1,4})", name)
    if number:
        return fixed(int(number[1]))
    known = {**(own or {}), **PROFILES}
    found = known.get(name)
    if found is None:
        near = get_close_matches(name, (*known, "fixed-7"), n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise OddsError(f"unknown odds profile {name!r}: {hint}: {', '.join((*PROFILES, FIXED, *(own or {})))}")
    return found
