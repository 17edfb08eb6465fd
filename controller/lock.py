"""One process for one data directory: a lock file that says who holds it. Nothing of what is in the directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

LOCK = "tables.lock"


class LockedError(RuntimeError):
    """Another process holds the directory, which the text names, or the lock cannot be written."""


class DirectoryLock:
    """Holds `tables.lock` in a directory until released or until the process dies."""

    def __init__(self, directory: Path, holder: str = "a table") -> None:
        """Take the lock. Raises `LockedError`; another process that holds it is not disturbed.

        `holder`: what others are told has it, such as `uno-attack fire`.
        """
        path = directory / LOCK
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LockedError(f"{path} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            process, _, what = os.read(self._file, 80).decode(errors="replace").strip().partition(" ")
            os.close(self._file)
            raise LockedError(
                f"{directory} is in use by process {process or 'unknown'} ({what or 'a table'}): end that one first, "
                "or name another directory with --data"
            ) from error
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{os.getpid()} {holder}\n".encode())
        except OSError as error:
            os.close(self._file)
            raise LockedError(
                f"{path} cannot be written: {error.strerror}. Make room on the disk, "
                "or name a directory on another one with --data"
            ) from error
        self._held = True

    def release(self) -> None:
        """Let go of it. Idempotent."""
        if self._held:
            self._held = False
            os.ftruncate(self._file, 0)
            os.close(self._file)
