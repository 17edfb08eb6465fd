"""Rough company at a real table: storms, doubles, races, readers that never read, strangers, and a clock that jumps."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.patience import DEADLINE

from .household import Household, told, within
from .process import SETTINGS, Phone, Process, View, catch_up, rows

pytestmark = pytest.mark.slow

STORM = 2000  # commands of one phone
LAZY = 16  # pages that never read
KEPT_VERSIONS = 256  # of the table, for pages that come back
VOLUME = 5_000_000  # bytes for each of them: more than a kernel keeps for anybody
SPARE = 16_000_000  # bytes of memory that may come of it, all pages together
GUESSES = 10_000
FIVE_YEARS = 5 * 365 * 24 * 3600


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Process]:
    with Process(tmp_path) as process:
        yield process


def party(table: Process, *names: str, **start: object) -> tuple[list[Phone], Phone]:
    """Phones with a seat each, a game on, and a host without one."""
    phones = [Phone(table, name) for name in names]
    host = Phone(table).take_hosting(table)
    assert host.ask("start", **start)["ok"]
    catch_up(*phones, host)
    return phones, host


def test_a_storm_of_commands_is_answered_one_by_one_and_holds_up_nobody(table: Process, tmp_path: Path) -> None:
    phones, host = party(table, "Ann", "Bo", "Cy", "Di", preset="attack")

    def storm(phone: Phone) -> list[View]:
        given = [phone.send("pass", seat=number % 4) for number in range(STORM)]
        return phone.answers(given)

    with ThreadPoolExecutor(len(phones)) as pool:
        storms = [pool.submit(storm, phone) for phone in phones]
        waits = []
        while not all(each.done() for each in storms):
            begun = time.monotonic()
            assert host.ask("set-direction", step=1)["ok"]
            waits.append(time.monotonic() - begun)
            time.sleep(0.12)
    within("an answer in the middle of a storm", 0.5, waits)
    for each in storms:
        answers = each.result()
        assert len(answers) == STORM
        assert {answer.get("reason") for answer in answers} >= {"too-many", "not-your-seat"}
    versions = [row for row in rows(tmp_path, "answer") if row["id"].startswith("pass")]
    assert len(versions) <= 1 + 4  # nobody has drawn anything: hardly anything came of it
    assert table.health()["ok"]


def test_the_same_command_five_times_acts_once(table: Process, tmp_path: Path) -> None:
    (ann, bo), host = party(table, "Ann", "Bo", preset="attack")
    due = host.state["table"]["due"]["seat"]
    phone = (ann, bo)[due]
    command = {"t": "do", "id": "once", "do": "press", "seat": due}
    body = {"id": "once", "do": "press", "seat": due}
    phone.socket.send(json.dumps(command))
    phone.socket.send(json.dumps(command))
    answers = [phone.answer("once"), phone.answer("once")]  # as many answers as times it was sent
    phone.connect(table)
    phone.socket.send(json.dumps(command))
    answers.append(phone.answer("once"))
    answers.append(phone.post(table, "/api/v1/do", body).json())
    table.kill()
    with Process(tmp_path, table.port) as again:
        phone.connect(again)
        phone.socket.send(json.dumps(command))
        answers.append(phone.answer("once"))
    assert [answer["ok"] for answer in answers] == [True] * 5
    shots = [row for row in rows(tmp_path, "shot") if row["seat"] == due]
    assert len(shots) == 1


def test_the_same_command_from_another_phone_is_another_command(table: Process) -> None:
    (ann, bo), _ = party(table, "Ann", "Bo", preset="attack")
    ann.send("rename", id="same", seat=0, name="Anna")
    bo.send("rename", id="same", seat=1, name="Bob")
    assert ann.answer("same")["seat"] == 0
    assert bo.answer("same")["seat"] == 1


def expose(phones: list[Phone]) -> int:
    """Play until somebody holds one card and has not called; the seat."""
    for _ in range(300):
        catch_up(phones[0])
        view = phones[0].state["table"]
        due = view["due"]["seat"]
        phone = phones[due]
        catch_up(phone)
        mine = phone.state["mine"][0]
        if mine["moves"]:
            move = mine["moves"][0]
            choices: dict[str, object] = {"colour": "red"} if move["colours"] else {}
            if move["targets"]:
                choices["target"] = move["targets"][0]
            if move["keep"]:
                choices["keep"] = move["keep"]
            assert phone.ask("play", seat=due, card=move["card"], **choices)["ok"]
        elif mine["may"]["pass"]:
            assert phone.ask("pass", seat=due)["ok"]
        elif mine["may"]["hit"]:
            phone.ask("press", seat=due)
            catch_up(phone)
            phone.settle()
        elif mine["may"]["colour"]:
            assert phone.ask("colour", seat=due, colour="red")["ok"]
        catch_up(phones[0])
        ripe = [seat["seat"] for seat in phones[0].state["table"]["seats"] if seat["catchable"]]
        if ripe:
            return int(ripe[0])
    raise AssertionError("nobody comes down to one card")


def test_two_catches_at_once_are_one_catch(tmp_path: Path) -> None:
    settings = SETTINGS.replace("grace_ms = 0", "grace_ms = 400") + "[rules]\nhand_size = 3\n"
    with Process(tmp_path, settings=settings) as table:
        phones, host = party(table, "Ann", "Bo", "Cy", preset="attack")
        target = expose(phones)
        catchers = [phone for seat, phone in enumerate(phones) if seat != target]
        seats = [seat for seat in range(3) if seat != target]
        given = [phone.send("catch", seat=seat, target=target) for phone, seat in zip(catchers, seats, strict=True)]
        answers = [phone.answer(identity) for phone, identity in zip(catchers, given, strict=True)]
        assert sorted(answer["ok"] for answer in answers) == [False, True]
        loser = next(answer for answer in answers if not answer["ok"])
        winner = seats[[answer["ok"] for answer in answers].index(True)]
        assert loser["first"]["what"] == "catch"
        assert loser["first"]["seat"] == winner
        assert loser["first"]["ms"] >= 0
        catch_up(host)
        caught = [row for row in rows(tmp_path, "entry") if row["entry"]["action"]["do"] == "catch"]
        assert len(caught) == 1


def test_a_call_beats_two_catches_within_the_grace(tmp_path: Path) -> None:
    settings = SETTINGS.replace("grace_ms = 0", "grace_ms = 10000") + "[rules]\nhand_size = 3\n"
    with Process(tmp_path, settings=settings) as table:
        phones, _ = party(table, "Ann", "Bo", "Cy", preset="attack")
        target = expose(phones)
        seats = [seat for seat in range(3) if seat != target]
        given = [phones[seat].send("catch", seat=seat, target=target) for seat in seats]
        for seat in seats:
            phones[seat].ask("nothing")  # the catches have arrived
        assert phones[target].ask("uno", seat=target)["ok"]
        answers = [phones[seat].answer(identity) for seat, identity in zip(seats, given, strict=True)]
        assert [answer["ok"] for answer in answers] == [False, False]
        assert [answer["first"]["what"] for answer in answers] == ["call", "call"]
        assert all(answer["first"]["ms"] <= 0 for answer in answers)  # it came later, within the grace


def test_others_play_on_when_the_hosts_phone_is_gone(table: Process) -> None:
    """In mid-round; and whoever knows the host code plays for the seat that is away."""
    phones, _ = party(table, "Ann", "Bo", "Cy", preset="attack")
    ann = phones[0].take_hosting(table)
    ann.hang_up()
    others = phones[1:]
    end = time.monotonic() + DEADLINE
    while not others[0].state or others[0].state["table"]["seats"][0]["connected"]:
        others[0].hear()
        assert time.monotonic() < end, "nobody notices that it is gone"
    answer = others[0].post(table, "/api/v1/host", {"code": table.host_code})
    assert answer.json()["you"]["host"] is True
    acted = set()
    for _ in range(40):
        catch_up(*others)
        view = others[0].state["table"]
        if view["phase"] != "playing":
            break
        due = view["due"]["seat"]
        acting = others[max(due - 1, 0)]
        answer_to = acting.ask("press", seat=due)  # as a host for the seat that is away
        if answer_to["ok"]:
            acted.add(due)
        else:
            acting.ask("pass", seat=due)
        catch_up(acting)
        acting.settle()
        if acted == {0, 1, 2}:
            break
    assert acted == {0, 1, 2}
    ann.connect(table)
    assert ann.see()["mine"][0]["seat"] == 0


def test_a_page_that_never_reads_costs_little_memory(table: Process) -> None:
    phones, host = party(table, *(f"Player {number}" for number in range(9)), preset="attack")

    def busy(number: int) -> int:
        """Everybody says something that is told to all, in names as long as they can be; the bytes each page gets."""
        given = [
            phone.send("rename", seat=seat, name=f"{'Ω' * 14}{number % 100}{seat}") for seat, phone in enumerate(phones)
        ]
        for phone, identity in zip(phones, given, strict=True):
            phone.answer(identity)
        host.ask("nothing")
        time.sleep(0.1)  # the limit on commands is each phone's own
        return len(json.dumps(host.state, ensure_ascii=False).encode()) * len(phones)

    for number in range(KEPT_VERSIONS // len(phones) + 1):
        busy(number)  # until the table keeps as many versions as it will
    before = worst = table.resident()
    with ExitStack() as pages:
        for _ in range(LAZY):
            pages.callback(_deaf(table, Phone(table)).close)
        begun = time.monotonic()
        while table.health()["pages"] < LAZY + len(phones) + 1:
            assert time.monotonic() < begun + DEADLINE, "they were not let in"
        said = number = 0
        while said < VOLUME:
            number += 1
            said += busy(number)
            worst = max(worst, table.resident())
    grown = worst - before
    print(f"{LAZY} pages that never read, {said / 1e6:.1f} MB said to each: {grown / 1e6:.1f} MB more memory")
    assert grown < SPARE
    assert table.health()["ok"]


def _deaf(table: Process, phone: Phone) -> socket.socket:
    """A page's socket that says hello and pings, and never reads a byte from then on."""
    phone.hang_up()
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.connect(("127.0.0.1", table.port))
    host = f"127.0.0.1:{table.port}"
    request = [
        "GET /ws HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", f"Cookie: {phone.cookie}", "", "",
    ]  # fmt: skip
    plain.sendall("\r\n".join(request).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):  # it may not speak before it has been let in
        answer += plain.recv(1)
    plain.sendall(_frame('{"t":"hello","epoch":-1,"version":-1,"page":"play"}'))
    threading.Thread(target=_beat, args=(plain,), daemon=True).start()
    return plain


