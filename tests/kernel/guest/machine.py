"""The machine at the other end of the lines: a process of its own that follows the motor's outputs and feeds cards.

It reads the motor's lines every millisecond and tells each change, with its time, as one line of JSON. While the motor
runs forward long enough, cards leave one after another and darken the beam. Times are seconds of CLOCK_MONOTONIC, which
all processes share. What it is told to do comes on its standard input, a word or two a line.
"""

from __future__ import annotations

import json
import select
import sys
import time
from collections import deque
from typing import Final

from hardware.pins import PinMap
from tests.kernel.guest.chip import SimulatedChip

LOOK: Final = 0.001  # seconds from one look at the motor's lines to the next
SPIN_UP: Final = 0.08  # seconds forward before the first card moves
CARD: Final = 0.043  # seconds a card darkens the beam
GAP: Final = 0.06  # seconds from a card's end to the next one
HELD: Final = 0.07  # seconds a finger stays on the button
ANSWER: Final = 1.0  # seconds that a press waits for the motor


class Feeder:
    """When the beam changes, by what the motor does. Pure: times are handed in."""

    def __init__(self) -> None:
        self.hopper = 0
        self.blocked_until: float | None = None
        self._next: float | None = None

    def follow(self, now: float, forward: bool) -> bool | None:
        """The beam's new level if it changes now: False = dark. A card that has begun to leave leaves."""
        if self.blocked_until is not None:
            if now < self.blocked_until:
                return None
            self.blocked_until = None
            self._next = now + GAP if forward else None
            return True
        if not forward or not self.hopper:
            self._next = None
        elif self._next is None:
            self._next = now + SPIN_UP
        elif now >= self._next:
            self.hopper -= 1
            self.blocked_until = now + CARD
            return False
        return None


class Machine:
    """The chip's wires, watched and moved."""

    def __init__(self, chip: SimulatedChip, pins: PinMap) -> None:
        self._chip = chip
        self._pins = pins
        self._outputs = {"enable": pins.enable, "in1": pins.in1, "in2": pins.in2}
        self._levels = dict.fromkeys(self._outputs, False)
        self._feeder = Feeder()
        self._release: float | None = None  # when the finger leaves the button

    def run(self) -> None:
        """Until standard input ends."""
        commands: deque[str] = deque()
        while True:
            if select.select([sys.stdin], [], [], LOOK)[0]:
                line = sys.stdin.readline()
                if not line:
                    return
                commands.append(line)
            now = time.monotonic()
            self._look(now)
            while commands:
                self._do(*commands.popleft().split())

    def _look(self, now: float) -> None:
        for name, line in self._outputs.items():
            high = self._chip.level(line)
            if high is not self._levels[name]:
                self._levels[name] = high
                tell(now, name, high)
        levels = self._levels
        beam = self._feeder.follow(now, levels["enable"] and levels["in1"] and not levels["in2"])
        if beam is not None and self._pins.beam is not None:
            self._chip.pull(self._pins.beam, beam)
            tell(now, "beam", beam)
        if self._release is not None and now >= self._release:
            self._release = None
            self._chip.pull(self._pins.button, True)
            tell(now, "button", True)

    def _do(self, what: str, value: str = "") -> None:
        if what == "load":
            self._feeder.hopper = int(value)
        elif what == "lid":
            self._chip.pull(self._pins.lid, value == "open")
            tell(time.monotonic(), "lid", value == "open")
        elif what == "beam" and self._pins.beam is not None:
            self._chip.pull(self._pins.beam, value == "free")
            tell(time.monotonic(), "beam", value == "free")
        elif what in ("press", "time"):
            self._press(look=what == "time")
        else:
            raise ValueError(f"{what} {value}: the machine knows no such thing")
        tell(time.monotonic(), what, "done")

    def _press(self, look: bool) -> None:
        """Push the button; `look` at enable without a pause until it is high, or until long enough."""
        self._chip.pull(self._pins.button, False)
        at = now = time.monotonic()
        tell(at, "button", False)
        self._release = at + HELD
        while look and now - at < ANSWER:
            high, now = self._chip.level(self._pins.enable), time.monotonic()
            if high:
                tell(now, "answer", now - at)
                return


def tell(at: float, what: str, value: object) -> None:
    """One line for whoever started us."""
    print(json.dumps({"at": round(at, 6), "what": what, "value": value}), flush=True)


if __name__ == "__main__":
    Machine(SimulatedChip(sys.argv[1], sys.argv[2]), PinMap()).run()
