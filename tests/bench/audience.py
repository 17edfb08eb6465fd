"""Many WebSockets read by as little code as will do, so that it is the server that is measured: when frames arrive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

SHORTEST_STATE = 400  # bytes; whatever is shorter is an answer or a pong
HEARTBEAT = 2.5  # seconds, as the pages have it
ANSWER = 20.0  # seconds at the most
_HELLO = '{"t":"hello","epoch":-1,"version":-1,"page":"play"}'
_PING = '{"t":"ping"}'


class Page(asyncio.Protocol):
    """One page: it tells of every long frame, when its last byte is there."""

    def __init__(self, address: tuple[str, int], cookie: str, heard: Callable[[float], None]) -> None:
        self._address = address
        self._cookie = cookie
        self._heard = heard
        self._transport: asyncio.Transport | None = None
        self._data = b""
        self._open = False
        self.last = ""  # text of the last long frame
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        host = f"{self._address[0]}:{self._address[1]}"
        lines = [
            "GET /ws HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", f"Cookie: {self._cookie}",
            "", "",
        ]  # fmt: skip
        transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._data += data
        if not self._open:
            head, ended, rest = self._data.partition(b"\r\n\r\n")
            if not ended:
                return
            if b" 101 " not in head:
                raise ConnectionError(head.decode())
            self._open, self._data = True, rest
            self.say(_HELLO)
        while (frame := self._frame()) is not None:
            if len(frame) >= SHORTEST_STATE:
                self.last = frame.decode()
                if not self.opened.done():
                    self.opened.set_result(None)
                self._heard(now)

    def _frame(self) -> bytes | None:
        """The next whole frame of the server's, taken from what has come."""
        data = self._data
        if len(data) < 2:
            return None
        length, start = data[1], 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start + length:
            return None
        self._data = data[start + length :]
        return data[start : start + length]

    def say(self, text: str) -> None:
        """Send a text; the mask is zeros."""
        assert self._transport is not None
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
        self._transport.write(b"\x81" + size + bytes(4) + data)

    def close(self) -> None:
        """Leave without a word, as a phone out of reach does."""
        if self._transport is not None:
            self._transport.abort()


def _itself(page: Page) -> Page:
    return page


class Audience:
    """Pages of one server, and how long each of them waited for an event."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self.pages: list[Page] = []
        self._times: list[float] = []
        self._all = asyncio.Event()
        self._heart: asyncio.Task[None] | None = None

    async def fill(self, cookies: Sequence[str]) -> None:
        """One page more for each of these cookies; returns when all have been told how the table stands."""
        loop = asyncio.get_running_loop()
        self._heart = self._heart or loop.create_task(self._beat())
        for cookie in cookies:
            page = Page(self._address, cookie, self._heard)
            await loop.create_connection(partial(_itself, page), *self._address)
            self.pages.append(page)
            await asyncio.wait_for(page.opened, ANSWER)

    async def event(self, cause: Callable[[], None]) -> list[float]:
        """Seconds from `cause` until each page has got what came of it."""
        self._times, self._all = [], asyncio.Event()
        begun = time.perf_counter()
        cause()
        await asyncio.wait_for(self._all.wait(), ANSWER)
        return [at - begun for at in self._times]

    async def close(self) -> None:
        if self._heart is not None:
            self._heart.cancel()
            with suppress(asyncio.CancelledError):
                await self._heart
        for page in self.pages:
            page.close()

    def _heard(self, at: float) -> None:
        self._times.append(at)
        if len(self._times) >= len(self.pages):
            self._all.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            for page in self.pages:
                if page.opened.done():  # the first word is another
                    page.say(_PING)