def _beat(plain: socket.socket) -> None:
    try:
        while True:
            time.sleep(2.0)
            plain.sendall(_frame('{"t":"ping"}'))
    except OSError:
        return  # it was let go, or the test is over


def _frame(text: str) -> bytes:
    """A masked text frame; the mask is zeros."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


class _Elsewhere(BaseHTTPRequestHandler):
    """Another site."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class calls it so
        return


ATTACKS = """async (base) => {
  const found = {};
  const socket = new WebSocket(base.replace("http", "ws") + "/ws");
  found.socket = await new Promise((done) => {
    socket.onopen = () => socket.send('{"t":"hello","epoch":-1,"version":-1,"page":"play"}');
    socket.onmessage = (message) => done("heard " + message.data);
    socket.onclose = (event) => done(event.code);
  });
  const tried = async (path, more) => {
    try {
      return await (await fetch(base + path, { credentials: "include", ...more })).text();
    } catch (error) {
      return error.name;
    }
  };
  found.state = await tried("/api/v1/state");
  found.command = await tried("/api/v1/do", { method: "POST", body: '{"do":"stand","seat":0}',
    headers: { "content-type": "application/json" } });
  await tried("/api/v1/do", { method: "POST", mode: "no-cors", body: '{"do":"stand","seat":0}' });
  await tried("/api/v1/do", { method: "POST", mode: "no-cors", body: '{"do":"rename","seat":0,"name":"Eve"}',
    headers: { "content-type": "text/plain" } });
  found.framed = await new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument ? "read" : "closed"); } catch { done("closed"); } };
    frame.src = base + "/play";
    document.body.append(frame);
  });
  return found;
}"""


