"""Whether this user may use what is configured."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "groups"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The groups gpio, dialout and audio, each where it matters."""
    needed = {
        "gpio": ("the pins", patient.on_pins),
        "dialout": ("serial ports", patient.backend == "serial"),
        "audio": ("the loudspeaker", patient.on_pins and patient.config.sound.on),
    }
    wanted = [group for group, (_, matters) in needed.items() if matters]
    if not wanted:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} needs none")
    elif system.administrator:
        yield Finding(NAME, Result.OK, "root may use everything; a user of its own would be safer")
    else:
        for group in wanted:
            what = needed[group][0]
            if group in system.groups:
                yield Finding(NAME, Result.OK, f"in {group}: {what}")
            else:
                worst = Result.WARN if group == "audio" else Result.FAIL
                yield Finding(
                    NAME, worst, f"not in {group}: {what} may not be used",
                    f"sudo usermod -aG {group} $USER, then log in again",
                )  # fmt: skip
