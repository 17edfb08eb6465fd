"""What is built once for all: the core for this computer, the firmware, the simulated chip; and worlds over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.clock import VirtualClock
from tests.bridge.core import load, make
from tests.bridge.world import BridgeWorld


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for what is built."""
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="session")
def core(build: Path) -> Any:
    """The portable core as a library."""
    make("host", build)
    return load(build / "libbridge.so")


@pytest.fixture
def make_world(core: Any) -> Iterator[Callable[..., BridgeWorld]]:
    """Makes worlds on virtual clocks."""
    worlds: list[BridgeWorld] = []

    def made(**options: Any) -> BridgeWorld:
        world = BridgeWorld(core, VirtualClock(), **options)
        world.run(0)
        worlds.append(world)
        return world

    yield made
    for world in worlds:
        world.close()


@pytest.fixture
def world(make_world: Callable[..., BridgeWorld]) -> BridgeWorld:
    """A world with every default."""
    return make_world()
