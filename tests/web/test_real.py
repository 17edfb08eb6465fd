"""A seat's page where the cards are real ones, and what a host is asked: what each tap sends, and what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.web.conftest import Pages
from tests.web.fake_table import FakeTable, View, launcher, mine, move, seat, table_view
from tests.web.served import CODES, Served
from tests.web.test_play import given
from web_companion.sessions import COOKIE

pytestmark = pytest.mark.slow

Show = Callable[..., None]
UNKNOWN = ["?"] * 5


@pytest.fixture
def show(served: Served, table: FakeTable) -> Show:
    def show(view: View, *privates: View, events: tuple[View, ...] = ()) -> None:
        served.do(lambda: table.show(view, *privates, events=events))

    return show


@pytest.fixture
def page(pages: Pages) -> Page:
    return pages.seated("Ann")


def real(**more: Any) -> View:
    """A table with real cards, in the middle of a round of three."""
    seats = [seat(number, name, hand=5) for number, name in enumerate(("Ann", "Bo", "Cy"))]
    return table_view(seats, physical=True, **{"tracking": "all", "toCount": None, "counted": None} | more)


def settled(page: Page) -> None:
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def machine(**more: Any) -> View:
    return launcher(**{"typed": False, "correctable": False, "unowned": None, **more})


def hosted(pages: Pages) -> Page:
    """The host's own page."""
    page = pages.open(pages.context(), "/host")
    page.fill("#code", CODES.host)
    page.get_by_role("button", name="Take the host’s chair").click()
    page.wait_for_selector(".columns")
    return page


def test_a_card_is_named_by_colour_and_rank_in_either_order(page: Page, table: FakeTable, show: Show) -> None:
    show(real(top="?", colour=None), mine(0, UNKNOWN, [move("blue 7"), move("red 3")], hit=True))
    page.locator(".shade.blue").click()
    page.locator("[data-card='blue 7']").click()
    settled(page)
    show(real(top="blue 7", colour=None, discards=6), mine(0, UNKNOWN, [move("blue 7"), move("red 3")], hit=True))
    expect(page.locator(".shade[aria-pressed=true]")).to_have_count(0)
    page.locator("[data-rank='3']").click()
    expect(page.locator(".ranks .chosen")).to_have_count(1)
    page.locator(".shade.red").click()
    settled(page)
    assert given(table, "play") == [{"seat": 0, "card": "blue 7"}, {"seat": 0, "card": "red 3"}]


def test_what_cannot_be_is_dim_and_says_why_when_it_is_tapped(page: Page, table: FakeTable, show: Show) -> None:
    table.refuse["play"] = "not-in-deck"
    show(real(), mine(0, UNKNOWN, [move("red 3")]))
    expect(page.locator("[data-card='red 3']")).to_have_class(re.compile("lit"))
    dim = page.locator("[data-card='red skip']")
    expect(dim).not_to_have_class(re.compile("lit"))
    dim.click()
    expect(page.locator(".bubble")).to_contain_text("all such cards of the deck")


@pytest.mark.parametrize("path", ["/play", "/host"])
def test_a_first_load_with_real_cards_is_light(pages: Pages, served: Served, show: Show, path: str) -> None:
    """With everything that naming, counting and choosing needs."""
    page = hosted(pages)
    show(real(), *(mine(each, UNKNOWN, [move("red 3")]) for each in range(3)))
    weights: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if response.status == 200:
            weights[response.url] = int(response.header_value("content-length") or 0)

    fresh = pages.context()
    fresh.add_cookies([{"name": COOKIE, "value": each["value"], "url": pages.base} for each in page.context.cookies()])
    fresh.on("response", weigh)
    shown = pages.open(fresh, path)
    shown.wait_for_selector(".picker" if path == "/play" else ".put-right")
    shown.wait_for_load_state("networkidle")
    assert len(weights) > 20
    assert sum(weights.values()) < 60_000


