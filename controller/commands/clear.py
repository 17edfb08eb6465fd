"""`uno-attack clear`: tells a running table that what was wrong is put right, so that its launcher may fire again."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands import CommandError
from controller.commands.configuring import data_directory
from controller.commands.shooting import asked, refusal, service_of, table_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where the table is (default: {data_directory()})")
    parser.epilog = (
        "First put right what is wrong: a fault whose cause is still there stays. Clearing moves nothing. "
        "Exit code: 0 nothing stands any more, 1 something still does, 2 it could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Clear the fault and say what it was, or what still stands; returns the exit code. Raises `CommandError`."""
    with table_of(arguments.data or data_directory()) as table:
        fault = service_of(table)["fault"]
        answer = asked(table, do="clear-fault")
    if not answer["ok"]:
        if answer["reason"] != "fault":
            raise CommandError(refusal(answer))
        print(f"not cleared, for it still stands: {refusal(answer)}")
        return 1
    print("no fault stands: there was nothing to clear" if fault is None else f"cleared: {fault['cause']}")
    return 0
