"""The rules in words: no option, value or card without a sentence, none left over, and nothing that cannot come up."""

from __future__ import annotations

import re
import string

import pytest

from controller.rules.cards import RANKS, SKIP
from controller.rules.explain import (
    GROUPS,
    OWN,
    SHEETS,
    Section,
    applies,
    differences,
    english,
    explain,
    origins,
    sentence,
    text_key,
    worth_saying,
)
from controller.rules.options import BY_NAME, CHOICE, LAST_CARD, LIST, OPTIONS, PRESETS, YES_NO, Option, Value, resolve

FILLINGS = {
    "n", "units", "two", "ten", "items", "title", "total", "least", "most", "name", "count", "points", "text",
    "before", "last",
}  # fmt: skip


def values_of(option: Option) -> list[Value]:
    """Values that need a sentence each."""
    if option.kind == CHOICE:
        return list(option.choices)
    if option.kind == YES_NO:
        return [True, False]
    if option.kind == LIST:
        return [(), *((word,) for word in option.choices), option.choices]
    if option.kind == LAST_CARD:
        return ["any", "numbers", ("wild", "skip"), ()]
    own: list[Value] = [resolve(preset).options[option.name] for preset in PRESETS]
    return own + ([max(0, option.least), 1, 3] if isinstance(option.default, int) else [])


def every_key() -> set[str]:
    """Every key that the catalogue must have."""
    texts = english()
    keys = {text_key(option.name, value, texts) for option in OPTIONS for value in values_of(option)}
    keys |= {f"defend.{word}" for word in BY_NAME["defend"].choices}
    keys |= {f"card.{rank}" for rank in RANKS[SKIP:]} | {f"name.{rank}" for rank in RANKS[SKIP:]}
    keys |= {f"group.{group}" for group in GROUPS} | {f"preset.{preset}" for preset in PRESETS}
    keys |= {f"sheet.{sheet}" for sheet in (*SHEETS.values(), "every", "house", "own")}
    keys |= {f"unit.{source}.{number}" for source in ("launcher", "pile", "any") for number in ("1", "n")}
    keys |= {f"rule.{name}" for name in ("match", "wild", "call", "owed", "last-effect", "no-house")}
    return keys | {"card.line", "card.numbers", "card.number", "list.and", "list.comma", "list.semicolon"}


def test_everything_has_a_text_and_no_text_is_left_over() -> None:
    special = {key for key in english() if key.count(".") == 2 and not key.startswith("unit.")}
    assert english().keys() - special == every_key()
    assert {key.rpartition(".")[0] for key in special} <= every_key()


def test_the_texts_are_sentences_and_leave_open_only_what_is_filled_in() -> None:
    for key, text in english().items():
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        assert fields <= FILLINGS, key
        assert text == text.strip() or key in ("list.comma", "list.semicolon"), key
        told = key.partition(".")[0]
        if (told in BY_NAME and told != "defend") or told == "rule":
            assert text.endswith("."), key


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
@pytest.mark.parametrize("preset", ["attack", "killer"])
def test_every_value_is_told_apart(preset: str, option: Option) -> None:
    told: dict[str, Value] = {}
    for value in values_of(option):
        rules = resolve(preset, {"decks": 4, option.name: list(value) if isinstance(value, tuple) else value})
        line = sentence(rules, option.name)
        assert line.option == option.name
        assert "{" not in line.text
        assert told.setdefault(line.text, value) == value or {told[line.text], value} == {"any", ()}


def test_every_option_stands_in_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(BY_NAME)


def words(sections: tuple[Section, ...]) -> dict[str, str]:
    """Option: sentence."""
    return {line.option: line.text for section in sections for line in section.lines if line.option}


def test_a_preset_in_words() -> None:
    sections = explain(resolve("attack", {"uno_penalty": 1}))
    assert [section.title for section in sections] == [
        "The cards", "Dealing", "A turn", "After taking cards", "Calling UNO", "Penalties", "House rules",
        "Launcher and real cards",
    ]  # fmt: skip
    said = words(sections)
    assert said["uno_penalty"] == "To be caught without the call costs 1 hit."
    assert said["deck"] == "Played with UNO Attack as first sold, 112 cards."
    assert said["last_card"] == "Not as the last card: Trade Hands; left with only that, you take instead."
    cards = [line.text for line in sections[0].lines]
    assert "Numbers 1 to 9 (72 of them, worth what they show): nothing but a colour and a number." in cards
    assert "Hit 2 (8 of them, 20 points): the next player takes 2 hits and is passed over." in cards
    assert [line.text for line in sections[6].lines] == ["None."]


