"""The REST interface: everything a phone can do, each answer as its description says."""

from __future__ import annotations

import pytest

from tests.loops import run
from tests.web.fake_table import FakeTable, mine, seat, table_view
from tests.web.phone import Phone
from tests.web.served import CODES
from web_companion.app import build_app
from web_companion.door import MemoryStore
from web_companion.sessions import Sessions


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def phone(table: FakeTable) -> Phone:
    return Phone(build_app(table, Sessions(MemoryStore()), CODES, lambda: "http://192.168.1.7:8080"))


@pytest.fixture
def joined(phone: Phone) -> Phone:
    assert phone.post("/api/v1/join", {"code": CODES.join, "name": "Ann"}).json()["ok"]
    return phone


def test_a_command_is_given_and_answered(joined: Phone, table: FakeTable) -> None:
    answer = joined.post("/api/v1/do", {"do": "press", "seat": 0, "id": "one"})
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "id": "one"})
    assert table.given[-1][1] == {"do": "press", "seat": 0, "id": "one"}


def test_a_command_without_an_id_gets_one(joined: Phone) -> None:
    first, second = (joined.post("/api/v1/do", {"do": "press"}).json()["id"] for _ in range(2))
    assert first != second


def test_a_seat_is_given_to_phones_that_there_are(joined: Phone, table: FakeTable) -> None:
    give = {"do": "give", "seat": 0, "session": "nobody-here"}
    joined.post("/api/v1/do", give)
    assert len(table.given) == 2, "whether somebody else may give seats away, the table says"
    own = joined.post("/api/v1/host", {"code": CODES.host}).json()["you"]["session"]
    answer = joined.post("/api/v1/do", give)
    assert (answer.status_code, answer.json()["reason"]) == (409, "no-such-phone")
    assert joined.post("/api/v1/do", {**give, "session": own}).json()["ok"]
    assert [command.get("session") for _, command in table.given[2:]] == [own]


def test_a_refused_command_says_why_with_a_status_of_its_own(joined: Phone, table: FakeTable) -> None:
    table.refuse["play"] = "no-match"
    answer = joined.post("/api/v1/do", {"do": "play", "seat": 0, "card": "red 5", "id": "two"})
    assert (answer.status_code, answer.json()["reason"], answer.json()["id"]) == (409, "no-match", "two")


def test_the_table_is_shown_as_the_phone_may_see_it(joined: Phone, table: FakeTable) -> None:
    run(_show(table))
    state = joined.get("/api/v1/state").json()
    assert (state["t"], [each["seat"] for each in state["mine"]]) == ("state", [0])


async def _show(table: FakeTable) -> None:
    table.show(table_view([seat(0, "Ann"), seat(1, "Bo")]), mine(0, ["red 5"]), mine(1, ["blue 7"]))


def test_a_stranger_sees_and_does_nothing(phone: Phone, table: FakeTable) -> None:
    for answer in (phone.get("/api/v1/state"), phone.post("/api/v1/do", {"do": "press"})):
        assert (answer.status_code, answer.json()["reason"]) == (401, "not-joined")
    assert table.given == []


def test_commands_are_damped_alike_however_they_come(joined: Phone) -> None:
    answers = [joined.post("/api/v1/do", {"do": "press"}) for _ in range(40)]
    assert {answer.status_code for answer in answers} == {200, 429}
    assert answers[-1].json()["reason"] == "too-many"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"{", "JSON"), (b"[]", "body"), (b'{"id": "x"}', "do: "), (b'{"do": 5}', "do: "),
        (b'{"do": "x", "id": ""}', "id: "), (b"[" * 50_000, ""),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told_with_its_place(joined: Phone, table: FakeTable, body: bytes, text: str) -> None:
    given = len(table.given)
    answer = joined.post_raw("/api/v1/do", body, content_type="application/json")
    assert (answer.status_code, answer.json()["reason"]) == (400, "bad-command")
    assert text in answer.json()["text"]
    assert len(table.given) == given


def test_an_address_that_is_none_is_answered_in_kind(phone: Phone) -> None:
    answer = phone.get("/api/v1/nothing")
    assert (answer.status_code, answer.json()["reason"]) == (404, "not-here")
    answer = phone.get("/api/v1/join")
    assert (answer.status_code, answer.json()["reason"], answer.headers["allow"]) == (405, "wrong-method", "POST")


def test_the_description_names_every_address(phone: Phone) -> None:
    paths = phone.get("/api/v1/openapi.json").json()["paths"]
    assert sorted(paths) == [
        "/api/v1/do", "/api/v1/host", "/api/v1/hosts", "/api/v1/join", "/api/v1/me", "/api/v1/phones",
        "/api/v1/rules", "/api/v1/service", "/api/v1/state", "/healthz",
    ]  # fmt: skip
