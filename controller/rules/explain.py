"""A rule set in the words of a family at a table: a sentence for every option and value, and for every card.

The words are data (`words/*.toml`): a text for each `option.value` (and `card.rank`, `rule.name`, ...), in which
`{units}` and the like are filled in. Another language is another such file with the same keys, and with the names of
options and decks (`option.name`, `title.deck`), which in English stand where those are made. Nothing is decided here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from .cards import POINTS_OF, RANK_OF, RANKS, SKIP
from .options import (
    BY_NAME,
    DECK,
    LAST_CARD,
    LIST,
    PLAYERS,
    PRESETS,
    UNITS,
    WHOLE,
    YES_NO,
    RuleSet,
    Value,
    resolve,
    shown,
)
from .plays import UNITS_OF
from .records import record

GROUPS: dict[str, tuple[str, ...]] = {
    "cards": ("deck", "decks"),
    "dealing": (
        "players", "hand_size", "next_dealer", "first_player", "start_direction", "start_reverse", "start_wild",
    ),
    "turn": ("draw_from", "voluntary_draw", "last_card", "two_player_reverse"),
    "taking": ("after_draw", "after_voluntary_draw"),
    "uno": ("uno_penalty", "catch_window", "swap_owes_call", "false_uno_penalty", "false_catch_penalty"),
    "penalties": (
        "hit_fire", "attack_attack_next", "wild_four", "challenge", "challenge_guilty", "challenge_innocent",
        "guilty_next", "defend", "after_chain", "wild_after_draw", "advice_penalty", "misplay",
    ),
    "house": ("sets", "set_effects", "jump_in", "zero", "red_zero", "seven", "two", "nine"),
    "table": ("reload_below", "tracking"),
}  # fmt: skip
"""Which options stand together, in the order in which a table would explain them."""

ALWAYS: dict[str, tuple[str, ...]] = {"turn": ("match", "wild"), "uno": ("call",), "penalties": ("owed", "last-effect")}
"""What a group says before its options: true at every table."""

SHEETS: dict[str, str] = {
    "attack": "attack", "attack-sheet": "printed", "extreme": "printed", "attack-2015": "printed",
    "mega-hit": "printed", "classic": "classic", "classic-dealer-first": "classic-tables",
    "classic-clockwise": "classic-tables", "classic-strict": "classic-tables", "stack": "stack", "killer": "killer",
}  # fmt: skip
"""The kind of rule sheet that each preset comes from."""

LANGUAGES: Final[Mapping[str, str]] = {"en": "english", "zh-Hans": "zh-Hans", "zh-Hant": "zh-Hant"}
"""Every language by its tag (BCP 47), with the file of its words."""

OWN = ("decks", "reload_below", "tracking")
"""Options that no sheet knows: a machine's, or a program's."""

_NEEDS_CARD: dict[str, tuple[str, ...]] = {
    "hit_fire": ("wild-hit-fire",), "attack_attack_next": ("wild-attack-attack",), "wild_four": ("wild-draw-four",),
    "challenge": ("wild-draw-four",), "start_reverse": ("reverse",),
    "wild_after_draw": ("draw-two", "wild-draw-four", "hit-1", "hit-2", "wild-hit-4", "wild-attack-attack"),
    "two_player_reverse": ("reverse",), "zero": ("0",), "red_zero": ("0",), "seven": ("7",), "two": ("2",),
    "nine": ("9",), "start_wild": ("wild", "wild-customizable", "wild-attack-attack"),
}  # fmt: skip


@record
class Line:
    """One sentence: its `key` in the catalogue, and the option and value it tells of (empty: true at every table)."""

    key: str
    text: str
    option: str = ""
    value: str = ""


@record
class Section:
    """Sentences that belong together, under a title."""

    key: str
    title: str
    lines: tuple[Line, ...]


def english() -> Mapping[str, str]:
    """The texts by key, in English."""
    return words("en")


@cache
def words(language: str) -> Mapping[str, str]:
    """The texts by key, in one of `LANGUAGES`."""
    file = resources.files(__package__).joinpath("words", f"{LANGUAGES[language]}.toml")
    text = file.read_text(encoding="utf-8")
    return {f"{table}.{key}": words for table, entries in tomllib.loads(text).items() for key, words in entries.items()}


def explain(rules: RuleSet, texts: Mapping[str, str] | None = None) -> tuple[Section, ...]:
    """The whole rule set, group by group. What cannot come up at this table is left out."""
    texts = texts or english()
    sections = []
    for group, options in GROUPS.items():
        lines = [_always(rules, name, texts) for name in ALWAYS.get(group, ())]
        lines += [sentence(rules, option, texts) for option in options if worth_saying(rules, option)]
        if group == "cards":
            lines += card_lines(rules, texts)
        if not lines:
            lines = [_always(rules, "no-house", texts)]
        sections.append(Section(group, texts[f"group.{group}"], tuple(lines)))
    return tuple(sections)


def differences(
    one: RuleSet, other: RuleSet, texts: Mapping[str, str] | None = None
) -> tuple[tuple[Section, Section], ...]:
    """What the two say differently: pairs of sections with the same options, without groups that are alike."""
    texts = texts or english()
    pairs = []
    for group, options in GROUPS.items():
        unlike = [name for name in options if one.options[name] != other.options[name]]
        told = [name for name in unlike if applies(one, name) or applies(other, name)]
        sides = [tuple(sentence(rules, name, texts) for name in told) for rules in (one, other)]
        if told:
            title = texts[f"group.{group}"]
            pairs.append((Section(group, title, sides[0]), Section(group, title, sides[1])))
    return tuple(pairs)


def applies(rules: RuleSet, option: str) -> bool:
    """Whether an option can ever matter under these rules: its card is in the deck, what it hangs on is on."""
    cards = _NEEDS_CARD.get(option)
    if cards and not any(RANKS.index(rank) in ranks(rules) for rank in cards):
        return False
    if option in ("challenge_guilty", "challenge_innocent", "guilty_next"):
        return rules.challenge and applies(rules, "challenge")
    if option == "after_voluntary_draw":
        return rules.voluntary_draw
    if option == "after_chain":
        return bool(rules.defend)
    if option == "set_effects":
        return rules.sets != "off"
    if option == "swap_owes_call":
        swaps = rules.zero == "rotate-hands" or rules.seven == "swap-hands"
        return swaps or RANKS.index("trade-hands") in ranks(rules)
    return rules.launcher if option == "reload_below" else True


def worth_saying(rules: RuleSet, option: str) -> bool:
    """Whether a table would mention it: it applies, and it is not a house rule that is off."""
    value = rules.options[option]
    return applies(rules, option) and not (option in GROUPS["house"] and value in ("plain", "off"))


def ranks(rules: RuleSet) -> dict[int, int]:
    """The ranks in the game with how many cards of each, all decks together."""
    found: dict[int, int] = {}
    for card in rules.deck_order:
        found[RANK_OF[card]] = found.get(RANK_OF[card], 0) + 1
    return dict(sorted(found.items()))


def card_lines(rules: RuleSet, texts: Mapping[str, str]) -> list[Line]:
    """What the cards of this game do: the numbers together, then a line for each other rank."""
    held = ranks(rules)
    numbers = [rank for rank in held if rank < SKIP]
    lines = []
    if numbers:
        count = sum(held[rank] for rank in numbers)
        text = texts["card.numbers"].format(least=numbers[0], most=numbers[-1], count=count)
        lines.append(Line("card.numbers", text))
    for rank, count in held.items():
        if rank >= SKIP:
            name, points = RANKS[rank], POINTS_OF[RANK_OF.index(rank)]
            said = card_text(name, rules.draw_from, texts)
            text = texts["card.line"].format(name=texts[f"name.{name}"], count=count, points=points, text=said)
            lines.append(Line(f"card.{name}", text))
    return lines


def card_text(rank: str, source: str, texts: Mapping[str, str]) -> str:
    """What a card other than a number does. `source`: where units come from, or `any`."""
    key = f"card.{rank}"
    key = f"{key}.{source}" if f"{key}.{source}" in texts else key
    return texts[key].format(units=units(source, UNITS_OF.get(RANKS.index(rank), 1), texts))


def _always(rules: RuleSet, name: str, texts: Mapping[str, str]) -> Line:
    return Line(f"rule.{name}", texts[f"rule.{name}"].format(units=units(rules.draw_from, 1, texts)))


def text_key(option: str, value: Value, texts: Mapping[str, str]) -> str:
    """The key of the sentence for `value` of `option`."""
    kind_of = BY_NAME[option].kind
    if kind_of == YES_NO:
        return f"{option}.{'yes' if value else 'no'}"
    if kind_of in (DECK, PLAYERS):
        return f"{option}.n"
    if kind_of in (UNITS, WHOLE):
        return f"{option}.{value}" if f"{option}.{value}" in texts else f"{option}.n"
    if kind_of == LIST:
        return f"{option}.{'n' if value else 0}"
    if kind_of == LAST_CARD and not isinstance(value, str):
        return f"{option}.{'n' if value else 'any'}"
    return f"{option}.{value}"


def sentence(rules: RuleSet, option: str, texts: Mapping[str, str] | None = None) -> Line:
    """What `rules` say about one option."""
    texts = texts or english()
    value = rules.options[option]
    key = text_key(option, value, texts)
    key = f"{key}.{rules.draw_from}" if f"{key}.{rules.draw_from}" in texts else key
    fillings = {
        "title": rules.cards.title,
        "total": str(len(rules.deck_order)),
        "least": str(rules.least_players),
        "most": str(rules.most_players),
        **fillings_of(option, value, rules.draw_from, texts),
    }
    return Line(key, texts[key].format(**fillings), option, shown(value))


def fillings_of(option: str, value: Value, source: str, texts: Mapping[str, str]) -> dict[str, str]:
    """What a sentence about `value` leaves open, but for what only a whole rule set can say."""
    number = value if isinstance(value, int) and not isinstance(value, bool) else 1
    listed = list(value) if isinstance(value, tuple) else []
    if option == "defend":
        items = texts["list.semicolon"].join(texts[f"defend.{each}"] for each in listed)
    else:
        items = _listed([texts.get(f"name.{each}", each) for each in listed], texts)
    told = {name: units(source, count, texts) for name, count in (("units", number), ("two", 2), ("ten", 10))}
    return {"n": str(number), "items": items, **told}


def units(source: str, number: int | str, texts: Mapping[str, str]) -> str:
    """So many hits or cards, as a unit is at a table that takes from `source`: `launcher`, `pile`, or `any`."""
    return texts[f"unit.{source}.{'1' if number == 1 else 'n'}"].format(n=number)


def _listed(items: list[str], texts: Mapping[str, str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return texts["list.and"].format(before=texts["list.comma"].join(items[:-1]), last=items[-1])


def origins(option: str, value: Value) -> tuple[str, ...]:
    """The kinds of rule sheet from which a value comes: of the presets that have it and where it can matter."""
    if option in OWN:
        return ("own",)
    touched = {preset: rules for preset, rules in _presets().items() if applies(rules, option)}
    having = [preset for preset, rules in touched.items() if rules.options[option] == value]
    if not having:
        return ("house",)
    if len(having) == len(touched) and len({SHEETS[preset] for preset in having}) > 1:
        return ("every",)
    return tuple(dict.fromkeys(SHEETS[preset] for preset in having))


@cache
def _presets() -> dict[str, RuleSet]:
    return {preset: resolve(preset) for preset in PRESETS}
