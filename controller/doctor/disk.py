"""Where the tables are kept: may it be written, is there room, and how long does a commit take."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "disk"
MIB = 1 << 20
LEAST = 50 * MIB  # a table's evening takes a few MiB
SCARCE = 500 * MIB
SLOW = 0.25  # seconds: every press waits for a commit before the suspense begins


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """The data directory, or the nearest one above that is there."""
    place = next(path for path in (patient.data, *patient.data.parents) if path.is_dir())
    options = _mount_options(system, place)
    if "ro" in options:
        yield Finding(
            NAME, Result.FAIL, f"{place} lies on a file system that is mounted read-only",
            "a worn SD card is remounted so by the kernel: look at `dmesg`, copy the data away, take a new card",
        )  # fmt: skip
        return
    if not os.access(place, os.W_OK | os.X_OK):
        yield Finding(
            NAME, Result.FAIL, f"{place} may not be written by this user", "name another with --data, or chown it"
        )
        return
    yield _room(system, place)
    yield _speed(system, place)


def _room(system: System, place: Path) -> Finding:
    free = system.free(place)
    said = f"{free // MIB:,} MiB free in {place}".replace(",", " ")
    if free >= SCARCE:
        return Finding(NAME, Result.OK, said)
    return Finding(NAME, Result.FAIL if free < LEAST else Result.WARN, f"only {said}", "make room, or use another disk")


def _speed(system: System, place: Path) -> Finding:
    try:
        seconds = system.commit_seconds(place)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return Finding(
            NAME, Result.FAIL, f"a write in {place} failed: {reason}",
            "where the disk is full, make room, or name another directory with --data; else look at `dmesg`",
        )  # fmt: skip
    said = f"a commit takes {seconds * 1000:.1f} ms"
    if seconds <= SLOW:
        return Finding(NAME, Result.OK, said)
    return Finding(
        NAME, Result.WARN, f"{said}, and every press waits for one",
        "use a better SD card (class A1 or A2), or a USB disk",
    )  # fmt: skip


def _mount_options(system: System, place: Path) -> list[str]:
    """The options of the mount that `place` lies on."""
    best: tuple[int, list[str]] = (-1, [])
    for line in (system.text("proc/mounts") or "").splitlines():
        words = line.split()
        if len(words) < 4:
            continue
        point = Path(words[1].replace("\\040", " "))
        if (place == point or point in place.parents) and len(point.parts) >= best[0]:
            best = (len(point.parts), words[3].split(","))
    return best[1]
