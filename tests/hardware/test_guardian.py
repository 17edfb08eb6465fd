"""The guardian beside real processes, killed, frozen or ended well; what it waits for; a launcher without it.

The chip is a directory (see `guarded.file_chip`): on a kernel's own chip the same is tried in `tests/kernel`.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import guardian, guardian_link
from hardware.clock import RealClock
from hardware.gpio import BackendError, GpioBackend
from hardware.guardian_link import GuardianError, GuardianLink
from hardware.pins import PinMap
from hardware.ports import HardwareEvent, LauncherState, ShotEnded, ShotOrder
from hardware.settings import LauncherSettings
from tests.hardware.guarded.file_chip import FileChip, Write
from tests.hardware.guarded.table import GUARDIAN
from tests.hardware.headers import MockHeader
from tests.patience import DEADLINE

OUTPUTS = {"enable": 22, "in1": 17, "in2": 27, "lamp": 23}
ROOT = Path(__file__).parents[2]


class Table:
    """A table's process with its guardian."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.log = place / "guardian.log"
        command = [sys.executable, "-m", "tests.hardware.guarded.table", str(place), str(self.log)]
        pipe = subprocess.PIPE
        # The guardian shares the standard error: it ends when both have ended.
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)
        self.guardian = self.process.pid
        try:
            self.guardian = int(self.hear("ready").split()[1])
        except BaseException:
            self.close()
            raise

    def hear(self, start: str) -> str:
        """The next line that starts so."""
        assert self.process.stdout is not None
        heard = []
        while select.select([self.process.stdout], [], [], DEADLINE)[0]:
            heard.append(self._line())
            if heard[-1].startswith(start):
                return heard[-1]
            if not heard[-1]:
                break
        raise AssertionError(f"it did not say {start!r}, but {heard}")

    def _line(self) -> str:
        """One line, taken byte by byte, so that nothing is left in a buffer where nobody waits for it."""
        assert self.process.stdout is not None
        taken = b""
        while not taken.endswith(b"\n") and (byte := os.read(self.process.stdout.fileno(), 1)):
            taken += byte
        return taken.decode().strip()

    def fire(self) -> None:
        """A shot, until the motor turns."""
        assert self.process.stdin is not None
        self.process.stdin.write("fire\n")
        self.process.stdin.flush()
        self.hear("state firing")

    def last(self, line: int) -> Write:
        """Who drove a line last, and to what."""
        return [write for write in FileChip(self.place).writes() if write.line == line][-1]

    def outcome(self) -> str:
        """What was said until table and guardian had both ended."""
        _, said = self.process.communicate(timeout=DEADLINE)
        return said

    def close(self) -> None:
        """Leave nothing behind."""
        for pid in (self.process.pid, self.guardian):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def assert_made_low(table: Table) -> None:
    """The guardian has claimed every output low, enable first."""
    claimed = [write for write in FileChip(table.place).writes() if write.pid == table.guardian]
    assert claimed == [Write(table.guardian, line, False) for line in OUTPUTS.values()]


def test_killed_in_mid_shot_its_outputs_are_low(table: Table) -> None:
    table.fire()
    assert table.last(22) == Write(table.process.pid, 22, True)
    table.process.kill()
    said = table.outcome()
    assert_made_low(table)
    assert guardian.GONE in said
    assert "enable (GPIO 22): low" in said
    assert said.splitlines() == table.log.read_text().splitlines()


def test_frozen_in_mid_shot_it_is_killed_and_its_outputs_are_low(table: Table) -> None:
    table.fire()
    table.process.send_signal(signal.SIGSTOP)
    said = table.outcome()
    assert table.process.returncode == -signal.SIGKILL
    assert_made_low(table)
    assert guardian.FROZEN in said


def test_killed_while_idle_its_outputs_are_claimed_low(table: Table) -> None:
    table.process.kill()
    assert guardian.GONE in table.outcome()
    assert_made_low(table)


def test_what_a_terminal_sends_does_not_end_it(table: Table) -> None:
    table.fire()
    assert os.getsid(table.guardian) != os.getsid(table.process.pid)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
        os.kill(table.guardian, number)
    table.process.kill()
    table.outcome()
    assert_made_low(table)


def test_a_table_that_ends_well_takes_its_guardian_with_it(table: Table) -> None:
    table.fire()
    table.process.terminate()
    assert table.hear("ended") == "ended stopped"
    assert table.hear("closed")
    assert table.outcome() == ""
    assert not table.log.exists()
    assert {write.pid for write in FileChip(table.place).writes()} == {table.process.pid}
    assert not any(table.last(OUTPUTS[name]).high for name in ("enable", "in1"))


