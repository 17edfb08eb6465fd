"""One event to 10, 50 and 200 open pages: how long until each has it, and what it costs the server.

Beside it, in turns with it, a bare Starlette application under the same uvicorn that sends a text of the same length to
as many. The table's event is a command: it is judged, committed to disk, and made into a frame for each kind of viewer,
which costs the same for any number of pages. What one page more costs stands by itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from urllib.parse import urlsplit

import httpx

from tests.bench.audience import Audience
from tests.bench.figures import latency, line
from tests.bench.start import Running, started, table

SIZES = (10, 50, 200)
PHONES = 20
SEATS = 9
EVENTS = 60
PAUSE = 0.11  # seconds between two events: a phone may give ten commands a second
SETTLE = 0.02  # seconds after the last page has it, in which the server finishes what it does besides
AIM = 1.5
BARE = """
import socket, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocketDisconnect

pages, text = set(), "x" * 1000

async def page(socket):
    global text
    await socket.accept()
    try:
        while True:
            said = await socket.receive_text()
            if "hello" in said:
                pages.add(socket)
                await socket.send_text(text)
            elif "ping" in said:
                await socket.send_text('{"t":"pong"}')
            elif said.isdigit():
                text = "x" * int(said)
            else:
                for each in pages:
                    await each.send_text(text)
    except WebSocketDisconnect:
        pages.discard(socket)

listening = socket.create_server(("127.0.0.1", 0))
print(f"ready http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
config = uvicorn.Config(Starlette(routes=[WebSocketRoute("/ws", page)]), log_level="warning", access_log=False,
                        ws_ping_interval=None, ws_per_message_deflate=False)
uvicorn.Server(config).run([listening])
"""


def used(pid: int) -> float:
    """Processor time of the process, all its threads, in seconds."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text(encoding="ascii").split()[0]) for each in tasks) / 1e9


def join(running: Running) -> list[str]:
    """Phones join, nine of them take seats, the last one is host and begins a game; their cookies."""
    origin = running.said[-1].split()[1]
    code = next(said for said in running.said if said.startswith("phones: ")).rpartition("#")[2]
    cookies = []
    for number in range(PHONES):
        who = {"name": f"Phone {number + 1}"} if number < SEATS else {"watch": True}
        answer = httpx.post(f"{origin}/api/v1/join", json={"code": code, **who}, headers={"origin": origin})
        answer.raise_for_status()
        ((name, token),) = answer.cookies.items()
        cookies.append(f"{name}={token}")
    headers = {"origin": origin, "cookie": cookies[-1]}
    httpx.post(f"{origin}/api/v1/host", json={}, headers=headers).raise_for_status()
    httpx.post(f"{origin}/api/v1/do", json={"do": "start", "preset": "attack"}, headers=headers).raise_for_status()
    return cookies


def address(running: Running) -> tuple[str, int]:
    parts = urlsplit(running.said[-1].split()[1])
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


async def measure(ours: Running, bare: Running, cookies: list[str]) -> None:
    """Print the figures for every size, the two servers in turns."""
    pages, others = Audience(address(ours)), Audience(address(bare))
    costs: dict[int, tuple[float, float]] = {}
    try:
        for size in SIZES:
            joining = [cookies[-1 - number % PHONES] for number in range(len(pages.pages), size)]
            await pages.fill(joining)  # the first page is the host's
            await others.fill(["none=x"] * len(joining))
            others.pages[0].say(str(round(mean(len(page.last.encode()) for page in pages.pages))))
            await asyncio.sleep(1.0)
            figures: dict[str, tuple[list[float], list[float]]] = {"table": ([], []), "bare": ([], [])}
            for number in range(EVENTS):
                for name, audience, running, cause in (
                    ("table", pages, ours, rename(pages, number)),
                    ("bare", others, bare, lambda: others.pages[0].say("go")),
                ):
                    before = used(running.process.pid)
                    figures[name][0].extend(await audience.event(cause))
                    await asyncio.sleep(SETTLE)
                    figures[name][1].append(used(running.process.pid) - before)
                await asyncio.sleep(PAUSE)
            costs[size] = show(size, figures)
        more, bare_more = (
            (costs[SIZES[-1]][who] - costs[SIZES[0]][who]) / (SIZES[-1] - SIZES[0]) * 1e6 for who in (0, 1)
        )
        line("one page more: processor time an event", f"{more:8.1f} µs",
             f"bare {bare_more:.1f} µs: ×{more / bare_more:.2f} {met(more / bare_more)}")  # fmt: skip
    finally:
        await pages.close()
        await others.close()


def rename(pages: Audience, number: int) -> Callable[[], None]:
    """The host calls a seat by another name: one event for everybody."""
    command = {"t": "do", "id": f"{len(pages.pages)}-{number}", "do": "rename", "seat": 0, "name": f"Somebody {number}"}
    return lambda: pages.pages[0].say(json.dumps(command))


def show(size: int, figures: dict[str, tuple[list[float], list[float]]]) -> tuple[float, float]:
    """Print the figures for one size; gives the processor time of an event in seconds: the table's, and bare."""
    (waits, costs), (bare_waits, bare_costs) = figures["table"], figures["bare"]
    latency(f"{size} pages: bare Starlette", bare_waits)
    latency(f"{size} pages: the table", waits, bare_waits)
    cost, bare_cost = median(costs), median(bare_costs)
    line(f"{size} pages: processor time an event", f"{cost * 1e3:8.3f} ms",
         f"bare {bare_cost * 1e3:.3f} ms: ×{cost / bare_cost:.2f} {met(cost / bare_cost)}")  # fmt: skip
    return cost, bare_cost


def met(times: float) -> str:
    return f"(aim: {AIM}: {'met' if times <= AIM else 'NOT met'})"


def run() -> None:
    """Print the figures of this bench."""
    with table() as ours, started(sys.executable, "-c", BARE) as bare:
        asyncio.run(measure(ours, bare, join(ours)))
