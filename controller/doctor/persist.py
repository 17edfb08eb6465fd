"""Whether the kernel keeps outputs driven after the program that set them has died.

Raspberry Pi kernels do, unless told otherwise, and a motor would run on: the pin driver's parameter
`persist_gpio_outputs` (raspberrypi/linux pull requests 6117 and 6150), set by `dtparam=strict_gpiod` in config.txt.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.chips import stays_driven

NAME = "persist-outputs"
REMEDY = (
    "add the line dtparam=strict_gpiod to /boot/firmware/config.txt and start the Pi again; "
    "10 kΩ pull-downs on IN1, IN2 and enable are needed either way"
)


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The parameter, where this kernel has it."""
    if not patient.drives:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} drives no pin")
        return
    chip = system.chip(patient.config.chip)
    driven = None if chip is None else stays_driven(chip.label, system.path("sys/module"))
    if chip is None or driven is None:
        yield Finding(NAME, Result.WARN, "this kernel does not say whether it keeps a killed program's outputs", REMEDY)
    elif driven:
        yield Finding(NAME, Result.WARN, f"{chip.label} keeps a killed program's outputs driven", REMEDY)
    else:
        yield Finding(NAME, Result.OK, f"{chip.label} lets go of a killed program's outputs")
