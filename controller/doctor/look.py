"""Looking at the GPIO chip that is configured, where there is one. What is held is told as held, and left alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Protocol

from hardware.chips import AUTO, HEADER_LABELS, Chip, ChipInfo, LineInfo, all_chips


class Look(Protocol):
    """What the checks ask of a machine's GPIO chips."""

    def chips(self, devices: Path) -> tuple[list[ChipInfo], list[str]]:
        """The chips that can be opened, and those that cannot, in words."""

    def line(self, chip: ChipInfo, offset: int) -> LineInfo:
        """How a line stands. Raises `ChipError`, `OSError`."""

    def level(self, chip: ChipInfo, offset: int, pull_up: bool) -> bool:
        """See `hardware.chips.Chip.level`. Raises `ChipError`, `OSError`."""


class RealLook:
    """The machine's own."""

    def chips(self, devices: Path) -> tuple[list[ChipInfo], list[str]]:
        """See `Look`."""
        return all_chips(devices)

    def line(self, chip: ChipInfo, offset: int) -> LineInfo:
        """See `Look`."""
        with closing(Chip(chip.path)) as opened:
            return opened.line(offset)

    def level(self, chip: ChipInfo, offset: int, pull_up: bool) -> bool:
        """See `Look`."""
        with closing(Chip(chip.path)) as opened:
            return opened.level(offset, pull_up)


def labels(wanted: str) -> tuple[str, ...]:
    """The labels that `[launcher] chip` stands for."""
    return HEADER_LABELS if wanted == AUTO else (wanted,)


def chip_of(look: Look, devices: Path, wanted: str) -> ChipInfo | None:
    """The configured chip, None = there is none, or it cannot be opened."""
    found, _ = look.chips(devices)
    return next((chip for chip in found if chip.label in labels(wanted)), None)
