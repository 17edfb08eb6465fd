"""The control socket: who may talk to it, what it answers, and that nobody's rubbish does any harm."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller import control
from controller.control import LONGEST, MOST_CLIENTS, SOCKET, Client, ControlError, ControlSocket, NoTable
from controller.table.messages import Answer, Who
from tests.patience import DEADLINE


class FakeTable:
    """A table that says yes to everything but a shot of 13."""

    def __init__(self) -> None:
        self.heard: list[tuple[Who, dict[str, object]]] = []
        self.silent = False
        self.service_asked_on: list[str] = []

    def submit(self, who: Who, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None:
        self.heard.append((who, dict(command)))
        if command.get("cards") == 13:
            answer({"ok": False, "reason": "firing", "because": [], "text": "busy", "id": command["id"]})
        elif not self.silent:
            answer({"ok": True, "id": command["id"], "cards": command.get("cards")})

    def service(self) -> dict[str, object]:
        self.service_asked_on.append(threading.current_thread().name)
        return {"backend": "twin"}


@contextmanager
def listening(directory: Path, table: FakeTable, **options: object) -> Iterator[ControlSocket]:
    """The socket served by a loop in a thread of its own, as the table's is by its."""
    made = ControlSocket(directory, table, **options)  # type: ignore[arg-type]
    loop = asyncio.new_event_loop()
    told: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, what: told.append(what))
    serving = loop.create_task(made.serve())

    def run() -> None:
        loop.run_until_complete(asyncio.gather(serving, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=run, name="the loop")
    thread.start()
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(serving.cancel)
        thread.join(DEADLINE)
        made.close()
        assert not thread.is_alive()
        assert told == [], "nothing went wrong that only the log would know"


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


def raw(directory: Path) -> socket.socket:
    """A client that says what it likes."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(DEADLINE)
    client.connect(str(directory / SOCKET))
    return client


def line_of(client: socket.socket) -> dict[str, object]:
    with client.makefile("rb") as lines:
        answer = json.loads(lines.readline())
    assert isinstance(answer, dict)
    return answer


def test_a_command_reaches_the_table_as_the_hosts_and_its_answer_comes_back(tmp_path: Path, table: FakeTable) -> None:
    with listening(tmp_path, table), Client(tmp_path, DEADLINE) as client:
        assert client.ask(do="service-shot", cards=3) == {"ok": True, "cards": 3}
        assert client.ask(do="service-shot", cards=13)["reason"] == "firing"
        assert client.ask(ask="service") == {"ok": True, "service": {"backend": "twin"}}
    (who, command), _ = table.heard
    assert (who.session, who.host, who.seats) == ("control", True, frozenset())
    assert command["do"] == "service-shot"
    assert table.heard[0][1]["id"] != table.heard[1][1]["id"], "each is done, none is taken for a repeat"
    assert table.service_asked_on == ["the loop"]


def test_only_its_owner_may_touch_it(tmp_path: Path, table: FakeTable) -> None:
    before = os.umask(0)
    try:
        with listening(tmp_path, table):
            mode = (tmp_path / SOCKET).stat().st_mode
            assert stat.S_ISSOCK(mode)
            assert stat.S_IMODE(mode) == 0o600
    finally:
        os.umask(before)
    assert not (tmp_path / SOCKET).exists()


def test_another_user_is_refused_whatever_the_mode_says(tmp_path: Path, table: FakeTable) -> None:
    with listening(tmp_path, table, users=(os.geteuid() + 1,)), Client(tmp_path, DEADLINE) as client:
        assert client.ask(ask="service")["reason"] == "not-yours"
        with pytest.raises(ControlError, match=r"ended before|any more"):
            client.ask(ask="service")
    assert table.service_asked_on == []


@pytest.mark.parametrize("verb", ["play", "start", "set-hand", "end", "give", ["service-shot"], None, "Service-Shot"])
def test_nothing_of_the_game_can_be_done_from_here(tmp_path: Path, table: FakeTable, verb: object) -> None:
    with listening(tmp_path, table), Client(tmp_path, DEADLINE) as client:
        answer = client.ask(do=verb, seat=0)
        assert (answer["ok"], answer["reason"]) == (False, "bad-command")
    assert table.heard == []


@pytest.mark.parametrize(
    "rubbish", [b"hello\n", b"[]\n", b"{\n", b"\xff\xfe\n", b"\n", b"[" * 5000 + b"\n", b'{"ask":"service","x":1}\n'],
    ids=lambda rubbish: repr(rubbish[:9]),
)  # fmt: skip
def test_rubbish_is_answered_and_the_next_request_is_heard(tmp_path: Path, table: FakeTable, rubbish: bytes) -> None:
    with listening(tmp_path, table), raw(tmp_path) as client:
        client.sendall(rubbish)
        assert line_of(client)["reason"] == "bad-command"
        client.sendall(b'{"ask":"service"}\n')
        assert line_of(client)["ok"] is True


@pytest.mark.parametrize(
    ("size", "reason"), [(LONGEST - 1, "bad-command"), (LONGEST + 1, "too-big"), (200_000, "too-big")]
)
def test_a_request_without_end_is_cut_off(tmp_path: Path, table: FakeTable, size: int, reason: str) -> None:
    with listening(tmp_path, table), raw(tmp_path) as client:
        try:
            client.sendall(b"x" * size + b"\n")
        except OSError:
            assert size > LONGEST  # it had heard enough
        assert line_of(client)["reason"] == reason
        with Client(tmp_path, DEADLINE) as other:
            assert other.ask(ask="service")["ok"]


def test_who_leaves_in_the_middle_of_a_word_has_said_nothing(tmp_path: Path, table: FakeTable) -> None:
    with listening(tmp_path, table):
        with raw(tmp_path) as client:
            client.sendall(b'{"do":"service-shot","cards":3}')
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
        with Client(tmp_path, DEADLINE) as other:
            assert other.ask(ask="service")["ok"]
    assert table.heard == []


def test_a_crowd_is_told_to_come_back(tmp_path: Path, table: FakeTable) -> None:
    with listening(tmp_path, table):
        crowd = [Client(tmp_path, DEADLINE) for _ in range(MOST_CLIENTS)]
        for client in crowd:
            assert client.ask(ask="service")["ok"]
        with Client(tmp_path, DEADLINE) as late:
            assert late.ask(ask="service")["reason"] == "too-many"
        for client in crowd:
            client.close()


def test_a_silent_client_is_let_go(tmp_path: Path, table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "IDLE", 0.05)
    with listening(tmp_path, table), raw(tmp_path) as client:
        client.sendall(b'{"ask":')
        assert client.recv(100) == b""


def test_a_client_that_never_reads_is_let_go(tmp_path: Path, table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "STALLED", 0.05)
    with listening(tmp_path, table), raw(tmp_path) as client:
        client.settimeout(0.5)
        much = b'{"do":"nothing of ours"}\n' * 500_000
        with pytest.raises(OSError, match=r"timed out|Broken pipe|reset"):  # it takes no more, or has hung up
            client.sendall(much)
        with Client(tmp_path, DEADLINE) as other:
            assert other.ask(ask="service")["ok"]


def test_a_table_that_does_not_answer_is_said_so(
    tmp_path: Path, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "ANSWERED", 0.05)
    table.silent = True
    with listening(tmp_path, table), Client(tmp_path, DEADLINE) as client:
        assert client.ask(do="halt")["reason"] == "no-answer"


def test_where_no_table_runs_it_is_said_how_to_start_one(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NoTable, match=f"^no table is running in {directory}: start one with ./uno play$"):
            Client(directory)


def test_what_a_dead_table_left_is_no_table_and_is_replaced(tmp_path: Path, table: FakeTable) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / SOCKET))
    dead.close()
    with pytest.raises(NoTable):
        Client(tmp_path)
    with listening(tmp_path, table), Client(tmp_path, DEADLINE) as client:
        assert client.ask(ask="service")["ok"]


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path, table: FakeTable) -> None:
    (tmp_path / SOCKET).write_text("mine")
    with pytest.raises(ControlError, match="is in the way and is no socket"):
        ControlSocket(tmp_path, table)
    assert (tmp_path / SOCKET).read_text() == "mine"


def test_a_directory_may_lie_as_deep_as_it_likes(tmp_path: Path, table: FakeTable) -> None:
    deep = tmp_path.joinpath(*["a directory with a long name"] * 8)
    deep.mkdir(parents=True)
    assert len(str(deep / SOCKET)) > 107
    with listening(deep, table), Client(deep, DEADLINE) as client:
        assert client.ask(ask="service")["ok"]


def test_a_client_that_only_listens_does_not_disturb_the_end(tmp_path: Path, table: FakeTable) -> None:
    with listening(tmp_path, table):
        client = raw(tmp_path)
        client.sendall(b'{"ask":"service"}\n')
        assert line_of(client)["ok"] is True
    assert client.recv(100) == b""
    client.close()


def test_the_end_of_the_table_is_told_to_who_waits(tmp_path: Path, table: FakeTable) -> None:
    table.silent = True
    said: list[str] = []

    def wait() -> None:
        with Client(tmp_path, DEADLINE) as client, pytest.raises(ControlError) as ended:
            client.ask(do="halt")
        said.append(str(ended.value))

    waiting = threading.Thread(target=wait)
    with listening(tmp_path, table):
        waiting.start()
        while not table.heard:
            waiting.join(0.01)
    waiting.join(DEADLINE)
    assert said == ["the table ended before it answered"]
