"""Serial ports: the bridge's own, and programs that write into any port that appears."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "serial-ports"
BY_ID = "dev/serial/by-id"
MEDDLERS = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "brltty": "sudo apt remove brltty",
}
"""Programs that talk to new serial ports by themselves, and how to be rid of them."""


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The ports there are, whether the configured one is among them, and who else may write to it."""
    place = system.path(BY_ID)
    names = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    ports = f"{len(names)} serial port{'' if len(names) == 1 else 's'} by name" if names else "no serial port"
    if patient.backend != "serial":
        yield Finding(NAME, Result.NOT_APPLICABLE, f"{ports}; the backend {patient.backend!r} uses none")
        return
    device = patient.config.serial.device
    if not device:
        yield Finding(
            NAME, Result.FAIL, f"[serial] device is not set; there is {ports}",
            f"set it to one of: {', '.join(f'/{BY_ID}/{name}' for name in names)}" if names else "plug the bridge in",
        )  # fmt: skip
    elif not system.path(device.lstrip("/")).exists():
        yield Finding(
            NAME, Result.FAIL, f"{device} is not there",
            f"there is: {', '.join(f'/{BY_ID}/{name}' for name in names)}" if names else "plug the bridge in",
        )  # fmt: skip
    elif not device.startswith(f"/{BY_ID}/"):
        yield Finding(
            NAME, Result.WARN, f"{device} may be another device after the next start",
            f"use its name in /{BY_ID}",
        )  # fmt: skip
    else:
        yield Finding(NAME, Result.OK, device)
    running = {process.name for process in system.processes()}
    for name, remedy in MEDDLERS.items():
        if name in running:
            yield Finding(NAME, Result.WARN, f"{name} runs, and writes to every serial port that appears", remedy)
