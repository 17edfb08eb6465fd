"""The kernel: GPIO lines are used by version 2 of its interface, which came with 5.10."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "kernel"
OLDEST = (5, 10)


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Its release."""
    release = system.text("proc/sys/kernel/osrelease") or ""
    number = re.match(r"(\d+)\.(\d+)", release)
    if number is None:
        yield Finding(
            NAME, Result.WARN if patient.on_pins else Result.NOT_APPLICABLE, "its release cannot be read",
            "is /proc mounted?",
        )  # fmt: skip
    elif (int(number[1]), int(number[2])) < OLDEST and patient.on_pins:
        yield Finding(
            NAME, Result.FAIL, f"Linux {release} is older than 5.10 and has no GPIO interface of version 2",
            "bring Raspberry Pi OS up to date: sudo apt update && sudo apt full-upgrade",
        )  # fmt: skip
    else:
        yield Finding(NAME, Result.OK, f"Linux {release}")
