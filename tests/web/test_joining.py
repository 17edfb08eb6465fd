"""Joining, hosting, and what a phone is remembered by."""

from __future__ import annotations

import json

import pytest

from controller.rules.options import BY_NAME, OPTIONS, resolve
from tests.web.fake_table import FakeTable
from tests.web.phone import Phone
from tests.web.served import CODES
from web_companion.app import build_app
from web_companion.door import MemoryStore
from web_companion.sessions import COOKIE, MOST_SESSIONS, NEVER_FORGOTTEN, Sessions

BASE = "http://uno.local:8080"


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def phone(table: FakeTable, store: MemoryStore, base: str = BASE, address: str = "192.168.1.50") -> Phone:
    return Phone(build_app(table, Sessions(store), CODES, lambda: "http://192.168.1.7:8080"), base, address)


@pytest.fixture
def client(table: FakeTable, store: MemoryStore) -> Phone:
    return phone(table, store)


def test_joining_with_the_code_gives_a_cookie_that_scripts_cannot_read(client: Phone) -> None:
    answer = client.post("/api/v1/join", {"code": "k7m4q"})
    assert answer.json()["you"]["seats"] == []
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Max-Age=34560000" in cookie
    assert "expires" not in cookie.lower()
    assert client.get("/api/v1/me").json()["you"]["session"] == answer.json()["you"]["session"]


def test_joining_with_a_name_takes_a_seat(client: Phone, table: FakeTable) -> None:
    answer = client.post("/api/v1/join", {"code": CODES.join, "name": " Ann\u202e "})
    assert answer.json()["you"]["seats"] == [0]
    assert table.table["seats"][0]["name"] == "Ann"


def test_a_watcher_takes_no_seat(client: Phone, table: FakeTable) -> None:
    client.post("/api/v1/join", {"code": CODES.join, "name": "Ann", "watch": True})
    assert table.given == []


def test_a_refused_seat_is_told_with_its_reason(client: Phone, table: FakeTable) -> None:
    table.refuse["sit"] = "table-full"
    answer = client.post("/api/v1/join", {"code": CODES.join, "name": "Ann"})
    assert (answer.status_code, answer.json()["reason"]) == (409, "table-full")


@pytest.mark.parametrize("body", ["", "[]", "17", "{", '{"code": 5}', '{"code": ["K7M4Q"]}', "[" * 5000])
def test_nonsense_does_not_join(client: Phone, body: str) -> None:
    answer = client.post_raw("/api/v1/join", body.encode())
    assert answer.status_code in (400, 403)
    assert "set-cookie" not in answer.headers


def test_a_wrong_code_is_refused_and_guessing_ends_soon(client: Phone) -> None:
    reasons = [client.post("/api/v1/join", {"code": f"WRONG{n}"}).json()["reason"] for n in range(12)]
    assert reasons == ["wrong-code"] * 8 + ["too-many-guesses"] * 4
    last = client.post("/api/v1/join", {"code": CODES.join})
    assert (last.status_code, last.json()["reason"]) == (429, "too-many-guesses")
    assert last.json()["wait"] > 0


def test_ten_phones_behind_one_address_all_get_in(table: FakeTable, store: MemoryStore) -> None:
    app = build_app(table, Sessions(store), CODES, lambda: "http://192.168.1.7:8080")
    for _ in range(20):
        assert Phone(app, BASE).post("/api/v1/join", {"code": CODES.join}).json()["ok"]


def test_the_join_code_makes_nobody_host(client: Phone) -> None:
    assert client.post("/api/v1/host", {"code": CODES.join}).json()["reason"] == "wrong-code"
    assert client.post("/api/v1/host", {}).json()["reason"] == "wrong-code"
    assert client.post("/api/v1/host", {"code": CODES.host}).json()["you"]["host"] is True
    assert client.get("/api/v1/me").json()["you"]["host"] is True


