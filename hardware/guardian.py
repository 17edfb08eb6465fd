"""The guardian: a small process beside a table that was started by hand, with nothing to do but to make it safe.

It hears from the launcher's thread over a pipe while the motor is on, and nothing while it is off. When the ticks stop,
or the pipe ends without a word of farewell, it ends the table for good (a frozen one still holds its lines) and claims
every output low. It lives in a session of its own and takes no signal that a terminal sends.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardware.chips import Chip, ChipError, Lines, find_chip
from hardware.safe_off import afterwards, kill_process, make_low

READY: Final = b"ready\n"  # from the guardian: it has the chip open and listens
TICK: Final = b"+"  # to the guardian: the motor is on, or about to be, and its thread lives
IDLE: Final = b"-"  # the motor is off: expect nothing
BYE: Final = b"."  # the table has ended and given its pins back
SILENCE: Final = 0.5  # seconds without a tick while the motor is on
PATIENCE: Final = 2.0  # seconds that lines may still be held after the table's end

GONE: Final = "the table has ended without a word"
FROZEN: Final = f"no tick for {SILENCE * 1000:.0f} ms with the motor on: the table is frozen"

DONE: Final = 0  # the table has said goodbye
SAVED: Final = 1  # it had to be made safe, and is
FAILED: Final = 2  # it had to, and not every output is known to be low

Open = Callable[[str], Lines]


def open_chip(label: str) -> Lines:
    """The chip of this label. Raises `ChipError`, `OSError`."""
    return Chip(find_chip(label).path)


def listen(ticks: int, table: int) -> str:
    """Until the table says goodbye (""), or it needs help: then why. `ticks`: the pipe, `table`: its process's file."""
    expecting = False
    while True:
        ready, _, _ = select.select([ticks, table], [], [], SILENCE if expecting else None)
        if not ready:
            return FROZEN
        words = os.read(ticks, 4096) if ticks in ready else b""
        if BYE in words:
            return ""
        if table in ready or not words:
            return GONE
        expecting = words.endswith(TICK)


def make_safe(chip: Lines, outputs: dict[str, int], table: int) -> tuple[int, list[str]]:
    """End the table and claim its outputs low; the exit code, and what there is to say. Says nothing before that."""
    said: list[str] = []
    if not kill_process(table):
        said.append("the table does not end although it was killed; its lines are tried all the same")
    failed = make_low(chip, outputs, said.append, PATIENCE)
    said.append(afterwards(chip.info.label))
    return FAILED if failed else SAVED, said


def main(arguments: Sequence[str] | None = None, open_it: Open = open_chip) -> int:
    """Watch over one table; returns the exit code. `open_it`: another way to a chip, for tests."""
    parser = argparse.ArgumentParser(prog="uno-attack guardian", description="Started by a table, not by people.")
    parser.add_argument("--table", type=int, required=True, metavar="PID", help="the process to watch over")
    parser.add_argument("--chip", required=True, metavar="LABEL", help="the GPIO chip's label")
    parser.add_argument("--low", action="append", required=True, metavar="NAME=LINE", help="an output to make low")
    parser.add_argument("--log", type=Path, required=True, help="where it is written down what was done")
    given = parser.parse_args(arguments)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    outputs = {name: int(line) for name, _, line in (each.partition("=") for each in given.low)}
    try:
        table = os.pidfd_open(given.table)
        chip = open_it(given.chip)
    except (ChipError, OSError) as error:
        print(error, file=sys.stderr)
        return FAILED
    os.write(sys.stdout.fileno(), READY)
    trouble = listen(sys.stdin.fileno(), table)
    if not trouble:
        return DONE
    code, said = make_safe(chip, outputs, table)
    _write_down(given.table, given.log, [trouble, *said])
    return code


def _write_down(table: int, log: Path, said: list[str]) -> None:
    """To the log and to the terminal; last of all, for either may be full, gone or stopped."""
    text = "".join(f"{time.strftime('%Y-%m-%d %H:%M:%S')} guardian of table {table}: {line}\n" for line in said)
    with suppress(OSError), log.open("a", encoding="utf-8") as file:
        file.write(text)
    with suppress(OSError):
        sys.stderr.write(text)


if __name__ == "__main__":
    sys.exit(main())
