"""Whether the kernel keeps outputs driven after the program that set them has died.

Raspberry Pi kernels do, unless told otherwise, and a motor would run on: the pin driver's parameter
`persist_gpio_outputs` (raspberrypi/linux pull requests 6117 and 6150), set by `dtparam=strict_gpiod` in config.txt.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "persist-outputs"
DRIVERS = ("pinctrl_rp1", "pinctrl_bcm2835")
REMEDY = (
    "add the line dtparam=strict_gpiod to /boot/firmware/config.txt and start the Pi again; "
    "10 kΩ pull-downs on IN1, IN2 and enable are needed either way"
)


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The parameter, where this kernel has it."""
    if not patient.drives:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} drives no pin")
        return
    values = {driver: system.text(f"sys/module/{driver}/parameters/persist_gpio_outputs") for driver in DRIVERS}
    # On a Pi 5 both drivers may be there; the header's is the first.
    said = next(((driver, value) for driver, value in values.items() if value is not None), None)
    if said is None:
        yield Finding(NAME, Result.WARN, "this kernel does not say whether it keeps a killed program's outputs", REMEDY)
    elif said[1] in ("N", "0"):
        yield Finding(NAME, Result.OK, f"{said[0]} lets go of a killed program's outputs")
    else:
        yield Finding(NAME, Result.WARN, f"{said[0]} keeps a killed program's outputs driven", REMEDY)