@pytest.mark.parametrize(
    ("base", "address", "granted"),
    [
        ("http://localhost:8080", "127.0.0.1", True),
        ("http://127.0.0.1:8080", "127.0.0.1", True),
        ("http://uno.local:8080", "127.0.0.1", False),  # whatever came through a proxy or a rebound name
        ("http://localhost:8080", "192.168.1.50", False),  # another machine only says that it is this one
    ],
)
def test_hosting_needs_no_code_at_the_machine_itself(
    table: FakeTable, store: MemoryStore, base: str, address: str, granted: bool
) -> None:
    client = phone(table, store, base, address)
    assert client.get("/api/v1/me").json()["atMachine"] is granted
    assert client.post("/api/v1/host", {}).json()["ok"] is granted


def test_a_phone_is_known_again_after_a_restart(table: FakeTable, store: MemoryStore) -> None:
    client = phone(table, store)
    you = client.post("/api/v1/join", {"code": CODES.join, "name": "Ann"}).json()["you"]
    again = phone(table, store)
    again.cookies.set(COOKIE, client.cookies[COOKIE])
    assert again.get("/api/v1/me").json()["you"] == {**you, "seats": [0], "name": "Ann"}


def test_the_store_holds_no_token(client: Phone, store: MemoryStore) -> None:
    client.post("/api/v1/join", {"code": CODES.join})
    kept = store.kept("web.sessions")
    assert kept is not None
    assert client.cookies[COOKIE] not in kept
    assert len(json.loads(kept)["sessions"]) == 1


def test_a_made_up_token_is_nobody(client: Phone) -> None:
    client.cookies.set(COOKIE, "A" * 22)
    assert client.get("/api/v1/me").json()["you"] is None


def test_the_oldest_idle_phones_are_forgotten_before_hosts(store: MemoryStore) -> None:
    sessions = Sessions(store)
    sessions.worth = lambda session: NEVER_FORGOTTEN if session.host else 0
    host_token, host = sessions.create()
    host.host = True
    first_token, _ = sessions.create()
    for _ in range(MOST_SESSIONS):
        sessions.create()
    assert sessions.find(first_token) is None
    assert sessions.find(host_token) is host


def test_a_phone_with_a_place_at_the_table_is_never_forgotten(table: FakeTable, store: MemoryStore) -> None:
    """Asleep since a restart, without a page: that it sits, has stood up or waits, the table knows."""
    app = build_app(table, Sessions(store), CODES, lambda: "http://192.168.1.7:8080")
    seated, stood, waits, idle = (Phone(app, BASE) for _ in range(4))
    seated.post("/api/v1/join", {"code": CODES.join, "name": "Ann"})
    for each in (stood, waits, idle):
        each.post("/api/v1/join", {"code": CODES.join})
    table.left[5] = stood.get("/api/v1/me").json()["you"]["session"]
    table.waiting.add(waits.get("/api/v1/me").json()["you"]["session"])
    sessions = Sessions(store)
    build_app(table, sessions, CODES, lambda: "http://192.168.1.7:8080")
    for _ in range(MOST_SESSIONS + 5):
        sessions.create()
    kept = [sessions.find(each.cookies[COOKIE]) is not None for each in (seated, stood, waits, idle)]
    assert kept == [True, True, True, False]


def test_nobody_is_forgotten_for_a_newcomer_where_all_have_a_place(store: MemoryStore) -> None:
    sessions = Sessions(store)
    sessions.worth = lambda session: NEVER_FORGOTTEN
    tokens = [sessions.create()[0] for _ in range(MOST_SESSIONS + 1)]
    assert all(sessions.find(token) for token in tokens)


def test_a_household_joins_at_once_and_a_flood_is_damped(table: FakeTable, store: MemoryStore) -> None:
    app = build_app(table, Sessions(store), CODES, lambda: "http://192.168.1.7:8080")
    answers = [Phone(app, BASE).post("/api/v1/join", {"code": CODES.join}) for _ in range(62)]
    assert all(answer.json()["ok"] for answer in answers[:50])
    last = answers[-1]
    assert (last.status_code, last.json()["reason"]) == (429, "too-many")
    assert last.json()["wait"] >= 1
    assert Phone(app, BASE, "192.168.1.51").post("/api/v1/join", {"code": CODES.join}).json()["ok"]


