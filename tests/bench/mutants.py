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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).parents[2]
RULES = Path("controller/rules")
CORE = ("plays", "legal", "playing", "taking", "calling", "rounds")
MUTMUT = "mutmut==3.8.1"
ENVIRONMENT = ROOT / ".venv" / "mutmut"

AIM = 0.9
FIRST_BATCH = 24
LEAST_BATCH = 8
OVERHEAD = 20.0  # seconds a batch takes besides its mutants: mutmut first runs the tests on the unchanged code
FIRST_SHARE = 0.6  # of the time is for the quick tests, the rest for what they let through
NOTHING = "no.such.mutant*"
KILLED, SURVIVED, UNTRIED = "killed", "survived", "not tried"
TIMED_OUT = "timed out"
NOTICED = (KILLED, TIMED_OUT)
UNREACHED = "no test comes there"
_OUTCOMES = {0: SURVIVED, 1: KILLED, 3: KILLED, 33: UNREACHED, None: UNTRIED}

QUICK, RANDOM = "quick", "random"
PLAYS_AT_RANDOM = ("test_properties", "test_pairwise", "test_moves")
COUNTS = ("test_perft", "test_walks")  # the engine held to what another program, written from the rules alone, counts

PYPROJECT = """
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:cacheprovider", "-m", "not slow and not pi"]
markers = ["slow", "pi"]

[tool.mutmut]
source_paths = ["controller"]
only_mutate = [{files}]
also_copy = ["hardware", "tests"]
pytest_add_cli_args_test_selection = ["tests/rules", "tests/perft", "--ignore=tests/rules/test_languages.py"]
timeout_multiplier = 4.0
timeout_constant = 5.0
"""
CONFTEST = '''"""Which tests try the mutants here, with the same examples every time, so that no luck is in it."""

from hypothesis import settings

settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items):
    """Keep the quick tests, or those that count and play at random: of the many alike one in four, to save time."""
    counting = [item for item in items if item.path.stem in {counts!r}]
    drawn = [item for item in items if item.get_closest_marker("hypothesis") is not None]
    alike = [item for item in items if item.path.stem in {at_random!r} and item not in drawn]
    quick = [item for item in items if item not in drawn and item not in alike and item not in counting]
    items[:] = counting + drawn + alike[::4] if {wanted} else quick
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
    """Try a sample of the mutants of `modules` for about `seconds`, and print what became of them.

    Quick tests, case files above all, come first; games at random are played only with what those let through.
    """
    program = installed()
    quick = Trial(program, folder / QUICK, modules, at_random=False)
    played = Trial(program, folder / RANDOM, modules, at_random=True)
    print("  trying the tests on the unchanged code ...", flush=True)
    names = sorted(name for name in quick.prepare() if only in name)
    if not names:
        sys.exit(f"mutmut made no mutants; do the tests pass on the unchanged code? It says:\n{quick.log()}")
    rng.shuffle(names)
    known = played.prepare()
    begun = monotonic()
    became = quick.run(names, begun + seconds * FIRST_SHARE)
    through = [name for name, outcome in became.items() if outcome not in NOTICED]
    later = played.run([name for name in through if name in known], begun + seconds)
    report(quick, became, later, len(names))


class Trial:
    """mutmut at work on a copy of what is to be changed, with one kind of tests."""

    def __init__(self, program: Path, folder: Path, modules: Sequence[str], at_random: bool) -> None:
        self._program = program
        self._folder = folder
        self._reached: set[str] = set()
        self._last: dict[Path, str] = {}
        ignored = shutil.ignore_patterns("__pycache__")
        for part in ("controller", "hardware", "tests/rules", "tests/perft", "tests/cases"):
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        conftest = CONFTEST.format(at_random=PLAYS_AT_RANDOM, counts=COUNTS, wanted=at_random)
        (folder / "tests" / "conftest.py").write_text(conftest)
        files = ", ".join(f'"{RULES / module}.py"' for module in modules)
        (folder / "pyproject.toml").write_text(PYPROJECT.format(files=files))

    def prepare(self) -> set[str]:
        """Make the mutants: their names."""
        self._mutmut([NOTHING], monotonic() + 900)
        stats = self._folder / "mutants" / "mutmut-stats.json"
        if stats.is_file():
            self._reached = set(json.loads(stats.read_text())["tests_by_mangled_function_name"])
        if not self._reached:
            sys.exit(
                f"no test reaches what is to be changed; do they pass on the unchanged code? mutmut says:\n{self.log()}"
            )
        return set(self.outcomes())

    def run(self, names: Sequence[str], deadline: float) -> dict[str, str]:
        """Try as many of `names` as there is time for: what became of each that was tried."""
        reached = [name for name in names if name.rpartition("__mutmut_")[0] in self._reached]
        waiting, size = reached[:], FIRST_BATCH
        while waiting and size >= LEAST_BATCH:
            batch, waiting = waiting[:size], waiting[size:]
            begun = monotonic()
            self._mutmut(batch, max(deadline, begun + 60))
            took = max(monotonic() - begun - OVERHEAD, 1)
            tried = sum(self.outcomes()[name] != UNTRIED for name in batch)
            if not tried:
                sys.exit(f"mutmut could not try anything; it says:\n{self.log()}")
            print(f"  {len(reached) - len(waiting)} of {len(reached)} tried", flush=True)
            size = min(200, int(tried / took * (deadline - monotonic() - OVERHEAD)))
        found = self.outcomes()
        taken = names[: names.index(waiting[0])] if waiting else names
        unreached = {name: UNREACHED for name in taken if name not in reached}
        return unreached | {name: found[name] for name in reached if found[name] != UNTRIED}

    def outcomes(self) -> dict[str, str]:
        """What became of every mutant, as mutmut keeps it beside the changed files."""
        found: dict[str, str] = {}
        for path in (self._folder / "mutants" / RULES).glob("*.meta"):
            for name, code in self._kept(path)["exit_code_by_key"].items():
                found[name] = _OUTCOMES.get(code, TIMED_OUT)
        return found

    def _kept(self, path: Path) -> dict[str, dict[str, int | None]]:
        """What stands in one of mutmut's files; one that was cut off in the middle of a write is put back."""
        text = path.read_text()
        try:
            read: dict[str, dict[str, int | None]] = json.loads(text)
        except json.JSONDecodeError:
            path.write_text(self._last[path])
            read = json.loads(self._last[path])
        else:
            self._last[path] = text
        return read

    def log(self) -> str:
        """The end of what mutmut said last."""
        return (self._folder / "mutmut.log").read_text(errors="replace")[-2000:]

    def show(self, name: str) -> str:
        """The difference that a mutant makes."""
        done = subprocess.run(
            [self._program, "show", name], cwd=self._folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    def _mutmut(self, names: Sequence[str], deadline: float) -> None:
        """Let mutmut try `names`; what is not done at the `deadline` (of the monotonic clock) stays untried."""
        command = [str(self._program), "run", "--max-children", str(os.cpu_count() or 1), *names]
        with (self._folder / "mutmut.log").open("wb") as log:
            running = subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log, start_new_session=True)
            try:
                running.wait(max(1.0, deadline - monotonic()))
            except subprocess.TimeoutExpired:
                print("  time is up", flush=True)
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGSTOP)
                    self.outcomes()
                    os.killpg(running.pid, signal.SIGKILL)
                    running.wait()


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


def report(trial: Trial, quick: Mapping[str, str], later: Mapping[str, str], of: int) -> None:
    """Print the share that was noticed, for each module and in all, and every survivor."""
    became = {name: later.get(name, outcome) for name, outcome in quick.items()}
    for module in (*sorted({name.split(".")[2] for name in became}), ""):
        own = [name for name in became if not module or name.split(".")[2] == module]
        noticed = sum(became[name] in NOTICED for name in own)
        first = sum(quick[name] in NOTICED for name in own)
        slow = sum(became[name] == TIMED_OUT for name in own)
        parts = f"{noticed} of {len(own)} ({first} by quick tests; {slow} ran for ever), {len(own) - noticed} survived"
        print(f"  {module or 'all':<10} {noticed / len(own):6.1%} noticed: {parts}")
    print(f"  a sample of {len(became)} of {of} mutants; aim: {AIM:.0%}")
    survivors = [(survivor(trial, name), name) for name in became if became[name] not in NOTICED]
    for each, name in sorted(survivors, key=lambda pair: (pair[0].file, pair[0].line)):
        untried = "" if name in later or became[name] != SURVIVED else "   (no time for random play)"
        print(f"\n  {each.file}:{each.line}{untried}")
        for line in each.change:
            print(f"      {line}")


def survivor(trial: Trial, name: str) -> Survivor:
    """Where a mutant is and what it changes."""
    shown = trial.show(name)
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
