"""Fan-out of the table's publications to every open page: bounded queues, one writer each, snapshots for the slow.

A connection never holds up another one, nor the table: what a page has room for is handed over at once, and what it has
no room for waits in the page's own queue.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import Any, Protocol

from web_companion.door import Publication, TableDoor
from web_companion.sessions import Session, Sessions

QUEUE = 24  # publications a page may lag behind before it gets one snapshot instead
NOTES = 256  # answers a page may leave unread before it is dropped: the rate limit lets nobody honest come near
SEND_TIMEOUT = 5.0  # seconds one frame may take to leave


_Place = tuple[frozenset[int], frozenset[int], bool]  # a phone's seats, those it may come back to, whether it waits


class Pipe(Protocol):
    """The sending half of a WebSocket."""

    def send_text(self, data: str) -> Awaitable[None]: ...


class _Begun:
    """The rest of something awaitable that was begun without a task, and has come to wait for `future`."""

    def __init__(self, steps: Generator[Any, Any, None], future: object) -> None:
        self._steps = steps
        self._future = future

    def __await__(self) -> Generator[Any, Any, None]:
        future = self._future
        while True:
            go_on: Callable[[], object]
            try:
                said = yield future
            except BaseException as thrown:  # noqa: BLE001  # whatever it is, it is meant for what was begun
                go_on = partial(self._steps.throw, thrown)
            else:
                go_on = partial(self._steps.send, said)
            try:
                future = go_on()
            except StopIteration:
                return


class Connection:
    """One open page: what is waiting for it, and the one writer that sends it."""

    def __init__(self, pipe: Pipe, session: Session, table: TableDoor, page: str) -> None:
        self.session = session
        self.page = page
        self.heard = time.monotonic()  # when the page last said something
        self.overrun = False  # left its answers unread: to be closed
        self._pipe = pipe
        self._table = table
        self._notes: deque[str] = deque()
        self._publications: deque[Publication] = deque()
        self._snapshot_due = False
        self._wake = asyncio.Event()
        self._idle = False  # nothing is waiting or under way: the writer sleeps
        self._begun: _Begun | None = None
        self._failure: Exception | None = None
        self._began: float | None = None  # when the frame under way began to be sent

    @property
    def stuck(self) -> bool:
        """Whether a frame has been under way for longer than one may: the page does not read."""
        return self._began is not None and time.monotonic() - self._began > SEND_TIMEOUT

    def note(self, message: dict[str, object]) -> None:
        """Send an answer, a welcome or a pong; these are never dropped for a snapshot."""
        self.say(json.dumps(message, separators=(",", ":")))  # ASCII: whatever a page sent can be told it

    def say(self, text: str) -> None:
        """The same with the text of the message."""
        if self._idle:
            self._send(text)
        elif len(self._notes) >= NOTES:
            self.overrun = True
            self._rouse()
        else:
            self._notes.append(text)

    def publish(self, publication: Publication, frame: str | None = None) -> None:
        """Send a publication (`frame`: what it is for this phone now, where that is known); when too many wait already,
        all of them give way to one snapshot.
        """
        if self._idle:
            self._send(self._frame(publication) if frame is None else frame)
        elif self._snapshot_due:
            pass  # the snapshot will be of the newest
        elif len(self._publications) >= QUEUE:
            self.snapshot()
        else:
            self._publications.append(publication)

    def snapshot(self) -> None:
        """Send the newest state instead of whatever was waiting."""
        self._publications.clear()
        self._snapshot_due = True
        self._rouse()

    async def write(self) -> None:
        """The one writer: runs until the page is gone. How long a frame takes, `stuck` says: the reader asks with every
        message, and a page that says nothing is dead anyway. (A timer for each frame costs as much as sending it.)
        """
        while not self.overrun:
            text = self._next()
            if text is None:
                self._wake.clear()
                self._idle = True
                try:
                    await self._wake.wait()
                finally:
                    self._idle = False
                await self._finish()
            else:
                self._began = time.monotonic()
                await self._pipe.send_text(text)
                self._began = None

    def _rouse(self) -> None:
        self._idle = False
        self._wake.set()

    def _send(self, text: str) -> None:
        """Send `text` from here: nothing is before it, and there is room for it as a rule. (To wake the writer for it
        costs as much as sending it.) What cannot be finished, the writer finishes.
        """
        steps = self._pipe.send_text(text).__await__()
        try:
            future = next(steps)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001  # the page is gone: the writer says so, to whom it concerns
            self._failure = error
        else:
            self._began = time.monotonic()
            self._begun = _Begun(steps, future)
        self._rouse()

    async def _finish(self) -> None:
        """What was begun elsewhere."""
        if self._failure is not None:
            raise self._failure
        if self._begun is not None:
            begun, self._begun = self._begun, None
            await begun
            self._began = None

    def _next(self) -> str | None:
        if self._notes:
            return self._notes.popleft()
        if self._snapshot_due:
            self._snapshot_due = False
            return self._frame(self._table.current())
        if self._publications:
            return self._frame(self._publications.popleft())
        return None

    def _frame(self, publication: Publication) -> str:
        return frame_for(self.session, publication, self._table.seats_of(self.session.id))


def frame_for(session: Session, publication: Publication, seats: frozenset[int]) -> str:
    """`publication` as this phone may see it, whose `seats` are these now: the hands of those that were its own then.

    Composed when it is sent. Seats are numbered anew when somebody stands up between games: the number that is its own
    now may have been another's.
    """
    return publication.frame(seats & publication.owned_by(session.id), session.host)


class Hub:
    """All open pages. Listens to the table once and passes on to each."""

    def __init__(self, table: TableDoor, sessions: Sessions, welcome: Callable[[Session], dict[str, object]]) -> None:
        self._table = table
        self._welcome = welcome
        self._connections: set[Connection] = set()
        self._stop = table.subscribe(self._publish)
        self._present: frozenset[int] = frozenset()
        self._shown: dict[Session, _Place] = {}  # what pages were told of their phone's place at the table
        sessions.listen(self._session_changed)

    @property
    def connections(self) -> int:
        """How many pages are open."""
        return len(self._connections)

    def open_pages(self, session: Session) -> int:
        """How many pages this phone has open."""
        return sum(connection.session is session for connection in self._connections)

    def has_page(self, session: Session) -> bool:
        """Whether this phone has a page open."""
        return session in self._shown

    def present(self) -> list[Session]:
        """The phones that have a page open."""
        return list({connection.session.id: connection.session for connection in self._connections}.values())

    def present_seats(self) -> frozenset[int]:
        """The seats whose phone has a page open."""
        sessions = {connection.session.id for connection in self._connections}
        return frozenset(seat for session in sessions for seat in self._table.seats_of(session))

    def join(self, connection: Connection, epoch: int, version: int) -> None:
        """Add a page: greet it, then give it what it missed, or a snapshot when in doubt."""
        session = connection.session
        self._show_place(session, self._table.seats_of(session.id))
        connection.note(self._welcome(session))
        missed = self._table.since(epoch, version)
        if missed is None or len(missed) > QUEUE:
            connection.snapshot()
        else:
            for publication in missed:
                connection.publish(publication)
        self._connections.add(connection)
        self._tell_presence(self.present_seats())

    def leave(self, connection: Connection) -> None:
        """Forget a page. Idempotent."""
        self._connections.discard(connection)
        if not self.open_pages(connection.session):
            self._shown.pop(connection.session, None)
        self._tell_presence(self.present_seats())

    def close(self) -> None:
        """Stop listening to the table."""
        self._stop()

    def _publish(self, publication: Publication) -> None:
        """Twelve pages of one phone are sent the same: whose seats are whose is asked once for each phone."""
        frames: dict[Session, str] = {}
        present: set[int] = set()
        for session in {connection.session for connection in self._connections}:
            seats = self._table.seats_of(session.id)
            present |= seats
            self._show_place(session, seats)
            frames[session] = frame_for(session, publication, seats)
        for connection in self._connections:
            connection.publish(publication, frames[connection.session])
        self._tell_presence(frozenset(present))

    def _show_place(self, session: Session, seats: frozenset[int]) -> None:
        """Greet the pages of a phone anew that sat down, stood up, is numbered anew, waits, or need not come back."""
        place = seats, self._table.left_by(session.id), self._table.waits(session.id)
        if self._shown.get(session, place) != place:
            self._session_changed(session)
        self._shown[session] = place

    def _session_changed(self, session: Session) -> None:
        for connection in self._connections:
            if connection.session is session:
                connection.note(self._welcome(session))

    def _tell_presence(self, present: frozenset[int]) -> None:
        if present != self._present:
            self._present = present
            self._table.presence(present)
