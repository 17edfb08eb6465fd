"""The wall clock: a Pi has none of its own and starts in the past until a network tells it the time."""

from __future__ import annotations

from collections.abc import Iterator

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "clock"
OLDEST = 2025  # this program is no older
REMEDY = "connect it to a network for a minute, or set it: sudo date -s '2026-01-31 20:00'. Games do not go by it"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """Whether it was set, and to a year that can be."""
    year = system.this_year()
    if year < OLDEST:
        yield Finding(NAME, Result.WARN, f"it says the year {year}: dates in the journal are wrong", REMEDY)
    elif system.path("run/systemd/timesync/synchronized").exists():
        yield Finding(NAME, Result.OK, "set by the network")
    else:
        told = (system.ask(("timedatectl", "show", "--property=NTPSynchronized", "--value")) or "").strip()
        if told == "yes":
            yield Finding(NAME, Result.OK, "set by the network")
        elif told == "no":
            yield Finding(NAME, Result.WARN, "not set by the network: dates in the journal may be wrong", REMEDY)
        else:
            yield Finding(NAME, Result.NOT_APPLICABLE, "this machine does not tell whether it is set")
