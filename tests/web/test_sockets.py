"""The socket of every page, on the real server: hello, answers, heartbeat, refusals, and clients that do not read."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.loops import run
from tests.patience import DEADLINE
from tests.web.fake_table import FakeTable, mine, seat, table_view
from tests.web.served import CODES, Served
from web_companion import hub, sockets
from web_companion.door import MemoryStore
from web_companion.hub import QUEUE, Connection
from web_companion.server import CannotListen, listening_socket
from web_companion.sessions import COOKIE, Session

HELLO = {"t": "hello", "epoch": -1, "version": -1, "page": "play"}


def joined(served: Served, **body: str) -> str:
    """Join and give the token."""
    answer = httpx.post(
        f"{served.url}/api/v1/join", json={"code": CODES.join, **body}, headers={"origin": served.url}, timeout=DEADLINE
    )
    assert answer.json()["ok"], answer.text
    return answer.cookies[COOKIE]


@contextmanager
def opened(
    served: Served, token: str = "", host: str = "", origin: str = "", **more: Any
) -> Iterator[ClientConnection]:
    headers = {"Cookie": f"{COOKIE}={token}"} if token else {}
    with connect(
        f"ws://{host or served.address}/ws", sock=socket.create_connection(("127.0.0.1", served.port), DEADLINE),
        origin=Origin(origin or served.url), additional_headers=headers, compression=None, ping_interval=None,
        open_timeout=DEADLINE, close_timeout=1, **more,
    ) as page:  # fmt: skip
        yield page


@contextmanager
def greeted(served: Served, token: str, **hello: int) -> Iterator[ClientConnection]:
    """A page that has said hello."""
    with opened(served, token) as page:
        send(page, {**HELLO, **hello})
        yield page


def send(page: ClientConnection, message: object) -> None:
    page.send(json.dumps(message))


def receive(page: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(page.recv(timeout=DEADLINE))
    return message


def receive_until(page: ClientConnection, wanted: str) -> dict[str, Any]:
    """The next message of this kind; what comes before it is left out."""
    while True:
        message = receive(page)
        if message["t"] == wanted:
            return message


def closed_with(page: ClientConnection) -> tuple[int, str]:
    """Code and reason of the close that ends this page."""
    with pytest.raises(ConnectionClosed) as closed:
        read_on(page)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def read_on(page: ClientConnection) -> None:
    while True:
        page.recv(timeout=DEADLINE)


def becomes(condition: Callable[[], bool]) -> bool:
    """Whether `condition` holds before the deadline."""
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_who_has_not_joined_is_told_so(served: Served) -> None:
    with opened(served) as page:
        assert closed_with(page) == (4401, "not-joined")


def test_a_stolen_cookie_is_of_no_use_to_another_origin(served: Served) -> None:
    with opened(served, joined(served), origin="http://evil.example") as page:
        assert closed_with(page) == (4403, "foreign-origin")


def test_a_rebound_name_gets_no_socket(served: Served) -> None:
    evil = f"evil.example:{served.port}"
    with opened(served, joined(served), host=evil, origin=f"http://{evil}") as page:
        assert closed_with(page) == (4403, "foreign-host")


def test_hello_brings_a_welcome_and_the_table(served: Served) -> None:
    with greeted(served, joined(served, name="Ann")) as page:
        welcome, state = receive(page), receive(page)
    assert (welcome["t"], welcome["you"]["seats"], welcome["joinCode"]) == ("welcome", [0], CODES.join)
    assert welcome["url"] == f"http://192.168.1.7:{served.port}"
    assert (state["t"], state["table"]["seats"][0]["name"]) == ("state", "Ann")


def test_a_page_that_was_away_gets_what_it_missed(served: Served, table: FakeTable) -> None:
    token = joined(served)
    with greeted(served, token) as page:
        version = receive_until(page, "state")["version"]
    for number in range(3):
        served.do(lambda number=number: table.publish([{"e": "passed", "seat": number}]))  # type: ignore[misc]
    with greeted(served, token, epoch=1, version=version) as page:
        missed = [receive_until(page, "state") for _ in range(3)]
    assert [state["version"] for state in missed] == [version + 1, version + 2, version + 3]
    assert [state["events"][0]["seat"] for state in missed] == [0, 1, 2]


def test_a_page_of_another_epoch_gets_one_snapshot(served: Served, table: FakeTable) -> None:
    token = joined(served)
    for _ in range(3):
        served.do(table.publish)
    with greeted(served, token, epoch=99, version=2) as page:
        assert receive_until(page, "state")["version"] == table.current().version
        send(page, {"t": "ping"})
        assert receive(page)["t"] == "pong"  # nothing else came before it


def test_a_seat_sees_its_own_hand_only(served: Served, table: FakeTable) -> None:
    ann, watcher = joined(served, name="Ann"), joined(served)
    view = table_view([seat(0, "Ann"), seat(1, "Bo")])
    with greeted(served, ann) as page, greeted(served, watcher) as other:
        for each in (page, other):
            receive_until(each, "state")
        served.do(lambda: table.show(view, mine(0, ["red 5"]), mine(1, ["wild"])))
        seen = [receive_until(each, "state") for each in (page, other)]
    assert [private["hand"] for private in seen[0]["mine"]] == [["red 5"]]
    assert seen[1]["mine"] == []


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", "17", "null", '{"t":"do"}', '{"t":"ping"}', "[" * 10_000, b"\x00\x01"]
)
def test_what_is_no_hello_ends_with_a_reason(served: Served, table: FakeTable, text: str | bytes) -> None:
    with opened(served, joined(served)) as page:
        page.send(text)
        assert closed_with(page)[0] == 4400
    assert table.given == []


def test_a_message_of_a_megabyte_is_refused_and_changes_nothing(served: Served, table: FakeTable) -> None:
    token = joined(served, name="Ann")
    given = len(table.given)
    with greeted(served, token) as page, greeted(served, token) as other:
        receive_until(page, "state")
        receive_until(other, "state")
        send(page, {"t": "do", "id": "1", "do": "play", "seat": 0, "card": "x" * 1_000_000})
        assert receive_until(page, "error")["reason"] == "too-big"
        assert closed_with(page) == (4413, "too-big")
        send(other, {"t": "ping"})
        assert receive(other)["t"] == "pong"
    assert len(table.given) == given


def test_every_command_is_answered_refused_ones_with_the_reason(served: Served, table: FakeTable) -> None:
    table.refuse["play"] = "no-match"
    with greeted(served, joined(served, name="Ann")) as page:
        for message in (
            {"t": "do", "id": "a", "do": "uno", "seat": 0},
            {"t": "do", "id": "b", "do": "play", "seat": 0, "card": "red 5"},
            {"t": "do", "id": "", "do": "uno"},
            {"t": "do", "id": 5, "do": "uno"},
            {"t": "do", "id": "c"},
            {"t": "do", "id": "d", "do": ["uno"]},
            {"t": "do", "id": "e", "do": "rename", "seat": 0, "name": "\u202e"},
            {"t": "what", "id": "f"},
        ):
            send(page, message)
        answers = [receive_until(page, "answer") for _ in range(8)]
    assert [(answer["id"], answer.get("reason")) for answer in answers] == [
        ("a", None),
        ("b", "no-match"),
        (None, "bad-command"),
        (None, "bad-command"),
        ("c", "bad-command"),
        ("d", "bad-command"),
        ("e", "bad-name"),
        ("f", "bad-command"),
    ]


def test_a_command_sent_again_after_a_reconnect_acts_once(served: Served, table: FakeTable) -> None:
    token = joined(served, name="Ann")
    command = {"t": "do", "id": "x1", "do": "press", "seat": 0}
    for _ in range(5):
        with greeted(served, token) as page:
            send(page, command)
            assert receive_until(page, "answer") == {"t": "answer", "id": "x1", "ok": True}
    assert [given["do"] for _, given in table.given].count("press") == 1


def test_a_storm_of_commands_is_answered_and_damped(served: Served, table: FakeTable) -> None:
    with greeted(served, joined(served, name="Ann")) as page:
        for number in range(100):
            send(page, {"t": "do", "id": str(number), "do": "uno", "seat": 0})
        answers = [receive_until(page, "answer") for _ in range(100)]
    assert [answer["id"] for answer in answers] == [str(number) for number in range(100)]
    refused = [answer for answer in answers if answer.get("reason") == "too-many"]
    assert 0 < len(refused) <= 70
    assert len(table.given) - 1 == 100 - len(refused)


def test_a_command_knows_whose_phone_it_comes_from(served: Served, table: FakeTable) -> None:
    with greeted(served, joined(served, name="Ann")) as page:
        send(page, {"t": "do", "id": "1", "do": "uno", "seat": 0, "session": "somebody else", "host": True})
        receive_until(page, "answer")
    who, command = table.given[-1]
    assert (who.host, set(who.seats)) == (False, {0})
    assert who.session != command["session"]


def test_sitting_down_is_told_to_all_pages_of_the_phone(served: Served) -> None:
    token = joined(served)
    with greeted(served, token) as one, greeted(served, token) as two:
        receive_until(one, "state")
        receive_until(two, "state")
        send(one, {"t": "do", "id": "1", "do": "sit", "name": "Ann"})
        assert receive_until(two, "welcome")["you"]["seats"] == [0]
        assert receive_until(one, "answer")["seat"] == 0


def test_a_page_is_told_that_its_phone_waits_and_that_it_may_come_back_no_more(
    served: Served, table: FakeTable
) -> None:
    token = joined(served)
    with greeted(served, token) as page:
        you = receive_until(page, "welcome")["you"]
        assert (you["waiting"], you["left"]) == (False, [])

        def changed(waits: bool, left: dict[int, str]) -> None:
            table.waiting, table.left = ({you["session"]} if waits else set()), left
            table.publish()

        for waits, left in ((True, {}), (False, {4: you["session"]}), (False, {})):
            served.do(lambda waits=waits, left=left: changed(waits, left))  # type: ignore[misc]
            told = receive_until(page, "welcome")["you"]
            assert (told["waiting"], told["left"]) == (waits, list(left))


def test_a_second_page_keeps_no_news_from_the_first(served: Served, table: FakeTable) -> None:
    """It comes when the table knows already that the phone waits, and has not published it yet."""
    token = joined(served)
    with greeted(served, token) as first:
        table.waiting = {receive_until(first, "welcome")["you"]["session"]}
        with greeted(served, token) as second:
            assert receive_until(second, "welcome")["you"]["waiting"]
            served.do(table.publish)
            assert receive_until(first, "welcome")["you"]["waiting"]


def test_the_table_knows_who_is_there(served: Served, table: FakeTable) -> None:
    token = joined(served, name="Ann")
    with greeted(served, token) as page:
        receive_until(page, "state")
        assert table.present == {0}
    assert becomes(lambda: table.present == set())


def test_a_silent_page_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SILENCE", 0.2)
    with greeted(served, joined(served)) as page:
        assert closed_with(page) == (4408, "silent")


def test_one_phone_cannot_open_pages_without_end(served: Served) -> None:
    token = joined(served)
    with ExitStack() as stack:
        for _ in range(sockets.PAGES_EACH):
            receive_until(stack.enter_context(greeted(served, token)), "state")
        one_more = stack.enter_context(opened(served, token))
        assert closed_with(one_more) == (4429, "too-many")


def test_a_page_that_never_reads_holds_up_nobody_and_is_dropped(
    served: Served, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "SEND_TIMEOUT", 0.3)
    with opened(served, joined(served), max_queue=1) as lazy, greeted(served, joined(served)) as reader:
        send(lazy, HELLO)
        receive_until(reader, "state")
        assert served.app is not None
        open_pages = served.app.state.companion.hub
        assert becomes(lambda: open_pages.connections == 2)
        table.table["rules"]["changed"] = {"padding": "x" * 200_000}
        for _ in range(300):
            served.do(table.publish)
            with suppress(ConnectionClosed):
                send(lazy, {"t": "ping"})
            send(reader, {"t": "ping"})
            receive_until(reader, "pong")
            if open_pages.connections == 1:
                break
        assert becomes(lambda: open_pages.connections == 1)
        send(reader, {"t": "ping"})
        receive_until(reader, "pong")


def test_phones_come_back_to_a_restarted_server(table: FakeTable) -> None:
    store = MemoryStore()
    with ExitStack() as pages:
        with Served(table, store) as served:
            token = joined(served, name="Ann")
            page = pages.enter_context(greeted(served, token))
            receive_until(page, "state")
        assert closed_with(page)[0] == 1012
    with Served(table, store, port=served.port) as again, greeted(again, token) as page:
        assert receive(page)["you"]["seats"] == [0]


class Pipe:
    """The sending half of a page that is only looked at."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def send_text(self, data: str) -> None:
        self.sent.append(json.loads(data))


