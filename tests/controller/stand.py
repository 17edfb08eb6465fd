"""A table on a bench: the core with a real journal and the twin, under a virtual clock. No event loop, no sleeping."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from controller import odds
from controller.journal import DATABASE, Journal, JournalError, StoredRow
from controller.odds import FixedList, OddsProfile, Sizes
from controller.rules.cases import read_case
from controller.table.core import Core
from controller.table.games import Choice, game_row
from controller.table.ground import Parts, Settings, Told
from controller.table.messages import Answer, Command, JournalFailed, Message, Presence, ShotTaken, Who
from controller.table.publication import Publication
from controller.table.recovery import fold, recover
from controller.table.state import Seat, State
from hardware.backends import open_backend
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import Cue, HardwareEvent, LampState
from hardware.settings import LauncherSettings
from hardware.signals import Together
from hardware.sounds import Speaker
from hardware.twin import TwinBackend
from tests.hardware.players import FakePlayers

HOST = Who("host", host=True)
SETTINGS = Settings(grace=1.5, think=0.9, suspense=0.7, match={"format": "winner-takes", "target": 500, "rounds": 0})


def always(cards: int) -> OddsProfile:
    """Odds that bring `cards` cards with every press (0: every press is dry but the thousandth)."""
    fires = FixedList((1,), 1) if cards else FixedList((1000,), 1000)
    return OddsProfile("always", "for tests", fires, (Sizes.dice((max(cards, 1), max(cards, 1))),))


class ListeningLamp:
    """The backend's lamp and buzzer, with what they were told and when."""

    def __init__(self, signals: Any, clock: VirtualClock) -> None:
        self._signals = signals
        self._clock = clock
        self.told: list[tuple[float, LampState]] = []
        self.more: list[tuple[int, str]] = []  # step and fault code, one pair for each entry of `told`
        self.cues: list[tuple[float, Cue, int]] = []

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        self.told.append((self._clock.now(), state))
        self.more.append((step, fault))
        self._signals.lamp(state, step, fault)

    def cue(self, cue: Cue, step: int = 0) -> None:
        self.cues.append((self._clock.now(), cue, step))
        self._signals.cue(cue, step)


