"""What a table is between two inputs, apart from the game itself: seats, shot, odds, counters. Changed by rows alone.

Every row but a game's entry is taken in here, live and after a restart alike, so that both come to the same state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller import dealing
from controller.dealing import Deal
from controller.rules.game import Game
from controller.table.answers import Answers
from controller.table.games import open_game

Body = Mapping[str, Any]  # a row's body: written by this program, so its parts are what it wrote


@dataclass(slots=True)
class Seat:
    """A place at the table. `kind`: `person` or `bot`; `session`: the phone that sat down ("" for a bot).

    `gone`: its player has stood up in the middle of a game; the place is cleared away after it, and until then
    whoever had it (`before`) may come back; where the host has `removed` the player, only with the host's leave.
    `marks`: of matches that were played for forfeits this evening. `code`: four figures with which another phone
    claims the seat. `helped`: its player gets help, and a longer grace.
    """

    name: str
    kind: str
    session: str = ""
    gone: bool = False
    removed: bool = False
    marks: int = 0
    code: str = ""
    before: str = ""
    helped: bool = False


@dataclass(slots=True)
class Shot:
    """A shot begun and not ended. `came`: seen to come out so far. `lost`: nobody saw its end; a person is asked.

    `choice`: whoever pressed says that it was by choice.
    """

    number: int
    seat: int
    cards: int
    choice: bool = False
    came: int = 0
    lost: bool = False


@dataclass(slots=True)
class ServiceShot:
    """A service shot begun and not ended: its cards are nobody's. `why`: `shot`, `deal` or `count`."""

    number: int
    cards: int
    why: str
    came: int = 0


@dataclass(frozen=True, slots=True)
class LastShot:
    """The last shot that counted. `entry`: how many entries the game had after it."""

    seat: int
    cards: int
    certainty: str
    entry: int


