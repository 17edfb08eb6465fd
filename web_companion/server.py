"""Running the web companion inside an event loop that is there already: one socket, one worker, a quick end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Iterator

import uvicorn
from fastapi import FastAPI

GRACE = 2  # seconds open pages get to leave when the table stops
LARGEST_FRAME = 4 * 1024 * 1024  # bytes; more than the 16 kB a page may say, so that it can be told so properly
UNREAD = 15_000  # milliseconds a page may leave bytes unread before the kernel lets go of it


class CannotListen(Exception):
    """The address cannot be listened on; the text says which, why, and what to do."""


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to `host:port` (port 0: any free one). Raises `CannotListen`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # inherited by every connection; Linux
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        sock.bind((host, port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise CannotListen(_explain(host, port, error)) from error
    sock.setblocking(False)
    return sock


def _explain(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is taken: another program (perhaps another table) is listening there. "
            f"Stop it, or choose another port with --listen {host}:{port + 1}"
        )
    if error.errno == errno.EACCES:
        return f"port {port} is reserved for the system: choose one from 1024 up, such as --listen {host}:8080"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine: use 0.0.0.0 for all of them, as in --listen 0.0.0.0:{port}"
    return f"cannot listen on {host}:{port}: {error.strerror or error}"


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            self._on_ready(sockets[0].getsockname()[1])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to the program around us."""
        yield


async def serve(app: FastAPI, host: str, port: int, on_ready: Callable[[int], None] = lambda port: None) -> None:
    """Serve `app` until this coroutine is cancelled; `on_ready` gets the port once phones can connect.

    Raises `CannotListen` before anything is served. Open pages are told to come back (close code 1012).
    """
    sock = listening_socket(host, port)
    config = uvicorn.Config(
        app,
        workers=1,
        access_log=False,  # request lines would carry whatever stands in a query
        log_level="warning",
        server_header=False,
        date_header=False,  # a Pi has no clock
        timeout_graceful_shutdown=GRACE,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=None,  # the pages have a heartbeat of their own
        ws_per_message_deflate=False,  # a home network has bandwidth; a Pi has little memory
        lifespan="on",
    )
    server = _Server(config, on_ready)
    running = asyncio.create_task(server.serve([sock]), name="web companion")
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        server.should_exit = True
        await running
        raise
    finally:
        sock.close()
