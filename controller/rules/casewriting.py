"""A refusal at a table written down as a case file that `cases` plays: where the game stood, and what was refused.

The file begins at the last moment that the head of a case file can describe, and tells the actions since then. Cards
that only others may see are replaced by stand-ins: other cards, of the same number, drawn from all that the asker
cannot see. A file is handed out only when it comes to the same refusal, and to a table that looks the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import Any

from . import actions as a
from . import views
from .actions import Action
from .cards import COLOURS, NAME_OF, NO_COLOUR, UNKNOWN
from .cases import read_case
from .casesteps import CaseError, parse_action, play_step
from .matches import MatchSettings
from .position import PLAY, Position
from .records import record
from .refusals import Refusal, Refused

_TRIES = 4  # ways to choose the stand-ins
_BEGINNINGS = 6  # moments from which the file could begin
_NEVER_TOLD = (a.Next, a.Start, a.Dealer, a.Undo, a.Return, a.EndMatch, a.Count, a.Points)
_SAME = ("turn", "direction", "top", "colour", "due", "silence", "slap")
_SAME_OF_SEAT = ("name", "hand", "owed", "out", "called", "catchable")


@record
class Dispute:
    """`action` was `refused` where the game stood as `now`; `story`: what was done before, with the position before."""

    story: list[tuple[Action, Position]]
    now: Position
    action: Action
    refused: Refusal


class _CannotBeTold(Exception):
    """This beginning will not do."""


def write_case(dispute: Dispute, knows: frozenset[int] | None) -> str | None:
    """The case as TOML, with no hand shown but those of the seats in `knows` (None: all); None when it cannot be."""
    for base, steps in _beginnings(dispute):
        for attempt in range(1 if knows is None else _TRIES):
            try:
                text = _Writer(dispute, base, steps, knows, attempt).text()
            except _CannotBeTold:
                break
            if _holds(text, dispute):
                return text
    return None


def _mixed(cards: Sequence[int], attempt: int) -> list[int]:
    """`cards` in an order that says nothing of where they lie: by size, then in strides; another at each attempt."""
    ordered, size = sorted(cards), len(cards)
    stride = size // 3 + 1 + attempt
    while gcd(stride, size) > 1:
        stride += 1
    return [ordered[place * stride % size] for place in range(size)]


def _beginnings(dispute: Dispute) -> Iterator[tuple[Position, list[tuple[Action, Position, Position]]]]:
    """Positions that a head can describe, the last first, each with what was done since: action, before, after."""
    steps: list[tuple[Action, Position, Position]] = []
    found, after = 0, dispute.now
    if _plain(after):
        found += 1
        yield after, []
    for action, before in reversed(dispute.story):
        if isinstance(action, _NEVER_TOLD) or before.phase != PLAY or found >= _BEGINNINGS:
            return
        steps.insert(0, (action, before, after))
        after = before
        if _plain(before):
            found += 1
            yield before, list(steps)


def _plain(pos: Position) -> bool:
    """Whether a head says all there is: nothing pending, nobody out, called or to be caught."""
    pending = pos.debts or pos.chain or pos.drawn is not None or pos.race is not None or pos.out
    marked = pos.slap or pos.called or pos.exposed or pos.must_play or pos.limits
    return pos.phase == PLAY and not pending and not marked and pos.naming < 0 and pos.silence < 0 and pos.resume < 0


class _Writer:
    """One attempt at one file."""

    def __init__(
        self,
        dispute: Dispute,
        base: Position,
        steps: list[tuple[Action, Position, Position]],
        knows: frozenset[int] | None,
        attempt: int,
    ) -> None:
        self._dispute = dispute
        self._base = base
        self._steps = steps
        self._seats = [seat for seat in range(len(base.players)) if base.inside >> seat & 1]
        self._knows = frozenset(self._seats) if knows is None else knows
        self._names = _plain_names(base.players)
        self._shown = {seat: _laid(steps, seat) for seat in self._seats}
        self._hidden: list[int] = []
        self._attempt = attempt

    def text(self) -> str:
        """The file. Raises `_CannotBeTold`."""
        base, dispute = self._base, self._dispute
        hands = {seat: self._hand(seat) for seat in self._seats}
        pile = self._pile()
        self._choose_stand_ins([card for cards in (*hands.values(), pile) for card in cards if card is not None])
        last = f"{step_of(dispute.action, self._names)} ! {dispute.refused.reason}"
        steps = [*(step_of(action, self._names) for action, _, _ in self._steps), last]
        because = dispute.refused.because
        scores = {self._names[seat]: base.match.scores[seat] for seat in self._seats}
        lines = [
            "# Hands of others are stand-ins: cards that may be theirs, as many as they held.",
            *(f"# decided by {each.option} = {each.value} (rules, section {each.section})" for each in because),
            _entry("title", f"Refused at a table: {last}"),
            _entry("preset", base.rules.preset),
            _entry("players", [self._names[seat] for seat in self._seats]),
            _entry("table", "physical" if base.physical else "digital"),
            _entry("top", NAME_OF[base.top]),
            *([_entry("colour", COLOURS[base.colour])] if base.colour != NO_COLOUR else []),
            _entry("turn", self._names[base.turn]),
            _entry("direction", views.direction(base.step)),
            *([_entry("dealer", self._names[base.dealer])] if base.dealer in self._seats else []),
            *([_entry("pile", [self._name(card) for card in pile])] if pile and not base.physical else []),
            "steps = [", *(f"  {_value(step)}," for step in steps), "]",
            "[hands]",
            *(_entry(self._names[seat], [self._name(card) for card in hands[seat]]) for seat in self._seats),
            *_table("rules", base.rules.changed),
            *_table("scores", {name: score for name, score in scores.items() if score}),
            *_table("match", self._match(base.settings)),
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def _hand(self, seat: int) -> list[int | None]:
        """The hand at the beginning, None for a card that is nobody's business."""
        cards = sorted(self._base.hands[seat])
        if seat in self._knows:
            return list(cards)
        if self._base.physical:
            return [UNKNOWN] * len(cards)
        laid, hand = self._shown[seat], list[int | None]()
        for card in cards:
            known = laid[card] > 0
            laid[card] -= known
            hand.append(card if known else None)
        return hand

    def _pile(self) -> list[int | None]:
        """The cards that came since the beginning, the first first. Raises `_CannotBeTold` after a shuffle."""
        came: list[int | None] = []
        for _, before, after in self._steps:
            if before.pile[: len(after.pile)] != after.pile:
                raise _CannotBeTold
            taken = list(reversed(before.pile[len(after.pile) :]))
            takers = [seat for seat in self._seats if len(after.hands[seat]) > len(before.hands[seat])]
            taker = takers[0] if len(takers) == 1 else -1
            for card in taken:
                if taker in self._knows or (taker >= 0 and self._shown[taker][card] > 0):
                    came.append(card)
                    if taker not in self._knows:
                        self._shown[taker][card] -= 1
                else:
                    came.append(None)
        return came

    def _choose_stand_ins(self, named: Iterable[int]) -> None:
        """In an order of no meaning, from all that the asker cannot see; so that they tell nothing of the truth."""
        base = self._base
        left = Counter(base.rules.deck_order)
        left.subtract(named)
        left.subtract(base.discards)
        self._hidden = sorted(left.elements())
        self._hidden = _mixed(self._hidden, self._attempt)

    def _name(self, card: int | None) -> str:
        if card is not None:
            return NAME_OF[card]
        if not self._hidden:
            raise _CannotBeTold
        return NAME_OF[self._hidden.pop()]

    def _match(self, settings: MatchSettings) -> dict[str, Any]:
        if settings.teams or settings.rotation:
            raise _CannotBeTold
        return {"format": settings.format, "target": settings.target, "rounds": settings.rounds}


