"""docs/safety.md names the test behind each of its claims: every one of them is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "safety.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def test_every_test_it_names_is_there() -> None:
    assert len(NAMED) > 30
    gone = []
    for path, name in NAMED:
        file = ROOT / path
        tree = ast.parse(file.read_text(encoding="utf-8")) if file.is_file() else ast.Module([], [])
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        if name not in there:
            gone.append(f"{path}::{name}")
    assert gone == []


def test_every_layer_names_one() -> None:
    rows = [line for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) >= 12
    assert [row[:40] for row in rows if "::test_" not in row] == []


def test_every_fault_tried_is_told() -> None:
    """A fault in mid-shot that has a test, and is not told on the page, would be forgotten there."""
    tried = set()
    for name in ("test_mid_shot.py", "test_process.py", "test_callbacks.py"):
        tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
        tried |= {
            f"tests/faults/{name}::{node.name}"
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }
    told = {f"{path}::{name}" for path, name in NAMED}
    assert sorted(tried - told) == []
