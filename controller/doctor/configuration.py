"""Is the configuration right. What it says is `uno-attack config show`."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "configuration"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """What loading it came to."""
    if patient.problem:
        yield Finding(
            NAME, Result.FAIL, patient.problem,
            f"put it right; the other checks went by the defaults and the backend {patient.backend!r}",
        )  # fmt: skip
    else:
        source = patient.config.source or "no file: defaults, environment and command line only"
        yield Finding(NAME, Result.OK, f"{source}; backend {patient.backend!r}")
