"""The simulated GPIO chip: made through configfs, its inputs moved and its outputs read from outside, through sysfs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CONFIG: Final = Path("/sys/kernel/config/gpio-sim")
DEVICES: Final = Path("/sys/devices/platform")


class SimulatedChip:
    """A chip of gpio-sim, from the side of its wires."""

    def __init__(self, device: str, name: str) -> None:
        """`device` as in /sys/devices/platform, `name` as in /dev."""
        self.device = device
        self.name = name
        self._lines = DEVICES / device / name
        self._levels: dict[int, int] = {}  # open files: a level is asked for a thousand times a second

    def pull(self, line: int, high: bool) -> None:
        """Drive a wire. A line that is an output goes its own way."""
        (self._lines / f"sim_gpio{line}" / "pull").write_text("pull-up" if high else "pull-down")

    def level(self, line: int) -> bool:
        """The level of a line now."""
        if line not in self._levels:
            self._levels[line] = os.open(self._lines / f"sim_gpio{line}" / "value", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._levels[line], 1, 0) == b"1"


def make_chip(label: str, lines: int) -> SimulatedChip:
    """A new chip with this label; the kernel numbers them as they come."""
    made = CONFIG / label
    bank = made / "bank0"
    bank.mkdir(parents=True)
    (bank / "label").write_text(label)
    (bank / "num_lines").write_text(str(lines))
    (made / "live").write_text("1")
    return SimulatedChip((made / "dev_name").read_text().strip(), (bank / "chip_name").read_text().strip())
