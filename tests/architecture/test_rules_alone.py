"""The engine on its own: its folder under another name, in an interpreter with nothing installed, holds every case."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests" / "cases").glob("*.toml"))
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from engine.cases import run_files
code = run_files(sys.argv[2:])
foreign = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"engine", "__main__"}
sys.exit(code or (f"loaded: {sorted(foreign)}" if foreign else 0))
"""


def test_the_engine_alone_holds_every_case(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "controller" / "rules", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )  # fmt: skip
    # -I: no environment, no user's packages, not this folder; -S: not this environment's packages either
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, tmp_path, *CASES],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert len(said) == len(CASES) > 60
    assert all(line.startswith("ok ") for line in said)
