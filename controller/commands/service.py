"""`uno-attack service show|install|remove`: the table as a systemd service that starts with the machine."""

from __future__ import annotations

import argparse
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import controller
from controller.commands import CommandError

UNIT = "uno-attack.service"
_UNITS = Path("etc/systemd/system")
_SYSUSERS = Path("etc/sysusers.d")
_EXECUTE, _READ = stat.S_IXOTH, stat.S_IROTH
_NEXT = """\
Settings are read from /etc/uno-attack/uno-attack.toml, the tables are kept in /var/lib/uno-attack. Now:
    sudo systemctl enable --now uno-attack     start it, now and with the machine
    systemctl status uno-attack                how it stands
    journalctl -u uno-attack                   what it said, the host code too"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument(
        "what", choices=("show", "install", "remove"),
        help="show: print the unit and the user it runs as; install: put both in place; remove: take both away",
    )  # fmt: skip
    parser.add_argument(
        "--root", type=Path, metavar="DIR", default=Path("/"),
        help="a system that is not running: where its / is (for an image of a card)",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code. Raises `CommandError`."""
    program = Path(sys.executable).with_name("uno-attack")
    if arguments.what == "show":
        for path, text in files(program).items():
            print(f"# /{path}\n{text}")
    elif arguments.what == "install":
        install(program, arguments.root)
    else:
        remove(arguments.root)
    return 0


def files(program: Path) -> dict[Path, str]:
    """The two files, by their paths below the root: the unit that runs `program`, and the user it runs as.

    Raises `CommandError`.
    """
    data = resources.files("controller").joinpath("service")
    unit = data.joinpath(UNIT).read_text(encoding="utf-8").replace("@program@", _quoted(program))
    seen = (f"BindReadOnlyPaths={_quoted(folder)}\n" for folder in sorted(_fleeting(_read_by(program))))
    unit = unit.replace("@seen@", "".join(seen))
    return {
        _UNITS / UNIT: unit,
        _SYSUSERS / "uno-attack.conf": data.joinpath("uno-attack.sysusers").read_text(encoding="utf-8"),
    }


def install(program: Path, root: Path) -> None:
    """Put the files below `root`; on the running system make the user and have systemd read them.

    Raises `CommandError`, and then nothing has been written.
    """
    if not os.access(program, os.X_OK):
        raise CommandError(f"there is no program {program}: install the project first (./uno play does)")
    closed = closed_to_others(*_read_by(program))
    if closed is not None:
        raise CommandError(
            f"the service has a user of its own, and {closed} is closed to it: move the project to a place open to "
            f"all, such as /opt/uno-attack, and start it once there; or open this one: sudo chmod o+rX {closed}"
        )
    here = root == Path("/")
    if here:
        _need_systemd("install")
    for path, text in files(program).items():
        _write(root / path, text)
    if here:
        _call("systemd-sysusers", f"/{_SYSUSERS / 'uno-attack.conf'}")
        _call("systemctl", "daemon-reload")
        print(_NEXT)
    for folder in sorted(_fleeting(_read_by(program))):
        print(f"{folder} is gone when the machine starts again, and the service with it: move it, and install anew")


def remove(root: Path) -> None:
    """Stop the service, and take its files away; the tables, the settings and the user stay. Raises `CommandError`."""
    here = root == Path("/")
    there = [root / path for path in files(Path("uno-attack")) if (root / path).exists()]
    if not there:
        raise CommandError(f"there is no service below {root}")
    if here:
        _need_systemd("remove")
        _call("systemctl", "disable", "--now", UNIT)
    for path in there:
        _unlink(path)
    if here:
        _call("systemctl", "daemon-reload")


def closed_to_others(*needed: Path) -> Path | None:
    """The first folder on the way to one of these files, or the file, that not everybody may enter or read."""
    for path in needed:
        for folder in reversed(path.parents):
            if not folder.stat().st_mode & _EXECUTE:
                return folder
        if not path.stat().st_mode & _READ:
            return path
    return None


def _quoted(program: Path) -> str:
    """`program` as one word of a unit's command line. Raises `CommandError` where systemd takes it for no program."""
    text = str(program)
    if set(text) & set("\"'\\"):
        raise CommandError(
            f"systemd starts no program from a folder with quotation marks or backslashes in its name: {program}"
        )
    text = text.replace("%", "%%")
    return f'"{text}"' if " " in text else text


def _read_by(program: Path) -> tuple[Path, ...]:
    """What a service that runs `program` has to be able to read."""
    return program, Path(sys.executable).resolve(), Path(controller.__file__).resolve()


def _fleeting(paths: Iterable[Path]) -> set[Path]:
    """The folders that hold any of these in a place for temporary files, of which a service has one of its own."""
    places = (Path("/tmp"), Path("/var/tmp"))
    return {place / path.relative_to(place).parts[0] for path in paths for place in places if place in path.parents}


def _need_systemd(what: str) -> None:
    if shutil.which("systemctl") is None or not Path("/run/systemd/system").is_dir():
        raise CommandError("this machine is not run by systemd: start the table by hand, or write a script of your own")
    if os.geteuid() != 0:
        raise CommandError(f"only root may do that: sudo {Path(sys.executable).with_name('uno-attack')} service {what}")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o644)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
    print(f"wrote {path}")


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise CommandError(f"{path} cannot be removed: {error.strerror}") from error
    print(f"removed {path}")


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandError(f"{' '.join(command)} failed: {(done.stderr or done.stdout).strip()}")
