"""A configuration file written anew: every key there is, with its default, what it may be and what it does.

Made from the very tables that check a file, so that nothing is left out and nothing is told otherwise. All keys stand
in comments: what is not said keeps its default, also that of a later version, and leaves what is calibrated as it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace

from controller.config import AUTO_CHIP, SECTIONS, TYPED
from hardware.keys import Key, keys_of

_WIDTH = 100
_HEAD = """\
The configuration of a UNO Attack table. Everything stands at its default: take the # off a line and change it.
An environment variable goes before this file (UNO_ATTACK_TABLE_BOT_MS=500), the command line before both.
`uno-attack config check` says whether it is right, `uno-attack config show` what it comes to."""


def lines() -> Iterator[str]:
    """The whole file, line by line."""
    yield from (f"# {line}" for line in _HEAD.splitlines())
    for section in SECTIONS:
        yield ""
        yield f"[{section}]"
        for key in section_keys(section):
            yield from textwrap.wrap(
                _about(key), _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
            )
            yield f"#{key.name} = {as_toml(key.default)}"
        if section == "odds":
            from controller.odds.tables import EXAMPLE

            yield ""
            yield '# A table of odds of one\'s own; profile = "ours" above chooses it (docs/odds.md)'
            yield from (f"# {line}" for line in EXAMPLE.splitlines())


def section_keys(section: str) -> list[Key]:
    """Every key of a section, in order."""
    if section == "launcher":
        from hardware.backends import READY
        from hardware.settings import LauncherSettings

        chip = "the GPIO chip that real pins are on, by its label; auto: the one behind a Raspberry Pi's header"
        own = [Key("backend", "twin", "what shoots", words=READY), Key("chip", AUTO_CHIP, chip)]
        own.append(Key("tape", "", "the recorded file that the backend tape plays back (docs/traces.md)"))
        return [*own, *keys_of(LauncherSettings).values()]
    if section == "pins":
        from hardware.pins import PinMap

        return list(keys_of(PinMap).values())
    if section == "rules":
        return _rules()
    return [_with_words(section, key) for key in keys_of(TYPED[section]).values()]


def as_toml(value: object) -> str:
    """A value as it stands in a file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {as_toml(each)}' for name, each in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(as_toml(each) for each in value)}]"
    if value is None:
        return '"none"'
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _rules() -> list[Key]:
    from controller.rules.options import LIST, OPTIONS, PRESETS, UNITS, WHOLE

    keys = [Key("preset", "attack", "what the options below are set to before any is named", words=tuple(PRESETS))]
    for option in OPTIONS:
        number = option.kind in (UNITS, WHOLE)
        text = f"{option.text}: a list" if option.kind == LIST else option.text
        least, most = (option.least, option.most) if number else (None, None)
        keys.append(Key(option.name, option.default, text, least, most, words=option.choices))
    return keys


def _with_words(section: str, key: Key) -> Key:
    """Whose words somebody else knows: they are asked here, not at every start."""
    if (section, key.name) == ("match", "format"):
        from controller.rules.matches import FORMATS

        return replace(key, words=FORMATS)
    if (section, key.name) == ("odds", "profile"):
        from controller.odds import FIXED, PROFILES

        return replace(key, words=(*PROFILES, FIXED, "a table of one's own: see below"))
    return key


def _about(key: Key) -> str:
    """What it does and, in brackets, what it may be."""
    may = [", ".join(key.words)] if key.words else []
    if key.most is not None:
        may.append(f"{key.least} to {key.most} {key.unit}".rstrip())
    if key.none:
        may.append('"none"')
    return f"{key.text} ({', or '.join(may)})" if may else key.text
