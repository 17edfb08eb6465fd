"""Counting at one beam: blocks against the card's time, doubles, flicker, jams."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.counter import BeamCounter, CardTime
from hardware.ports import Certainty

CARD = 0.043


def passing(*blocks: tuple[float, float]) -> BeamCounter:
    """A counter that saw these blocks: (from, until)."""
    counter = BeamCounter(CardTime(43))
    for start, end in blocks:
        counter.block(start)
        counter.clear(end)
    return counter


def learned(card: float, blocks: int = 40, calibrated: float = CARD) -> CardTime:
    """The time of a card at a machine whose cards take `card`, evenly 5 % more or less, after so many of them."""
    time = CardTime(calibrated * 1000)
    for block in range(blocks):
        time.saw(card * (0.95 + 0.1 * (block * 17 % blocks) / (blocks - 1)))
    return time


@pytest.mark.parametrize(
    ("share", "cards", "certainty"),
    [
        (0.29, 0, Certainty.EXACT),
        (0.31, 1, Certainty.UNKNOWN),
        (0.69, 1, Certainty.UNKNOWN),
        (0.71, 1, Certainty.EXACT),
        (1.05, 1, Certainty.EXACT),
        (1.07, 1, Certainty.AT_LEAST),
        (1.20, 1, Certainty.AT_LEAST),
        (1.22, 2, Certainty.EXACT),
        (2.09, 2, Certainty.EXACT),
        (2.11, 2, Certainty.UNKNOWN),
        (3.0, 3, Certainty.UNKNOWN),
    ],
)
def test_blocked_time_against_the_calibrated_time(share: float, cards: int, certainty: Certainty) -> None:
    assert CardTime(43).judge(share * CARD) == (cards, certainty)


@pytest.mark.parametrize("drift", [0.8, 0.9, 1.0, 1.1, 1.2])
@pytest.mark.parametrize(
    ("share", "cards", "certainty"),
    [
        (0.71, 1, Certainty.EXACT),
        (1.05, 1, Certainty.EXACT),
        (1.0925, 2, Certainty.EXACT),  # two that overlap by 85 %, 5 % faster than most
        (1.995, 2, Certainty.EXACT),  # two that overlap by 10 %, 5 % slower
    ],
)
def test_blocked_time_against_the_time_the_cards_have_shown(
    drift: float, share: float, cards: int, certainty: Certainty
) -> None:
    time = learned(CARD * drift)
    assert time.seconds == pytest.approx(CARD * drift, rel=0.005)
    assert time.judge(share * CARD * drift) == (cards, certainty)


def test_a_few_cards_are_not_believed_against_the_calibration() -> None:
    time = learned(CARD * 1.1, blocks=7)
    assert time.seconds == CARD
    time.saw(CARD * 1.1)
    assert time.seconds == pytest.approx(CARD * 1.1, rel=0.01)


@pytest.mark.parametrize("drift", [0.55, 1.45])
def test_a_machine_far_from_its_calibration_is_counted_and_never_surely(drift: float) -> None:
    time = learned(CARD * drift)
    assert not time.known
    assert time.judge(CARD * drift) == (1, Certainty.UNKNOWN)


def test_cards_of_every_time_are_never_counted_surely() -> None:
    time = CardTime(43)
    for block in range(40):
        time.saw(CARD * (0.6 + 0.03 * block))
    for share in (0.8, 1.0, 1.2):
        assert time.judge(share * CARD)[1] is not Certainty.EXACT


def test_where_cards_differ_more_than_thought_what_may_be_a_pair_is_not_sure() -> None:
    time = CardTime(43)
    for block in range(40):
        time.saw(CARD * (0.9 + 0.2 * block / 39))
    assert time.judge(CARD) == (1, Certainty.EXACT)
    assert time.judge(1.08 * CARD) == (1, Certainty.AT_LEAST)
    assert time.judge(1.2 * CARD) == (2, Certainty.EXACT)


def test_pairs_now_and_then_do_not_change_the_time_of_a_card() -> None:
    time = learned(CARD)
    for _ in range(8):  # a fifth of all
        time.saw(CARD * 1.6)
    assert time.seconds == pytest.approx(CARD, rel=0.01)
    assert time.known


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


@pytest.mark.parametrize("gap", [0.004, 0.010, 0.020])
def test_pieces_too_short_for_cards_that_make_one_together_are_one(gap: float) -> None:
    first = 0.9 * (CARD - gap) / 2
    counter = passing((1.0, 1.0 + first), (1.0 + first + gap, 1.0 + CARD), (1.1, 1.1 + CARD))
    assert (counter.cards, counter.certainty) == (2, Certainty.EXACT)


def test_pieces_that_make_more_than_one_card_are_not_sure() -> None:
    counter = passing((1.0, 1.030), (1.035, 1.065))
    assert counter.certainty is Certainty.UNKNOWN


def test_a_shot_of_slow_cards_that_look_like_pairs_is_doubted() -> None:
    counter = passing((1.0, 1.070), (1.1, 1.171), (1.2, 1.269))
    assert counter.certainty is Certainty.UNKNOWN
    unlike = passing((1.0, 1.060), (1.1, 1.178))
    assert (unlike.cards, unlike.certainty) == (4, Certainty.EXACT)


def test_a_spike_is_no_card() -> None:
    counter = passing((1.0, 1.001), (1.1, 1.143))
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_a_card_that_looked_out_and_was_pulled_back_is_not_counted_but_doubted() -> None:
    counter = passing((1.0, 1.043))
    counter.block(1.1)
    counter.clear(1.11, backwards=True)
    assert (counter.cards, counter.certainty) == (1, Certainty.AT_LEAST)


def test_a_whole_card_that_passed_while_pulling_back_is_counted() -> None:
    counter = BeamCounter(CardTime(43))
    counter.block(1.0)
    counter.clear(1.043, backwards=True)
    assert (counter.cards, counter.certainty) == (1, Certainty.AT_LEAST)


@pytest.mark.parametrize(("backwards", "cards"), [(True, 0), (False, 1)])
def test_a_stuck_card_is_one_at_most_however_long_it_was_there(backwards: bool, cards: int) -> None:
    counter = BeamCounter(CardTime(43))
    counter.block(1.0)
    counter.stuck()
    counter.clear(2.0, backwards=backwards)
    assert (counter.cards, counter.certainty) == (cards, Certainty.AT_LEAST)
    counter.block(3.0)
    counter.clear(3.043)
    assert counter.cards == cards + 1


def test_repeated_edges_change_nothing() -> None:
    counter = BeamCounter(CardTime(43))
    counter.clear(1.0)
    counter.block(2.0)
    counter.block(2.01)
    counter.clear(2.043)
    counter.clear(2.05)
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_certainty_only_falls() -> None:
    counter = BeamCounter(CardTime(43))
    counter.doubt(Certainty.UNKNOWN)
    counter.doubt(Certainty.AT_LEAST)
    assert counter.certainty is Certainty.UNKNOWN


@given(st.integers(0, 20), st.integers(0, 2**32))
def test_singles_and_doubles_with_jitter_are_counted_exactly(singles: int, seed: int) -> None:
    chance, at, truth = Random(seed), 1.0, 0
    counter = BeamCounter(learned(CARD))
    for _ in range(singles):
        time = CARD * chance.uniform(0.95, 1.05)
        truth += 1
        if chance.random() < 0.05:
            time *= 2 - chance.uniform(0.1, 0.85)
            truth += 1
        counter.block(at)
        counter.clear(at + time)
        at += time + chance.uniform(0.010, 0.080)
    # Several pairs in one shot that are alike, and no card alone before them, are doubted.
    assert counter.cards == truth
    assert counter.certainty is Certainty.EXACT or counter._pairs


GAP = 25 / 87


def through(*passes: tuple[float, float, float], backwards: bool = False) -> BeamCounter:
    """Two beams that saw things of so many cards' length pass: (from, length, time of one card)."""
    counter = BeamCounter(CardTime(43), gap=GAP)
    edges: list[tuple[float, Callable[[float], None]]] = []
    for at, length, card in passes:
        lag = card * GAP
        edges += [(at, counter.block), (at + lag, counter.block2)]
        edges += [(at + length * card, lambda now: counter.clear(now, backwards))]
        edges += [(at + length * card + lag, counter.clear2)]
    for at, edge in sorted(edges, key=lambda each: each[0]):
        edge(at)
    return counter


