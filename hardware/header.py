"""The pins of a Pi's header, for one process: lgpio imported, the chip found by label, locked and looked over.

Nothing is claimed here but the lock; nothing else is ever taken instead of what was asked for.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from typing import Any

from hardware.chips import AUTO, Chip, ChipError, ChipInfo, find_chip, holders
from hardware.edges import EdgeThread, EmptyError, edge_thread
from hardware.lock import ChipLock, LockError, command_of


class HeaderError(RuntimeError):
    """The pins cannot be had here; the message says why and what to do."""


class Header:
    """The pins of one chip."""

    def __init__(self, label: str = AUTO) -> None:
        """Imports lgpio, and touches nothing. Raises `HeaderError` when it is not there."""
        self._label = label
        self._edges = _lgpio()
        self._lock: ChipLock | None = None
        self._factory: Any = None
        self.label = ""  # of the chip that is open

    def open(self, pins: Mapping[str, int]) -> Any:
        """gpiozero's pin factory, when nobody else has these pins (by name). Else raises `HeaderError`."""
        try:
            chip = find_chip(self._label)
            self._lock = ChipLock(chip.label)
            _look_over(chip, pins)
            self._factory = self._open(chip)
        except (ChipError, LockError, OSError, self._edges.lgpio.error) as error:
            self.close()
            raise HeaderError(str(error)) from error
        self.label = chip.label
        return self._factory

    def _open(self, chip: ChipInfo) -> Any:
        from hardware.lgpio_pins import HeaderFactory

        return HeaderFactory(chip.number, any_board=self._label != AUTO)

    def edges_alive(self) -> bool:
        """Edges still arrive. From any thread, at once."""
        return self._edges.alive()

    def tick_edges(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""
        self._edges.tick(call)

    def close(self) -> None:
        """Close the chip, then let others have it. Idempotent."""
        factory, self._factory = self._factory, None
        lock, self._lock = self._lock, None
        try:
            if factory is not None:
                factory.close()
        finally:
            if lock is not None:
                lock.release()


def _look_over(info: ChipInfo, pins: Mapping[str, int]) -> None:
    """Raise `ChipError` when a pin is not there or somebody holds it, naming every such pin and its holder."""
    chip = Chip(info.path)
    try:
        beyond = [f"{name} (GPIO {pin})" for name, pin in pins.items() if pin >= info.lines]
        if beyond:
            raise ChipError(
                f"{info.name} [{info.label}] has only {info.lines} lines: {', '.join(beyond)} are not there"
            )
        taken = [f"{name} (GPIO {pin}) by {_holder(chip, pin)}" for name, pin in pins.items() if chip.line(pin).used]
    finally:
        chip.close()
    if taken:
        raise ChipError(f"pins are held by somebody else: {', '.join(taken)}. End that program, or wire other pins")


def _holder(chip: Chip, pin: int) -> str:
    consumer = chip.line(pin).consumer or "somebody without a name"
    people = [f"process {pid} ({command_of(pid)})" for pid in holders(chip.info.name, pin)]
    return f"{consumer!r}, {' and '.join(people)}" if people else repr(consumer)


def how_to_get_lgpio(version: tuple[int, int], prefix: str, base_prefix: str) -> str:
    """The line to type for a Python of this version, which lives in `prefix` and was made from `base_prefix`."""
    if version < (3, 13):  # from then on there is no wheel
        return f"type: {shlex.quote(f'{prefix}/bin/python')} -m pip install lgpio"
    line = "type, on Raspberry Pi OS: sudo apt install python3-lgpio"
    if prefix == base_prefix:
        return line
    # Made again over itself, a venv keeps what is installed in it, and sees Debian's packages from then on.
    python = shlex.quote(f"{base_prefix}/bin/python{version[0]}.{version[1]}")
    return f"{line} && {python} -m venv --system-site-packages {shlex.quote(prefix)}"


def _lgpio() -> EdgeThread:
    remedy = how_to_get_lgpio(sys.version_info[:2], sys.prefix, sys.base_prefix)
    try:
        return edge_thread()
    except ImportError as problem:
        raise HeaderError(f"the Python library lgpio is not installed; {remedy}") from problem
    except EmptyError as problem:
        raise HeaderError(f"the Python library lgpio is there but empty; {remedy}") from problem
    except OSError as problem:
        raise HeaderError(f"the Python library lgpio finds no place for its pipe: {problem}") from problem
