"""The options and presets of a table: every preset's whole table written out by hand, and what is refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.options import (
    BY_NAME,
    CHOICE,
    DEFENCES,
    OPTIONS,
    PRESETS,
    UNITS,
    YES_NO,
    OptionError,
    RuleSet,
    Value,
    resolve,
    shown,
)

STACKED = ("draw-two", "wild-draw-four", "skip", "reverse")
TABLE: Mapping[str, tuple[Value, Value, Value, Value]] = {
    # option: attack, classic, stack, killer
    "deck": ("attack-1998", "classic-108", "classic-108", "classic-108"),
    "draw_from": ("launcher", "pile", "pile", "pile"),
    "players": ("2-9", "2-10", "2-8", "2-8"),
    "hand_size": (7, 7, 7, 7),
    "next_dealer": ("winner", "winner", "winner", "winner"),
    "first_player": ("left-of-dealer", "left-of-dealer", "left-of-dealer", "left-of-dealer"),
    "start_direction": ("clockwise", "clockwise", "clockwise", "clockwise"),
    "start_reverse": ("dealer", "right-of-dealer", "right-of-dealer", "right-of-dealer"),
    "start_wild": ("first-player-names", "first-player-names", "first-player-names", "first-player-names"),
    "voluntary_draw": (True, True, True, True),
    "after_draw": ("play", "play", "race-number", "until-playable"),
    "after_voluntary_draw": ("end", "same", "same", "same"),
    "last_card": (("trade-hands",), "any", "numbers", "numbers"),
    "uno_penalty": (2, 2, 2, 2),
    "catch_window": ("next-begins", "next-begins", "while-one-card", "while-one-card"),
    "swap_owes_call": (False, False, False, False),
    "false_uno_penalty": (0, 2, 0, 0),
    "false_catch_penalty": (0, 2, 0, 0),
    "wild_four": ("any-time", "no-colour", "any-time", "any-time"),
    "challenge": (False, True, False, False),
    "challenge_guilty": (4, 4, 4, 4),
    "challenge_innocent": (6, 6, 6, 6),
    "guilty_next": ("plays", "plays", "plays", "plays"),
    "defend": ((), (), STACKED, STACKED),
    "after_chain": ("match", "match", "colour-only", "colour-only"),
    "wild_after_draw": (True, True, True, True),
    "two_player_reverse": ("skip", "skip", "plain", "plain"),
    "sets": ("off", "off", "identical", "identical"),
    "set_effects": ("each", "each", "once", "once"),
    "jump_in": ("off", "off", "off", "identical"),
    "zero": ("plain", "plain", "plain", "rotate-hands"),
    "red_zero": ("plain", "plain", "plain", "draw-ten"),
    "seven": ("plain", "plain", "plain", "plain"),
    "two": ("plain", "plain", "plain", "silence"),
    "nine": ("plain", "plain", "plain", "slap"),
    "misplay": ("reject", "reject", "reject", "reject"),
    "advice_penalty": (0, 0, 0, 0),
    "hit_fire": ("until-fire", "until-fire", "until-fire", "until-fire"),
    "attack_attack_next": ("second", "second", "second", "second"),
    "decks": (1, 1, 1, 1),
    "reload_below": (20, 20, 20, 20),
    "tracking": ("all", "all", "all", "all"),
}
COLUMNS = ("attack", "classic", "stack", "killer")
OTHERS: Mapping[str, tuple[str, Mapping[str, Value]]] = {
    "attack-sheet": ("attack", {"after_draw": "end", "advice_penalty": 4}),
    "extreme": ("attack", {"after_draw": "end", "advice_penalty": 4, "deck": "extreme-2012"}),
    "attack-2015": ("attack", {"after_draw": "end", "advice_penalty": 4, "deck": "attack-2015"}),
    "mega-hit": (
        "attack",
        {
            "after_draw": "end", "advice_penalty": 4, "deck": "mega-hit",
            "defend": ("hit-1", "hit-2", "wild-attack-attack"), "attack_attack_next": "next",
        },
    ),
    "classic-dealer-first": (
        "classic", {"first_player": "dealer", "start_reverse": "dealer", "start_direction": "counterclockwise"},
    ),
    "classic-clockwise": (
        "classic", {"first_player": "dealer", "start_reverse": "dealer", "guilty_next": "skipped"},
    ),
    "classic-strict": (
        "classic",
        {
            "wild_four": "no-match", "defend": ("draw-two", "wild-draw-four", "draw-two-pair"), "sets": "rank",
            "jump_in": "coloured", "voluntary_draw": False, "false_catch_penalty": 0,
        },
    ),
}  # fmt: skip


def written_out(preset: str) -> dict[str, Value]:
    """The whole table of a preset, from the tables above."""
    base, changes = OTHERS.get(preset, (preset, {}))
    column = COLUMNS.index(base)
    return {**{name: values[column] for name, values in TABLE.items()}, **changes}


@pytest.mark.parametrize("preset", [*COLUMNS, *OTHERS])
def test_every_option_of_every_preset(preset: str) -> None:
    assert resolve(preset).options == written_out(preset)
    assert resolve(preset).changed == {}


def test_there_are_no_other_presets_and_no_other_options() -> None:
    assert set(PRESETS) == {*COLUMNS, *OTHERS}
    assert set(BY_NAME) == set(TABLE) == set(RuleSet.__annotations__) - {"preset"}


def test_options_describe_themselves() -> None:
    for option in OPTIONS:
        assert option.text
        assert option.section in "123456789"
        assert option.default == written_out("attack")[option.name]
        assert option.default in option.choices if option.kind == CHOICE else True
    assert BY_NAME["defend"].choices == (
        "draw-two", "wild-draw-four", "skip", "reverse", "draw-two-pair", "hit-1", "hit-2", "wild-hit-4",
        "wild-attack-attack",
    )  # fmt: skip


CHOICES: Mapping[str, str] = {
    "draw_from": "launcher pile",
    "next_dealer": "winner loser",
    "first_player": "left-of-dealer dealer",
    "start_direction": "clockwise counterclockwise",
    "start_reverse": "dealer right-of-dealer",
    "start_wild": "first-player-names left-of-dealer-names put-back",
    "after_draw": "end play play-number race-number until-playable",
    "after_voluntary_draw": "same end",
    "catch_window": "next-begins next-plays while-one-card",
    "wild_four": "any-time no-colour no-match no-other",
    "guilty_next": "plays skipped",
    "after_chain": "match colour-only",
    "two_player_reverse": "skip plain",
    "sets": "off identical rank",
    "set_effects": "each once",
    "jump_in": "off numbers coloured identical",
    "zero": "plain rotate-hands",
    "red_zero": "plain draw-ten",
    "seven": "plain swap-hands",
    "two": "plain silence",
    "nine": "plain slap",
    "misplay": "reject penalty",
    "hit_fire": "until-fire until-colour",
    "attack_attack_next": "second next",
    "tracking": "all effects",
}


@pytest.mark.parametrize("name", CHOICES)
def test_every_value_of_a_choice_is_possible_and_no_other(name: str) -> None:
    for value in CHOICES[name].split():
        assert resolve("attack", {name: value}).options[name] == value
    with pytest.raises(OptionError, match=rf"option {name} = sideways is not possible; it is one of "):
        resolve("attack", {name: "sideways"})
    assert set(CHOICES) == {option.name for option in OPTIONS if option.kind == CHOICE}


@pytest.mark.parametrize(
    ("preset", "options", "problem"),
    [
        ("atack", {}, "there is no preset 'atack'; did you mean 'attack'?"),
        ("whist", {}, "there is no preset 'whist'; it is one of attack, attack-sheet"),
        ("attack", {"uno_penality": 2}, "there is no option 'uno_penality'; did you mean 'uno_penalty'?"),
        ("attack", {"UNO": 2}, "there is no option 'UNO'; it is one of deck, decks"),
        ("attack", {"sets": "identicle"}, "option sets = identicle is not possible; did you mean 'identical'?"),
        ("attack", {"sets": True}, "option sets = true: must be a text in quotes"),
        ("attack", {"defend": "skp"}, "option defend: 'skp' is not possible here; did you mean 'skip'?"),
        ("attack", {"defend": "off"}, "option defend: 'off' is not possible here; it is one of draw-two"),
        ("attack", {"defend": True}, "option defend = true: must be a list of words"),
        ("attack", {"defend": [2]}, "option defend = [2]: must be a list of words"),
        ("attack", {"defend": ["skp"]}, "option defend: 'skp' is not possible here; did you mean 'skip'?"),
        ("attack", {"defend": ["wild"]}, "option defend: 'wild' is not possible here; "),
        ("attack", {"last_card": "skp"}, "option last_card: 'skp' is not possible here; did you mean 'skip'?"),
        ("attack", {"last_card": "number"}, "option last_card: 'number' is not possible here; did you mean 'numbers'?"),
        ("attack", {"last_card": ["trade-hand"]}, "'trade-hand' is not possible here; did you mean 'trade-hands'?"),
        ("attack", {"last_card": 7}, "option last_card = 7: must be a list of words"),
        ("attack", {"challenge": "yes"}, "option challenge = yes: must be true or false"),
        ("attack", {"challenge": 1}, "option challenge = 1: must be true or false"),
        ("attack", {"uno_penalty": "two"}, "option uno_penalty = two: must be a whole number from 0"),
        ("attack", {"uno_penalty": -1}, "option uno_penalty = -1: must be a whole number from 0"),
        ("attack", {"uno_penalty": True}, "option uno_penalty = true: must be a whole number from 0"),
        ("attack", {"uno_penalty": 2.0}, "option uno_penalty = 2.0: must be a whole number from 0"),
        ("attack", {"hand_size": 0}, "option hand_size = 0: must be a whole number from 1"),
        ("attack", {"decks": 0}, "option decks = 0: must be a whole number from 1 to 20"),
        ("attack", {"decks": 1_000_000_000}, "option decks = 1000000000: must be a whole number from 1 to 20"),
        ("attack", {"players": 4}, "option players = 4: must be a text in quotes"),
        ("attack", {"players": "1-4"}, 'option players = "1-4": must be least-most, like "2-9", with 2 at least'),
        ("attack", {"players": "5-4"}, 'option players = "5-4": must be least-most'),
        ("attack", {"players": "two"}, 'option players = "two": must be least-most'),
        ("attack", {"deck": "attack"}, "option deck: there is no deck 'attack'"),
        ("attack", {"deck": "clasic-108"}, "option deck: there is no deck 'clasic-108', did you mean 'classic-108'?"),
        ("attack", {"deck": 5}, "option deck = 5: must be a text in quotes"),
        # more cards in the hands than the deck holds, less the one that is turned up
        ("attack", {"hand_size": 56}, "2 players would take 112 cards, and there are 112; at most 55 each, or more"),
        (
            "classic",
            {"players": "8-9", "hand_size": 14},
            "8 players would take 112 cards, and there are 108; at most 13",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(preset: str, options: dict[str, object], problem: str) -> None:
    with pytest.raises(OptionError, match=re.escape(problem)):
        resolve(preset, options)


def test_the_largest_hands_that_leave_a_card() -> None:
    assert resolve("attack", {"hand_size": 55}).hand_size == 55
    assert resolve("attack", {"hand_size": 56, "decks": 2}).hand_size == 56
    assert resolve("classic", {"players": "8-9", "hand_size": 13}).hand_size == 13


def test_a_rank_that_the_deck_lacks_is_no_contradiction() -> None:
    rules = resolve("attack", {"defend": ["draw-two"], "last_card": ["wild-draw-four"], "zero": "rotate-hands"})
    assert (rules.defend, rules.last_card, rules.zero) == (("draw-two",), ("wild-draw-four",), "rotate-hands")


def test_a_word_alone_is_the_list_of_one() -> None:
    rules = resolve("attack", {"defend": "hit-2", "last_card": "skip"})
    assert (rules.defend, rules.last_card) == (("hit-2",), ("skip",))
    assert [resolve("attack", {"last_card": word}).last_card for word in ("any", "numbers")] == ["any", "numbers"]


@st.composite
def any_options(draw: st.DrawFn) -> dict[str, object]:
    """Any subset of the options, each with a value of its own kind."""
    chosen: dict[str, object] = {}
    for option in OPTIONS:
        if not draw(st.booleans()):
            continue
        if option.kind == CHOICE:
            chosen[option.name] = draw(st.sampled_from(option.choices))
        elif option.kind == YES_NO:
            chosen[option.name] = draw(st.booleans())
        elif option.kind == UNITS:
            chosen[option.name] = draw(st.integers(0, 9))
        elif option.name == "defend":
            chosen[option.name] = draw(st.lists(st.sampled_from(DEFENCES), unique=True))
        elif option.name == "last_card":
            chosen[option.name] = draw(st.sampled_from(["any", "numbers", ["skip", "wild"], []]))
        elif option.name == "hand_size":
            chosen[option.name] = draw(st.integers(1, 50))
    return chosen


@given(preset=st.sampled_from(sorted(PRESETS)), options=any_options())
def test_any_options_go_on_top_of_any_preset(preset: str, options: dict[str, object]) -> None:
    rules = resolve(preset, options)
    expected = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    assert rules.options == {**written_out(preset), **expected}
    assert rules.changed == {name: value for name, value in expected.items() if value != written_out(preset)[name]}
    again = {name: list(value) if isinstance(value, tuple) else value for name, value in rules.options.items()}
    assert resolve("killer", again).options == rules.options


def test_values_are_shown_as_people_write_them() -> None:
    assert [shown(value) for value in (True, 4, "play", ("skip", "wild"), ())] == [
        "true",
        "4",
        "play",
        "[skip, wild]",
        "[]",
    ]
