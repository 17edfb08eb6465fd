"""The counter against the simulated machine's truth, over many shots: as good as it must be, at one beam and at two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.ports import Certainty, ShotEnd
from tests.hardware.scoring import SCORED, Score, Stand, Tally, grid, score


def check(found: Score) -> None:
    """What is asked for: at least 97 % exact, none wrong and called exact, and no jam where none was."""
    assert found.plain.exact_share >= 0.97
    assert found.plain.wrong == 0
    assert found.plain.false_least == 0
    assert found.jams == 0


@pytest.mark.parametrize("beams", [1, 2])
def test_pairs_and_jitter_are_counted_and_what_is_called_exact_is(beams: int) -> None:
    found = score(500, beams=beams)
    check(found)
    assert found.apart.shots > 10  # closer pairs did come, and are counted apart


@pytest.mark.slow
@pytest.mark.parametrize("beams", [1, 2])
def test_ten_thousand_shots_are_counted_and_what_is_called_exact_is(beams: int) -> None:
    check(score(10_000, beams=beams))


def test_two_beams_see_more_of_the_close_pairs() -> None:
    one, two = (score(800, replace(SCORED, overlap=(0.86, 1.0)), beams).apart for beams in (1, 2))
    assert min(one.shots, two.shots) > 150
    assert two.exact_share > one.exact_share + 0.1
    assert two.wrong_share < one.wrong_share / 2


@pytest.mark.parametrize("beams", [1, 2])
def test_cells_that_run_down_do_not_spoil_the_count(beams: int) -> None:
    found = score(300, beams=beams, cells=lambda shot: 1 - 0.2 * shot / 300)
    check(found)


def test_cells_that_drop_at_once_are_noticed_by_one_beam_and_no_matter_for_two() -> None:
    one, two = (score(300, beams=beams, cells=lambda shot: 1 if shot < 100 else 0.8).plain for beams in (1, 2))
    assert one.wrong <= 3  # the first shots, before anybody can know
    assert one.exact_share > 0.9
    assert (two.exact, two.wrong) == (two.shots, 0)


def test_cards_that_differ_more_than_usual_make_one_beam_careful() -> None:
    found = score(300, replace(SCORED, card_jitter=0.1)).plain
    assert found.wrong_share < 0.01


def test_without_pairs_or_jitter_every_shot_is_exact() -> None:
    even = replace(SCORED, double_share=0.0, card_jitter=0.0)
    for beams in (1, 2):
        found = score(100, even, beams).plain
        assert (found.exact, found.shots) == (100, 100)


def test_a_stand_that_jams_says_so() -> None:
    stand = Stand(SCORED, 1, seed=1)
    stand.machine.faults.jam = "hard"
    truth, cards, _, end = stand.shoot(3)
    assert (truth, cards, end) == (0, 0, ShotEnd.JAMMED)


def test_a_tally_tells_right_from_wrong() -> None:
    tally = Tally()
    tally.add(3, 3, Certainty.EXACT)
    tally.add(3, 4, Certainty.EXACT)
    tally.add(3, 4, Certainty.AT_LEAST)
    tally.add(3, 2, Certainty.AT_LEAST)
    tally.add(3, 9, Certainty.UNKNOWN)
    assert (tally.shots, tally.exact, tally.wrong, tally.false_least) == (5, 1, 1, 1)
    assert (tally.exact_share, tally.wrong_share) == (0.2, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("beams", [1, 2])
def test_no_machine_of_the_grid_is_counted_badly(beams: int) -> None:
    for cell in grid():
        found = score(100, cell.physics, beams, settings=cell.settings).plain
        assert found.wrong_share <= 0.02, cell
        assert found.exact_share >= (0.8 if beams == 1 else 0.95), cell
