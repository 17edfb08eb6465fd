"""The command line: `uno-attack COMMAND`. Which commands there are; what each does lives in `controller.commands`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from controller.commands import COMMANDS, CommandError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 1 the answer is no, 2 it could not be done, 130 Ctrl-C."""
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:  # also while the command is still being imported
        return 130


def _run(given: list[str]) -> int:
    parser, commands = _parser(given)
    parsed, unknown = parser.parse_known_args(given)
    if unknown:  # in the words of the command, which knows better than the front door what would be right
        commands[parsed.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        return int(parsed.run(parsed))
    except CommandError as error:
        print(f"uno-attack {parsed.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has left; nothing more can be said
        return 1


def _parser(given: Sequence[str]) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The whole command line, and each command's own part of it."""
    parser = argparse.ArgumentParser(
        prog="uno-attack",
        description="A UNO Attack table: rules, launcher, phones and television.",
        epilog="`uno-attack COMMAND --help` says more about each. Without hardware: uno-attack play",
    )
    parser.add_argument("--version", action="version", version=f"uno-attack {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    named = next((word for word in given if not word.startswith("-")), None)
    each: dict[str, argparse.ArgumentParser] = {}
    for name, summary in COMMANDS.items():
        command = each[name] = commands.add_parser(name, help=summary, description=summary)
        if name == named:  # the others are not even imported: a start is quick
            importlib.import_module(f"controller.commands.{name.replace('-', '_')}").add_arguments(command)
    return parser, each


def _version() -> str:
    try:
        return version("uno-attack")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
