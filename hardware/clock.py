"""Clocks and the workers they drive: the only way anything in this package waits. No pins, no shots.

A worker is a handler with an inbox and one deadline. Under `RealClock` it is a thread that sleeps until either comes;
under `VirtualClock` it has no thread and runs inside `advance`, in order, so that tests take no time and repeat.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from queue import Empty, SimpleQueue
from typing import Final, Generic, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

# Called with each item posted, or with None when the deadline it returned last is due. Returns the next deadline on
# the clock (seconds), or None to sleep until something is posted.
Handler = Callable[[T | None], float | None]

log = logging.getLogger("hardware.clock")

JOIN_SECONDS: Final = 2.0  # how long a stop waits for a worker that is in the middle of something
# A sleeping thread comes back some 0.1-0.4 ms late and with cold caches. A punctual worker wakes so much earlier and
# yields until its deadline; it costs that much processor time for each deadline, and nothing without one.
LEAD: Final = 0.0005


class Worker(Protocol[T_contra]):
    """A handler with an inbox and a deadline; the handler is never run twice at the same time."""

    def post(self, item: T_contra) -> None:
        """Hand over an item and return at once; callable from any thread, also from a signal handler."""

    def start(self) -> None:
        """Begin; the handler is first called with None."""

    def stop(self) -> None:
        """Handle what was posted before, then end. Idempotent. Does not wait when called by the worker itself."""


class Clock(Protocol):
    """Monotonic time in seconds, and workers that live by it."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def worker(self, name: str, handle: Handler[T], punctual: bool = False) -> Worker[T]:
        """A worker, not yet started. `punctual`: its deadlines are worth a little processor time."""


class _Stop:
    """What ends a worker's inbox."""


_STOP: Final = _Stop()


class RealWorker(Generic[T]):
    """A thread around a `SimpleQueue`: `put` and the timed `get` are single calls into C, the quickest way to wake."""

    def __init__(self, name: str, handle: Handler[T], punctual: bool = False) -> None:
        self._handle = handle
        self._lead = LEAD if punctual else 0.0
        self._inbox: SimpleQueue[T | _Stop] = SimpleQueue()
        # Daemon: a process that fails to close its backend must still be able to end (see `atexit` in hardware.gpio).
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.post: Callable[[T], None] = self._inbox.put

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end and wait for it, two seconds at most (it may be stuck; the caller goes on)."""
        if not self._thread.ident or not self._thread.is_alive():
            return
        self._inbox.put(_STOP)
        if threading.current_thread() is not self._thread:
            self._thread.join(JOIN_SECONDS)
            if self._thread.is_alive():
                log.error("thread %s did not end within %.0f s", self._thread.name, JOIN_SECONDS)

    def _run(self) -> None:
        item: T | _Stop | None = None
        while not isinstance(item, _Stop):
            try:
                deadline = self._handle(item)
            except Exception:
                log.exception("worker %s failed on %s", self._thread.name, type(item).__name__)
                deadline = None
            item = self._inbox.get() if deadline is None else self._wait(deadline)

    def _wait(self, deadline: float) -> T | _Stop | None:
        """The next item, or None when the deadline has come first."""
        now, inbox = time.monotonic, self._inbox
        try:
            return inbox.get(True, max(0.0, deadline - self._lead - now()))
        except Empty:
            while now() < deadline and inbox.empty():
                time.sleep(0)
        try:
            return inbox.get(False)
        except Empty:
            return None


class RealClock:
    """The machine's monotonic clock; the same that gpiozero and the kernel stamp edges with."""

    now = staticmethod(time.monotonic)

    def worker(self, name: str, handle: Handler[T], punctual: bool = False) -> Worker[T]:
        """A worker with a thread of its own."""
        return RealWorker(name, handle, punctual)


