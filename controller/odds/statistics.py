"""The little statistics that judging a launcher takes, exact where a few lines of arithmetic allow it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

CONFIDENCE = 0.95  # of every interval that is told
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
LEAST_EXPECTED = 5.0  # of a class of chi-square; the usual rule for its approximation to hold


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Where a share lies that was seen as `hits` in `of` trials: Wilson's score interval. Nothing tried: anywhere."""
    if of == 0:
        return 0.0, 1.0
    share, spread = hits / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == of else middle + half)


def chi_square_tail(value: float, degrees: int) -> float:
    """How likely chi-square with so many degrees of freedom is `value` or more: a finite sum, not an approximation."""
    if degrees <= 0 or value <= 0:
        return 1.0
    half = value / 2
    if degrees % 2 == 0:
        tail = term = math.exp(-half)
        powers = [float(place) for place in range(1, degrees // 2)]
    else:
        tail = math.erfc(math.sqrt(half))
        term = 2 * math.exp(-half) * math.sqrt(half / math.pi)
        powers = [place + 0.5 for place in range(1, (degrees - 1) // 2)]
        tail += term if degrees > 1 else 0.0
    for power in powers:
        term *= half / power
        tail += term
    return min(1.0, tail)


def normal_tails(z: float) -> float:
    """How likely a normal figure is as far from its mean as `z` deviations, or farther, either way."""
    return math.erfc(abs(z) / math.sqrt(2))


def pooled(expected: Sequence[float], seen: Sequence[int]) -> list[tuple[float, int]]:
    """Classes for chi-square: neighbours together until at least `LEAST_EXPECTED` are expected in each."""
    classes: list[tuple[float, int]] = []
    hoped, found = 0.0, 0
    for one, other in zip(expected, seen, strict=True):
        hoped, found = hoped + one, found + other
        if hoped >= LEAST_EXPECTED:
            classes.append((hoped, found))
            hoped, found = 0.0, 0
    if classes:  # what is left over belongs to the last class
        classes[-1] = (classes[-1][0] + hoped, classes[-1][1] + found)
    return classes


def chi_square(expected: Sequence[float], seen: Sequence[int]) -> tuple[float, int, float] | None:
    """(chi-square, degrees of freedom, p-value) of what was seen; None where too little is expected to say."""
    classes = pooled(expected, seen)
    if len(classes) < 2:
        return None
    value = sum((found - hoped) ** 2 / hoped for hoped, found in classes)
    return value, len(classes) - 1, chi_square_tail(value, len(classes) - 1)


def chi_square_of_trials(trials: Sequence[tuple[int, float, int]]) -> tuple[float, int, float] | None:
    """The same for (how many trials, each one's chance, how many hit), class by class; neighbours are pooled alike."""
    pools: list[tuple[float, float, int]] = []
    tried, hoped, spread, found = 0, 0.0, 0.0, 0
    for of, chance, hits in trials:
        tried, found = tried + of, found + hits
        hoped, spread = hoped + of * chance, spread + of * chance * (1 - chance)
        if min(hoped, tried - hoped) >= LEAST_EXPECTED:
            pools.append((hoped, spread, found))
            tried, hoped, spread, found = 0, 0.0, 0.0, 0
    if not pools:
        return None
    pools[-1] = (pools[-1][0] + hoped, pools[-1][1] + spread, pools[-1][2] + found)
    value = sum((hits - mean) ** 2 / variance for mean, variance, hits in pools)
    return value, len(pools), chi_square_tail(value, len(pools))


def least_trials(shares: Sequence[float]) -> int | None:
    """How many trials `chi_square` needs at least; None: no number will do."""
    before, best = 0.0, 0.0
    for share in shares[:-1]:
        before += share
        best = max(best, min(before, 1 - before))
    return math.ceil(LEAST_EXPECTED / best) if best > 0 else None