def test_a_discard_all_says_how_many_went_with_it(page: Page, table: FakeTable, show: Show) -> None:
    show(real(), mine(0, UNKNOWN, [move("red discard-all")]))
    page.locator("[data-card='red discard-all']").click()
    expect(page.locator("dialog h2")).to_have_text("How many more red cards went with it?")
    page.locator("dialog [data-value='2']").click()
    settled(page)
    page.locator("[data-card='red discard-all']").click()
    page.locator("dialog .many").click()
    page.locator("dialog").get_by_role("button", name="More: more").click()
    page.get_by_role("button", name="It was 11").click()
    settled(page)
    assert [play.get("went") for play in given(table, "play")] == [2, 11]


def test_trading_hands_asks_with_whom(page: Page, table: FakeTable, show: Show) -> None:
    show(real(), mine(0, UNKNOWN, [move("red trade-hands", targets=[1, 2])]))
    page.locator("[data-card='red trade-hands']").click()
    page.locator("dialog [data-seat='2']").click()
    settled(page)
    assert given(table, "play") == [{"seat": 0, "card": "red trade-hands", "target": 2}]


def test_several_real_cards_at_once(page: Page, table: FakeTable, show: Show) -> None:
    rules = {"preset": "classic-strict", "changed": {}}
    show(real(rules=rules), mine(0, UNKNOWN, [move("red 5"), move("blue 5")], draw=True))
    page.locator("[data-do=several]").click()
    page.locator("[data-card='red 5']").click()
    page.locator(".shade.blue").click()
    page.locator("[data-card='blue 5']").click()
    expect(page.locator(".tray li")).to_have_count(2)
    page.locator("[data-do=lay]").click()
    expect(page.locator("dialog h2")).to_have_text("Which colour counts?")
    page.locator("dialog .field.red").click()
    settled(page)
    assert given(table, "play") == [{"seat": 0, "card": "red 5", "set": ["blue 5"], "colour": "red"}]


def test_a_hit_may_be_said_to_be_by_choice(page: Page, table: FakeTable, show: Show) -> None:
    show(real(launcher=machine()), mine(0, UNKNOWN, [move("red 3")], hit=True))
    page.locator("[data-do=by-choice]").click()
    page.locator("[data-do=press]").click()
    settled(page)
    assert given(table, "press") == [{"seat": 0, "choice": True}]


def test_without_a_launcher_what_came_is_tapped(page: Page, table: FakeTable, show: Show) -> None:
    nobodys = machine(backend="none", button="none", typed=True)
    show(real(launcher=nobodys), mine(0, UNKNOWN, [move("red 3")], hit=True))
    page.locator("[data-do=typed]").click()
    page.locator("dialog [data-value='4']").click()
    settled(page)
    due = {"seat": 0, "what": "hit", "units": 2}
    view = real(launcher=nobodys, due=due)
    view["seats"][0]["owed"] = 2
    show(view, mine(0, UNKNOWN, hit=True))
    page.locator(".typed [data-value='0']").click()
    settled(page)
    assert given(table, "hit") == [{"seat": 0, "cards": 4}, {"seat": 0, "cards": 0}]


def test_a_count_is_put_right_by_whose_shot_it_was(page: Page, table: FakeTable, show: Show) -> None:
    last = {"seat": 0, "cards": 3, "certainty": "atLeast"}
    show(real(launcher=machine(last=last, correctable=True), due={"seat": 1, "what": "play"}), mine(0, UNKNOWN))
    expect(page.locator(".ask.unsure")).to_contain_text("Was it 3 cards for Ann?")
    page.locator("[data-do=further]").click()
    settled(page)
    page.locator("[data-do=fewer]").click()
    settled(page)
    assert given(table, "correct") == [{"cards": 4}, {"cards": 2}]
    show(real(launcher=machine(last={**last, "seat": 1}, correctable=True)), mine(0, UNKNOWN))
    expect(page.locator(".ask.shot")).to_have_count(0)


