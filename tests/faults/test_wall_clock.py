"""Nothing that a motor, a shot or a row on disk waits for may go by the clock on the wall: it jumps."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READS = {
    "time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.asctime", "datetime.now",
    "datetime.utcnow", "datetime.today", "date.today", "time.clock_gettime",
}  # fmt: skip
MOTOR = sorted(
    path.relative_to(ROOT)
    for place in (
        "hardware",
        "firmware_bridge",
        "controller/table",
        "controller/journal.py",
        "controller/supervision.py",
    )
    for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
)


@pytest.mark.parametrize("path", MOTOR, ids=str)
def test_no_wall_clock_where_a_motor_could_hear_of_it(path: Path) -> None:
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            named = ast.unparse(node)
            assert not any(named == read or named.endswith(f".{read}") for read in READS), f"{path}:{node.lineno}"
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            assert {alias.name for alias in node.names} <= {"monotonic", "perf_counter", "sleep"}, (
                f"{path}:{node.lineno}"
            )
