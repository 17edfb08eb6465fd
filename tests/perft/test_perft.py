"""The engine counted against a brute force of the rules: from every position as many action sequences, and the same.

The quick test holds the engine to the recorded numbers; the slow one makes the numbers again, node by node, by both.
"""

from __future__ import annotations

import pytest

from controller.rules.options import PRESETS

from .compare import count_both, count_by_engine, engine_position
from .data import Counted, recorded

QUICK = 1_500
"""So many sequences are counted at every test run; what is deeper is left to the slow one."""
ALL = recorded()


@pytest.mark.parametrize("counted", ALL, ids=[counted.name for counted in ALL])
def test_engine_counts_what_is_recorded(counted: Counted) -> None:
    quick = [number for number in counted.counts if number <= QUICK]
    known: dict[tuple[object, int], int] = {}
    found = [count_by_engine(engine_position(counted.head), depth, known) for depth in range(1, len(quick) + 1)]
    assert found == quick


@pytest.mark.slow
@pytest.mark.parametrize("counted", ALL, ids=[counted.name for counted in ALL])
def test_engine_and_brute_force_agree_at_every_node(counted: Counted) -> None:
    assert count_both(counted.head, len(counted.counts)) == counted.counts[-1]


def test_every_preset_is_counted_from_several_positions() -> None:
    presets = [engine_position(counted.head).rules.preset for counted in ALL]
    assert {preset for preset in PRESETS if presets.count(preset) < 2} == set()


def test_every_position_is_counted_three_deep_at_least() -> None:
    assert [counted.name for counted in ALL if len(counted.counts) < 3] == []
