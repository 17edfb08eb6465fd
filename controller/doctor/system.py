"""What the checks look at: files under a root that is handed in, and the few things of a machine that are no files."""

from __future__ import annotations

import grp
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller.doctor.look import Look, RealLook, chip_of
from hardware.chips import ChipInfo, holders

_PATIENCE: Final = 5.0  # seconds for a program that is asked something
_COMMITS: Final = 11


@dataclass(frozen=True, slots=True)
class Process:
    """A process of this machine."""

    number: int
    name: str
    command: str

    def __str__(self) -> str:
        return f"{self.name} (process {self.number})"


@dataclass(frozen=True, slots=True)
class Library:
    """A Python package: its version, and whether there is anything in it."""

    version: str
    empty: bool


def _groups() -> frozenset[str]:
    found = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            found.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue  # a number nobody gave a name
    return frozenset(found)


def _ask(command: Sequence[str]) -> str | None:
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, *command[1:]],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _library(name: str) -> Library | None:
    spec = find_spec(name)
    if spec is None:
        return None
    try:
        number = version(name)
    except PackageNotFoundError:  # Debian's package of it
        number = ""
    return Library(number, empty=spec.origin is None or number == "0.0.0.2")


def _commit_seconds(directory: Path) -> float:
    """How long a commit takes that must be on disk, in the middle: a table makes one for each press."""
    with tempfile.TemporaryDirectory(dir=directory, prefix="doctor-") as place:
        database = sqlite3.connect(Path(place) / "commits.sqlite", isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            database.execute("CREATE TABLE rows (number INTEGER)")
            times = []
            for number in range(_COMMITS):
                begun = time.perf_counter()
                database.execute("INSERT INTO rows VALUES (?)", (number,))
                times.append(time.perf_counter() - begun)
        finally:
            database.close()
    return statistics.median(times)


@dataclass(frozen=True)
class System:
    """This machine, or a made-up one: `root` has its /proc, /sys, /dev, /boot and /run."""

    root: Path = Path("/")
    look: Look = field(default_factory=RealLook)
    ask: Callable[[Sequence[str]], str | None] = _ask  # what a program prints; None where there is none, or it fails
    library: Callable[[str], Library | None] = _library
    groups: frozenset[str] = field(default_factory=_groups)
    administrator: bool = field(default_factory=lambda: os.geteuid() == 0)
    python: tuple[int, int, int] = field(default_factory=lambda: sys.version_info[:3])
    free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    commit_seconds: Callable[[Path], float] = _commit_seconds
    this_year: Callable[[], int] = lambda: time.gmtime().tm_year

    def path(self, place: str) -> Path:
        """Where a file of the machine lies, `place` without a slash in front."""
        return self.root / place

    def text(self, place: str) -> str | None:
        """What a file says, without what the kernel puts at its end; None where there is none to be read."""
        try:
            return self.path(place).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def processes(self) -> Iterator[Process]:
        """Every process there is."""
        for place in self.path("proc").glob("[0-9]*"):
            name = self.text(f"proc/{place.name}/comm")
            if name is not None:
                command = self.text(f"proc/{place.name}/cmdline") or ""
                yield Process(int(place.name), name, command.replace("\0", " "))

    def chip(self, wanted: str) -> ChipInfo | None:
        """The chip that `[launcher] chip` names, where it is there and can be opened."""
        return chip_of(self.look, self.path("dev"), wanted)

    def holders(self, chip: ChipInfo, offset: int) -> list[Process]:
        """The processes that hold a line, as far as we may see; where the kernel does not tell, those with its chip."""
        exactly = holders(chip.name, offset, self.path("proc"))
        return [
            process
            for process in self.processes()
            if process.number in exactly or (not exactly and chip.path in self._open_files(process))
        ]

    def _open_files(self, process: Process) -> Iterator[Path]:
        try:
            for link in self.path(f"proc/{process.number}/fd").iterdir():
                # The root is put in front only where it is a made-up one: links are as the machine itself sees them.
                yield self.root / link.readlink().relative_to("/") if link.readlink().is_absolute() else link
        except OSError:
            return  # it has ended, or is somebody else's
