"""`uno-attack case FILE...`: check case files. How one is read and judged lives in `controller.rules.cases`."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a case file, or a directory of them")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.add_argument("--show", action="store_true", help="print the position after every step")
    parser.epilog = "Exit code: 0 all hold, 1 one does not, 2 a file cannot be read."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the files; returns the exit code."""
    from controller.rules.cases import run_files

    return run_files([str(path) for path in arguments.files], as_json=arguments.json, show=arguments.show)
