"""The floors of docs/design.md where import-linter does not look: modules under no contract, the engine on its own."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "firmware_bridge", "hardware", "web_companion")
RULES = ROOT / "controller" / "rules"
# The engine gets its chance and its time from outside.
NOT_FOR_RULES = {
    "asyncio",
    "datetime",
    "multiprocessing",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
    "uuid",
}


def modules(package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def contracts() -> list[dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert settings["root_packages"] == list(PACKAGES)
    found: list[dict[str, object]] = settings["contracts"]
    return found


def layers() -> list[str]:
    lines = next(contract["layers"] for contract in contracts() if contract["type"] == "layers")
    assert isinstance(lines, list)
    return [name.strip() for line in lines for name in line.split(":")]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_on_a_floor(package: str) -> None:
    floors = layers()
    homeless = [
        name
        for name, _ in modules(package)
        if name not in PACKAGES and not any(name == floor or name.startswith(f"{floor}.") for floor in floors)
    ]
    assert homeless == [], "give them a place in the layers of pyproject.toml and in docs/design.md"


def test_every_floor_is_there() -> None:
    names = {name for package in PACKAGES for name, _ in modules(package)}
    assert [floor for floor in layers() if floor not in names] == []


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(dots in front, name) of every import in a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_imports_nothing_of_others(package: str) -> None:
    """Else what uses one module of a package loads, and depends on, whatever the package's `__init__` does."""
    for path in (ROOT / package).rglob("__init__.py"):
        own = ".".join(path.parent.relative_to(ROOT).parts)
        for dots, name in imports(path):
            assert own != package, f"{path} imports {name}"
            inside = dots == 1 or name.startswith(f"{own}.") or name.partition(".")[0] in sys.stdlib_module_names
            assert inside, f"{path} imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_typed_for_those_who_use_them(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_rules_import_only_themselves_and_the_standard_library() -> None:
    for _, path in modules("controller/rules"):
        depth = len(path.relative_to(RULES).parts)
        for dots, name in imports(path):
            top = name.partition(".")[0]
            assert dots <= depth, f"{path} reaches out of the engine: {'.' * dots}{name}"
            assert dots or top in sys.stdlib_module_names, f"{path} imports {name}"
            assert dots or top not in NOT_FOR_RULES, f"{path} imports {name}"


def test_rules_have_no_randomness_of_their_own() -> None:
    """They may name the type of the generator handed in; they neither make one nor use the module's own."""
    for _, path in modules("controller/rules"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert [alias.name for alias in node.names] == ["Random"], path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", f"{path}, line {node.lineno}: random.{node.attr}"
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in ("Random", "random.Random"), f"{path}, line {node.lineno}"
