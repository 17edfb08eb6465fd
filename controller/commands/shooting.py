"""How the service commands fire: through the table that runs on the data directory, or with the launcher themselves.

A launcher that is opened here is announced and keeps every limit; its motor is off however the command ends.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from controller.commands import CommandError
from controller.commands.configuring import (
    add_config_argument,
    bridge_of,
    check_directory,
    data_directory,
    launcher_settings,
    load,
)
from controller.config import Config
from controller.control import Client, ControlError, NoTable
from controller.lock import DirectoryLock, LockedError
from hardware.backends import READY, UNDRIVEN, open_backend
from hardware.clock import Clock, RealClock
from hardware.gpio import BackendError, GpiozeroBackend
from hardware.pins import PinMap
from hardware.ports import Backend, Certainty, Denial, HardwareEvent, ShotEnded, ShotOrder
from hardware.tap import Tap
from hardware.twin import FULL_HOPPER

MOVES: Final = ("gpio", "serial")  # backends whose motor is a real one
PATIENCE: Final = 30.0  # seconds a shot may take, whatever happens; the longest has some six
SURE: Final = {Certainty.EXACT: "exactly", Certainty.AT_LEAST: "at least", Certainty.UNKNOWN: "perhaps"}
_LOOK: Final = 0.01  # seconds between two looks for its end


class CannotFire(Exception):
    """The launcher will not fire before somebody has put something right; the text says what."""


class OwnLauncher:
    """A launcher that is this command's own. As a context: started, and closed however it ends."""

    def __init__(
        self, backend: Backend, clock: Clock | None = None, wait: Callable[[float], None] = time.sleep
    ) -> None:
        """`clock` is the backend's; `wait` lets so many seconds go by."""
        self._backend = backend
        self._clock = clock or RealClock()
        self._wait = wait
        self._events: SimpleQueue[HardwareEvent] = SimpleQueue()
        self._shots = 0

    def __enter__(self) -> Self:
        try:
            self._backend.start(self._events.put)
        except BaseException:
            self._backend.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._backend.close()

    @property
    def backend(self) -> Backend:
        """What it is."""
        return self._backend

    def fire(self, cards: int) -> ShotEnded:
        """Fire `cards` cards and wait for the end; first for as long as the motor must rest, and people are told.

        Raises `CannotFire` for what a person has to put right, `CommandError`.
        """
        launcher = self._backend.launcher
        while (denial := launcher.denial()) is not None:
            if denial.seconds is None:
                raise CannotFire(self._why(denial))
            say_wait(denial.seconds)
            self._wait(denial.seconds + _LOOK)
        self._shots += 1
        launcher.begin_shot(ShotOrder(self._shots, cards, self._clock.now()))
        end = self._clock.now() + PATIENCE
        while self._clock.now() < end:
            try:
                event = self._events.get_nowait()
            except Empty:
                self._wait(_LOOK)
                continue
            if isinstance(event, ShotEnded) and event.shot == self._shots:
                return event
        raise CommandError("the launcher did not say how its shot ended; its motor is switched off now")

    def clear(self) -> None:
        """A person says that what was wrong is right again. Raises `CannotFire` with what still stands."""
        standing = self._backend.launcher.clear_fault()
        if standing is not None:
            raise CannotFire(f"{standing.cause}: {standing.remedy}")

    def loaded(self, cards: int) -> None:
        """A person says the machine holds `cards` cards."""
        self._backend.launcher.loaded(cards)

    def _why(self, denial: Denial) -> str:
        fault = self._backend.launcher.status().fault
        return denial.text if fault is None else f"{fault.cause}: {fault.remedy}"


def add_launcher_arguments(parser: argparse.ArgumentParser) -> None:
    """What all service commands understand."""
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where the table is (default: {data_directory()})")
    parser.add_argument("--backend", choices=READY, help="the launcher, where no table runs (default: as configured)")
    parser.add_argument("--tape", metavar="FILE", help="with --backend tape: the recorded shots that are played back")
    parser.add_argument("--device", metavar="PORT", help="with --backend serial: the port of the launcher's controller")
    parser.add_argument("--yes", action="store_true", help="do not ask before a real motor moves")
    add_config_argument(parser)


def configuration(arguments: argparse.Namespace) -> Config:
    """The configuration, with the launcher that was named. Raises `CommandError`."""
    named = {
        ("launcher", "backend"): arguments.backend, ("launcher", "tape"): arguments.tape,
        ("serial", "device"): arguments.device,
    }  # fmt: skip
    return load(arguments.config, {key: value for key, value in named.items() if value is not None})


