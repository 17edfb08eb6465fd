"""`uno-attack play` as a process of its own, and phones without a browser that talk to it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from controller.journal import DATABASE
from tests.patience import DEADLINE, ENVIRONMENT
from web_companion.sessions import COOKIE

HEARTBEAT = 2.0  # seconds
SETTINGS = "[table]\nbot_ms = 0\ngrace_ms = 0\n[odds]\nsuspense_ms = 0\n[launcher]\nrest_ms = 0\n"

View = dict[str, Any]


class Process:
    """`uno-attack play` as a person starts it; ready when this returns.

    `settings`: the text of its configuration. `environment`: what it is told besides. `more`: further arguments.
    """

    def __init__(
        self, data: Path, port: int = 0, *more: str, settings: str = SETTINGS, seed: str = "kill",
        address: str = "127.0.0.1", environment: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        file = data / "uno-attack.toml"
        file.write_text(settings, encoding="utf-8")
        command = [sys.executable, "-m", "controller.cli", "play", "--seed", seed, "--data", str(data)]
        command += ["--config", str(file), "--listen", f"{address}:{port}", *more]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **ENVIRONMENT, **(environment or {})},
        )  # fmt: skip
        self.code, self.host_code, self.url, self.ready_at = "", "", "", 0.0
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if line.startswith("phones: "):
                self.code = line.rpartition("#")[2].strip()
            if line.startswith("host code: "):
                self.host_code = line.rpartition(" ")[2].strip()
            if line.startswith("ready "):
                self.url = line.split()[1]
                self.ready_at = time.time()
                return
        raise AssertionError("it did not get ready:\n" + "".join(said))

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    @property
    def pid(self) -> int:
        return self._process.pid

    def resident(self) -> int:
        """Its resident memory in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:"))

    def health(self) -> View:
        """What `/healthz` says."""
        health: View = httpx.get(f"{self.url}/healthz", timeout=DEADLINE).json()
        return health

    def kill(self) -> None:
        """Without a word, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """End it as a person would; gives what it had printed since it was ready."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> str:
        assert self._process.stdout is not None
        if self._process.stdout.closed:
            return ""
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(DEADLINE)
        said = self._process.stdout.read()
        self._process.stdout.close()
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)


class Phone:
    """A phone without a browser: it remembers its cookie over a restart of the table, as a real one does."""

    def __init__(self, process: Process, name: str = "") -> None:
        """Join and take a seat under `name`; without one, only watch."""
        self.cookie = ""
        self.count = 0
        self._open = ExitStack()
        self._join(process, name)
        self.socket = self.connect(process)
        self.state: View = {}

    def _join(self, process: Process, name: str) -> None:
        body = {"code": process.code, "name": name} if name else {"code": process.code, "watch": True}
        answer = self.post(process, "/api/v1/join", body)
        assert answer.status_code == 200, answer.text
        self.cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())

    def post(self, process: Process, path: str, body: object) -> httpx.Response:
        """A request of this phone's."""
        headers = {"origin": process.url, "cookie": self.cookie}
        return httpx.post(f"{process.url}{path}", json=body, headers=headers, timeout=DEADLINE)

    @property
    def token(self) -> str:
        """The value of the cookie."""
        return self.cookie.removeprefix(f"{COOKIE}=")

    def take_hosting(self, process: Process) -> Self:
        """At the machine itself, where no code is needed."""
        assert self.post(process, "/api/v1/host", {}).status_code == 200
        return self

    def connect(self, process: Process, **more: Any) -> ClientConnection:
        """A socket with this phone's cookie."""
        headers = {"Cookie": self.cookie}
        address = process.url.replace("http", "ws") + "/ws"
        self.hang_up()
        self.socket = self._open.enter_context(
            connect(
                address,
                origin=Origin(process.url),
                additional_headers=headers,
                compression=None,
                ping_interval=None,
                **more,
            )
        )
        self.socket.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": "play"}))
        threading.Thread(target=_beat, args=(self.socket,), name="heartbeat", daemon=True).start()
        return self.socket

    def hang_up(self) -> None:
        """Close the socket; also one whose other end has died."""
        self._open.close()

    def hear(self) -> View:
        """The next message; states are kept."""
        message: View = json.loads(self.socket.recv(DEADLINE))
        if message["t"] == "state":
            self.state = message
        return message

    def see(self) -> View:
        """The first state after a greeting."""
        while self.hear()["t"] != "state":
            pass
        return self.state

    def ask(self, do: str, **fields: object) -> View:
        """Give a command and wait for its answer."""
        return self.answer(self.send(do, **fields))

    def send(self, do: str, **fields: object) -> str:
        """Give a command; its id."""
        self.count += 1
        identity = str(fields.pop("id", f"{do}-{self.count}-{os.urandom(4).hex()}"))
        self.socket.send(json.dumps({"t": "do", "id": identity, "do": do, **fields}))
        return identity

    def answer(self, identity: str) -> View:
        """The answer to a command that was given."""
        return self.answers([identity])[0]

    def answers(self, identities: Sequence[str]) -> list[View]:
        """The answers to these commands, in whatever order they come."""
        heard: dict[str, View] = {}
        end = time.monotonic() + DEADLINE
        while len(heard) < len(identities):
            message = self.hear()
            if message["t"] == "answer" and message["id"] in identities:
                heard[message["id"]] = message
            assert time.monotonic() < end, f"{len(identities) - len(heard)} commands are not answered"
        return [heard[identity] for identity in identities]

    def press(self, seat: int) -> None:
        """Press for `seat`, again while the launcher is busy; returns when the shot has begun."""
        end = time.monotonic() + DEADLINE
        while not (answer := self.ask("press", seat=seat))["ok"]:
            assert answer["reason"] in ("firing", "too-fast"), answer
            assert time.monotonic() < end, answer
            time.sleep(0.2)

    def until_over(self) -> None:
        """Until the shot that was begun is over and the launcher is ready again."""
        version, end = self.state["version"], time.monotonic() + DEADLINE
        while self.state["version"] == version and not self.state["table"]["launcher"]["shot"]:
            self.hear()
            assert time.monotonic() < end, self.state["table"]["launcher"]
        self.settle()

    def settle(self) -> None:
        """Until no shot is under way and the table is not at something else."""
        end = time.monotonic() + DEADLINE
        while self.state["table"]["launcher"]["shot"] or self.state["table"]["launcher"]["state"] != "ready":
            self.hear()
            assert time.monotonic() < end, self.state["table"]["launcher"]


def _beat(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        while True:
            socket.send('{"t":"ping"}')
            time.sleep(HEARTBEAT)


def catch_up(*phones: Phone) -> None:
    """Whatever happened before is known to these phones."""
    for phone in phones:
        phone.ask("nothing")  # refused; but what came before it has been told by then


def rows(data: Path, *kinds: str) -> list[View]:
    """The rows of these kinds on disk, in their order."""
    database = sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)
    found = database.execute("SELECT kind, body FROM rows ORDER BY id").fetchall()
    database.close()
    return [json.loads(body) for kind, body in found if kind in kinds]