def test_a_phone_that_has_joined_is_not_counted_again(client: Phone) -> None:
    assert all(client.post("/api/v1/join", {"code": CODES.join}).json()["ok"] for _ in range(70))


def test_the_qr_is_for_those_who_have_joined(client: Phone) -> None:
    assert client.get("/qr.svg").status_code == 403
    client.post("/api/v1/join", {"code": CODES.join})
    answer = client.get("/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("<?xml")
    assert "style=" not in answer.text


def test_pages_are_asked_for_again_and_their_parts_never(client: Phone) -> None:
    page = client.get("/play")
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-encoding"] == "gzip"
    build = client.get("/healthz").json()["build"]
    assert f"/a/{build}/js/play.js" in page.text
    part = client.get(f"/a/{build}/js/play.js")
    assert "immutable" in part.headers["cache-control"]
    assert part.headers["content-type"].startswith("text/javascript")
    again = client.get("/play", if_none_match=page.headers["etag"])
    assert again.status_code == 304
    plain = client.get("/play", accept_encoding="identity")
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(
    "path", ["/a/oldbuild/js/play.js", "/a/{build}/play.html", "/a/{build}/../app.py", "/a/{build}/nothing.js"]
)
def test_no_other_file_is_served(client: Phone, path: str) -> None:
    build = client.get("/healthz").json()["build"]
    assert client.get(path.format(build=build)).status_code == 404


def test_there_is_no_schema_page_that_loads_from_elsewhere(client: Phone) -> None:
    assert [client.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json")] == [404, 404, 404]


def test_no_answer_carries_the_codes_to_a_stranger(client: Phone) -> None:
    for path in ("/", "/play", "/table", "/host", "/healthz", "/api/v1/me"):
        text = client.get(path).text
        assert CODES.join not in text
        assert CODES.host not in text


def test_a_refused_name_may_be_changed_and_given_again(client: Phone, table: FakeTable) -> None:
    """Every request is a command of its own: the table must not take it for the one it has answered."""
    client.post("/api/v1/join", {"code": CODES.join, "name": "Ann"})
    client.post("/api/v1/join", {"name": "Bo"})
    first, second = (command["id"] for _, command in table.given)
    assert first != second


def test_only_the_host_is_told_which_phones_are_here(client: Phone) -> None:
    client.post("/api/v1/join", {"code": CODES.join})
    assert client.get("/api/v1/phones").status_code == 403
    client.post("/api/v1/host", {"code": CODES.host})
    assert client.get("/api/v1/phones").json() == {"ok": True, "phones": []}


def test_the_rules_are_data(client: Phone) -> None:
    answer = client.get("/api/v1/rules")
    rules = answer.json()
    assert [option["name"] for option in rules["options"]] == [option.name for option in OPTIONS]
    assert sorted(name for group in rules["groups"] for name in group["options"]) == sorted(BY_NAME)
    assert {preset["name"]: preset["family"] for preset in rules["presets"]} == {
        **dict.fromkeys(("attack", "attack-sheet", "extreme", "attack-2015", "mega-hit"), "attack"),
        **dict.fromkeys(("classic", "classic-dealer-first", "classic-clockwise", "classic-strict"), "classic"),
        **dict.fromkeys(("stack", "killer"), "house"),
    }
    for preset in rules["presets"]:
        values = {option["name"]: option["default"] for option in rules["options"]} | preset["values"]
        assert resolve(preset["name"]).options == {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
    assert all(choice["text"] and "{" not in choice["text"] for one in rules["options"] for choice in one["choices"])
    assert rules["decks"]["mega-hit"]["wilds"] == ["wild", "wild-attack-attack"]
    assert rules["decks"]["classic-108"]["points"]["wild-draw-four"] == 50
    assert client.get("/api/v1/rules", if_none_match=answer.headers["etag"]).status_code == 304


def test_health_is_bad_once_the_journal_failed(client: Phone, table: FakeTable) -> None:
    assert client.get("/healthz").json()["ok"] is True
    table.failed = "the disk is full"
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["ok"] is False
    assert answer.json()["failure"] == "the disk is full"
