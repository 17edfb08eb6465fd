"""The parts around a launcher, and which of their terminals goes to which pin of the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal: to the pin called `pin` in the map, or ("" there) to `rail`: `GND` or `3V3`.

    `pull_down`: a resistor to ground belongs on its wire.
    """

    label: str
    pin: str = ""
    rail: str = ""
    pull_down: bool = False


GND: Final = Terminal("GND", rail="GND")


@dataclass(frozen=True, slots=True)
class Part:
    """One part; `notes` are lines for people. It is there when the pin of its first terminal is wired."""

    title: str
    terminals: tuple[Terminal, ...]
    notes: tuple[str, ...] = ()
    drives_motor: bool = False


PARTS: Final = (
    Part(
        "DRV8833 motor driver",
        (
            Terminal("IN1", "in1", pull_down=True),
            Terminal("IN2", "in2", pull_down=True),
            Terminal("nSLEEP", "enable", pull_down=True),
            GND,
        ),
        ("10 kΩ to GND on all three: a pin that", "nobody drives must read low"),
        drives_motor=True,
    ),
    Part("UNO button", (Terminal("contact", "button"), GND), ("normally open",)),
    Part("Lamp in the button", (Terminal("+", "lamp"), GND), ("LED with 330 Ω in series",)),
    Part("Lid switch", (Terminal("contact", "lid"), GND), ("closed while the lid is closed",)),
    Part(
        "Beam at the card exit",
        (Terminal("output", "beam"), Terminal("3.3 V", rail="3V3"), GND),
        ("open collector: blocked is low",),
    ),
    Part(
        "Second beam",
        (Terminal("output", "beam2"), Terminal("3.3 V", rail="3V3"), GND),
        ("25 mm further on",),
    ),
    Part(
        "Emergency stop",
        (Terminal("contact", "stop"), GND),
        ("normally closed; a second contact", "cuts the motor's supply (VM)"),
    ),
    Part("Buzzer", (Terminal("+", "buzzer"), GND), ("active, 3 V, at most 10 mA", "(else through a transistor)")),
    Part(
        "One-shot for alive",
        (Terminal("trigger", "alive"), Terminal("3.3 V", rail="3V3"), GND),
        ("74HC123, some 100 ms: nSLEEP goes", "high only while its output does"),
    ),
)
