"""A launcher's own figures: kept beside the tables, used at every start, refused when the wiring has changed.

How they are worked out is `controller.measuring`'s; what each of them is for, `hardware.settings` says.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from hardware.pins import PinMap
from hardware.settings import LauncherSettings, SettingsError, from_mapping

FILE_NAME: Final = "calibration.json"
WORKED_OUT: Final = ("card_ms", "spin_up_ms", "pace_ms", "interval_ms", "stop_lag_ms", "light_cards", "light_ms")
"""Keys of [launcher] that a calibration sets."""
HARDWARE: Final = ("arming_ms", "brake_ms", "retract_ms", "kick_after_ms", "kick_ms", "card_mm", "beam_gap_mm")
"""Keys of [launcher] that change how a machine behaves: measured figures hold for these."""


class CalibrationError(ValueError):
    """Figures that cannot be worked out, or must not be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the launcher in whole milliseconds (or cards), and from how many measurements between what bounds."""

    value: int
    low: float
    high: float
    measured: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured on `date` (YYYY-MM-DD) with a backend whose wiring comes to `wiring`, part by part."""

    backend: str
    date: str
    wiring: Mapping[str, object]
    figures: Mapping[str, Figure]

    @property
    def fingerprint(self) -> str:
        """The hash of the wiring."""
        return fingerprint(self.wiring)


# --- what they hold for -----------------------------------------------------------------------------------------------


def wiring_of(backend: str, chip: str, pins: PinMap, settings: LauncherSettings) -> dict[str, object]:
    """Everything that measured figures hold for, part by part."""
    return {
        "[launcher] backend": backend,
        "[launcher] chip": chip,
        **{f"[pins] {name}": pin for name, pin in asdict(pins).items()},
        **{f"[launcher] {name}": getattr(settings, name) for name in HARDWARE},
    }


def fingerprint(wiring: Mapping[str, object]) -> str:
    """The hash of a wiring."""
    return hashlib.sha256(json.dumps(dict(wiring), sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Applied:
    """The settings to go by, and what people should know about them."""

    settings: LauncherSettings
    notes: tuple[str, ...] = ()


def apply(
    calibration: Calibration | None, wiring: Mapping[str, object], said: Mapping[str, object], plain: LauncherSettings
) -> Applied:
    """`plain` settings with what was measured, but for the keys that were `said` in the configuration.

    Raises `CalibrationError` when it was measured with other wiring, or does not go with what was said.
    """
    if calibration is None:
        return Applied(plain)
    if calibration.fingerprint != fingerprint(wiring):
        raise CalibrationError(
            f"this launcher was calibrated on {calibration.date} for other wiring "
            f"({', '.join(_differences(calibration.wiring, wiring))}): calibrate again with `uno-attack calibrate`, "
            f"or forget those figures with `uno-attack calibrate --forget`"
        )
    measured = {name: figure.value for name, figure in calibration.figures.items()}
    taken = {name: value for name, value in measured.items() if name not in said}
    notes = [f"calibrated on {calibration.date}: {', '.join(f'{name} {value}' for name, value in taken.items())}"]
    notes += [
        f"the configuration's {name} {said[name]} goes before the calibrated {value}"
        for name, value in measured.items()
        if name in said and said[name] != value
    ]
    try:
        return Applied(from_mapping({**asdict(plain), **taken}), tuple(notes))
    except SettingsError as error:
        raise CalibrationError(
            f"what was calibrated on {calibration.date} does not go with the configuration: {error}. "
            f"Calibrate again with `uno-attack calibrate`, or forget those figures with `uno-attack calibrate --forget`"
        ) from error


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    names = [name for name in {**before, **now} if before.get(name, "") != now.get(name, "")]
    return [f"{name} was {_shown(before.get(name, ''))}, is {_shown(now.get(name, ''))}" for name in names]


def _shown(value: object) -> str:
    return "none" if value is None else str(value) or "not known"


# --- keeping them -----------------------------------------------------------------------------------------------------


def load(directory: Path, backend: str) -> Calibration | None:
    """What was kept for this backend. Raises `CalibrationError` for a file that cannot be one of ours."""
    kept = _read(directory).get(backend)
    return None if kept is None else _calibration(directory, backend, kept)


def save(directory: Path, calibration: Calibration) -> None:
    """Keep it, in place of the one before of its backend; what is kept of others stays. Raises `OSError`."""
    _write(directory, _read(directory) | {calibration.backend: asdict(calibration)})


def forget(directory: Path, backend: str) -> bool:
    """Keep nothing for this backend any more; whether there was anything. A file that is broken is put away whole."""
    try:
        kept = _read(directory)
    except CalibrationError:
        (directory / FILE_NAME).unlink()
        return True
    if kept.pop(backend, None) is None:
        return False
    _write(directory, kept)
    return True


def _read(directory: Path) -> dict[str, object]:
    path = directory / FILE_NAME
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _broken(path, str(error)) from error
    if not isinstance(kept, dict):
        raise _broken(path, "it is no table of backends")
    return kept


def _write(directory: Path, kept: Mapping[str, object]) -> None:
    """Whole or not at all, and on the disk before it counts."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / FILE_NAME
    beside = directory / f".{FILE_NAME}.{os.getpid()}"
    with beside.open("w", encoding="utf-8") as file:
        json.dump(kept, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _calibration(directory: Path, backend: str, kept: object) -> Calibration:
    path = directory / FILE_NAME
    if not isinstance(kept, dict):
        raise _broken(path, f"what it says of {backend!r} is no calibration")
    try:
        figures = {str(name): Figure(**figure) for name, figure in kept["figures"].items()}
        found = Calibration(str(kept["backend"]), str(kept["date"]), dict(kept["wiring"]), figures)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _broken(path, f"what it says of {backend!r} is no calibration") from error
    known = {each.name for each in fields(LauncherSettings)}
    numbers = all(isinstance(figure.value, int) for figure in figures.values())
    if found.backend != backend or not figures or not set(figures) <= known & set(WORKED_OUT) or not numbers:
        raise _broken(path, f"what it says of {backend!r} is no calibration of this version")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", found.date):
        raise _broken(path, f"{found.date!r} is no date")
    return found


def _broken(path: Path, why: str) -> CalibrationError:
    return CalibrationError(f"{path} cannot be used ({why}): `uno-attack calibrate --forget` puts it away")