@pytest.mark.parametrize("card", [0.5 * CARD, CARD, 1.7 * CARD, 3 * CARD])
@pytest.mark.parametrize(("length", "cards"), [(1.0, 1), (1.03, 2), (1.15, 2), (1.9, 2)])
def test_two_beams_measure_lengths_whatever_the_speed(card: float, length: float, cards: int) -> None:
    counter = through((1.0, length, card), (1.0 + 2.2 * card, 1.0, card))
    assert (counter.cards, counter.certainty) == (cards + 1, Certainty.EXACT)


def test_a_card_right_behind_another_is_one_more_though_the_second_beam_still_sees_the_first() -> None:
    counter = through((1.0, 1.0, CARD), (1.0 + 1.1 * CARD, 1.0, CARD))
    assert (counter.cards, counter.certainty) == (2, Certainty.EXACT)


def test_two_beams_see_that_a_card_was_pulled_back_or_was_not() -> None:
    out = through((1.0, 1.0, CARD), backwards=True)
    assert (out.cards, out.certainty) == (1, Certainty.EXACT)
    short = BeamCounter(CardTime(43), gap=GAP)  # in the first beam only
    short.block(1.0)
    short.clear(1.01, backwards=True)
    assert (short.cards, short.certainty) == (0, Certainty.EXACT)
    back = BeamCounter(CardTime(43), gap=GAP)  # in both, and out of the second one first
    back.block(1.0)
    back.block2(1.012)
    back.clear2(1.02)
    back.clear(1.03, backwards=True)
    assert (back.cards, back.certainty) == (0, Certainty.EXACT)


def test_a_flicker_at_either_of_two_beams_makes_no_card() -> None:
    counter = BeamCounter(CardTime(43), gap=GAP)
    for at, edge in (
        (1.0, counter.block),
        (1.0124, counter.block2),
        (1.02, counter.clear),
        (1.022, counter.block),
        (1.03, counter.clear2),
        (1.031, counter.block2),
        (1.043, counter.clear),
        (1.0554, counter.clear2),
    ):
        edge(at)
    assert (counter.cards, counter.certainty) == (1, Certainty.EXACT)


def test_a_second_beam_that_sees_nothing_makes_the_count_unknown() -> None:
    counter = BeamCounter(CardTime(43), gap=GAP)
    counter.block(1.0)
    counter.clear(1.043)
    assert (counter.cards, counter.certainty) == (1, Certainty.UNKNOWN)


def test_three_cards_in_a_row_are_two_beams_long_enough_to_say_at_least() -> None:
    counter = through((1.0, 2.6, CARD))
    assert (counter.cards, counter.certainty) == (3, Certainty.AT_LEAST)