@pytest.mark.parametrize("name", ["uno.local", "127.0.0.1"], ids=["same-site", "cross-site"])
def test_a_page_from_elsewhere_gets_nothing_by_a_phones_cookie(tmp_path: Path, browser: Browser, name: str) -> None:
    """Another port of the same name is the same site: the browser does send the cookie there, strict or not."""
    with Household(tmp_path, browser) as house, ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        page = house.phone("Ann")
        expect(page.locator(".chip .name")).to_have_text("Ann")
        evil = page.context.new_page()
        evil.goto(f"http://{name}:{elsewhere.server_address[1]}/")
        found = evil.evaluate(ATTACKS, house.url)
        assert found == {"socket": 4403, "state": "TypeError", "command": "TypeError", "framed": "closed"}
        page.reload()
        expect(page.locator(".chip .name")).to_have_text("Ann")
        elsewhere.shutdown()


def test_forged_headers_are_refused_whatever_the_cookie(table: Process) -> None:
    ann = Phone(table, "Ann")
    evil = f"evil.example:{table.port}"
    send = partial(httpx.post, f"{table.url}/api/v1/do", json={"do": "stand", "seat": 0})
    for origin in ("http://evil.example", "null", "", table.url.replace("http", "ftp"), f"{table.url}.evil.example"):
        assert send(headers={"origin": origin, "cookie": ann.cookie}).json()["reason"] == "foreign-origin"
    rebound = httpx.get(f"{table.url}/api/v1/state", headers={"host": evil, "cookie": ann.cookie})
    assert (rebound.status_code, rebound.json()["reason"]) == (421, "foreign-host")
    for host, origin in ((evil, f"http://{evil}"), ("", "http://evil.example")):
        headers = {"Cookie": ann.cookie, **({"Host": host} if host else {})}
        address = f"ws://{host or table.url.removeprefix('http://')}/ws"
        plain = socket.create_connection(("127.0.0.1", table.port), DEADLINE)
        with connect(
            address, sock=plain, origin=Origin(origin), additional_headers={"Cookie": headers["Cookie"]}
        ) as page:
            with pytest.raises(ConnectionClosed) as closed:
                page.recv(DEADLINE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
    catch_up(ann)
    assert [seat["name"] for seat in ann.state["table"]["seats"]] == ["Ann"]


def test_ten_thousand_guesses_find_nothing_and_hold_up_nobody(table: Process) -> None:
    (ann, _), _host = party(table, "Ann", "Bo", preset="attack")

    def guess(first: int) -> Counter[str]:
        heard: Counter[str] = Counter()
        line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=DEADLINE)
        headers = {"origin": table.url, "content-type": "application/json"}
        for number in range(first, GUESSES, 4):
            line.request("POST", "/api/v1/join", json.dumps({"code": f"{number:05}"}), headers)
            reason = json.loads(line.getresponse().read())["reason"]
            heard[reason] += 1
        line.close()
        return heard

    begun = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        guesses = [pool.submit(guess, first) for first in range(4)]
        waits = []
        while not all(each.done() for each in guesses):
            asked = time.monotonic()
            ann.ask("nothing")
            waits.append(time.monotonic() - asked)
            time.sleep(0.2)
    heard = sum((each.result() for each in guesses), Counter[str]())
    took = time.monotonic() - begun
    within(f"an answer while {GUESSES} codes are guessed in {took:.0f} s", 0.5, waits)
    assert sum(heard.values()) == GUESSES
    assert set(heard) == {"wrong-code", "too-many-guesses"}
    assert heard["wrong-code"] <= 8 + took / 6 + 1
    for _ in range(3):  # an honest phone at that very address waits as long as it is told
        honest = httpx.post(
            f"{table.url}/api/v1/join", json={"code": table.code}, headers={"origin": table.url}, timeout=DEADLINE
        ).json()
        if honest["ok"]:
            return
        assert honest["reason"] == "too-many-guesses"
        assert 0 < honest["wait"] <= 6
        time.sleep(honest["wait"] + 0.5)
    raise AssertionError("the right code is refused for ever")


