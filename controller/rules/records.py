"""The decorator for the engine's small value classes: frozen for the type checker, cheap to make at run time.

A frozen dataclass costs four times as much to create as a plain one with slots, and a turn makes two or three of them.
So the type checker is told they are frozen (an assignment is an error in CI), and the interpreter is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a value: fields from its annotations, slots, equality and hash by content; never assigned to."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
