"""Stand-ins for a Raspberry Pi's header: pins that are not real, or none that can be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.header import HeaderError


class MockHeader:
    """Any gpiozero factory in the place of real pins. See `hardware.gpio.PinSource`."""

    label = "mock pins"

    def __init__(self, factory: Any, trouble: str = "") -> None:
        """`trouble`: why the pins cannot be had."""
        self.factory = factory
        self.trouble = trouble
        self.alive = True
        self.wanted: dict[str, int] = {}
        self.closed = 0

    def open(self, pins: Mapping[str, int]) -> Any:
        self.wanted = dict(pins)
        if self.trouble:
            raise HeaderError(self.trouble)
        return self.factory

    def edges_alive(self) -> bool:
        return self.alive

    def tick_edges(self, call: Callable[[], None]) -> None:
        if self.alive:
            call()

    def close(self) -> None:
        self.closed += 1
        if self.factory is not None:
            self.factory.close()
