"""A table without a game: people sit down, and a test says what the pages are to show. Frames are those of the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from web_companion.door import Answer, Publication, Who

View = dict[str, Any]

MAY: View = {
    "hit": False, "draw": False, "pass": False, "uno": False, "catch": [], "colour": False, "challenge": False,
    "accept": False, "slap": False, "report": [],
}  # fmt: skip


def seat(number: int, name: str, **more: Any) -> View:
    """A seat of the table view."""
    return {
        "seat": number, "name": name, "kind": "person", "connected": True, "hand": 7, "owed": 0, "out": False,
        "called": False, "catchable": False, "score": 0, "eliminated": False, "left": False, **more,
    }  # fmt: skip


def launcher(**more: Any) -> View:
    """The launcher's part of the table view."""
    return {
        "backend": "twin", "state": "ready", "fault": None, "button": "page", "hopper": 64, "shot": None, "last": None,
        **more,
    }  # fmt: skip


def machine(**more: Any) -> View:
    """What the service page is told of the machine."""
    return {
        "backend": "twin", "orders": True, "state": "ready", "fault": None, "hopper": 64, "unseen": None,
        "loose": False, "deck": 112,
        "most": 14, "hand": 7, "names": [], "motor": {"used": 1.24, "budget": 8.0, "readyIn": 0.0},
        "levels": {"lid-closed": True, "beam-blocked": False, "button-down": False}, "shot": None, "shots": [],
        "twin": None, "dealing": None, "count": None, "followsIn": None, **more,
    }  # fmt: skip


def table_view(seats: Sequence[View], **more: Any) -> View:
    """A table in the middle of a round; `more` replaces any of it."""
    return {
        "phase": "playing", "seats": list(seats), "turn": 0, "direction": "clockwise", "top": "red 5", "colour": "red",
        "pile": 64, "discards": 5, "dealer": 1, "due": {"seat": 0, "what": "play"}, "silence": None, "slap": None,
        "launcher": launcher(), "round": 1,
        "match": {"format": "winner-takes", "target": 500, "rounds": 0, "winners": [], "over": False}, "rounds": [],
        "rules": {"preset": "attack", "changed": {}}, "physical": False, "open": True, "paused": False, **more,
    }  # fmt: skip


def move(card: str, **more: Any) -> View:
    """A move of the private view; wilds ask for a colour."""
    colours = ["red", "yellow", "green", "blue"] if card.startswith("wild") else None
    return {"card": card, "colours": colours, "targets": None, "keep": None, "keepLeast": 0, "mates": None, **more}


def mine(number: int, hand: Sequence[str], moves: Sequence[View] = (), **may: Any) -> View:
    """What only one seat sees; `drawn` and the fields of `may` by name."""
    drawn = may.pop("drawn", [])
    return {"seat": number, "hand": list(hand), "moves": list(moves), "may": {**MAY, **may}, "drawn": drawn}


class FakePublication:
    """One version, redacted as the real ones are."""

    def __init__(
        self,
        epoch: int,
        version: int,
        table: View,
        privates: Sequence[View],
        events: Sequence[View],
        codes: Mapping[int, str],
    ) -> None:
        self.epoch = epoch
        self.version = version
        self._table = table
        self._privates = privates
        self._events = events
        self._codes = codes

    def owned_by(self, session: str) -> frozenset[int]:
        return frozenset(range(len(self._table["seats"])))  # as now, whose ever they are

    def frame(self, seats: frozenset[int], host: bool = False) -> str:
        own = [private for private in self._privates if private["seat"] in seats]
        state = {"t": "state", "epoch": self.epoch, "version": self.version, "events": self._events}
        rest = [private for private in self._privates if private["seat"] not in seats]
        others = {"others": rest} if host and self._table["physical"] else {}
        codes = {seat: code for seat, code in self._codes.items() if host or seat in seats}
        state["codes"] = codes
        return json.dumps({**state, "table": self._table, "mine": own, **others}, ensure_ascii=False)


