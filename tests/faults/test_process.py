"""The same faults in the real process, with its real threads and real time: the motor's pin tells when it was off.

The bounds are those docs/safety.md states, with a second for a machine that is busy with other tests. For its sake the
launcher is as patient as it may be: on an overloaded machine all threads, the twin's too, stand still for 250 ms.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from controller.journal import Journal
from hardware.settings import LauncherSettings
from tests.patience import DEADLINE

pytestmark = pytest.mark.slow

BUSY = 1.0  # seconds that a busy machine may add to anything
CARDS = 10
LONGEST = LauncherSettings().on_ms(CARDS) / 1000
WATCHDOG = 1.0
OPTIONS = {"voluntary_draw": True, "after_draw": "end", "hand_size": 3}
SETTINGS = f"""
[table]
grace_ms = 0
[odds]
profile = "fixed-{CARDS}"
suspense_ms = 0
[launcher]
watchdog_ms = {WATCHDOG * 1000:.0f}
first_card_ms = 2000
jam_ms = 2000
"""


class Table:
    """`uno-attack play` in a process, with a fault at hand; Ann sits at it, with a phone, and hosts."""

    def __init__(self, data: Path, fault: str = "none", **environment: str) -> None:
        settings = data / "uno-attack.toml"
        settings.write_text(SETTINGS, encoding="utf-8")
        command = [sys.executable, "-m", "tests.faults.driver", fault, "play", "--seed", "faults", "--bots", "1"]
        command += ["--data", str(data), "--config", str(settings), "--listen", "127.0.0.1:0"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, env=os.environ | environment, start_new_session=True
        )
        self._heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.said: list[str] = []
        self.pins: dict[str, list[tuple[float, bool]]] = {"enable": [], "beam": []}
        self.fault_at = 0.0
        self._ended = 0  # streams
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._listen, args=(stream,), daemon=True).start()
        self.url = ""
        self.code = ""
        self._open = ExitStack()
        self.socket: ClientConnection | None = None
        self.until(lambda: bool(self.url))

    def until(self, done: Callable[[], bool]) -> None:
        """Take in what it says until `done()`."""
        end = time.monotonic() + DEADLINE
        while not done():
            try:
                self._take(self._heard.get(timeout=0.1))
            except queue.Empty:
                assert time.monotonic() < end, "".join(self.said)

    def play(self) -> None:
        """Ann takes a seat and starts a game."""
        headers = {"origin": self.url}
        answer = httpx.post(f"{self.url}/api/v1/join", json={"code": self.code, "name": "Ann"}, headers=headers)
        cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())
        assert httpx.post(f"{self.url}/api/v1/host", json={}, headers={**headers, "cookie": cookie}).status_code == 200
        address = self.url.replace("http", "ws") + "/ws"
        self.socket = self._open.enter_context(
            connect(address, origin=Origin(self.url), additional_headers={"Cookie": cookie})
        )
        self.socket.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": "play"}))
        self.do("start", preset="attack", options=OPTIONS)

    def do(self, what: str, **more: object) -> None:
        """A command from Ann's phone."""
        assert self.socket is not None
        self.socket.send(json.dumps({"t": "do", "id": f"{what}-{time.monotonic()}", "do": what, **more}))

    def mid_shot(self) -> None:
        """The button is pressed, and two cards have gone through the beam."""
        self.do("press")
        self.until(lambda: sum(not level for _, level in self.pins["beam"]) >= 2)
        assert self.pins["enable"][-1][1]

    def happen(self) -> None:
        """The fault."""
        self.process.send_signal(signal.SIGUSR1)
        self.until(lambda: self.fault_at > 0)

    def end_of_shot(self) -> None:
        """Until Ann's phone has heard how the shot ended, and that the next may come."""
        assert self.socket is not None
        while True:
            heard = json.loads(self.socket.recv(DEADLINE))
            if heard["t"] == "state":
                launcher = heard["table"]["launcher"]
                if launcher["last"] is not None and launcher["state"] == "ready":
                    return

    def due_after_shot(self) -> str:
        """What the table waits for when the shot is over, however it ended."""
        assert self.socket is not None
        while True:
            heard = json.loads(self.socket.recv(DEADLINE))
            if heard["t"] == "state" and heard["table"]["phase"] != "gathering":
                due, last = heard["table"]["due"], heard["table"]["launcher"]["last"]
                if last is not None or due["what"] == "shot-count":
                    return str(due["what"])

    def off_after(self, moment: float) -> float:
        """Seconds from `moment` until the motor was off; waits for it."""
        self.until(lambda: any(at > moment and not high for at, high in self.pins["enable"]))
        return next(at for at, high in self.pins["enable"] if at > moment and not high) - moment

    def on_for(self) -> float:
        """Seconds the motor was on in the last shot."""
        (up, high), (down, low) = self.pins["enable"][-2:]
        assert high
        assert not low
        return down - up

    def end(self, how: signal.Signals | None = None) -> int:
        """Send it a signal, unless it ends by itself, and wait for its end; its exit code."""
        if how is not None:
            self.process.send_signal(how)
        code = self.process.wait(DEADLINE)
        self.until(lambda: self._ended == 2)
        self._open.close()
        return code

    def close(self) -> None:
        """Whatever is left of it."""
        self.process.kill()
        self.process.wait()
        self._open.close()

    def _listen(self, stream: Any) -> None:
        with stream:
            for line in stream:
                self._heard.put(line)
        self._heard.put("")

    def _take(self, line: str) -> None:
        self._ended += not line
        self.said.append(line)
        words = line.split()
        if line.startswith("phones: "):
            self.code = line.rpartition("#")[2].strip()
        elif line.startswith("ready "):
            self.url = words[1]
        elif line.startswith("pin "):
            self.pins[words[1]].append((float(words[3]), words[2] == "1"))
        elif line.startswith("fault "):
            self.fault_at = float(words[1])


