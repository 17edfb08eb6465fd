"""The statistics against printed tables, against plain counting, and against themselves."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.odds.statistics import (
    LEAST_EXPECTED,
    Z,
    chi_square,
    chi_square_of_trials,
    chi_square_tail,
    least_trials,
    normal_tails,
    pooled,
    wilson,
)


# Upper points of chi-square by (degrees, per cent), from a printed table.
@pytest.mark.parametrize(("value", "degrees", "tail"), [
    (3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (7.815, 3, 0.05), (9.488, 4, 0.05), (13.277, 4, 0.01),
    (11.070, 5, 0.05), (18.307, 10, 0.05), (24.996, 15, 0.05), (43.773, 30, 0.05), (67.505, 50, 0.05),
    (2.706, 1, 0.10), (0.584, 3, 0.90), (3.940, 10, 0.95),
])  # fmt: skip
def test_chi_square_as_printed(value: float, degrees: int, tail: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(tail, rel=0.002)


@given(st.floats(0.01, 60), st.integers(1, 40))
def test_chi_square_is_the_integral_of_its_density(value: float, degrees: int) -> None:
    # Its slope, by a difference, is the density that stands in every book.
    step = 1e-4 * value
    slope = (chi_square_tail(value - step, degrees) - chi_square_tail(value + step, degrees)) / (2 * step)
    log = (degrees / 2 - 1) * math.log(value) - value / 2 - degrees / 2 * math.log(2) - math.lgamma(degrees / 2)
    assert slope == pytest.approx(math.exp(log), rel=1e-4, abs=1e-9)
    assert 0 <= chi_square_tail(value, degrees) <= 1


@pytest.mark.parametrize(("hits", "of", "low", "high"), [
    (0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0),
    (40, 100, 0.3094, 0.4980), (0, 0, 0.0, 1.0),
])  # fmt: skip
def test_wilson_as_published(hits: int, of: int, low: float, high: float) -> None:
    assert list(wilson(hits, of)) == pytest.approx([low, high], abs=5e-4)


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilsons_bounds_are_where_the_score_test_just_refuses(trial: tuple[int, int]) -> None:
    hits, of = trial
    low, high = wilson(hits, of)
    assert 0 <= low <= hits / of <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1:
            assert abs(hits / of - bound) / math.sqrt(bound * (1 - bound) / of) == pytest.approx(Z)


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_wilson_holds_the_truth_as_often_as_it_says(share: float) -> None:
    of = 200  # exactly: every outcome with its probability
    holds = sum(
        math.comb(of, hits) * share**hits * (1 - share) ** (of - hits)
        for hits in range(of + 1)
        if wilson(hits, of)[0] <= share <= wilson(hits, of)[1]
    )
    assert holds == pytest.approx(0.95, abs=0.02)


@given(st.floats(-5, 5))
def test_the_tails_of_a_normal_figure(z: float) -> None:
    assert normal_tails(z) == pytest.approx(2 * NormalDist().cdf(-abs(z)), abs=1e-12)


@given(st.lists(st.tuples(st.floats(0, 20), st.integers(0, 20)), max_size=20))
def test_classes_are_pooled_until_enough_is_expected_and_nothing_is_lost(classes: list[tuple[float, int]]) -> None:
    expected, seen = [one for one, _ in classes], [other for _, other in classes]
    made = pooled(expected, seen)
    assert all(hoped >= LEAST_EXPECTED for hoped, _ in made)
    if made:
        assert sum(hoped for hoped, _ in made) == pytest.approx(sum(expected))
        assert sum(found for _, found in made) == sum(seen)
    else:
        assert sum(expected) < LEAST_EXPECTED * (1 + 1e-9)


def test_chi_square_of_a_die() -> None:
    value, degrees, chance = chi_square([10.0] * 6, [5, 8, 9, 8, 10, 20]) or (0, 0, 0)  # a well-known example: 13.4
    assert degrees == 5
    assert [value, chance] == pytest.approx([13.4, 0.0199], abs=1e-4)
    assert chi_square([6.0], [6]) is None
    assert chi_square([4.9, 4.9], [5, 5]) is None


def test_chi_square_of_trials_pools_until_enough_hits_and_misses_are_expected() -> None:
    value, degrees, chance = chi_square_of_trials([(20, 0.5, 14), (4, 0.5, 1), (8, 1.0, 8)]) or (0, 0, 0)
    assert degrees == 1, "what is too little is judged with the class before it"
    assert value == pytest.approx((14 + 1 + 8 - 20) ** 2 / (24 * 0.25))
    assert chance == pytest.approx(chi_square_tail(value, 1))
    assert chi_square_of_trials([(100, 1.0, 90)]) is None, "nothing is left to chance there"


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=8))
def test_as_many_trials_as_it_says_are_enough_for_two_classes(weights: list[float]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    least = least_trials(shares)
    assert least is not None

    def best(trials: int) -> float:
        return max(min(sum(shares[:cut]), sum(shares[cut:])) * trials for cut in range(1, len(shares)))

    assert best(least) >= LEAST_EXPECTED * (1 - 1e-9)
    assert best(least - 1) < LEAST_EXPECTED * (1 + 1e-9)
    assert least_trials([1.0]) is None
