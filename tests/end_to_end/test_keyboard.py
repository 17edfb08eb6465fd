"""A whole round with the keyboard alone, and what a screen reader is told meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .evening import AT_ONCE, NUMBERS, Evening
from .test_round import host_of, tend

pytestmark = pytest.mark.slow

A_ROUND_TAKES = 200.0  # seconds at the most
STEPS = 80  # presses of Tab that lead round any page once

# What is to be done next, the most urgent first; the first of them that is there is reached and pressed.
WANTED = (
    "dialog[open] .fields button", "dialog[open] .keeps ~ button.call:enabled", ".panel .fields.colours button",
    ".ask .fields button", "button.call-uno.hot", "button.catch.hot", ".press [data-do=press]:not([aria-busy=true])",
    NUMBERS, ".hand .card.lit", "[data-do=pass].able", "[data-do=press].able",
)  # fmt: skip
HEARD = """() => {
  window.read = [];
  new MutationObserver(() => {
    const said = [...document.querySelectorAll("[aria-live], [role=status], [role=alert]")]
      .map((region) => region.textContent.trim()).filter(Boolean).join(" | ");
    if (said !== read[read.length - 1]) read.push(said);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def reach(page: Page, selector: str) -> bool:
    """Press Tab until something that `selector` names has the focus; False when nothing has, once round."""
    for _ in range(STEPS):
        if page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
            return True
        page.keyboard.press("Tab")
    return False


def act(page: Page) -> str:
    """Do with the keyboard what the page asks for most urgently; gives what it was."""
    for selector in WANTED:
        if page.locator(selector).count() and reach(page, selector):
            page.keyboard.press("Enter")
            return selector
    return ""


def test_the_keyboard_alone_plays_a_round(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE, seed="keys") as evening:
        assert evening.codes is not None
        page = evening.phone()
        page.goto(f"{evening.url}/#{evening.codes.join}")
        page.locator("#name").wait_for()
        assert reach(page, "#name")
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
        page.wait_for_url("**/play")
        host = host_of(evening)
        host.locator("[data-do=add-bot]").click()
        expect(host.locator(".seat-list li")).to_have_count(2)
        host.locator("[data-do=start]").click()
        expect(page.locator(".hand .card, .press").first).to_be_visible()
        page.evaluate(HEARD)
        did: list[str] = []
        end = time.monotonic() + A_ROUND_TAKES
        while not page.locator(".phase-round-over").count():
            assert time.monotonic() < end, (did[-8:], page.locator("main").inner_text(), page.evaluate("read"))
            tend(host)
            what = act(page)
            if what:
                did.append(what)
            page.wait_for_timeout(50)
        print(f"{len(did)} things done with the keyboard")
        assert any(".card" in what for what in did)
        said = " || ".join(page.evaluate("read"))
        assert "Your turn" in said
        assert any(colour in said for colour in ("Red", "Yellow", "Green", "Blue")), said
        assert reach(page, "[data-do=next]")
        page.keyboard.press("Enter")
        expect(page.locator(".phase-playing")).to_be_visible()