def _laid(steps: Sequence[tuple[Action, Position, Position]], seat: int) -> Counter[int]:
    """The cards that `seat` has laid for all to see."""
    laid: Counter[int] = Counter()
    for action, before, after in steps:
        if isinstance(action, a.Play) and action.seat == seat and len(after.discards) > len(before.discards):
            laid.update(after.discards)
            laid.subtract(before.discards)
    return laid


def _plain_names(players: Sequence[str]) -> list[str]:
    """The players' names as steps can carry them: letters, figures and lines, each once."""
    names: list[str] = []
    for number, player in enumerate(players, 1):
        name = re.sub(r"\W+", "_", player).strip("_")
        names.append(name if name and name not in (*names, "table") else f"Player_{number}")
    return names


def _holds(text: str, dispute: Dispute) -> bool:
    """Whether the case comes to the same refusal, at a table that looks the same."""
    try:
        case = read_case(text)
        *steps, last = case.steps
        if any(play_step(case.game, step, case.chance) for step in steps):
            return False
        refused = case.game.check(parse_action(last.rpartition(" ! ")[0], case.game.position))
        if play_step(case.game, last, case.chance):
            return False
    except (CaseError, Refused):
        return False
    return refused == dispute.refused and _looks(case.game.position) == _looks(dispute.now)


