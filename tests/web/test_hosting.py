"""Who is host, and how often a seat's code may be guessed: asked over REST, without a browser."""

from __future__ import annotations

import pytest

from tests.web.fake_table import FakeTable
from tests.web.phone import Phone
from tests.web.served import CODES
from web_companion.app import build_app
from web_companion.door import MemoryStore
from web_companion.limits import GuessLimit
from web_companion.sessions import Sessions


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def phones(table: FakeTable) -> tuple[Phone, Phone]:
    """A host, and somebody who has joined; at one server."""
    app = build_app(table, Sessions(MemoryStore()), CODES, lambda: "http://192.168.1.7:8080")
    host, guest = Phone(app), Phone(app)
    host.post("/api/v1/host", {"code": CODES.host})
    guest.post("/api/v1/join", {"code": CODES.join, "name": "Ann"})
    return host, guest


def you(phone: Phone) -> dict[str, object]:
    found: dict[str, object] = phone.get("/api/v1/me").json()["you"]
    return found


def test_hosting_is_shared_handed_over_and_taken_back(phones: tuple[Phone, Phone]) -> None:
    host, guest = phones
    session = you(guest)["session"]
    assert host.post("/api/v1/hosts", {"session": session}).json()["ok"]
    assert (you(host)["host"], you(guest)["host"]) == (True, True)
    assert host.post("/api/v1/hosts", {"session": session, "host": False}).json()["ok"]
    assert (you(host)["host"], you(guest)["host"]) == (True, False)
    assert host.post("/api/v1/hosts", {"session": session, "stay": False}).json()["you"]["host"] is False
    assert (you(host)["host"], you(guest)["host"]) == (False, True)
    assert guest.get("/api/v1/phones").json()["phones"] == []


def test_only_a_host_hands_over_and_somebody_stays_host(phones: tuple[Phone, Phone]) -> None:
    host, guest = phones
    own, other = you(host)["session"], you(guest)["session"]
    refused = guest.post("/api/v1/hosts", {"session": other})
    assert (refused.status_code, refused.json()["reason"]) == (403, "not-host")
    for body, reason in (
        ({"session": own, "host": False}, "last-host"),
        ({"session": own, "stay": False}, "last-host"),
        ({"session": "nobody"}, "no-such-phone"),
    ):
        refused = host.post("/api/v1/hosts", body)
        assert (refused.status_code, refused.json()["reason"]) == (409, reason)
    assert (you(host)["host"], you(guest)["host"]) == (True, False)


def test_a_host_without_a_page_open_can_be_found_and_dismissed(phones: tuple[Phone, Phone]) -> None:
    host, guest = phones
    session = you(guest)["session"]
    host.post("/api/v1/hosts", {"session": session})
    assert host.get("/api/v1/phones").json()["phones"] == [
        {"session": session, "name": "Ann", "seats": [0], "host": True, "here": False}
    ]


def test_the_free_chair_is_for_the_first_that_has_joined(phones: tuple[Phone, Phone], table: FakeTable) -> None:
    host, guest = phones
    table.chair_free = True
    stranger = Phone(guest._app)
    assert stranger.post("/api/v1/host", {}).json()["reason"] == "wrong-code"
    assert guest.post("/api/v1/host", {}).json()["you"]["host"]
    assert you(host)["host"], "who was host stays it"
    assert not table.chair_free


def test_a_right_host_code_does_not_use_the_free_chair_up(phones: tuple[Phone, Phone], table: FakeTable) -> None:
    _, guest = phones
    table.chair_free = True
    guest.post("/api/v1/host", {"code": CODES.host})
    assert table.chair_free


def test_ten_thousand_guesses_of_a_seats_code_take_days_wherever_they_come_from() -> None:
    now = 0.0
    limit = GuessLimit(lambda: now)
    guesses = 0
    while now < 24 * 3600:
        address = f"10.0.{guesses % 200}.{guesses % 251}"
        wait = limit.wait(address, seat=3)
        if wait > 0:
            now += wait
            continue
        limit.wrong(address, seat=3)
        guesses += 1
    assert guesses < 1500
    assert limit.wait("192.168.1.9", seat=4) == 0  # another seat is claimed meanwhile
