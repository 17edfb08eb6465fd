"""`uno-attack fire`: a service shot, whose cards are nobody's, with every limit."""

from __future__ import annotations

import argparse
from typing import Any

from controller.commands import CommandError
from controller.commands.shooting import (
    SURE,
    CannotFire,
    add_launcher_arguments,
    configuration,
    confirm,
    own_launcher,
    running_table,
    service_of,
    told_rested,
)
from controller.table.service import MOST_CARDS
from hardware.ports import Certainty, ShotEnd

_WORDS = {
    ShotEnd.DONE: "ended in order",
    ShotEnd.EMPTY: "ended because the machine is empty",
    ShotEnd.JAMMED: "ended with a jam",
    ShotEnd.STOPPED: "was stopped",
    ShotEnd.VOID: "was not made",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("-n", type=int, default=1, metavar="CARDS", help=f"how many, 1 to {MOST_CARDS} (default: 1)")
    add_launcher_arguments(parser)
    parser.epilog = (
        "Through the table when one runs on this data directory, else with the configured launcher itself. "
        "Exit code: 0 exactly so many came, 1 it ended otherwise, 2 it could not be fired."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fire and say what came; returns the exit code. Raises `CommandError` when nothing could be fired."""
    if not 1 <= arguments.n <= MOST_CARDS:
        raise CommandError(f"a service shot has 1 to {MOST_CARDS} cards, not {arguments.n}")
    client = running_table(arguments)
    if client is not None:
        with client:
            confirm(str(service_of(client)["backend"]), arguments.yes)
            shot = told_rested(client, do="service-shot", cards=arguments.n)
            print("fired by the table that runs here")
            return report(shot)
    with own_launcher(arguments, configuration(arguments)) as launcher:
        try:
            ended = launcher.fire(arguments.n)
        except CannotFire as problem:
            raise CommandError(str(problem)) from problem
    return report({
        "asked": arguments.n, "cards": ended.cards, "certainty": ended.certainty.value, "end": ended.end.value,
        "cause": ended.cause,
    })  # fmt: skip


def report(shot: dict[str, Any]) -> int:
    """Say how a shot ended; returns the exit code."""
    end = ShotEnd(shot["end"])
    cause = f" ({shot['cause']})" if shot["cause"] else ""
    print(
        f"asked for {shot['asked']}, {SURE[Certainty(shot['certainty'])]} {shot['cards']} came; it {_WORDS[end]}{cause}"
    )
    return 0 if end is ShotEnd.DONE and shot["certainty"] == "exact" and shot["cards"] == shot["asked"] else 1
