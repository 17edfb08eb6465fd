"""What every scene plays on: the simulated chips, the machine at the other end of their lines, backends that tell."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from hardware.backends import open_backend
from hardware.pins import PinMap
from hardware.ports import Backend, HardwareEvent, LauncherState
from hardware.settings import LauncherSettings
from tests.kernel.guest.chip import SimulatedChip, make_chip
from tests.kernel.guest.diary import Diary, Facts, Program

HEADER: Final = "pinctrl-bcm2711"  # the label of the chip behind a Pi 4's header
LINES: Final = 58  # as many as that has
DECOY: Final = "not-the-header"  # a chip that comes first, so that the header is not number 0
KERNEL_SAYS: Final = Path("/sys/kernel/debug/gpio")


class Machine(Program):
    """The machine's process, from our side: what it tells is its diary."""

    def __init__(self, chip: SimulatedChip) -> None:
        super().__init__("tests.kernel.guest.machine", chip.device, chip.name)
        self.do("load", "0")

    def do(self, what: str, value: str = "") -> None:
        """Tell it to do something, and wait until it has."""
        mark = self.mark()
        self.tell(what, value)
        self.wait(mark, what=what, value="done")

    def second_card(self, mark: int) -> None:
        """Wait until the second card after `mark` darkens the beam."""
        self.wait(mark, times=2, what="beam", value=False)

    def off(self, mark: int) -> Facts:
        """Wait until enable is low after `mark`."""
        return self.wait(mark, what="enable", value=False)


class Table:
    """A backend and whoever listens to it, with a diary of what it told."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.heard = Diary()
        self.also: Callable[[HardwareEvent], None] = lambda event: None

    def listen(self, event: HardwareEvent) -> None:
        """The backend's listener."""
        self.heard.add({"at": round(time.monotonic(), 6), "event": type(event).__name__, **asdict(event)})
        self.also(event)

    def ready(self, mark: int) -> None:
        """Wait until it is told, after `mark`, that it would fire."""
        self.heard.wait(mark, event="LauncherChanged", state=LauncherState.READY)


class Stage:
    """Two chips, one of them the header's, and a machine."""

    def __init__(self) -> None:
        self.decoy = make_chip(DECOY, 8)
        self.header = make_chip(HEADER, LINES)
        self.pins = PinMap()
        self.tidy()
        self.machine = Machine(self.header)

    def tidy(self) -> None:
        """Lid closed, button up, beam free."""
        self.header.pull(self.pins.lid, False)
        self.header.pull(self.pins.button, True)
        assert self.pins.beam is not None
        self.header.pull(self.pins.beam, True)

    @contextmanager
    def table(self, **settings: int) -> Iterator[Table]:
        """The `gpio` backend, started, ready, and closed afterwards."""
        table = Table(open_backend("gpio", LauncherSettings(**settings)))
        table.backend.start(table.listen)
        try:
            state = table.backend.launcher.status().state
            assert state is LauncherState.READY, f"it began {state}"
            yield table
        finally:
            table.backend.close()

    def levels(self) -> dict[str, bool]:
        """The motor's lines."""
        pins = self.pins
        return {name: self.header.level(getattr(pins, name)) for name in ("enable", "in1", "in2")}

    def close(self) -> None:
        """End the machine."""
        self.machine.kill()


def held_lines(chip: SimulatedChip) -> dict[str, Facts]:
    """The lines of a chip that are held, as the kernel itself says: by whom, which way, and how they stand."""
    found: dict[str, Facts] = {}
    first = None
    for line in KERNEL_SAYS.read_text().splitlines():
        if head := re.match(r"(gpiochip\d+): GPIOs (\d+)-", line):
            first = int(head[2]) if head[1] == chip.name else None
        elif first is not None and (held := re.match(r" gpio-(\d+) +\(.*\|(.*)\) (in|out) +(hi|lo)", line)):
            number, holder, way, level = held.groups()
            found[str(int(number) - first)] = {"holder": holder.strip(), "output": way == "out", "high": level == "hi"}
    return found