def running_table(arguments: argparse.Namespace) -> Client | None:
    """The table that runs on the data directory, or None. Raises `CommandError` when it cannot be talked to."""
    check_directory(arguments.data or data_directory())
    try:
        client = Client(arguments.data or data_directory())
    except NoTable:
        return None
    except ControlError as error:
        raise CommandError(str(error)) from error
    for option in ("backend", "tape", "device"):
        if getattr(arguments, option) is not None:
            client.close()
            raise CommandError(
                f"a table runs here and has its own launcher: leave --{option} out, or end the table first"
            )
    return client


def table_of(directory: Path) -> Client:
    """The table that runs on `directory`. Raises `CommandError`, also when there is none."""
    check_directory(directory)
    try:
        return Client(directory)
    except ControlError as error:
        raise CommandError(str(error)) from error


@contextmanager
def own_launcher(
    arguments: argparse.Namespace, config: Config, hopper: int = FULL_HOPPER, tap: Tap | None = None
) -> Iterator[OwnLauncher]:
    """The configured launcher, opened by this command: announced, and asked about when its motor is a real one.

    `hopper`: cards a simulated one holds; `tap`: who listens in. Raises `CommandError`.
    """
    if config.backend in UNDRIVEN:
        raise CommandError(f"the backend {config.backend} takes no orders: nothing here can make it fire")
    directory = arguments.data or data_directory()
    check_directory(directory)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A table that starts meanwhile is told who has the launcher.
        lock = DirectoryLock(directory, f"uno-attack {arguments.command}")
    except (LockedError, OSError) as error:
        raise CommandError(str(error)) from error
    before = [(number, signal.signal(number, _end)) for number in (signal.SIGTERM, signal.SIGHUP)]
    try:
        backend = open_backend(
            config.backend, launcher_settings(config, directory), PinMap.from_mapping(config.pins), hopper=hopper,
            chip=config.chip, guardian_log=directory / "guardian.log", tape=Path(config.tape) if config.tape else None,
            serial=bridge_of(config),
        )  # fmt: skip
        if tap is not None:
            if not isinstance(backend, GpiozeroBackend):
                raise CommandError(f"the backend {config.backend} cannot be listened to")
            backend.tap = tap
        print(backend.announcement, flush=True)
        confirm(config.backend, arguments.yes)
        with OwnLauncher(backend) as launcher:
            yield launcher
    except BackendError as error:
        raise CommandError(str(error)) from error
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        lock.release()


def confirm(backend: str, yes: bool) -> None:
    """Have a person agree that a motor will move, where it is a real one. Raises `CommandError`."""
    if backend not in MOVES or yes:
        return
    if not sys.stdin.isatty():
        raise CommandError("a real motor will move: run this in a terminal, or say --yes")
    if input("The motor will move: keep hair and fingers away. Type yes: ").strip().lower() != "yes":
        raise CommandError("nothing was fired")


def asked(client: Client, **request: object) -> dict[str, Any]:
    """What the table answers. Raises `CommandError` when it cannot be asked."""
    try:
        answer: dict[str, Any] = client.ask(**request)
    except ControlError as error:
        raise CommandError(str(error)) from error
    return answer


def told(client: Client, **request: object) -> dict[str, Any]:
    """Ask the table. Raises `CommandError` with its words when it refuses."""
    answer = asked(client, **request)
    if not answer["ok"]:
        raise CommandError(refusal(answer))
    return answer


def told_rested(client: Client, **request: object) -> dict[str, Any]:
    """Like `told`, for what fires at once: asked again when the launcher has rested. Raises `CommandError`."""
    while True:
        answer = asked(client, **request)
        seconds = answer.get("seconds")
        if answer["ok"]:
            return answer
        if answer["reason"] != "too-fast" or not isinstance(seconds, int | float):
            raise CommandError(refusal(answer))
        say_wait(seconds)
        time.sleep(seconds)


def refusal(answer: dict[str, Any]) -> str:
    """A refusal of the table's in words."""
    text = str(answer.get("text") or answer.get("reason"))
    remedy = str(answer.get("remedy", "")).rstrip(".")
    return f"{text}: {remedy[:1].lower()}{remedy[1:]}" if remedy else text


def service_of(client: Client) -> dict[str, Any]:
    """How the table's machine stands. Raises `CommandError`."""
    service: dict[str, Any] = told(client, ask="service")["service"]
    return service


def say_wait(seconds: float) -> None:
    """Tell people why nothing happens, where that takes longer than the rest between two shots."""
    if seconds > 1:
        print(f"the motor cools down for {seconds:.0f} s", flush=True)


def _end(number: int, frame: object) -> None:
    sys.exit(128 + number)  # by an exception, so that the launcher is closed on the way out
