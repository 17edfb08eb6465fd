"""Phones in a process of their own, as the real ones are: they connect, read every frame, keep their heart beating.

`python -m tests.bench.phones ORIGIN TOKEN...`: says `connected` once all are, and ends when its input is closed.
"""

from __future__ import annotations

import asyncio
import json
import sys

from websockets.asyncio.client import ClientConnection, connect

from web_companion.sessions import COOKIE

HEARTBEAT = 2.5  # seconds, as the pages have it


async def read(socket: ClientConnection) -> None:
    async for frame in socket:
        json.loads(frame)


async def beat(socket: ClientConnection) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT)
        await socket.send('{"t":"ping"}')


async def phone(origin: str, token: str, page: str) -> ClientConnection:
    """One page that has got its first state."""
    address = f"{origin.replace('http', 'ws', 1)}/ws"
    cookie = {"Cookie": f"{COOKIE}={token}"}
    socket = await connect(address, origin=origin, additional_headers=cookie, max_size=None)  # type: ignore[arg-type]
    await socket.send(json.dumps({"t": "hello", "epoch": 0, "version": 0, "page": page}))
    while json.loads(await socket.recv())["t"] != "state":
        pass
    return socket


async def main(origin: str, tokens: list[str]) -> None:
    sockets = [await phone(origin, token, "play") for token in tokens]
    print("connected", flush=True)
    tasks = [asyncio.create_task(work(socket)) for socket in sockets for work in (read, beat)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
