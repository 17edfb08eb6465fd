"""The GPIO chip behind the 40-pin header: found by its label, for its number differs from kernel to kernel."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.chardev import HEADER_LABELS, header_chip

NAME = "chip"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Every chip's label."""
    if not patient.on_pins:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} uses no GPIO chip")
        return
    try:
        chips = system.look.chips(system.path("dev"))
    except OSError as error:
        yield Finding(
            NAME, Result.FAIL, f"a GPIO chip cannot be opened: {error.strerror}",
            "join the group gpio: sudo usermod -aG gpio $USER, then log in again",
        )  # fmt: skip
        return
    chip = header_chip(chips)
    if chip is not None:
        yield Finding(NAME, Result.OK, f"{chip.label} is {chip.name}")
    elif chips:
        yield Finding(
            NAME, Result.FAIL, f"none of the GPIO chips ({', '.join(chip.label for chip in chips)}) is the header's",
            f"it would be called {', '.join(HEADER_LABELS)}: use Raspberry Pi OS on a Raspberry Pi",
        )  # fmt: skip
    else:
        yield Finding(
            NAME, Result.FAIL, "there is no GPIO chip in /dev",
            "in a container, hand the device in (docker run --device /dev/gpiochip0); else use Raspberry Pi OS",
        )  # fmt: skip
