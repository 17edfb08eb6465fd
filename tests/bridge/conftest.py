"""What is built once for all: the core for this computer, the firmware, the simulated chip; and worlds over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hardware.clock import VirtualClock
from tests.bridge.core import load, make
from tests.bridge.simulator import Simulator
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


@pytest.fixture(scope="session")
def simulated(build: Path) -> Path:
    """The build directory with the firmware and its simulator in it."""
    (build / "said").write_text(make("all", build) + make("simulator", build))
    return build


@pytest.fixture
def chip(simulated: Path, tmp_path: Path) -> Iterator[Simulator]:
    """The firmware on a simulated chip, in virtual time."""
    with Simulator(simulated, tmp_path) as running:
        yield running


@pytest.fixture
def paced(simulated: Path, tmp_path: Path) -> Iterator[Simulator]:
    """The firmware on a simulated chip at the pace of the clock, its UART on a port."""
    with unhurried(), Simulator(simulated, tmp_path, tmp_path / "port") as running:
        yield running


@contextmanager
def unhurried() -> Iterator[None]:
    """Other tests keep nobody waiting, where that is allowed: neither the chip nor whoever must answer it in time.

    Inherited by threads and processes that are started meanwhile.
    """
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)
