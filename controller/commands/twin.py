"""`uno-attack twin`: lets something happen to the simulated machine of a running table, or lists what can."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import Any

from controller.commands import CommandError
from controller.commands.configuring import check_directory, data_directory
from controller.commands.shooting import service_of, told
from controller.control import Client, ControlError, NoTable
from hardware.twin_faults import FAULTS

_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument(
        "fault", nargs="?", metavar="FAULT", help="what is to happen, such as jam (none: list them all)"
    )
    parser.add_argument("value", nargs="?", type=int, metavar="NUMBER", help="how many, for those that take a number")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where the table is (default: {data_directory()})")
    parser.epilog = "Only while a table runs with the twin. Exit code: 0 done, 2 it could not be done."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, or ask for a fault; returns the exit code. Raises `CommandError`."""
    check_directory(arguments.data or data_directory())
    try:
        client = Client(arguments.data or data_directory())
    except NoTable as error:
        if arguments.fault is not None:
            raise CommandError(str(error)) from error
        _print_list([(each.name, each.does, each.ends, _amount(vars_of(each.amount))) for each in FAULTS])
        print(f"\n{error}")
        return 0
    except ControlError as error:
        raise CommandError(str(error)) from error
    with client:
        if arguments.fault is None:
            _list_of(client)
            return 0
        answer = told(client, do="twin", fault=arguments.fault, value=arguments.value)
    print(f"{answer['does']}; it ends {answer['ends']}" if answer["ends"] != "at once" else answer["does"])
    return 0


def vars_of(amount: Any) -> dict[str, Any] | None:
    """An amount as the table tells it."""
    return None if amount is None else {name: getattr(amount, name) for name in ("of", "low", "high", "usual")}


def _list_of(client: Client) -> None:
    service = service_of(client)
    if service["twin"] is None:
        raise CommandError(f"this table runs {service['backend']}: only the twin's faults can be asked for")
    _print_list([(each["name"], each["does"], each["ends"], _amount(each["amount"])) for each in service["twin"]])


def _amount(amount: dict[str, Any] | None) -> str:
    if amount is None:
        return ""
    return f" {amount['of'].upper()} ({amount['low']} to {amount['high']}, {amount['usual']} when not said)"


def _print_list(faults: list[tuple[str, str, str, str]]) -> None:
    for name, does, ends, amount in faults:
        print(f"{name}{amount}")
        line = does if ends == "at once" else f"{does}; it ends {ends}"
        print(textwrap.fill(line, _WIDTH, initial_indent="    ", subsequent_indent="    "))
