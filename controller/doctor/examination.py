"""All checks, in the order in which a person would look."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from controller.doctor import (
    board,
    calibrated,
    chip,
    clock,
    configuration,
    disk,
    groups,
    interpreter,
    journal,
    kernel,
    library,
    lines,
    persist,
    pins,
    ports,
    power,
)
from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.chips import ChipError

CHECKS: Final[tuple[ModuleType, ...]] = (
    configuration, interpreter, disk, journal, clock, board, kernel, power, groups, library, chip, persist, pins, lines,
    ports, calibrated,
)  # fmt: skip


def examine(system: System, patient: Patient) -> Iterator[Finding]:
    """What every check says, one after another. A check that is not let in, or fails, says so; the others go on."""
    for check in CHECKS:
        try:
            yield from check.look(system, patient)
        except (OSError, ChipError) as error:
            yield Finding(
                check.NAME, Result.WARN, f"it could not be looked at: {error}", "try again as root, for this one answer"
            )
        except Exception as error:  # noqa: BLE001  a broken machine is what a doctor is for: nothing may end it
            yield Finding(
                check.NAME, Result.WARN, f"it could not be looked at: {type(error).__name__}: {error}",
                "a fault of this check: look at it yourself (docs/hardware.md), and tell the makers of this program",
            )  # fmt: skip


def worst(findings: list[Finding]) -> Result:
    """The worst of them."""
    results = {finding.result for finding in findings}
    return next((result for result in (Result.FAIL, Result.WARN) if result in results), Result.OK)
