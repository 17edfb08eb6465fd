"""The real server on a free port, in a thread with its own loop, so that tests may block while pages are served."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from fastapi import FastAPI

from tests.patience import DEADLINE
from tests.web.fake_table import FakeTable
from web_companion.app import build_app
from web_companion.codes import Codes
from web_companion.door import MemoryStore, Store
from web_companion.server import serve
from web_companion.sessions import Sessions

T = TypeVar("T")

CODES = Codes("K7M4Q", "HOST-CODE")


class Served:
    """A served table: `with Served(table) as served:`."""

    def __init__(self, table: FakeTable, store: Store | None = None, port: int = 0) -> None:
        self.table = table
        self.store = store or MemoryStore()
        self.port = port
        self.app: FastAPI | None = None
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="served", daemon=True)
        self._task: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(DEADLINE), "the server did not start"
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, where: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server; open pages are told. Idempotent."""
        if self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive(), "the server did not end"

    def do(self, action: Callable[[], T]) -> T:
        """Run `action` on the server's loop and wait for it."""

        async def run() -> T:
            return action()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(DEADLINE)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._task = asyncio.current_task()
        app = self.app = build_app(self.table, Sessions(self.store), CODES, lambda: f"http://192.168.1.7:{self.port}")

        def ready(port: int) -> None:
            self.port = port
            self._ready.set()

        try:
            await serve(app, "127.0.0.1", self.port, ready)
        except Exception as error:
            self._failure = error
            self._ready.set()
            raise
