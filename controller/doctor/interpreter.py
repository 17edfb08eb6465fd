"""The Python this runs with."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "python"
TRIED = ((3, 11), (3, 12), (3, 13))


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Its version."""
    version = ".".join(map(str, system.python))
    if system.python[:2] < TRIED[0]:
        yield Finding(
            NAME, Result.FAIL, f"Python {version} is too old", "use Python 3.11 or newer: Debian 12 and later have one"
        )
    elif system.python[:2] not in TRIED:
        tried = ", ".join(f"{major}.{minor}" for major, minor in TRIED)
        yield Finding(
            NAME, Result.WARN, f"Python {version} has not been tried", f"if anything is odd, use one of {tried}"
        )
    else:
        yield Finding(NAME, Result.OK, f"Python {version}")
