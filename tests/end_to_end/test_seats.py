"""An evening's comings and goings at a real table, from the pages alone: seats change phones, people leave and come
back, hosting is handed over, and a dispute is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.rules.cases import run_case
from tests.end_to_end.process import Process
from tests.patience import DEADLINE

pytestmark = pytest.mark.slow


class Phones:
    """Browsers of people, each with a cookie jar of its own."""

    def __init__(self, browser: Browser, process: Process) -> None:
        self._browser = browser
        self._process = process
        self._base = f"http://uno.local:{process.port}"

    def open(self, path: str) -> Page:
        context = self._browser.new_context(
            viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB"
        )
        context.set_default_timeout(DEADLINE * 1000)
        page = context.new_page()
        page.goto(self._base + path)
        return page

    def join(self) -> Page:
        """A phone that has scanned the QR."""
        return self.open(f"/#{self._process.code}")

    def seated(self, name: str) -> Page:
        page = self.join()
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_url(re.compile("/play"))
        return page

    def host(self) -> Page:
        page = self.open("/host")
        page.get_by_label("Host code").fill(self._process.host_code)
        page.get_by_role("button", name="Take the host’s chair").click()
        page.wait_for_selector(".columns")
        return page


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def phones(browser: Browser, data: Path) -> Iterator[Phones]:
    process = Process(data, seed="seats")
    try:
        yield Phones(browser, process)
    finally:
        process.kill()


def holds_seven(page: Page) -> None:
    """This phone has a seat, and seven cards."""
    expect(page.locator(".chip.me .count")).to_have_text("7")


def test_an_evening_of_comings_and_goings(phones: Phones, data: Path) -> None:
    ann, bo, cy = (phones.seated(name) for name in ("Ann", "Bo", "Cy"))
    host = phones.host()

    # Closed to newcomers, and open again.
    host.get_by_role("button", name="Close the table to newcomers").click()
    late = phones.join()
    expect(late.get_by_text("The host has closed the table. You can watch.")).to_be_visible()
    host.get_by_role("button", name="Let newcomers in").click()
    expect(late.get_by_label("Your name")).to_be_visible()

    host.locator("[data-do=start]").click()
    holds_seven(ann)

    # Ann's phone is another one now: it knows the code that stands on her page.
    code = re.sub(r"\D", "", ann.locator("[data-do=own]").inner_text())
    late.get_by_role("button", name="I sit here already").click()
    late.locator("dialog").get_by_role("button", name="Ann").click()
    late.get_by_label("Code of Ann’s seat").fill("0000" if code != "0000" else "1111")
    late.get_by_role("button", name="That is me").click()
    expect(late.locator(".bubble")).to_contain_text("That is not the code.")
    late.get_by_label("Code of Ann’s seat").fill(code)
    late.get_by_role("button", name="That is me").click()
    holds_seven(late)
    expect(ann.get_by_text("Ann’s seat is on another phone now.")).to_be_visible()
    expect(ann.locator(".chip.me")).to_have_count(0)

    # A card that is dim says why, and the dispute is kept as a case that holds.
    player = next(page for page in (late, bo, cy) if page.locator(".banner.mine").count() == 0)
    player.locator(".hand .card:not(.lit)").first.click()
    player.locator("[data-do=why]").click()
    player.locator("[data-do=case]").click()
    expect(player.locator("dialog")).to_contain_text("Kept on the table’s computer")
    player.keyboard.press("Escape")
    kept = list((data / "cases").glob("*.toml"))
    assert len(kept) == 1
    assert run_case(kept[0].name, kept[0].read_text()).ok

    # Cy goes to bed and is asked once more; Bo gets a new phone, from the host.
    cy.locator("[data-do=own]").click()
    cy.locator("[data-do=leave]").click()
    cy.get_by_role("button", name="Really leave?").click()
    expect(cy.get_by_role("button", name="Cy comes back")).to_be_visible()
    expect(host.locator(".seat-list [data-seat='2']")).to_contain_text("left")
    bo.close()
    tablet = phones.join()
    tablet.wait_for_selector("[data-do=sit]:not([disabled])")
    host.locator(".seat-list [data-seat='1'] [data-do=other-phone]").click()
    host.locator("dialog").get_by_role("button", name="A phone without a name").click()
    expect(host.locator("dialog")).to_have_count(0)
    tablet.goto(tablet.url.replace("/#", "/play#").split("#")[0])
    holds_seven(tablet)

    # Cy is back for the next round: the host ends this match, and deals another one.
    cy.get_by_role("button", name="Cy comes back").click()
    expect(cy.get_by_text("You are back.")).to_be_visible()

    # Ann leaves, too: one is left, the match is over, and there is one tap to the next.
    host.locator(".seat-list [data-seat='0']").get_by_role("button", name="Leaves").click()
    host.get_by_role("button", name="Ann leaves?").click()
    host.locator("[data-do=rematch]").click()
    holds_seven(tablet)
    holds_seven(cy)
    expect(late.locator(".chip.me")).to_have_count(0)

    # The table is handed over to Cy, and the old host is none any more.
    host.locator("[data-do=hosts]").click()
    host.locator(".hosts li", has_text="Cy").locator("[data-do=host-hand]").click()
    host.wait_for_url(re.compile("/play$"))
    expect(cy.get_by_text("You run the table now.")).to_be_visible()
    cy.get_by_role("link", name="Host").click()
    cy.wait_for_selector(".seat-list")
    cy.get_by_role("button", name="Pause").click()
    expect(tablet.locator(".banner h1")).to_have_text("Paused")
