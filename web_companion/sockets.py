"""One WebSocket from its acceptance to its end: hello, commands, heartbeat, refusals with close codes of our own.

The frames themselves come ready-made from the table; this module never looks into one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from web_companion.commands import Commands, identity_of
from web_companion.hub import Connection, Hub
from web_companion.limits import Buckets
from web_companion.sessions import Session

SILENCE = 6.0  # seconds without a word: the page is dead
LARGEST_MESSAGE = 16 * 1024  # characters; the longest honest command has some 200
PING, PONG = '{"t":"ping"}', '{"t":"pong"}'  # as the pages write it; written otherwise it is understood as well
PAGES_EACH = 12  # open pages of one phone
PAGES_ALL = 400

CLOSE_BAD = 4400  # no hello, or not a message of ours
CLOSE_NOT_JOINED = 4401
CLOSE_SILENT = 4408
CLOSE_TOO_BIG = 4413
CLOSE_TOO_MANY = 4429


class Closing(Exception):
    """This socket is to be closed with `code`, after telling why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class _Line:
    """The sending half of a socket, as the server has it: what lies between costs a quarter of sending a frame."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def send_text(self, data: str) -> Awaitable[None]:
        return self._send({"type": "websocket.send", "text": data})


class Sockets:
    """The endpoint `/ws`, shared by all pages: an ASGI application of its own."""

    def __init__(
        self, hub: Hub, commands: Commands, find: Callable[[WebSocket], Session | None], limits: Buckets
    ) -> None:
        self._hub = hub
        self._commands = commands
        self._find = find
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one page until it leaves, falls silent or breaks a rule."""
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        try:
            await self._talk(socket, _Line(send))
        except Closing as closing:
            await self._close(socket, closing)
        except (WebSocketDisconnect, OSError):
            pass  # gone, or not reading: whatever it missed it gets when it comes back

    async def _talk(self, socket: WebSocket, line: _Line) -> None:
        session = self._find(socket)
        if session is None:
            raise Closing(CLOSE_NOT_JOINED, "not-joined")
        if self._hub.open_pages(session) >= PAGES_EACH or self._hub.connections >= PAGES_ALL:
            raise Closing(CLOSE_TOO_MANY, "too-many")
        hello = await self._receive(socket)
        if hello.get("t") != "hello":
            raise Closing(CLOSE_BAD, "no-hello")
        connection = Connection(line, session, self._commands.table, str(hello.get("page", "")))
        self._hub.join(connection, _number(hello.get("epoch")), _number(hello.get("version")))
        writer = asyncio.create_task(connection.write(), name="page writer")
        reader = asyncio.create_task(self._read(socket, connection), name="page reader")
        silence = asyncio.create_task(_fall_silent(connection), name="page silence")
        tasks = (writer, reader, silence)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.leave(connection)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()
        if connection.overrun:
            raise Closing(CLOSE_TOO_MANY, "not-reading")

    async def _read(self, socket: WebSocket, connection: Connection) -> None:
        limit = self._limits.of(connection.session.id)
        address = socket.client.host if socket.client else ""
        while True:
            text = await self._receive_text(socket)
            connection.heard = time.monotonic()
            if connection.stuck:
                raise TimeoutError
            await asyncio.sleep(0)  # what lies in the queue is received without waiting: others have their turn, too
            if text == PING:  # most of what a page says
                connection.say(PONG)
                continue
            message = _message(text)
            kind = message.get("t")
            if not _can_be_written(message):  # half a character, which could be echoed to nobody
                identity = message.get("id")
                connection.note({
                    "t": "answer", "id": identity if _can_be_written(identity) else None, "ok": False,
                    "reason": "bad-command",
                })  # fmt: skip
            elif kind == "ping":
                connection.note({"t": "pong"})
            elif kind == "do" and limit.take():
                self._commands.give(connection.session, message, connection.note, address)
            elif kind == "do":
                connection.note({"t": "answer", "id": identity_of(message), "ok": False, "reason": "too-many"})
            else:
                connection.note({"t": "answer", "id": identity_of(message), "ok": False, "reason": "bad-command"})

    async def _receive(self, socket: WebSocket) -> dict[str, object]:
        try:
            async with asyncio.timeout(SILENCE):
                return _message(await self._receive_text(socket))
        except TimeoutError:
            raise Closing(CLOSE_SILENT, "silent") from None

    async def _receive_text(self, socket: WebSocket) -> str:
        try:
            return await socket.receive_text()
        except KeyError:  # a binary message
            raise Closing(CLOSE_BAD, "bad-command") from None

    async def _close(self, socket: WebSocket, closing: Closing) -> None:
        if socket.application_state is not WebSocketState.CONNECTED:
            return
        try:
            async with asyncio.timeout(1.0):
                await socket.send_text(json.dumps({"t": "error", "reason": closing.reason}))
                await socket.close(closing.code, closing.reason)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            pass  # it had left already


async def _fall_silent(connection: Connection) -> None:
    """Ends when the page has said nothing for too long. (A timer for each message costs as much as answering it.)"""
    while (left := connection.heard + SILENCE - time.monotonic()) > 0:  # noqa: ASYNC110  # an event for each, as well
        await asyncio.sleep(left)
    raise Closing(CLOSE_SILENT, "silent")


def _message(text: str) -> dict[str, object]:
    if len(text) > LARGEST_MESSAGE:
        raise Closing(CLOSE_TOO_BIG, "too-big")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Closing(CLOSE_BAD, "bad-command") from None
    if not isinstance(message, dict):
        raise Closing(CLOSE_BAD, "bad-command")
    return message


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _can_be_written(said: object) -> bool:
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
