"""`python -m tests.faults.driver FAULT ARGUMENTS...`: `uno-attack ARGUMENTS`, its pins on record and a fault at hand.

The fault happens at SIGUSR1. Standard error tells `pin NAME LEVEL SECONDS` for every change of the twin's enable and
beam, and `fault SECONDS`, by the machine's monotonic clock: the same for whoever reads it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from controller.cli import main
from controller.journal import Journal
from controller.table import Table
from hardware.twin import TwinBackend

HANGS = 2.0  # seconds
COMMITS = 3.0  # seconds

tables: list[Table] = []
journals: list[Journal] = []


def say(*words: object) -> None:
    """One whole line, at once, whatever else is being written."""
    os.write(2, f"{' '.join(map(str, words))} {time.monotonic():.6f}\n".encode())


def spy(backend: TwinBackend) -> None:
    """Tell every change of enable and of the beam."""
    for name in ("enable", "beam"):
        pin: Any = backend.factory.pin(getattr(backend.pins, name))
        change = pin._change_state

        def changed(value: float, name: str = name, change: Callable[[float], bool] = change) -> bool:
            did = bool(change(value))
            if did:
                say("pin", name, int(bool(value)))
            return did

        pin._change_state = changed


def loop_hangs() -> None:
    """The event loop's thread does nothing but to keep the interpreter busy."""
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        pass


def table_fails() -> None:
    """The next thing the table hears of raises."""
    table: Any = tables[0]

    def fail(*_: object) -> None:
        raise RuntimeError("made to fail")

    table._core.handle = fail


def table_dead() -> None:
    """The table's task ends."""
    for task in asyncio.all_tasks():
        if task.get_name() == "table":
            task.cancel()


def disk_full() -> None:
    """No file of this process can grow any more, and there is something to write."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    journals[0].keep("something", "x" * 10_000)


def slow_commit() -> None:
    """The next commit takes three seconds."""
    journal: Any = journals[0]
    database = journal._database

    class Slow:
        def execute(self, *statement: object) -> object:
            journal._database = database
            time.sleep(COMMITS)
            return database.execute(*statement)

        def __getattr__(self, name: str) -> object:
            return getattr(database, name)

    journal._database = Slow()


def launcher_hangs() -> None:
    """The launcher's thread never comes round again."""
    table: Any = tables[0]
    table._backend.launcher.edge = lambda edge: None
    table._backend.launcher._advance = lambda now: time.sleep(60)
    table._backend.launcher.tick(lambda: None)


def wall_clock() -> None:
    """The clock on the wall jumps by the seconds of the environment's JUMP, for all of Python."""
    shift, seconds, nanoseconds = int(os.environ["JUMP"]), time.time, time.time_ns
    time.time = lambda: seconds() + shift
    time.time_ns = lambda: nanoseconds() + shift * 1_000_000_000


def none() -> None:
    """Nothing: whoever sent the signal does something himself."""


FAULTS = {
    each.__name__: each
    for each in (loop_hangs, table_fails, table_dead, disk_full, slow_commit, launcher_hangs, wall_clock, none)
}  # fmt: skip


def happen(fault: Callable[[], None]) -> None:
    """Now."""
    say("fault")
    fault()


def drive(fault: str, arguments: list[str]) -> int:
    """Run the command; returns its exit code."""
    start_backend, start_table, start_journal = TwinBackend.start, Table.start, Journal.start

    def backend_started(self: TwinBackend, *given: Any) -> None:
        start_backend(self, *given)
        spy(self)

    def table_started(self: Table) -> None:
        start_table(self)
        tables.append(self)
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, happen, FAULTS[fault])

    def journal_started(self: Journal, *given: Any) -> None:
        journals.append(self)
        start_journal(self, *given)

    started: dict[Any, Any] = {TwinBackend: backend_started, Table: table_started, Journal: journal_started}
    for each, start in started.items():
        each.start = start
    return main(arguments)


if __name__ == "__main__":
    sys.exit(drive(sys.argv[1], sys.argv[2:]))
