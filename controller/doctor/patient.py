"""What is being examined: the configuration, or what is wrong with it, and where the table's data lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.config import Config
from hardware.pins import PinMap

ON_PINS: Final = ("gpio", "watch")
"""Backends that use the pins of a Raspberry Pi."""
DRIVING: Final = ("gpio",)
"""Those of them that drive a motor with them."""


@dataclass(frozen=True, slots=True)
class Patient:
    """`problem` is what is wrong with the configuration; then `config` is what there would be without one."""

    config: Config
    data: Path
    problem: str = ""
    pins: PinMap = field(default_factory=PinMap)

    @property
    def backend(self) -> str:
        """The launcher it is about."""
        return self.config.backend

    @property
    def on_pins(self) -> bool:
        """It needs a Raspberry Pi's pins."""
        return self.backend in ON_PINS

    @property
    def drives(self) -> bool:
        """It drives a motor with them."""
        return self.backend in DRIVING

    def wired(self) -> dict[str, int]:
        """Every part that this backend uses, with its BCM number."""
        names = ("beam", "button") if self.backend == "watch" else tuple(PinMap.__dataclass_fields__)
        pins = {name: getattr(self.pins, name) for name in names}
        return {name: pin for name, pin in pins.items() if pin is not None}