def test_a_challenge_is_judged_by_who_sees_the_hand(page: Page, table: FakeTable, show: Show) -> None:
    due = {"seat": 0, "what": "challenge", "units": 4}
    show(real(due=due, top="wild-draw-four"), mine(0, UNKNOWN, challenge=True, accept=True, draw=True))
    page.locator("[data-do=challenge]").click()
    page.locator("[data-do=innocent]").click()
    settled(page)
    page.locator("[data-do=challenge]").click()
    page.locator("[data-do=guilty]").click()
    settled(page)
    page.locator("[data-do=accept]").click()
    settled(page)
    assert [each["verdict"] for each in given(table, "challenge")] == ["innocent", "guilty"]
    assert given(table, "accept") == [{"seat": 0}]


def test_until_the_colour_comes_somebody_says_so(page: Page, table: FakeTable, show: Show) -> None:
    view = real(due={"seat": 0, "what": "hit", "units": "until-colour"}, launcher=machine())
    view["seats"][0]["owed"] = "until-colour"
    show(view, mine(0, UNKNOWN, hit=True))
    page.locator("[data-do=done]").click()
    settled(page)
    assert given(table, "done") == [{"seat": 0}]


def test_a_hand_is_counted_card_by_card_or_as_a_sum(page: Page, table: FakeTable, show: Show) -> None:
    view = real(phase="counting", turn=None, due={"seat": 0, "what": "count"})
    view |= {"toCount": [0, 1], "counted": [None, None, 0]}
    show(view, mine(0, UNKNOWN))
    expect(page.locator(".banner")).to_contain_text("Still missing: Ann, Bo")
    page.locator("[data-card='red 9']").click()
    page.locator(".ranks [data-card='wild']").click()
    page.locator(".shade.green").click()
    page.locator("[data-card='green skip']").click()
    page.get_by_role("button", name="red 9: tap to take it away").click()
    expect(page.locator("[data-do=count]")).to_have_text("Done: 2 cards, 70 points")
    page.locator("[data-do=count]").click()
    settled(page)
    page.locator("[data-do=as-sum]").click()
    for figure in "142":
        page.locator(f"[data-figure='{figure}']").click()
    page.get_by_role("button", name="Take back a figure").click()
    page.locator("[data-do=points]").click()
    settled(page)
    assert given(table, "count") == [{"seat": 0, "cards": ["wild", "green skip"]}]
    assert given(table, "points") == [{"seat": 0, "points": 14}]
    expect(page.locator(".standing-list .missing")).to_have_count(2)


def test_who_has_nothing_to_count_sees_who_is_missing(page: Page, show: Show) -> None:
    view = real(phase="counting", turn=None, due={"seat": 1, "what": "count"})
    view |= {"toCount": [1], "counted": [12, None, 0]}
    show(view, mine(0, UNKNOWN))
    expect(page.locator(".standing-list .missing")).to_have_text(re.compile("Bo"))
    expect(page.locator(".standing-list")).to_contain_text("12 points")
    expect(page.locator(".picker")).to_have_count(0)


def test_the_very_same_card_is_thrown_in(page: Page, table: FakeTable, show: Show) -> None:
    show(real(due={"seat": 1, "what": "play"}, turn=1), mine(0, UNKNOWN, [move("red 5")]))
    expect(page.locator(".picker")).to_have_count(0)
    page.locator(".hand [data-card='red 5']").click()
    settled(page)
    assert given(table, "play") == [{"seat": 0, "card": "red 5"}]


