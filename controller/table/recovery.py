"""From the journal's rows back to the table as it was: seats, shot, odds, and the game card for card."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller import dealing
from controller.chance import SeededRandom
from controller.journal import Journal, JournalError, Row, StoredRow
from controller.rules import codec
from controller.rules.game import ReplayError
from controller.rules.options import REVISION
from controller.table import codes
from controller.table.state import ServiceShot, State

log = logging.getLogger("controller.table")


@dataclass(frozen=True, slots=True)
class Recovered:
    """The table as the journal tells it. `notice`: what people must be told (a code and its values), or None."""

    state: State
    notice: Mapping[str, object] | None


def recover(journal: Journal, seed: str | None) -> Recovered:
    """The table of a journal that is not started yet, in a new epoch, with the row that says so handed to it.

    `seed`: the chance of a new table; an old one keeps its own unless it has not been used. Raises `JournalError`
    for rows that cannot be read.
    """
    recovered = fold(journal.rows(journal.last("game") or 0))
    state = recovered.state
    rows = [Row("epoch", {"epoch": state.epoch + 1})]
    if state.disagrees and state.game is not None:
        rows.append(Row("rewound", {"entries": len(state.game.entries)}))
    if not state.seed or (seed is not None and seed != state.seed):
        rows.append(Row("seed", {"seed": SeededRandom.unpredictable().table_seed if seed is None else seed}))
    rows += [Row("code", {"seat": seat, "code": code}) for seat, code in codes.lacking(state.seats)]
    notice = recovered.notice
    if state.service is not None:
        rows += _lost(state, state.service)
        notice = notice or {"code": "service-lost"}
        log.warning(
            "the table stopped in the middle of a service shot of %d cards, and nobody saw how many came: what the "
            "machine holds is not known any more; count the cards and say on /host how many are in it",
            state.service.cards,
        )
    for row in rows:
        state.take(row.kind, row.body)
    journal.append(rows, lambda: None)
    return Recovered(state, notice)


def fold(rows: Iterable[StoredRow]) -> Recovered:
    """The table that `rows` tell of, from its first row or from that of a game on."""
    state, notice = State(), None
    for row in rows:
        try:
            if row.kind == "entry":
                notice = _take_entry(state, row) or notice
            else:
                state.take(row.kind, row.body)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
            raise JournalError(
                f"row {row.number} of the journal ({row.kind}) cannot be understood: {type(error).__name__} {error}"
            ) from error
    if state.shot is not None:
        state.shot.lost = True
    return Recovered(state, notice)


def _lost(state: State, service: ServiceShot) -> list[Row]:
    """Nobody saw the end of a service shot: what the machine holds is not known any more, nor what a deal brought."""
    game = state.game
    loose = game is not None and game.position.physical and game.position.rules.launcher
    told = {"shot": service.number, "cards": 0, "certainty": "unknown", "end": "stopped"}
    rows = [
        Row("service-end", {**told, "loose": loose, "unseen": True}),
        Row("machine", {"hopper": None, "empty": state.empty}),
    ]
    if state.deal is not None:
        rows.append(Row("deal", dealing.lost(state.deal).to_json()))
    return rows


def _take_entry(state: State, row: StoredRow) -> Mapping[str, object] | None:
    """Take in an entry of the game; says so when these rules tell it otherwise, and then the game stays before it."""
    if state.disagrees:
        return None
    game = state.game
    if game is None:
        raise ValueError("an entry without a game")
    try:
        game.replay_entry(codec.entry_from_json(row.body["entry"]))
    except ReplayError as error:
        state.disagrees = True
        state.rewind(len(game.entries))
        recorded = state.rules["revision"]
        log.warning(
            "the game was recorded by rules of revision %s, and those of this version (%s) tell row %d otherwise (%s): "
            "it is taken up again before that row", recorded, REVISION, row.number, error,
        )  # fmt: skip
        return {"code": "other-rules", "recorded": recorded, "revision": REVISION, "row": row.number}
    if "drawn" in row.body:
        state.take("chance", row.body)
    return None
