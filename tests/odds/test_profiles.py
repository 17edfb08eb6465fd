"""The profiles that were made here, tables of one's own, and what every profile promises, exactly and as it comes."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.odds import (
    MEASURED,
    MOST_CARDS,
    PROFILES,
    Hazard,
    Odds,
    OddsError,
    OddsProfile,
    Sizes,
    own_profiles,
    profile,
)
from controller.odds.tables import EXAMPLE
from hardware.settings import MAX_ON_LIMIT_MS, LauncherSettings

ALL = (*PROFILES, "fixed-1", "fixed-7", "fixed-20")
WAYS = {1: 1, 2: 3, 3: 6, 4: 9, 5: 10, 6: 9, 7: 6, 8: 3, 9: 1}  # of 48, for U{1..3}+U{0..3}+U{0..3}

chances = st.lists(st.floats(0, 1), max_size=8).flatmap(
    lambda head: st.floats(0.1, 1).map(lambda last: (*head, last))
)  # fmt: skip


def shots(each: OddsProfile, presses: int, seed: int = 1) -> list[int]:
    odds = Odds(each, random.Random(seed))
    return [odds.press() for _ in range(presses)]


def waits(shots: Sequence[int]) -> list[int]:
    fires = [-1, *(place for place, cards in enumerate(shots) if cards)]
    return [now - before for before, now in pairwise(fires)]


def test_ascending_fires_on_a_press_drawn_evenly_from_1_to_5() -> None:
    each = profile("ascending")
    assert each.rhythm.shares == pytest.approx([0.2] * 5)
    assert each.fire_rate == pytest.approx(1 / 3)
    assert each.longest_dry_run == 4
    counts = Counter(waits(shots(each, 60_000)))
    assert set(counts) == {1, 2, 3, 4, 5}
    assert all(count == pytest.approx(sum(counts.values()) / 5, rel=0.05) for count in counts.values())


def test_ascending_rises_with_every_dry_press_and_falls_with_a_fire() -> None:
    odds = Odds(profile("ascending"), random.Random(1))
    since = 1
    for _ in range(200):
        assert odds.step == since
        since = 1 if odds.press() else since + 1
    assert Odds(MEASURED, random.Random(1)).step == 0


def test_extreme_knows_nothing_of_the_press_before_and_its_state_stays_small() -> None:
    each = profile("extreme")
    assert each.fire_rate == pytest.approx(0.30)
    assert (each.longest_dry_run, each.max_cards) == (None, 20)
    assert "no end to a dry run" in each.describe()
    odds = Odds(each, random.Random(2))
    brought = []
    for _ in range(100_000):
        brought.append(odds.press())
        assert odds.state == {"profile": "extreme", "presses": 0}
    after_dry = [bool(cards) for before, cards in pairwise(brought) if not before]
    after_fire = [bool(cards) for before, cards in pairwise(brought) if before]
    for fired in (after_dry, after_fire):
        assert sum(fired) / len(fired) == pytest.approx(0.30, abs=0.01)
    fires = [cards for cards in brought if cards]
    assert fires.count(20) / len(fires) == pytest.approx(0.01, abs=0.002)
    assert set(fires) == {*range(1, 10), 20}


def test_extreme_has_one_fire_in_a_hundred_of_20_cards_exactly() -> None:
    (sizes,) = profile("extreme").sizes
    ways = dict(zip(sizes.cards, sizes.ways, strict=True))
    total = sum(ways.values())
    assert Fraction(ways[20], total) == Fraction(1, 100)
    assert all(Fraction(ways[cards], total) == Fraction(99 * WAYS[cards], 4800) for cards in WAYS)


def test_a_fake_pause_is_drawn_before_the_press_and_knows_nothing_of_it() -> None:
    odds = Odds(profile("extreme"), random.Random(3))
    seen = Counter((odds.pause(), odds.press() > 0) for _ in range(100_000))
    paused = {fires: seen[True, fires] / (seen[True, fires] + seen[False, fires]) for fires in (True, False)}
    assert paused[True] == pytest.approx(0.10, abs=0.005)
    assert paused[False] == pytest.approx(0.10, abs=0.005)


@pytest.mark.parametrize("name", [name for name in ALL if name != "extreme"])
def test_a_profile_without_pauses_draws_none(name: str) -> None:
    rng = random.Random(4)
    before = rng.getstate()
    assert Odds(profile(name), rng).pause() is False
    assert rng.getstate() == before


def test_gentle_is_measured_without_what_is_more_than_4_cards() -> None:
    each = profile("gentle")
    assert each.rhythm is MEASURED.rhythm
    assert (each.max_cards, each.fire_rate) == (4, MEASURED.fire_rate)
    assert each.sizes[0] == Sizes((1, 2, 3, 4), (1, 3, 6, 9))
    assert set(shots(each, 20_000)) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("cards", [1, 7, 20])
def test_fixed_brings_its_number_with_every_press(cards: int) -> None:
    each = profile(f"fixed-{cards}")
    assert shots(each, 50) == [cards] * 50
    assert (each.fire_rate, each.longest_dry_run, each.max_cards) == (1, 0, cards)
    assert "none dry" in each.describe()


@pytest.mark.parametrize("name", ["fixed-0", "fixed-21", "fixed-9999"])
def test_fixed_beyond_its_bounds_is_refused(name: str) -> None:
    with pytest.raises(OddsError, match="fixed-1 to fixed-20"):
        profile(name)


@pytest.mark.parametrize("name", ["fixed", "fixed-", "fixed-N", "fixed-x", "fixed--1", "fixed-1.5"])
def test_what_only_looks_like_fixed_is_no_profile(name: str) -> None:
    with pytest.raises(OddsError, match="did you mean 'fixed-7'"):
        profile(name)


@pytest.mark.parametrize("name", ALL)
def test_a_launcher_of_every_profile_may_be_pressed_again_and_keeps_its_limits(name: str) -> None:
    most = profile(name).max_cards
    settings = LauncherSettings(most_cards=most)
    assert settings.longest_ms <= MAX_ON_LIMIT_MS
    assert settings.reserve_ms <= settings.duty_ms / 2, "a shot, and there is room for the next"
    honest = settings.first_card_ms + settings.interval_ms * most + settings.brake_ms + settings.retract_ms
    assert honest <= settings.on_ms(most), "the largest shot is out before its time is over, even at a slow pace"


@pytest.mark.parametrize("name", ALL)
def test_hit_two_and_hit_fire_come_out_as_promised(name: str) -> None:
    each = profile(name)
    brought = shots(each, 96 * 300, seed=6)
    nothing = sum(not one and not other for one, other in pairwise(brought)) / (len(brought) - 1)
    assert nothing == pytest.approx(each.nothing_in(2), abs=0.012)
    to_go, total, fires = 0, 0, 0
    for cards in reversed(brought):
        to_go = 1 if cards else to_go + 1
        total, fires = total + to_go, fires + 1
    assert total / fires == pytest.approx(each.presses_to_fire, abs=0.08)


@given(chances)
def test_what_a_hazard_promises_is_what_its_waits_come_to(drawn: tuple[float, ...]) -> None:
    rhythm = Hazard(drawn)
    share, left, mean, square = [], 1.0, 0.0, 0.0
    for press in range(1, 300):  # one after the other, without any formula
        chance = drawn[min(press, len(drawn)) - 1]
        share.append(left * chance)
        mean, square, left = mean + press * share[-1], square + press * press * share[-1], left * (1 - chance)
        assert rhythm.outlasts(press) == pytest.approx(left, abs=1e-9)
    assert rhythm.mean_wait == pytest.approx(mean)
    assert rhythm.mean_square_wait == pytest.approx(square)
    told = rhythm.shares
    assert sum(told) == pytest.approx(1)
    assert told[:-1] == pytest.approx(share[: len(told) - 1])
    assert (rhythm.longest_wait is None) == (1 not in drawn)


@given(chances, st.integers(0, 2**32))
def test_the_state_of_a_hazard_is_always_one_it_may_have(drawn: tuple[float, ...], seed: int) -> None:
    rhythm, rng, presses = Hazard(drawn), random.Random(seed), 0
    for _ in range(100):
        assert rhythm.valid(presses)
        fired_on, presses = rhythm.press(presses, rng)
        assert 0 <= fired_on <= len(drawn)
    assert not rhythm.valid(len(drawn))


def test_an_original_launcher_knows_how_long_nothing_has_come() -> None:
    odds, since = Odds(profile("original"), random.Random(1)), 1
    rhythm, presses = profile("original").rhythm, 0
    for _ in range(96):  # before the first fire of its list, that goes back to the last one of the list before
        expected = since if odds.state["presses"] >= 2 else odds.state["presses"] + 1
        assert rhythm.since(presses) == expected
        fired_on, presses = rhythm.press(presses, random.Random(1))
        since = 1 if odds.press() else since + 1
        assert bool(fired_on) == (since == 1)


# --- tables of one's own -----------------------------------------------------------------------------------------


def table(text: str) -> dict[str, OddsProfile]:
    return own_profiles(tomllib.loads(f"[odds.tables.ours]\n{text}")["odds"]["tables"])


def test_the_example_is_a_table() -> None:
    (ours,) = own_profiles(tomllib.loads(EXAMPLE)["odds"]["tables"]).values()
    assert (ours.name, ours.pauses, ours.rising) == ("ours", 0.1, True)
    assert ours.rhythm == Hazard((0.2, 0.5, 0.6, 1.0))
    assert ours.sizes == (Sizes(tuple(WAYS), tuple(WAYS.values())),)
    assert profile("ours", {"ours": ours}) is ours
    assert shots(ours, 300) == shots(ours, 300)
    assert max(len(run) for run in "".join("f" if cards else "d" for cards in shots(ours, 5000)).split("f")) == 3


def test_every_other_line_of_the_example_is_right_too() -> None:
    for line in EXAMPLE.splitlines():
        if line.startswith("# cards"):
            swapped = "\n".join(each for each in EXAMPLE.splitlines() if not each.startswith("cards"))
            assert own_profiles(tomllib.loads(swapped.replace(line, line[2:]))["odds"]["tables"])


@pytest.mark.parametrize(("cards", "sizes"), [
    ('"5"', [Sizes((5,), (1,))]),
    ('"1-6 + 1-6"', [Sizes.dice((1, 6), (1, 6))]),
    ("{ 1 = 2, 2 = 0, 8 = 1 }", [Sizes((1, 8), (2, 1))]),
    ('["1-3", { 4 = 1, 8 = 1 }]', [Sizes.dice((1, 3)), Sizes((4, 8), (1, 1))]),
])  # fmt: skip
def test_cards_are_dice_or_weights_or_a_list_of_them(cards: str, sizes: list[Sizes]) -> None:
    ours = table(f"chances = [0.2, 0.4]\ncards = {cards}")["ours"]
    assert list(ours.sizes) == sizes
    assert ours.longest_dry_run is None


RIGHT = {"chances": "[0.5, 1]", "cards": '"1-3"'}


@pytest.mark.parametrize(("key", "value", "said"), [
    ("chances", "[]", "1 to 20 chances"),
    ("chances", "0.5", "no list"),
    ("chances", "[0.5, 1.1]", "1.1 is not a chance"),
    ("chances", "[true, 1]", "True is not a chance"),
    ("chances", '["half", 1]', "'half' is not a chance"),
    ("chances", "[0.5, 0.009]", "it may never fire again: end with 0.01 or more"),
    ("chances", "[nan, 1]", "nan is not a chance"),
    ("cards", "5", "neither dice nor weights"),
    ("cards", '"1-3 + "', "no sum of draws"),
    ("cards", '"3-1"', "no sum of draws"),
    ("cards", '"0-3"', "0 to 3 cards, but a fire brings 1 to 20"),
    ("cards", '"11-20 + 1"', "12 to 21 cards, but a fire brings 1 to 20"),
    ("cards", '"0-20 + 0-20 + 0-20 + 0-20 + 0-20 + 1-20"', "1 to 120 cards"),
    ("cards", '"1 + 1 + 1 + 1 + 1 + 1 + 1"', "adds 7 draws: 6 are the most"),
    ("cards", "{ 21 = 1 }", "21 to 21 cards"),
    ("cards", "{ 0 = 1, 3 = 1 }", "dry presses are for `chances`"),
    ("cards", "{ 3 = 0 }", "has a weight"),
    ("cards", "{ 3 = 0.5 }", "a weight is a whole number"),
    ("cards", "{ few = 1 }", "'few' is no number of cards"),
    ("cards", '["1", "2", "3"]', "3 entries for 2 chances"),
    ("pauses", "2", "2 is not a chance"),
    ("rising", '"yes"', "write true or false, not 'yes'"),
    ("summary", '""', "one line of up to 120 characters"),
    ("chanses", "[1]", "did you mean 'chances'?"),
])  # fmt: skip
def test_what_is_wrong_in_a_table_is_named_with_its_key(key: str, value: str, said: str) -> None:
    with pytest.raises(OddsError) as caught:
        table("\n".join(f"{name} = {text}" for name, text in {**RIGHT, key: value}.items()))
    assert said in str(caught.value)
    assert (caught.value.table, caught.value.key) == ("ours", key)


@pytest.mark.parametrize("key", RIGHT)
def test_what_is_missing_in_a_table_is_named(key: str) -> None:
    with pytest.raises(OddsError, match=f"{key} are missing: write"):
        table("\n".join(f"{name} = {text}" for name, text in RIGHT.items() if name != key))


@pytest.mark.parametrize(("tables", "said"), [
    (5, "sections of their own"),
    ({"ours": 5}, "write \\[odds.tables.ours\\]"),
    ({"Ours": {}}, "a-z, 0-9"),
    ({"measured": {}}, "comes with the program"),
    ({"fixed-3": {}}, "comes with the program"),
])  # fmt: skip
def test_tables_that_are_none_are_refused(tables: Any, said: str) -> None:
    with pytest.raises(OddsError, match=said):
        own_profiles(tables)


def test_a_table_that_was_changed_is_another_one_to_the_journal() -> None:
    before = table('chances = [0.1, 0.2, 1]\ncards = "1-3"')["ours"]
    after = table('chances = [0.5, 1]\ncards = "1-3"')["ours"]
    same = table('summary = "in other words"\nchances = [0.1, 0.2, 1.0]\ncards = "1-3"')["ours"]
    state = {"profile": before.key, "presses": 2}
    assert Odds(before, random.Random(1), state).state == state
    assert Odds(same, random.Random(1), state).state == state
    assert Odds(after, random.Random(1), state).state == {"profile": after.key, "presses": 0}


def test_no_fire_is_larger_than_what_can_come_out_in_time() -> None:
    assert max(each.max_cards for each in PROFILES.values()) == MOST_CARDS
    assert LauncherSettings(most_cards=MOST_CARDS).on_ms(MOST_CARDS) <= MAX_ON_LIMIT_MS
