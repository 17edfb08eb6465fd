"""`uno-attack calibrate [show]`: a launcher's own figures, measured by service shots. See `controller.calibrating`."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from controller import calibration
from controller.calibrating import BURST_CARDS, BURSTS, CARDS, SINGLES, Measurable, Session
from controller.calibration import Calibration, CalibrationError, Figure
from controller.commands import CommandError
from controller.commands.configuring import (
    add_config_argument,
    bridge_of,
    check_directory,
    data_directory,
    load,
    wiring,
)
from controller.config import Config, launcher_settings
from controller.lock import DirectoryLock, LockedError
from controller.measuring import LIGHT_CARDS
from hardware.backends import READY, UNDRIVEN, open_backend
from hardware.gpio import BackendError, GpiozeroBackend
from hardware.keys import keys_of
from hardware.pins import PinMap
from hardware.settings import LauncherSettings, SettingsError, from_mapping
from hardware.twin import TwinBackend

_LOOK = 0.01  # seconds between two looks whether a shot has ended
_LIGHT_PILE = 24  # of the twin


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("what", nargs="?", choices=("show",), help="show: print what was measured, and shoot nothing")
    parser.add_argument("--forget", action="store_true", help="forget what was measured, and shoot nothing")
    parser.add_argument("--light", action="store_true", help="measure what a light pile does, too")
    parser.add_argument("--yes", action="store_true", help="ask nothing: all is ready, and the beam counts right")
    parser.add_argument("--backend", choices=READY, help="the launcher (default: the configured one)")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where it is kept (default: {data_directory()})")
    add_config_argument(parser)
    parser.epilog = (
        f"Takes {CARDS} cards: {SINGLES} shots of one, {BURSTS} of {BURST_CARDS}, with every limit of a game, and some "
        "two minutes. What the configuration says goes before what is measured. Exit code: 0 done, 1 nothing is kept "
        "(`show`: nothing was measured, or it is for other wiring), 2 it could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, show or forget; returns the exit code. Raises `CommandError`."""
    config = load(arguments.config, {("launcher", "backend"): arguments.backend} if arguments.backend else None)
    directory = arguments.data or data_directory()
    check_directory(directory)
    if arguments.forget:
        return _forget(config, directory)
    if arguments.what == "show":
        return _show(config, directory)
    return _measure(config, directory, arguments.light, _Asking(arguments.yes or config.backend == "twin"))


def _forget(config: Config, directory: Path) -> int:
    try:
        there = calibration.forget(directory, config.backend)
    except OSError as error:
        raise CommandError(f"{directory} cannot be written: {error.strerror}") from error
    print(f"{'forgotten' if there else 'nothing was kept'}: the backend {config.backend!r} goes by its defaults")
    return 0


def _show(config: Config, directory: Path) -> int:
    try:
        kept = calibration.load(directory, config.backend)
        if kept is None:
            print(f"the backend {config.backend!r} has not been calibrated: it goes by its defaults")
            return 1
        print("\n".join(_table(kept.figures)))
        notes = calibration.apply(kept, wiring(config), config.launcher, launcher_settings(config)).notes
    except CalibrationError as error:
        print(error)
        return 1
    print("\n".join(notes))
    return 0


def _measure(config: Config, directory: Path, light: bool, asking: _Asking) -> int:
    if config.backend in UNDRIVEN:
        raise CommandError(f"the backend {config.backend!r} takes no orders, so that no shot can be measured")
    if config.backend == "serial":
        raise CommandError(
            "a launcher behind a serial port cannot be measured from here: set [launcher] card_ms yourself, or "
            "calibrate it with a Pi and take over what that found (docs/bridge.md)"
        )
    if config.backend == "tape":
        raise CommandError("a tape goes by the figures it was recorded with: there is nothing to measure")
    pins = PinMap.from_mapping(config.pins)
    if pins.beam is None:
        raise CommandError("without a beam nothing can be measured: set [pins] beam, or set the figures yourself")
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = DirectoryLock(directory, "uno-attack calibrate")  # a table that runs has the launcher
    except (LockedError, OSError) as error:
        raise CommandError(str(error)) from error
    try:
        return _measure_alone(config, pins, directory, light, asking)
    except BackendError as error:
        raise CommandError(str(error)) from error
    finally:
        lock.release()


