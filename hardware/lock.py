"""One process for one GPIO chip: a lock file that says who holds it. The kernel lets go of it when its holder dies."""

from __future__ import annotations

import fcntl
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

PLACES: Final = (Path("/run/lock"), Path("/tmp"))  # the first that is there: all users of a machine must meet


class Holder(NamedTuple):
    """Who holds a lock: its process, what was typed to start it, and since when (local time)."""

    pid: int
    command: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} ({' '.join(self.command.split())[:200]}) since {self.since}"


class LockError(RuntimeError):
    """The lock cannot be had; the message says who holds it, or why not."""


class ChipLock:
    """Held until released, or until the process dies."""

    def __init__(self, label: str, place: Path | None = None) -> None:
        """Take the lock of the chip of this label. Raises `LockError`; its holder is not disturbed."""
        path = lock_path(label, place)
        try:
            self._file = _open(path)
        except OSError as error:
            raise LockError(f"the lock file {path} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._file)
            os.close(self._file)
            raise LockError(f"the pins are in use by {holder or 'a process that has ended just now'}") from error
        words = {"pid": os.getpid(), "command": " ".join(sys.orig_argv), "since": time.strftime("%Y-%m-%d %H:%M:%S")}
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps(words).encode(), 0)

    def release(self) -> None:
        """Let go of it. Idempotent."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1


def holder_of(label: str, place: Path | None = None) -> Holder | None:
    """Who holds the lock of the chip of this label now; None: nobody.

    The kernel says which process it is; the file, which anybody may write to, is believed only where it agrees.
    """
    path = lock_path(label, place)
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return _holder(file)
    finally:
        os.close(file)


def lock_path(label: str, place: Path | None = None) -> Path:
    """Where the lock of the chip of this label is."""
    place = place or next(each for each in PLACES if each.is_dir())
    return place / f"uno-attack-{re.sub(r'[^A-Za-z0-9._-]', '_', label)}.lock"


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:  # in a directory like /run/lock nobody may open somebody else's file with O_CREAT (fs.protected_regular)
        return os.open(path, flags)
    except FileNotFoundError:
        pass
    try:
        file = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        return os.open(path, flags)
    os.fchmod(file, 0o666)  # for every user who may be the next
    return file


def _holder(file: int) -> Holder | None:
    pid = _locker(os.fstat(file))
    if pid is None:
        return None
    try:
        words = json.loads(os.pread(file, 10_000, 0))
        if words["pid"] == pid:
            return Holder(pid, str(words["command"]), str(words["since"]))
    except (ValueError, TypeError, KeyError):
        pass
    return Holder(pid, command_of(pid), "an unknown time")


def command_of(pid: int) -> str:
    """What was typed to start a process."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "ended"
    return " ".join(words).strip() or "no command"


def _locker(file: os.stat_result) -> int | None:
    """The process that has locked a file, by /proc/locks: number, kind, mode, access, process, device:inode, range."""
    device = f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}:{file.st_ino}"
    try:
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for words in map(str.split, locks):
        if "FLOCK" in words and "->" not in words and device in words:
            return int(words[words.index(device) - 1])
    return None
