"""How strong the tests of the rules are: mutmut changes `controller/rules` in one place, and a test must notice.

It works on a copy in a temporary directory, on a random sample as large as the time allows, and lists every change that
no test noticed. mutmut brings much that nobody needs to play or to test, so it lives in an environment of its own
(`.venv/mutmut`), made at the first run, which needs a network.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).parents[2]
RULES = Path("controller/rules")
CORE = ("legal", "playing", "taking", "calling", "rounds")
MUTMUT = "mutmut==3.8.1"
ENVIRONMENT = ROOT / ".venv" / "mutmut"

AIM = 0.9
FIRST_BATCH = 24
LEAST_BATCH = 8
OVERHEAD = 40.0  # seconds a batch takes besides its mutants: mutmut first runs the tests on the unchanged code
NOTHING = "no.such.mutant*"
KILLED, SURVIVED, UNTRIED = "killed", "survived", "not tried"
_OUTCOMES = {0: SURVIVED, 1: KILLED, 3: KILLED, 33: "no test comes there", 34: "skipped", None: UNTRIED}
TIMED_OUT = "timed out"

PYPROJECT = """
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:cacheprovider", "-m", "not slow and not pi"]
markers = ["slow", "pi"]

[tool.mutmut]
source_paths = ["controller"]
only_mutate = [{files}]
also_copy = ["hardware", "tests"]
pytest_add_cli_args_test_selection = ["tests/rules"]
timeout_multiplier = 1.0
timeout_constant = 10.0
"""
CONFTEST = '''"""The same examples every time: whether a mutant survives is no matter of luck."""

from hypothesis import settings

settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
settings.load_profile("mutants")
'''


@dataclass(frozen=True)
class Survivor:
    """A change that no test noticed: where it is, and the lines of the difference."""

    file: str
    line: int
    change: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """`./uno bench mutants ...`; returns the exit code: 0 whatever the share is, for it is a measurement."""
    parser = argparse.ArgumentParser(
        prog="./uno bench mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {RULES} (default: {' '.join(CORE)})")
    parser.add_argument("--minutes", type=float, default=10, help="how long it may take, about (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn (default: 1)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only functions with TEXT in their name")
    chosen = parser.parse_args(arguments)
    modules = chosen.modules or list(CORE)
    unknown = [name for name in modules if not (ROOT / RULES / f"{name}.py").is_file()]
    if unknown:
        known = sorted(path.stem for path in (ROOT / RULES).glob("[a-z]*.py"))
        parser.error(f"no module {', '.join(unknown)} in {RULES}; there are: {', '.join(known)}")
    with TemporaryDirectory(prefix="uno-mutants-") as folder:
        measure(Path(folder), modules, chosen.minutes * 60, Random(chosen.seed), chosen.only)
    return 0


def measure(folder: Path, modules: Sequence[str], seconds: float, rng: Random, only: str = "") -> None:
    """Try a sample of the mutants of `modules` for about `seconds`, and print what became of them."""
    deadline = monotonic() + seconds
    program = installed()
    lay_out(folder, modules)
    print("  trying the tests on the unchanged code ...", flush=True)
    mutmut(program, folder, [NOTHING], deadline + 600)
    names = sorted(name for name in outcomes(folder) if only in name)
    if not names:
        sys.exit("mutmut made no mutants: the tests may not pass on the unchanged code, see ./uno test tests/rules")
    rng.shuffle(names)
    waiting, rate, size = names[:], 0.0, FIRST_BATCH
    while waiting and size >= LEAST_BATCH:
        batch, waiting = waiting[:size], waiting[size:]
        begun = monotonic()
        mutmut(program, folder, batch, max(deadline, begun) + OVERHEAD)
        tried = sum(outcome != UNTRIED for outcome in (outcomes(folder)[name] for name in batch))
        rate = max(tried, 1) / max(monotonic() - begun - OVERHEAD / 2, 1)
        print(f"  {len(names) - len(waiting)} of {len(names)} taken", flush=True)
        size = min(120, int(rate * (deadline - monotonic() - OVERHEAD)))
    sample = [name for name in names[: len(names) - len(waiting)] if outcomes(folder)[name] != UNTRIED]
    report(program, folder, sample, len(names))


def installed() -> Path:
    """The program mutmut, installed when it is not there yet."""
    program = ENVIRONMENT / "bin" / "mutmut"
    marker = ENVIRONMENT / ".complete"
    if not marker.is_file() or marker.read_text() != MUTMUT:
        print(f"  installing {MUTMUT} into {ENVIRONMENT.relative_to(ROOT)} ...", flush=True)
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        venv.create(ENVIRONMENT, with_pip=True)
        wanted = [MUTMUT, *pinned("pytest", "hypothesis")]
        pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        done = subprocess.run([*pip, *wanted], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"mutmut cannot be installed:\n{done.stderr}")
        marker.write_text(MUTMUT)
    return program


def pinned(*packages: str) -> list[str]:
    """What `constraints.txt` says of `packages`."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0] in packages]


