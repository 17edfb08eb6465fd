"""A controller without a chip: the firmware's portable core on mock pins and a virtual clock, and the line to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_bridge.messages import Input, Output, Reset
from firmware_bridge.port import UNPLUGGED, Heard, Lost, PortError
from hardware.clock import VirtualClock
from hardware.gpio import Lines
from hardware.pins import PinMap
from hardware.sensors import Edge

TICK = 0.001  # seconds: the shell wakes up so often at the least

Wire = Callable[[bytes], list[tuple[float, bytes]]]
"""What becomes of bytes on their way: when they arrive (seconds from now), and what does."""


def perfect(data: bytes) -> list[tuple[float, bytes]]:
    """At once, and as they were."""
    return [(0.0, data)]


class Chip:
    """The core with a shell around it that drives mock pins."""

    NAME = "chip"

    def __init__(self, core: Any, clock: VirtualClock, pins: PinMap, factory: Any) -> None:
        self._core = core
        self._clock = clock
        self.lines = Lines(factory, pins, self._edge, lambda at, down: self._edge(None, at))
        self.port: ChipPort | None = None
        self.alive = True
        self._boot = clock.now()
        self._bridge: Any = None
        self._worker = clock.worker(self.NAME, self._tick)

    def start(self) -> None:
        """Power on."""
        self.reset(Reset.POWER)
        self._worker.start()

    def reset(self, reason: Reset = Reset.BUTTON) -> None:
        """Everything low, and from the beginning; without power for a while it forgets the minute's budget as well."""
        forgets = self._bridge is None or reason & Reset.POWER
        used_ms = 0 if forgets else self._core.bridge_used_ms(self._bridge)
        self._boot = self._clock.now()
        self._bridge = self._core.host_new(reason, self.levels(), used_ms)
        self._put(0)
        self._after()

    def hear(self, data: bytes) -> None:
        """Bytes from the host."""
        if not self.alive:
            return
        for byte in data:
            self._core.bridge_hear(self._bridge, self._now(), byte)
        self._after()

    def levels(self) -> int:
        """The active inputs."""
        lines = self.lines
        return int(
            Input.LID * lines.lid_closed()
            | Input.STOP * lines.stop_pressed()
            | Input.BEAM * lines.beam_blocked()
            | Input.BEAM2 * lines.beam2_blocked()
            | Input.BUTTON * lines.button_down()
        )

    def stop(self) -> None:
        """Power off."""
        self._worker.stop()
        self.lines.close()

    def _now(self, at: float | None = None) -> int:
        return round((self._clock.now() if at is None else at) * 1e6) - round(self._boot * 1e6)

    def _edge(self, edge: Edge | None, at: float | None = None) -> None:
        if self._bridge is not None and self.alive:
            self._core.bridge_edge(self._bridge, self._now(edge.at if edge else at), self.levels())
            self._after()

    def _tick(self, item: object) -> float | None:
        del item
        if self.alive:
            self._core.bridge_tick(self._bridge, self._now(), self.levels())
            self._after()
        return self._clock.now() + TICK

    def _after(self) -> None:
        self._put(self._core.host_outputs(self._bridge))
        said = bytearray()
        while (byte := self._core.bridge_say(self._bridge)) >= 0:
            said.append(byte)
        if said and self.port is not None:
            self.port.said(bytes(said))

    def _put(self, outputs: int) -> None:
        lines = self.lines
        if not outputs & Output.ENABLE:
            lines.enable(False)
        lines.bridge(bool(outputs & Output.IN1), bool(outputs & Output.IN2))
        if outputs & Output.ENABLE:
            lines.enable(True)
        lines.lamp(bool(outputs & Output.LAMP))
        lines.buzzer(bool(outputs & Output.BUZZER))


class ChipPort:
    """The host's end of the line. Opening it resets the chip, as DTR does."""

    def __init__(self, chip: Chip, clock: VirtualClock, there: Wire = perfect, back: Wire = perfect) -> None:
        self._chip = chip
        self._clock = clock
        self._there, self._back = there, back
        self._held = bytearray()
        self._heard: Heard | None = None
        self._lost: Lost | None = None
        self._worker = clock.worker("line", self._deliver)
        self._due: list[tuple[float, int, bool, bytes]] = []
        self._number = 0
        self._last = {True: 0.0, False: 0.0}
        self.open = True
        self.sent: list[bytes] = []
        self._worker.start()
        chip.port = self
        chip.reset()

    def read(self, seconds: float) -> bytes:
        """See `firmware_bridge.port.Port`."""
        end = self._clock.now() + seconds
        self._clock.advance_until(lambda: bool(self._held) or self._clock.now() >= end, seconds + 0.01, 0.001)
        data, self._held = bytes(self._held), bytearray()
        return data

    def write(self, data: bytes) -> None:
        """See `firmware_bridge.port.Port`."""
        if not self.open:
            raise OSError("the port is gone")
        self.sent.append(data)
        self._put(True, self._there(data))

    def listen(self, heard: Heard, lost: Lost) -> None:
        """See `firmware_bridge.port.Port`."""
        self._heard, self._lost = heard, lost
        if self._held:
            heard(bytes(self._held))

    def close(self) -> None:
        """See `firmware_bridge.port.Port`."""
        self.open = False
        self._lost = None
        if self._chip.port is self:
            self._chip.port = None
        self._worker.stop()

    def said(self, data: bytes) -> None:
        """The chip says something."""
        self._put(False, self._back(data))

    def unplug(self) -> None:
        """The cable is pulled."""
        lost = self._lost
        self.close()
        if lost is not None:
            lost(UNPLUGGED)

    def _put(self, there: bool, pieces: list[tuple[float, bytes]]) -> None:
        for delay, data in pieces:
            if delay <= 0:
                self._arrive(there, data)
                continue
            self._number += 1
            self._last[there] = max(self._last[there], self._clock.now() + delay)  # nothing overtakes on a line
            self._due.append((self._last[there], self._number, there, data))
            self._due.sort()
            self._worker.post(True)

    def _deliver(self, item: object) -> float | None:
        del item
        while self._due and self._due[0][0] <= self._clock.now():
            _, _, there, data = self._due.pop(0)
            self._arrive(there, data)
        return self._due[0][0] if self._due else None

    def _arrive(self, there: bool, data: bytes) -> None:
        if not self.open:
            return
        if there:
            self._chip.hear(data)
        elif self._heard is not None:
            self._heard(data)
        else:
            self._held += data


def no_port(device: str) -> ChipPort:
    """An opener that finds nothing."""
    raise PortError(f"there is no port {device}")
