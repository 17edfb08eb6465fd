"""The maker's page, the terminal and the twin together, at a table that runs as a process of its own."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from controller.cli import main
from controller.journal import DATABASE
from tests.controller.test_play import Playing, playing
from tests.patience import DEADLINE


def sit_down(url: str, code: str, *names: str) -> None:
    """A phone for each of them."""
    for name in names:
        with httpx.Client(base_url=url, headers={"origin": url}, timeout=DEADLINE) as phone:
            assert phone.post("/api/v1/join", json={"code": code, "name": name}).json()["ok"]


def rows(data: Path, kind: str) -> list[dict[str, object]]:
    database = sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)
    found = [json.loads(body) for (body,) in database.execute("SELECT body FROM rows WHERE kind = ?", (kind,))]
    database.close()
    return found


def service_page(browser: Browser, url: str) -> Page:
    """At the machine itself: no code is asked for."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    context.set_default_timeout(DEADLINE * 1000)
    page = context.new_page()
    page.goto(f"{url.replace('127.0.0.1', 'localhost')}/service")
    page.wait_for_selector("[data-do=service-shot]")
    return page


def started(table: Playing) -> tuple[str, str]:
    """The table's address, and its join code."""
    url = table.wait_for("ready ").removeprefix("ready ")
    return url, table.wait_for("phones: ").rpartition("#")[2]


@pytest.mark.slow
def test_a_maker_fires_jams_clears_and_deals(tmp_path: Path, browser: Browser) -> None:
    data = tmp_path / "data"
    with playing(data) as table:
        url, code = started(table)
        page = service_page(browser, url)
        page.get_by_role("button", name="Service shot: more").click()
        page.locator("[data-do=service-shot]").click()
        expect(page.locator(".past tbody tr")).to_have_text(["service22in order"])

        assert main(["twin", "hard-jam", "--data", str(data)]) == 0
        assert main(["fire", "-n", "3", "--data", str(data)]) == 1
        expect(page.get_by_role("heading", name="Launcher: jammed")).to_be_visible()
        expect(page.locator(".past tbody tr").first).to_have_text("service30 or morejam")
        page.locator("[data-fault=free]").click()
        expect(page.locator("[data-fact=beam-blocked]")).to_contain_text("free")
        page.locator("[data-do=clear-fault]").click()
        expect(page.get_by_role("heading", name="Launcher: ready")).to_be_visible()

        sit_down(url, code, "Ann", "Bo")
        page.locator("[data-do=deal]").click()
        page.locator("[data-do=deal-go]").click()
        expect(page.locator(".hands [aria-current]")).to_have_text("Bo0 of 7")
        expect(page.get_by_role("heading", name="Launcher: ready")).to_be_visible()
        assert main(["twin", "press", "--data", str(data)]) == 0, "the button deals, too"
        expect(page.get_by_text("Everybody has been dealt to.")).to_be_visible()
        expect(page.locator("[data-fact=hopper]")).to_contain_text("98 cards")
        page.context.close()
    begun, ended = rows(data, "service"), rows(data, "service-end")
    assert [(row["why"], row["cards"]) for row in begun] == [("shot", 2), ("shot", 3), ("deal", 7), ("deal", 7)]
    assert [row["cards"] for row in ended] == [2, 0, 7, 7]


@pytest.mark.slow
def test_a_table_killed_in_a_service_shot_says_so_and_goes_on(tmp_path: Path, browser: Browser) -> None:
    data = tmp_path / "data"
    with playing(data) as table:
        url, _ = started(table)
        page = service_page(browser, url)
        for _ in range(13):
            page.get_by_role("button", name="Service shot: more").click()
        page.locator("[data-do=service-shot]").click()
        expect(page.get_by_text("It fires: ")).to_be_visible()
        table.process.kill()
        assert table.ended() == -9
        page.context.close()
    assert len(rows(data, "service")) == 1
    assert rows(data, "service-end") == []
    with playing(data) as table:
        url, _ = started(table)
        assert rows(data, "service-end")[0]["certainty"] == "unknown"
        assert main(["fire", "-n", "2", "--data", str(data)]) == 0
