"""The rules in other languages: every text of the English words, the names of options and decks, the same filled in."""

from __future__ import annotations

import string

import pytest

from controller.rules.decks import BUILT_IN
from controller.rules.explain import LANGUAGES, english, explain, words
from controller.rules.options import OPTIONS, PRESETS, resolve
from tests.web.catalogues import wrong_characters

OTHERS = [language for language in LANGUAGES if language != "en"]
NAMED_IN_CODE = {f"option.{option.name}" for option in OPTIONS} | {f"title.{deck}" for deck in BUILT_IN}


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing_and_none_is_left_over(language: str) -> None:
    assert words(language).keys() ^ (english().keys() | NAMED_IN_CODE) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_filled_in_is_what_is_filled_in_in_english(language: str) -> None:
    for key, text in english().items():
        assert fields(words(language)[key]) == fields(text), key


def fields(text: str) -> set[str]:
    """What is filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_each_script_is_written_in_its_own_characters(language: str) -> None:
    for key, text in words(language).items():
        assert wrong_characters(text, language) == set(), key


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_rule_set_is_told_in_sentences(language: str, preset: str) -> None:
    for section in explain(resolve(preset), words(language)):
        assert section.lines
        for line in section.lines:
            assert "{" not in line.text, line.key
            assert line.text.endswith("。"), line.key