def _looks(pos: Position) -> object:
    """What everybody sees of a position, as far as a case file can hold it; seats by name."""
    seen = views.public(pos)
    names = _plain_names(pos.players)
    inside = [seat for seat in range(len(names)) if pos.inside >> seat & 1]
    who = {seat: names[seat] for seat in inside}
    table = {key: seen[key] for key in _SAME}
    for key in ("turn", "silence"):
        table[key] = who.get(table[key], "")
    table["slap"] = [who.get(seat) for seat in table["slap"] or ()]
    due: dict[str, Any] = table["due"] or {}
    table["due"] = {**due, "seat": who.get(due.get("seat", -1), "")}
    seats = [[names[seat], *(seen["seats"][seat][key] for key in _SAME_OF_SEAT[1:])] for seat in inside]
    return table, seats


def step_of(action: Action, names: Sequence[str]) -> str:
    """`action` as a step of a case file. Raises `_CannotBeTold` for what steps have no words for."""
    words = _WORDS.get(type(action))
    if words is None:
        raise _CannotBeTold
    return words(action, names)


def _play(action: a.Play, names: Sequence[str]) -> str:
    text = ", ".join(NAME_OF[card] for card in (action.card, *action.mates))
    text += f" as {COLOURS[action.colour]}" if action.colour >= 0 else ""
    text += f" with {names[action.target]}" if action.target >= 0 else ""
    text += f" keep {', '.join(NAME_OF[card] for card in action.keep)}" if action.keep else ""
    return f"{names[action.seat]}: play {text}" + (f" and {action.went}" if action.went else "")


def _correct(action: a.Correct, names: Sequence[str]) -> str:
    return (
        f"table: correct {names[action.seat]} {action.cards}" if action.seat >= 0 else f"table: correct {action.cards}"
    )


def _challenge(action: a.Challenge, names: Sequence[str]) -> str:
    return f"{names[action.seat]}: challenge" + (f" -> {action.verdict}" if action.verdict else "")


def _reload(action: a.Reload, names: Sequence[str]) -> str:
    return "table: reload" + (f" {action.cards}" if action.cards >= 0 else "")


_WORDS: dict[type, Callable[[Any, Sequence[str]], str]] = {
    a.Play: _play,
    a.Hit: lambda x, who: f"{who[x.seat]}: hit {'by choice ' if x.by_choice else ''}-> {x.cards}",
    a.Draw: lambda x, who: f"{who[x.seat]}: draw{' by choice' if x.by_choice else ''}",
    a.Done: lambda x, who: f"{who[x.seat]}: done",
    a.Pass: lambda x, who: f"{who[x.seat]}: pass",
    a.NameColour: lambda x, who: f"{who[x.seat]}: colour {COLOURS[x.colour]}",
    a.Call: lambda x, who: f"{who[x.seat]}: uno",
    a.Catch: lambda x, who: f"{who[x.seat]}: catch {who[x.target]}",
    a.Accept: lambda x, who: f"{who[x.seat]}: accept",
    a.Challenge: _challenge,
    a.Slap: lambda x, who: f"{who[x.seat]}: slap",
    a.Report: lambda x, who: f"{who[x.seat]}: report {who[x.target]}",
    a.LastSlap: lambda x, who: f"table: last {who[x.target]}",
    a.Advice: lambda x, who: f"table: advice {who[x.target]}",
    a.Reload: _reload,
    a.SetHand: lambda x, who: f"table: set hand {who[x.seat]} {x.count}",
    a.SetScore: lambda x, who: f"table: set score {who[x.seat]} {x.score}",
    a.SetTurn: lambda x, who: f"table: set turn {who[x.seat]}",
    a.SetDirection: lambda x, who: f"table: set direction {views.direction(x.step)}",
    a.SetColour: lambda x, who: f"table: set colour {COLOURS[x.colour]}",
    a.Leave: lambda x, who: f"table: leave {who[x.seat]}",
    a.Correct: _correct,
}


def _entry(key: str, value: object) -> str:
    return f"{key if re.fullmatch(r'[A-Za-z0-9_]+', key) else json.dumps(key, ensure_ascii=False)} = {_value(value)}"


def _value(value: object) -> str:
    """A TOML value; texts of one line are written as in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False)


def _table(name: str, values: dict[str, Any]) -> list[str]:
    return [f"[{name}]", *(_entry(key, value) for key, value in values.items())] if values else []
