"""What a table costs while nothing happens: its processor time as a share of one core, with ten phones connected.

The real process, started as a service starts it, its watchdog to be fed, too. Beside it a bare WebSocket server that
does nothing but to answer the same heartbeats, and the table with nobody connected.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.bench.figures import line
from tests.bench.start import Running, started

PHONES = 10
SETTLE = 3.0  # seconds until what a start leaves to do is done
SECONDS = 30.0
WATCHDOG = "3000000"  # microseconds, as in the unit
AIM = 0.02
BARE = """
import asyncio, contextlib, json
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

async def phone(socket):
    with contextlib.suppress(ConnectionClosed):
        async for said in socket:
            await socket.send('{"t":"state"}' if json.loads(said)["t"] == "hello" else '{"t":"pong"}')

async def main():
    async with serve(phone, "127.0.0.1", 0) as server:
        print(f"ready http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()

asyncio.run(main())
"""


def share(pid: int) -> float:
    """Processor time of the process over `SECONDS`, all its threads, as a share of one core."""

    def used() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    time.sleep(SETTLE)
    before, begun = used(), time.perf_counter()
    time.sleep(SECONDS)
    return (used() - before) / (time.perf_counter() - begun)


@contextmanager
def phones(origin: str, tokens: list[str]) -> Iterator[None]:
    """Phones in a process of their own, with their heartbeats."""
    command = [sys.executable, "-m", "tests.bench.phones", origin, *tokens]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "connected\n":
            raise RuntimeError("the phones could not connect")
        yield
        process.communicate("")


@contextmanager
def service(data: Path) -> Iterator[Running]:
    """The table as systemd starts it; a socket takes what it tells."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(data / "notify"))
        threading.Thread(target=_hear, args=(manager,), daemon=True).start()
        told = {"NOTIFY_SOCKET": str(data / "notify"), "WATCHDOG_USEC": WATCHDOG}
        program = str(Path(sys.executable).with_name("uno-attack"))
        command = ["env", *(f"{key}={value}" for key, value in told.items()), program, "play"]
        with started(*command, "--listen", "127.0.0.1:0", "--data", str(data)) as running:
            yield running


def _hear(manager: socket.socket) -> None:
    with suppress(OSError):
        while manager.recv(4096):
            pass


def join(running: Running) -> list[str]:
    """Ten phones join, nine of them take a seat, and a game begins; their cookies' values."""
    origin = running.said[-1].split()[1]
    code = next(said for said in running.said if said.startswith("phones: ")).rpartition("#")[2]
    tokens, cookie = [], ""
    for number in range(PHONES):
        who = {"name": f"Phone {number + 1}"} if number < PHONES - 1 else {"watch": True}
        answer = httpx.post(f"{origin}/api/v1/join", json={"code": code, **who}, headers={"origin": origin})
        answer.raise_for_status()
        ((name, token),) = answer.cookies.items()
        tokens.append(token)
        cookie = f"{name}={token}"
    headers = {"origin": origin, "cookie": cookie}
    httpx.post(f"{origin}/api/v1/host", json={}, headers=headers).raise_for_status()
    address = origin.replace("http", "ws") + "/ws"
    with connect(address, origin=Origin(origin), additional_headers={"Cookie": cookie}) as host:
        host.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": "host"}))
        host.send(json.dumps({"t": "do", "id": "start", "do": "start", "preset": "attack"}))
        while (heard := json.loads(host.recv()))["t"] != "answer":
            pass
        if not heard["ok"]:
            raise RuntimeError(f"no game could be started: {heard}")
    return tokens


def run() -> None:
    """Print the figures of this bench."""
    with started(sys.executable, "-c", BARE) as bare, phones(bare.said[-1].split()[1], ["-"] * PHONES):
        floor = share(bare.process.pid)
    line(f"bare WebSocket server, {PHONES} phones", f"{floor:8.2%}", "of a core")
    with tempfile.TemporaryDirectory() as name, service(Path(name)) as running:
        line("table, nobody connected", f"{share(running.process.pid):8.2%}", "of a core")
        tokens = join(running)
        with phones(running.said[-1].split()[1], tokens):
            busy = share(running.process.pid)
    met = "met" if busy < AIM else "NOT met"
    line(f"table, a game on, {PHONES} phones", f"{busy:8.2%}", f"of a core, ×{busy / floor:.1f} the bare server")
    print(f"  aim: below {AIM:.0%}: {met}")
