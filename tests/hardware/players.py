"""Programs that play sounds, as far as a speaker sees them: what they were asked for, and whether they ever end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardware.clock import VirtualClock


class FakeProcess:
    """Ends by itself after `seconds` of the clock with `code`; never when that is None."""

    def __init__(self, players: FakePlayers, seconds: float | None, code: int) -> None:
        self._players = players
        self._ends = None if seconds is None else players.clock.now() + seconds
        self._code = code
        self.killed = False

    def poll(self) -> int | None:
        if self.killed:
            return -9
        return None if self._ends is None or self._players.clock.now() < self._ends else self._code

    def kill(self) -> None:
        self.killed = True
        self._players.log.append((self._players.clock.now(), "killed"))

    def wait(self, timeout: float | None = None) -> int:
        code = self.poll()
        assert code is not None, "nobody waits for a player that still plays"
        return code


class FakePlayers:
    """Starts them. `hang`: names of those that never end; `fail`: name -> exit code, at once; `missing`: not there."""

    def __init__(
        self,
        clock: VirtualClock,
        hang: Sequence[str] = (),
        fail: dict[str, int] | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        self.clock = clock
        self.hang, self.fail, self.missing = hang, fail or {}, missing
        self.log: list[tuple[float, str]] = []  # what was started and killed, and when
        self.started: list[FakeProcess] = []

    def run(self, command: Sequence[str]) -> FakeProcess:
        name = command[0]
        self.log.append((self.clock.now(), f"{name} {Path(command[-1]).name}"))
        if name in self.missing:
            raise FileNotFoundError(2, "No such file or directory")
        failing = self.fail.get(name)
        process = FakeProcess(self, None if name in self.hang else 0.0 if failing else 0.2, failing or 0)
        self.started.append(process)
        return process
