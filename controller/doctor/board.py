"""Which machine this is: real pins need a Raspberry Pi."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.chips import AUTO

NAME = "board"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The model, as the device tree tells it."""
    model = system.text("proc/device-tree/model") or ""
    if model.startswith("Raspberry Pi"):
        yield Finding(NAME, Result.OK, model)
    elif patient.on_pins and patient.config.chip != AUTO:
        yield Finding(NAME, Result.OK, f"{model or 'no Raspberry Pi'}; [launcher] chip names {patient.config.chip}")
    elif patient.on_pins:
        yield Finding(
            NAME, Result.FAIL, f"this is no Raspberry Pi{f' but {model}' if model else ''}",
            f"run the backend {patient.backend!r} on a Raspberry Pi, or play with a simulated launcher: --backend twin",
        )  # fmt: skip
    else:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"no Raspberry Pi; the backend {patient.backend!r} needs none")
