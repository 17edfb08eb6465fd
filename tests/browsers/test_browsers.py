"""Firefox and WebKit at a real table: every page loads without an error, and a turn is played."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any, Protocol, Self

import pytest

from tests.browsers.firefox import Firefox
from tests.browsers.webkit import WebKit
from tests.end_to_end.process import SETTINGS, Phone, Process
from tests.loops import run
from tests.patience import DEADLINE
from web_companion.addresses import lan_address
from web_companion.app import PAGES

pytestmark = pytest.mark.slow

# What the page asks for, in one tap: the sheet that is open, a lit card, the button.
TAP = """() => {
  for (const selector of ["dialog[open] .fields button", ".panel .fields.colours button, .ask .fields button",
    ".press [data-do=press]:not([aria-busy=true])", ".hand .card.lit", "[data-do=pass].able", "[data-do=press].able"]) {
    const found = document.querySelector(selector);
    if (found && !found.disabled) { found.click(); return selector; }
  }
}"""
LOADED = """() => document.documentElement.dataset.line === "live" && document.querySelector("main") !== null
  && document.querySelector("h1, h2") !== null"""


class Other(Protocol):
    """A browser that is not Chromium."""

    name: str
    complaints: list[str]

    def __init__(self, place: Path) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *about: object) -> None: ...
    async def open(self, url: str) -> None: ...
    async def run(self, function: str, *arguments: object) -> Any: ...


async def until(browser: Other, function: str, *arguments: object) -> Any:
    """Until the function gives something."""
    end = time.monotonic() + DEADLINE
    while not (found := await browser.run(function, *arguments)):
        if time.monotonic() > end:
            page = await browser.run("() => [location.href, document.documentElement.outerHTML.slice(0, 3000)]")
            raise AssertionError(f"{browser.name}, {function}: {page}, {browser.complaints}")
        await asyncio.sleep(0.1)
    return found


async def visit(browser: Other, table: Process) -> None:
    """Join, look at every page, and play until it is another's turn."""
    await browser.open(f"{table.url}/#{table.code}")
    await until(browser, "() => document.querySelector('[data-do=sit]:enabled') !== null")
    await browser.run("""() => { const name = document.querySelector("#name"); name.focus(); name.value = "Ann";
        name.dispatchEvent(new Event("input")); document.querySelector("[data-do=sit]").click(); }""")
    await until(browser, "() => location.pathname === '/play' && document.querySelector('.chip') !== null")
    answer = await browser.run(
        """(code) => fetch("/api/v1/host", { method: "POST", headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }) }).then((it) => it.json())""",
        table.host_code,
    )
    assert answer["you"]["host"] is True
    for path in PAGES:
        await browser.open(f"{table.url}{path}{'?sit' if path == '/' else ''}")
        await until(browser, LOADED)
        fallen = "() => performance.getEntriesByType('resource').filter((it) => it.responseStatus >= 400).length"
        assert await browser.run(fallen) == 0, path
    assert browser.complaints == []


async def play(browser: Other, table: Process, host: Phone) -> list[str]:
    """Whatever the page asks, by tapping, until a card was laid."""
    await browser.open(f"{table.url}/play")
    await until(browser, "() => document.querySelector('.hand .card, .press') !== null")
    (seat,) = await browser.run("() => fetch('/api/v1/me').then((it) => it.json()).then((it) => it.you.seats)")
    did: list[str] = []
    end = time.monotonic() + 2 * DEADLINE
    held = before = 0
    while ".hand .card.lit" not in did or held >= before:  # a card of the hand is on the table
        what = await browser.run(TAP)
        if what:
            did.append(str(what))
        await asyncio.sleep(0.2)
        host.ask("nothing")
        before, held = held, host.state["table"]["seats"][seat]["hand"]
        assert time.monotonic() < end, (browser.name, did)
    assert browser.complaints == []
    return did


@pytest.mark.parametrize("kind", [Firefox, WebKit], ids=lambda kind: kind.name)
def test_every_page_loads_and_a_turn_is_played(tmp_path: Path, kind: type[Other]) -> None:
    async def evening(table: Process) -> None:
        begun = time.monotonic()
        async with kind(tmp_path) as browser:
            await visit(browser, table)
            looked = time.monotonic()
            host = Phone(table)
            answer = host.post(table, "/api/v1/host", {"code": table.host_code})
            assert answer.status_code == 200, answer.text
            host.connect(table)
            host.see()
            assert host.ask("start", preset="attack")["ok"]
            did = await play(browser, table, host)
            host.hang_up()
            secure = await browser.run("() => isSecureContext")
            print(
                f"{kind.name} at {table.url} (secure context: {secure}): pages {looked - begun:.1f} s, a turn of "
                f"{len(did)} taps {time.monotonic() - looked:.1f} s"
            )

    # The machine's own address on the network, where there is one: plain HTTP as at home.
    with Process(tmp_path, 0, "--bots", "1", settings=SETTINGS, address=lan_address()) as table:
        run(evening(table))