class VirtualWorker(Generic[T]):
    """A worker without a thread: `VirtualClock.advance` runs it."""

    def __init__(self, clock: VirtualClock, name: str, handle: Handler[T]) -> None:
        self.name = name
        self.frozen = False
        self.deadline: float | None = None
        self.inbox: deque[tuple[int, T | None]] = deque()
        self._clock = clock
        self._handle = handle
        self._inside = False

    def post(self, item: T) -> None:
        """Keep the item until time is next advanced (even by 0)."""
        self.inbox.append((self._clock.number(), item))

    def start(self) -> None:
        """Run the handler once, as a thread would at its start, and join the clock."""
        self._clock.join(self)
        self._call(None)

    def stop(self) -> None:
        """Run what is in the inbox, then leave the clock."""
        if not self._clock.leave(self) or self._inside or self.frozen:
            return
        while self.inbox:
            self._call(self.inbox.popleft()[1])
        self.deadline = None

    def run(self) -> None:
        """Handle one item, or the deadline."""
        self._call(self.inbox.popleft()[1] if self.inbox else None)

    def _call(self, item: T | None) -> None:
        self._inside = True
        try:
            self.deadline = self._handle(item)
        finally:
            self._inside = False


class VirtualClock:
    """A clock that stands still until `advance` moves it; everything due on the way runs in order of its time.

    Exceptions of handlers reach the caller of `advance`: a test sees them.
    """

    STUCK: Final = 100_000  # calls without time moving: a handler that always asks for "now" again

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._numbers = count()
        self._workers: list[VirtualWorker[object]] = []
        self._guard = threading.Lock()
        self._calls = 0  # since time last moved

    def now(self) -> float:
        """The virtual time in seconds."""
        return self._now

    def worker(self, name: str, handle: Handler[T], punctual: bool = False) -> Worker[T]:
        """A worker that runs inside `advance`; always punctual."""
        del punctual
        return VirtualWorker(self, name, handle)

    def advance(self, seconds: float) -> None:
        """Move time on by `seconds`, running whatever is due; `advance(0)` runs what is due now."""
        until = self._now + seconds
        while self._run_one(until):
            pass
        self._now = until

    def advance_until(self, done: Callable[[], bool], limit: float, step: float = 0.01) -> None:
        """Move on until `done()`, asked after everything that runs and every `step` seconds at least.

        Raises `AssertionError` after `limit` seconds.
        """
        end = self._now + limit
        while not done():
            if self._now >= end:
                raise AssertionError(f"not done after {limit} virtual seconds")
            until = min(end, self._now + step)
            if not self._run_one(until):
                self._now = until

    def freeze(self, name: str, frozen: bool = True) -> None:
        """Let the worker of this name hang (or go on): what a stuck thread looks like to the others."""
        found = [worker for worker in self._workers if worker.name == name]
        if not found:
            raise KeyError(f"no worker {name!r} among {[worker.name for worker in self._workers]}")
        for worker in found:
            worker.frozen = frozen

    def number(self) -> int:
        """The next number in the order of posting."""
        return next(self._numbers)

    def join(self, worker: VirtualWorker[T]) -> None:
        """Take the worker under this clock."""
        with self._guard:
            self._workers.append(worker)  # type: ignore[arg-type]  # the clock only runs it, never posts to it

    def leave(self, worker: VirtualWorker[T]) -> bool:
        """Let the worker go; False when it was not there."""
        with self._guard:
            there = any(known is worker for known in self._workers)
            self._workers = [known for known in self._workers if known is not worker]
            return there

    def _run_one(self, until: float) -> bool:
        """Run the one thing that is due first, up to `until`; False when there is none."""
        due = self._next(until)
        if due is None:
            return False
        at, worker = due
        self._calls = 0 if at > self._now else self._calls + 1
        if self._calls > self.STUCK:
            raise RuntimeError(f"worker {worker.name} never lets time go on from {self._now}")
        self._now = max(self._now, at)
        worker.run()
        return True

    def _next(self, until: float) -> tuple[float, VirtualWorker[object]] | None:
        best: tuple[float, int, VirtualWorker[object]] | None = None
        with self._guard:
            workers = [worker for worker in self._workers if not worker.frozen]
        for place, worker in enumerate(workers):
            if worker.inbox:
                key = (self._now, worker.inbox[0][0] - (1 << 62))
            elif worker.deadline is not None and worker.deadline <= until:
                key = (max(self._now, worker.deadline), place)
            else:
                continue
            if best is None or key < best[:2]:
                best = (*key, worker)
        return None if best is None else (best[0], best[2])
