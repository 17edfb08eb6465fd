"""lgpio, imported so that it leaves no file behind, and the life of its one thread, which brings every edge.

What lgpio 0.2 does, read in its source: importing it makes a named pipe `.lgd-nfy0` in its working directory, changes
into that directory where LG_WD names one, opens the pipe by a relative name and never removes it. A C thread writes
every edge into the pipe, without waiting: when nobody reads, edges are lost without a word. One Python thread reads it
and calls what is registered, without try: the first exception ends it, and nothing says so.
"""

from __future__ import annotations

import importlib
import logging
import os
import struct
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any, Final

log = logging.getLogger("hardware.edges")

PATIENCE: Final = 0.25  # seconds the thread may take to come round to a message; as long as the launcher's own loop
_REPORT: Final = struct.Struct("QBBBBI")  # lgpio's message: time in ns, chip, line, level, flags, padding
_OURS: Final = 0xFF  # a chip and a line that no machine has: the message asks for a sign of life


class EdgeThread:
    """lgpio's reading thread: whether it lives, found out through the pipe it reads, like any edge."""

    def __init__(self, lgpio: Any, pipe: int) -> None:
        """`pipe`: the end that is written to, without waiting. Registers one more callback with lgpio."""
        self.lgpio = lgpio
        self._thread: threading.Thread = lgpio._notify_thread
        self._pipe = pipe
        self._guard = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()
        self._asked: float | None = None  # since when the thread has owed an answer
        self._callback = lgpio.callback(_OURS << 16, _OURS, lgpio.BOTH_EDGES, self._answer)

    def alive(self) -> bool:
        """It is there, and has answered what it was asked before, if that was a while ago. Asks again."""
        now = time.monotonic()
        with self._guard:
            asked = self._asked
            late = asked is not None and now - asked >= PATIENCE
            if asked is None:
                self._asked = now
        if asked is None or late:
            self._send()
        return not late and self._thread.is_alive()

    def tick(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""
        with self._guard:
            self._waiting.append(call)
            if self._asked is None:
                self._asked = time.monotonic()
        self._send()

    def _send(self) -> None:
        with suppress(BlockingIOError):  # full: nobody reads, and nobody will answer
            os.write(self._pipe, _REPORT.pack(0, _OURS, _OURS, 0, 0, 0))

    def _answer(self, chip: int, line: int, level: int, at: int) -> None:
        """Called by lgpio's thread, so it lets nothing through."""
        del chip, line, level, at
        with self._guard:
            self._asked = None
            calls = list(self._waiting)
            self._waiting.clear()
        for call in calls:
            try:
                call()
            except Exception:
                log.exception("whoever asked for a sign of life failed on it")


_loaded: list[EdgeThread] = []  # at most one: a process imports lgpio once, and lgpio has one thread


def edge_thread() -> EdgeThread:
    """lgpio's thread, after importing lgpio.

    Raises `ImportError` where lgpio is missing, `EmptyError` where it is a package without content or unlike what we
    know, `OSError` where it finds no place for its pipe.
    """
    if not _loaded:
        lgpio = _import_lgpio()
        if not hasattr(lgpio, "gpiochip_open") or not hasattr(lgpio, "_notify_thread"):
            raise EmptyError("lgpio is there, but nothing is in it")
        # A second, writing end of the pipe; its name is gone.
        reader = lgpio._notify_thread._file.fileno()
        _loaded.append(
            EdgeThread(lgpio, os.open(f"/proc/self/fd/{reader}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        )
    return _loaded[0]


class EmptyError(RuntimeError):
    """A package called lgpio that is not lgpio: the package index has an empty one for newer Pythons."""


def _import_lgpio() -> ModuleType:
    """Import it with its pipe in a directory of our own, which is gone afterwards: both ends are open by then."""
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    before = os.environ.get("LG_WD")
    try:
        with tempfile.TemporaryDirectory(prefix="uno-attack-lgpio-") as place:
            os.environ["LG_WD"] = place
            os.chdir(place)
            try:
                return importlib.import_module("lgpio")
            finally:
                os.fchdir(here)
                if before is None:
                    del os.environ["LG_WD"]
                else:
                    os.environ["LG_WD"] = before
    finally:
        os.close(here)