ANOTHER_TIME = """
import os, time

def shifted(plain, unit):
    def now():
        with open(os.environ["WALL_CLOCK"]) as file:
            return plain() + int(file.read() or 0) * unit
    return now

time.time, time.time_ns = shifted(time.time, 1), shifted(time.time_ns, 10**9)
open(os.environ["WALL_CLOCK"] + ".used", "w").close()
"""


def test_a_wall_clock_that_jumps_five_years_is_noticed_by_nobody(tmp_path: Path) -> None:
    """Forwards in mid-shot, then back: the motor stops when it would, the sockets stay, the cookies count.

    The clock is another one for all of the table's Python; with Debian's libfaketime, which shifts it for the C library
    too, a thread that waits for a condition never wakes, even where it shifts by nothing.
    """
    place, wall = tmp_path / "python", tmp_path / "wall"
    place.mkdir()
    (place / "sitecustomize.py").write_text(ANOTHER_TIME, encoding="ascii")
    wall.write_text("0", encoding="ascii")
    environment = {"PYTHONPATH": str(place), "WALL_CLOCK": str(wall)}
    settings = SETTINGS.replace("suspense_ms = 0", "suspense_ms = 400")
    jumps = (FIVE_YEARS, 0, -FIVE_YEARS, 0)
    with Process(tmp_path, settings=settings, environment=environment) as table:
        assert (tmp_path / "wall.used").exists()
        phones, host = party(table, "Ann", "Bo", preset="attack")
        for jump in jumps:
            catch_up(host, *phones)
            due = host.state["table"]["due"]["seat"]
            seen = {phone: phone.state["version"] for phone in phones}
            before = motor(table, host)
            phones[due].press(due)
            wall.write_text(str(jump), encoding="ascii")
            phones[due].until_over()
            catch_up(*phones)
            assert 0 <= motor(table, host) - before < 4.0  # seconds of one shot's motor, whatever the time of day
            assert all(phone.state["version"] > seen[phone] for phone in phones)  # on the same sockets
            for phone in phones:
                me = httpx.get(f"{table.url}/api/v1/me", headers={"cookie": phone.cookie}, timeout=DEADLINE).json()
                assert len(me["you"]["seats"]) == 1
            phones[due].ask("pass", seat=due)
        catch_up(host)
        assert host.state["table"]["launcher"]["fault"] is None
        # Rates go by no wall clock either: the burst that is allowed is neither filled up at once nor gone for years.
        answers = phones[0].answers([phones[0].send("nothing") for _ in range(60)])
        assert {answer["reason"] for answer in answers} == {"bad-command", "too-many"}
        time.sleep(0.5)
        assert phones[0].ask("nothing")["reason"] == "bad-command"
    wall.write_text(str(FIVE_YEARS), encoding="ascii")
    with Process(tmp_path, settings=settings, environment=environment) as table:
        for phone in phones:
            phone.connect(table)
            assert len(phone.see()["mine"]) == 1


