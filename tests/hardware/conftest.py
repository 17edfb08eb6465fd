"""Worlds to run scenarios in, closed afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.hardware.world import World, real, virtual


@pytest.fixture
def make_world() -> Iterator[Callable[..., World]]:
    """Makes worlds on virtual clocks."""
    worlds: list[World] = []

    def make(**options: Any) -> World:
        worlds.append(virtual(**options))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A world on a virtual clock, with every default."""
    return make_world()


@pytest.fixture
def real_world() -> Iterator[World]:
    """See `real`."""
    made = real()
    yield made
    made.close()
