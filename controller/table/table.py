"""The table as the rest of the program sees it: the core joined to an event loop, a journal, a backend and a clock.

The loop's own queue of callbacks is the inbox: whatever arrives, from any thread, is handled there in one order, and
nothing that is handled ever waits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from controller.journal import Journal
from controller.odds import OddsProfile
from controller.table.core import Core
from controller.table.ground import Faulty, Parts, Settings, Told
from controller.table.messages import Answer, Asker, Command, JournalFailed, Message, Presence, ShotTaken, Tick
from controller.table.picture import as_told_at, in_words
from controller.table.publication import Publication
from controller.table.recovery import recover
from hardware.clock import Clock
from hardware.ports import Backend, Signals

_KEPT = 256  # publications a page that comes back can be given one by one

Listener = Callable[[Publication], None]


class Table:
    """One table. Everything but `__init__` is called on the event loop; make it, `start` it, then await `run`."""

    def __init__(
        self,
        journal: Journal,
        backend: Backend,
        clock: Clock,
        settings: Settings,
        odds: OddsProfile,
        seed: str | None = None,
        fill: Callable[[int], None] | None = None,
        twin: Faulty | None = None,
        signals: Callable[[Signals], Signals] = lambda signals: signals,
    ) -> None:
        """Take the table up as the journal tells it. Raises `JournalError`. `clock` is the backend's own.

        `seed`: the chance of a table that has none yet, or another from here on; None: the one it has, or a secret one.
        `fill`, `twin`: see `Parts`. `signals`: joins whatever else is to be seen or heard to the backend's own.
        """
        self._journal = journal
        self._backend = backend
        self._clock = clock
        self._recovered = recover(journal, seed)
        self._settings = settings
        self._odds = odds
        self._fill = fill
        self._twin = twin
        self._signals = signals
        self._listeners: list[Listener] = []
        self._history: deque[Publication] = deque(maxlen=_KEPT)
        self._made: Core | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._broken: asyncio.Future[None] | None = None
        self._running = False

    @property
    def epoch(self) -> int:
        """The epoch of the last version released."""
        return self._history[-1].epoch

    @property
    def version(self) -> int:
        """The last version released."""
        return self._history[-1].version

    def start(self) -> None:
        """Start journal and backend, and publish the table as it is. Raises what the backend raises."""
        self._loop = asyncio.get_running_loop()
        self._broken = self._loop.create_future()
        self._journal.start(lambda text: self._post(JournalFailed(text)))
        backend = self._backend
        backend.start(self._post)
        parts = Parts(
            self._journal, backend.launcher, self._signals(backend.signals), backend.name,
            deliver=self._delivered, shot_taken=self._shot_taken, fill=self._fill, twin=self._twin,
            cases=self._journal.directory / "cases",
        )  # fmt: skip
        self._made = Core(self._recovered, parts, self._settings, self._odds)
        self._history.append(self._core.begin(self._clock.now()))
        self._reschedule()

    async def run(self) -> None:
        """Until it is cancelled. Raises whatever went wrong inside; the launcher is halted then."""
        if self._broken is None:
            self.start()
        assert self._broken is not None
        self._running = True
        try:
            await self._broken
        finally:
            self._running = False
            if self._timer is not None:
                self._timer.cancel()

    def submit(self, who: Asker, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None:
        """Hand in a command; `answer` is called once, on the event loop, after whatever it did is on disk."""
        self._receive(Command(who, command, answer))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called once for every version, after its commit; returns the way to stop it."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def current(self) -> Publication:
        """The last version released, with the seconds it counts as they are now."""
        return as_told_at(self._clock.now(), self._history[-1])

    def since(self, epoch: int, version: int) -> list[Publication] | None:
        """The versions after `version`; None when they are not all kept any more, or of another epoch."""
        current, now = self._history[-1], self._clock.now()
        if epoch != current.epoch or version > current.version:
            return None
        missed = [as_told_at(now, each) for each in self._history if each.epoch == epoch and each.version > version]
        return missed if len(missed) == current.version - version else None

    def seats_of(self, session: str) -> frozenset[int]:
        """The seats of a phone's session now; they are numbered anew when somebody stands up between games."""
        return self._recovered.state.seats_of(session)

    def left_by(self, session: str) -> frozenset[int]:
        """The seats from which a phone's player has stood up in the game that is on."""
        return self._recovered.state.left_by(session)

    def waits(self, session: str) -> bool:
        """Whether a phone waits for a seat in the next game."""
        return self._recovered.state.waits(session)

    def has_place(self, session: str) -> bool:
        """Whether a phone has a seat, had one when the game began, or waits for one."""
        return self._recovered.state.has_place(session)

    def take_chair(self, name: str) -> bool:
        """A phone asks to be host without a code; True when somebody has held the button for it."""
        taken = self._core.take_chair(name, self._clock.now())
        self._reschedule()
        return taken

    @property
    def seated(self) -> int:
        """How many sit at the table."""
        return len(self._recovered.state.seats)

    def presence(self, seats: frozenset[int]) -> None:
        """The seats that have a page open now."""
        self._receive(Presence(seats))

    def tick(self, ticked: Callable[[], None]) -> None:
        """Call `ticked` when the table comes round to it; never, when it has failed or its task has ended."""
        if self._running:
            self._post(Tick(ticked))

    def in_words(self) -> str:
        """How the table stands, on one line, for whoever looks after the machine."""
        return in_words(self._core.ground)

    def service(self) -> dict[str, object]:
        """What the maker sees of the machine: no hand, and nothing that is planned."""
        return self._core.service(self._backend.reading())

    def failure(self) -> str | None:
        """Why nothing can be done at this table any more (its journal failed), or None."""
        return self._core.ground.broken

    @property
    def _core(self) -> Core:
        if self._made is None:
            raise RuntimeError("the table has not been started")
        return self._made

    def _post(self, message: Message) -> None:
        """From any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._receive, message)

    def _receive(self, message: Message) -> None:
        if self._failed:
            return  # what it was in the middle of must not reach the journal with a later input's rows
        try:
            self._core.handle(message, self._clock.now())
        except Exception as error:
            self._stop_for(error)
            raise
        self._reschedule()

    def _wake(self) -> None:
        self._timer = None
        if self._failed:
            return
        try:
            self._core.wake(self._clock.now())
        except Exception as error:
            self._stop_for(error)
            raise
        self._reschedule()

    def _reschedule(self) -> None:
        if self._loop is None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self._core.next_deadline()
        if deadline is not None:
            self._timer = self._loop.call_later(max(0.0, deadline - self._clock.now()), self._wake)

    @property
    def _failed(self) -> bool:
        """It has stopped for an error: nothing is taken in any more."""
        broken = self._broken
        return broken is not None and broken.done() and not broken.cancelled()

    def _stop_for(self, error: Exception) -> None:
        self._backend.launcher.halt("the table failed: see its log")
        if self._broken is not None and not self._broken.done():
            self._broken.set_exception(error)

    def _shot_taken(self, shot: int) -> None:
        self._post(ShotTaken(shot))

    def _delivered(self, publication: Publication | None, told: Sequence[Told]) -> None:
        """On the journal's thread: what was committed may leave."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, publication, told)

    def _deliver(self, publication: Publication | None, told: Sequence[Told]) -> None:
        # One callback each: whoever raises in one does not keep the others from being told.
        loop = asyncio.get_running_loop()
        if publication is not None:
            if publication.epoch != self.epoch:
                self._history.clear()
            self._history.append(publication)
            self._core.released(publication)
            for listener in self._listeners:
                loop.call_soon(listener, publication)
        for answer, said in told:
            loop.call_soon(answer, said)