def test_everything_that_may_be_done_with_known_cards_can_be_done(page: Page, table: FakeTable, show: Show) -> None:
    hand = ["red 5", "red 5", "blue 5", "draw-two"]
    three = table_view([seat(number, name) for number, name in enumerate(("Ann", "Bo", "Cy"))])
    show(three, mine(0, hand, [move("red 5", mates=["red 5", "blue 5"], mostMates=2, alone=True)], draw=True))
    page.locator(".hand [data-card='red 5']").first.click()
    page.locator("dialog [data-card='blue 5']").click()
    page.get_by_role("button", name="Play 2 cards").click()
    page.locator("dialog .field.blue").click()
    settled(page)
    assert given(table, "play") == [{"seat": 0, "card": "red 5", "set": ["blue 5"], "colour": "blue"}]
    page.locator("[data-do=draw]").click()
    settled(page)

    show({**three, "due": {"seat": 0, "what": "draw", "units": 4}},
         mine(0, hand, [move("red 5", mates=["red 5"], mostMates=1, alone=False)], draw=True))  # fmt: skip
    page.locator(".hand [data-card='red 5']").first.click()
    expect(page.get_by_role("button", name="Play 1 card")).to_be_disabled()
    page.locator("dialog [data-card='red 5']").click()
    page.get_by_role("button", name="Play 2 cards").click()
    settled(page)
    assert given(table, "play")[1] == {"seat": 0, "card": "red 5", "set": ["red 5"]}
    page.locator(".ask [data-do=draw]").click()
    settled(page)

    show({**three, "due": {"seat": None, "what": "slap"}, "slap": [0, 1]}, mine(0, hand, slap=True))
    page.locator(".press [data-do=slap]").click()
    settled(page)
    show({**three, "silence": 1}, mine(0, hand, report=[0, 2]))
    page.locator("[data-do=report]").click()
    page.locator("dialog [data-seat='2']").click()
    settled(page)
    assert given(table, "draw") == [{"seat": 0}, {"seat": 0}]
    assert given(table, "slap") == [{"seat": 0}]
    assert given(table, "report") == [{"seat": 0, "target": 2}]


def test_a_start_colour_is_named_beside_the_hand(page: Page, table: FakeTable, show: Show) -> None:
    three = table_view([seat(number, name) for number, name in enumerate(("Ann", "Bo", "Cy"))], top="wild", colour=None)
    show({**three, "due": {"seat": 0, "what": "colour"}}, mine(0, ["red 1", "blue 2"], colour=True))
    expect(page.locator(".hand .card")).to_have_count(2)
    page.locator(".ask .field.yellow").click()
    settled(page)
    assert given(table, "colour") == [{"seat": 0, "colour": "yellow"}]


