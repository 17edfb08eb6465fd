"""A serial port: opening it for ourselves alone, and a thread that only passes on what comes."""

from __future__ import annotations

import errno
import logging
import os
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import serial

from firmware_bridge.messages import BAUD

log = logging.getLogger("firmware_bridge.port")

BY_ID: Final = Path("/dev/serial/by-id")
WRITE_SECONDS: Final = 1.0  # a port that takes nothing for so long is gone
POLL_SECONDS: Final = 0.5  # the reading thread looks whether it should end; it never waits longer for bytes
JOIN_SECONDS: Final = 2.0
UNPLUGGED: Final = "it was unplugged, or has lost its power"
SHARED: Final = "another program reads from its port, too"
STUCK: Final = "its port takes nothing any more"
MENDS: Final = {
    UNPLUGGED: "look at its cable, then plug it in again",
    SHARED: "end that first (sudo fuser -v {device} names it)",
    STUCK: "pull its plug and put it in again",
}
"""What may become of an open port, in words that go on after a colon, and what mends it."""

_FAILURES: Final = (OSError, termios.error)  # the latter comes through pyserial now and then, and is no OSError

Heard = Callable[[bytes], None]
Lost = Callable[[str], None]


class PortError(OSError):
    """A port that cannot be opened; the message says why and what to do."""


class Port(Protocol):
    """An open port. Every method raises `OSError` for a port that has gone."""

    def read(self, seconds: float) -> bytes:
        """What has come; waits so long for the first byte. Only before `listen`. Its error names port and remedy."""

    def write(self, data: bytes) -> None:
        """Send. From any thread. Its error says only what has happened, and so does `lost` below."""

    def listen(self, heard: Heard, lost: Lost) -> None:
        """From now on `heard` is called with whatever comes, and `lost` once when the port is gone."""

    def close(self) -> None:
        """Give the port back; `lost` is not called any more. Idempotent."""


Opener = Callable[[str], Port]


def known_ports(folder: Path = BY_ID) -> list[Path]:
    """The ports that have a name of their own, which they keep wherever they are plugged in."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


class SerialPort:
    """A port of this computer, by pyserial."""

    def __init__(self, device: str) -> None:
        """Opens it. Raises `PortError`. Opening resets an Uno or a Nano."""
        self.device = device
        self._guard = threading.Lock()
        self._closing = False
        self._thread: threading.Thread | None = None
        check_port(device)
        try:
            self._serial = serial.Serial(device, BAUD, timeout=0, write_timeout=WRITE_SECONDS, exclusive=True)
        except (*_FAILURES, ValueError) as problem:
            raise PortError(_why_not(device, problem)) from problem

    def read(self, seconds: float) -> bytes:
        """See `Port`."""
        try:
            return self._more(seconds)
        except _FAILURES as problem:
            why = self._what_happened(problem)
            raise PortError(f"{self.device}: {why}; {MENDS[why].format(device=self.device)}") from problem

    def write(self, data: bytes) -> None:
        """See `Port`."""
        try:
            with self._guard:
                self._serial.write(data)
        except _FAILURES as problem:
            raise OSError(self._what_happened(problem)) from problem

    def listen(self, heard: Heard, lost: Lost) -> None:
        """See `Port`."""
        self._thread = threading.Thread(target=self._read_on, args=(heard, lost), name="serial port", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """See `Port`."""
        self._closing = True
        thread = self._thread
        if thread is not None and thread.is_alive() and thread is not threading.current_thread():
            self._serial.cancel_read()
            thread.join(JOIN_SECONDS)
        try:
            self._serial.close()
        except OSError as problem:  # it is gone already
            log.info("%s: %s", self.device, problem)

    def _read_on(self, heard: Heard, lost: Lost) -> None:
        while not self._closing:
            try:
                data = self._more(POLL_SECONDS)
            except (*_FAILURES, TypeError) as problem:  # pyserial trips over its own None when closed meanwhile
                if not self._closing:
                    log.info("%s: %s", self.device, problem)
                    lost(self._what_happened(problem))
                return
            if data:
                heard(data)

    def _more(self, seconds: float) -> bytes:
        if self._serial.timeout != seconds:  # to set it asks the port how it stands
            self._serial.timeout = seconds
        first = bytes(self._serial.read(1))
        waiting = self._serial.in_waiting
        return first + bytes(self._serial.read(waiting)) if waiting else first

    def _what_happened(self, problem: Exception) -> str:
        """One of `MENDS`. A port that says it has something, and then has not, is gone, or another was quicker."""
        if isinstance(problem, serial.SerialTimeoutException):
            return STUCK
        try:
            there = _number(problem) is None and self._serial.in_waiting >= 0
        except (OSError, TypeError):  # TypeError: it was closed meanwhile
            there = False
        return SHARED if there else UNPLUGGED


def _number(problem: BaseException | None) -> int | None:
    """The error number behind what pyserial says, which often has it only in its words."""
    while problem is not None:
        if isinstance(problem, (OSError, termios.error)) and problem.args and isinstance(problem.args[0], int):
            return problem.args[0]
        problem = problem.__context__
    return None


def _why_not(device: str, problem: Exception) -> str:
    number = _number(problem)
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"{device} is in use by another program: end that first (sudo fuser -v {device} names it)"
    if number in (errno.EACCES, errno.EPERM):
        return f"you may not open {device}. Type: sudo usermod -aG dialout $USER, then log out and in again"
    if number in (errno.ENOTTY, errno.EISDIR, errno.EINVAL):
        return f"{device} is no serial port. {_what_there_is()}"
    if number in (errno.EIO, errno.ENXIO, errno.ENODEV, errno.ENOENT):
        return f"nothing is plugged in at {device}. {_what_there_is()}"
    return f"{device} cannot be opened: {os.strerror(number) if number else problem}"


def check_port(device: str) -> None:
    """Raises `PortError` where no port is named, or there is none of that name. Opens nothing."""
    if not device:
        raise PortError(
            f"no port is named: set [serial] device (play and bridge also take --device). {_what_there_is()}"
        )
    if not Path(device).exists():
        raise PortError(f"there is no port {device}. {_what_there_is()}")


def _what_there_is() -> str:
    ports = known_ports()
    if not ports:
        return "No serial port is plugged in: look at the cable (some carry no data), then: uno-attack bridge list"
    return "There is: " + ", ".join(str(port) for port in ports)
