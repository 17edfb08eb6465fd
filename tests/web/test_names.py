"""Names as phones send them: what is not seen goes, emoji and scripts stay whole, and no two look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.table.messages import Refuse
from controller.table.names import as_seen, cleaned, unused
from web_companion.names import LONGEST_NAME, clean_name

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
WHOLE = (
    FAMILY, "🇳🇱", "👍🏽", "1\ufe0f\u20e3", ENGLAND, "❤\ufe0f", "🏳\ufe0f\u200d🌈", "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏻",
    "🙂\u200d↔\ufe0f", "é", "g\u0308", "ක්\u200dර", "क्ष", "한", "ё",
)  # fmt: skip
UNSEEN = ("\ufe0f", "\u200d", "\u200c", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u034f", "\U000e0101", "\U000e0041")
BLANK = ("\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u3000", "\u2003")

pieces = st.one_of(st.characters(), st.sampled_from(WHOLE + UNSEEN + BLANK + ("\u0301", "🏽", "🇳", "ᄀ", "ᅡ", "\u09c7")))
names = st.lists(pieces, max_size=30).map("".join)


@given(names)
@example("a" * 17 + FAMILY)
@example("\u1100\u200d\u1161")
def test_a_cleaned_name_is_clean_short_and_seen(raw: str) -> None:
    name = clean_name(raw)
    assert clean_name(name) == name
    assert len(name) <= LONGEST_NAME
    assert unicodedata.is_normalized("NFC", name)
    assert not set(name) & set(BLANK)
    if name:
        assert as_seen(name)
        assert cleaned(name) == name, "the table takes it as it is"


@pytest.mark.parametrize("whole", WHOLE)
@pytest.mark.parametrize("before", range(1, LONGEST_NAME + 1))
def test_a_name_is_cut_between_what_people_see_as_characters(whole: str, before: int) -> None:
    fits = before + len(whole) <= LONGEST_NAME
    assert clean_name("x" * before + whole + "y" * LONGEST_NAME).rstrip("y") == "x" * before + (whole if fits else "")


@pytest.mark.parametrize("whole", WHOLE)
def test_what_belongs_together_stays_whole(whole: str) -> None:
    assert clean_name(f" {whole}  Bo ") == f"{whole} Bo"


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_is_not_seen_is_taken_out_of_a_name(unseen: str) -> None:
    assert clean_name(f"{unseen}A{unseen}nn{unseen}") == "Ann"
    assert clean_name(unseen) == ""


@pytest.mark.parametrize("blank", BLANK)
def test_a_blank_is_no_name(blank: str) -> None:
    assert clean_name(blank * 3) == ""
    assert clean_name(f"A{blank}nn") == "A nn"
    with pytest.raises(Refuse):
        cleaned(blank)


@pytest.mark.parametrize(
    "alike", ["Ann", "ANN", "Ann\ufe0f", "A\u200dnn", "Ａｎｎ", "A\u034fnn", "Ann\u3164", "\U000e0041Ann"]
)
def test_no_two_names_look_alike(alike: str) -> None:
    with pytest.raises(Refuse) as refused:
        unused(alike, ["Bo", "Ann"])
    assert refused.value.reason == "name-taken"


def test_names_that_look_different_are_different() -> None:
    others = ["Anna", "A nn", "Änn"]
    assert unused("Ann", others) == "Ann"
    assert unused("❤\ufe0f", ["♣\ufe0f"]) == "❤\ufe0f"
