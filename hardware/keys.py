"""A key of the configuration that describes itself: default, bounds and what it does, in one place for all readers.

The same lines check a value, name what is allowed in a message and write a new configuration file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its default, what it does (`text`), and what a value may be: from `least` to `most`, or of `words`.

    `least` and `most` are None where the value is no number, `words` is empty where any text will do. `unit` is `ms`,
    `cards`, ... or nothing. `none`: the word "none" is a value, too.
    """

    name: str
    default: object
    text: str
    least: int | None = None
    most: int | None = None
    unit: str = ""
    words: tuple[str, ...] = ()
    none: bool = False


def key(
    default: object, text: str, *, least: int = 0, most: int | None = None, unit: str = "", words: tuple[str, ...] = ()
) -> Any:
    """A field of a dataclass that is a key; with `most` it is a number from `least` to `most`."""
    bounds = {} if most is None else {"least": least, "most": most}
    return field(default=default, metadata={"text": text, "unit": unit, "words": words, **bounds})


def keys_of(section: type) -> Mapping[str, Key]:
    """Every key of a section made of `key` fields, in their order. Raises `TypeError` for one without a text."""
    return {each.name: _key_of(section, each) for each in fields(section)}


def _key_of(section: type, each: Field[Any]) -> Key:
    if not each.metadata.get("text"):
        raise TypeError(f"{section.__name__}.{each.name} is a key of the configuration that does not say what it does")
    return Key(each.name, each.default, **each.metadata, none="None" in str(each.type))