def test_a_killed_guardian_stops_the_motor_and_no_other_shot_begins(table: Table) -> None:
    table.fire()
    os.kill(table.guardian, signal.SIGKILL)
    assert table.hear("state fault") == "state fault guardian-gone"
    assert table.hear("ended") == "ended stopped"
    assert table.last(22) == Write(table.process.pid, 22, False)


class Guarded:
    """The gpio backend on mock pins, in this process, with a guardian."""

    def __init__(self, place: Path) -> None:
        self.links: list[GuardianLink] = []
        self.events: list[HardwareEvent] = []
        self.header = MockHeader(MockFactory())
        self.header.label = str(place)
        self.backend = GpioBackend(RealClock(), LauncherSettings(), PinMap(), self.header, self.guard)
        self.log = place / "log"

    def guard(self, label: str, outputs: Any) -> GuardianLink:
        self.links.append(GuardianLink(label, outputs, self.log, GUARDIAN))
        return self.links[0]


def test_without_its_guardian_an_idle_launcher_takes_no_order(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path)
    backend = guarded.backend
    backend.start(guarded.events.append)
    guarded.header.factory.pin(6).drive_low()
    assert backend.launcher.clear_fault() is None
    assert backend.launcher.denial() is None
    os.kill(guarded.links[0].pid, signal.SIGKILL)
    os.waitid(os.P_PID, guarded.links[0].pid, os.WEXITED | os.WNOWAIT)
    denial = backend.launcher.denial()
    assert denial is not None
    assert (denial.reason, denial.text) == ("fault", guardian_link.GUARDIAN_GONE.cause)
    assert backend.launcher.clear_fault() == guardian_link.GUARDIAN_GONE
    assert backend.launcher.status().state is LauncherState.FAULT
    backend.launcher.begin_shot(ShotOrder(1, 1, 0.0))
    backend.close()
    assert [event.shot for event in guarded.events if isinstance(event, ShotEnded)] == [1]
    assert not guarded.header.factory.pins


def test_no_motor_without_a_guardian(tmp_path: Path) -> None:
    header = MockHeader(MockFactory())

    def no_guardian(label: str, outputs: Any) -> GuardianLink:
        return GuardianLink(label, outputs, tmp_path / "log")  # the real one, which finds no chip of this label

    backend = GpioBackend(RealClock(), LauncherSettings(), PinMap(), header, no_guardian)
    with pytest.raises(BackendError, match="no motor without its guardian: it ended before it was ready"):
        backend.start(lambda _: None)
    assert header.closed == 1
    assert header.factory.pins == {}


def test_a_guardian_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    with pytest.raises(GuardianError, match="it cannot be started: No such file"):
        GuardianLink("chip", OUTPUTS, tmp_path / "log", [str(tmp_path / "nothing")])
    with pytest.raises(GuardianError, match="it said b'what'"):
        GuardianLink("chip", OUTPUTS, tmp_path / "log", [sys.executable, "-c", "print('what', end='')"])


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int]]:
    """The ticks' reading and writing end, and something that is ready when the table has died: never."""
    ticks, words = os.pipe()
    alive, end = os.pipe()
    yield ticks, words, alive
    for file in (ticks, words, alive, end):
        os.close(file)


def test_it_waits_with_a_limit_only_while_the_motor_is_on(
    pipes: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks, words, alive = pipes
    limits: list[float | None] = []
    script = [guardian.TICK, guardian.TICK + guardian.TICK, guardian.TICK + guardian.IDLE, guardian.BYE]

    def choose(read: Any, write: Any, other: Any, limit: float | None) -> Any:
        limits.append(limit)
        os.write(words, script[len(limits) - 1])
        return [ticks], [], []

    monkeypatch.setattr("hardware.guardian.select.select", choose)
    assert guardian.listen(ticks, alive) == ""
    assert limits == [None, guardian.SILENCE, guardian.SILENCE, None]


def test_a_pipe_that_ends_without_a_word_is_no_goodbye(pipes: tuple[int, int, int]) -> None:
    ticks, words = os.pipe()
    os.write(words, guardian.TICK + guardian.IDLE)
    os.close(words)
    assert guardian.listen(ticks, pipes[2]) == guardian.GONE
    os.close(ticks)


def test_it_says_what_it_understands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        guardian.main(["--table", "1"])
    assert "--chip" in capsys.readouterr().err
