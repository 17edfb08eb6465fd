"""A kernel's GPIO chips as far as `hardware.chips` asks about them: the boundary where the physical world begins.

What it is asked and what it answers is laid out by hand from linux/gpio.h, apart from the code under test. The real
kernel is asked in `tests/kernel`.
"""

from __future__ import annotations

import errno
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path

CHIPINFO, LINEINFO, GET_LINE = 0x8044B401, 0xC100B405, 0xC250B407


@dataclass
class SimulatedChip:
    """One chip; `held`: lines and what their holder calls itself; `low`: lines that were claimed low, in order."""

    label: str
    lines: int = 54
    held: dict[int, str] = field(default_factory=dict)
    low: list[int] = field(default_factory=list)
    refuses: set[int] = field(default_factory=set)


class Kernel:
    """Answers `ioctl` for the chips whose devices lie in `devices`."""

    def __init__(self, devices: Path) -> None:
        self.devices = devices
        self.chips: dict[str, SimulatedChip] = {}

    def chip(self, number: int, label: str, lines: int = 54) -> SimulatedChip:
        """A new chip."""
        path = self.devices / f"gpiochip{number}"
        path.touch()
        self.chips[path.name] = SimulatedChip(label, lines)
        return self.chips[path.name]

    def ioctl(self, file: int, request: int, answer: bytearray) -> int:
        """See `fcntl.ioctl`."""
        name = Path(f"/proc/self/fd/{file}").readlink().name
        if name not in self.chips:
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
        chip = self.chips[name]
        if request == CHIPINFO:
            assert len(answer) == 68
            answer[:] = struct.pack("32s32sI", name.encode(), chip.label.encode(), chip.lines)
        elif request == LINEINFO:
            assert len(answer) == 256
            (offset,) = struct.unpack_from("I", answer, 64)
            self._there(chip, offset)
            consumer = chip.held.get(offset)
            answer[32:64] = (consumer or "").encode().ljust(32, b"\0")
            struct.pack_into("Q", answer, 72, 0 if consumer is None else 1 | 1 << 3)
        elif request == GET_LINE:
            self._claim(chip, answer)
        else:
            raise OSError(errno.EINVAL, "Invalid argument")
        return 0

    def _claim(self, chip: SimulatedChip, request: bytearray) -> None:
        assert len(request) == 592
        offset, *others = struct.unpack_from("64I", request, 0)
        flags, attributes = struct.unpack_from("QI", request, 288)
        (lines,) = struct.unpack_from("I", request, 560)
        assert (others, flags, attributes, lines) == ([0] * 63, 1 << 3, 0, 1)  # one line, an output, low
        self._there(chip, offset)
        if offset in chip.refuses:
            raise OSError(errno.EPERM, "Operation not permitted")
        if offset in chip.held:
            raise OSError(errno.EBUSY, "Device or resource busy")
        chip.held[offset] = request[256:288].rstrip(b"\0").decode()
        chip.low.append(offset)
        struct.pack_into("i", request, 588, os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def _there(self, chip: SimulatedChip, offset: int) -> None:
        if offset >= chip.lines:
            raise OSError(errno.EINVAL, "Invalid argument")
