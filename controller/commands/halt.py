"""`uno-attack halt`: the motor of a running table stops, and stays off until somebody clears that."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands.configuring import data_directory
from controller.commands.shooting import table_of, told


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where the table is (default: {data_directory()})")
    parser.epilog = (
        "The table goes on, its launcher stands still until `uno-attack clear`. Where no table answers: "
        "`uno-attack safe-off`, where pins of this machine move the motor; a controller behind a serial port stops it "
        "by itself. Exit code: 0 done, 2 it could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Halt the launcher; returns the exit code. Raises `CommandError`."""
    with table_of(arguments.data or data_directory()) as table:
        told(table, do="halt")
    print("the launcher is halted: uno-attack clear lets it fire again")
    return 0