def motor(table: Process, host: Phone) -> float:
    """Seconds the motor has run in the last minute."""
    headers = {"cookie": host.cookie, "origin": table.url}
    service = httpx.get(f"{table.url}/api/v1/service", headers=headers, timeout=DEADLINE).json()["service"]
    return float(service["motor"]["used"])


def test_a_page_whose_own_clock_jumps_stays_on_the_line(tmp_path: Path, browser: Browser) -> None:
    with Household(tmp_path, browser) as house:
        page = house.phone("Ann")
        page.evaluate("(jump) => { const now = Date.now; Date.now = () => now() + jump; }", FIVE_YEARS * 1000)
        host = Phone(house.table).take_hosting(house.table)
        page.wait_for_timeout(7000)  # more than a silence that counts as death
        expect(page.locator("html")).to_have_attribute("data-line", "live")
        assert page.evaluate("greeted.length") == 1
        catch_up(host)
        told(page, host.state["epoch"], host.state["version"])


def test_what_it_prints_names_no_token_and_no_seed(tmp_path: Path) -> None:
    with Process(tmp_path, seed="a-seed-of-its-own") as table:
        (ann, bo), host = party(table, "Ann", "Bo", preset="attack")
        httpx.get(f"{table.url}/api/v1/state?token={ann.token}", headers={"cookie": ann.cookie})
        catch_up(ann, bo, host)
        said = table.stop()
    for secret in (ann.token, bo.token, host.token, "a-seed-of-its-own"):
        assert secret not in said
