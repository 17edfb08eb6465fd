"""Who is let in: Host and Origin tables, names, codes, rates. Pure functions and the guard in front of a bare app."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.web.fake_table import FakeTable
from tests.web.phone import Phone
from tests.web.served import CODES
from web_companion.app import build_app
from web_companion.codes import ALPHABET, Codes, codes_of
from web_companion.door import MemoryStore
from web_companion.guard import host_allowed, host_name, origin_matches
from web_companion.limits import Bucket, Buckets, GuessLimit
from web_companion.names import clean_name
from web_companion.sessions import Sessions

NAMES = {"localhost", "uno.local", "table", "table.local"}


@pytest.fixture
def client() -> Phone:
    return Phone(build_app(FakeTable(), Sessions(MemoryStore()), CODES, lambda: "http://192.168.1.7:8080", NAMES))


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("uno.local", True),
        ("UNO.local:8080", True),
        ("uno.local.", True),
        ("table.local:80", True),
        ("localhost:8080", True),
        ("192.168.1.7:8080", True),
        ("10.0.0.1", True),
        ("[::1]:8080", True),
        ("[fe80::1]", True),
        ("evil.example", False),
        ("uno.local.evil.example", False),
        ("192.168.1.7.evil.example:8080", False),
        ("uno.local@evil.example", False),
        ("uno.local:80:80", False),
        ("uno.local:port", False),
        ("2130706433", False),
        ("0x7f.1", False),
        ("", False),
        (":8080", False),
        ("[::1", False),
        ("[fe80::1%x; script-src *]", False),
    ],
)
def test_only_own_names_and_literals_are_hosts(host: str, allowed: bool) -> None:
    assert host_allowed(host, NAMES) is allowed


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://uno.local:8080", "uno.local:8080", True),
        ("HTTP://UNO.LOCAL:8080", "uno.local:8080", True),
        ("https://uno.local", "uno.local", True),
        ("http://uno.local", "uno.local:8080", False),
        ("http://uno.local:8081", "uno.local:8080", False),
        ("http://evil.example", "uno.local:8080", False),
        ("http://uno.local:8080.evil.example", "uno.local:8080", False),
        ("null", "uno.local:8080", False),
        ("", "uno.local:8080", False),
        ("http://", "", False),
        ("file://uno.local:8080", "uno.local:8080", False),
    ],
)
def test_an_origin_is_the_very_same_server(origin: str, host: str, same: bool) -> None:
    assert origin_matches(origin, host) is same


def test_a_host_name_stands_without_its_port() -> None:
    assert [host_name(host) for host in ("A.b:1", "[::1]:2", "[::1]", "a")] == ["a.b", "::1", "::1", "a"]


def test_a_rebinding_host_sees_no_page(client: Phone) -> None:
    answer = client.get("/", host="evil.example:8080")
    assert (answer.status_code, answer.json()["reason"]) == (421, "foreign-host")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_a_forged_origin_cannot_join(client: Phone, origin: str) -> None:
    answer = client.post("/api/v1/join", {"code": CODES.join}, origin=origin)
    assert (answer.status_code, answer.json()["reason"]) == (403, "foreign-origin")
    assert "set-cookie" not in answer.headers


def test_a_large_body_is_refused(client: Phone) -> None:
    answer = client.post_raw("/api/v1/join", b"x" * 70_000)
    assert (answer.status_code, answer.json()["reason"]) == (413, "too-big")


def test_a_large_body_in_pieces_is_refused(client: Phone) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(70):
            yield b"x" * 1000

    answer = client.post_raw("/api/v1/join", pieces())
    assert (answer.status_code, answer.json()["reason"]) == (413, "too-big")


def test_pages_allow_no_inline_script_or_style_and_no_frame(client: Phone) -> None:
    policy = client.get("/play").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in client.get("/play").headers


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Ann", "Ann"),
        ("  Ann \n Bo\t", "Ann Bo"),
        ("Jose\u0301", "José"),
        ("\u202eevil\u202c", "evil"),
        ("A\u200bn\u0000n", "An n"),
        ("小明", "小明"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x" * 50, "x" * 20),
        ("a" + "\u0316" * 30, "a\u0316\u0316"),
        ("\u200b\u202e \n", ""),
        ("", ""),
        (17, ""),
        (None, ""),
        ("\u00a0\u2003Bo\u00a0", "Bo"),
    ],
)
def test_names_are_cleaned(raw: object, clean: str) -> None:
    assert clean_name(raw) == clean


def test_codes_are_kept_and_forgive_how_they_are_typed() -> None:
    store = MemoryStore()
    codes = codes_of(store)
    assert codes_of(store) == codes
    assert len(codes.join) == 5
    assert set(codes.join) <= set(ALPHABET)
    assert Codes("K7M4Q", "ABCD-EFGH").is_join(" k7m 4q ")
    assert Codes("K7M4Q", "ABCD-EFGH").is_host("abcdefgh")
    assert not Codes("K7M4Q", "ABCD-EFGH").is_join("ABCD-EFGH")
    assert not Codes("K7M4Q", "ABCD-EFGH").is_host("")
    assert not Codes("K7M4Q", "ABCD-EFGH").is_join(None)


class Hands:
    """A clock turned by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_again() -> None:
    clock = Hands()
    bucket = Bucket(2, 0.5, clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert bucket.wait == pytest.approx(2.0)
    clock.now = 2.0
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_ten_thousand_guesses_from_many_addresses_are_held_to_a_trickle() -> None:
    clock = Hands()
    limit = GuessLimit(clock)
    tried = 0
    for guess in range(10_000):
        clock.now = guess * 0.01  # a hundred a second
        address = f"192.168.1.{guess % 250}"
        if limit.wait(address) == 0.0:
            tried += 1
            limit.wrong(address)
    assert tried <= 40 + 100
    assert limit.wait("192.168.2.9") > 0


def test_strangers_cannot_fill_the_memory() -> None:
    buckets = Buckets(1, 1, Hands(), most=10)
    first = buckets.of("first")
    for stranger in range(100):
        buckets.of(str(stranger))
    assert buckets.of("first") is not first
