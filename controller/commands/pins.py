"""`uno-attack pins`: the pin map as a table, what the pins say now, and a drawing of the wiring."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from controller import config
from controller.commands import CommandError
from controller.commands.configuring import add_config_argument, load
from controller.doctor import pins as check
from controller.doctor.finding import Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from controller.wiring.drawing import draw
from controller.wiring.header import pin_of
from hardware.chips import ChipError, ChipInfo, LineHeld
from hardware.keys import keys_of
from hardware.pins import ACTIVE_HIGH, OUTPUTS, PinMap

HEADINGS = ("what", "GPIO", "pin", "way", "pull", "active", "from")
# What an active level means, where it has a word of its own.
ACTIVE = {
    "button": ("pressed", "up"), "lid": ("closed", "open"), "beam": ("blocked", "free"), "beam2": ("blocked", "free"),
    "stop": ("pressed", "released"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """What a pin says: raw (True = high), or why nobody can tell."""

    high: bool | None
    held: str = ""

    def words(self, name: str) -> str:
        """Raw and logical, in a word each."""
        if self.high is None:
            return self.held
        yes, no = ACTIVE.get(name, ("on", "off"))
        active = self.high is (name in ACTIVE_HIGH)
        return f"{'high' if self.high else 'low':<5}{yes if active else no}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--live", action="store_true", help="read what the pins say now, as far as nobody holds them")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the wiring into this file (- to print it)")
    add_config_argument(parser)
    parser.epilog = (
        "GPIO is the BCM number of the configuration, pin the one on the header. --live reads inputs with their "
        "pull-up, as a table would, and outputs as they stand; a line that somebody holds is left alone and its holder "
        "named. Exit code: 0 done, 1 an output stands high and nobody drives it, 2 it could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, system: System | None = None) -> int:
    """Print and draw; returns the exit code. Raises `CommandError`."""
    loaded = load(arguments.config)
    pins = PinMap.from_mapping(loaded.pins)
    if arguments.svg is not None:
        return _draw(pins, arguments.svg)
    looked = system or System()
    levels = live(looked, loaded.chip, pins) if arguments.live else {}
    print("\n".join(table(pins, loaded, levels)))
    for finding in check.look(looked, Patient(replace(loaded, backend="gpio"), Path(), pins=pins)):
        if finding.result is Result.FAIL:
            print(f"{finding.reason}: {finding.remedy}")
    floating = [name for name in OUTPUTS if (level := levels.get(name)) is not None and level.high]
    for name in floating:
        print(f"{name} stands high and nobody drives it: `uno-attack safe-off`, and see to its 10 kΩ to GND")
    return 1 if floating else 0


def _draw(pins: PinMap, path: Path) -> int:
    text = draw(pins)
    if str(path) == "-":
        print(text, end="")
        return 0
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
    print(f"drawn in {path}")
    return 0


def table(pins: PinMap, loaded: config.Config, levels: dict[str, Level]) -> Iterator[str]:
    """The map, line by line; with `levels` what the pins say, without them what each is for."""
    last = "now" if levels else "for"
    yield _row(*HEADINGS, last)
    for name, key in keys_of(PinMap).items():
        bcm = getattr(pins, name)
        source = _source(loaded, name)
        if bcm is None:
            yield _row(name, "-", "-", "", "", "", source, "not wired")
            continue
        out = name in OUTPUTS
        told = levels[name].words(name) if levels else key.text
        yield _row(
            name, bcm, pin_of(bcm), "out" if out else "in", "down, 10 kΩ" if out and name in _BRIDGE else "" if out
            else "up", "high" if name in ACTIVE_HIGH else "low", source, told,
        )  # fmt: skip


def _source(loaded: config.Config, name: str) -> str:
    """Who says so: nobody, the environment, or the file."""
    if name not in loaded.pins:
        return "default"
    variable = f"{config.ENVIRONMENT_PREFIX}PINS_{name.upper()}"
    if any(each.upper() == variable for each in os.environ):
        return "environment"
    return loaded.source.name if loaded.source is not None else "file"


_BRIDGE = ("in1", "in2", "enable")  # outputs that need a pull-down of their own


def _row(*cells: object) -> str:
    widths = (8, 5, 4, 4, 12, 7, 16)
    return "".join(f"{cell!s:<{width}} " for cell, width in zip(cells, widths, strict=False)) + str(cells[-1])


def live(system: System, wanted: str, pins: PinMap) -> dict[str, Level]:
    """What every wired pin says now. Raises `CommandError` where no chip can be read."""
    chip = system.chip(wanted)
    if chip is None:
        raise CommandError("no GPIO chip can be read here: `uno-attack doctor --backend gpio` says why")
    return {
        name: _level(system, chip, name, bcm)
        for name in keys_of(PinMap)
        if (bcm := getattr(pins, name)) is not None
    }  # fmt: skip


def _level(system: System, chip: ChipInfo, name: str, bcm: int) -> Level:
    try:
        return Level(system.look.level(chip, bcm, pull_up=name not in OUTPUTS))
    except LineHeld as held:
        who = ", ".join(str(process) for process in system.holders(chip, bcm))
        return Level(None, f"held by {who}" if who else str(held).removeprefix("it is "))
    except (ChipError, OSError) as error:
        return Level(None, f"cannot be read: {error}")
