"""The control socket of a running table: how commands typed on the same machine reach it. JSON lines, both ways.

A Unix socket in the data directory, for its owner and root alone. One request, one answer, in their order:
`{"do": "service-shot", "cards": 3}` is a command of the host's to the table, `{"ask": "service"}` how the machine
stands. Nothing of the game can be played from here, and no hand can be seen.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import socket
import stat
import struct
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Final, Protocol, Self

from controller.table.messages import Answer, Who

log = logging.getLogger("controller.control")

SOCKET: Final = "control.sock"
COMMANDS: Final = frozenset(
    {
        "service-shot", "twin", "halt", "clear-fault", "reload", "deal", "deal-go", "deal-said", "deal-skip",
        "deal-end", "count-deck", "count-go", "count-empty", "count-end",
    }
)  # fmt: skip
"""What may be told to the table from here; everything else is refused."""

MOST_CLIENTS: Final = 8
LONGEST: Final = 16 * 1024  # bytes of a request
IDLE: Final = 30.0  # seconds a client may take for its next request
STALLED: Final = 5.0  # seconds a client may take to read an answer
ANSWERED: Final = 30.0  # seconds the table may take; the longest shot has some six
_CREDENTIALS: Final = struct.Struct("3i")  # SO_PEERCRED: process, user, group
_GONE: Final = (ConnectionRefusedError, FileNotFoundError, NotADirectoryError)


class ControlError(RuntimeError):
    """The socket cannot be opened, or the table cannot be talked to; the text says why, and what to do."""


class NoTable(ControlError):
    """No table is running in this data directory."""


class Door(Protocol):
    """What the socket wants of the table; called on the event loop."""

    def submit(self, who: Who, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None: ...
    def service(self) -> dict[str, object]: ...


class ControlSocket:
    """The table's end. Make it while the data directory's lock is held; `serve` until cancelled; `close`."""

    def __init__(self, directory: Path, table: Door, users: Collection[int] | None = None) -> None:
        """Listen. What a dead table left behind is replaced: whoever holds the directory's lock may do so.

        `users`: ids of those who may talk to it (default: our own user, and root). Raises `ControlError`.
        """
        self._path = directory / SOCKET
        self._table = table
        self._users = frozenset((0, os.geteuid()) if users is None else users)
        self._clients: set[asyncio.Task[None]] = set()
        self._socket = _listen(directory)

    async def serve(self) -> None:
        """Answer until cancelled; whoever is connected then is cut off."""
        server = await asyncio.start_unix_server(self._meet, sock=self._socket, limit=LONGEST)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            server.close()
            for client in self._clients:
                client.cancel()
            await asyncio.gather(*self._clients, return_exceptions=True)

    def close(self) -> None:
        """Stop listening, and take the socket away. Idempotent."""
        if self._socket.fileno() >= 0:
            self._socket.close()
        with suppress(OSError):
            self._path.unlink()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            await self._talk(reader, writer)
        except asyncio.CancelledError:
            pass  # by `serve`, which ends; asyncio's own callback of a client does not take a cancelled one
        except (OSError, TimeoutError):
            pass  # gone, silent, or not reading: nothing is lost but its own answer
        except Exception:
            log.exception("a request over the control socket failed")
        finally:
            self._clients.discard(task)
            writer.transport.abort() if writer.transport.get_write_buffer_size() else writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if _user_of(writer.get_extra_info("socket")) not in self._users:
            await _send(writer, _no("not-yours", "this table belongs to another user: ask as that user, or as root"))
            return
        if len(self._clients) > MOST_CLIENTS:
            await _send(writer, _no("too-many", "too many are talking to this table at once: try again"))
            return
        while True:
            async with asyncio.timeout(IDLE):
                try:
                    line = await reader.readline()
                except ValueError:  # no end of the line within LONGEST
                    line = b" " * (LONGEST + 1)
            if not line.endswith(b"\n") and len(line) <= LONGEST:
                return  # it has left, perhaps in the middle of a word
            if len(line) > LONGEST:
                await _send(writer, _no("too-big", f"a request has at most {LONGEST} bytes"))
                return
            await _send(writer, await self._answer(line))

    async def _answer(self, line: bytes) -> Answer:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return _no("bad-command", "a request is one line of JSON")
        if not isinstance(request, dict):
            return _no("bad-command", 'a request is a set of named values, like {"ask": "service"}')
        if request.get("ask") == "service" and len(request) == 1:
            return {"ok": True, "service": self._table.service()}
        verb = request.get("do")
        if not isinstance(verb, str) or verb not in COMMANDS:
            return _no("bad-command", f"what can be done from here: {', '.join(sorted(COMMANDS))}; or ask for service")
        return await self._done({**request, "id": f"control {token_hex(8)}"})

    async def _done(self, command: Mapping[str, object]) -> Answer:
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._table.submit(
            Who("control", host=True), command, lambda said: None if answered.done() else answered.set_result(said)
        )
        try:
            async with asyncio.timeout(ANSWERED):
                said = await answered
        except TimeoutError:
            return _no("no-answer", f"the table has not answered for {ANSWERED:.0f} s; look at it")
        return {key: value for key, value in said.items() if key != "id"}


class Client:
    """A command's end: `with Client(directory) as table: table.ask(...)`."""

    def __init__(self, directory: Path, patience: float = ANSWERED + 10) -> None:
        """Connect to the table that runs in `directory`. Raises `NoTable`, `ControlError`.

        `patience`: seconds to wait for one answer.
        """
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.settimeout(patience)
        try:
            with _short(directory) as path:
                self._socket.connect(path)
        except _GONE as error:
            self._socket.close()
            raise NoTable(f"no table is running in {directory}: start one with ./uno play") from error
        except OSError as error:
            self._socket.close()
            whose = " (it belongs to another user)" if error.errno == errno.EACCES else ""
            raise ControlError(f"{directory / SOCKET} cannot be reached{whose}: {error.strerror}") from error
        self._lines = self._socket.makefile("rb")

    def ask(self, **request: object) -> Answer:
        """Send one request and wait for its answer, a refusal included. Raises `ControlError`."""
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it hung up on us: perhaps it has said why
                self._socket.sendall(json.dumps(request).encode() + b"\n")
            line = self._lines.readline()
        except TimeoutError as error:
            raise ControlError("the table does not answer: look at it, and at its terminal or log") from error
        except OSError as error:
            raise ControlError(f"the table cannot be talked to any more: {error.strerror}") from error
        if not line:
            raise ControlError("the table ended before it answered")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        """Hang up. Idempotent."""
        self._lines.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def refuse_obstacle(directory: Path) -> None:
    """Raise `ControlError` where what lies in the socket's place is no socket, `OSError` where that cannot be seen."""
    path = directory / SOCKET
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise ControlError(f"{path} is in the way and is no socket: move it elsewhere")


