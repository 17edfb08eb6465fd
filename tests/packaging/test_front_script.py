"""How `./uno` sets things up, with stand-ins for Python, apt and sudo on an otherwise bare PATH: nothing is fetched."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = [
    "basename",
    "cat",
    "cksum",
    "cp",
    "dirname",
    "env",
    "grep",
    "head",
    "id",
    "mkdir",
    "mktemp",
    "readlink",
    "rm",
    "tail",
]

# A Python that knows what `./uno` asks of one. In a venv it is `bin/python`, whose `pip install` makes the command.
PYTHON = """#!/bin/sh
printf '%s|' "${0##*/}" "$@" >>"$CALLS"
echo >>"$CALLS"
case "$1 ${2-}" in
*version_info\\ \\<*) case "$0 $2" in *-old/* | *-new/*"(3, 13))") exit 1 ;; esac ;;
*import\\ ensurepip*) test -e "$HOME/has-venv" ;;
*import\\ sys*print*) echo python3.11-venv ;;
--version*) echo Python 3.11.99 ;;
-m\\ venv)
    mkdir -p "$3/bin"
    test -e "$HOME/no-disk" && exit 1
    cp "$0" "$3/bin/python"
    ;;
-m\\ pip)
    test -e "$HOME/no-network" && echo "no route to anywhere" && exit 1
    cp "$HOME/command" "${0%/*}/uno-attack"
    ;;
esac
"""
COMMAND = """#!/bin/sh
printf '<%s>' "$@"
"""
AS_ROOT = "#!/bin/sh\necho 0\n"
AS_SOMEBODY = "#!/bin/sh\necho 1000\n"
APT = """#!/bin/sh
echo "apt-get|$*" >>"$CALLS"
case "$*" in *install*venv*) : >"$HOME/has-venv" ;; esac
"""


class Machine:
    """A checkout in a folder with a space in its name, and a PATH with nothing on it but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.bin = folder / "bin"
        self.checkout = folder / "a table" / "uno attack"
        self.calls_file = folder / "calls"
        self.home.mkdir()
        self.bin.mkdir()
        self.checkout.mkdir(parents=True)
        for name in ("uno", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.checkout)
        for name in NEEDED:
            tool = shutil.which(name)
            assert tool is not None
            (self.bin / name).symlink_to(tool)
        self.put("sleep", "#!/bin/sh\n")
        self.put("id", AS_SOMEBODY)
        self.put("python3", PYTHON)
        self.write(self.home / "command", COMMAND)
        (self.home / "has-venv").touch()

    @property
    def venv(self) -> Path:
        return self.checkout / ".venv"

    def write(self, path: Path, text: str) -> None:
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def put(self, name: str, text: str) -> None:
        self.write(self.bin / name, text)

    def uno(self, *arguments: str, shell: str = "dash", path: str = "") -> subprocess.CompletedProcess[str]:
        interpreter = shutil.which(shell)
        assert interpreter is not None
        self.calls_file.write_text("")
        return subprocess.run(
            [interpreter, self.checkout / "uno", *arguments],
            cwd=self.home,
            env={"PATH": path or str(self.bin), "HOME": str(self.home), "CALLS": str(self.calls_file)},
            text=True,
            capture_output=True,
            timeout=60,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines()

    def pip_calls(self) -> list[str]:
        return [call for call in self.calls if "|pip|install" in call]

    def venv_calls(self) -> list[str]:
        return [call for call in self.calls if "|-m|venv|" in call]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_first_start_makes_the_venv_and_runs_the_command_as_it_was_typed(machine: Machine, shell: str) -> None:
    done = machine.uno("play", "--data", "my games", "", shell=shell)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "<play><--data><my games><>"
    assert len(machine.venv_calls()) == len(machine.pip_calls()) == 1
    assert "--constraint|constraints.txt|--editable|.|" in machine.pip_calls()[0]
    assert "making .venv with Python 3.11.99" in done.stderr


def test_second_start_calls_no_pip(machine: Machine) -> None:
    machine.uno("play")
    (machine.home / "no-network").touch()
    done = machine.uno("play")
    assert (done.returncode, done.stdout, done.stderr) == (0, "<play>", "")
    assert machine.pip_calls() == machine.venv_calls() == []


def test_a_link_to_the_script_works_from_anywhere(machine: Machine) -> None:
    (machine.home / "uno").symlink_to(machine.checkout / "uno")
    machine.uno("play")
    done = subprocess.run(
        ["dash", machine.home / "uno", "rules"],
        env={"PATH": str(machine.bin), "HOME": str(machine.home), "CALLS": str(machine.calls_file)},
        executable=shutil.which("dash"),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("<rules>", "")


def test_a_half_made_venv_is_made_anew(machine: Machine) -> None:
    machine.uno("play")
    (machine.venv / ".complete").unlink()
    (machine.venv / "rubbish").touch()
    assert machine.uno("play").stdout == "<play>"
    assert len(machine.venv_calls()) == 1
    assert not (machine.venv / "rubbish").exists()


def test_a_venv_whose_python_is_gone_is_made_anew(machine: Machine) -> None:
    machine.uno("play")
    (machine.venv / "bin" / "python").unlink()
    assert machine.uno("play").stdout == "<play>"
    assert len(machine.venv_calls()) == 1


def test_a_venv_that_was_moved_is_made_anew(machine: Machine) -> None:
    machine.uno("play")
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    assert machine.uno("play").stdout == "<play>"
    assert len(machine.venv_calls()) == 1


def test_changed_dependencies_are_installed_into_the_same_venv(machine: Machine) -> None:
    machine.uno("play")
    with (machine.checkout / "constraints.txt").open("a") as constraints:
        constraints.write("another==1\n")
    assert machine.uno("play").stdout == "<play>"
    assert machine.venv_calls() == []
    assert len(machine.pip_calls()) == 1


def test_a_venv_that_cannot_be_made_leaves_no_start_and_the_next_one_works(machine: Machine) -> None:
    (machine.home / "no-disk").touch()
    assert machine.uno("play").returncode == 1
    (machine.home / "no-disk").unlink()
    assert machine.uno("play").stdout == "<play>"


def test_a_failed_installation_says_why_and_the_next_start_begins_anew(machine: Machine) -> None:
    (machine.home / "no-network").touch()
    done = machine.uno("play")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no route to anywhere" in done.stderr
    assert "needs a network" in done.stderr
    (machine.home / "no-network").unlink()
    assert machine.uno("play").stdout == "<play>"
    assert len(machine.venv_calls()) == 1


def test_a_failed_update_is_tried_again_in_the_same_venv(machine: Machine) -> None:
    machine.uno("play")
    with (machine.checkout / "constraints.txt").open("a") as constraints:
        constraints.write("another==1\n")
    (machine.home / "no-network").touch()
    assert machine.uno("play").returncode == 1
    (machine.home / "no-network").unlink()
    assert machine.uno("play").stdout == "<play>"
    assert machine.venv_calls() == []
    assert len(machine.pip_calls()) == 1


def test_no_python_names_the_line_to_type(machine: Machine) -> None:
    (machine.bin / "python3").unlink()
    done = machine.uno("play")
    assert done.returncode == 1
    assert "Python 3.11 or newer is missing" in done.stderr
    assert "sudo apt install python3 python3-venv" in done.stderr


def test_an_older_python_that_comes_first_is_passed_over(machine: Machine, tmp_path: Path) -> None:
    older = tmp_path / "bin-old"
    older.mkdir()
    machine.write(older / "python3", PYTHON)
    machine.write(older / "python3.12", "#!/bin/sh\nexit 127\n")
    (machine.bin / "python3").unlink()
    machine.put("python3.12", PYTHON)
    done = machine.uno("play", path=f"{older}{os.pathsep}{machine.bin}")
    assert done.stdout == "<play>", done.stderr
    assert machine.venv_calls()[0].startswith("python3.12|")


def test_a_python_that_lgpio_is_made_for_is_taken_before_a_newer_one(machine: Machine, tmp_path: Path) -> None:
    newer = tmp_path / "bin-new"
    newer.mkdir()
    machine.write(newer / "python3", PYTHON)
    machine.put("python3.12", PYTHON)
    (machine.bin / "python3").unlink()
    assert machine.uno("play", path=f"{newer}{os.pathsep}{machine.bin}").stdout == "<play>"
    assert machine.venv_calls()[0].startswith("python3.12|")


def test_a_newer_python_will_do_where_there_is_no_other(machine: Machine, tmp_path: Path) -> None:
    newer = tmp_path / "bin-new"
    newer.mkdir()
    machine.write(newer / "python3", PYTHON)
    (machine.bin / "python3").unlink()
    assert machine.uno("play", path=f"{newer}{os.pathsep}{machine.bin}").stdout == "<play>"


def test_a_python_under_pyenv_is_found(machine: Machine) -> None:
    (machine.bin / "python3").unlink()
    under_pyenv = machine.home / ".pyenv" / "versions" / "3.13.0" / "bin"
    under_pyenv.mkdir(parents=True)
    machine.write(under_pyenv / "python3", PYTHON)
    assert machine.uno("play").stdout == "<play>"


def test_a_missing_venv_module_names_the_line_to_type(machine: Machine) -> None:
    (machine.home / "has-venv").unlink()
    machine.put("apt-get", APT)
    done = machine.uno("play")
    assert done.returncode == 1
    assert "sudo apt install python3.11-venv" in done.stderr
    assert not any(call.startswith("apt-get") for call in machine.calls)
    assert not machine.venv.exists()


def test_a_missing_venv_module_is_installed_where_that_is_allowed(machine: Machine) -> None:
    (machine.home / "has-venv").unlink()
    machine.put("apt-get", APT)
    machine.put("id", AS_ROOT)
    done = machine.uno("play")
    assert done.stdout == "<play>", done.stderr
    assert any("install python3.11-venv" in call for call in machine.calls)


def test_sudo_is_used_where_it_asks_for_no_password(machine: Machine) -> None:
    (machine.home / "has-venv").unlink()
    machine.put("apt-get", APT)
    machine.put("true", "#!/bin/sh\n")
    machine.put("sudo", '#!/bin/sh\necho "sudo|$*" >>"$CALLS"\nshift\nexec "$@"\n')
    assert machine.uno("play").stdout == "<play>"
    assert any(call.startswith("sudo|-n env DEBIAN_FRONTEND=noninteractive apt-get") for call in machine.calls)


def test_what_the_tests_need_and_may_not_be_installed_is_named(machine: Machine) -> None:
    done = machine.uno("test")
    assert done.returncode == 1
    assert "sudo apt install git chromium systemd" in done.stderr
    assert "--editable|.[dev]|" in machine.pip_calls()[0]


def test_playing_after_testing_installs_nothing(machine: Machine) -> None:
    machine.uno("test")
    assert machine.uno("play").stdout == "<play>"
    assert machine.pip_calls() == []


def test_arguments_of_the_tests_go_to_pytest(machine: Machine) -> None:
    machine.put("git", "#!/bin/sh\n")
    machine.put("chromium", "#!/bin/sh\n")
    machine.put("systemd-analyze", "#!/bin/sh\n")
    assert machine.uno("test", "tests/odds", "-k", "one or other").returncode == 0
    assert machine.calls[-1] == "python|-m|pytest|--numprocesses|auto|--dist|worksteal|tests/odds|-k|one or other|"


@pytest.mark.parametrize("arguments", [[], ["help"], ["-h"]])
def test_help_needs_nothing_set_up(machine: Machine, arguments: list[str]) -> None:
    done = machine.uno(*arguments)
    assert done.returncode == 0
    assert "usage: ./uno COMMAND" in done.stdout
    assert not machine.venv.exists()
