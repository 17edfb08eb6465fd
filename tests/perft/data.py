"""The positions to count from, and the counts recorded for them: reading both, and recording anew.

`python -m tests.perft.data [WORD]` counts every position, or those with the word in their name, by engine and brute
force, and writes `counts.json`; where the two differ it says so and records only the depths at which they agree.
"""

from __future__ import annotations

import json
import sys
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .compare import Differ, count_both

HERE = Path(__file__).parent
COUNTS = HERE / "counts.json"
ENOUGH = 20_000
"""Counting goes no deeper once there are so many sequences,"""
SECONDS = 2.5
"""or once a position has taken so long,"""
DEEPEST = 8
"""or from here on."""


@dataclass(frozen=True)
class Counted:
    """A position, as the head of a case file, and how many action sequences of length 1, 2, ... begin there."""

    name: str
    head: str
    counts: tuple[int, ...]


def positions() -> dict[str, str]:
    """Every position's head by name, `FILE: NAME`."""
    found: dict[str, str] = {}
    for path in sorted((HERE / "positions").glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["position"]:
            name = f"{path.stem}: {entry['name']}"
            if name in found:
                raise ValueError(f"two positions are called '{name}'")
            found[name] = entry["head"]
    return found


def recorded() -> list[Counted]:
    """Every position with its recorded counts; one without any is an error."""
    counts = json.loads(COUNTS.read_text(encoding="utf-8"))
    return [Counted(name, head, tuple(counts[name])) for name, head in positions().items()]


def count(head: str) -> tuple[list[int], str]:
    """The counts of a position by both, as deep as is reasonable, and how they differ after that, if they do."""
    began = time.perf_counter()
    counts: list[int] = []
    try:
        while len(counts) < DEEPEST and time.perf_counter() - began < SECONDS and (counts or [0])[-1] < ENOUGH:
            counts.append(count_both(head, len(counts) + 1))
    except Differ as difference:
        return counts, str(difference)
    return counts, ""


def record(word: str = "") -> int:
    """Count what has `word` in its name and write it down. 1 when there was a difference."""
    heads = {name: head for name, head in positions().items() if word in name}
    known = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}
    counts = {name: known.get(name, []) for name in positions()}
    differences = 0
    with ProcessPoolExecutor() as pool:
        for name, (counted, difference) in zip(heads, pool.map(count, heads.values()), strict=True):
            counts[name] = counted
            sys.stdout.write(f"{name}: {counted}\n")
            if difference:
                differences = 1
                sys.stdout.write(f"{difference}\n")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in counts.items())
    COUNTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return differences


if __name__ == "__main__":
    sys.exit(record(*sys.argv[1:2]))
