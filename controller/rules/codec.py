"""Actions and log entries as JSON data and back: for the journal, and for what phones send.

`{"do": "play", "seat": 1, "card": "wild", "colour": "blue"}`. Fields that hold their default are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

from . import actions as a
from .actions import Action
from .cards import COLOURS, NAME_OF, CardError, parse_card, parse_colour
from .chance import Answer
from .game import Entry

ACTIONS: dict[str, type] = {
    "play": a.Play, "hit": a.Hit, "draw": a.Draw, "done": a.Done, "pass": a.Pass, "colour": a.NameColour,
    "uno": a.Call, "catch": a.Catch, "accept": a.Accept, "challenge": a.Challenge, "slap": a.Slap,
    "last": a.LastSlap, "report": a.Report, "advice": a.Advice, "reload": a.Reload, "dealer": a.Dealer,
    "start": a.Start, "set-hand": a.SetHand, "set-score": a.SetScore, "set-turn": a.SetTurn,
    "set-direction": a.SetDirection, "set-colour": a.SetColour, "leave": a.Leave, "return": a.Return,
    "end-match": a.EndMatch,
    "correct": a.Correct, "undo": a.Undo, "count": a.Count, "points": a.Points, "next": a.Next,
}  # fmt: skip
"""Every action by the word it is called in logs and commands."""
WORD_OF: dict[type, str] = {kind: word for word, kind in ACTIONS.items()}

_JSON_NAME = {"mates": "set", "by_choice": "choice"}


class BadAction(ValueError):
    """Data that is no action: says which field is wrong and what it should be."""


def _card(value: object) -> int:
    if not isinstance(value, str):
        raise BadAction(f"a card is a text like 'red 5', not {value!r}")
    try:
        return parse_card(value)
    except CardError as error:
        raise BadAction(str(error)) from error


def _card_list(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 500:
        raise BadAction("cards must be a list of texts like 'red 5'")
    return tuple(_card(item) for item in value)


def _colour(value: object) -> int:
    if not isinstance(value, str):
        raise BadAction(f"a colour is one of {', '.join(COLOURS)}, not {value!r}")
    try:
        return parse_colour(value)
    except CardError as error:
        raise BadAction(str(error)) from error


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -1_000_000 < value < 1_000_000:
        raise BadAction(f"a number is expected, not {value!r}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadAction(f"true or false is expected, not {value!r}")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str) or len(value) > 40:
        raise BadAction("a short text is expected")
    return value


def _reader(kind: type, field: str) -> Callable[[object], object]:
    if field == "card":
        return _card
    if field in ("mates", "keep") or (field == "cards" and kind is a.Count):
        return _card_list
    if field == "colour":
        return _colour
    if field == "by_choice":
        return _flag
    return _word if field == "verdict" else _whole


def _writer(kind: type, field: str) -> Callable[[Any], object]:
    if field == "card":
        return lambda card: NAME_OF[card]
    if field in ("mates", "keep") or (field == "cards" and kind is a.Count):
        return lambda cards: [NAME_OF[card] for card in cards]
    if field == "colour":
        return lambda colour: COLOURS[colour]
    return lambda value: value


def action_to_json(action: Action) -> dict[str, object]:
    """`action` as JSON data."""
    kind = type(action)
    data: dict[str, object] = {"do": WORD_OF[kind]}
    for field in fields(kind):
        value = getattr(action, field.name)
        if value != field.default:
            data[_JSON_NAME.get(field.name, field.name)] = _writer(kind, field.name)(value)
    return data


def action_from_json(data: dict[str, Any]) -> Action:
    """The action that `data` says. Raises `BadAction`, naming the field. Whether it is allowed the game decides."""
    word = data.get("do")
    if not isinstance(word, str) or word not in ACTIONS:
        near = get_close_matches(str(word), ACTIONS, n=1)
        raise BadAction(f"there is no action '{word}'" + (f", did you mean '{near[0]}'?" if near else ""))
    kind = ACTIONS[word]
    values: dict[str, object] = {}
    known = {_JSON_NAME.get(field.name, field.name): field for field in fields(kind)}
    for name, value in data.items():
        if name == "do":
            continue
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f", did you mean '{near[0]}'?" if near else f"; it has {', '.join(known) or 'no fields'}"
            raise BadAction(f"'{word}' has no field '{name}'{meant}")
        try:
            values[known[name].name] = _reader(kind, known[name].name)(value)
        except BadAction as error:
            raise BadAction(f"'{word}', field '{name}': {error}") from error
    for name, field in known.items():
        if field.default is MISSING and field.name not in values:
            raise BadAction(f"'{word}' needs the field '{name}'")
    action: Action = kind(**values)
    return action


def entry_to_json(entry: Entry) -> dict[str, object]:
    """A row of the log as JSON data: action, answers of chance (shuffles as card numbers), digest."""
    data: dict[str, object] = {"action": action_to_json(entry.action)}
    if entry.chances:
        data["chances"] = [list(answer) if isinstance(answer, tuple) else answer for answer in entry.chances]
    data["digest"] = entry.digest
    return data


def entry_from_json(data: dict[str, Any]) -> Entry:
    """The row of the log that `data` says. Raises `BadAction`."""
    try:
        answers: list[Answer] = [
            tuple(answer) if isinstance(answer, list) else int(answer) for answer in data.get("chances", [])
        ]
        return Entry(action_from_json(data["action"]), tuple(answers), str(data["digest"]))
    except (KeyError, TypeError) as error:
        raise BadAction(f"this row of the log cannot be read: {error!r}") from error