def _listen(directory: Path) -> socket.socket:
    path = directory / SOCKET
    try:
        refuse_obstacle(directory)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ControlError(f"{path} cannot be replaced: {error.strerror}") from error
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        os.fchmod(listening.fileno(), 0o600)  # before it has a name, so that it is never anybody else's
        with _short(directory) as short:
            listening.bind(short)
        path.chmod(0o600)
        listening.listen(MOST_CLIENTS)
    except OSError as error:
        listening.close()
        raise ControlError(
            f"{path} cannot be made: {error.strerror}. Name a directory on a disk of this machine with --data"
        ) from error
    listening.setblocking(False)
    return listening


@contextmanager
def _short(directory: Path) -> Iterator[str]:
    """The socket's path in a form that always fits: an address has 107 bytes, and data directories may lie deep."""
    try:
        place = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError as error:
        raise ControlError(f"{directory} cannot be looked into: it belongs to another user") from error
    try:
        yield f"/proc/self/fd/{place}/{SOCKET}"
    finally:
        os.close(place)


def _user_of(connected: socket.socket) -> int:
    """The user at the other end, as the kernel says."""
    found = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(found)[1])


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")
    async with asyncio.timeout(STALLED):
        await writer.drain()


def _no(reason: str, text: str) -> Answer:
    return {"ok": False, "reason": reason, "because": [], "text": text}
