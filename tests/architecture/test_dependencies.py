"""Every dependency is pinned, and somebody wrote down why it is there."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
OF_THE_VENV = {"pip", "setuptools", "uno-attack", "wheel"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    found = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, version = line.partition(";")[0].strip().split("==")
            found[normal(name)] = version
    return found


def direct() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    return {normal(re.split(r"[\s;<>=\[]", requirement)[0]) for requirement in requirements}


def test_what_is_installed_here_is_what_is_pinned() -> None:
    installed = {normal(each.metadata["Name"]): each.version for each in metadata.distributions()}
    assert {name: version for name, version in installed.items() if name not in OF_THE_VENV} == {
        name: version for name, version in pins().items() if name in installed
    }


def test_every_direct_dependency_is_pinned_and_explained() -> None:
    assert direct() <= pins().keys()
    explained = set(re.findall(r"^\| `([^`]+)`", (ROOT / "docs" / "dependencies.md").read_text(), flags=re.MULTILINE))
    assert {normal(name) for name in explained} == direct()
