"""docs/hardware.md names every fault, every check of the doctor and every figure that is calibrated, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.calibration import HARDWARE, WORKED_OUT
from controller.commands import COMMANDS
from controller.doctor.examination import CHECKS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "hardware.md").read_text()


def faults() -> set[str]:
    """The code of every fault the hardware can have."""
    sources = "".join(path.read_text() for path in (ROOT / "hardware").glob("*.py"))
    return {"jammed", *re.findall(r'(?<!Twin)\bFault\(\s*"([a-z-]+)"', sources)}


@pytest.mark.parametrize("code", sorted(faults()))
def test_every_fault_is_explained(code: str) -> None:
    assert f"(`{code}`)" in TEXT


def test_no_fault_is_explained_that_there_is_not() -> None:
    assert set(re.findall(r"\(`([a-z-]+)`\)", TEXT)) - faults() == set()


def test_every_check_of_the_doctor_is_explained() -> None:
    table = TEXT.partition("| check |")[2]
    named = set(
        re.findall(r"`([a-z-]+)`", "".join(line.split("|")[1] for line in table.splitlines() if line[:3] == "| `"))
    )
    assert named == {check.NAME for check in CHECKS}


def test_every_calibrated_figure_is_explained() -> None:
    for name in (*WORKED_OUT, *HARDWARE):
        assert f"`{name}`" in TEXT


def test_commands_that_are_named_are_there() -> None:
    named = set(re.findall(r"`(?:\./uno|[^`]*\buno-attack) ([a-z-]+)", TEXT))
    assert {"doctor", "pins", "calibrate", "fire", "safe-off"} <= named
    assert named <= set(COMMANDS)
