"""gpiozero's lgpio pins, made safe where they are not. Imports lgpio: `hardware.edges` must have done so before.

What gpiozero does otherwise, read in its source: closing a pin turns an output into an input without any pull, so that
it floats; and an exception in what it calls for an edge ends lgpio's one thread, and with it every input.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import lgpio
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

log = logging.getLogger("hardware.gpio")

HEADER: Final = 0xA02082  # the revision of a Pi 3, whose header other boards are taken to have


class HeaderPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose output ends low and remains one until its line is let go of, and whose edges let nothing through."""

    def close(self) -> None:
        """Low, where it is an output: what the kernel leaves driven when the chip is closed is then driven low."""
        if self.factory._handle is not None and self.function == "output":
            lgpio.gpio_write(self.factory._handle, self._number, 0)
        else:
            super().close()

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
        try:
            super()._call_when_changed(chip, gpio, level, ticks)
        except Exception:
            log.exception("an edge on %r was lost", self)


class HeaderFactory(LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
    """The pins of one chip, by its number."""

    def __init__(self, chip: int, any_board: bool) -> None:
        """`any_board`: the chip was named by its label, so that a machine that is no Raspberry Pi will do, too."""
        super().__init__(chip)
        self._any_board = any_board
        self.pin_class = HeaderPin

    def _get_revision(self) -> Any:
        try:
            return super()._get_revision()
        except PinUnknownPi:
            if not self._any_board:
                raise
            return HEADER
