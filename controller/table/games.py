"""A game as a row of the journal: made when it begins, and opened again from the row after a restart."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from controller.rules.game import Game
from controller.rules.matches import MatchError, MatchSettings
from controller.rules.options import REVISION, RuleSet, resolve

if TYPE_CHECKING:
    from controller.table.state import State

Named = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which game the host chose: preset, options on top of it, match, and whether it is played with real cards."""

    preset: str
    options: Named
    match: Named
    physical: bool = False


def game_row(state: State, choice: Choice, gone: Collection[int] = ()) -> dict[str, object]:
    """All that a game is begun from, and the table around it, so that older rows are not needed any more.

    `gone`: seats to leave out. Whoever waits for a seat is counted in.

    Raises `OptionError` for rules that cannot be.
    """
    rules = resolve(choice.preset, choice.options)
    staying = [seat for number, seat in enumerate(state.seats) if number not in gone]
    return {
        "preset": choice.preset,
        "options": dict(choice.options),
        "all": {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(rules).items()},
        "revision": REVISION,
        "deck": deck_digest(rules),
        "match": dict(choice.match),
        "physical": choice.physical,
        "names": [*(seat.name for seat in staying), *(each.name for each in state.waiting)],
        "marks": [*(seat.marks for seat in staying), *(0 for _ in state.waiting)],
        "table": {
            "epoch": state.epoch,
            "seats": [
                {
                    "name": seat.name,
                    "kind": seat.kind,
                    "session": seat.session,
                    "marks": seat.marks,
                    "code": seat.code,
                    "helped": seat.helped,
                }
                for seat in state.seats
            ],
            "open": state.open,
            "shots": state.shots,
            "hopper": state.hopper,
            "empty": state.empty,
            "odds": state.odds,
            "seed": state.seed,
            "drawn": state.drawn,
        },
    }


def chosen(row: Mapping[str, Any]) -> Choice:
    """The choice a row was made from."""
    return Choice(row["preset"], row["options"], row["match"], row["physical"])


def open_game(row: Mapping[str, Any]) -> Game:
    """The game of a row, before its first deal. Raises `OptionError`, `MatchError` for what cannot be."""
    rules = resolve(row["preset"], row["options"])
    return Game(
        rules,
        tuple(row["names"]),
        match=match_settings(row["match"]),
        physical=row["physical"],
        marks=row.get("marks", ()),
    )


def match_settings(match: Named) -> MatchSettings:
    """The match that named values say. Raises `MatchError`, naming the value that is wrong."""
    known = {field.name: type(field.default) for field in fields(MatchSettings)}
    values: dict[str, Any] = {}
    for name, value in match.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
            raise MatchError(f"a match has no {name[:40]!r}: {meant}")
        values[name] = _teams(value) if name == "teams" else value
        if type(values[name]) is not known[name]:
            raise MatchError(f"match {name} = {value!r}: must be of the kind of {getattr(MatchSettings(), name)!r}")
    return MatchSettings(**values)


def _teams(value: object) -> tuple[tuple[int, ...], ...]:
    teams: list[tuple[int, ...]] = []
    for team in value if isinstance(value, list | tuple) else (None,):
        if not isinstance(team, list | tuple) or not all(type(seat) is int for seat in team):
            raise MatchError("teams are lists of seats, like [[0, 2], [1, 3]]")
        teams.append(tuple(team))
    return tuple(teams)


def deck_digest(rules: RuleSet) -> str:
    """Sixteen hex digits that are the same for the same cards."""
    return hashlib.blake2b(repr(rules.counts).encode(), digest_size=8).hexdigest()
