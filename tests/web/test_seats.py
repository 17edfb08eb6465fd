"""Phones and their seats, as pages have them: codes, hosting, help, why not, taking back, and what a phone is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.patience import DEADLINE
from tests.web.conftest import Pages
from tests.web.fake_table import FakeTable, View, mine, move, table_view
from tests.web.scenes import my_turn, seats
from tests.web.served import CODES, Served
from tests.web.test_play import given as given_by_now

Show = Callable[..., None]
HAND = ["red 5", "red 9", "blue 7", "wild"]
NO_MATCH = {"reason": "no-match", "because": [{"option": "after_chain", "value": "colour-only", "section": "6"}]}


def given(table: FakeTable, verb: str, page: Page | None = None) -> list[dict[str, Any]]:
    """The commands of this kind that the table got, once `page` has its answers."""
    if page is not None:
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    return given_by_now(table, verb)


@pytest.fixture
def show(served: Served, table: FakeTable) -> Show:
    def show(view: View, *privates: View, events: tuple[View, ...] = ()) -> None:
        served.do(lambda: table.show(view, *privates, events=events))

    return show


@pytest.fixture
def page(pages: Pages, table: FakeTable) -> Page:
    table.codes = {0: "4821", 1: "7705"}
    return pages.seated("Ann")


def host(pages: Pages) -> Page:
    """The host's page, with the host code given."""
    context = pages.context()
    page = pages.open(context, "/host")
    page.get_by_label("Host code").fill(CODES.host)
    page.get_by_role("button", name="Take the host’s chair").click()
    page.wait_for_selector("main.host .seat-list, main.host .columns")
    return page


@pytest.mark.slow
def test_the_seats_own_page_shows_its_code_and_no_other(page: Page, show: Show) -> None:
    show(*my_turn(HAND))
    expect(page.locator("[data-do=own]")).to_have_text(re.compile("4821"))
    assert "7705" not in page.content()
    page.locator("[data-do=own]").click()
    expect(page.get_by_role("heading", name="Ann’s seat")).to_be_visible()
    expect(page.locator("dialog .code")).to_have_text("4821")


@pytest.mark.slow
def test_another_phone_claims_the_seat_and_the_old_one_is_told(
    page: Page, pages: Pages, served: Served, table: FakeTable, show: Show
) -> None:
    show(*my_turn(HAND))
    other = pages.open(pages.context(), f"/#{CODES.join}")
    other.get_by_role("button", name="I sit here already").click()
    other.locator("dialog [data-seat='0']").click()
    other.get_by_label("Code of Ann’s seat").fill("4821")
    table.on["claim"] = lambda who, command: table.own(who.session, 0)
    other.get_by_role("button", name="That is me").click()
    other.wait_for_url(re.compile("/play$"))
    assert given(table, "claim") == [{"seat": 0, "code": "4821"}]
    assert "4821" not in other.url
    view, private = my_turn(HAND)
    show(view, private, events=({"e": "reseated", "seat": 0},))
    expect(page.get_by_text("Ann’s seat is on another phone now.")).to_be_visible()
    page.get_by_role("button", name="All right").click()
    expect(page.get_by_text("Ann’s seat is on another phone now.")).to_have_count(0)


@pytest.mark.slow
def test_a_wrong_seat_code_is_told_and_too_many_are_stopped(served: Served, table: FakeTable) -> None:
    answer = httpx.post(f"{served.url}/api/v1/join", json={"code": CODES.join, "name": "Ann"},
                        headers={"origin": served.url}, timeout=DEADLINE)  # fmt: skip
    cookies = dict(answer.cookies)
    table.refuse["claim"] = "wrong-code"
    reasons = []
    for number in range(12):
        answer = httpx.post(f"{served.url}/api/v1/do", json={"do": "claim", "seat": 0, "code": f"{number:04}"},
                            headers={"origin": served.url}, cookies=cookies, timeout=DEADLINE)  # fmt: skip
        reasons.append(answer.json()["reason"])
    assert reasons == ["wrong-code"] * 8 + ["too-many-guesses"] * 4
    assert len(given(table, "claim")) == 8


