"""The library that moves real pins; for newer Pythons the package index has an empty one of its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "lgpio"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Is it there, and is anything in it."""
    if not patient.on_pins:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} does without")
        return
    found = system.library("lgpio")
    if found is not None and not found.empty:
        yield Finding(NAME, Result.OK, f"lgpio {found.version}".strip())
        return
    from hardware.header import how_to_get_lgpio

    yield Finding(
        NAME, Result.FAIL,
        "lgpio is not installed" if found is None else f"lgpio {found.version} is an empty package".replace("  ", " "),
        how_to_get_lgpio(system.python[:2], sys.prefix, sys.base_prefix),
    )  # fmt: skip
