"""A seat's page: what it sends, what it shows, and how it holds on to the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Pages
from tests.web.fake_table import FakeTable, View, mine, move, seat, table_view
from tests.web.scenes import big_hand, my_turn, owing, round_over, seats
from tests.web.served import CODES, Served
from web_companion.app import PAGES

HAND = ["red 5", "red 9", "red 9", "red discard-all", "red trade-hands", "blue 7", "wild"]


@pytest.fixture
def page(pages: Pages) -> Page:
    return pages.seated("Ann")


@pytest.fixture
def show(served: Served, table: FakeTable) -> Callable[..., None]:
    def show(view: View, *privates: View, events: tuple[View, ...] = ()) -> None:
        served.do(lambda: table.show(view, *privates, events=events))

    return show


def given(table: FakeTable, verb: str) -> list[dict[str, Any]]:
    """The commands of this kind that the table got, without their ids."""
    return [
        {name: value for name, value in command.items() if name not in ("id", "do")}
        for _, command in table.given
        if command["do"] == verb
    ]


def card(page: Page, name: str) -> Any:
    return page.locator(f'.hand [data-card="{name}"]').first


def test_a_lit_card_is_played_with_one_tap(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(*my_turn(HAND))
    expect(card(page, "red 5")).to_have_class(re.compile("lit"))
    expect(card(page, "blue 7")).not_to_have_class(re.compile("lit"))
    card(page, "red 5").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "red 5"}]


def test_a_wild_asks_for_its_colour(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(*my_turn(HAND))
    card(page, "wild").click()
    expect(page.get_by_role("heading", name="Which colour?")).to_be_visible()
    page.get_by_role("button", name="Green").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "wild", "colour": "green"}]


def test_an_attack_asks_for_colour_and_target(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    attack = move("wild-attack-attack", targets=[1, 2])
    show(table_view(seats(3)), mine(0, ["wild-attack-attack", "red 1"], [attack]))
    card(page, "wild-attack-attack").click()
    page.get_by_role("button", name="Blue").click()
    expect(page.get_by_role("heading", name="Who is attacked?")).to_be_visible()
    page.locator("dialog [data-seat='2']").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "wild-attack-attack", "colour": "blue", "target": 2}]


def test_discard_all_holds_back_what_is_tapped(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(*my_turn(HAND))
    card(page, "red discard-all").click()
    page.locator('dialog [data-card="red 9"]').first.click()
    expect(page.get_by_role("button", name="Play 4 cards")).to_be_visible()
    page.get_by_role("button", name="Play 4 cards").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "red discard-all", "keep": ["red 9"]}]


@pytest.mark.slow
def test_a_discard_all_that_cannot_be_last_holds_something_back(
    page: Page, table: FakeTable, show: Callable[..., None]
) -> None:
    sweep = move("red discard-all", keep=["red 5"], keepLeast=1)
    show(table_view(seats(3)), mine(0, ["red discard-all", "red 5"], [sweep]))
    card(page, "red discard-all").click()
    expect(page.get_by_role("button", name="Play 2 cards")).to_be_disabled()
    page.locator('dialog [data-card="red 5"]').click()
    page.get_by_role("button", name="Play 1 card").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "red discard-all", "keep": ["red 5"]}]


@pytest.mark.slow
def test_a_sheet_closes_by_escape_by_its_button_and_by_the_table_moving_on(
    page: Page, table: FakeTable, show: Callable[..., None]
) -> None:
    show(*my_turn(HAND))
    card(page, "wild").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    card(page, "wild").click()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("dialog")).to_have_count(0)
    card(page, "wild").click()
    view, private = my_turn(HAND, turn=1)
    show(view, {**private, "moves": []})
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == []


def test_a_refusal_appears_beside_the_card_and_goes_by_itself(
    page: Page, table: FakeTable, show: Callable[..., None]
) -> None:
    show(*my_turn(HAND))
    table.answers["why"] = {"why": {"reason": "no-match", "because": []}}
    expect(card(page, "blue 7")).to_be_visible()
    page.clock.install()
    card(page, "blue 7").click()
    bubble = page.locator(".bubble")
    expect(bubble).to_contain_text("It matches neither the colour nor the symbol.")
    box, touched = bubble.bounding_box(), card(page, "blue 7").bounding_box()
    assert box is not None
    assert touched is not None
    assert box["x"] <= touched["x"] + touched["width"] / 2 <= box["x"] + box["width"]
    assert 0 <= touched["y"] - (box["y"] + box["height"]) <= 40
    page.clock.run_for(9000)
    expect(bubble).to_have_count(0)


@pytest.mark.slow
def test_a_refusal_inside_a_sheet_is_seen_above_it(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(*my_turn(HAND))
    table.refuse["play"] = "firing"
    card(page, "wild").click()
    page.locator("dialog .field.red").click()
    bubble = page.locator(".bubble")
    expect(bubble).to_contain_text("The launcher is busy with a shot.")
    on_top = (
        "(element) => { const box = element.getBoundingClientRect();"
        " element.parentElement.style.pointerEvents = 'auto'; element.style.pointerEvents = 'auto';"
        " return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"
    )
    assert bubble.evaluate(on_top)


def test_a_pressed_button_waits_for_its_answer(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    table.silent.add("press")
    show(*owing())
    button = page.locator("[data-do=press]")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    button.click()
    button.click()
    expect(page.locator(".count").first).to_be_visible()
    assert given(table, "press") == [{"seat": 0}]


def test_owing_hits_makes_the_lower_half_one_message(page: Page, show: Callable[..., None]) -> None:
    show(*owing(2))
    expect(page.get_by_role("heading", name="You hit: 2 more")).to_be_visible()
    expect(page.locator(".dome-button")).to_contain_text("2 more")
    expect(page.locator(".hand")).to_have_count(0)
    box = page.locator(".lower").bounding_box()
    assert box is not None
    assert box["height"] > 844 * 0.4
    show(*owing("until-fire", "finger"))
    expect(page.get_by_role("heading", name="You hit until it fires")).to_be_visible()
    expect(page.locator(".dome-button")).to_contain_text("Press the button on the launcher")
    expect(page.locator("[data-do=press]")).to_have_count(0)


@pytest.mark.slow
def test_a_launcher_that_cools_counts_down(page: Page, show: Callable[..., None]) -> None:
    page.clock.install()
    show(*owing(2, state="cooling", readyIn=8.4))
    button = page.locator("[data-do=press]")
    expect(button).to_contain_text(re.compile("It cools down: [789] s"))
    expect(button).to_be_disabled()
    page.clock.run_for(6000)
    expect(button).to_contain_text(re.compile("It cools down: [123] s"))
    view, private = my_turn(HAND)
    show({**view, "launcher": {**view["launcher"], "state": "cooling", "readyIn": 2.0}}, private)
    expect(page.locator(".side.hint")).to_contain_text("It cools down:")
    show(*owing(2))
    expect(button).to_be_enabled()


def test_nothing_before_the_reveal_tells_what_comes(page: Page, show: Callable[..., None]) -> None:
    show(*owing(2, state="pressed", shot={"seat": 0, "cards": 0}))
    expect(page.locator(".dome-button")).to_have_text("Wait for it…")
    expect(page.get_by_role("heading", name="You pressed…")).to_be_visible()


def test_uno_catch_and_the_third_button(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    view, private = my_turn(["red 5", "blue 7"])
    view["seats"][2]["catchable"] = True
    private["may"] |= {"catch": [2], "uno": True}
    show(view, private)
    expect(page.locator("[data-do=catch]")).to_have_text("Catch Cyrus")
    page.locator("[data-do=catch]").click()
    page.locator("[data-do=uno]").click()
    page.locator("[data-do=press]").click()
    private["may"] |= {"catch": [1, 2], "hit": False, "pass": True}
    show(view, private)
    page.locator("[data-do=catch]").click()
    page.locator("dialog [data-seat='1']").click()
    page.locator("[data-do=pass]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table, "catch") == [{"seat": 0, "target": 2}, {"seat": 0, "target": 1}]
    assert given(table, "uno") == given(table, "press") == given(table, "pass") == [{"seat": 0}]


@pytest.mark.slow
def test_the_start_colour_is_named_with_four_large_fields(
    page: Page, table: FakeTable, show: Callable[..., None]
) -> None:
    view = table_view(seats(2), top="wild", colour=None, due={"seat": 0, "what": "colour"})
    show(view, mine(0, HAND, colour=True))
    expect(page.get_by_role("heading", name="You name the colour")).to_be_visible()
    page.get_by_role("button", name="Yellow").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table, "colour") == [{"seat": 0, "colour": "yellow"}]


@pytest.mark.slow
def test_a_shot_nobody_saw_is_counted_by_whose_it_was(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(table_view(seats(2), due={"seat": 0, "what": "shot-count"}), mine(0, HAND))
    for _ in range(3):
        page.get_by_role("button", name="more").click()
    page.get_by_role("button", name="3 cards came").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table, "shot-was") == [{"cards": 3}]


@pytest.mark.slow
def test_the_next_round_is_dealt_from_any_seat(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(round_over(), mine(0, []))
    expect(page.get_by_role("heading", name="Ann wins the round")).to_be_visible()
    rows = page.locator(".scores tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["Cyrus", "Ann", "Bo", "Daniela"]
    assert rows[1].split() == ["Ann", "+139", "139"]
    page.locator("[data-do=next]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table, "next") == [{}]


def test_one_phone_with_two_seats_shows_the_one_that_is_due(
    page: Page, table: FakeTable, served: Served, show: Callable[..., None]
) -> None:
    served.do(lambda: table.own(table.given[-1][0].session, 0, 1))
    show(table_view(seats(3), due={"seat": 1, "what": "play"}), mine(0, ["red 1"]), mine(1, ["blue 2", "blue 3"]))
    expect(page.locator(".hand h2")).to_have_text("Bo: 2 cards")
    show(table_view(seats(3), due={"seat": 2, "what": "play"}), mine(0, ["red 1"]), mine(1, ["blue 2", "blue 3"]))
    page.get_by_role("button", name="Bo", exact=True).click()
    expect(page.locator(".hand h2")).to_have_text("Bo: 2 cards")
    page.get_by_role("button", name="Ann", exact=True).click()
    expect(page.locator(".hand h2")).to_have_text("Ann: 1 card")


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 4, 5, 7, 8, 20, 60, 112])
def test_every_card_of_any_hand_can_be_reached_and_told(page: Page, show: Callable[..., None], count: int) -> None:
    show(*my_turn(big_hand(count)))
    expect(page.locator(".hand .card")).to_have_count(count)
    expect(page.locator(".hand h2")).to_have_text(f"{count} cards" if count > 1 else "1 card")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    reached = page.evaluate("""() => [...document.querySelectorAll(".hand .card")].filter((card) => {
        card.scrollIntoView({ block: "nearest", behavior: "instant" });
        const box = card.getBoundingClientRect();
        // the middle of the 44 px that belong to this card alone
        const hit = document.elementFromPoint(box.x + 22, box.y + 30);
        return card.contains(hit) && box.left >= 0 && box.right <= innerWidth;
    }).length""")
    assert reached == count


@pytest.mark.slow
def test_the_groups_of_a_large_hand_are_one_tap_away(page: Page, show: Callable[..., None]) -> None:
    show(*my_turn(big_hand(60)))
    page.get_by_role("button", name=re.compile("^blue: ")).click()
    first_blue = page.locator('.hand [data-colour="blue"]').first
    expect(first_blue).to_be_in_viewport()


@pytest.mark.slow
@pytest.mark.parametrize("cards", [7, 30, None])
def test_targets_are_large_enough(page: Page, show: Callable[..., None], cards: int | None) -> None:
    show(*(owing() if cards is None else my_turn(big_hand(cards))))
    expect(page.locator(".call-uno")).to_be_visible()
    small = page.evaluate("""() => [...document.querySelectorAll("button, a")].filter((target) => {
        const box = target.getBoundingClientRect();
        return box.width > 0 && (box.width < 44 || box.height < 44);
    }).map((target) => target.outerHTML.slice(0, 80))""")
    assert small == []
    uno = page.locator(".call-uno").bounding_box()
    assert uno is not None
    assert min(uno["width"], uno["height"]) >= 96


@pytest.mark.slow
def test_an_update_keeps_the_scroll_of_a_large_hand_and_the_focus(page: Page, show: Callable[..., None]) -> None:
    hand = big_hand(60)
    show(*my_turn(hand))
    page.locator(".cards.rows").evaluate("(list) => { list.scrollTop = 120; }")
    page.locator('.hand [data-card="wild"]').first.evaluate("(card) => card.focus({ preventScroll: true })")
    show(*my_turn([*hand, "green 1"]))
    expect(page.locator(".hand h2")).to_have_text("61 cards")
    assert page.locator(".cards.rows").evaluate("(list) => list.scrollTop") == 120
    assert page.evaluate("document.activeElement.dataset.card") == "wild"


def test_the_keyboard_alone_plays_a_wild(page: Page, table: FakeTable, show: Callable[..., None]) -> None:
    show(*my_turn(["wild", "blue 7"]))
    card(page, "wild").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.locator("dialog .field.blue").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    assert given(table, "play") == [{"seat": 0, "card": "wild", "colour": "blue"}]


@pytest.mark.slow
def test_the_turn_is_told_politely_and_a_debt_at_once(page: Page, show: Callable[..., None]) -> None:
    show(*my_turn(HAND))
    expect(page.locator(".banner .words")).to_have_attribute("aria-live", "polite")
    show(*owing())
    expect(page.locator(".banner .words")).to_have_attribute("aria-live", "assertive")


@pytest.mark.slow
def test_a_phone_that_was_locked_comes_back_by_itself(
    page: Page, table: FakeTable, show: Callable[..., None], pages: Pages
) -> None:
    pages.expected.append("ERR_INTERNET_DISCONNECTED")
    show(*my_turn(HAND))
    expect(card(page, "red 5")).to_be_visible()
    page.clock.install()
    page.context.set_offline(True)
    page.clock.run_for(12_000)
    expect(page.locator(".line-badge")).to_have_text("Reconnecting…")
    expect(page.locator("html")).to_have_attribute("data-line", "late")
    expect(card(page, "red 5")).to_be_visible()
    show(*my_turn(["green 8", "red 1"]))
    page.context.set_offline(False)
    page.clock.run_for(2_000)
    expect(page.locator(".line-badge")).to_have_text("")
    expect(page.locator(".hand .card")).to_have_count(2)


def test_a_press_lost_with_the_line_is_sent_again_once(
    page: Page, table: FakeTable, served: Served, show: Callable[..., None], pages: Pages
) -> None:
    pages.expected += ["WebSocket connection"]
    show(*owing())
    expect(page.locator("[data-do=press]")).to_be_visible()
    table.silent.add("press")
    page.locator("[data-do=press]").click()
    expect(page.locator("[data-do=press]")).to_have_attribute("aria-busy", "true")
    served.stop()
    expect(page.locator(".line-badge")).to_have_text("Reconnecting…")
    table.silent.clear()
    with Served(table, served.store, served.port):
        expect(page.locator("html")).to_have_attribute("data-line", "live")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    ids = [command["id"] for _, command in table.given if command["do"] == "press"]
    assert len(ids) == 2
    assert len(set(ids)) == 1


@pytest.mark.slow
def test_an_old_page_loads_itself_anew_and_only_once(page: Page, served: Served) -> None:
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    assert served.app is not None
    companion = served.app.state.companion
    companion.assets.build = "a-newer-one"

    def greet_again() -> None:
        for session in companion.sessions:
            companion.sessions.changed(session)

    with page.expect_event("load"):
        served.do(greet_again)
    expect(page.locator("html")).to_have_attribute("data-line", "live")
    served.do(greet_again)
    expect(page.locator(".chip")).to_have_count(1)
    assert len(loads) == 1


@pytest.mark.slow
def test_a_stranger_is_sent_to_the_door_and_back(pages: Pages) -> None:
    page = pages.open(pages.context(), "/play")
    page.wait_for_url("**/?to=%2Fplay")
    page.fill("#code", CODES.join)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/play")
    expect(page.get_by_role("link", name="Take a seat")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in PAGES if path != "/"])
def test_the_door_leads_on_to_every_page(pages: Pages, path: str) -> None:
    pages.expected.append("403")  # the service page is the host's
    page = pages.open(pages.context(), f"/?to={path}#{CODES.join}")
    page.wait_for_url(pages.base + path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "goal", ["//example.org", "https://example.org/play", "/play/../x", "javascript:alert(1)", "/qr.svg", "play", "/"]
)
def test_the_door_leads_nowhere_else(pages: Pages, goal: str) -> None:
    page = pages.open(pages.context(), f"/?to={quote(goal, safe='')}#{CODES.join}")
    expect(page.get_by_role("button", name="Take a seat")).to_be_visible()
    assert page.url.startswith(f"{pages.base}/?to=")


@pytest.mark.slow
def test_names_are_text_whatever_they_hold(page: Page, show: Callable[..., None]) -> None:
    names = ["<img src=x onerror=alert(1)>", "{name} {n}", "Ω" * 20, "小明"]
    show(
        table_view([seat(number, name) for number, name in enumerate(names)], due={"seat": 1, "what": "play"}),
        mine(0, HAND),
    )
    expect(page.locator(".chip .name").nth(0)).to_have_text(names[0])
    expect(page.get_by_role("heading", name="{name} {n}’s turn")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
