"""Counting at one beam: blocks against the card's time, doubles, flicker, jams."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.counter import BeamCounter, cards_in
from hardware.ports import Certainty

CARD = 0.043


def passing(*blocks: tuple[float, float]) -> BeamCounter:
    """A counter that saw these blocks: (from, until)."""
    counter = BeamCounter(CARD * 1000)
    for start, end in blocks:
        counter.block(start)
        counter.clear(end)
    return counter


@pytest.mark.parametrize(
    ("share", "cards", "certainty"),
    [
        (0.29, 0, Certainty.EXACT),
        (0.31, 1, Certainty.UNKNOWN),
        (0.69, 1, Certainty.UNKNOWN),
        (0.71, 1, Certainty.EXACT),
        (1.0, 1, Certainty.EXACT),
        (1.06, 1, Certainty.EXACT),
        (1.08, 2, Certainty.EXACT),
        (2.09, 2, Certainty.EXACT),
        (2.11, 2, Certainty.AT_LEAST),
        (3.0, 3, Certainty.AT_LEAST),
    ],
)
def test_blocked_time_against_card_time(share: float, cards: int, certainty: Certainty) -> None:
    assert cards_in(share * CARD, CARD) == (cards, certainty)


def test_three_cards_one_after_the_other() -> None:
    counter = passing((1.0, 1.043), (1.1, 1.145), (1.2, 1.241))
    assert (counter.cards, counter.certainty) == (3, Certainty.EXACT)
    assert counter.blocked_since is None
    assert counter.last_change == 1.241


def test_overlapping_cards_make_one_long_block() -> None:
    counter = passing((1.0, 1.043), (1.1, 1.1 + 1.5 * CARD))
    assert (counter.cards, counter.certainty) == (3, Certainty.EXACT)


def test_a_flicker_inside_a_card_does_not_make_two() -> None:
    counter = passing((1.0, 1.020), (1.0215, 1.030), (1.0311, 1.043))
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_a_spike_is_no_card() -> None:
    counter = passing((1.0, 1.001), (1.1, 1.143))
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_a_card_that_looked_out_and_was_pulled_back_is_not_counted_but_doubted() -> None:
    counter = passing((1.0, 1.043))
    counter.block(1.1)
    counter.clear(1.11, backwards=True)
    assert (counter.cards, counter.certainty) == (1, Certainty.AT_LEAST)


def test_a_whole_card_that_passed_while_pulling_back_is_counted() -> None:
    counter = BeamCounter(43)
    counter.block(1.0)
    counter.clear(1.043, backwards=True)
    assert (counter.cards, counter.certainty) == (1, Certainty.AT_LEAST)


@pytest.mark.parametrize(("backwards", "cards"), [(True, 0), (False, 1)])
def test_a_stuck_card_is_one_at_most_however_long_it_was_there(backwards: bool, cards: int) -> None:
    counter = BeamCounter(43)
    counter.block(1.0)
    counter.stuck()
    counter.clear(2.0, backwards=backwards)
    assert (counter.cards, counter.certainty) == (cards, Certainty.AT_LEAST)
    counter.block(3.0)
    counter.clear(3.043)
    assert counter.cards == cards + 1


def test_repeated_edges_change_nothing() -> None:
    counter = BeamCounter(43)
    counter.clear(1.0)
    counter.block(2.0)
    counter.block(2.01)
    counter.clear(2.043)
    counter.clear(2.05)
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_certainty_only_falls() -> None:
    counter = BeamCounter(43)
    counter.doubt(Certainty.UNKNOWN)
    counter.doubt(Certainty.AT_LEAST)
    assert counter.certainty is Certainty.UNKNOWN


@given(st.integers(0, 20), st.integers(0, 2**32))
def test_singles_and_doubles_with_jitter_are_counted_exactly(singles: int, seed: int) -> None:
    chance, at, truth, blocks = Random(seed), 1.0, 0, []
    for _ in range(singles):
        time = CARD * chance.uniform(0.95, 1.05)
        truth += 1
        if chance.random() < 0.2:
            time *= 2 - chance.uniform(0.1, 0.85)
            truth += 1
        blocks.append((at, at + time))
        at += time + chance.uniform(0.010, 0.080)
    counter = passing(*blocks)
    assert (counter.cards, counter.certainty) == (truth, Certainty.EXACT)