def _measure_alone(config: Config, pins: PinMap, directory: Path, light: bool, asking: _Asking) -> int:
    backend = open_backend(
        config.backend, launcher_settings(config), pins, chip=config.chip, guardian_log=directory / "guardian.log",
        serial=bridge_of(config),
    )  # fmt: skip
    if not isinstance(backend, GpiozeroBackend):
        raise CommandError(f"the backend {config.backend!r} cannot be listened to")
    print(backend.announcement)
    if not asking.yes(f"Lid closed, {CARDS} cards or more in the machine, nobody near its exit?"):
        print("nothing was done")
        return 1
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the motor is off on the way out
    try:
        figures = _shoot(backend, light, asking, config)
    except CalibrationError as error:
        print(error)
        return 1
    finally:
        backend.close()
        signal.signal(signal.SIGTERM, before)
    made = Calibration(config.backend, time.strftime("%Y-%m-%d"), wiring(config), figures)
    try:
        calibration.save(directory, made)
    except (OSError, CalibrationError) as error:
        raise CommandError(f"it could not be kept in {directory}: {error}") from error
    print("\n".join([*_table(figures), f"kept in {directory / calibration.FILE_NAME}"]))
    return 0


def _shoot(backend: Measurable, light: bool, asking: _Asking, config: Config) -> dict[str, Figure]:
    """The shots, and what they come to. Raises `CalibrationError`, `BackendError`."""
    session = Session(backend, _wait, lambda line: print(f"  {line}", flush=True))
    figures = session.measure((lambda: _light_pile(backend, asking)) if light else None)
    seen = session.cards(figures["card_ms"].value)
    counted = asking.number(f"The beam saw {seen} cards. How many lie there?", seen)
    if counted != seen:
        raise CalibrationError(
            f"the beam saw {seen} cards and there are {counted}. Nothing is kept: some came on top of each other, or "
            "the beam sees only part of the slot. Fan the pile, look at the beam, and calibrate again"
        )
    try:  # what does not go together is known now, and not at the next start
        from_mapping({**config.launcher, **{name: figure.value for name, figure in figures.items()}})
    except SettingsError as error:
        raise CalibrationError(f"what was measured does not go with the configuration: {error}") from error
    return figures


def _light_pile(backend: Measurable, asking: _Asking) -> int:
    if isinstance(backend, TwinBackend):
        backend.launcher.loaded(_LIGHT_PILE)
        return _LIGHT_PILE
    pile = asking.number(f"Leave between 10 and {LIGHT_CARDS} cards in. How many are in it now?", None)
    backend.launcher.loaded(pile)
    return pile


def _wait(done: Callable[[], bool], limit: float) -> bool:
    end = time.monotonic() + limit
    while not done():
        if time.monotonic() >= end:
            return False
        time.sleep(_LOOK)
    return True


def _table(figures: Mapping[str, Figure]) -> list[str]:
    """The figures with what they were made of, and what they are for."""
    keys = keys_of(LauncherSettings)
    lines = []
    for name, figure in figures.items():
        spread = f"{figure.low:g} to {figure.high:g} in {figure.measured}"
        value = f"{figure.value} {keys[name].unit}"
        lines.append(f"{name:<13}{value:>9}   {spread:<22}{keys[name].text}")
    return lines


class _Asking:
    """Questions to whoever sits at the terminal. Without one nothing is assumed, but where `silent` says so."""

    def __init__(self, silent: bool) -> None:
        self._silent = silent

    def yes(self, question: str) -> bool:
        """Whether the answer is yes. Raises `CommandError` when there is nobody to ask."""
        return self._silent or self._answer(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def number(self, question: str, usual: int | None) -> int:
        """The answer; just Enter is `usual`. Raises `CommandError` for what is no number, or with nobody to ask."""
        if self._silent and usual is not None:
            return usual
        answer = self._answer(f"{question} {'' if usual is None else f'[{usual}] '}").strip()
        if not answer and usual is not None:
            return usual
        if not answer.isdecimal():
            raise CommandError(f"{answer!r} is no number; nothing is kept")
        return int(answer)

    def _answer(self, question: str) -> str:
        if sys.stdin is None or not sys.stdin.isatty():
            raise CommandError("there is nobody to ask here: use --yes when all is ready")
        try:
            return input(question)
        except EOFError:
            return ""
