"""`kill -9` of the real process between any two inputs, and it is the same game again: position, hands, scores."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

DEADLINE = 20.0  # seconds; only ever reached when something is broken
SETTINGS = "[table]\nbot_ms = 0\ngrace_ms = 0\n[odds]\nsuspense_ms = 0\n[launcher]\nrest_ms = 0\n"

View = dict[str, Any]


class Process:
    """`uno-attack play` as a person starts it."""

    def __init__(self, data: Path, port: int = 0) -> None:
        settings = data / "uno-attack.toml"
        settings.write_text(SETTINGS, encoding="utf-8")
        command = [sys.executable, "-m", "controller.cli", "play", "--seed", "kill", "--data", str(data)]
        command += ["--config", str(settings), "--listen", f"127.0.0.1:{port}"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.code, self.url = "", ""
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if line.startswith("phones: "):
                self.code = line.rpartition("#")[2].strip()
            if line.startswith("ready "):
                self.url = line.split()[1]
                return
        raise AssertionError("it did not get ready:\n" + "".join(said))

    def kill(self) -> None:
        """Without a word, as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(DEADLINE)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)


class Phone:
    """A phone without a browser: it remembers its cookie over a restart of the table, as a real one does."""

    def __init__(self, process: Process, name: str) -> None:
        self.cookie = ""
        self.count = 0
        self._open = ExitStack()
        self._join(process, name)
        self.socket = self.connect(process)
        self.state: View = {}

    def _join(self, process: Process, name: str) -> None:
        headers = {"origin": process.url}
        answer = httpx.post(f"{process.url}/api/v1/join", json={"code": process.code, "name": name}, headers=headers)
        assert answer.status_code == 200, answer.text
        self.cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())

    def connect(self, process: Process) -> ClientConnection:
        """A socket with this phone's cookie."""
        headers = {"Cookie": self.cookie}
        address = process.url.replace("http", "ws") + "/ws"
        self.hang_up()
        self.socket = self._open.enter_context(connect(address, origin=Origin(process.url), additional_headers=headers))
        self.socket.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": "play"}))
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
        self.count += 1
        identity = f"{do}-{self.count}-{os.urandom(4).hex()}"
        self.socket.send(json.dumps({"t": "do", "id": identity, "do": do, **fields}))
        while True:
            message = self.hear()
            if message["t"] == "answer" and message["id"] == identity:
                return message

    def settle(self) -> None:
        """Until no shot is under way and the table is not at something else."""
        while self.state["table"]["launcher"]["shot"] or self.state["table"]["launcher"]["state"] != "ready":
            self.hear()


def game_of(state: View) -> View:
    """What must be the same after the restart: all of the view but what is the machine's and the connection's."""
    table = {key: value for key, value in state["table"].items() if key != "launcher"}
    table["seats"] = [{key: value for key, value in seat.items() if key != "connected"} for seat in table["seats"]]
    return {"table": table, "mine": state["mine"]}


def one_move(phone: Phone, rng: Random) -> None:
    """Whatever the table lets this phone's seat do; nothing when it is somebody else's turn."""
    mine = phone.state["mine"][0]
    seat, may = mine["seat"], mine["may"]
    if mine["moves"]:
        move = rng.choice(mine["moves"])
        choices = {"colour": rng.choice(move["colours"])} if move["colours"] else {}
        if move["targets"]:
            choices["target"] = rng.choice(move["targets"])
        if move["keepLeast"]:
            choices["keep"] = move["keep"][: move["keepLeast"]]
        assert phone.ask("play", seat=seat, card=move["card"], **choices)["ok"]
    elif may["colour"]:
        assert phone.ask("colour", seat=seat, colour="red")["ok"]
    elif may["hit"]:
        phone.ask("press", seat=seat)
    elif may["pass"]:
        assert phone.ask("pass", seat=seat)["ok"]


def test_killed_between_inputs_it_is_the_same_game_again(tmp_path: Path) -> None:
    rng = Random(4)
    process = Process(tmp_path)
    ann, bo = Phone(process, "Ann"), Phone(process, "Bo")
    ann.see()
    bo.see()
    headers = {"origin": process.url, "cookie": ann.cookie}
    assert httpx.post(f"{process.url}/api/v1/host", json={}, headers=headers).status_code == 200
    assert ann.ask("start", preset="attack")["ok"]
    for _ in range(5):
        for _ in range(rng.randrange(2, 9)):
            for phone in (ann, bo):
                phone.ask("nothing")  # refused; but whatever happened before it has been told by then
                if phone.state["table"]["phase"] == "playing":
                    one_move(phone, rng)
        for phone in (ann, bo):
            phone.ask("nothing")
            phone.settle()
        before = [game_of(phone.state) for phone in (ann, bo)]
        process.kill()
        process = Process(tmp_path)
        for phone, then in zip((ann, bo), before, strict=True):
            phone.connect(process)
            assert game_of(phone.see()) == then
            assert phone.state["table"]["due"]["what"] != "shot-count"
    with process:
        ann.hang_up()
        bo.hang_up()
