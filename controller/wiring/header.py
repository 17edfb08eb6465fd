"""The 40-pin header of a Raspberry Pi: what each pin is. The same on every Pi with 40 pins."""

from __future__ import annotations

from typing import Final

PINS: Final = 40
_POWER: Final = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
_GROUND: Final = (6, 9, 14, 20, 25, 30, 34, 39)
_GPIO: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
_PHYSICAL: Final = {bcm: pin for pin, bcm in _GPIO.items()}


def bcm_of(pin: int) -> int | None:
    """The BCM number of a physical pin, None for power and ground."""
    return _GPIO.get(pin)


def pin_of(bcm: int) -> int:
    """The physical pin (1 to 40) of a BCM number."""
    return _PHYSICAL[bcm]


def name_of(pin: int) -> str:
    """What a physical pin is: `GPIO17`, `GND`, `3V3`, `5V`."""
    bcm = bcm_of(pin)
    if bcm is not None:
        return f"GPIO{bcm}"
    return "GND" if pin in _GROUND else _POWER[pin]
