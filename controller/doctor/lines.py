"""Who holds the lines that are wired: the kernel itself, another program, or a table that runs already."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import Process, System

NAME = "lines"
OURS = "uno-attack"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Every wired line that is held, by whom."""
    chip = system.chip(patient.config.chip) if patient.on_pins else None
    if chip is None:
        yield Finding(NAME, Result.NOT_APPLICABLE, "there are no lines to look at")
        return
    yield from _bypassing(system)
    lines = [(name, pin, system.look.line(chip, pin)) for name, pin in patient.wired().items()]
    held = [(name, pin, line.consumer) for name, pin, line in lines if line.used]
    if not held:
        yield Finding(NAME, Result.OK, f"nobody holds any of the {len(patient.wired())} lines that are wired")
        return
    for name, pin, consumer in held:
        yield _held(name, pin, consumer, system.holders(chip, pin))


def _held(name: str, pin: int, consumer: str, holders: list[Process]) -> Finding:
    what = f"{name} (GPIO {pin}) is held"
    ours = next((process for process in holders if OURS in process.command or OURS in process.name), None)
    if ours is not None:
        return Finding(NAME, Result.OK, f"{what} by a table: {ours}")
    if holders:
        who = ", ".join(str(process) for process in holders)
        return Finding(NAME, Result.FAIL, f"{what} as {consumer!r}, by {who}", "end that program first")
    return Finding(
        NAME, Result.FAIL, f"{what} by the kernel, or by a process of somebody else, as {consumer!r}",
        f"take its dtoverlay or dtparam out of config.txt, end that program, or give [pins] {name} another pin",
    )  # fmt: skip


def _bypassing(system: System) -> Iterator[Finding]:
    """pigpiod writes the chip's registers and asks nobody."""
    for process in system.processes():
        if process.name == "pigpiod":
            yield Finding(
                NAME, Result.WARN, f"{process} sets pins past the kernel, held or not",
                "sudo systemctl disable --now pigpiod",
            )  # fmt: skip
