"""The table's end of the guardian: starts it, ticks to it from the launcher's thread, says goodbye to it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardware.guardian import BYE, IDLE, READY, TICK
from hardware.ports import Fault

COMMAND: Final = (sys.executable, "-P", "-m", "hardware.guardian")
STARTS: Final = 10.0  # seconds it may take to be ready
ENDS: Final = 5.0  # seconds it may take to end when told to

GUARDIAN_GONE: Final = Fault(
    "guardian-gone", "the guardian, which stops the motor should this program freeze, has ended", "restart the table"
)


class GuardianError(RuntimeError):
    """The guardian cannot be started; the message says why."""


class GuardianLink:
    """A running guardian. `follow` is for the launcher's loop, the rest for whoever opens and closes the pins."""

    def __init__(self, chip: str, outputs: Mapping[str, int], log: Path, command: Sequence[str] = COMMAND) -> None:
        """Start it and wait until it listens. `chip` by its label, `outputs` by name, first whatever is made low first.

        Raises `GuardianError`.
        """
        line = [*command, "--table", str(os.getpid()), "--chip", chip, "--log", str(log)]
        line += [f"--low={name}={offset}" for name, offset in outputs.items()]
        pipe = subprocess.PIPE
        try:  # its own session: what a terminal sends to a table's group does not reach it
            self._process = subprocess.Popen(line, stdin=pipe, stdout=pipe, cwd="/", start_new_session=True)
        except OSError as error:
            raise GuardianError(f"it cannot be started: {error.strerror}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._pipe = self._process.stdin.fileno()
        os.set_blocking(self._pipe, False)  # a frozen guardian must not freeze us
        heard = b""
        if select.select([self._process.stdout], [], [], STARTS)[0]:
            heard = os.read(self._process.stdout.fileno(), len(READY))
        if heard != READY:
            self._process.kill()
            self._end()
            raise GuardianError("it ended before it was ready" if not heard else f"it said {heard!r}")

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def trouble(self) -> Fault | None:
        """A fault when it is no longer there. From any thread, at once."""
        return GUARDIAN_GONE if self._process.poll() is not None else None

    def follow(self, on: bool) -> Fault | None:
        """See `hardware.watchdog.Follower`."""
        try:
            os.write(self._pipe, TICK if on else IDLE)
        except OSError:  # it is gone, or has read nothing for 64 kB of ticks
            return GUARDIAN_GONE
        return None

    def dismiss(self) -> None:
        """The pins have been given back: it may go. Idempotent."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        with suppress(OSError):  # it may have gone before us
            os.write(self._pipe, BYE)
        self._end()

    def _end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(ENDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
