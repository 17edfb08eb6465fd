"""Counting a deck through the launcher, as a pure machine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import counting
from controller.counting import IN_A_SHOT, NotNow, Step
from hardware.ports import Certainty, ShotEnd

EXACT, AT_LEAST, UNKNOWN = Certainty.EXACT, Certainty.AT_LEAST, Certainty.UNKNOWN


def test_a_whole_deck_is_complete_when_nothing_more_comes() -> None:
    count = counting.begin(25)
    for cards in (10, 10, 5):
        count = counting.ended(count, cards, EXACT, ShotEnd.DONE)
        assert count.step is Step.FIRING
    count = counting.ended(count, 0, EXACT, ShotEnd.EMPTY)
    assert (count.step, count.counted, count.missing, count.complete) == (Step.DONE, 25, 0, True)


def test_a_missing_card_is_said_and_a_doubt_stays() -> None:
    count = counting.ended(counting.begin(12), 10, AT_LEAST, ShotEnd.DONE)
    count = counting.ended(count, 1, EXACT, ShotEnd.EMPTY)
    assert (count.missing, count.certainty, count.complete) == (1, AT_LEAST, False)
    count = counting.ended(counting.begin(10), 10, UNKNOWN, ShotEnd.EMPTY)
    assert (count.missing, count.complete) == (0, False)


def test_where_stuck_and_empty_cannot_be_told_apart_a_person_is_asked() -> None:
    count = counting.ended(counting.begin(12), 10, EXACT, ShotEnd.JAMMED)
    assert count.step is Step.TROUBLE
    assert counting.empty(count).missing == 2
    again = counting.ended(counting.go(count), 2, EXACT, ShotEnd.EMPTY)
    assert again.complete


@pytest.mark.parametrize("end", [ShotEnd.STOPPED, ShotEnd.VOID, ShotEnd.JAMMED])
def test_a_shot_that_broke_off_waits_for_a_person(end: ShotEnd) -> None:
    assert counting.ended(counting.begin(112), 3, EXACT, end).step is Step.TROUBLE


def test_a_shot_without_a_card_is_not_followed_by_another() -> None:
    assert counting.ended(counting.begin(112), 0, EXACT, ShotEnd.DONE).step is Step.TROUBLE


def test_more_than_the_deck_has_is_told() -> None:
    count = counting.ended(counting.begin(3), 5, EXACT, ShotEnd.EMPTY)
    assert (count.missing, count.complete) == (-2, False)


def test_what_does_not_go_with_the_step_is_refused() -> None:
    count = counting.begin(3)
    for act in (counting.go, counting.empty):
        with pytest.raises(NotNow):
            act(count)
    trouble = counting.denied(count)
    with pytest.raises(NotNow):
        counting.ended(trouble, 1, EXACT, ShotEnd.DONE)
    with pytest.raises(ValueError, match="at least one card"):
        counting.begin(0)


@settings(max_examples=60)
@given(st.integers(1, 120), st.lists(st.tuples(st.integers(0, 12), st.sampled_from(ShotEnd)), max_size=400))
def test_it_never_fires_on_and_on(deck: int, shots: list[tuple[int, ShotEnd]]) -> None:
    """Whatever the beam says (a flickering one says there is always one more), a person is asked in the end."""
    count = counting.begin(deck)
    came = 0
    for cards, end in [*shots, *[(1, ShotEnd.DONE)] * (deck + IN_A_SHOT + 1)]:
        if count.step is not Step.FIRING:
            break
        count, came = counting.ended(count, cards, EXACT, end), came + cards
        assert counting.from_json(count.to_json()) == count
    assert count.step is not Step.FIRING
    assert count.counted == came
    assert count.shots <= count.most_shots
