"""The pin map: which BCM number does what, and the checks that keep an actuator off a dangerous pin. Claims nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from hardware.settings import SettingsError, refuse_unknown

HIGHEST: Final = 27  # the last BCM number on the 40-pin header
BOOT_PULL_UPS: Final = range(9)  # pulled up while the Pi boots: an actuator there would run
CONSOLE: Final = (14, 15)  # the serial console
OUTPUTS: Final = ("in1", "in2", "enable", "lamp", "buzzer", "alive")


@dataclass(frozen=True, slots=True)
class PinMap:
    """BCM numbers of everything wired; None = not wired. Raises `SettingsError` for a map that must not be used.

    Outputs: `in1`, `in2`, `enable` (the motor driver's enable or nSLEEP, an output of its own), `lamp`, `buzzer` and
    `alive` (a square wave while the launcher thread ticks with the motor on). Inputs, all with the internal pull-up:
    `button` (pressed = low), `lid` (closed = low), `beam` (blocked = low; without it shots are timed and not counted),
    `beam2` (a second beam, 25 mm further on), `stop` (emergency stop, normally closed: pressed = high).
    """

    in1: int = 17
    in2: int = 27
    enable: int = 22
    button: int = 5
    lamp: int | None = 23
    lid: int = 6
    beam: int | None = 16
    beam2: int | None = None
    stop: int | None = None
    buzzer: int | None = None
    alive: int | None = None

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for field in fields(self):
            name, pin = field.name, getattr(self, field.name)
            if pin is None and field.type == "int | None":
                continue
            if isinstance(pin, bool) or not isinstance(pin, int):
                raise SettingsError(f"[pins] {name}: {pin!r} is not a BCM pin number; 0 to {HIGHEST} is allowed")
            if not 0 <= pin <= HIGHEST:
                raise SettingsError(f"[pins] {name}: {pin} is not on the header; 0 to {HIGHEST} is allowed")
            if pin in CONSOLE:
                raise SettingsError(f"[pins] {name}: {pin} belongs to the serial console (14 and 15); take another")
            if name in OUTPUTS and pin in BOOT_PULL_UPS:
                raise SettingsError(
                    f"[pins] {name}: {pin} is pulled up while the Pi boots and must not drive anything; 9 to {HIGHEST}"
                )
            if pin in taken:
                raise SettingsError(f"[pins] {name}: {pin} is already used for {taken[pin]}")
            taken[pin] = name
        if self.beam2 is not None and self.beam is None:
            raise SettingsError("[pins] beam2: a second beam needs a first one; set beam as well")

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> PinMap:
        """The map of a `[pins]` table; the word "none" unwires an optional part. Raises `SettingsError`."""
        refuse_unknown("pins", values, [field.name for field in fields(cls)])
        wired = {key: None if value == "none" else value for key, value in values.items()}
        return cls(**wired)  # type: ignore[arg-type]  # __post_init__ checks the types
