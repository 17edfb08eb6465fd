"""The host's side: boots the guest, and hands out what its scenes tell as they end.

Debian's kernel and the modules that `tests/kernel/build` made run in QEMU, without a network and without a disk: the
guest sees this machine's files, read only, so that the project and its venv are simply there. Its clock is the number
of instructions it has done (`-icount`), so that timing does not depend on what else this machine has to do.
"""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[2]
STAND: Final = ROOT / ".ci" / "kernel"
QEMU: Final = "qemu-system-x86_64"
DEADLINE: Final = 200.0  # seconds for the next scene to end, on a machine that has a lot to do
LOOK: Final = 0.1  # seconds from one look at what it told to the next
NANOSECONDS: Final = 2  # an instruction takes two to the power of so many: 250 million a second
OPTIONS: Final = (
    *("-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "1024", "-icount", f"shift={NANOSECONDS}", "-rtc", "clock=vm"),
    *("-display", "none", "-vga", "none", "-nic", "none", "-no-reboot"),
    *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
)

Facts = dict[str, Any]


class StandError(RuntimeError):
    """The guest could not be booted, or did not tell what was asked for; the message says what it did say."""


class Guest:
    """A guest for all who name the same folder: the first boots it, and others, in other processes too, only listen."""

    def __init__(self, folder: Path) -> None:
        """Raises `StandError` when there is no stand."""
        self._folder = folder
        self._mine: subprocess.Popen[bytes] | None = None
        with (folder / "lock").open("a") as lock:
            if _free(lock) and not (folder / "told").exists():
                (folder / "told").touch()
                self._mine = boot(folder, lock.fileno())  # QEMU holds the lock from now on, for as long as it lives

    def scenes(self) -> Iterator[Facts]:
        """What each scene told, as it ends. Raises `StandError` when nothing comes any more but should."""
        given = 0
        until = time.monotonic() + DEADLINE
        while True:
            over = self._over()
            lines = (self._folder / "told").read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
            for line in lines[given:]:
                given += 1
                until = time.monotonic() + DEADLINE
                yield json.loads(line)
            if over:
                return
            if time.monotonic() > until:
                raise StandError(f"the guest has told nothing for {DEADLINE:.0f} s; {self.in_words()}")
            time.sleep(LOOK)

    def scene(self, name: str) -> Facts:
        """What this scene told, when it has ended. Raises `StandError` when it failed."""
        for told in self.scenes():
            if told["scene"] == name:
                if "failed" in told:
                    raise StandError(f"the scene {name} failed in the guest:\n{told['failed']}")
                return dict(told["facts"])
        raise StandError(f"the guest has ended and told nothing of {name}; {self.in_words()}")

    def in_words(self) -> str:
        """What the guest's console and QEMU itself have said."""
        said = [path.read_text(errors="replace") for path in (self._folder / "console", self._folder / "qemu")]
        return f"its console and QEMU say:\n{''.join(said)}"

    def close(self) -> None:
        """Whoever booted it waits until its last scene has ended."""
        if self._mine is not None:
            try:
                self._mine.wait(DEADLINE)
            finally:
                self._mine.kill()

    def _over(self) -> bool:
        if self._mine is not None:
            return self._mine.poll() is not None
        with (self._folder / "lock").open("a") as lock:
            return _free(lock)


def _free(lock: IO[str]) -> bool:
    """Take the lock; False where somebody else has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def boot(folder: Path, lock: int) -> subprocess.Popen[bytes]:
    """Start QEMU: into `folder` goes what the scenes tell and what the console says. `lock`: a file that it keeps."""
    kernel, initramfs = STAND / "vmlinuz", STAND / "initramfs"
    if not kernel.exists() or not initramfs.exists():
        raise StandError("the simulated GPIO chip has not been built: type ./uno test --all")
    words = {"uno_root": ROOT, "uno_python": sys.executable, "uno_run": "tests.kernel.guest"}
    line = " ".join(["console=ttyS0 quiet panic=-1", *(f'{name}="{word}"' for name, word in words.items())])
    command = [QEMU, *OPTIONS, "-serial", "file:console", "-serial", "file:told"]
    command += ["-kernel", str(kernel), "-initrd", str(initramfs), "-append", line]
    (folder / "console").touch()
    with (folder / "qemu").open("w") as said:
        try:
            return subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=[lock]
            )
        except FileNotFoundError as error:
            raise StandError(f"{QEMU} is missing: type ./uno test --all") from error
