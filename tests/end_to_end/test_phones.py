"""Ten phones and a television at a real table: they agree, they come back, and nothing is done twice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .household import Household, greeted_after, newest, told, within
from .process import Phone, catch_up, rows

pytestmark = pytest.mark.slow

SEATS = 9  # the most there are; the tenth phone watches
EVENTS = 20
BREAK = 30.0  # seconds without a network


def full_house(house: Household) -> tuple[list[Page], Phone]:
    """Ten phones and a television with a game on, and the host: a phone without a page."""
    pages = [house.phone(f"Player {number + 1}") for number in range(SEATS)]
    pages += [house.onlooker(), house.television()]
    host = Phone(house.table).take_hosting(house.table)
    assert host.ask("start", preset="attack")["ok"]
    for page in pages[:SEATS]:
        expect(page.locator(".hand .card").first).to_be_visible()
    catch_up(host)
    return pages, host


def test_ten_phones_and_a_television_agree(tmp_path: Path, browser: Browser) -> None:
    with Household(tmp_path, browser) as house:
        pages, host = full_house(house)
        took = []
        for number in range(EVENTS):
            begun = time.time()
            assert host.ask("set-direction", step=-1 if number % 2 == 0 else 1, reason=f"{number}")["ok"]
            catch_up(host)
            at = host.state["epoch"], host.state["version"]
            took.append(max(told(page, *at)["at"] for page in pages) - begun)
        within("from a command to the last of eleven pages", 1.0, took)
        assert host.ask("set-direction", step=-1)["ok"]
        for page in pages[:-1]:
            expect(page.locator(".way.counterclockwise")).to_be_visible()
        expect(pages[-1].get_by_role("img", name="counterclockwise", exact=True)).to_be_visible()
        assert len(set(newest(pages))) == 1


def test_a_phone_without_a_network_for_half_a_minute_is_back_at_once(tmp_path: Path, browser: Browser) -> None:
    with Household(tmp_path, browser) as house:
        pages, host = full_house(house)
        away, rest = pages[0], pages[1:]
        away.context.set_offline(True)
        end = time.monotonic() + BREAK
        changed = 0
        while time.monotonic() < end:
            changed += 1
            assert host.ask("set-score", seat=0, score=changed)["ok"]
            away.wait_for_timeout(250)
        expect(away.locator(".line-badge")).to_have_text("Reconnecting…")
        expect(away.locator(".hand .card").first).to_be_visible()  # old, and it looks so; but it is there
        catch_up(host)
        at = host.state["epoch"], host.state["version"]
        back = time.time()
        away.context.set_offline(False)
        within("back after half a minute", 1.0, [told(away, *at)["at"] - back])
        expect(away.locator(".line-badge")).to_have_text("")
        for page in rest:
            told(page, *at)
        assert len(set(newest(pages))) == 1


def up_to_a_press(pages: list[Page], host: Phone) -> Page:
    """Play on until somebody whose turn it is may press, and need not; gives their page."""
    while True:
        catch_up(host)
        host.settle()
        due = host.state["table"]["due"]
        page: Page = pages[due["seat"]]
        told(page, host.state["epoch"], host.state["version"])
        if due["what"] != "play":
            assert host.ask("press", seat=due["seat"])["ok"]
        elif page.locator("[data-do=press]").count():
            return page
        else:  # a card has come that can be laid, and there is no further hit
            assert host.ask("pass", seat=due["seat"])["ok"]


def test_a_restart_under_ten_phones_doubles_nothing(tmp_path: Path, browser: Browser) -> None:
    """Whoever is due presses, and the power is cut at that moment: the press is sent again, and is one press."""
    with Household(tmp_path, browser) as house:
        pages, host = full_house(house)
        back, pressed = [], 0
        for _ in range(3):
            page = up_to_a_press(pages, host)
            page.locator("[data-do=press]").first.click(no_wait_after=True)
            pressed += 1
            house.again()
            ready = house.table.ready_at
            back += [greeted_after(each, ready - 1.0) - ready for each in pages]
            host.connect(house.table)
            host.see()
            if host.state["table"]["due"]["what"] == "shot-count":  # the power went in the middle of it
                assert host.ask("shot-was", cards=1)["ok"]
            catch_up(host)
            host.settle()
            expect(page.locator("[data-do=press][aria-busy=true]")).to_have_count(0)
            catch_up(host)
            for each in pages:
                told(each, host.state["epoch"], host.state["version"])
            assert len(set(newest(pages))) == 1
        within("back after a restart", 2.0, back)
        given = [row["answer"] if "shot" in row else row for row in rows(tmp_path, "answer", "shot")]
        done = [(answer["session"], answer["id"]) for answer in given]
        assert len(done) == len(set(done)), "a command was carried out twice"
        assert pressed == 3
        assert [seat["name"] for seat in host.state["table"]["seats"]] == [f"Player {n + 1}" for n in range(SEATS)]
