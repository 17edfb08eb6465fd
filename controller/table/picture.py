"""How the table looks to people: what the rules' views say of the game, joined with seats, launcher and match.

The rules' views are the one gate for secrets; what is added here is no secret of anybody. The planned number of cards
of a shot is not read here at all.
"""

from __future__ import annotations

import json
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

from controller.rules import views
from controller.rules.cards import NAME_OF, UNKNOWN
from controller.rules.game import Game
from controller.rules.position import COUNT
from controller.rules.rounds import to_count
from controller.table.publication import Pictures, Publication, text_of
from controller.table.state import State
from hardware.ports import Fault, LauncherState

if TYPE_CHECKING:
    from controller.table.ground import Ground

_RUNNING = (LauncherState.PRESSED, LauncherState.FIRING)
_UNKNOWN = NAME_OF[UNKNOWN]
_NOBODY: dict[str, object] = {
    "hand": 0, "owed": 0, "out": False, "called": False, "catchable": False, "score": 0, "eliminated": False,
    "left": False,
}  # fmt: skip
_NO_GAME: dict[str, object] = {
    "phase": "gathering", "turn": None, "direction": "clockwise", "top": None, "colour": None, "pile": 0, "discards": 0,
    "dealer": None, "due": None, "firstSeat": 0, "silence": None, "slap": None, "round": 0, "rounds": [],
    "tracking": None, "toCount": None, "counted": None,
}  # fmt: skip


class Painter:
    """Makes the texts of a publication; what a game looks like is kept until the game changes."""

    def __init__(self) -> None:
        self._public: dict[str, object] | None = None
        self._mine: dict[int, str] = {}
        self._open: frozenset[int] = frozenset()

    def game_changed(self) -> None:
        """The game is not what it was."""
        self._public = None

    def paint(self, ground: Ground) -> Pictures:
        """The table as it is now."""
        state = ground.state
        if self._public is None:
            self._public = _NO_GAME if state.game is None else views.public(state.game.position)
            private = {} if state.game is None else _private(state, state.game)
            self._mine = {seat: text_of(view) for seat, view in private.items()}
            physical = state.game is not None and state.game.position.physical
            self._open = frozenset(seat for seat, view in private.items() if physical and _shows_nothing(view))
            if state.game is not None:
                self._public = {**self._public, **_bookkeeping(state.game)}
        table = dict(self._public)
        table["seats"] = _seats(ground, table.get("seats"))
        table["due"] = _due(state, table["due"])
        table["launcher"] = launcher = _launcher(ground)
        table["open"] = state.open
        table["paused"] = state.paused
        table["waiting"] = [each.name for each in state.waiting]
        table["dealing"] = None if state.deal is None else state.deal.to_json()
        table["chairFree"] = ground.chair_free
        table["takeBack"] = _take_back(ground)
        codes = {number: seat.code for number, seat in enumerate(state.seats) if seat.code}
        if state.game is None:
            settings = ground.settings
            table["match"] = {**settings.match, "winners": []}
            table["rules"] = {"preset": settings.preset, "options": dict(settings.options)}
            table["physical"] = settings.physical
        owners = [seat.session for seat in state.seats]
        counts_down = table["takeBack"] is not None or launcher["readyIn"] is not None
        return Pictures(text_of(table), self._mine, self._open, codes, owners, counts_down)

    def broken(self, last: Pictures, cause: str) -> Pictures:
        """`last`, with the journal's failure as the launcher's fault."""
        table = json.loads(last.table)
        cause, _, remedy = cause.rpartition(". ")  # the journal ends with what to do, a sentence of its own
        table["launcher"].update(state="fault", fault=fault_data(Fault("journal", cause, remedy)), readyIn=None)
        table["takeBack"] = None
        return replace(last, table=text_of(table), counts_down=False)


def as_told_at(now: float, publication: Publication) -> Publication:
    """`publication` for somebody who is told it only `now`: what it says to be left in seconds is less by then."""
    pictures, age = publication.pictures, now - publication.at
    if not pictures.counts_down or age <= 0:
        return publication
    table = json.loads(pictures.table)
    back, launcher = table["takeBack"], table["launcher"]
    if back is not None:
        left = round(back["seconds"] - age, 1)
        table["takeBack"] = {**back, "seconds": left} if left > 0 else None
    if launcher["readyIn"] is not None:
        launcher["readyIn"] = max(0.0, round(launcher["readyIn"] - age, 1))
    late = replace(pictures, table=text_of(table))
    return Publication(publication.epoch, publication.version, publication.events, late, now)


