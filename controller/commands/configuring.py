"""Where configuration and data of a command come from; shared by the commands. Nothing is checked here but paths."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from controller import config
from controller.commands import CommandError

if TYPE_CHECKING:  # a start is quick
    from collections.abc import Callable

    from firmware_bridge.messages import Wired
    from hardware.clock import Clock
    from hardware.ports import Backend
    from hardware.settings import LauncherSettings

_NAME = "uno-attack"


def add_config_argument(parser: argparse.ArgumentParser) -> None:
    """`--config FILE`, alike for all commands."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE",
        help=f"configuration (default: {config.FILE_NAME} in {user_directory()}, else in /etc/{_NAME})",
    )  # fmt: skip


def load(named: Path | None, overrides: Mapping[tuple[str, str], object] | None = None) -> config.Config:
    """The configuration of the named file, or of the first there is. Raises `CommandError`."""
    path = find(named)
    try:
        return config.load(path, overrides=overrides)
    except config.ConfigError as error:
        raise CommandError(str(error)) from error


def bridge_of(loaded: config.Config) -> Callable[[Clock, LauncherSettings], Backend]:
    """Makes the backend behind the configured serial port; that raises `BackendError` where there is no such port."""

    def made(clock: Clock, settings: LauncherSettings) -> Backend:
        from firmware_bridge.backend import SerialBackend  # who has no serial port needs no library for it
        from firmware_bridge.port import PortError, check_port
        from hardware.gpio import BackendError

        try:
            check_port(loaded.serial.device)  # before a launcher is announced, and anybody asked about its motor
        except PortError as error:
            raise BackendError(f"serial: {error}") from error
        return SerialBackend(clock, settings, loaded.serial.device, wired_of(loaded), loaded.serial.buzzer)

    return made


def wired_of(loaded: config.Config) -> Wired:
    """What is wired to the bridge's controller."""
    from firmware_bridge.messages import Wired

    serial = loaded.serial
    return Wired(Wired.BEAM * serial.beam | Wired.BEAM2 * serial.beam2 | Wired.STOP * serial.stop)


def wiring(loaded: config.Config) -> dict[str, object]:
    """What figures measured with this configuration hold for."""
    from controller.calibration import wiring_of
    from hardware.pins import PinMap

    plain = config.launcher_settings(loaded)
    return wiring_of(loaded.backend, loaded.chip, PinMap.from_mapping(loaded.pins), plain)


def launcher_settings(loaded: config.Config, data: Path) -> LauncherSettings:
    """The launcher's figures as calibrated, the configuration's own before them; says so on the terminal.

    Raises `CommandError` when they were measured with other wiring, or `data` can be no directory.
    """
    from controller import calibration

    check_directory(data)
    plain = config.launcher_settings(loaded)
    try:
        kept = calibration.load(data, loaded.backend)
        applied = calibration.apply(kept, wiring(loaded), loaded.launcher, plain)
    except calibration.CalibrationError as error:
        raise CommandError(str(error)) from error
    for note in applied.notes:
        print(note, flush=True)
    return applied.settings


def find(named: Path | None) -> Path | None:
    """The configuration file to read, None = there is none. Raises `CommandError` for a named one that is not there."""
    try:
        return config.find(named, (user_directory(), Path("/etc") / _NAME))
    except config.ConfigError as error:
        raise CommandError(str(error)) from error


def user_directory() -> Path:
    """Where a user's own configuration lies."""
    return platformdirs.user_config_path(_NAME, appauthor=False)


def cache_directory() -> Path:
    """Where files are kept that can be made again: what systemd has made for a service, or the user's own place."""
    made = os.environ.get("CACHE_DIRECTORY", "").partition(":")[0]
    return Path(made) if made else platformdirs.user_cache_path(_NAME, appauthor=False)


def check_directory(data: Path) -> None:
    """Raises `CommandError` where something else stands in the place of the data directory, or above it."""
    for place in (data, *data.parents):
        if place.exists():
            if not place.is_dir():
                raise CommandError(f"{place} is no directory: name another one with --data")
            return


def data_directory() -> Path:
    """Where the tables of a user are kept."""
    return platformdirs.user_data_path(_NAME, appauthor=False)
