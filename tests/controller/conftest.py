"""Stands for the tests of the table, taken down after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.controller.stand import Stand

MakeStand = Callable[..., Stand]


@pytest.fixture
def make_stand(tmp_path: Path) -> Iterator[MakeStand]:
    """Makes stands, each in a directory of its own."""
    made: list[Stand] = []

    def make(**settings: object) -> Stand:
        made.append(Stand(tmp_path / f"table{len(made)}", **settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for stand in made:
        stand.close()


@pytest.fixture
def stand(make_stand: MakeStand) -> Stand:
    """A table nobody sits at yet."""
    return make_stand()