class FakeTable:
    """Fulfils `TableDoor`. Answers every command with yes, unless `refuse` names a reason for it."""

    def __init__(self) -> None:
        self.epoch = 1
        self.failed: str | None = None
        self.given: list[tuple[Who, dict[str, object]]] = []
        self.refuse: dict[str, str] = {}
        self.silent: set[str] = set()
        self.left: dict[int, str] = {}
        self.waiting: set[str] = set()  # phones
        self.chair_free = False
        self.codes: dict[int, str] = {}  # by seat
        self.on: dict[str, Callable[[Who, Mapping[str, object]], None]] = {}  # what a command brings about
        self.answers: dict[str, Answer] = {}  # what is answered besides, by command
        self.present: frozenset[int] = frozenset()
        self.machine: View = machine()
        self.table = table_view([], phase="gathering", turn=None, top=None, colour=None, due=None, round=0)
        self.privates: list[View] = []
        self._owners: dict[int, str] = {}
        self._answers: dict[tuple[str, object], Answer] = {}
        self._listeners: list[Callable[[Publication], None]] = []
        self._history: list[FakePublication] = []
        self.publish()

    def publish(self, events: Sequence[View] = ()) -> None:
        """Release the next version, with the table as it is now."""
        version = len(self._history) + 1
        snapshot = FakePublication(
            self.epoch, version, deepcopy(self.table), deepcopy(self.privates), list(events), dict(self.codes)
        )
        self._history.append(snapshot)
        for listener in list(self._listeners):
            listener(snapshot)

    def show(self, table: View, *privates: View, events: Sequence[View] = ()) -> None:
        """Release this table and these hands."""
        self.table, self.privates = table, list(privates)
        self.publish(events)

    def own(self, session: str, *seats: int) -> None:
        """These seats are this phone's."""
        for number in seats:
            self._owners[number] = session

    def submit(self, who: Who, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None:
        key = (who.session, command.get("id"))
        if key in self._answers:
            answer(self._answers[key])
            return
        self.given.append((who, dict(command)))
        verb = str(command["do"])
        if verb in self.silent:
            return
        said: Answer = {"id": command.get("id"), "ok": True}
        if verb in self.refuse:
            said |= {"ok": False, "reason": self.refuse[verb], "because": [], "text": ""}
        elif verb in self.on:
            self.on[verb](who, command)
        elif verb == "sit":
            said["seat"] = self._sit(who, str(command["name"]))
        said |= self.answers.get(verb, {})
        self._answers[key] = said
        answer(said)

    def _sit(self, who: Who, name: str) -> int:
        number = len(self.table["seats"])
        self._owners[number] = who.session
        self.table["seats"].append(seat(number, name, hand=0))
        self.publish([{"e": "sat", "seat": number, "name": name, "kind": "person"}])
        return number

    def subscribe(self, listener: Callable[[Publication], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def current(self) -> Publication:
        return self._history[-1]

    def since(self, epoch: int, version: int) -> list[FakePublication] | None:
        if epoch != self.epoch or not 0 <= version <= len(self._history):
            return None
        return self._history[version:]

    def seats_of(self, session: str) -> frozenset[int]:
        return frozenset(number for number, owner in self._owners.items() if owner == session)

    def left_by(self, session: str) -> frozenset[int]:
        return frozenset(number for number, owner in self.left.items() if owner == session)

    def waits(self, session: str) -> bool:
        return session in self.waiting

    def has_place(self, session: str) -> bool:
        return session in {*self._owners.values(), *self.left.values(), *self.waiting}

    def take_chair(self, name: str) -> bool:
        free, self.chair_free = self.chair_free, False
        return free

    def presence(self, seats: frozenset[int]) -> None:
        self.present = seats

    def service(self) -> dict[str, object]:
        return {**self.machine}

    def failure(self) -> str | None:
        return self.failed
