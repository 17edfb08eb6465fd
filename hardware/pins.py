"""The pin map: which BCM number does what, and the checks that keep an actuator off a dangerous pin. Claims nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from hardware.keys import key
from hardware.settings import SettingsError, refuse_unknown

HIGHEST: Final = 27  # the last BCM number on the 40-pin header
BOOT_PULL_UPS: Final = range(9)  # pulled up while the Pi boots: an actuator there would run
IDENTITY: Final = (0, 1)  # read at boot to identify a board on the header
CONSOLE: Final = (14, 15)  # the serial console
OUTPUTS: Final = ("enable", "in1", "in2", "lamp", "buzzer", "alive")  # in the order in which they are made low
ACTIVE_HIGH: Final = (*OUTPUTS, "stop")  # the emergency stop is normally closed: a broken wire stops, too


def _pin(default: int | None, text: str) -> Any:
    return key(default, text, most=HIGHEST)


@dataclass(frozen=True, slots=True)
class PinMap:
    """BCM numbers of everything wired; None = not wired. Raises `SettingsError` for a map that must not be used.

    Outputs are active high; inputs have the internal pull-up and are active low, but for `stop`.
    """

    in1: int = _pin(17, "motor driver, first input")
    in2: int = _pin(27, "motor driver, second input")
    enable: int = _pin(22, "motor driver, enable or nSLEEP: high only during a shot")
    button: int = _pin(5, "UNO button, to ground: pressed is low")
    lamp: int | None = _pin(23, "lamp of the button")
    lid: int = _pin(6, "lid switch, to ground: closed is low")
    beam: int | None = _pin(16, "light beam at the card exit: blocked is low; without it shots are timed, not counted")
    beam2: int | None = _pin(None, "second beam, 25 mm further on, usually 20")
    stop: int | None = _pin(None, "emergency stop, normally closed, to ground: pressed is high; usually 26")
    buzzer: int | None = _pin(None, "buzzer, usually 24")
    alive: int | None = _pin(None, "square wave while the launcher thread ticks with the motor on, usually 25")

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for field in fields(self):
            name, pin = field.name, getattr(self, field.name)
            if pin is None and field.type == "int | None":
                continue
            if pin is None:
                raise SettingsError(f"[pins] {name}: this part must be wired; name the BCM number of its pin", name)
            if isinstance(pin, bool) or not isinstance(pin, int):
                said = str(pin).lower() if isinstance(pin, bool) else repr(pin)  # as it is written in the file
                raise SettingsError(f"[pins] {name}: {said} is not a BCM pin number; 0 to {HIGHEST} is allowed", name)
            if not 0 <= pin <= HIGHEST:
                raise SettingsError(f"[pins] {name}: {pin} is not on the header; 0 to {HIGHEST} is allowed", name)
            if pin in CONSOLE:
                raise SettingsError(
                    f"[pins] {name}: {pin} belongs to the serial console (14 and 15); take another", name
                )
            if pin in IDENTITY:
                raise SettingsError(
                    f"[pins] {name}: {pin} belongs to the memory that identifies boards on the header (0 and 1); "
                    f"take another",
                    name,
                )
            if name in OUTPUTS and pin in BOOT_PULL_UPS:
                raise SettingsError(
                    f"[pins] {name}: {pin} is pulled up while the Pi boots and must not drive anything; 9 to {HIGHEST}",
                    name,
                )
            if pin in taken:
                # The one that was moved is in the way of the one that lies where it always does.
                wrong, other = (taken[pin], name) if pin == field.default else (name, taken[pin])
                raise SettingsError(f"[pins] {wrong}: {pin} is already used for {other}", wrong, other)
            taken[pin] = name
        if self.beam2 is not None and self.beam is None:
            raise SettingsError("[pins] beam2: a second beam needs a first one; set beam as well", "beam2", "beam")

    def wired(self) -> dict[str, int]:
        """Everything that is wired, by name."""
        return {each.name: pin for each in fields(self) if (pin := getattr(self, each.name)) is not None}

    def outputs(self) -> dict[str, int]:
        """The outputs that are wired, by name: enable first, which alone stops the motor."""
        return {name: pin for name in OUTPUTS if (pin := getattr(self, name)) is not None}

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> PinMap:
        """The map of a `[pins]` table; the word "none" unwires an optional part. Raises `SettingsError`."""
        refuse_unknown("pins", values, [field.name for field in fields(cls)])
        wired = {key: None if value == "none" else value for key, value in values.items()}
        return cls(**wired)  # type: ignore[arg-type]  # __post_init__ checks the types
