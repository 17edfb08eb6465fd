"""The guest: one for the whole run, however many processes share the tests."""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator

import pytest

from tests.kernel.stand import Guest


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Guest]:
    """Booted by the first test that asks for it; each then waits for its own scene only."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "kernel"  # the workers of a run have one parent folder
    folder.mkdir(exist_ok=True)
    booted = Guest(folder)
    yield booted
    booted.close()


@pytest.fixture(autouse=True)
def patience() -> None:
    """The scene of a test may be the guest's last: what ends hanging tests leaves these to the guest's own deadline."""
    faulthandler.cancel_dump_traceback_later()
