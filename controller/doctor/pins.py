"""The pin map against the Pi's own settings: a pin that config.txt gives to something else cannot be ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "pins"
FILES = ("boot/firmware/config.txt", "boot/config.txt")
# What a line of config.txt takes. Default pins only, as the firmware's overlay README has them.
CLAIMS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    (r"dtparam=(.*,)?(i2c_arm|i2c)(=on)?\b(?!=)", "I2C", (2, 3)),
    (r"dtparam=(.*,)?spi(=on)?\b(?!=)", "SPI", (7, 8, 9, 10, 11)),
    (r"dtparam=(.*,)?i2s(=on)?\b(?!=)", "I2S", (18, 19, 20, 21)),
    (r"dtoverlay=w1-gpio\b(?!.*gpiopin)", "1-wire", (4,)),
    (r"dtoverlay=pwm-2chan\b", "PWM", (18, 19)),
    (r"dtoverlay=pwm\b(?!-)", "PWM", (18,)),
    (r"dtoverlay=gpio-shutdown\b(?!.*gpio_pin)", "the shutdown button", (3,)),
    (r"dtoverlay=gpio-ir\b(?!.*gpio_pin)", "an infrared receiver", (18,)),
    (r"dtoverlay=(hifiberry|iqaudio|justboom|allo)", "a sound board", (18, 19, 20, 21)),
)


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Every wired pin that config.txt gives away."""
    if not patient.on_pins:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} uses no pins")
        return
    wired = patient.wired()
    clashes = [(name, pin, *claim) for name, pin in wired.items() for claim in _claims(system) if pin in claim[2]]
    for name, pin, line, use, _ in clashes:
        yield Finding(
            NAME, Result.FAIL, f"{name} is on GPIO {pin}, which {line!r} in config.txt gives to {use}",
            f"take that line out and start the Pi again, or give [pins] {name} another pin",
        )  # fmt: skip
    if not clashes:
        map_of = ", ".join(f"{name} {pin}" for name, pin in wired.items())
        yield Finding(NAME, Result.OK, map_of)


def _claims(system: System) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """(line, what for, pins) of config.txt. Sections like [pi4] are not told apart: a clash there is worth a look."""
    text = next((text for text in map(system.text, FILES) if text is not None), "")
    for line in text.splitlines():
        said = line.partition("#")[0].strip().replace(" ", "")
        for pattern, use, pins in CLAIMS:
            if re.match(pattern, said) and not re.search(r"=(off|no|0)\b", said):
                yield said, use, pins
