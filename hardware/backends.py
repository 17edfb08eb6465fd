"""Choosing a backend by its name. Nothing is ever chosen instead of what was asked for."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Final

from hardware.chips import AUTO
from hardware.clock import Clock, RealClock
from hardware.gpio import BackendError, GpioBackend
from hardware.guardian_link import GuardianLink
from hardware.header import Header, HeaderError
from hardware.none import NoneBackend
from hardware.pins import PinMap
from hardware.ports import Backend
from hardware.settings import LauncherSettings
from hardware.tape import TapeBackend
from hardware.traces import TraceError, read
from hardware.twin import FULL_HOPPER, TwinBackend
from hardware.watch import WatchBackend
from hardware.watch_twin import WatchTwinBackend

READY: Final = ("twin", "gpio", "serial", "watch", "watch-twin", "tape", "none")
UNDRIVEN: Final = ("watch", "watch-twin", "none")
"""Backends that take no orders: what came out is seen, or typed by people."""


def open_backend(
    name: str,
    settings: LauncherSettings | None = None,
    pins: PinMap | None = None,
    clock: Clock | None = None,
    seed: int | None = None,
    hopper: int = FULL_HOPPER,
    chip: str = AUTO,
    guardian_log: Path | None = None,
    tape: Path | None = None,
    serial: Callable[[Clock, LauncherSettings], Backend] | None = None,
) -> Backend:
    """The backend called `name`, not yet started: it claims no pin and starts no thread before `start`.

    `seed` and `hopper` (cards the simulated machine holds at first) are for the twins; a real machine is told by
    `Launcher.loaded`. `chip`: label of the GPIO chip that real pins are on. `guardian_log`: where the guardian beside a
    real launcher writes down what it had to do; without it there is no guardian. `tape`: the file that a tape plays
    back, with the settings and pins it was recorded with. `serial`: makes the backend behind a serial port, which lives
    on a floor above. Raises `BackendError` for a name that is unknown, or cannot be used on this machine.
    """
    clock = clock or RealClock()
    settings = settings or LauncherSettings()
    pins = pins or PinMap()
    if name == "twin":
        return TwinBackend(clock, settings, pins, seed=seed, hopper=hopper)
    if name == "gpio":
        guard = None if guardian_log is None else partial(GuardianLink, log=guardian_log)
        return GpioBackend(clock, settings, pins, _header(name, chip), guard)
    if name == "serial":
        if serial is None:
            raise BackendError("serial: nobody has said which port the launcher's controller is on")
        return serial(clock, settings)
    if name == "watch":
        return WatchBackend(clock, settings, pins, _header(name, chip))
    if name == "watch-twin":
        return WatchTwinBackend(clock, settings, pins, seed=seed)
    if name == "tape":
        return _tape(clock, tape)
    if name == "none":
        return NoneBackend()
    near = get_close_matches(name, READY, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(READY)}"
    raise BackendError(f"there is no backend {name!r}; {hint}")


def _tape(clock: Clock, file: Path | None) -> TapeBackend:
    if file is None:
        raise BackendError(
            "tape: there is nothing to play back: name a recorded file (--tape FILE, or [launcher] tape)"
        )
    try:
        return TapeBackend(clock, read(file))
    except TraceError as problem:
        raise BackendError(f"tape: {problem}") from problem


def _header(name: str, chip: str) -> Header:
    try:
        return Header(chip)
    except HeaderError as problem:
        raise BackendError(f"{name}: {problem}") from problem
