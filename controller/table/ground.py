"""What all parts of the table's core stand on: state, chance, and the one way out (rows, then what they release).

Everything done about one input leaves in one piece: its rows in one commit, then its publication and its answers.
No judgement about the game or the launcher lives here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from controller.chance import SeededRandom
from controller.journal import Appender, Row
from controller.odds import Odds, OddsProfile
from controller.rules import codec, views
from controller.rules.actions import Action
from controller.rules.chance import Dice
from controller.rules.game import Game
from controller.table.messages import Answer
from controller.table.picture import Painter
from controller.table.publication import EventText, Publication, text_of
from controller.table.state import State
from hardware.ports import Fault, Launcher, LauncherState, ShotOrder, Signals
from hardware.twin_faults import TwinFault

log = logging.getLogger("controller.table")

RUNNING = (LauncherState.PRESSED, LauncherState.FIRING)
_PUT_RIGHT = ("host-set", "corrected", "undone")  # events of what a person put right, with the reason given
Told = tuple[Callable[[Answer], None], Answer]


@dataclass(frozen=True, slots=True)
class Settings:
    """How this table behaves. Times in seconds; `machine_cards`: what a full machine holds."""

    grace: float = 1.5
    helped_grace: float = 4.0  # the grace of a seat that gets help; never shorter than the others'
    think: float = 0.9
    suspense: float = 0.7
    pause: float = 1.5  # how much longer a fake pause takes
    machine_cards: int = 112
    most_seats: int = 9
    button: str = "page"  # the UNO button: `page` (pages press it), `finger` (a real one), `none` (there is none)
    typed: bool = False  # the launcher takes no orders: what comes out is seen, or typed by people
    physical: bool = False  # the game that is played when the host chooses nothing else has real cards
    preset: str = "attack"
    options: Mapping[str, object] = field(default_factory=dict)
    match: Mapping[str, object] = field(default_factory=dict)

    @property
    def page_button(self) -> bool:
        """Whether pages may press the UNO button."""
        return self.button == "page"


@dataclass(frozen=True, slots=True)
class Tap:
    """A seat's own tap that may be taken back by the phone that made it, until `until` of the table's clock.

    `entries`: how many entries the game had after it.
    """

    session: str
    seat: int
    entries: int
    until: float


class Faulty(Protocol):
    """A machine that things happen to when asked: the twin."""

    def faults(self) -> Sequence[TwinFault]: ...
    def ask(self, name: str, value: int | None = None) -> TwinFault: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a table is joined to. `deliver` is called by the journal's thread, in the order of the commits.

    `cases`: the directory in which disputes are kept as case files, None: nowhere. `fill` puts cards into a machine
    that nobody can put any into by hand (the twin), so that it holds so many; `twin` is that machine, to ask it for
    faults.
    """

    journal: Appender
    launcher: Launcher
    signals: Signals
    backend: str
    deliver: Callable[[Publication | None, Sequence[Told]], None]
    shot_taken: Callable[[int], None]
    fill: Callable[[int], None] | None = None
    twin: Faulty | None = None
    cases: Path | None = None


