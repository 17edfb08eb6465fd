"""A chip that is a directory, where real processes meet: one file tells who drives which line to what, one is held.

As on a Raspberry Pi, a line stays at its level when whoever drove it dies; and nobody gets a line while another
process, frozen or not, still holds the chip.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import NamedTuple

from hardware.chips import ChipInfo, LineHeld, LineInfo


class Write(NamedTuple):
    """Process `pid` drove `line` to `high`."""

    pid: int
    line: int
    high: bool


class FileChip:
    """See `hardware.chips.Lines`; the table's stand-in pins drive it as well."""

    def __init__(self, place: Path) -> None:
        self.info = ChipInfo(place, "gpiochip0", "a file", 54)
        self._levels = place / "levels"
        self._holder = os.open(place / "holder", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)

    def hold(self) -> None:
        """This process holds every line from now on. Raises `LineHeld`."""
        try:
            fcntl.flock(self._holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise LineHeld("it is held by 'lg'") from error

    def drive(self, line: int, high: bool) -> None:
        """Set a line; written at once, whole, and never lost."""
        with self._levels.open("ab", buffering=0) as file:
            file.write(f"{os.getpid()} {line} {int(high)}\n".encode())

    def writes(self) -> list[Write]:
        """All that was driven, in order."""
        rows = [row.split() for row in self._levels.read_text(encoding="ascii").splitlines()]
        return [Write(int(pid), int(line), high == "1") for pid, line, high in rows]

    def line(self, offset: int) -> LineInfo:
        """Nobody is named here."""
        del offset
        return LineInfo(False, "", True)

    def claim_low(self, offset: int) -> None:
        """Hold and drive low."""
        self.hold()
        self.drive(offset, False)

    def close(self) -> None:
        """Let go."""
        os.close(self._holder)
