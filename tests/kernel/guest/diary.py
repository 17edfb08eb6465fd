"""Diaries: what happened, in order, and waiting for it; and programs that write one, line by line, in JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

LONG: Final = 60.0  # seconds after which something that was to happen has not

Facts = dict[str, Any]


class Diary:
    """What happened, in order; whoever wants to can wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._facts: list[Facts] = []

    def add(self, fact: Facts) -> None:
        """One more; from any thread."""
        with self._changed:
            self._facts.append(fact)
            self._changed.notify_all()

    def mark(self) -> int:
        """Now, for `since` and `wait`."""
        with self._changed:
            return len(self._facts)

    def since(self, mark: int = 0) -> list[Facts]:
        """All from `mark` on."""
        with self._changed:
            return self._facts[mark:]

    def wait(self, mark: int, times: int = 1, **wanted: object) -> Facts:
        """The first from `mark` on that has all of this, or the second, ... Raises `TimeoutError`."""
        return self.wait_for(mark, lambda fact: wanted.items() <= fact.items(), times, str(wanted))

    def wait_for(self, mark: int, fits: Callable[[Facts], bool], times: int = 1, what: str = "such fact") -> Facts:
        """The first from `mark` on that fits, or the second, ... Raises `TimeoutError`."""

        def find() -> Facts | None:
            found = [fact for fact in self._facts[mark:] if fits(fact)]
            return found[times - 1] if len(found) >= times else None

        with self._changed:
            found = self._changed.wait_for(find, LONG)
            if found is None:
                raise TimeoutError(f"there was no {what} among {self._facts[mark:]}")
            return found


class Program(Diary):
    """A Python program that tells what happens, and takes words on its standard input.

    It tells a line of JSON each; any other line is told as `line`.
    """

    def __init__(self, module: str, *arguments: str) -> None:
        super().__init__()
        self._name = module
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", module, *arguments]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self._said = ""
        self._readers = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._hear, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def tell(self, *words: object) -> None:
        """A line on its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()

    def hang_up(self) -> None:
        """End its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def send(self, number: signal.Signals) -> None:
        """A signal."""
        os.kill(self.pid, number)

    def end(self) -> tuple[int, str]:
        """Wait until it has ended, and with it every process that it left behind: its exit code, its standard error."""
        code = self._process.wait(LONG)
        for reader in self._readers:
            reader.join(LONG)
            if reader.is_alive():
                raise TimeoutError(f"something that {self._name} left behind does not end")
        return code, self._said

    def kill(self) -> None:
        """Whatever is left of it."""
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.add(json.loads(line) if line.startswith("{") else {"line": line.rstrip()})

    def _hear(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said += line