class Ground:
    """State, chance, and the rows, events and answers of the input being handled."""

    def __init__(self, state: State, parts: Parts, settings: Settings, odds: OddsProfile) -> None:
        self.state = state
        self.parts = parts
        self.settings = settings
        self.rng = SeededRandom(state.seed, state.drawn)
        self.dice = Dice(self.rng)
        self.odds = Odds(odds, self.rng, state.odds)
        self.launcher_state = LauncherState.READY
        self.launcher_until: float | None = None  # when it has cooled down, while it does
        self.fault: Fault | None = None
        self.present: frozenset[int] = frozenset()
        self.chair_free = False  # whoever asks next is host: somebody held the button
        self.tap: Tap | None = None  # the last one that may be taken back
        self.broken: str | None = None
        self.version = 0
        self._last_words = False
        self.now = 0.0
        self.released: Publication | None = None
        self._painter = Painter()
        self._rows: list[Row] = []
        self._events: list[EventText] = []
        self._publish = False
        self._told: list[Told] = []
        self._order: ShotOrder | None = None
        self._file: tuple[Path, str] | None = None

    @property
    def game(self) -> Game | None:
        """The game that is on, or None while people gather."""
        return self.state.game

    @property
    def last_tap(self) -> Tap | None:
        """The tap that may be taken back, or might have been in time: still the last thing done in the game."""
        tap, game = self.tap, self.game
        return tap if tap is not None and game is not None and tap.entries == len(game.entries) else None

    @property
    def shooting(self) -> bool:
        """Whether a shot is under way, or one whose outcome nobody has told yet."""
        if self.state.shot is not None or self.state.service is not None:
            return True
        return self.settings.typed and self.launcher_state in RUNNING

    @property
    def one_ledger(self) -> bool:
        """Whether the game's pile and the machine's hopper are one: real cards, shot by a launcher."""
        game = self.game
        return game is not None and game.position.physical and game.position.rules.launcher

    def record(self, kind: str, body: Mapping[str, object]) -> None:
        """Something happened to the table: it is taken into the state, and journalled with this input."""
        self.state.take(kind, body)
        self._rows.append(Row(kind, body))

    def note(self, kind: str, body: Mapping[str, object]) -> None:
        """Journal a row that was taken into the state already."""
        self._rows.append(Row(kind, body))

    def apply(self, game: Game, action: Action, reason: str = "", by: int | None = None) -> None:
        """Do `action` in the game, journal it and tell it. Raises `Refused`, and then nothing has changed.

        `reason`: why the host put something right; it is kept and told with it. `by`: the seat that takes its own tap
        back.
        """
        drawn = self.rng.drawn
        happened = game.apply(action, self.dice)
        body: dict[str, object] = {"entry": codec.entry_to_json(game.entries[-1])}
        if self.rng.drawn != drawn:
            body["drawn"] = self.state.drawn = self.rng.drawn
        if reason:
            body["reason"] = reason
        self.note("entry", body)
        self._painter.game_changed()
        public = views.events(happened, game.position, None)
        own = {
            number: views.events(happened, game.position, number)
            for number, seat in enumerate(self.state.seats)
            if seat.kind == "person"
        }
        for index, event in enumerate(public):
            if event["e"] in _PUT_RIGHT:
                told = {"reason": reason} if by is None else {"reason": reason, "by": by}
                for view in (event, *(seen[index] for seen in own.values())):
                    view.update(told)
            private = {seat: text_of(seen[index]) for seat, seen in own.items() if seen[index] != event}
            self._events.append(EventText(text_of(event), private))
        self._publish = True

    def tell(self, event: str, **more: object) -> None:
        """Publish, with an event of the table's own that hides nothing."""
        self._events.append(EventText(text_of({"e": event, **more})))
        self._publish = True

    def show(self) -> None:
        """Publish, with nothing but the table as it is now."""
        self._publish = True

    def repaint(self) -> None:
        """Another game is on, or none."""
        self.tap = None
        self._painter.game_changed()

    def reply(self, answer: Callable[[Answer], None], said: Answer) -> None:
        """Answer somebody, with this input's commit."""
        self._told.append((answer, said))

    def order(self, order: ShotOrder) -> None:
        """Have the launcher begin a shot at the moment this input's rows are on disk."""
        self._order = order

    def file(self, path: Path, text: str) -> None:
        """Write a file for people, with this input's commit: on the journal's thread, so that nobody waits for it."""
        self._file = (path, text)

    def flush(self) -> None:
        """Send out what this input brought."""
        rows, told, order, file = self._rows, self._told, self._order, self._file
        silent = self.broken is not None and self._last_words
        publication = self._publication() if self._publish and not silent else None
        self._last_words = self.broken is not None
        if not rows and not told and publication is None:
            return
        self._rows, self._told, self._order, self._file = [], [], None, None
        self._events, self._publish = [], False
        deliver, taken, begin = self.parts.deliver, self.parts.shot_taken, self.parts.launcher.begin_shot

        def release() -> None:
            if order is not None:
                begin(order)
                taken(order.shot)
            if file is not None:
                _write(*file)
            if publication is not None or told:
                deliver(publication, told)

        if self.broken is None:
            self.parts.journal.append(rows, release)
        else:
            deliver(publication, told)

    def first_publication(self) -> Publication:
        """The table as it begins, not waiting for anything."""
        self.released = self._publication()
        self._events, self._publish = [], False
        return self.released

    def break_down(self, text: str) -> None:
        """The journal failed: from now on nothing new leaves, only the last version released with this fault on it."""
        self.broken = text
        self._rows, self._events, self._order = [], [], None
        self.tell("journal-failed")

    def _publication(self) -> Publication:
        if self.broken is not None and self.released is not None:
            self.version = self.released.version + 1
            pictures = self._painter.broken(self.released.pictures, self.broken)
            return Publication(self.released.epoch, self.version, self._events, pictures, self.now)
        self.version += 1
        return Publication(self.state.epoch, self.version, self._events, self._painter.paint(self), self.now)


def _write(path: Path, text: str) -> None:
    """Nothing hangs on the file: a full disk is told the log, and the table goes on."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)  # a case has hands in it
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error.strerror)
