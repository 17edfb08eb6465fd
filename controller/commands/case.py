"""`uno-attack case FILE...`: check case files, or one position. How one is judged lives in `controller.rules`."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands import CommandError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a case file, or a directory of them")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.add_argument("--show", action="store_true", help="print the position after every step")
    parser.add_argument(
        "--position", metavar="LINE", help="a position as --show and errors print it: in words, or what is wrong"
    )
    parser.epilog = "Exit code: 0 all hold, 1 one does not, 2 a file or a line cannot be read."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the files, or the position; returns the exit code. Raises `CommandError`."""
    if arguments.position is not None:
        return look_at(arguments.position)
    if not arguments.files:
        raise CommandError("name a case file, or a position with --position")
    from controller.rules.cases import run_files

    return run_files([str(path) for path in arguments.files], as_json=arguments.json, show=arguments.show)


def look_at(line: str) -> int:
    """Print a position in words, or all that is wrong with it. Raises `CommandError` when it cannot be read."""
    from controller.rules.defects import defects
    from controller.rules.line import LineError, read
    from controller.rules.notation import describe

    try:
        position = read(line)
    except LineError as error:
        raise CommandError(str(error)) from error
    found = defects(position)
    print("\n".join([f"wrong: {defect}" for defect in found] or describe(position)))
    return 1 if found else 0
