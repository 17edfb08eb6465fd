"""The kernel's GPIO chips: found by label, asked who holds a line, told to hold one low. No gpiozero and no lgpio.

Straight through the character device (version 2 of its interface, Linux 5.10 and newer: linux/gpio.h), so that whatever
makes a machine safe needs nothing but the kernel, starts quickly, and works where lgpio itself has failed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from pathlib import Path
from typing import Final, NamedTuple, Protocol

AUTO: Final = "auto"
DEVICES: Final = Path("/dev")
PROCESSES: Final = Path("/proc")
MODULES: Final = Path("/sys/module")
HEADER_LABELS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")  # Pi 1-3 and Zero, Pi 4, Pi 5

# linux/gpio.h: numbers of the requests, layouts, flags
_CHIP_INFO, _LINE_INFO, _GET_LINE, _GET_VALUES = 0x8044B401, 0xC100B405, 0xC250B407, 0xC010B40E
_CHIP_LAYOUT: Final = struct.Struct("=32s32sI")
_LINE_LAYOUT: Final = struct.Struct("=32s32sIIQ176x")
_REQUEST_LAYOUT: Final = struct.Struct("=64I32sQ264xI24xi")
_VALUES_LAYOUT: Final = struct.Struct("=QQ")  # levels, which of them are asked for
_USED, _INPUT, _OUTPUT, _PULL_UP = 1 << 0, 1 << 2, 1 << 3, 1 << 8


class ChipError(RuntimeError):
    """A chip or a line that cannot be used; the message says which and why."""


class LineHeld(ChipError):
    """The line is held by another request; the message names its holder as far as the kernel knows it."""


class ChipInfo(NamedTuple):
    """A chip as the kernel describes it. `path` as in /dev, `name` as `gpiochip0`, `lines`: how many it has."""

    path: Path
    name: str
    label: str
    lines: int

    @property
    def number(self) -> int:
        """The number in its path, by which lgpio opens it."""
        return int(self.path.name.removeprefix("gpiochip"))


class LineInfo(NamedTuple):
    """A line as the kernel describes it. `consumer`: what its holder calls itself (`lg` for lgpio), "" = unnamed."""

    used: bool
    consumer: str
    is_output: bool


class Lines(Protocol):
    """What making safe needs of a chip."""

    info: ChipInfo

    def line(self, offset: int) -> LineInfo:
        """How a line stands. Raises `ChipError`."""

    def claim_low(self, offset: int) -> None:
        """Hold the line as an output that is low, from now until `close`. Raises `LineHeld`, `ChipError`."""

    def close(self) -> None:
        """Let go of everything."""


class Chip:
    """An open chip. Whatever it claimed it holds until it is closed."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError`."""
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._held: list[int] = []
        try:
            answer = bytearray(_CHIP_LAYOUT.size)
            fcntl.ioctl(self._file, _CHIP_INFO, answer)
        except OSError:
            os.close(self._file)
            raise
        name, label, lines = _CHIP_LAYOUT.unpack(answer)
        self.info = ChipInfo(path, _text(name), _text(label), lines)

    def line(self, offset: int) -> LineInfo:
        """See `Lines`."""
        answer = bytearray(_LINE_LAYOUT.pack(b"", b"", offset, 0, 0))
        try:
            fcntl.ioctl(self._file, _LINE_INFO, answer)
        except OSError as error:
            raise ChipError(f"line {offset} of {self.info.name}: {error.strerror}") from error
        _, consumer, _, _, flags = _LINE_LAYOUT.unpack(answer)
        return LineInfo(bool(flags & _USED), _text(consumer), bool(flags & _OUTPUT))

    def claim_low(self, offset: int) -> None:
        """See `Lines`. An output that is given no value starts low, without a moment in between."""
        self._held.append(self._request(offset, b"uno-attack safe-off", _OUTPUT))

    def level(self, offset: int, pull_up: bool) -> bool:
        """The level of a line that nobody holds: as an input with its pull-up, or as it stands. Let go of at once.

        Raises `LineHeld`, `ChipError`.
        """
        line = self._request(offset, b"uno-attack pins", _INPUT | _PULL_UP if pull_up else 0)
        try:
            answer = bytearray(_VALUES_LAYOUT.pack(0, 1))
            fcntl.ioctl(line, _GET_VALUES, answer)
        except OSError as error:
            raise ChipError(f"line {offset} of {self.info.name} cannot be read: {error.strerror}") from error
        finally:
            os.close(line)
        return bool(_VALUES_LAYOUT.unpack(answer)[0] & 1)

    def _request(self, offset: int, name: bytes, flags: int) -> int:
        """The file of a line that is held from now on. Raises `LineHeld`, `ChipError`."""
        request = bytearray(_REQUEST_LAYOUT.pack(offset, *[0] * 63, name, flags, 1, 0))
        try:
            fcntl.ioctl(self._file, _GET_LINE, request)
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise LineHeld(f"it is held by {self.line(offset).consumer or 'somebody without a name'}") from error
            raise ChipError(f"line {offset} of {self.info.name} cannot be had: {error.strerror}") from error
        return int(_REQUEST_LAYOUT.unpack(request)[-1])

    def close(self) -> None:
        """See `Lines`."""
        while self._held:
            os.close(self._held.pop())
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def find_chip(label: str = AUTO, directory: Path = DEVICES) -> ChipInfo:
    """The chip of this label, whatever its number; `auto`: the one behind a Raspberry Pi's header.

    Raises `ChipError`, naming all chips there are.
    """
    found, closed = all_chips(directory)
    wanted = HEADER_LABELS if label == AUTO else (label,)
    fitting = [chip for chip in found if chip.label in wanted]
    if len(fitting) == 1:
        return fitting[0]
    there = ", ".join([*(f"{chip.name} [{chip.label}]" for chip in found), *closed]) or "none at all"
    asked = "with a Raspberry Pi's header" if label == AUTO else f"labelled {label!r}"
    if fitting:
        raise ChipError(
            f"more than one GPIO chip {asked}; there are: {there}. Set [launcher] chip to a label of its own"
        )
    if closed:
        raise ChipError(f"no GPIO chip {asked} can be opened; there are: {there}. Is your user in the group gpio?")
    if label == AUTO:
        raise ChipError(f"no GPIO chip {asked}; there are: {there}. Is this a Raspberry Pi? Else set [launcher] chip")
    raise ChipError(f"no GPIO chip {asked}; there are: {there}. Set [launcher] chip to one of these labels")