@pytest.mark.slow
def test_a_dim_card_is_explained_and_not_played(page: Page, table: FakeTable, show: Show) -> None:
    show(*my_turn(HAND))
    table.answers["why"] = {"why": NO_MATCH}
    page.locator('.hand [data-card="blue 7"]').click()
    expect(page.locator(".bubble")).to_contain_text("neither the colour nor the symbol")
    assert given(table, "why") == [{"seat": 0, "about": {"do": "play", "card": "blue 7"}}]
    assert given(table, "play") == []
    page.locator("[data-do=why]").click()
    sheet = page.locator("dialog")
    expect(sheet.get_by_role("heading", name="Why?")).to_be_visible()
    expect(sheet).to_contain_text("what may follow a penalty that could be answered")
    expect(sheet.locator("[data-option=after_chain] .value")).not_to_have_text("colour-only")
    expect(sheet.get_by_role("link", name="Rules, section 6")).to_have_attribute("href", "/rules#after_chain")


@pytest.mark.slow
def test_a_refusal_without_an_option_says_that_none_decides_it(page: Page, table: FakeTable, show: Show) -> None:
    show(*my_turn(HAND))
    table.refuse["press"] = "not-your-turn"
    page.locator("[data-do=press]").click()
    page.locator("[data-do=why]").click()
    expect(page.locator("dialog")).to_contain_text("it is so at every table")


def test_a_dispute_is_kept_and_downloaded(page: Page, table: FakeTable, show: Show, tmp_path: Path) -> None:
    show(*my_turn(HAND))
    table.answers["why"] = {"why": NO_MATCH}
    table.answers["case"] = {"name": "case-1-2-0.toml", "case": 'title = "x"\n', "kept": True}
    page.locator('.hand [data-card="blue 7"]').click()
    page.locator("[data-do=why]").click()
    page.locator("[data-do=case]").click()
    expect(page.locator("dialog")).to_contain_text("Kept on the table’s computer as case-1-2-0.toml")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download case-1-2-0.toml").click()
    download.value.save_as(tmp_path / "case.toml")
    assert (tmp_path / "case.toml").read_text() == 'title = "x"\n'


@pytest.mark.slow
def test_the_link_of_a_section_leads_to_the_option(page: Page, show: Show) -> None:
    show(*my_turn(HAND, rules={"preset": "classic", "changed": {"jump_in": "identical"}}))
    page.goto(page.url.replace("/play", "/rules#jump_in"))
    expect(page.locator("#jump_in")).to_be_focused()
    expect(page.locator("#jump_in + dd")).to_contain_text("changed for this table")


@pytest.mark.parametrize(
    ("do", "first", "words"),
    [
        ("catch", {"what": "call", "seat": 1, "ms": 120}, "Bo called 120 ms before you."),
        ("catch", {"what": "call", "seat": 1, "ms": -320}, "Bo called in time, 320 ms after your catch."),
        ("catch", {"what": "catch", "seat": 2, "ms": 40}, "Cyrus was faster by 40 ms."),
        ("uno", {"what": "catch", "seat": 1, "ms": 90}, "Bo caught you 90 ms before your call."),
    ],
)
@pytest.mark.slow
def test_who_lost_a_race_is_told_who_was_first(
    page: Page, table: FakeTable, show: Show, do: str, first: View, words: str
) -> None:
    view, private = my_turn(HAND)
    show(view, {**private, "may": {**private["may"], "catch": [1], "uno": True}})
    table.refuse[do] = "nothing-to-catch"
    table.answers[do] = {"first": first}
    page.locator(f".bar [data-do={do}]").click()
    expect(page.locator(".bubble")).to_contain_text(words)


@pytest.mark.slow
def test_an_own_tap_is_taken_back_while_it_is_offered(page: Page, table: FakeTable, show: Show) -> None:
    view, private = my_turn(HAND, turn=1)
    show({**view, "takeBack": {"seat": 0, "seconds": 10.0}}, {**private, "moves": []})
    page.get_by_role("button", name="Take it back").click()
    assert given(table, "take-back", page) == [{"seat": 0}]
    show({**view, "takeBack": {"seat": 1, "seconds": 10.0}}, {**private, "moves": []})
    expect(page.locator("[data-do=take-back]")).to_have_count(0)
    show({**view, "takeBack": {"seat": 0, "seconds": 0.4}, "discards": 9}, {**private, "moves": []})
    expect(page.locator("[data-do=take-back]")).to_be_visible()
    expect(page.locator("[data-do=take-back]")).to_have_count(0)