async def drained(connection: Connection) -> None:
    """Let the writer send all there is."""
    writer = asyncio.create_task(connection.write())
    for _ in range(200):
        await asyncio.sleep(0)
    writer.cancel()
    await asyncio.gather(writer, return_exceptions=True)


def test_a_page_that_lags_gets_one_snapshot_and_all_its_answers() -> None:
    table, pipe = FakeTable(), Pipe()
    connection = Connection(pipe, Session("s"), table, "play")
    table.subscribe(connection.publish)
    for number in range(QUEUE + 5):
        table.publish()
        connection.note({"t": "answer", "id": str(number)})
    run(drained(connection))
    answers = [message["id"] for message in pipe.sent if message["t"] == "answer"]
    assert answers == [str(number) for number in range(QUEUE + 5)]
    assert [message["version"] for message in pipe.sent if message["t"] == "state"] == [table.current().version]


def test_a_page_that_keeps_up_gets_every_version() -> None:
    table, pipe = FakeTable(), Pipe()
    connection = Connection(pipe, Session("s"), table, "play")
    table.subscribe(connection.publish)
    for _ in range(QUEUE):
        table.publish()
    run(drained(connection))
    assert [message["version"] for message in pipe.sent] == list(range(2, QUEUE + 2))


class Door(Pipe):
    """A pipe with room for nothing until it is opened, or that is broken then."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.trouble: Exception | None = None

    async def send_text(self, data: str) -> None:
        await self.open.wait()
        if self.trouble is not None:
            raise self.trouble
        await super().send_text(data)


async def idle_page(pipe: Pipe) -> tuple[FakeTable, Connection, asyncio.Task[None]]:
    """A page that has been sent all there was, and its writer."""
    table = FakeTable()
    connection = Connection(pipe, Session("s"), table, "play")
    table.subscribe(connection.publish)
    writer = asyncio.create_task(connection.write())
    await asyncio.sleep(0)
    return table, connection, writer


def test_what_a_page_has_room_for_is_sent_at_once() -> None:
    async def scene() -> None:
        pipe = Pipe()
        table, connection, writer = await idle_page(pipe)
        table.publish()
        connection.note({"t": "pong"})
        table.publish()
        assert [message.get("version", "pong") for message in pipe.sent] == [2, "pong", 3]
        writer.cancel()

    run(scene())


def test_what_a_page_has_no_room_for_waits_and_keeps_its_order() -> None:
    async def scene() -> None:
        pipe = Door()
        table, _, writer = await idle_page(pipe)
        for _ in range(3):
            table.publish()
        assert pipe.sent == []
        await asyncio.sleep(0)
        pipe.open.set()
        for _ in range(9):
            await asyncio.sleep(0)
        table.publish()
        assert [message["version"] for message in pipe.sent] == [2, 3, 4, 5]
        writer.cancel()

    run(scene())


@pytest.mark.parametrize("waits", [True, False], ids=["after it waited", "at once"])
def test_a_page_that_breaks_while_it_is_sent_to_ends_its_writer_and_nothing_else(waits: bool) -> None:
    async def scene() -> None:
        pipe = Door()
        pipe.trouble = RuntimeError("it is gone")
        if not waits:
            pipe.open.set()
        table, _, writer = await idle_page(pipe)
        table.publish()  # nobody is told of it here
        await asyncio.sleep(0)
        pipe.open.set()
        with pytest.raises(RuntimeError, match="it is gone"):
            await writer
        table.publish()

    run(scene())


def test_a_writer_that_is_ended_ends_what_was_begun_for_it() -> None:
    async def scene() -> None:
        pipe = Door()
        table, _, writer = await idle_page(pipe)
        table.publish()
        await asyncio.sleep(0)
        writer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writer
        pipe.open.set()
        await asyncio.sleep(0)
        assert pipe.sent == []

    run(scene())


def test_a_page_that_asks_without_reading_is_to_be_closed() -> None:
    connection = Connection(Pipe(), Session("s"), FakeTable(), "play")
    for _ in range(hub.NOTES + 1):
        connection.note({"t": "pong"})
    assert connection.overrun


def test_a_taken_port_is_named_with_its_remedy() -> None:
    with listening_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            CannotListen, match=rf"port {port} on 127\.0\.0\.1 is taken.*--listen 127\.0\.0\.1:{port + 1}"
        ):
            listening_socket("127.0.0.1", port)


def test_a_foreign_address_is_named_with_its_remedy() -> None:
    with pytest.raises(CannotListen, match=r"192\.0\.2\.1 is not an address of this machine.*--listen 0\.0\.0\.0:8080"):
        listening_socket("192.0.2.1", 8080)


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "z\\ud800z"])
def test_half_characters_are_answered_and_the_socket_lives(served: Served, half: str) -> None:
    with greeted(served, joined(served)) as page:
        for text in (
            f'{{"t":"do","id":"{half}","do":"rename","seat":0,"name":"Eva"}}',
            f'{{"t":"do","id":"{half}","do":"nope"}}',
            f'{{"t":"nope","id":"{half}"}}',
        ):
            page.send(text)
            assert receive_until(page, "answer") == {"t": "answer", "id": None, "ok": False, "reason": "bad-command"}
        page.send(f'{{"t":"do","id":"c1","do":"give","seat":0,"session":"{half}"}}')
        assert receive_until(page, "answer") == {"t": "answer", "id": "c1", "ok": False, "reason": "bad-command"}
        send(page, {"t": "ping"})
        assert receive_until(page, "pong") == {"t": "pong"}