def test_the_host_is_asked_for_what_only_he_can_say(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosted(pages)
    start = {"phase": "start", "turn": None, "top": None, "colour": None, "due": {"seat": 1, "what": "start"}}
    show(real(**start, dealer=1))
    page.locator("[data-do=dealer][data-seat='2']").click()
    page.locator(".wanted .shade.red").click()
    page.locator(".wanted [data-rank='8']").click()
    page.locator(".wanted [data-card='wild-hit-fire']").click()
    settled(page)
    expect(page.locator("[data-do=start-plain]")).to_have_count(0)
    show(real(**start, dealer=1, tracking="effects"))
    page.locator("[data-do=start-plain]").click()
    settled(page)
    show(real(due={"seat": None, "what": "slap"}, slap=[0, 2]))
    page.locator(".wanted [data-seat='2']").click()
    settled(page)
    show(real(launcher=machine(unowned={"cards": 3, "certainty": "exact"})))
    expect(page.locator(".wanted")).to_contain_text("3 cards came out and nobody had to hit.")
    page.locator(".wanted [data-seat='0']").click()
    page.locator("[data-do=nobodys]").click()
    settled(page)
    show(real(due={"seat": 0, "what": "reload"}))
    page.locator(".wanted [data-do=reload-all]").click()
    settled(page)
    show(real(due={"seat": 1, "what": "colour"}))
    page.locator(".wanted .field.green").click()
    settled(page)
    show(real(due={"seat": 1, "what": "challenge"}))
    page.locator(".wanted [data-do=accept]").click()
    settled(page)
    said = [{name: value for name, value in command.items() if name != "id"} for _, command in table.given]
    assert said == [
        {"do": "dealer", "seat": 2},
        {"do": "start-card", "card": "red 8"},
        {"do": "start-card", "card": "wild-hit-fire"},
        {"do": "start-card", "card": "?"},
        {"do": "last", "target": 2},
        {"do": "give-shot", "seat": 0},
        {"do": "give-shot"},
        {"do": "reload"},
        {"do": "colour", "seat": 1, "colour": "green"},
        {"do": "accept", "seat": 1},
    ]


def test_every_option_can_be_set_and_only_what_differs_is_sent(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosted(pages)
    show(table_view([seat(0, "Ann"), seat(1, "Bo")], phase="gathering", turn=None, top=None, colour=None, due=None,
                    round=0, rules={"preset": "attack", "options": {}}))  # fmt: skip
    page.locator("[data-family=house]").click()
    page.get_by_label("Killer").check()
    page.get_by_label("Real cards").check(force=True)
    page.locator("details.all summary").click()
    option = page.locator("details.all [data-option=seven]")
    option.locator("select").select_option(index=1)
    page.locator("details.all [data-option=defend] .tick", has_text="a Skip").click()
    page.locator("details.all [data-option=last_card] select").select_option(index=2)
    page.locator("details.all [data-option=last_card] .tick", has_text=re.compile("^Reverse$")).click()
    page.locator("details.all [data-option=challenge] select").select_option(index=0)
    page.locator("details.all [data-option=uno_penalty] button").last.click()
    page.locator("details.all [data-option=two] select").select_option(index=0)
    page.locator("details.all [data-option=two] select").select_option(index=1)
    expect(page.locator("details.all > summary")).to_contain_text("5 changed")
    page.locator("details", has_text="The match").locator("summary").first.click()
    page.get_by_label("The match").select_option("own-points")
    page.locator("[data-do=start]").click()
    settled(page)
    assert given(table, "start") == [{
        "preset": "killer", "physical": True, "match": {"format": "own-points", "target": 500, "rounds": 0},
        "options": {
            "seven": "swap-hands", "defend": ["draw-two", "wild-draw-four", "reverse"], "last_card": ["reverse"],
            "challenge": True, "uno_penalty": 3,
        },
    }]  # fmt: skip


def test_a_host_plays_for_anybody(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosted(pages)
    moves = [move("red 3")]
    show(real(turn=1, due={"seat": 1, "what": "play"}), *(mine(each, UNKNOWN, moves) for each in range(3)))
    page.goto(f"{pages.base}/play")
    expect(page.locator(".tab[aria-pressed=true]")).to_have_text("Bo")
    page.locator("[data-card='red 3']").click()
    settled(page)
    page.locator(".tab", has_text="Cy").click()
    page.locator("[data-do=uno]").click()
    settled(page)
    assert given(table, "play") == [{"seat": 1, "card": "red 3"}]
    assert given(table, "uno") == [{"seat": 2}]


def test_a_guest_joins_with_one_tap_and_another_name_with_two(pages: Pages, table: FakeTable) -> None:
    page = pages.open(pages.context(), f"/#{CODES.join}")
    expect(page.locator("#name")).not_to_have_value("")
    first = page.locator("#name").input_value()
    page.locator("[data-do=another]").click()
    expect(page.locator("#name")).not_to_have_value(first)
    wanted = page.locator("#name").input_value()
    page.locator("[data-do=sit]").click()
    page.wait_for_url("**/play")
    page.locator("[data-do=guest]").click()
    expect(page.locator("#guest-name")).not_to_have_value(wanted)
    page.locator("[data-do=sit-guest]").click()
    expect(page.locator("dialog")).to_have_count(0)
    names = [one["name"] for one in given(table, "sit")]
    assert names[0] == wanted
    assert len(set(names)) == 2
