"""Dealing by the launcher, as a pure machine: what is ordered, who has what, and that it always comes to an end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import dealing
from controller.dealing import MOST_EACH, MOST_IN_A_SHOT, TRIES, Deal, NotNow, Step
from hardware.ports import Certainty, ShotEnd

EXACT, AT_LEAST, UNKNOWN = Certainty.EXACT, Certainty.AT_LEAST, Certainty.UNKNOWN
DONE, JAMMED = ShotEnd.DONE, ShotEnd.JAMMED


def deal(*names: str, want: int = 7) -> Deal:
    return dealing.begin(names or ("Ann", "Bo"), want)


def shot(state: Deal, cards: int, certainty: Certainty = EXACT, end: ShotEnd = DONE) -> Deal:
    return dealing.ended(state, cards, certainty, end)


def test_every_seat_gets_its_cards_with_one_shot_each() -> None:
    state = dealing.go(deal())
    assert (state.step, state.order, state.seat) == (Step.FIRING, 7, 0)
    state = shot(state, 7)
    assert (state.step, state.seat, state.hands) == (Step.READY, 1, (7, 0))
    state = shot(dealing.go(state), 7)
    assert (state.step, state.hands, state.back, state.shots) == (Step.DONE, (7, 7), 0, 2)


def test_too_few_bring_another_shot_for_the_rest() -> None:
    state = shot(dealing.go(deal()), 5)
    assert (state.step, state.order, state.hands) == (Step.FIRING, 2, (5, 0))
    assert shot(state, 2).seat == 1


def test_nothing_comes_and_after_three_shots_a_person_counts() -> None:
    state = dealing.go(deal())
    for _ in range(TRIES):
        assert state.step is Step.FIRING
        state = shot(state, 1)
    assert (state.step, state.hands[0], state.shots) == (Step.COUNT, 3, 3)
    state = dealing.said(state, 3)
    assert state.step is Step.READY
    assert dealing.go(state).order == 4


def test_too_many_go_on_to_the_next_seat_and_from_the_last_one_back() -> None:
    state = shot(dealing.go(deal()), 9)
    assert (state.step, state.seat, state.hands, state.passed) == (Step.READY, 1, (7, 2), 2)
    state = dealing.go(state)
    assert state.order == 5
    state = shot(state, 6)
    assert (state.step, state.hands, state.back) == (Step.DONE, (7, 7), 1)


def test_a_seat_that_has_enough_from_others_is_told_so_and_not_fired_at() -> None:
    state = shot(dealing.go(deal("Ann", "Bo", "Cy", want=2)), 5)
    assert (state.seat, state.hands, state.missing, state.step) == (1, (2, 3, 0), 0, Step.READY)
    state = dealing.go(state)
    assert (state.seat, state.hands, state.step, state.passed) == (2, (2, 2, 1), Step.READY, 1)
    assert state.shots == 1


def test_an_unsure_count_is_settled_by_a_person() -> None:
    state = shot(dealing.go(deal()), 7, AT_LEAST)
    assert state.step is Step.COUNT
    with pytest.raises(NotNow, match="first count the hand"):
        dealing.go(state)
    assert dealing.said(state, 7).seat == 1
    assert dealing.said(state, 8).passed == 1
    assert dealing.go(dealing.said(state, 5)).order == 2


def test_a_jam_waits_for_a_person_and_the_rest_is_shot_then() -> None:
    state = shot(dealing.go(deal()), 3, end=JAMMED)
    assert (state.step, state.hands) == (Step.TROUBLE, (3, 0))
    assert dealing.go(state).order == 4
    assert dealing.skip(state).seat == 1
    assert shot(dealing.go(deal()), 7, end=JAMMED).seat == 1, "they came all the same"


def test_a_shot_that_was_never_made_is_none() -> None:
    state = dealing.denied(dealing.go(deal()))
    assert (state.step, state.shots, state.hands) == (Step.TROUBLE, 0, (0, 0))


def test_a_cut_in_a_shot_asks_for_a_count_and_elsewhere_changes_nothing() -> None:
    assert dealing.lost(dealing.go(deal())).step is Step.COUNT
    assert dealing.lost(deal()) == deal()


@pytest.mark.parametrize(
    ("names", "want"), [((), 7), (("Ann",), 0), (("Ann",), -1), (("Ann",), MOST_EACH + 1)], ids=str
)
def test_what_cannot_be_dealt_is_refused(names: tuple[str, ...], want: int) -> None:
    with pytest.raises(ValueError, match=r"nobody sits|a hand has"):
        dealing.begin(names, want)


def test_the_bounds_of_what_is_said() -> None:
    state = deal()
    for cards in (-1, MOST_EACH + 1):
        with pytest.raises(ValueError, match="a hand has 0 to 60 cards"):
            dealing.said(state, cards)
    assert dealing.said(state, 0).hands == (0, 0)
    assert dealing.said(state, MOST_EACH).passed == MOST_EACH - 7


def test_nothing_is_taken_in_while_a_shot_is_under_way_but_its_end() -> None:
    state = dealing.go(deal())
    for act in (dealing.go, dealing.skip, lambda state: dealing.said(state, 3)):
        with pytest.raises(NotNow, match="wait for the shot"):
            act(state)
    with pytest.raises(NotNow):
        shot(deal(), 3)
    with pytest.raises(NotNow):
        dealing.denied(deal())


@settings(max_examples=60)
@given(st.data())
def test_it_ends_with_everybody_served_and_no_card_unaccounted_for(data: st.DataObject) -> None:
    """Any shots and any answers: every seat ends with what was wanted or as a person left it; shots are bounded."""
    names = data.draw(st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=6))
    want = data.draw(st.integers(1, 20))
    state = dealing.begin(names, want)
    came, goes, left, steps = 0, 0, set(), 0
    while state.step is not Step.DONE:
        steps += 1
        assert dealing.from_json(state.to_json()) == state
        assert sum(state.hands) + state.back == came
        before = state
        if state.step is Step.FIRING:
            assert 1 <= state.order <= min(MOST_IN_A_SHOT, want - state.hands[state.seat])
            if data.draw(st.integers(0, 9)) == 0:
                state = dealing.denied(state)
            else:
                cards = max(0, state.order + data.draw(st.integers(-state.order, 3)))
                certainty = data.draw(st.sampled_from((EXACT, EXACT, EXACT, AT_LEAST, UNKNOWN)))
                end = data.draw(st.sampled_from((DONE, DONE, DONE, *ShotEnd)))
                state, came = shot(state, cards, certainty, end), came + cards
            assert state.shots <= goes * TRIES
        elif data.draw(st.integers(0, 9)) == 0 or steps > 200:  # patience has an end
            left.add(state.seat)
            state = dealing.skip(state)
        elif state.step is Step.COUNT or (data.draw(st.booleans()) and state.step is Step.TROUBLE):
            told = data.draw(st.integers(0, want + 4))
            came += told - state.hands[state.seat]
            state = dealing.said(state, told)
        else:
            goes += 1
            state = dealing.go(state)
        assert state.seat >= before.seat
        assert state.order == 0 or state.step is Step.FIRING
    assert sum(state.hands) + state.back == came
    for seat, hand in enumerate(state.hands):
        assert hand == want or seat in left
    with pytest.raises(NotNow, match="the deal is done"):
        dealing.go(state)
