"""The real table as systemd starts it: when it says that it is ready, what it feeds, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import DEADLINE
from tests.systemd.manager import Manager

INTERVAL = 600_000  # microseconds of the watchdog: a shorter one than the unit's, for a shorter test


class Service:
    """`uno-attack play` with a socket to tell things to."""

    def __init__(self, data: Path) -> None:
        self.manager = Manager(str(data / "notify"))
        command = [sys.executable, "-m", "controller.cli", "play", "--listen", "127.0.0.1:0", "--data", str(data)]
        told = {"NOTIFY_SOCKET": str(data / "notify"), "WATCHDOG_USEC": str(INTERVAL)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | told
        )

    def url(self) -> str:
        """Where the pages are, as printed."""
        assert self.process.stdout is not None
        return next(line.split()[1] for line in self.process.stdout if line.startswith("ready "))

    def end(self, how: signal.Signals) -> str:
        """Send it a signal; what it had to say on its standard error."""
        self.process.send_signal(how)
        return self.process.communicate(timeout=DEADLINE)[1]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    yield made
    made.process.kill()
    made.process.communicate()
    made.manager.close()


def test_ready_is_said_when_phones_can_connect_and_the_end_before_it_comes(service: Service) -> None:
    service.manager.wait_for("READY=1")
    with urllib.request.urlopen(f"{service.url()}/healthz", timeout=DEADLINE) as answer:
        assert answer.status == 200
    service.manager.wait_for("WATCHDOG=1")
    service.manager.wait_for("STATUS=0 at the table, no game on, twin: ready")
    service.manager.heard.clear()
    service.end(signal.SIGTERM)
    assert service.process.returncode == 0
    service.manager.hear()
    assert [word for word in service.manager.heard if word != "WATCHDOG=1"] == [
        "STOPPING=1", "STATUS=ending: the motor is off first",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_frozen_table_feeds_nothing_and_an_aborted_one_says_where_it_was(service: Service) -> None:
    service.manager.wait_for("WATCHDOG=1")
    service.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, service.process.pid, os.WSTOPPED | os.WNOWAIT)
    service.manager.hear()
    service.manager.heard.clear()
    service.manager.hear(2 * INTERVAL / 1e6)
    assert service.manager.heard == []
    service.process.send_signal(signal.SIGCONT)  # systemd sends it after the abort, or a stopped one would not hear it
    said = service.end(signal.SIGABRT)
    assert "Fatal Python error: Aborted" in said
    assert "hardware/clock.py" in said  # where the launcher's thread was
