"""A table's launcher as a process of its own: the gpio backend's code and its guardian, on pins that are files.

Arguments: the directory of the chip, the guardian's log. Says `ready PID-OF-GUARDIAN`; `fire` on its standard input
makes a shot in which the motor turns for two seconds, for no card ever comes; SIGTERM ends it as it would end a table.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.clock import RealClock
from hardware.gpio import GpioBackend
from hardware.guardian_link import GuardianLink
from hardware.pins import PinMap
from hardware.ports import HardwareEvent, LauncherChanged, ShotEnded, ShotOrder
from hardware.settings import LauncherSettings
from tests.hardware.guarded.file_chip import FileChip
from tests.hardware.headers import MockHeader

GUARDIAN = (sys.executable, str(Path(__file__).with_name("guardian.py")))
SETTINGS = LauncherSettings(first_card_ms=2000, max_on_base_ms=4000)


class FilePin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin whose outputs are lines of a chip that is a directory."""

    chip: FileChip

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self.function == "output":
            self.chip.drive(self._number, bool(value))
        return changed


class FileHeader(MockHeader):
    """Holds the chip for as long as it is open."""

    def __init__(self, place: Path) -> None:
        self.label = str(place)
        self._chip = FilePin.chip = FileChip(place)
        super().__init__(MockFactory(pin_class=FilePin))

    def open(self, pins: Mapping[str, int]) -> Any:
        factory = super().open(pins)
        self._chip.hold()
        factory.pin(PinMap().lid)
        return factory


def main(place: Path, log: Path) -> None:
    """Until it is ended."""
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    guardian: list[GuardianLink] = []

    def guard(label: str, outputs: Mapping[str, int]) -> GuardianLink:
        guardian.append(GuardianLink(label, outputs, log, GUARDIAN))
        return guardian[0]

    backend = GpioBackend(RealClock(), SETTINGS, PinMap(), FileHeader(place), guard)
    backend.start(tell)
    backend._factory.pin(PinMap().lid).drive_low()
    backend.launcher.clear_fault()
    say(f"ready {guardian[0].pid}")
    threading.Thread(target=partial(orders, backend.launcher.begin_shot), daemon=True).start()
    ended.wait()
    backend.close()
    say("closed")


def orders(begin: Callable[[ShotOrder], None]) -> None:
    """A shot for every line."""
    for number, _ in enumerate(sys.stdin, 1):
        begin(ShotOrder(number, 1, 0.0))


def tell(event: HardwareEvent) -> None:
    """What the launcher tells."""
    if isinstance(event, LauncherChanged):
        say(f"state {event.state} {event.fault.code if event.fault else ''}")
    elif isinstance(event, ShotEnded):
        say(f"ended {event.end}")


def say(text: str) -> None:
    """A line, whole, from whatever thread."""
    os.write(sys.stdout.fileno(), f"{text}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