@dataclass
class Stand:
    """One table. `published` and `heard`: all that left it, with the virtual time at which it left."""

    place: Path
    settings: Settings = SETTINGS
    profile: OddsProfile = odds.MEASURED
    seed: str | None = "stand"
    clock: VirtualClock = field(default_factory=VirtualClock)
    hopper: int = 112
    launcher: LauncherSettings = field(default_factory=LauncherSettings)
    machine: str = "twin"  # or: watch-twin, none
    pins: PinMap = field(default_factory=lambda: PinMap(buzzer=24))
    loudspeaker: bool = False  # whether there is one, with players that only keep a log
    published: list[tuple[float, Publication]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _inbox: list[Message | tuple[Publication | None, Sequence[Told]]] = field(default_factory=list)
    _commands: int = 0

    def __post_init__(self) -> None:
        self.journal = Journal(self.place)
        self.backend: Any = open_backend(
            self.machine, self.launcher, self.pins, clock=self.clock, seed=5, hopper=self.hopper
        )
        recovered = recover(self.journal, self.seed)
        self.journal.start(self._failed)
        self.backend.start(self._hear)
        self.players = FakePlayers(self.clock)
        signals = self.backend.signals
        if self.loudspeaker:
            speaker = Speaker(self.clock, ["aplay"], self.place / "sounds", run=self.players.run)
            speaker.start()
            signals = Together(signals, speaker)
        self.lamp = ListeningLamp(signals, self.clock)
        parts = Parts(
            self.journal, self.backend.launcher, self.lamp, self.backend.name,
            deliver=lambda publication, told: self._inbox.append((publication, told)),
            shot_taken=lambda shot: self._inbox.append(ShotTaken(shot)),
            cases=self.place / "cases",
            fill=self.backend.twin.load if isinstance(self.backend, TwinBackend) else None,
            twin=self.backend.twin if isinstance(self.backend, TwinBackend) else None,
        )  # fmt: skip
        self.core = Core(recovered, parts, self.settings, self.profile)
        self.published.append((self.clock.now(), self.core.begin(self.clock.now())))
        self.run()

    # --- what happens to it

    def tell(self, who: Who, **body: object) -> Answer | None:
        """A command from a phone, and its answer; None when that comes later."""
        heard: list[Answer] = []
        self.send(who, heard.append, **body)
        self.run()
        return heard[0] if heard else None

    def send(self, who: Who, answer: Callable[[Answer], None], **body: object) -> None:
        """A command from a phone, handled but not yet written down."""
        self._commands += 1
        command = {"id": f"c{self._commands}", **body}
        self.core.handle(Command(who, command, answer), self.clock.now())

    def do(self, who: Who, **body: object) -> Answer:
        """A command that must be accepted at once."""
        answer = self.tell(who, **body)
        assert answer is not None, f"{body} is not answered yet"
        assert answer["ok"], f"{body}: {answer}"
        return answer

    def refused(self, who: Who, **body: object) -> str:
        """The reason for which a command is refused; nothing else may come of it."""
        before = self.told_state()
        answer = self.tell(who, **body)
        assert answer is not None, f"{body} is not answered yet"
        assert not answer["ok"], f"{body}: {answer}"
        assert self.told_state() == before, f"{body} was refused and changed something"
        return str(answer["reason"])

    def press(self) -> None:
        """A finger on the button."""
        self.backend.button.press()
        self.run()

    def pass_time(self, seconds: float, step: float = 0.01) -> None:
        """Let time go by in small steps, with whatever it brings."""
        end = self.clock.now() + seconds
        while self.clock.now() < end - 1e-9:
            self._wake()
            self.clock.advance(min(step, end - self.clock.now()))
            self.run()
        self._wake()

    def until(self, done: Callable[[], bool], limit: float = 60.0, step: float = 0.02) -> None:
        """Let time go by until `done()`; fails after `limit` virtual seconds."""
        end = self.clock.now() + limit
        while not done():
            assert self.clock.now() < end, f"not done after {limit} virtual seconds: {self.view()}"
            self.pass_time(step, step)

    def run(self) -> None:
        """Handle all that has come in, until nothing more comes of it."""
        while True:
            with suppress(JournalError):  # a failure comes as a message
                self.journal.flush()
            self.clock.advance(0)
            if not self._inbox:
                return
            item = self._inbox.pop(0)
            if isinstance(item, tuple):
                self._deliver(*item)
            else:
                self.core.handle(item, self.clock.now())

    def close(self) -> None:
        """The power is cut: what is on disk is all there is."""
        self.journal.close()
        self.backend.close()

    def again(self, **changes: Any) -> Stand:
        """The table started again after the power was cut."""
        self.close()
        clock = VirtualClock(self.clock.now() + 100)
        fresh = {"clock": clock, "published": [], "failures": [], "_inbox": [], "seed": None}
        return replace(self, **{**fresh, **changes})

    # --- how it is

    @property
    def state(self) -> State:
        return self.core.ground.state

    @property
    def game(self) -> Any:
        assert self.state.game is not None
        return self.state.game

    def view(self, *seats: int) -> dict[str, Any]:
        """The last frame published, as a phone holding `seats` gets it."""
        frame: dict[str, Any] = json.loads(self.published[-1][1].frame(frozenset(seats)))
        return frame

    def table(self) -> dict[str, Any]:
        """The table of the last frame."""
        table: dict[str, Any] = self.view()["table"]
        return table

    def events(self, *seats: int) -> list[dict[str, Any]]:
        """All events published so far, as a phone holding `seats` sees them."""
        return [
            event for _, each in self.published for event in json.loads(each.frame(frozenset(seats)))["events"]
        ]  # fmt: skip

    def rows(self, kind: str = "") -> list[StoredRow]:
        """The rows on disk since the game began, all or those of one kind."""
        database = sqlite3.connect(f"file:{self.place / DATABASE}?mode=ro", uri=True)
        begin = database.execute("SELECT coalesce(max(id), 0) FROM rows WHERE kind = 'game'").fetchone()[0]
        rows = database.execute("SELECT id, kind, body FROM rows WHERE id >= ? ORDER BY id", (begin,)).fetchall()
        database.close()
        return [StoredRow(number, name, json.loads(body)) for number, name, body in rows if kind in ("", name)]

    def folded(self) -> State:
        """The table as its rows on disk tell it now."""
        return fold(self.rows()).state

    def told_state(self) -> object:
        """Everything that must be the same after a restart."""
        return facts(self.state)

    def put(self, case: str, phones: str = "") -> list[Who]:
        """Have the game of a case file on the table, a phone for each player; `phones`: p person, b bot."""
        game = read_case(case).game
        names = game.position.players
        kinds = phones or "p" * len(names)
        self.state.seats = [
            Seat(name, "bot" if kind == "b" else "person", "" if kind == "b" else f"phone {name}")
            for name, kind in zip(names, kinds, strict=True)
        ]
        choice = Choice(game.position.rules.preset, {}, {}, game.position.physical)
        self.state.rules = game_row(self.state, choice)
        self.state.game = game
        self.core.ground.repaint()
        self.core.handle(Presence(frozenset(range(len(names)))), self.clock.now())
        self.run()
        return [Who(f"phone {name}", seats=frozenset({seat})) for seat, name in enumerate(names)]

    def _wake(self) -> None:
        deadline = self.core.next_deadline()
        if deadline is not None and deadline <= self.clock.now():
            self.core.wake(self.clock.now())
        self.run()

    def _deliver(self, publication: Publication | None, told: Sequence[Told]) -> None:
        if publication is not None:
            self.core.released(publication)
            self.published.append((self.clock.now(), publication))
        for answer, said in told:
            answer(said)

    def _hear(self, event: HardwareEvent) -> None:
        self._inbox.append(event)

    def _failed(self, text: str) -> None:
        self.failures.append(text)
        self._inbox.append(JournalFailed(text))


def facts(state: State) -> dict[str, object]:
    """What a state is, in values that can be compared."""
    game = state.game
    shot = state.shot
    return {
        "seats": [(seat.name, seat.kind, seat.session, seat.gone, seat.removed, seat.before) for seat in state.seats],
        "waiting": list(state.waiting),
        "open": (state.open, state.paused),
        "game": None if game is None else (game.position.digest(), len(game.entries)),
        "rules": dict(state.rules),
        "shot": None if shot is None else (shot.number, shot.seat, shot.cards, shot.choice),
        "unowned": state.unowned,
        "service": (state.service, state.unseen),
        "deal": (state.deal, state.loose),
        "shots": state.shots,
        "last": state.last,
        "machine": (state.hopper, state.empty),
        "odds": None if state.odds is None else dict(state.odds),
        "chance": (state.seed, state.drawn),
        "epoch": state.epoch,
    }
