"""`uno-attack config check|show|init`: is the configuration right, what does it come to, and a file to begin with."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from pathlib import Path

from controller.commands import CommandError
from controller.commands.configfile import as_toml, lines
from controller.commands.configuring import add_config_argument, load, user_directory
from controller.config import FILE_NAME, Config, launcher_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument(
        "what",
        choices=("check", "show", "init"),
        help="check: say whether it is right; show: print all of it; init: write a file with every key and its default",
    )
    add_config_argument(parser)
    parser.add_argument("--force", action="store_true", help="init: write over a file that is there")
    parser.epilog = "Exit code: 0 done, 2 it is wrong, or could not be done."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked; returns the exit code. Raises `CommandError` for what is wrong."""
    if arguments.what == "init":
        print(f"written to {write_new(arguments.config or user_directory() / FILE_NAME, arguments.force)}")
        return 0
    if arguments.force:
        raise CommandError("--force is for `config init` only")
    config = load(arguments.config)
    if arguments.what == "show":
        for line in shown(config):
            print(line)
    else:
        print(f"ok {config.source or 'no file: defaults, environment and command line only'}")
    return 0


def write_new(path: Path, force: bool = False) -> Path:
    """Write a new configuration file; its path. Raises `CommandError`, and then nothing has changed.

    Whole or not at all: it is written beside the place and moved there.
    """
    text = "".join(f"{line}\n" for line in lines())
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        try:
            if force:
                beside.replace(path)
            else:
                os.link(beside, path)  # fails where there is one already, whoever made it and when
                beside.unlink()
        except OSError:
            beside.unlink()
            raise
    except FileExistsError as error:
        raise CommandError(f"there is a file {path} already: --force writes over it") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
    return path


def shown(config: Config) -> list[str]:
    """The configuration as TOML, with all that was left out filled in."""
    from hardware.pins import PinMap

    sections: dict[str, dict[str, object]] = {
        "table": asdict(config.table),
        "rules": {"preset": config.preset, **config.options},
        "match": asdict(config.match),
        "launcher": {
            "backend": config.backend,
            "chip": config.chip,
            "tape": config.tape,
            **asdict(launcher_settings(config)),
        },
        "pins": asdict(PinMap.from_mapping(config.pins)),
        "odds": asdict(config.odds),
        **{f"odds.tables.{name}": dict(table) for name, table in config.odds_tables.items()},
        "button": asdict(config.button),
        "serial": asdict(config.serial),
        "web": asdict(config.web),
        "sound": asdict(config.sound),
    }
    lines = []
    for section, keys in sections.items():
        lines += [f"[{section}]", *(f"{key} = {as_toml(value)}" for key, value in keys.items()), ""]
    return lines[:-1]
