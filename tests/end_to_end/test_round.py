"""Two phones and a television play at a real table: pages, server, rules, journal and the twin's pins."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as GoneAway

from .evening import AT_ONCE, NUMBERS, TELEVISION, Evening, Player

A_ROUND_TAKES = 300.0  # seconds at the most: every shot takes its time, as at a real machine


def keep(page: Page, name: str) -> None:
    """A picture for the README, when a directory for them is named."""
    directory = os.environ.get("UNO_ATTACK_SHOTS")
    if directory:
        page.screenshot(path=str(Path(directory) / name))


def host_of(evening: Evening) -> Page:
    """The host's page at the machine itself: hosting needs no code there."""
    page = evening.phone()
    page.goto(f"http://127.0.0.1:{evening.port}/host")
    page.locator("[data-do=start]").wait_for()
    return page


def television_of(evening: Evening) -> Page:
    assert evening.codes is not None
    page = evening.phone(TELEVISION)
    page.goto(f"{evening.url}/#{evening.codes.join}")
    page.locator("a[href='/table']").click()
    page.wait_for_url("**/table")
    return page


def tend(host: Page) -> None:
    """The host does what the machine asks for: on a busy one its watchdog may bite, and nobody knows what came then."""
    for asked, done in (("shot-was", "shot-was"), ("clear-fault", "reload")):
        if host.locator(f"[data-do={asked}]").count():
            host.locator(f"[data-do={done}]").click()


def play_until(host: Page, players: list[Player], selector: str, seconds: float = A_ROUND_TAKES) -> None:
    """Everybody does what their page asks of them until `selector` is on the first one's page; the host reloads."""
    end = time.monotonic() + seconds
    while not players[0].page.locator(selector).count():
        assert time.monotonic() < end, f"no {selector} after {[player.did[-5:] for player in players]}"
        moved = [player.move() for player in players]
        tend(host)
        if True not in moved:
            players[0].page.wait_for_timeout(20)


def deal_next(page: Page) -> None:
    """Tap for the next round until it is dealt: while the last shot still runs the table says so."""
    for _ in range(10):
        page.locator("[data-do=next]").click()
        try:
            page.locator(".phase-playing").wait_for(timeout=2000)
        except GoneAway:
            print("not dealt:", page.locator("[role=alert]").all_inner_texts())
        else:
            return
    raise AssertionError("the next round is not dealt")


def scores_on(page: Page) -> dict[str, int]:
    """Names and totals as the page's table of scores shows them."""
    rows = page.locator(".scores tbody tr")
    return {
        row[0]: int(row[-1]) for row in (rows.nth(at).locator("th, td").all_inner_texts() for at in range(rows.count()))
    }


def test_a_round_on_two_phones_and_a_television(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE) as evening:
        ann, bo = Player(evening, "Ann"), Player(evening, "Bo")
        television = television_of(evening)
        host = host_of(evening)
        host.locator("[data-do=start]").click()
        expect(ann.page.locator(".hand .card").first).to_be_visible()
        assert television.locator(".hand").count() == 0
        play_until(host, [ann, bo], ".phase-round-over")
        assert "press" in ann.did + bo.did
        assert "play" in ann.did + bo.did
        totals = scores_on(ann.page)
        assert set(totals) == {"Ann", "Bo"}
        assert min(totals.values()) == 0
        assert max(totals.values()) > 0
        expect(bo.page.locator(".phase-round-over")).to_be_visible()
        assert scores_on(bo.page) == totals
        expect(television.locator("h1")).to_have_text(re.compile("wins the round"))
        assert scores_on(television) == totals
        assert evening.table is not None
        deal_next(ann.page)
        expect(bo.page.locator(".phase-playing")).to_be_visible()
        expect(television.locator("h1")).not_to_have_text(re.compile("wins"))


@pytest.mark.slow
def test_what_a_table_looks_like(tmp_path: Path, browser: Browser) -> None:
    with Evening(
        tmp_path, browser, "[table]\nbot_ms = 0\ngrace_ms = 0\n[odds]\nsuspense_ms = 0\n", "picture"
    ) as evening:
        ann, bo = Player(evening, "Ann"), Player(evening, "Bo")
        television, host = television_of(evening), host_of(evening)
        for _ in range(2):
            host.locator("[data-do=add-bot]").click()
        expect(host.locator(".seat-list li")).to_have_count(4)
        host.locator("[data-do=start]").click()
        expect(ann.page.locator(".hand .card")).to_have_count(7)
        end, moves = time.monotonic() + 90, 0
        while moves < 14 or not ann.page.locator(NUMBERS).count():
            assert time.monotonic() < end, "Ann's turn never comes"
            moves += bo.move() + (ann.move() if moves < 14 or not ann.page.locator(NUMBERS).count() else False)
        expect(television.locator("h1")).to_contain_text("Ann")
        assert ann.page.locator(".hand .card").count() > 0
        keep(television, "table.png")
        keep(ann.page, "phone.png")


@pytest.mark.slow
def test_a_whole_match_against_bots(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE) as evening:
        ann = Player(evening, "Ann")
        host = host_of(evening)
        for _ in range(3):
            host.locator("[data-do=add-bot]").click()
        expect(host.locator(".seat-list li")).to_have_count(4)
        host.locator("input[name=target][value='100']").dispatch_event("click")
        host.locator("[data-do=start]").click()
        expect(ann.page.locator(".hand .card").first).to_be_visible()
        while True:
            play_until(host, [ann], ".phase-round-over, .phase-match-over")
            if ann.page.locator(".phase-match-over").count():
                break
            deal_next(ann.page)
        assert max(scores_on(ann.page).values()) >= 100
        host.locator("[data-do=rematch]").click()
        # Bots may have played it to its end already.
        expect(ann.page.locator(".phase-playing, .phase-round-over")).to_be_visible()