@pytest.mark.slow
def test_the_same_tap_again_may_be_taken_back_as_long_as_the_first(page: Page, show: Show) -> None:
    view, private = my_turn(HAND, turn=1)
    offered = {**view, "takeBack": {"seat": 0, "seconds": 10.0}}
    button = page.locator("[data-do=take-back]")
    show(offered, {**private, "moves": []})
    expect(button).to_be_visible()
    page.clock.install()
    show(offered, {**private, "moves": []})
    expect(button).to_be_visible()
    page.clock.run_for(7000)
    show(view, private)
    expect(button).to_have_count(0)
    show(offered, {**private, "moves": []})
    expect(button).to_be_visible()
    page.clock.run_for(9000)
    expect(button).to_be_visible()
    page.clock.run_for(1500)
    expect(button).to_have_count(0)


@pytest.mark.slow
def test_a_phone_that_waits_is_taken_to_its_wait_and_may_end_it(
    pages: Pages, served: Served, table: FakeTable, show: Show
) -> None:
    show(*my_turn(HAND))
    table.on["sit"] = lambda who, command: table.waiting.add(who.session)
    context = pages.context()
    phone = pages.open(context, f"/#{CODES.join}")
    phone.get_by_label("Your name").fill("W1")
    phone.locator("[data-do=sit]").click()
    phone.wait_for_url(re.compile("/play$"))
    again = pages.open(context, f"/#{CODES.join}")
    again.wait_for_url(re.compile("/play$"))
    expect(again.get_by_text("You have a seat in the next game")).to_be_visible()
    expect(again.get_by_role("link", name="Take a seat")).to_have_count(0)
    table.on["stand"] = lambda who, command: table.waiting.discard(who.session)
    again.locator("[data-do=stand]").click()
    assert given(table, "stand", again) == [{"name": "W1"}]
    show(*my_turn(HAND))
    for each in (phone, again):
        expect(each.get_by_role("link", name="Take a seat")).to_be_visible()


def helped(view: View) -> View:
    view["seats"][0]["helped"] = True
    return view


@pytest.mark.slow
def test_help_shows_what_to_do_and_reminds_of_uno(page: Page, show: Show) -> None:
    view, private = my_turn(HAND)
    show(view, private)
    expect(page.locator(".help")).to_have_count(0)
    show(helped(view), private)
    expect(page.locator(".prompt")).to_contain_text("Tap a card that stands up")
    expect(page.locator(".prompt svg").first).to_be_visible()
    two = ["red 5", "blue 7"]
    view = helped(table_view(seats(3, hand=2)))
    show(view, mine(0, two, [move("red 5")], uno=True))
    expect(page.locator(".prompt")).to_contain_text("first tap UNO")
    view["seats"][0]["called"] = True
    show(view, mine(0, two, [move("red 5")]))
    expect(page.locator(".prompt")).to_contain_text("Now your card")
    show(helped(table_view(seats(3), turn=1, due={"seat": 1, "what": "play"})), mine(0, HAND))
    expect(page.locator(".prompt")).to_contain_text("Bo plays. Wait.")


@pytest.mark.slow
def test_a_new_card_is_explained_once(page: Page, show: Show) -> None:
    view, private = my_turn(["red 5", "red skip", "wild"])
    show(helped(view), private)
    expect(page.locator(".meet")).to_contain_text("Skip: the next player misses a turn.")
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".meet")).to_contain_text("Wild: fits always")
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".meet")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".prompt")
    expect(page.locator(".meet")).to_have_count(0)


@pytest.mark.slow
def test_help_is_switched_on_from_the_seats_sheet(page: Page, table: FakeTable, show: Show) -> None:
    show(*my_turn(HAND))
    page.locator("[data-do=own]").click()
    page.locator("[data-help=true]").click()
    assert given(table, "help", page) == [{"seat": 0, "on": True}]


@pytest.mark.slow
def test_who_leaves_for_tonight_is_asked_once_more_and_may_come_back(
    page: Page, served: Served, table: FakeTable, show: Show
) -> None:
    view, private = my_turn(HAND)
    show(view, private)
    page.locator("[data-do=own]").click()
    page.locator("[data-do=leave]").click()
    assert given(table, "stand") == []

    def stands(who: Any, command: Any) -> None:
        table.own("", 0)
        table.left = {0: who.session}

    table.on["stand"] = stands
    page.locator("[data-do=leave]").click()
    assert given(table, "stand", page) == [{"seat": 0}]
    show({**view, "seats": [{**view["seats"][0], "left": True}, *view["seats"][1:]]})
    page.get_by_role("button", name="Ann comes back").click()
    assert given(table, "come-back", page) == [{"seat": 0}]


