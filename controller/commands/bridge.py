"""`uno-attack bridge list|hello|monitor|flash`: the microcontroller that drives a launcher, seen from its port."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from controller.commands import CommandError
from controller.commands.configuring import add_config_argument, cache_directory, load, wired_of

MAKERS: Final = {"make": "make", "avr-gcc": "gcc-avr", "avr-objcopy": "binutils-avr", "avrdude": "avrdude"}
BOARDS: Final = {"nano": 115200, "nano-old": 57600, "uno": 115200}
"""Boards and the speed of their bootloaders; Nanos of before 2018, and most copies, are `nano-old`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="which serial ports there are; nothing is written to any")
    listing.set_defaults(act=list_ports)
    hello = actions.add_parser("hello", help="ask who is at the port; nothing else is written to it")
    hello.set_defaults(act=say_hello)
    monitor = actions.add_parser("monitor", help="say in words what a controller says, and what its inputs do")
    monitor.add_argument("--seconds", type=float, metavar="N", help="end after so long (default: with Ctrl-C)")
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
    from firmware_bridge.identity import NotOurs, identify
    from firmware_bridge.port import SerialPort
    from firmware_bridge.words import hello_in_words

    device = _device(arguments)
    try:
        port = SerialPort(device)
        try:
            for line in hello_in_words(identify(port, device, time.monotonic)):
                print(line)
        finally:
            port.close()
    except (OSError, NotOurs) as problem:
        raise CommandError(str(problem)) from problem
    return 0


def watch(arguments: argparse.Namespace) -> int:
    """Frames in words, as they come. The controller is greeted and asked how it stands; it is not armed."""
    from firmware_bridge.identity import NotOurs
    from firmware_bridge.monitor import monitor

    device = _device(arguments)
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    try:
        for line in monitor(device, wired_of(load(arguments.config)), end):
            print(line, flush=True)
    except (OSError, NotOurs) as problem:
        raise CommandError(str(problem)) from problem
    return 0


def put_on(arguments: argparse.Namespace) -> int:
    """Build the firmware and hand it to avrdude."""
    from firmware_bridge.headers import FIRMWARE

    device = _device(arguments)
    missing = [package for program, package in MAKERS.items() if shutil.which(program) is None]
    if not Path("/usr/lib/avr/include/avr/io.h").exists():
        missing.append("avr-libc")
    if arguments.dry_run:
        missing = [package for package in missing if package != "avrdude"]
    if missing:
        raise CommandError(f"something is missing to build and write it. Type: sudo apt install {' '.join(missing)}")

    build = cache_directory() / "firmware"
    print(f"building in {build}", flush=True)
    made = subprocess.run(
        ["make", "-C", str(FIRMWARE), f"BUILD={build}", "all"], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise CommandError(f"the firmware cannot be built:\n{made.stdout}{made.stderr}")
    line = writing_line(device, arguments.board, build / "firmware.hex")
    print(" ".join(line), flush=True)
    if arguments.dry_run:
        return 0
    if not Path(device).exists():
        raise CommandError(f"there is no port {device}: uno-attack bridge list")
    if subprocess.run(line, check=False).returncode != 0:
        other = "nano" if arguments.board == "nano-old" else "nano-old"
        raise CommandError(
            f"avrdude could not write it. Is a table running with it? Is it another board? Try --board {other}"
        )
    print("written; now: uno-attack bridge hello")
    return 0


def writing_line(device: str, board: str, firmware: Path) -> list[str]:
    """How avrdude is called: through the board's bootloader, with checking what was written."""
    return [
        "avrdude", "-p", "atmega328p", "-c", "arduino", "-P", device, "-b", str(BOARDS[board]), "-D",
        "-U", f"flash:w:{firmware}:i",
    ]  # fmt: skip


def _device(arguments: argparse.Namespace) -> str:
    """The port that is meant. Raises `CommandError` when none is named."""
    device = arguments.device or load(arguments.config).serial.device
    if not device:
        raise CommandError(
            "which port? Name it by --device or [serial] device; they are shown by: uno-attack bridge list"
        )

    return str(device)