def test_a_unit_is_a_card_at_a_pile_and_a_hit_at_the_launcher() -> None:
    for source, unit in (("pile", "2 cards"), ("launcher", "2 hits")):
        rules = resolve("killer", {"draw_from": source})
        assert f"takes {unit}" in words(explain(rules))["nine"]
        assert any(f"takes {unit} and is passed over" in line.text for line in explain(rules)[0].lines)
    assert "press until cards come" in words(explain(resolve("killer", {"draw_from": "launcher"})))["after_draw"]


def test_what_cannot_come_up_is_left_out() -> None:
    said = words(explain(resolve("attack")))
    assert not said.keys() & {"wild_four", "challenge", "guilty_next", "zero", "set_effects", "after_chain", "jump_in"}
    assert {"hit_fire", "reload_below", "swap_owes_call"} <= said.keys()
    said = words(explain(resolve("killer")))
    assert {
        "wild_four",
        "zero",
        "red_zero",
        "two",
        "nine",
        "jump_in",
        "sets",
        "set_effects",
        "after_chain",
    } <= said.keys()
    assert not said.keys() & {"hit_fire", "reload_below", "seven", "challenge_guilty", "attack_attack_next"}


@pytest.mark.parametrize(
    ("option", "options", "matters"),
    [
        ("challenge_guilty", {"challenge": False}, False),
        ("challenge_guilty", {"challenge": True}, True),
        ("after_voluntary_draw", {"voluntary_draw": False}, False),
        ("after_voluntary_draw", {"voluntary_draw": True}, True),
        ("after_chain", {"defend": []}, False),
        ("after_chain", {"defend": ["skip"]}, True),
        ("set_effects", {"sets": "off"}, False),
        ("set_effects", {"sets": "rank"}, True),
        ("swap_owes_call", {}, False),
        ("swap_owes_call", {"seven": "swap-hands"}, True),
        ("swap_owes_call", {"zero": "rotate-hands"}, True),
        ("swap_owes_call", {"deck": "attack-1998"}, True),
        ("reload_below", {}, False),
        ("reload_below", {"draw_from": "launcher"}, True),
        ("zero", {"deck": "mega-hit"}, False),
        ("zero", {}, True),
        ("wild_after_draw", {"deck": "mega-hit"}, True),
        ("hit_fire", {"deck": "attack-1998"}, True),
    ],
)
def test_when_an_option_matters(option: str, options: dict[str, object], matters: bool) -> None:
    assert applies(resolve("classic", options), option) == matters


def test_a_house_rule_that_is_off_is_not_worth_saying() -> None:
    assert not worth_saying(resolve("classic"), "seven")
    assert worth_saying(resolve("classic", {"seven": "swap-hands"}), "seven")


def test_two_rule_sets_against_each_other() -> None:
    pairs = differences(resolve("classic"), resolve("classic-clockwise"))
    assert [(line.option, line.value) for _, theirs in pairs for line in theirs.lines] == [
        ("first_player", "dealer"), ("start_reverse", "dealer"), ("guilty_next", "skipped"),
    ]  # fmt: skip
    assert [mine.title for mine, _ in pairs] == ["Dealing", "Penalties"]
    assert differences(resolve("classic"), resolve("classic")) == ()
    assert differences(resolve("attack"), resolve("attack", {"sets": "rank"}))[0][0].key == "house"
    # a difference that can matter in neither is not told
    assert differences(resolve("attack"), resolve("attack", {"challenge_guilty": 5})) == ()


def test_where_a_value_comes_from() -> None:
    assert origins("after_draw", "end") == ("printed",)
    assert origins("after_draw", "until-playable") == ("killer",)
    assert origins("hand_size", 7) == ("every",)
    assert origins("guilty_next", "skipped") == ("classic-tables",)
    assert origins("seven", "swap-hands") == ("house",)
    assert origins("challenge", False) == ("stack", "killer")  # at the Attack decks it cannot matter
    for option in OPTIONS:
        for value in values_of(option):
            assert origins(option.name, value) == ("own",) if option.name in OWN else origins(option.name, value)


def test_another_language_is_another_mapping() -> None:
    shouted = {
        key: re.sub(r"(?<!\{)\b\w+\b(?!\})", lambda word: word[0].upper(), text) for key, text in english().items()
    }
    sections = explain(resolve("classic"), shouted)
    assert sections[4].title == "CALLING UNO"
    assert words(sections)["uno_penalty"] == "TO BE CAUGHT WITHOUT THE CALL COSTS 2 CARDS."
