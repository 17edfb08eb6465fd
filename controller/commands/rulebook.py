"""The tables of `docs/rules.md`: options, presets and cards, made from what the rules themselves say, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controller.rules.cards import POINTS_OF, RANK_OF, RANKS, SKIP
from controller.rules.decks import BUILT_IN, deck
from controller.rules.explain import GROUPS, SHEETS, applies, card_text, english, fillings_of, origins, text_key
from controller.rules.options import (
    BY_NAME,
    CHOICE,
    DECK,
    LAST_CARD,
    LIST,
    PRESETS,
    YES_NO,
    Option,
    RuleSet,
    Value,
    resolve,
    shown,
)

Row = tuple[str, ...]
ANY = "any"
"""Units in the document are of no table: cards or hits."""


def blocks() -> dict[str, str]:
    """The generated blocks by name, each with its markers."""
    made = {"cards": _cards(), "presets": _presets(), "options": _options()}
    return {name: f"<!-- generated: {name} -->\n\n{text}\n\n<!-- end: {name} -->" for name, text in made.items()}


def filled(text: str) -> str:
    """`text` with every generated block renewed. Raises `ValueError` when one has no markers."""
    for name, block in blocks().items():
        found = re.findall(rf"<!-- generated: {name} -->.*?<!-- end: {name} -->", text, flags=re.DOTALL)
        if len(found) != 1:
            raise ValueError(f"the markers '<!-- generated: {name} -->' and '<!-- end: {name} -->' must be there once")
        text = text.replace(found[0], block)
    return text


def _table(head: Row, rows: Sequence[Row]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cards() -> str:
    """What every card is worth and does, and how many of it each deck holds."""
    texts = english()
    decks = [deck(name) for name in BUILT_IN]
    held = [[sum(count for card, count in enumerate(each.counts) if RANK_OF[card] == rank) for each in decks]
            for rank in range(len(RANKS))]  # fmt: skip
    rows: list[Row] = []
    for rank, name in enumerate(RANKS):
        if not any(held[rank]):
            continue
        said = texts["card.number"] if rank < SKIP else card_text(name, ANY, texts)
        label = name if rank < SKIP else texts[f"name.{name}"]
        points = str(POINTS_OF[RANK_OF.index(rank)])
        rows.append((label, points, *(str(count or "") for count in held[rank]), _upper(said)))
    rows.append(("all", "", *(f"{len(each.cards)}" for each in decks), ""))
    rows.append(("points", "", *(f"{each.points}" for each in decks), "All that a deck would cost in one hand."))
    return _table(("card", "points", *(f"`{name}`" for name in BUILT_IN), "what it does"), rows)


def _presets() -> str:
    """Every preset: where it comes from, whom it suits, and what it changes in the one before it that is most alike."""
    texts = english()
    rows: list[Row] = []
    before: dict[str, RuleSet] = {}
    for preset in PRESETS:
        rules = resolve(preset)
        unlike = {name: _unlike(rules, other) for name, other in before.items()}
        base = min(unlike, key=lambda name: len(unlike[name]), default="")
        changed = f"`{base}` with {', '.join(f'`{each}`' for each in unlike[base])}" if base else "where all begins"
        rows.append((f"`{preset}`", texts[f"sheet.{SHEETS[preset]}"], texts[f"preset.{preset}"], changed))
        before[preset] = rules
    return _table(("preset", "kind of sheet", "for", "what it is"), rows)


def _unlike(rules: RuleSet, other: RuleSet) -> list[str]:
    return [f"{name} = {shown(value)}" for name, value in rules.options.items() if value != other.options[name]]


def _options() -> str:
    """Every option and value in words, under the titles of the groups."""
    texts = english()
    parts = []
    for group, names in GROUPS.items():
        rows = [row for name in names for row in _rows(BY_NAME[name])]
        table = _table(("option", "value", "at the table", "presets", "kind of sheet"), rows)
        parts.append(f"### {texts[f'group.{group}']}\n\n{table}")
    return "\n\n".join(parts)


def _rows(option: Option) -> list[Row]:
    rows: list[Row] = []
    for label, value in _values(option):
        touched = [preset for preset in PRESETS if applies(resolve(preset), option.name)]
        having = [preset for preset in touched if resolve(preset).options[option.name] == value]
        presets = "all" if having == list(PRESETS) else ", ".join(f"`{preset}`" for preset in having)
        sheets = ", ".join(english()[f"sheet.{sheet}"] for sheet in origins(option.name, value))
        name = "" if rows else f"`{option.name}`<br>{option.text}"
        rows.append((name, f"`{label}`", _words(option, value), presets, sheets))
    return rows


def _values(option: Option) -> list[tuple[str, Value]]:
    """The values that the document tells of: each there is, or each that a preset has, and 0 where that is special."""
    own = list(dict.fromkeys(resolve(preset).options[option.name] for preset in PRESETS))
    if option.kind == CHOICE:
        return [(choice, choice) for choice in option.choices]
    if option.kind == YES_NO:
        return [("yes", True), ("no", False)]
    if option.kind == LAST_CARD:
        values: list[Value] = ["any", "numbers", *(value for value in own if isinstance(value, tuple))]
        return [(shown(value), value) for value in values]
    if option.kind == DECK:
        return [(name, name) for name in BUILT_IN]
    if option.kind == LIST or f"{option.name}.0" not in english():
        return [(shown(value), value) for value in own]
    return [(shown(value), value) for value in dict.fromkeys((0, *own))]


def _words(option: Option, value: Value) -> str:
    texts = english()
    fillings = fillings_of(option.name, value, ANY, texts)
    if option.name == "players":
        least, _, most = str(value).partition("-")
        fillings |= {"least": least, "most": most}
    if option.name == "deck":
        fillings["title"] = deck(str(value)).title
    return texts[text_key(option.name, value, texts)].format(**fillings)