@pytest.mark.slow
def test_a_held_button_offers_the_chair_to_every_phone(
    page: Page, served: Served, table: FakeTable, show: Show
) -> None:
    view, private = my_turn(HAND)
    show(view, private)
    expect(page.locator("[data-do=take-chair]")).to_have_count(0)
    table.chair_free = True
    show({**view, "chairFree": True}, private)
    page.get_by_role("button", name="I run the table").click()
    expect(page.get_by_text("You run the table now.")).to_be_visible()
    show({**view, "chairFree": True}, private)
    expect(page.get_by_role("button", name="I am here, nobody else")).to_be_visible()


@pytest.mark.slow
def test_without_a_held_button_and_without_the_code_nobody_is_host(page: Page, pages: Pages) -> None:
    pages.expected.append("403")
    said = page.evaluate("""async () => (await fetch("/api/v1/host", {method: "POST", body: "{}",
        headers: {"content-type": "application/json"}})).json()""")
    assert said == {"ok": False, "reason": "wrong-code"}


@pytest.mark.slow
def test_hosting_is_handed_over_by_name(page: Page, pages: Pages, show: Show) -> None:
    show(*my_turn(HAND))
    boss = host(pages)
    boss.locator("[data-do=hosts]").click()
    row = boss.locator(".hosts li", has_text="Ann")
    row.locator("[data-do=host-hand]").click()
    boss.wait_for_url(re.compile("/play$"))
    expect(page.get_by_text("You run the table now.")).to_be_visible()
    expect(page.locator(".banner [href='/host']")).to_be_visible()
    expect(boss.locator(".banner [href='/host']")).to_have_count(0)


@pytest.mark.slow
def test_a_table_has_two_hosts_and_one_takes_it_from_the_other(page: Page, pages: Pages, show: Show) -> None:
    show(*my_turn(HAND))
    boss = host(pages)
    boss.locator("[data-do=hosts]").click()
    boss.locator(".hosts li", has_text="Ann").locator("[data-do=host-make]").click()
    expect(page.locator(".banner [href='/host']")).to_be_visible()
    boss.locator("[data-do=hosts]").click()
    boss.locator(".hosts li", has_text="Ann").locator("[data-do=host-take]").click()
    expect(page.locator(".banner [href='/host']")).to_have_count(0)


@pytest.mark.slow
def test_the_host_sees_codes_brings_back_and_takes_a_seat_onto_this_phone(
    page: Page, pages: Pages, table: FakeTable, show: Show
) -> None:
    view, private = my_turn(HAND)
    view["seats"][1] |= {"left": True, "connected": False}
    view["seats"][0] |= {"connected": False}
    show(view, private)
    boss = host(pages)
    expect(boss.locator(".seat-list [data-seat='0']")).to_contain_text("code 4821")
    boss.locator(".seat-list [data-seat='1'] [data-do=come-back]").click()
    boss.locator(".seat-list [data-seat='0'] [data-do=other-phone]").click()
    boss.locator("dialog").get_by_role("button", name="This phone").click()
    expect(boss.locator("dialog")).to_have_count(0)
    assert given(table, "come-back", boss) == [{"seat": 1}]
    assert [command["seat"] for command in given(table, "give")] == [0]


SPEAKS = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const speak = (words) => { document.documentElement.dataset.spoken = window.spoken.push(words.text); };
Object.defineProperty(window, "speechSynthesis", { value: { cancel() {}, speak } });
"""


@pytest.mark.slow
def test_the_television_says_the_turns_once_it_is_switched_on(pages: Pages, show: Show) -> None:
    television = pages.television()
    television.add_init_script(SPEAKS)
    television.reload()
    show(table_view(seats(3)))
    expect(television.locator(".banner h1")).to_have_text("Ann’s turn")
    assert television.evaluate("window.spoken") == []
    television.get_by_role("button", name="Say the turns aloud").click()
    expect(television.locator("html")).to_have_attribute("data-spoken", "1")
    show(table_view(seats(3), turn=1, due={"seat": 1, "what": "play"}))
    expect(television.locator("html")).to_have_attribute("data-spoken", "2")
    assert television.evaluate("window.spoken") == ["Ann’s turn", "Bo’s turn"]


@pytest.mark.slow
def test_a_browser_without_a_voice_has_no_switch(pages: Pages, show: Show) -> None:
    television = pages.television()
    television.add_init_script("delete Window.prototype.speechSynthesis; delete window.speechSynthesis;")
    television.reload()
    television.wait_for_selector(".ring")
    assert television.evaluate("'speechSynthesis' in window") is False
    expect(television.locator("[data-do=speak]")).to_have_count(0)