MakeTable = Callable[..., Table]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MakeTable]:
    made: list[Table] = []

    def make(fault: str = "none", **environment: str) -> Table:
        made.append(Table(tmp_path, fault, **environment))
        return made[-1]

    yield make
    for each in made:
        each.close()


def in_mid_shot(make: MakeTable, fault: str, **environment: str) -> Table:
    table = make(fault, **environment)
    table.play()
    table.mid_shot()
    return table


def last_shot(data: Path) -> dict[str, Any] | None:
    """What the journal says of the end of the shot; None: only that it was begun."""
    journal = Journal(data)
    rows = list(journal.rows(journal.last("game") or 0))
    journal.close()
    assert [row.kind for row in rows].count("shot") == 1
    return next((row.body for row in rows if row.kind == "shot-end"), None)


def due_after_restart(make: MakeTable) -> str:
    """What the table started again is waiting for."""
    table = make()
    answer = httpx.post(f"{table.url}/api/v1/join", json={"code": table.code}, headers={"origin": table.url})
    cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())
    address = table.url.replace("http", "ws") + "/ws"
    with connect(address, origin=Origin(table.url), additional_headers={"Cookie": cookie}) as socket:
        socket.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": "table"}))
        while (state := json.loads(socket.recv(DEADLINE)))["t"] != "state":
            pass
    table.end(signal.SIGTERM)
    return str(state["table"]["due"]["what"])


def test_sigterm(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "none")
    moment = time.monotonic()
    assert shot.end(signal.SIGTERM) == 0
    assert shot.off_after(moment) <= BUSY
    ended = last_shot(tmp_path)
    assert ended is not None
    assert (ended["end"], ended["certainty"]) == ("stopped", "at_least")
    assert ended["cause"] == "the launcher is closed"
    assert ended["cards"] >= 1


def test_a_loop_that_hangs_for_two_seconds(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "loop_hangs")
    shot.happen()
    assert shot.off_after(shot.fault_at) < 2.0, "the motor was off only when the loop was back"
    assert shot.on_for() <= LONGEST
    shot.end_of_shot()
    shot.end(signal.SIGTERM)
    ended = last_shot(tmp_path)
    assert ended is not None
    assert ended["end"] == "done"  # that its count is exact, the same test in virtual time says


def test_a_table_that_fails(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "table_fails")
    shot.happen()
    assert shot.off_after(shot.fault_at) <= 0.2 + BUSY  # the next card is the next thing it hears of
    assert shot.end() != 0
    assert "made to fail" in "".join(shot.said)
    assert last_shot(tmp_path) is None
    assert due_after_restart(table) == "shot-count"


def test_a_table_whose_task_is_dead(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "table_dead")
    shot.happen()
    assert shot.off_after(shot.fault_at) <= BUSY
    shot.end()
    ended = last_shot(tmp_path)
    assert ended is None or ended["end"] == "stopped"


def test_a_full_disk(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "disk_full")
    shot.happen()
    assert shot.off_after(shot.fault_at) <= BUSY
    shot.until(lambda: any("cannot be written" in line for line in shot.said))
    assert shot.end(signal.SIGTERM) == 2
    assert last_shot(tmp_path) is None
    assert due_after_restart(table) == "shot-count"


def test_a_commit_of_three_seconds(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "slow_commit")
    shot.happen()
    shot.do("rename", seat=0, name="Anna")
    shot.off_after(shot.fault_at)
    assert shot.on_for() <= LONGEST
    shot.end_of_shot()
    shot.end(signal.SIGTERM)
    ended = last_shot(tmp_path)
    assert ended is not None
    assert ended["end"] == "done"


def test_a_launcher_loop_that_hangs(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "launcher_hangs")
    shot.happen()
    assert shot.off_after(shot.fault_at) <= WATCHDOG + BUSY
    shot.end(signal.SIGTERM)
    assert last_shot(tmp_path) is None  # nobody knows how many came
    assert due_after_restart(table) == "shot-count"


def test_frozen_and_let_go_on(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "none")
    shot.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, shot.process.pid, os.WSTOPPED | os.WNOWAIT)
    frozen = time.monotonic()
    time.sleep(WATCHDOG + BUSY)  # nobody is there who could say that it is over
    shot.process.send_signal(signal.SIGCONT)
    assert shot.off_after(frozen) <= WATCHDOG + 2 * BUSY
    assert shot.due_after_shot() == "shot-count"
    shot.end(signal.SIGTERM)
    assert last_shot(tmp_path) is None  # nobody knows how many came
    assert due_after_restart(table) == "shot-count"


def test_killed(table: MakeTable, tmp_path: Path) -> None:
    shot = in_mid_shot(table, "none")
    assert shot.end(signal.SIGKILL) == -signal.SIGKILL
    assert last_shot(tmp_path) is None
    assert due_after_restart(table) == "shot-count"


@pytest.mark.parametrize("years", [5, -5])
def test_a_wall_clock_that_jumps(table: MakeTable, years: int) -> None:
    shot = in_mid_shot(table, "wall_clock", JUMP=str(years * 365 * 86400))
    shot.happen()
    shot.off_after(shot.fault_at)
    assert shot.on_for() <= LONGEST
    shot.end_of_shot()
    shot.do("press")  # the rest between two shots was not years long
    shot.until(lambda: [high for _, high in shot.pins["enable"]].count(True) == 2)
    assert shot.end(signal.SIGTERM) == 0
