"""A copy of this checkout, installed the two ways the README names, in an environment of its own. Needs a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA_FILES = {".html", ".js", ".css", ".svg", ".json", ".toml", ".typed", ".service", ".sysusers"}
NOWHERE = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_NO_INDEX": "1", "PIP_RETRIES": "0"}

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    """The standard output of a command that must succeed; a failure shows all it said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "UNO_ATTACK_"))}
    done = subprocess.run(
        command, cwd=cwd, env=environment | more, text=True, capture_output=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked_files() -> list[Path]:
    """What a clone would hold: tracked files, and new ones that are not ignored, as they are now."""
    listed = run(
        "git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT
    )
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("a table") / "uno attack"
    for name in tracked_files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def installed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a fresh environment with nothing in it but `pip install .`."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(environment, with_pip=True)
    run(
        environment / "bin" / "pip", "install", "--quiet", "--constraint", "constraints.txt", ".", cwd=checkout
    )  # fmt: skip
    return environment / "bin"


def test_the_installed_command_works_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    assert "play" in run(installed / "uno-attack", "--help", cwd=tmp_path)
    case = ROOT / "tests" / "cases" / "attack-hit-two.toml"
    assert run(installed / "uno-attack", "case", case, cwd=tmp_path).startswith("ok ")


def test_pages_decks_and_type_markers_are_installed(installed: Path, tmp_path: Path) -> None:
    code = "import controller, pathlib; print(pathlib.Path(controller.__file__).parents[1])"
    site = Path(run(installed / "python", "-c", code, cwd=tmp_path).strip())
    assert ROOT not in site.parents
    packages = ("controller", "firmware_bridge", "hardware", "web_companion")
    data = [name for name in tracked_files() if name.parts[0] in packages and name.suffix in DATA_FILES]
    assert {name.suffix for name in data} >= {".html", ".js", ".css", ".toml", ".typed", ".service", ".sysusers"}
    assert [str(name) for name in data if not (site / name).is_file()] == []


def test_the_checkout_brings_no_tests_or_tools_into_an_installation(installed: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; print(u.find_spec('tests'), u.find_spec('pytest'), u.find_spec('mypy'))"
    assert run(installed / "python", "-c", code, cwd=tmp_path).split() == ["None"] * 3


def test_the_front_script_sets_itself_up_and_needs_no_network_again(checkout: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    first = run(checkout / "uno", "--help", cwd=tmp_path, PATH=path)
    assert "play" in first
    assert run(checkout / "uno", "--help", cwd=tmp_path, PATH=path, **NOWHERE) == first
