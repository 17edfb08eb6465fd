"""Random games by engine and brute force side by side: few at every run, many in the slow one."""

from __future__ import annotations

from random import Random

import pytest

from .compare import Differ
from .plain import PileTooShort
from .walks import random_head, walk

STEPS = 30


def walked(seed: int) -> int:
    """How many actions the walk of this number had."""
    random = Random(seed)
    head = random_head(random)
    try:
        return walk(head, random, STEPS)
    except PileTooShort:
        return 0
    except Differ as difference:
        raise Differ(f"walk {seed}\n{head}\n\n{difference}") from difference


def test_random_games_go_the_same_way() -> None:
    assert sum(walked(seed) for seed in range(30)) > 300


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(1, 21))
def test_many_random_games_go_the_same_way(hundred: int) -> None:
    assert sum(walked(100 * hundred + seed) for seed in range(100)) > 1_000
