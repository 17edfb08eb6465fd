"""The guest: one for the whole run, however many processes share the tests."""

from __future__ import annotations

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