@dataclass(frozen=True, slots=True)
class Unowned:
    """Cards that came out when nobody was due to hit: the host says whose they are."""

    cards: int
    certainty: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who sat down during a game: there is a seat for them when the next one begins."""

    name: str
    session: str


@dataclass(slots=True)
class State:
    """A table without its game's position. `drawn`: how much of the chance is used up.

    `loose`: cards of service shots lie outside that the game says are in the machine: they go back before it goes on.
    `unseen`: the service shot whose end nobody saw, until somebody has said how many cards the machine holds.
    """

    epoch: int = 0
    seats: list[Seat] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    open: bool = True
    paused: bool = False
    game: Game | None = None
    rules: Body = field(default_factory=dict)  # the row the game was begun with
    shots: int = 0
    shot: Shot | None = None
    last: LastShot | None = None
    unowned: Unowned | None = None
    service: ServiceShot | None = None
    unseen: ServiceShot | None = None
    loose: bool = False
    deal: Deal | None = None
    hopper: int | None = None
    empty: bool = False
    odds: Mapping[str, Any] | None = None
    seed: str = ""
    drawn: int = 0
    disagrees: bool = False  # the rules told an entry otherwise than the journal: what followed it is not taken in
    answers: Answers = field(default_factory=Answers)

    def seats_of(self, session: str) -> frozenset[int]:
        """The seats this session sat down on."""
        if not session:
            return frozenset()
        return frozenset(number for number, seat in enumerate(self.seats) if seat.session == session)

    def left_by(self, session: str) -> frozenset[int]:
        """The seats from which this session has stood up in the game that is on, and may come back to."""
        return frozenset(
            number
            for number, seat in enumerate(self.seats)
            if seat.gone and not seat.removed and session and seat.before == session
        )

    def waits(self, session: str) -> bool:
        """Whether this session waits for a seat in the next game."""
        return any(each.session == session for each in self.waiting)

    def has_place(self, session: str) -> bool:
        """Whether this session has a seat, had one that its player left or lost in this game, or waits for one."""
        had = (session in (seat.session, seat.before if seat.gone else "") for seat in self.seats)
        return bool(session) and (any(had) or self.waits(session))

    def rewind(self, entries: int) -> None:
        """Have the game as it was after its first `entries` entries."""
        if self.game is None:
            raise ValueError("no game to take up again")
        kept = self.game.entries[:entries]
        self.game = open_game(self.rules)
        for entry in kept:
            self.game.replay_entry(entry)

    def take(self, kind: str, body: Body) -> None:
        """Take in a row that is not a game's."""
        getattr(self, f"_take_{kind.replace('-', '_')}")(body)

    def _take_epoch(self, body: Body) -> None:
        self.epoch = body["epoch"]

    def _take_seed(self, body: Body) -> None:
        self.seed, self.drawn = body["seed"], 0

    def _take_sit(self, body: Body) -> None:
        self._take_unwait(body)
        self.seats.append(Seat(body["name"], body["kind"], body["session"], code=body.get("code", "")))

    def _take_wait(self, body: Body) -> None:
        self.waiting.append(Waiting(body["name"], body["session"]))

    def _take_unwait(self, body: Body) -> None:
        self.waiting = [each for each in self.waiting if each.name != body["name"]]

    def _take_free(self, body: Body) -> None:
        for seat in sorted(body["seats"], reverse=True):
            del self.seats[seat]

    def _take_name(self, body: Body) -> None:
        self.seats[body["seat"]].name = body["name"]

    def _take_give(self, body: Body) -> None:
        seat = self.seats[body["seat"]]
        if body["gone"] and not seat.gone:
            seat.before = seat.session
        seat.session, seat.gone, seat.removed = body["session"], body["gone"], body.get("removed", False)
        seat.code = body.get("code", seat.code)

    def _take_code(self, body: Body) -> None:
        self.seats[body["seat"]].code = body["code"]

    def _take_help(self, body: Body) -> None:
        self.seats[body["seat"]].helped = body["on"]

    def _take_table(self, body: Body) -> None:
        self.open = body.get("open", self.open)
        self.paused = body.get("paused", self.paused)
        self.loose = self.loose and self.paused

    def _take_machine(self, body: Body) -> None:
        self.hopper = body["hopper"]
        self.empty = body["empty"]
        if self.hopper is not None:
            self.unseen = None

    def _take_odds(self, body: Body) -> None:
        self.odds = body["odds"]

    def _take_chance(self, body: Body) -> None:
        self.drawn = body["drawn"]

    def _take_answer(self, body: Body) -> None:
        self.answers.remember(body["session"], body["id"], body["answer"])

    def _take_round(self, body: Body) -> None:
        """Kept for later readers of the journal only."""

    def _take_shot(self, body: Body) -> None:
        self.shots = body["shot"]
        self.shot = Shot(body["shot"], body["seat"], body["cards"], body.get("choice", False))
        self.odds = body["odds"]
        self.drawn = body["drawn"]
        if "answer" in body:
            self._take_answer(body["answer"])

    def _take_shot_end(self, body: Body) -> None:
        shot, self.shot = self.shot, None
        if body["counts"] and shot is not None:
            self.last = LastShot(shot.seat, body["cards"], body["certainty"], body["entry"])

    def _take_service(self, body: Body) -> None:
        self.shots = body["shot"]
        self.service = ServiceShot(body["shot"], body["cards"], body["why"])

    def _take_service_end(self, body: Body) -> None:
        if body.get("unseen"):
            self.unseen = self.service
        self.service = None
        self.loose = self.loose or body["loose"]

    def _take_deal(self, body: Body) -> None:
        self.deal = dealing.from_json(body) if body else None

    def _take_unowned(self, body: Body) -> None:
        self.unowned = Unowned(body["cards"], body["certainty"]) if body else None

    def _take_rewound(self, body: Body) -> None:
        self.disagrees = False
        self.rewind(body["entries"])

    def _take_corrected(self, body: Body) -> None:
        if self.last is not None and self.game is not None:
            self.last = LastShot(body["seat"], body["cards"], "exact", len(self.game.entries))

    def _take_game(self, body: Body) -> None:
        table = body["table"]
        self.epoch = table["epoch"]
        self.seats = [
            Seat(
                each["name"],
                each["kind"],
                each["session"],
                marks=each.get("marks", 0),
                code=each.get("code", ""),
                helped=each.get("helped", False),
            )
            for each in table["seats"]
        ]
        self.open, self.paused = table["open"], False
        self.shots, self.hopper, self.empty = table["shots"], table["hopper"], table["empty"]
        self.odds, self.seed, self.drawn = table["odds"], table["seed"], table["drawn"]
        self.shot = self.last = self.unowned = self.service = self.unseen = self.deal = None
        self.loose = False
        self.rules = body
        self.game = open_game(body)

    def _take_game_over(self, body: Body) -> None:
        for seat, marks in zip(self.seats, body.get("marks", ()), strict=False):
            seat.marks = marks
        self.game = None
        self.shot = None
        self.last = None
        self.unowned = None
        self.deal = None
        self.paused = self.loose = False
