"""A whole evening in one process: the real journal, twin, table and server, and its people in a real browser.

The server runs in a thread with its own loop, so that a test may block, and can reach the twin's pins as a finger would
reach the machine.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as GoneAway

from controller.commands.play import settings_of
from controller.config import load, odds_profile
from controller.journal import Journal
from controller.table import Publication, Table
from hardware.clock import RealClock
from hardware.none import NoneBackend
from hardware.pins import PinMap
from hardware.settings import from_mapping
from hardware.twin import TwinBackend
from tests.patience import DEADLINE, ENVIRONMENT
from web_companion.app import build_app
from web_companion.codes import Codes, codes_of
from web_companion.server import serve
from web_companion.sessions import Sessions

A_MOMENT = 500  # ms that a tap waits for what it wants to touch
NUMBERS = ", ".join(f".hand .card.lit[data-card$=' {number}']" for number in range(10))  # they end a round sooner
# Nobody waits, and few cards come, so that a round is soon over.
AT_ONCE = """
[table]
bot_ms = 0
grace_ms = 0
[odds]
suspense_ms = 0
profile = "sparing"
[odds.tables.sparing]
chances = [0.3]
cards = "1-2"
[launcher]
rest_ms = 100
[rules]
hand_size = 2
"""
PHONE = (390, 844)
TELEVISION = (1280, 720)


class Evening:
    """`with Evening(tmp_path, browser, configuration) as evening:`; `configuration` is the text of a file."""

    def __init__(
        self, data: Path, browser: Browser, configuration: str = "", seed: str = "evening", backend: str = "twin"
    ) -> None:
        file = data / "uno-attack.toml"
        file.write_text(configuration, encoding="utf-8")
        self._config = load(file, ENVIRONMENT, {("launcher", "backend"): backend})
        self._data, self._seed, self._browser = data, seed, browser
        launcher = from_mapping(self._config.launcher)
        self.backend: TwinBackend | NoneBackend
        if backend == "none":
            self.backend = NoneBackend()
        else:
            self.backend = TwinBackend(RealClock(), launcher, PinMap(), seed=1)
        self.port = 0
        self.table: Table | None = None
        self._told = threading.Condition()
        self.events: list[dict[str, Any]] = []  # as a spectator is told them
        self.codes: Codes | None = None
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="evening", daemon=True)
        self._contexts: list[BrowserContext] = []

    @property
    def url(self) -> str:
        """The table's address as a phone at home sees it: plain HTTP on a name that is not localhost."""
        return f"http://uno.local:{self.port}"

    def phone(self, size: tuple[int, int] = PHONE, theme: str = "dark") -> Page:
        """A browser of its own: cookies are nobody else's."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=2 if size == PHONE else 1,
            has_touch=size == PHONE,
            color_scheme="light" if theme == "light" else "dark",
            reduced_motion="reduce",
        )
        context.set_default_timeout(DEADLINE * 1000)
        self._contexts.append(context)
        return context.new_page()

    def join(self, page: Page, name: str) -> Page:
        """`page` opens the printed address, gives a name and takes a seat."""
        assert self.codes is not None
        page.goto(f"{self.url}/#{self.codes.join}")
        page.locator("#name").fill(name)
        page.locator("[data-do=sit]").click()
        page.wait_for_url("**/play")
        return page

    def version(self) -> int:
        """Of the last publication."""
        assert self.table is not None
        return self.table.version

    def wait_beyond(self, version: int, seconds: float) -> None:
        """Until the table has published something newer than `version`, or `seconds` are over."""
        with self._told:
            self._told.wait_for(lambda: self.version() > version, seconds)

    def shown_on(self, page: Page) -> None:
        """Until `page` shows what has been published by now."""
        version, end = self.version(), time.monotonic() + DEADLINE
        while int(page.evaluate("document.documentElement.dataset.version")) < version:
            assert time.monotonic() < end, f"{page.url} does not show version {version}"
            page.wait_for_timeout(5)

    def wait_for(self, event: str) -> None:
        """Until something of this name has happened."""
        with self._told:
            assert self._told.wait_for(lambda: any(one["e"] == event for one in self.events), DEADLINE), event

    def _publish(self, publication: Publication) -> None:
        with self._told:
            self.events += json.loads(publication.frame(frozenset()))["events"]
            self._told.notify_all()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(DEADLINE), "the table did not start"
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, where: TracebackType | None) -> None:
        for context in self._contexts:
            context.close()
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive(), "the table did not end"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(self._evening())
        except Exception as error:  # noqa: BLE001  # told to the test, which waits for it
            self._failure = error
            self._ready.set()
        finally:
            self._loop.close()

    async def _evening(self) -> None:
        self._task = asyncio.current_task()
        journal = Journal(self._data)
        profile = odds_profile(self._config)
        backend = self.backend
        fill = backend.twin.load if isinstance(backend, TwinBackend) else None
        table = Table(journal, backend, RealClock(), settings_of(self._config), profile, self._seed, fill)
        self.table = table
        table.subscribe(self._publish)
        try:
            table.start()
            self.codes = codes_of(journal)
            app = build_app(table, Sessions(journal), self.codes, lambda: self.url)
            running = asyncio.create_task(table.run())
            try:
                await serve(app, "127.0.0.1", 0, self._serving)
            finally:
                running.cancel()
        finally:
            await asyncio.to_thread(backend.close)
            journal.close()

    def _serving(self, port: int) -> None:
        self.port = port
        self._ready.set()


class Player:
    """Somebody who plays on a phone as a child would: whatever is lit, and the button when the page says so."""

    def __init__(self, evening: Evening, name: str) -> None:
        self._evening = evening
        self.name = name
        self.page = evening.join(evening.phone(), name)
        self.did: list[str] = []

    def move(self) -> bool:
        """Do one thing that the page asks of this player; False when it asks nothing."""
        page = self.page
        for what, act in (
            (page.locator(".sheet .fields button"), self._choose),
            (page.locator(".sheet .keeps ~ button.call:enabled"), self._choose),
            (page.locator(".panel .fields.colours button"), self._choose),
            (page.locator(".press.lamp-due"), self._press),
            (page.locator("button.call-uno.hot"), self._tap),
            (page.locator("button.catch.hot"), self._tap),
            (page.locator(NUMBERS), self._tap),
            (page.locator(".hand .card.lit"), self._tap),
            (page.locator("button.side.able"), self._third),
        ):
            if what.count():
                return act(what.first)
        return False

    def _tap(self, what: Locator, name: str = "") -> bool:
        """Tap it; False when it went away under the finger, because the table moved on."""
        try:
            name = name or what.get_attribute("data-do", timeout=A_MOMENT) or "play"
            what.click(timeout=A_MOMENT)
        except GoneAway:
            return False
        self.did.append(name)
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)  # it is answered
        self._evening.shown_on(self.page)
        return True

    def _choose(self, what: Locator) -> bool:
        return self._tap(what, "choose")

    def _third(self, what: Locator) -> bool:
        """Pass; or the button, which a finger presses at the machine."""
        return self._press(what) if what.and_(self.page.locator("[data-do=press]")).count() else self._tap(what)

    def _press(self, what: Locator) -> bool:
        self.did.append("press")
        before = self._evening.version()
        self._evening.backend.button.press()
        self._evening.wait_beyond(before, 1.0)  # a press that was nobody's is not told at once: it is pressed again
        self._evening.shown_on(self.page)
        return True


class Guest:
    """Somebody at a table with real cards: says what was laid, and every tap and every character is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.typed = 0

    def tap(self, what: str | Locator) -> None:
        """One tap."""
        found = self.page.locator(what) if isinstance(what, str) else what
        found.first.click()
        self.taps += 1

    def type(self, what: str, text: str) -> None:
        """Write `text` into a field."""
        self.page.locator(what).press_sequentially(text)
        self.typed += len(text)

    def join(self, evening: Evening) -> str:
        """Scan the code and sit down under the name that is offered; gives the name."""
        assert evening.codes is not None
        self.page.goto(f"{evening.url}/#{evening.codes.join}")
        expect(self.page.locator("#name")).not_to_have_value("")
        name = self.page.locator("#name").input_value()
        self.tap("[data-do=sit]")
        self.page.wait_for_url("**/play")
        return name

    def lay(self, card: str, colour: str = "") -> int:
        """Say which card was laid; `colour`: that a wild stands for. Gives the taps it took."""
        before = self.taps
        if " " in card:
            shade, rank = card.split(" ")
            shown = self.page.locator(f".shade.{shade}")
            if shown.get_attribute("aria-pressed") != "true":
                self.tap(shown)
            self.tap(f".ranks [data-card='{shade} {rank}']")
        else:
            self.tap(f".ranks [data-card='{card}']")
        if colour:
            self.tap(f"dialog .field.{colour}")
        return self.taps - before

    def press(self, evening: Evening) -> int:
        """Press the mock pin and wait for the shot to be over; gives the cards that came out."""
        assert evening.table is not None
        shots = len(self.shots(evening))
        end = time.monotonic() + DEADLINE
        while len(self.shots(evening)) == shots:
            before = evening.version()
            evening.backend.button.press()
            evening.wait_beyond(before, 0.3)  # a press while the launcher rests is nobody's: it is pressed again
            assert time.monotonic() < end, "no shot came of it"
        return self.shots(evening)[-1]

    @staticmethod
    def shots(evening: Evening) -> list[int]:
        """The cards of every shot that was published."""
        return [int(event["cards"]) for event in evening.events if event["e"] == "shot"]
