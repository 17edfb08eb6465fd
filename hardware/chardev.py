"""GPIO chips seen from outside, through the kernel's character devices: labels, who holds a line, a level.

Looking takes nothing from anybody: a line that somebody holds is told as held and left alone. The structures are those
of linux/gpio.h, ABI version 2 (Linux 5.10 and later). Driving pins is `hardware.gpio`'s alone.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the chip behind the 40-pin header is called: on a Pi 5, a Pi 4, and all before."""

_CHIP_INFO: Final = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL
_LINE_INFO: Final = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL
_GET_LINE: Final = 0xC250B407  # GPIO_V2_GET_LINE_IOCTL
_GET_VALUES: Final = 0xC010B40E  # GPIO_V2_LINE_GET_VALUES_IOCTL
_CHIP: Final = struct.Struct("32s32sI")  # struct gpiochip_info
_LINE: Final = struct.Struct("32s32sIIQ176x")  # struct gpio_v2_line_info: name, consumer, offset, attributes, flags
_REQUEST: Final = struct.Struct("I252x32sQ264xII20xi")  # struct gpio_v2_line_request with one offset
_VALUES: Final = struct.Struct("QQ")  # struct gpio_v2_line_values: bits, mask
_USED, _OUTPUT, _INPUT, _PULL_UP, _PULL_DOWN, _NO_PULL = 1 << 0, 1 << 3, 1 << 2, 1 << 8, 1 << 9, 1 << 10
_CONSUMER: Final = b"uno-attack-look"


@dataclass(frozen=True, slots=True)
class Chip:
    """One GPIO chip: its device, what the kernel calls it, how many lines it has."""

    path: Path
    name: str
    label: str
    lines: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line as the kernel tells it: who holds it ("" = nobody), which way it goes, its pull ("" = not known)."""

    offset: int
    used: bool
    consumer: str
    output: bool
    pull: str


class Look(Protocol):
    """Looking at GPIO chips. Every method raises `OSError` for what may not be looked at."""

    def chips(self, devices: Path) -> list[Chip]:
        """Every chip that has a device in `devices`, by number."""

    def line(self, chip: Chip, offset: int) -> Line:
        """One line."""

    def level(self, chip: Chip, offset: int, pull_up: bool) -> bool:
        """The level of a line nobody holds; `pull_up`: as an input with its pull-up, else as it is set now.

        Raises `OSError` (busy) for one that is held.
        """


class ChardevLook:
    """The real thing."""

    def chips(self, devices: Path) -> list[Chip]:
        """See `Look`."""
        found = []
        for path in sorted(devices.glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
            if not path.is_symlink():  # Raspberry Pi OS has a second name for the header's chip
                with _opened(path) as device:
                    found.append(_chip(path, fcntl.ioctl(device, _CHIP_INFO, bytes(_CHIP.size))))
        return found

    def line(self, chip: Chip, offset: int) -> Line:
        """See `Look`."""
        with _opened(chip.path) as device:
            return _line(fcntl.ioctl(device, _LINE_INFO, _LINE.pack(b"", b"", offset, 0, 0)))

    def level(self, chip: Chip, offset: int, pull_up: bool) -> bool:
        """See `Look`."""
        flags = _INPUT | _PULL_UP if pull_up else 0
        with _opened(chip.path) as device:
            answer = fcntl.ioctl(device, _GET_LINE, _REQUEST.pack(offset, _CONSUMER, flags, 1, 0, 0))
        held = _REQUEST.unpack(answer)[-1]
        try:
            bits, _ = _VALUES.unpack(fcntl.ioctl(held, _GET_VALUES, _VALUES.pack(0, 1)))
        finally:
            os.close(held)
        return bool(bits & 1)


def header_chip(chips: list[Chip]) -> Chip | None:
    """The chip behind the 40-pin header, found by its label: its number has been 0, 4, and 10 to 15."""
    return next((chip for label in HEADER_LABELS for chip in chips if chip.label == label), None)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    device = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        yield device
    finally:
        os.close(device)


def _chip(path: Path, answer: bytes) -> Chip:
    name, label, lines = _CHIP.unpack(answer)
    return Chip(path, _text(name), _text(label), lines)


def _line(answer: bytes) -> Line:
    _, consumer, offset, _, flags = _LINE.unpack(answer)
    pulls = {_PULL_UP: "up", _PULL_DOWN: "down", _NO_PULL: "none"}
    pull = next((name for flag, name in pulls.items() if flags & flag), "")
    return Line(offset, bool(flags & _USED), _text(consumer), bool(flags & _OUTPUT), pull)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")
