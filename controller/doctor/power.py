"""The Pi's own power: a supply that sags when the motor starts makes the Pi slow, or lets it start anew in mid-shot.

`vcgencmd get_throttled` is asked first: reading the same from sysfs makes newer kernels complain in their log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "power"
NOW = {
    0: "the voltage is too low now",
    1: "the processor's frequency is capped now",
    2: "the processor is throttled now",
    3: "the processor is at its soft temperature limit now",
}
SINCE_START = {
    16: "the voltage was too low at some time since the start",
    17: "the processor's frequency was capped at some time since the start",
    18: "the processor was throttled at some time since the start",
    19: "the soft temperature limit was reached at some time since the start",
}
VOLTAGE = (0, 16)
SUPPLY = "use the Pi's own power supply and a short cable, and feed the motor from a supply of its own"
COOLING = "let air to the Pi, or give it a heat sink or a fan"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Every bit that is set."""
    bits = _bits(system)
    if bits is None:
        yield Finding(NAME, Result.NOT_APPLICABLE, "this machine does not tell")
        return
    found = False
    for bit, reason in {**NOW, **SINCE_START}.items():
        if bits & 1 << bit:
            found = True
            bad = bit in NOW and bit in VOLTAGE and patient.drives
            yield Finding(NAME, Result.FAIL if bad else Result.WARN, reason, SUPPLY if bit in VOLTAGE else COOLING)
    if not found:
        yield Finding(NAME, Result.OK, "enough power, and never too little since the start")


def _bits(system: System) -> int | None:
    answer = system.ask(("vcgencmd", "get_throttled")) or ""
    told = re.search(r"throttled=0x([0-9a-fA-F]+)", answer)
    if told:
        return int(told[1], 16)
    for path in sorted(system.path("sys/devices/platform").glob("soc*/soc*:firmware/get_throttled")):
        text = system.text(str(path.relative_to(system.root)))
        if text and re.fullmatch(r"(0x)?[0-9a-fA-F]+", text):
            return int(text, 16)
    return None
