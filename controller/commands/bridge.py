"""`uno-attack bridge list|hello|monitor|flash`: the microcontroller that drives a launcher, seen from its port."""

from __future__ import annotations

import argparse
import math
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.commands import CommandError
from controller.commands.configuring import add_config_argument, cache_directory, load, wired_of

MAKERS: Final = {"make": "make", "avr-gcc": "gcc-avr", "avr-objcopy": "binutils-avr", "avrdude": "avrdude"}
AVR_LIBC: Final = Path("/usr/lib/avr/include/avr/io.h")
BOARDS: Final = {"nano": 115200, "nano-old": 57600, "uno": 115200}
"""Boards and the speed of their bootloaders; Nanos of before 2018, and most copies, are `nano-old`."""
OTHERS: Final = {
    "nano": "Is it an older Nano, or a copy? Try --board nano-old",
    "nano-old": "Is it a Nano of 2018 or newer? Try --board nano",
    "uno": "Is it an Uno, and not a Nano (--board nano, or nano-old)?",
}
"""What to ask of whoever named a board that was not found."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="which serial ports there are; nothing is written to any")
    listing.set_defaults(act=list_ports)
    hello = actions.add_parser("hello", help="ask who is at the port; nothing else is written to it")
    hello.set_defaults(act=say_hello)
    monitor = actions.add_parser("monitor", help="say in words what a controller says, and what its inputs do")
    monitor.add_argument("--seconds", type=_seconds, metavar="N", help="end after so long (default: with Ctrl-C)")
    monitor.set_defaults(act=watch)
    flash = actions.add_parser("flash", help="build the firmware and put it on a board")
    flash.add_argument("--board", choices=BOARDS, default="nano", help="which bootloader it has (default: nano)")
    flash.add_argument("--dry-run", action="store_true", help="build it, and only print the line that would write it")
    flash.set_defaults(act=put_on)
    for action in (hello, monitor, flash):
        action.add_argument("--device", metavar="PORT", help="its port (default: [serial] device)")
        add_config_argument(action)
    parser.epilog = "Wiring, boards and what the lights mean: docs/bridge.md"
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code. Raises `CommandError`."""
    return int(arguments.act(arguments))


def list_ports(arguments: argparse.Namespace) -> int:
    """Every port that has a name of its own; 1 when there is none."""
    from firmware_bridge.port import known_ports

    del arguments
    ports = known_ports()
    for port in ports:
        print(f"{port}  ({port.resolve()})")
    if not ports:
        print("no serial port is plugged in; some cables carry no data, and brltty takes ports away (docs/bridge.md)")
        return 1
    print("\nwho is there: uno-attack bridge hello --device PORT")
    return 0


def say_hello(arguments: argparse.Namespace) -> int:
    """Who is there."""
    from firmware_bridge.identity import identify
    from firmware_bridge.port import SerialPort
    from firmware_bridge.words import hello_in_words

    device = _device(arguments)
    with _of_the_port():
        port = SerialPort(device)
        try:
            hello = identify(port, device, time.monotonic)
        finally:
            port.close()
    print("\n".join(hello_in_words(hello)))
    return 0


def watch(arguments: argparse.Namespace) -> int:
    """Frames in words, as they come. The controller is greeted and asked how it stands; it is not armed."""
    from firmware_bridge.monitor import monitor

    device = _device(arguments)
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    lines = monitor(device, wired_of(load(arguments.config)), end)
    while True:
        with _of_the_port():
            line = next(lines, None)
        if line is None:
            return 0
        print(line, flush=True)


def put_on(arguments: argparse.Namespace) -> int:
    """Build the firmware and hand it to avrdude."""
    device = _device(arguments)
    missing = [package for program, package in MAKERS.items() if shutil.which(program) is None]
    if not AVR_LIBC.exists():
        missing.append("avr-libc")
    if arguments.dry_run:
        missing = [package for package in missing if package != "avrdude"]
    if missing:
        raise CommandError(f"something is missing to build and write it. Type: sudo apt install {' '.join(missing)}")

    line = writing_line(device, arguments.board, _built())
    print(shlex.join(line), flush=True)
    if arguments.dry_run:
        return 0
    _refuse_in_use(device)
    if subprocess.run(line, check=False).returncode != 0:
        raise CommandError(f"avrdude could not write it. {OTHERS[arguments.board]}")
    asked = ["uno-attack", "bridge", "hello"]
    for option in ("device", "config"):
        if (given := getattr(arguments, option)) is not None:
            asked += [f"--{option}", str(given)]
    print(f"written; now: {shlex.join(asked)}")
    return 0


def _built() -> Path:
    """The firmware, built anew in a copy of its sources: make is called where no name it sees has a space in it."""
    from firmware_bridge.headers import FIRMWARE

    place = cache_directory() / "firmware"
    print(f"building in {place}", flush=True)
    try:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(FIRMWARE, place, ignore=shutil.ignore_patterns("build"))
    except OSError as problem:
        raise CommandError(f"the firmware cannot be built in {place}: {problem}") from problem
    made = subprocess.run(["make", "-C", str(place), "BUILD=build", "all"], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise CommandError(f"the firmware cannot be built:\n{made.stdout}{made.stderr}")
    return place / "build" / "firmware.hex"


def _refuse_in_use(device: str) -> None:
    """Raise `CommandError` where somebody has the port, or it is none: avrdude asks nobody, and resets what plays.

    Opens it for a moment, which resets a board that nobody uses; avrdude does the same right after.
    """
    from firmware_bridge.port import SerialPort

    with _of_the_port():
        SerialPort(device).close()


def writing_line(device: str, board: str, firmware: Path) -> list[str]:
    """How avrdude is called: through the board's bootloader, with checking what was written."""
    return [
        "avrdude", "-p", "atmega328p", "-c", "arduino", "-P", device, "-b", str(BOARDS[board]), "-D",
        "-U", f"flash:w:{firmware}:i",
    ]  # fmt: skip


@contextmanager
def _of_the_port() -> Iterator[None]:
    """What a port or whoever is behind it does wrong is a `CommandError`. Print outside: stdout fails otherwise."""
    from firmware_bridge.identity import NotOurs

    try:
        yield
    except (OSError, NotOurs) as problem:
        raise CommandError(str(problem)) from problem


def _seconds(text: str) -> float:
    """A time that can be waited for."""
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"{text} is no time: give seconds above 0")
    return seconds


def _device(arguments: argparse.Namespace) -> str:
    """The port that is meant. Raises `CommandError` when none is named."""
    device = arguments.device or load(arguments.config).serial.device
    if not device:
        raise CommandError(
            "which port? Name it by --device or [serial] device; they are shown by: uno-attack bridge list"
        )

    return str(device)
