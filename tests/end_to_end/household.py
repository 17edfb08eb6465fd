"""A real table in a process of its own; its phones and televisions in a real browser, which note what they are told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Page

from tests.patience import DEADLINE

from .evening import PHONE, TELEVISION
from .process import SETTINGS, Process

NOISE = 8  # a busy machine is so many times slower than a quiet one, before a time is taken for a mistake

# What a page is told and when: `greeted` and `heard` are filled before and after the page has drawn it.
LISTEN = """(() => {
  window.greeted = [];
  window.heard = [];
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...about) {
      super(...about);
      this.addEventListener("message", (message) => {
        const said = JSON.parse(message.data);
        if (said.t === "welcome") greeted.push(Date.now());
        if (said.t === "state") setTimeout(() => heard.push({
          epoch: said.epoch, version: said.version, at: Date.now(), table: JSON.stringify(said.table) }));
      });
    }
  };
})()"""


class Household:
    """`with Household(tmp_path, browser) as house:`. The table can be killed and started again on the same address."""

    def __init__(self, data: Path, browser: Browser, settings: str = SETTINGS, seed: str = "household") -> None:
        self._data, self._browser, self._settings, self._seed = data, browser, settings, seed
        self.table = Process(data, settings=settings, seed=seed)
        self._contexts: list[BrowserContext] = []

    @property
    def url(self) -> str:
        """The table's address as a phone at home sees it: plain HTTP on a name that is not localhost."""
        return f"http://uno.local:{self.table.port}"

    def again(self) -> None:
        """The power was cut, and is back."""
        self.table.kill()
        self.table = Process(self._data, self.table.port, settings=self._settings, seed=self._seed)

    def page(self, path: str, size: tuple[int, int] = PHONE) -> Page:
        """A browser of its own at `path`, with the join code."""
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
        context.set_default_timeout(DEADLINE * 1000)
        context.add_init_script(LISTEN)
        self._contexts.append(context)
        page = context.new_page()
        page.goto(f"{self.url}{path}#{self.table.code}")
        return page

    def phone(self, name: str) -> Page:
        """Somebody joins and takes a seat."""
        page = self.page("/")
        page.locator("#name").fill(name)
        page.locator("[data-do=sit]").click()
        page.wait_for_url("**/play")
        return page

    def onlooker(self) -> Page:
        """A phone that has joined and takes no seat."""
        page = self.page("/")
        page.locator("#name").wait_for()
        page.goto(f"{self.url}/play")
        return page

    def television(self) -> Page:
        """It watches."""
        page = self.page("/table", TELEVISION)
        page.locator(".ring, .blank").first.wait_for()
        return page

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, where: TracebackType | None) -> None:
        for context in self._contexts:
            context.close()
        self.table.stop()


def told(page: Page, epoch: int, version: int) -> dict[str, Any]:
    """What `page` was told of this version, and when it had drawn it: `at`, in seconds of the clock on the wall."""
    at_least = "([epoch, version]) => heard.find((one) => one.epoch === epoch && one.version >= version)"
    found: dict[str, Any] = _soon(page, at_least, [epoch, version])
    return {**found, "at": found["at"] / 1000}


def newest(pages: Sequence[Page]) -> list[tuple[int, int, str]]:
    """The newest state of each page: epoch, version, and the table as everybody sees it."""
    last = [page.evaluate("heard[heard.length - 1]") for page in pages]
    return [(one["epoch"], one["version"], one["table"]) for one in last]


def greeted_after(page: Page, moment: float) -> float:
    """When `page` was greeted for the first time after `moment`."""
    at: float = _soon(page, "(moment) => greeted.find((at) => at >= moment)", moment * 1000)
    return at / 1000


def _soon(page: Page, expression: str, argument: object) -> Any:
    """What `expression` gives, once it gives anything. (The pages forbid what Playwright's own waiting needs.)"""
    end = time.monotonic() + DEADLINE
    while (found := page.evaluate(expression, argument)) is None:
        last = page.evaluate("[location.href, document.documentElement.dataset.line, heard.length]")
        assert time.monotonic() < end, f"{expression} {argument}: {last}"
        page.wait_for_timeout(20)
    return found


def within(what: str, seconds: float, times: Sequence[float]) -> None:
    """Print these times beside the `seconds` they should take, and fail where no busy machine explains them."""
    ranked = sorted(times)
    print(
        f"{what}: median {ranked[len(ranked) // 2]:.3f} s, worst {ranked[-1]:.3f} s (aim {seconds} s, {time.ctime()})"
    )
    assert ranked[-1] < seconds * NOISE
