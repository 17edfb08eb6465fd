"""Pages for the browser tests: the real server with a fake table, contexts of every size, and no error unseen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.patience import DEADLINE
from tests.web.fake_table import FakeTable
from tests.web.served import CODES, Served
from web_companion.sessions import COOKIE

PHONE = (390, 844)
TELEVISION = (1280, 720)
Theme = Literal["dark", "light"]


class Pages:
    """Opens pages under the table's own name and collects what browsers complain about."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.served = served
        self.complaints: list[str] = []
        self.expected: list[str] = []  # parts of complaints that a test brings about on purpose

    @property
    def base(self) -> str:
        return f"http://uno.local:{self.served.port}"

    def context(
        self, size: tuple[int, int] = PHONE, theme: Theme = "dark", *, still: bool = True, locale: str = "en-GB"
    ) -> BrowserContext:
        """A phone or a television of its own; `still`: with reduced motion; `locale`: the language it asks for."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce" if still else "no-preference",
            has_touch=size[0] < 800,
            service_workers="block",
            locale=locale,
        )
        context.set_default_timeout(DEADLINE * 1000)
        self._contexts.append(context)
        return context

    def open(self, context: BrowserContext, path: str) -> Page:
        """A page of the table."""
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.base + path)
        return page

    def seated(
        self,
        name: str = "Ann",
        size: tuple[int, int] = PHONE,
        theme: Theme = "dark",
        *,
        still: bool = True,
        locale: str = "en-GB",
    ) -> Page:
        """A phone that has joined and sits."""
        context = self.context(size, theme, still=still, locale=locale)
        self._join(context, name=name)
        page = self.open(context, "/play")
        page.wait_for_selector(".chip")
        return page

    def television(self, size: tuple[int, int] = TELEVISION, theme: Theme = "dark") -> Page:
        """A television that has joined to watch."""
        context = self.context(size, theme)
        self._join(context)
        page = self.open(context, "/table")
        page.wait_for_selector(".ring")
        return page

    def _join(self, context: BrowserContext, **body: str) -> None:
        """Join without the page for it, which has tests of its own."""
        served = self.served
        answer = httpx.post(
            f"{served.url}/api/v1/join",
            json={"code": CODES.join, **body},
            headers={"origin": served.url},
            timeout=DEADLINE,
        )
        context.add_cookies([{"name": COOKIE, "value": answer.cookies[COOKIE], "url": self.base}])

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        unexpected = [each for each in self.complaints if not any(part in each for part in self.expected)]
        assert unexpected == []


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def served(table: FakeTable) -> Iterator[Served]:
    with Served(table) as served:
        yield served


@pytest.fixture
def pages(browser: Browser, served: Served) -> Iterator[Pages]:
    pages = Pages(browser, served)
    yield pages
    pages.close()
