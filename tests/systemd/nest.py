"""systemd itself, in a nest on this machine: it has processes, mounts and control groups of its own.

The nest sees the machine's files under a layer of memory that takes what is written, so that nothing of it stays. Needs
root. Nothing is simulated but the machine being one's own: units are started, confined, watched and restarted for real.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

LONG: Final = 120.0  # seconds after which something that was to happen has not
LOOK: Final = 0.2
UNIT: Final = "uno-attack.service"
# Units of this machine that a nest can do without; the first would tidy up /tmp, file by file, in the layer of memory.
NOT_HERE: Final = ("systemd-tmpfiles-setup.service", "systemd-timesyncd.service", "timers.target")
BOOT: Final = r"""
set -e
mount --make-rprivate /
mount -t tmpfs layer "$1"
cd "$1"
mkdir upper work root
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay root
cd root
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mount -t tmpfs run run
mkdir -m 1777 run/lock
mount -t tmpfs groups sys/fs/cgroup
mount -t cgroup2 groups sys/fs/cgroup
mkdir -p machine
pivot_root . machine
umount -l /machine
shift
for unit; do ln -sf /dev/null "/etc/systemd/system/$unit"; done
container=nest exec /lib/systemd/systemd --system --unit=basic.target --show-status=no --log-target=journal
"""


class Nest:
    """A running systemd. As a context: ended, with everything in it, however it is left."""

    def __init__(self, folder: Path) -> None:
        """`folder`: an empty one, to hang the nest's files up in."""
        apart = ["unshare", "--pid", "--mount", "--cgroup", "--fork", "--kill-child"]
        self._process = subprocess.Popen(
            [*apart, "sh", "-c", BOOT, "nest", folder, *NOT_HERE],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._first = 0

    def __enter__(self) -> Self:
        try:
            self.until(self._booted)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, *command: str, check: bool = True) -> str:
        """What a command says that is run in the nest. Raises `AssertionError` when it fails."""
        inside = ["nsenter", f"--target={self._first}", "--pid", "--mount", "--cgroup", "--root", "--wd", *command]
        done = subprocess.run(inside, capture_output=True, text=True, timeout=LONG, check=False)
        assert not check or done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        return done.stdout

    def write(self, path: str, text: str) -> None:
        """A file in the nest."""
        self.run("sh", "-c", 'printf %s "$2" >"$1"', "write", path, text)

    def show(self, *properties: str, unit: str = UNIT) -> dict[str, str]:
        """What systemd says of the service."""
        said = self.run("systemctl", "show", unit, *(f"--property={each}" for each in properties))
        return dict(line.split("=", 1) for line in said.splitlines())

    def log(self, unit: str = UNIT) -> str:
        """What the service has said, and systemd of it."""
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}")

    def runs(self, restarts: int) -> None:
        """Wait until the service is ready, after having been started anew so often."""
        wanted = {"ActiveState": "active", "NRestarts": str(restarts)}
        self.until(lambda: self.show("ActiveState", "NRestarts") == wanted)

    def send(self, name: str) -> None:
        """A signal for the service's main process alone."""
        self.run("systemctl", "kill", f"--signal={name}", "--kill-whom=main", UNIT)

    def open_up(self, *needed: Path) -> None:
        """Let everybody on the way to these files: this machine's Python may lie in somebody's home."""
        for path in needed:
            for folder in path.parents:
                self.run("chmod", "o+rx", str(folder))

    def until(self, done: Callable[[], bool]) -> None:
        """Wait. Raises `AssertionError`, with the service's log, when it takes too long."""
        end = time.monotonic() + LONG
        while not done():
            assert self._process.poll() is None, f"systemd has ended: {self._process.communicate()[0]}"
            assert time.monotonic() < end, f"it has not happened for {LONG:.0f} s:\n{self.log() if self._first else ''}"
            time.sleep(LOOK)

    def _booted(self) -> bool:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        if not children or Path(f"/proc/{children[0]}/comm").read_text() != "systemd\n":
            return False
        self._first = int(children[0])
        return self.run("systemctl", "is-active", "basic.target", check=False) == "active\n"

    def _end(self) -> None:
        if self._first:  # all its processes end with systemd, and with the last of them the mounts
            os.kill(self._first, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.communicate()


def python_needs() -> tuple[Path, ...]:
    """What a program of this environment has to be able to read."""
    here = Path(sys.executable)
    return (here.with_name("uno-attack"), here, Path(os.path.realpath(here)), Path(__file__))
