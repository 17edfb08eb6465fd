"""The GPIO chip behind the 40-pin header: found by its label, for its number differs from kernel to kernel."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.look import labels
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "chip"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Every chip's label."""
    if not patient.on_pins:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} uses no GPIO chip")
        return
    wanted = patient.config.chip
    found, closed = system.look.chips(system.path("dev"))
    fitting = [chip for chip in found if chip.label in labels(wanted)]
    if fitting:
        yield Finding(NAME, Result.OK, f"{fitting[0].label} is {fitting[0].name}")
    elif closed:
        yield Finding(
            NAME, Result.FAIL, f"a GPIO chip cannot be opened: {', '.join(closed)}",
            "join the group gpio: sudo usermod -aG gpio $USER, then log in again",
        )  # fmt: skip
    elif found:
        there = ", ".join(chip.label for chip in found)
        yield Finding(
            NAME, Result.FAIL, f"none of the GPIO chips here ({there}) is called {' or '.join(labels(wanted))}",
            "use Raspberry Pi OS on a Raspberry Pi, or set [launcher] chip to the label of the right one",
        )  # fmt: skip
    else:
        yield Finding(
            NAME, Result.FAIL, "there is no GPIO chip in /dev",
            "in a container, hand the device in (docker run --device /dev/gpiochip0); else use Raspberry Pi OS",
        )  # fmt: skip