def lay_out(folder: Path, modules: Iterable[str]) -> None:
    """Copy into `folder` what is to be changed and what tries it."""
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("controller", "hardware", "tests/rules", "tests/cases"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    (folder / "tests" / "conftest.py").write_text(CONFTEST)
    files = ", ".join(f'"{RULES / module}.py"' for module in modules)
    (folder / "pyproject.toml").write_text(PYPROJECT.format(files=files))


def mutmut(program: Path, folder: Path, names: Sequence[str], deadline: float) -> None:
    """Let mutmut try `names`; what is not done at the `deadline` (of the monotonic clock) stays untried."""
    command = [str(program), "run", "--max-children", str(os.cpu_count() or 1), *names]
    with (folder / "mutmut.log").open("wb") as log:
        running = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)
        try:
            running.wait(max(1.0, deadline - monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGINT)
        finally:
            try:
                running.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()


def outcomes(folder: Path) -> dict[str, str]:
    """What became of every mutant, as mutmut keeps it beside the changed files."""
    found: dict[str, str] = {}
    for path in (folder / "mutants" / RULES).glob("*.meta"):
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items():
            found[name] = _OUTCOMES.get(code, TIMED_OUT)
    return found


def report(program: Path, folder: Path, sample: Sequence[str], of: int) -> None:
    """Print the share that was noticed, for each module and in all, and every survivor."""
    became = outcomes(folder)
    noticed = (KILLED, TIMED_OUT)
    modules = sorted({name.split(".")[2] for name in sample})
    for module in (*modules, ""):
        counts = Counter(became[name] for name in sample if not module or name.split(".")[2] == module)
        share = sum(counts[outcome] for outcome in noticed) / max(1, counts.total())
        parts = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        aim = "" if module else f"   (aim: {AIM:.0%}; sample of {len(sample)} of {of})"
        print(f"  {module or 'all':<12} {share:6.1%} noticed: {parts}{aim}")
    survivors = [survivor(program, folder, name) for name in sample if became[name] not in noticed]
    for each in sorted(survivors, key=lambda one: (one.file, one.line)):
        print(f"\n  {each.file}:{each.line}")
        for line in each.change:
            print(f"      {line}")


def survivor(program: Path, folder: Path, name: str) -> Survivor:
    """Where a mutant is and what it changes."""
    shown = subprocess.run([program, "show", name], cwd=folder, capture_output=True, text=True, check=True).stdout
    file = str(RULES / f"{name.split('.')[2]}.py")
    change = tuple(line for line in shown.splitlines() if re.match(r"[+-](?![+-]{2} )", line))
    hunk = re.search(r"^@@ -(\d+)[^@]*@@\n(.*)", shown, flags=re.MULTILINE | re.DOTALL)
    if hunk is None:
        return Survivor(file, 0, change)
    before = hunk[2].splitlines()
    ahead = next((count for count, line in enumerate(before) if line[:1] in "+-"), 0)
    return Survivor(file, function_line(file, name) + int(hunk[1]) - 1 + ahead, change)


def function_line(file: str, name: str) -> int:
    """The line on which the function of a mutant begins."""
    mangled = name.split(".")[3].rpartition("__mutmut_")[0]
    parts = mangled.removeprefix("x").strip("_ǁ").split("ǁ")
    plain = parts[-1] if "ǁ" in mangled else mangled.removeprefix("x_")
    return next((line for found, line in functions(file) if found == plain), 1)


@cache
def functions(file: str) -> tuple[tuple[str, int], ...]:
    """The functions of a file with the lines on which they begin."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return tuple((node.name, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