def _private(state: State, game: Game) -> dict[int, dict[str, Any]]:
    people = [number for number, seat in enumerate(state.seats) if seat.kind == "person"]
    return {number: views.private(game.position, number) for number in people}


def _shows_nothing(private: dict[str, Any]) -> bool:
    """Whether no card of this hand is known, so that what the seat may do tells nobody anything of it."""
    return all(card == _UNKNOWN for card in (*private["hand"], *private["drawn"]))


def _bookkeeping(game: Game) -> dict[str, object]:
    """What pages need besides where the cards are real: how closely they are followed, and whose are to be counted."""
    position = game.position
    counting = position.phase == COUNT
    return {
        "tracking": position.rules.tracking if position.physical else None,
        "toCount": list(to_count(position)) if counting else None,
        "counted": [points if points >= 0 else None for points in position.counted] if counting else None,
    }


def _seats(ground: Ground, of_game: object) -> list[dict[str, object]]:
    known = of_game if isinstance(of_game, list) else []
    seats = []
    for number, seat in enumerate(ground.state.seats):
        played = known[number] if number < len(known) else _NOBODY
        connected = seat.kind == "bot" or number in ground.present
        seats.append({
            **played, "seat": number, "name": seat.name, "kind": seat.kind, "connected": connected,
            "helped": seat.helped, "returning": bool(played["left"]) and not seat.gone,
        })  # fmt: skip
    return seats


def _take_back(ground: Ground) -> dict[str, object] | None:
    """Whose last tap may still be taken back by the phone that made it, and for how many seconds from now."""
    tap = ground.last_tap
    if tap is None:
        return None
    left = tap.until - ground.now
    return {"seat": tap.seat, "seconds": ceil(left * 10) / 10} if left > 0 else None


def _due(state: State, of_game: object) -> object:
    if state.shot is not None and state.shot.lost:
        return {"seat": state.shot.seat, "what": "shot-count"}
    launcher = state.game is not None and state.game.position.rules.launcher
    if state.empty and launcher and isinstance(of_game, dict) and of_game.get("what") in ("hit", "play"):
        return {**of_game, "what": "reload"}  # of the same seat: what it can do without the launcher goes on
    return of_game


def _launcher(ground: Ground) -> dict[str, object]:
    state, shot, last, unowned = ground.state, ground.state.shot, ground.state.last, ground.state.unowned
    shown = ground.launcher_state
    if shot is not None and not shot.lost and shown not in _RUNNING and ground.fault is None:
        shown = LauncherState.PRESSED
    return {
        "backend": ground.parts.backend,
        "state": shown.value,
        "readyIn": _ready_in(ground) if shown is LauncherState.COOLING else None,
        "fault": fault_data(ground.fault),
        "button": ground.settings.button,
        "hopper": state.hopper,
        "shot": None if shot is None else {"seat": shot.seat, "cards": shot.came},
        "typed": ground.settings.typed,
        "last": None if last is None else {"seat": last.seat, "cards": last.cards, "certainty": last.certainty},
        "correctable": last is not None and state.game is not None and last.entry == len(state.game.entries),
        "unowned": None if unowned is None else {"cards": unowned.cards, "certainty": unowned.certainty},
    }  # fmt: skip


def _ready_in(ground: Ground) -> float | None:
    """Seconds from this publication until the launcher has cooled down."""
    until = ground.launcher_until
    return None if until is None else max(0.0, ceil((until - ground.now) * 10) / 10)


def in_words(ground: Ground) -> str:
    """How the table stands, on one line, for whoever looks after the machine."""
    state = ground.state
    if ground.broken is not None:
        return ground.broken
    if ground.fault is not None:
        return f"{ground.fault.cause}: {ground.fault.remedy}"
    seated = f"{len(state.seats)} at the table"
    if state.shot is not None and state.shot.lost:
        return f"{seated}, waiting to hear how many cards came out of the last shot"
    game = "no game on" if state.game is None else "the game is paused" if state.paused else "a game is on"
    unseen = ", nobody saw how a service shot ended: what the machine holds is not known" if state.unseen else ""
    return f"{seated}, {game}, {ground.parts.backend}: {ground.launcher_state.value}{unseen}"


def fault_data(fault: Fault | None) -> dict[str, object] | None:
    """A fault as pages get it: what is wrong and what to do, each in whole sentences."""
    if fault is None:
        return None
    return {"code": fault.code, "cause": _sentence(fault.cause), "remedy": _sentence(fault.remedy)}


def _sentence(text: str) -> str:
    """`text` with a capital and a stop, for screens; logs and refusals put the bare words into sentences of theirs."""
    clean = text.strip()
    return clean[:1].upper() + clean[1:] + ("" if clean.endswith((".", "!", "?")) else ".")
