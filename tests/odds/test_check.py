"""Judging a launcher: what is said of those that do what they should, and of those that do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from controller.journal import StoredRow
from controller.odds import PROFILES, Odds, OddsError, profile
from controller.odds.check import Report, check
from controller.odds.records import Press, Record, from_counts, from_rows


def seen(name: str, presses: int, seed: int = 1) -> list[Press]:
    """What a toy brings that follows a profile."""
    odds = Odds(profile(name), random.Random(seed))
    return [Press(odds.press()) for _ in range(presses)]


def ordered(name: str, presses: int, given: Callable[[int, random.Random], int], seed: int = 1) -> list[Press]:
    """What our launcher gives for what the odds order; `given`: cards that come for cards asked for."""
    rng = random.Random(seed)
    odds = Odds(profile(name), rng)
    orders = [odds.press() for _ in range(presses)]
    return [Press(given(cards, rng), cards) for cards in orders]


def judged(presses: Sequence[Press], name: str = "measured") -> Report:
    return check(Record("", list(presses)), profile(name))


@pytest.mark.parametrize("name", [*PROFILES, "fixed-5"])
def test_a_launcher_that_follows_its_profile_is_seldom_blamed(name: str) -> None:
    blamed = sum(judged(seen(name, 400, seed), name).agrees is not True for seed in range(50))
    assert blamed <= 4, "three judgements with one error in a hundred each: 1.5 expected"


@pytest.mark.parametrize("name", ["measured", "ascending", "gentle"])
def test_a_record_may_begin_anywhere_and_have_holes(name: str) -> None:
    blamed = 0
    for seed in range(50):
        presses = seen(name, 500, seed)[seed % 7 :]
        rng = random.Random(seed)
        holed = [Press(None) if rng.random() < 0.1 else press for press in presses]
        blamed += judged(holed, name).agrees is not True
    assert blamed <= 4


def test_one_that_fires_less_often_is_found_out_and_the_other_way_round() -> None:
    report = judged(seen("extreme", 400))
    assert report.agrees is False
    assert report.sentences[0].startswith("Your launcher fires less often than the profile says: on 29.8 %")
    assert report.sentences[0].endswith("% of presses instead of 40.4 %.")
    more = judged(seen("measured", 400), "extreme")
    assert more.sentences[0].startswith("Your launcher fires more often than the profile says: on 4")


def test_one_that_never_fires_is_found_out_by_few_presses() -> None:
    report = judged([Press(0)] * 25)
    assert report.sentences == [
        "Your launcher fires less often than the profile says: on 0.0 % of presses instead of 40.4 %.",
        "25 presses in a row were dry, and the profile has 4 at most.",
    ]
    assert report.agrees is False


def test_one_that_fires_as_often_but_at_other_presses_is_found_out() -> None:
    rng = random.Random(3)
    flat = [Press(5 if rng.random() < profile("measured").fire_rate else 0) for _ in range(3000)]
    report = judged(flat)
    assert report.firing is not None
    assert report.firing.unlikely


def test_a_regular_one_fires_as_often_as_it_should_but_not_when() -> None:
    # Two dry, then a fire, and one dry, then a fire: 40 % of presses, but never the first or the fourth since the last.
    report = judged([Press(cards) for _ in range(100) for cards in (0, 0, 5, 0, 5)])
    assert report.sentences[0] == (
        "Your launcher fires as often as the profile says (40.0 % of presses), but not when it says: "
        "look at the presses since the last fire."
    )


def test_too_few_presses_say_nothing_and_it_is_said_how_many_would() -> None:
    report = judged(seen("measured", 24))
    assert (report.agrees, report.sentences) == (
        None, ["Too few presses to say: 24, and it takes at least 25 to judge how often it fires."],
    )  # fmt: skip
    assert judged(seen("measured", 25)).agrees is not None
    assert judged([]).agrees is None
    assert "at least 34" in judged([], "extreme").sentences[0]


def test_too_few_fires_say_nothing_of_their_cards() -> None:
    report = judged([Press(cards) for _ in range(5) for cards in (0, 5, 0, 0, 5, 0)])
    assert report.cards is not None
    assert report.cards.test is None
    assert report.sentences[-1] == "Too few fires to say anything of their cards: 10, and it takes 12."


def test_larger_and_smaller_shots_are_found_out() -> None:
    larger = judged([Press(press.came + 1 if press.came else 0) for press in seen("measured", 600)])
    assert larger.sentences[0].startswith("Your launcher's shots are larger than the profile says: 6.")
    smaller = judged(seen("gentle", 600))
    assert smaller.sentences[0].startswith("Your launcher's shots are smaller than the profile says: 3.")
    assert any("the profile never has" in said for said in judged(seen("measured", 600), "gentle").sentences)


def test_a_size_that_the_profile_never_has_speaks_against_it() -> None:
    presses = [
        Press(4 if press.came and number % 50 < 10 else press.came) for number, press in enumerate(seen("fixed-3", 300))
    ]
    report = judged(presses, "fixed-3")
    fours = sum(press.came == 4 for press in presses)
    assert fours > 1
    assert report.agrees is False
    assert report.sentences[0] == (
        f"Shots came of as many cards as the profile never has (in brackets how often): 4 ({fours})."
    )
    assert judged(seen("fixed-3", 300), "fixed-3").agrees is True


def test_a_size_that_was_not_ordered_is_told_and_is_the_machine_s_doing() -> None:
    presses = [Press(press.came, press.came) for press in seen("fixed-3", 300)]
    place = next(number for number, press in enumerate(presses) if press.came)
    presses[place] = Press(4, 3)
    report = judged(presses, "fixed-3")
    assert report.agrees is True
    assert "never has (in brackets how often): 4 (1)." in report.sentences[-1]


def test_a_launcher_that_gives_more_than_asked_for() -> None:
    report = check(
        Record("measured", ordered("measured", 800, lambda cards, rng: cards + (rng.random() < 0.4) if cards else 0)),
        profile("measured"),
    )
    delivery = report.delivery
    assert delivery is not None
    assert delivery.low < 0.4 < delivery.high
    assert "Your launcher gives more cards than asked for: +0.4 a shot (+0.3 to +0." in " ".join(report.sentences)
    assert report.agrees is False


def test_a_launcher_that_gives_what_is_asked_for_is_not_blamed() -> None:
    report = check(Record("measured", ordered("measured", 800, lambda cards, rng: cards)), profile("measured"))
    assert (report.agrees, report.delivery and report.delivery.more) == (True, 0)
    doubles = ordered("measured", 800, lambda cards, rng: cards + (rng.random() < 0.02) if cards else 0)
    assert check(Record("measured", doubles), profile("measured")).agrees is True, "a double now and then is no matter"


def test_shots_that_bring_nothing_and_dry_ones_that_bring_something() -> None:
    presses = ordered("measured", 400, lambda cards, rng: 0 if rng.random() < 0.5 else cards)
    presses[presses.index(Press(0, 0))] = Press(2, 0)
    report = check(Record("measured", presses), profile("measured"))
    assert report.sentences[0].startswith("Your launcher fires less often than the profile says")
    assert "Cards came with 1 press that should have been dry." in report.sentences
    assert any(each.startswith("Nothing came with ") and each.endswith("fired.") for each in report.sentences)


def test_counts_that_are_not_sure_say_that_it_fired_and_nothing_of_the_cards() -> None:
    report = judged([Press(press.came, None, exact=False) for press in seen("measured", 400)])
    assert (report.agrees, report.cards and report.cards.total, report.mean_cards) == (True, 0, None)
    assert report.firing is not None
    assert report.firing.total > 300


def test_the_intervals_hold_what_was_seen() -> None:
    report = judged(seen("measured", 400))
    assert report.low < report.fires / report.presses < report.high
    firing, cards = report.firing, report.cards
    assert firing is not None
    assert cards is not None
    assert all(each.low <= each.share <= each.high for each in (*firing.bars, *cards.bars))
    assert sum(each.of for each in firing.bars) == firing.total
    assert [each.expected for each in firing.bars] == pytest.approx([0.18, 0.50, 0.59, 0.55, 1])
    assert sum(each.seen for each in cards.bars) == cards.total == report.fires
    assert sum(each.expected for each in cards.bars) == pytest.approx(1)


# --- records -------------------------------------------------------------------------------------------------------


def test_a_file_of_counts() -> None:
    record = from_counts("# our red one, 1 May\n0\n5  # at last\n\n?\n3 4\n4 ?\n0 0\n")
    assert record.presses == [Press(0), Press(5), Press(None), Press(4, 3), Press(None, 4), Press(0, 0)]
    assert record.left_out == {"not counted": 2}


@pytest.mark.parametrize(("text", "said"), [
    ("0\nfive\n", "line 2: 'five' is no press"),
    ("1 2 3\n", "line 1: '1 2 3' is no press"),
    ("? 3\n", "line 1: '\\? 3' is no press"),
    ("-1\n", "line 1: '-1' is no press"),
    ("1.5\n", "is no press"),
    ("0\n\n113\n", "line 3: '113': no shot has more than 112 cards"),
    ("³\n", "is no press"),
])  # fmt: skip
def test_a_line_that_is_no_press_is_named(text: str, said: str) -> None:
    with pytest.raises(OddsError, match=said):
        from_counts(text)


def row(number: int, kind: str, **body: object) -> StoredRow:
    return StoredRow(number, kind, dict(body))


def shot(
    number: int, cards: int, came: int, end: str = "done", certainty: str = "exact", **more: object
) -> list[StoredRow]:
    begun: dict[str, object] = {"odds": {"profile": "measured", "presses": 1}, **more}
    return [
        row(2 * number, "shot", shot=number, cards=cards, **begun),
        row(2 * number + 1, "shot-end", shot=number, cards=came, end=end, certainty=certainty),
    ]


def test_the_rows_of_a_journal_become_presses() -> None:
    rows = [
        *shot(1, 3, 3),
        *shot(2, 0, 0),
        *shot(3, 5, 2, end="stopped"),
        *shot(4, 5, 5, certainty="unknown"),
        *shot(5, 5, 4, certainty="at_least"),
        *shot(6, 5, 0, end="void"),
        row(90, "shot", shot=7, cards=3, odds={"profile": "measured", "presses": 0}),  # its end was never told
        *shot(8, 4, 4, source="seen"),
        *shot(9, 2, 2, odds={"profile": "original", "presses": 4}),
    ]
    measured, watched, original = from_rows(rows)
    assert (measured.profile, watched.profile, original.profile) == ("measured", "", "original")
    assert measured.presses == [
        Press(3, 3), Press(0, 0), Press(None, 5), Press(None, 5, exact=False), Press(4, 5, exact=False), Press(None, 5),
    ]  # fmt: skip
    assert measured.left_out == {"stopped": 1, "not counted": 1, "void": 1}
    assert watched.presses == [Press(4)]
    assert original.presses == [Press(2, 2)]
