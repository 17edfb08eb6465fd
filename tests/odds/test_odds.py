"""Each odds profile against its published table, and the small state that makes it go on after a restart."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from controller.odds import (
    DEFAULT_PROFILE,
    MEASURED,
    ORIGINAL,
    PROFILES,
    FixedList,
    Hazard,
    Odds,
    OddsError,
    Sizes,
    profile,
)

# The published figures, written out again on purpose: a slip in the profile's data must not carry over into its test.
HAZARD = (0.18, 0.50, 0.59, 0.55, 1.0)
SHARE_OF_FIRES = (17.96, 40.87, 24.15, 9.29, 7.74)
ORIGINAL_LIST = "2 6 9 13 17 21 24 26 27 29 32 36 37 41 44 47 48 51 54 57 58 62 66 69 72 73 77 81 84 85 88 92 93 96"
ORIGINAL_FIRES = [int(press) for press in ORIGINAL_LIST.split()]
# Ways of U{1..3}+U{0..3}+U{0..3} to 1..9, of 48: (1+x+x²)(1+x+x²+x³)², multiplied out by hand.
WAYS = (1, 3, 6, 9, 10, 9, 6, 3, 1)

# Upper 0.1 % points of chi-square by degrees of freedom, from a printed table.
CHI_SQUARE_LIMIT = {1: 10.83, 4: 18.47, 5: 20.52, 8: 26.12, 13: 34.53}


def chi_square(counts: Sequence[int], shares: Sequence[float]) -> float:
    total = sum(counts)
    return sum((count - total * share) ** 2 / (total * share) for count, share in zip(counts, shares, strict=True))


def fires_by_press(odds: Odds, presses: int) -> list[tuple[int, int]]:
    """(which press since the last fire, cards) of each fire."""
    fires, since = [], 0
    for _ in range(presses):
        since += 1
        cards = odds.press()
        if cards:
            fires.append((since, cards))
            since = 0
    return fires


def test_measured_is_the_default() -> None:
    assert DEFAULT_PROFILE == "measured"
    assert profile("measured") is MEASURED


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_measured_fires_by_its_table(seed: int) -> None:
    fires = fires_by_press(Odds(MEASURED, random.Random(seed)), 100_000)
    counts = Counter(since for since, _ in fires)
    assert set(counts) == {1, 2, 3, 4, 5}
    # The counts of 800 presses are rounded to hundredths of a per cent, the hazards to hundredths: those bind here.
    left, shares = 1.0, []
    for hazard in HAZARD:
        shares.append(left * hazard)
        left *= 1 - hazard
    assert chi_square([counts[press] for press in range(1, 6)], shares) < CHI_SQUARE_LIMIT[4]


def test_measured_shares_are_the_published_ones() -> None:
    assert [100 * share for share in MEASURED.rhythm.shares] == pytest.approx(SHARE_OF_FIRES, abs=0.2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_measured_cards_of_the_first_four_presses(seed: int) -> None:
    fires = fires_by_press(Odds(MEASURED, random.Random(seed)), 100_000)
    for press in range(1, 5):
        cards = Counter(cards for since, cards in fires if since == press)
        assert set(cards) == set(range(1, 10))
        assert chi_square([cards[n] for n in range(1, 10)], [ways / 48 for ways in WAYS]) < CHI_SQUARE_LIMIT[8]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_measured_cards_of_the_fifth_press(seed: int) -> None:
    fires = fires_by_press(Odds(MEASURED, random.Random(seed)), 200_000)
    cards = Counter(cards for since, cards in fires if since == 5)
    shares = [0.0] * 14
    for one, ways in enumerate(WAYS, start=1):
        for more in range(6):
            shares[one + more - 1] += ways / 48 / 6
    assert chi_square([cards[n] for n in range(1, 15)], shares) < CHI_SQUARE_LIMIT[13]


def test_measured_states_what_was_published_of_it() -> None:
    assert MEASURED.fire_rate == pytest.approx(0.403, abs=0.002)
    assert MEASURED.cards_per_fire == pytest.approx(5.2, abs=0.05)
    assert MEASURED.cards_per_press == pytest.approx(2.1, abs=0.01)
    assert MEASURED.longest_dry_run == 4
    assert MEASURED.max_cards == 14


def test_measured_over_a_long_evening() -> None:
    """A hit-2 brings nothing 27 % of the time, and hit-fire takes 1.99 presses, wherever the launcher stands."""
    odds = Odds(MEASURED, random.Random(5))
    shots = [odds.press() for _ in range(200_000)]
    nothing = sum(not one and not other for one, other in pairwise(shots)) / (len(shots) - 1)
    assert nothing == pytest.approx(0.27, abs=0.01)
    waits, to_go = [], 0
    for cards in reversed(shots):
        to_go = 1 if cards else to_go + 1
        waits.append(to_go)
    assert sum(waits) / len(waits) == pytest.approx(1.99, abs=0.02)


def test_original_fires_exactly_by_its_list_and_starts_over() -> None:
    odds = Odds(ORIGINAL, random.Random(1))
    for _ in range(3):
        assert [press for press in range(1, 97) if odds.press()] == ORIGINAL_FIRES


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_original_cards_are_even_from_three_to_eight(seed: int) -> None:
    fires = fires_by_press(Odds(ORIGINAL, random.Random(seed)), 96 * 500)
    cards = Counter(cards for _, cards in fires)
    assert set(cards) == {3, 4, 5, 6, 7, 8}
    assert chi_square([cards[n] for n in range(3, 9)], [1 / 6] * 6) < CHI_SQUARE_LIMIT[5]


def test_original_states_what_was_claimed_of_it() -> None:
    assert ORIGINAL.fire_rate == pytest.approx(34 / 96)
    assert ORIGINAL.cards_per_fire == pytest.approx(5.5)
    assert ORIGINAL.cards_per_press == pytest.approx(5.5 * 34 / 96)
    assert ORIGINAL.longest_dry_run == 3
    assert ORIGINAL.max_cards == 8


def test_original_begins_its_list_anew_when_the_lid_is_closed() -> None:
    odds = Odds(ORIGINAL, random.Random(1))
    for _ in range(40):
        odds.press()
    odds.restarted()
    assert [press for press in range(1, 97) if odds.press()] == ORIGINAL_FIRES


def test_measured_goes_on_counting_when_the_lid_is_closed() -> None:
    odds = Odds(MEASURED, random.Random(1), {"profile": "measured", "presses": 4})
    odds.restarted()
    assert odds.press() > 0


@pytest.mark.parametrize("name", PROFILES)
def test_what_a_profile_states_comes_true(name: str) -> None:
    each = profile(name)
    shots = [odds.press() for odds in [Odds(each, random.Random(11))] for _ in range(96 * 1_000)]
    runs = "".join("f" if cards else "d" for cards in shots).split("f")
    assert sum(cards > 0 for cards in shots) / len(shots) == pytest.approx(each.fire_rate, abs=0.005)
    assert sum(shots) / len(shots) == pytest.approx(each.cards_per_press, abs=0.03)
    longest = max(len(run) for run in runs)
    assert longest == each.longest_dry_run or (each.longest_dry_run is None and longest > 12)
    assert max(shots) == each.max_cards
    assert f"{each.fire_rate:.1%}" in each.describe()
    assert f"at most {each.max_cards} cards" in each.describe()


@pytest.mark.parametrize("name", PROFILES)
def test_the_same_seed_gives_the_same_shots(name: str) -> None:
    one, other = Odds(profile(name), random.Random(7)), Odds(profile(name), random.Random(7))
    shots = [one.press() for _ in range(300)]
    assert shots == [other.press() for _ in range(300)]
    assert shots != [odds.press() for odds in [Odds(profile(name), random.Random(8))] for _ in range(300)]


@pytest.mark.parametrize("name", PROFILES)
def test_a_state_goes_through_json_and_takes_up_where_it_was(name: str) -> None:
    rng, again = random.Random(3), random.Random()
    odds = Odds(profile(name), rng)
    for _ in range(100):
        odds.press()
        again.setstate(rng.getstate())
        resumed = Odds(profile(name), again, json.loads(json.dumps(odds.state)))
        assert resumed.state == odds.state
        whole = [odds.press() for _ in range(5)]
        assert [resumed.press() for _ in range(5)] == whole


def test_a_state_handed_out_is_a_copy() -> None:
    odds = Odds(ORIGINAL, random.Random(1))
    odds.state["presses"] = 50
    assert odds.state == {"profile": "original", "presses": 0}


def test_a_change_of_profile_begins_as_just_switched_on() -> None:
    assert Odds(ORIGINAL, random.Random(1), {"profile": "measured", "presses": 3}).state == ORIGINAL.start()


@pytest.mark.parametrize(
    "broken",
    [
        {"profile": "measured", "presses": 5},
        {"profile": "measured", "presses": -1},
        {"profile": "measured", "presses": True},
        {"profile": "measured", "presses": "2"},
        {"profile": "measured"},
        {"presses": 1},
        {"profile": "measured", "presses": 1, "index": 2},
    ],
)
def test_a_broken_state_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(OddsError, match="state"):
        Odds(MEASURED, random.Random(1), broken)


def test_the_last_place_of_the_original_list_is_a_state_and_one_beyond_is_not() -> None:
    assert Odds(ORIGINAL, random.Random(1), {"profile": "original", "presses": 95}).press() > 0
    with pytest.raises(OddsError, match="96"):
        Odds(ORIGINAL, random.Random(1), {"profile": "original", "presses": 96})


def test_an_unknown_profile_is_refused_with_what_may_have_been_meant() -> None:
    with pytest.raises(OddsError, match="did you mean 'measured'"):
        profile("mesured")
    with pytest.raises(OddsError, match=r": there are: measured, original, ascending, extreme, gentle, fixed-N$"):
        profile("xyz")


def test_profiles_that_cannot_be_are_refused() -> None:
    for chances in ((), (0.3, 0.0), (0.3, 1.01), (-0.1, 1.0)):
        with pytest.raises(OddsError, match="do not end with 0"):
            Hazard(chances)
    with pytest.raises(OddsError, match="must rise"):
        FixedList((2, 2), period=4)
    with pytest.raises(OddsError, match="must rise"):
        FixedList((2, 5), period=4)


def test_sizes_count_their_ways() -> None:
    assert Sizes.dice((1, 3), (0, 3), (0, 3)) == Sizes(tuple(range(1, 10)), WAYS)
