"""A game as a row of the journal: made when it begins, and opened again from the row after a restart."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from controller.rules.game import Game
from controller.rules.matches import MatchSettings
from controller.rules.options import REVISION, RuleSet, resolve

if TYPE_CHECKING:
    from controller.table.state import State

Named = Mapping[str, object]


def game_row(state: State, preset: str, options: Named, match: Named) -> dict[str, object]:
    """All that a game is begun from, and the table around it, so that older rows are not needed any more.

    Raises `OptionError` for rules that cannot be.
    """
    rules = resolve(preset, options)
    return {
        "preset": preset,
        "options": dict(options),
        "all": {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(rules).items()},
        "revision": REVISION,
        "deck": deck_digest(rules),
        "match": dict(match),
        "physical": False,
        "names": [seat.name for seat in state.seats],
        "table": {
            "epoch": state.epoch,
            "seats": [{"name": seat.name, "kind": seat.kind, "session": seat.session} for seat in state.seats],
            "open": state.open,
            "shots": state.shots,
            "hopper": state.hopper,
            "empty": state.empty,
            "odds": state.odds,
            "seed": state.seed,
            "drawn": state.drawn,
        },
    }


def open_game(row: Mapping[str, Any]) -> Game:
    """The game of a row, before its first deal. Raises `OptionError`, `MatchError`, `TypeError` for what cannot be."""
    rules = resolve(row["preset"], row["options"])
    return Game(rules, tuple(row["names"]), match=MatchSettings(**row["match"]), physical=row["physical"])


def deck_digest(rules: RuleSet) -> str:
    """Sixteen hex digits that are the same for the same cards."""
    return hashlib.blake2b(repr(rules.counts).encode(), digest_size=8).hexdigest()
