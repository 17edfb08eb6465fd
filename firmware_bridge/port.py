"""A serial port: opening it for ourselves alone, and a thread that only passes on what comes."""

from __future__ import annotations

import logging
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

Heard = Callable[[bytes], None]
Lost = Callable[[str], None]


class PortError(OSError):
    """A port that cannot be opened; the message says why and what to do."""


class Port(Protocol):
    """An open port. Every method raises `OSError` for a port that has gone."""

    def read(self, seconds: float) -> bytes:
        """What has come; waits so long for the first byte. Only before `listen`."""

    def write(self, data: bytes) -> None:
        """Send. From any thread."""

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
        except (OSError, ValueError) as problem:
            raise PortError(_why_not(device, problem)) from problem

    def read(self, seconds: float) -> bytes:
        """See `Port`."""
        self._serial.timeout = seconds
        return bytes(self._serial.read(1)) + self._rest()

    def write(self, data: bytes) -> None:
        """See `Port`."""
        with self._guard:
            self._serial.write(data)

    def listen(self, heard: Heard, lost: Lost) -> None:
        """See `Port`."""
        self._serial.timeout = POLL_SECONDS
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
                data = bytes(self._serial.read(1)) + self._rest()
            except (OSError, TypeError) as problem:  # pyserial trips over its own None when closed meanwhile
                if not self._closing:
                    lost(str(problem))
                return
            if data:
                heard(data)

    def _rest(self) -> bytes:
        waiting = self._serial.in_waiting
        return bytes(self._serial.read(waiting)) if waiting else b""


def _why_not(device: str, problem: Exception) -> str:
    number = getattr(problem, "errno", None)
    if "lock" in str(problem) or number == 16:
        return f"{device} is in use by another program: end that first (sudo fuser -v {device} names it)"
    if number == 13:
        return f"you may not open {device}. Type: sudo usermod -aG dialout $USER, then log out and in again"
    return f"{device} cannot be opened: {problem}"


def check_port(device: str) -> None:
    """Raises `PortError` where no port is named, or there is none of that name. Opens nothing."""
    if not device:
        raise PortError(f"no port is named: set [serial] device, or use --device. {_what_there_is()}")
    if not Path(device).exists():
        raise PortError(f"there is no port {device}. {_what_there_is()}")


def _what_there_is() -> str:
    ports = known_ports()
    if not ports:
        return "No serial port is plugged in: look at the cable (some carry no data), then: uno-attack bridge list"
    return "There is: " + ", ".join(str(port) for port in ports)
