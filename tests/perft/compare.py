"""Counting action sequences with the engine and with the brute force, and finding the first place where they differ.

Both are asked about the same vocabulary, in the words of case files; a difference is told as the steps that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from controller.rules import actions as a
from controller.rules import engine
from controller.rules.actions import Action as EngineAction
from controller.rules.cards import COLOURS, KIND_OF, NAME_OF
from controller.rules.cases import read_case
from controller.rules.position import COUNT
from controller.rules.position import Position as EnginePosition

from . import plain
from .vocabulary import Action, vocabulary

Said = tuple[Action, EngineAction]


class Differ(AssertionError):
    """Engine and brute force do not agree; the text is a few steps to play, and what each of the two says then."""


def engine_position(head: str) -> EnginePosition:
    """The engine's position for the head of a case file."""
    return read_case(head).game.position


def for_engine(action: Action, players: tuple[str, ...]) -> EngineAction:
    """An action in the engine's numbers."""
    seat = players.index(action.who)
    target = players.index(action.target) if action.target else -1
    colour = COLOURS.index(action.colour) if action.colour else -1
    match action.verb:
        case "play":
            first, *mates = (KIND_OF[card] for card in action.cards)
            keep = tuple(KIND_OF[card] for card in action.keep)
            return a.Play(seat, first, colour, target, tuple(mates), keep)
        case "hit":
            return a.Hit(seat, action.came)
        case "colour":
            return a.NameColour(seat, colour)
        case "catch":
            return a.Catch(seat, target)
        case "report":
            return a.Report(seat, target)
    return ALONE[action.verb](seat)


ALONE: dict[str, Callable[[int], EngineAction]] = {
    "draw": a.Draw,
    "pass": a.Pass,
    "uno": a.Call,
    "accept": a.Accept,
    "challenge": a.Challenge,
    "slap": a.Slap,
}


@lru_cache(maxsize=1024)
def _said(players: tuple[str, ...], seat: int, hand: bytes, choosing: tuple[str, ...]) -> tuple[Said, ...]:
    """Everything one player could say, in words and in numbers."""
    words = vocabulary(players[seat], tuple(sorted(NAME_OF[card] for card in hand)), players, choosing)
    return tuple((action, for_engine(action, players)) for action in words)


def engine_actions(pos: EnginePosition) -> list[Said]:
    """Everything the engine accepts, of everything anybody can say."""
    choosing = plain.choosing(pos.rules.seven)
    return [
        (action, numbers)
        for seat, hand in enumerate(pos.hands)
        for action, numbers in _said(tuple(pos.players), seat, bytes(sorted(hand)), choosing)
        if engine.reason_against(pos, numbers) is None
    ]


def engine_after(pos: EnginePosition, action: EngineAction) -> EnginePosition:
    """The engine's position after an action, `pos` untouched."""
    new = pos.copy()
    engine.apply(new, action)
    return new


def count_by_engine(pos: EnginePosition, depth: int, known: dict[tuple[object, int], int] | None = None) -> int:
    """How many sequences of `depth` actions the engine accepts from here."""
    known = {} if known is None else known
    key = (pos.state()[1:], depth)
    if key not in known:
        actions = engine_actions(pos)
        known[key] = (
            len(actions)
            if depth == 1
            else sum(count_by_engine(engine_after(pos, parsed), depth - 1, known) for _, parsed in actions)
        )
    return known[key]


def count_both(head: str, depth: int) -> int:
    """The same by both, compared at every position on the way and at its end. Raises `Differ`."""
    return _count_both(engine_position(head), plain.read(head), depth, [], {})


def _count_both(
    pos: EnginePosition, p: plain.Position, depth: int, steps: list[str], known: dict[tuple[object, str, int], int]
) -> int:
    key = (pos.state()[1:], repr(p), depth)
    if key in known:
        return known[key]
    by_engine, by_plain = actions_of_both(pos, p, steps) if depth else ({}, [])
    total = 0 if depth else 1
    if not depth:
        compare(pos, p, steps)
    for action in by_plain:
        after = plain.do(p, action)
        total += _count_both(engine_after(pos, by_engine[action]), after, depth - 1, [*steps, action.step()], known)
    known[key] = total
    return total


def actions_of_both(
    pos: EnginePosition, p: plain.Position, steps: list[str]
) -> tuple[dict[Action, EngineAction], list[Action]]:
    """What engine and brute force accept here, which is the same. Raises `Differ`."""
    compare(pos, p, steps)
    by_engine = dict(engine_actions(pos))
    by_plain = plain.actions(p)
    if set(by_engine) != set(by_plain):
        raise Differ("\n".join([*steps, *_only(by_engine, by_plain)]))
    return by_engine, by_plain


def _only(by_engine: dict[Action, EngineAction], by_plain: list[Action]) -> Iterator[str]:
    for action in sorted(set(by_engine) ^ set(by_plain)):
        yield f"{action.step()}    # only the {'engine' if action in by_engine else 'brute force'} accepts this"


def compare(pos: EnginePosition, p: plain.Position, steps: list[str]) -> None:
    """Whether both are the same to look at. Raises `Differ`."""
    engine_view, plain_view = view_of_engine(pos), view_of_plain(p)
    wrong = [
        f"? {key}    # engine {engine_view[key]}, brute force {plain_view[key]}"
        for key in plain_view
        if plain_view[key] != engine_view[key]
    ]
    if wrong:
        raise Differ("\n".join([*steps, *wrong]))


def view_of_engine(pos: EnginePosition) -> dict[str, object]:
    """What can be seen of the engine's position, in words. While a slap is on nobody can tell whose turn it is."""
    over = pos.phase > COUNT
    last_standing = pos.settings.format == "last-standing"
    return {
        "round over": over,
        "turn": "" if pos.slap or over else pos.players[pos.turn],
        "direction": pos.step,
        "colour": COLOURS[pos.colour] if pos.colour < len(COLOURS) else "",
        "discards": [NAME_OF[pos.top], len(pos.discards)],
        "hands": [sorted(NAME_OF[card] for card in hand) for hand in pos.hands],
        "owed": [0 if over else pos.owed(seat) for seat in range(len(pos.players))],
        "out": [pos.gone_out(seat) for seat in range(len(pos.players))],
        "order out": [pos.players[seat] for seat in pos.out][: len(pos.out) if last_standing else 1],
        "slap": [name for seat, name in enumerate(pos.players) if pos.slap >> seat & 1],
        "scores": list(pos.match.scores) if over else [],
    }


def view_of_plain(p: plain.Position) -> dict[str, object]:
    """The same of the brute force's position."""
    return {
        "round over": p.over,
        "turn": "" if p.slap or p.over else p.turn,
        "direction": p.direction,
        "colour": p.colour,
        "discards": [p.top, len(p.discards)],
        "hands": [sorted(p.hands[name]) for name in p.players],
        "owed": [0 if p.over else p.owed(name) for name in p.players],
        "out": [name in p.out or (name in p.still_in and not p.hands[name]) for name in p.players],
        "order out": p.out if p.format == "last-standing" else p.out[:1],
        "slap": p.slap,
        "scores": [p.scores[name] for name in p.players] if p.over else [],
    }