def no_chips(directory: Path = DEVICES) -> bool:
    """This machine has no GPIO chip at all, of any label."""
    return not any(all_chips(directory))


def all_chips(directory: Path) -> tuple[list[ChipInfo], list[str]]:
    """The chips there are, each once (a Pi 5 has two names for one); those that cannot be opened, in words."""
    found: list[ChipInfo] = []
    closed: list[str] = []
    paths = [path for path in directory.glob("gpiochip*") if path.name[8:].isdecimal() and not path.is_symlink()]
    for path in sorted(paths, key=lambda each: int(each.name[8:])):
        try:
            chip = Chip(path)
        except OSError as error:
            closed.append(f"{path.name} ({error.strerror})")
            continue
        found.append(chip.info)
        chip.close()
    return found, closed


def holders(chip: str, offset: int, processes: Path = PROCESSES) -> list[int]:
    """Processes that hold this line of the chip named so, as far as we may look into them (from Linux 5.19 on)."""
    line = f"gpio-line:\t{offset}\n"
    people = [process for process in processes.iterdir() if process.name.isdecimal()]
    return [int(process.name) for process in people if any(line in held for held in _requests(process, chip))]


def _requests(process: Path, chip: str) -> list[str]:
    """What the kernel says of the process's requests for lines of this chip."""
    try:
        files = [link for link in (process / "fd").iterdir() if str(link.readlink()) == "anon_inode:gpio-line"]
        texts = [(process / "fdinfo" / link.name).read_text(encoding="ascii") for link in files]
    except OSError:
        return []  # it has ended, or belongs to somebody else
    return [text for text in texts if f"gpio-chip:\t{chip}\n" in text]


def stays_driven(label: str, modules: Path = MODULES) -> bool | None:
    """Whether the kernel keeps an output driven after its holder has let go of it or died; None: it does not say.

    Raspberry Pi kernels do by default (`persist_gpio_outputs`; `dtparam=strict_gpiod` turns it off).
    """
    driver = "pinctrl_rp1" if label == "pinctrl-rp1" else "pinctrl_bcm2835"
    if label not in HEADER_LABELS:
        return None
    try:
        said = (modules / driver / "parameters" / "persist_gpio_outputs").read_text(encoding="ascii")
    except OSError:
        return None
    return said.strip() in ("Y", "1")


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode(errors="replace")
