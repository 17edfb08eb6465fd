"""`uno-attack config check|show`: is the configuration right, and what does it come to."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from controller.commands.configuring import add_config_argument, load
from controller.config import Config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("what", choices=("check", "show"), help="check: say whether it is right; show: print all of it")
    add_config_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and show when asked to; returns the exit code. Raises `CommandError` for what is wrong."""
    config = load(arguments.config)
    if arguments.what == "show":
        for line in shown(config):
            print(line)
    else:
        print(f"ok {config.source or 'no file: defaults, environment and command line only'}")
    return 0


def shown(config: Config) -> list[str]:
    """The configuration as TOML, with all that was left out filled in."""
    from hardware.pins import PinMap
    from hardware.settings import from_mapping

    sections: dict[str, dict[str, object]] = {
        "table": asdict(config.table),
        "rules": {"preset": config.preset, **config.options},
        "match": asdict(config.match),
        "launcher": {"backend": config.backend, **asdict(from_mapping(config.launcher))},
        "pins": asdict(PinMap.from_mapping(config.pins)),
        "odds": asdict(config.odds),
        "button": asdict(config.button),
        "serial": asdict(config.serial),
        "web": asdict(config.web),
        "sound": asdict(config.sound),
    }
    lines = []
    for section, keys in sections.items():
        lines += [f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in keys.items()), ""]
    return lines[:-1]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if value is None:
        return '"none"'
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
