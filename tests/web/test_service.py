"""The maker's page in a browser: what it shows of the machine, what it asks for, and who may look."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.patience import DEADLINE
from tests.web.conftest import PHONE, Pages, Theme
from tests.web.fake_table import FakeTable, View, launcher, machine, table_view
from tests.web.scenes import seats
from tests.web.served import CODES, Served
from tests.web.test_looks import photograph

JAM = {"code": "jammed", "cause": "No card came out.", "remedy": "Open the lid, free the card, close it."}
SHOTS = [
    {"shot": 3, "seat": None, "asked": 3, "cards": 0, "certainty": "at_least", "end": "jammed", "cause": "stuck"},
    {"shot": 2, "seat": 1, "asked": 4, "cards": 4, "certainty": "exact", "end": "done", "cause": ""},
    {"shot": None, "seat": None, "asked": None, "cards": 2, "certainty": "unknown", "end": "done", "cause": ""},
]
FAULTS = [
    {"name": "hard-jam", "does": "the next card sticks in the exit, and pulling back does not help",
     "ends": "with free", "amount": None},
    {"name": "slip", "does": "the roller slips: turning moves no card", "ends": "after so many cards",
     "amount": {"of": "cards", "low": 1, "high": 1000, "usual": 1}},
]  # fmt: skip
TALL = """() => [...document.querySelectorAll("button, a.button, .faults input")].map((one) => {
    const box = one.getBoundingClientRect();
    return [one.textContent || one.ariaLabel, box.width, box.height];
}).filter(([, width, height]) => width < 44 || height < 44)"""


def deal(step: str, **more: Any) -> View:
    return {
        "names": ["Ann", "Bo", "Cyrus"], "want": 7, "hands": [7, 2, 0], "seat": 1, "step": step, "order": 0, "tries": 0,
        "passed": 0, "back": 0, "shots": 1, **more,
    }  # fmt: skip


def count(step: str, counted: int, certainty: str = "exact") -> View:
    return {
        "deck": 112, "counted": counted, "missing": 112 - counted, "certainty": certainty, "step": step, "shots": 3,
    }  # fmt: skip


def gathering(**more: Any) -> View:
    return table_view(seats(3), phase="gathering", turn=None, top=None, colour=None, due=None, round=0, **more)


@pytest.fixture
def show(served: Served, table: FakeTable) -> Any:
    def show(view: View, **of_machine: Any) -> None:
        def change() -> None:
            table.machine = machine(names=["Ann", "Bo", "Cyrus"], **of_machine)
            table.show(view)

        served.do(change)

    return show


def hosting(pages: Pages, size: tuple[int, int] = PHONE, theme: Theme = "dark") -> Page:
    page = pages.open(pages.context(size, theme), "/service")
    page.fill("#code", CODES.host)
    page.get_by_role("button", name="Take the host’s chair").click()
    page.wait_for_selector("[data-fact=motor]")
    return page


def given(table: FakeTable) -> list[dict[str, Any]]:
    return [{name: value for name, value in command.items() if name != "id"} for _, command in table.given]


def asked(page: Page, table: FakeTable, button: str) -> dict[str, Any]:
    """What a tap sends."""
    before = len(table.given)
    page.locator(button).click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert len(table.given) == before + 1
    return given(table)[-1]


@pytest.mark.slow
def test_only_the_host_is_told_how_the_machine_stands(served: Served, table: FakeTable) -> None:
    here = {"origin": served.url}
    with httpx.Client(
        base_url=served.url, headers={**here, "host": f"uno.local:{served.port}"}, timeout=DEADLINE
    ) as phone:
        assert phone.get("/api/v1/service").status_code == 403
    joined = httpx.Client(base_url=served.url, headers=here, timeout=DEADLINE)
    assert joined.post("/api/v1/join", json={"code": CODES.join, "name": "Ann"}).json()["ok"]
    refused = joined.get("/api/v1/service")
    assert (refused.status_code, refused.json()) == (403, {"ok": False, "reason": "not-host"})
    assert joined.post("/api/v1/host", json={"code": CODES.host}).json()["ok"]
    answer = joined.get("/api/v1/service")
    assert answer.json() == {"ok": True, "service": table.machine}
    assert answer.headers["cache-control"] == "no-store"
    joined.close()


@pytest.mark.slow
def test_a_phone_without_the_host_code_sees_nothing_of_it(pages: Pages) -> None:
    pages.expected.append("403")
    page = pages.open(pages.context(), "/service")
    page.fill("#code", "WRONG")
    page.get_by_role("button", name="Take the host’s chair").click()
    expect(page.locator(".bubble")).to_have_text("That is not the code.")
    expect(page.locator("[data-fact=motor]")).to_have_count(0)


@pytest.mark.slow
def test_levels_motor_and_hopper_follow_the_machine(pages: Pages, show: Any) -> None:
    page = hosting(pages)
    expect(page.locator("[data-fact=lid-closed]")).to_have_text("Lidclosed")
    expect(page.locator("[data-fact=motor]")).to_have_text("Motor, last minute1.2 of 8 s")
    show(
        gathering(launcher=launcher(state="cooling", readyIn=12.0)), hopper=None,
        motor={"used": 7.6, "budget": 8.0, "readyIn": 11.2},
        levels={"lid-closed": False, "beam-blocked": True, "stop-pressed": True, "button-down": True},
    )  # fmt: skip
    for fact, text in (
        ("lid-closed", "Lidopen"), ("beam-blocked", "Beamblocked"), ("stop-pressed", "Emergency stoppressed"),
        ("button-down", "Buttondown"), ("hopper", "Hoppernot known"),
        ("motor", "Motor, last minute7.6 of 8 s, rests for 12 s"),
    ):  # fmt: skip
        expect(page.locator(f"[data-fact={fact}]")).to_have_text(text)
    expect(page.get_by_role("heading", name="Launcher: cooling down")).to_be_visible()


@pytest.mark.slow
def test_a_shot_whose_end_nobody_saw_is_said_until_the_cards_are_known(pages: Pages, show: Any) -> None:
    page = hosting(pages)
    lost = {"shot": 4, "seat": None, "asked": 9, "cards": 0, "certainty": "unknown", "end": "unseen", "cause": ""}
    show(gathering(), hopper=None, unseen=9, shots=[lost])
    expect(page.locator("[data-unseen]")).to_contain_text("Nobody saw the end of a service shot of 9 cards")
    expect(page.locator("[data-fact=hopper]")).to_have_text("Hoppernot known")
    expect(page.locator(".past tbody tr.doubt")).to_have_text("service90?end not seen")
    show(gathering(), hopper=80, unseen=None, shots=[lost])
    expect(page.locator("[data-unseen]")).to_have_count(0)


def test_a_service_shot_is_asked_for_with_its_number(pages: Pages, table: FakeTable, show: Any) -> None:
    show(gathering())
    page = hosting(pages)
    page.get_by_role("button", name="Service shot: more").click()
    page.get_by_role("button", name="Service shot: more").click()
    assert asked(page, table, "[data-do=service-shot]") == {"do": "service-shot", "cards": 3}
    show(gathering(), shot={"why": "shot", "asked": 3, "cards": 1})
    expect(page.get_by_text("It fires: 1 of 3")).to_be_visible()
    expect(page.locator("[data-do=service-shot]")).to_be_disabled()


@pytest.mark.slow
def test_a_refusal_is_told_beside_the_button(pages: Pages, table: FakeTable, show: Any) -> None:
    table.refuse["service-shot"] = "too-fast"
    show(gathering())
    page = hosting(pages)
    page.locator("[data-do=service-shot]").click()
    expect(page.locator(".bubble")).to_have_text("Too fast: the launcher needs a moment.")


@pytest.mark.slow
def test_in_a_game_it_must_be_paused_first(pages: Pages, show: Any) -> None:
    show(table_view(seats(3)))
    page = hosting(pages)
    expect(page.locator("[data-do=service-shot]")).to_be_disabled()
    expect(page.get_by_text("A game is on: pause it first.")).to_be_visible()
    show(table_view(seats(3), paused=True), loose=True)
    expect(page.locator("[data-do=service-shot]")).to_be_enabled()
    expect(page.get_by_text("Cards of service shots lie outside.")).to_be_visible()


@pytest.mark.slow
def test_the_last_shots_say_what_was_asked_and_what_came(pages: Pages, show: Any) -> None:
    show(gathering(), shots=SHOTS)
    page = hosting(pages)
    expect(page.locator(".past tbody tr")).to_have_text(
        ["service30 or morejam", "Bo44in order", "service–2?in order"]
    )  # fmt: skip
    expect(page.locator(".past .doubt")).to_have_count(2)


@pytest.mark.slow
def test_a_fault_says_its_remedy_and_is_cleared(pages: Pages, table: FakeTable, show: Any) -> None:
    show(gathering(launcher=launcher(state="jammed", fault=JAM)))
    page = hosting(pages)
    expect(page.locator(".banner.warn")).to_contain_text("No card came out. Open the lid, free the card, close it.")
    assert asked(page, table, "[data-do=clear-fault]") == {"do": "clear-fault"}
    assert asked(page, table, "[data-do=halt]") == {"do": "halt"}


@pytest.mark.slow
def test_a_launcher_that_takes_no_orders_offers_none(pages: Pages, show: Any) -> None:
    show(gathering(), backend="watch", orders=False, twin=None)
    page = hosting(pages)
    expect(page.get_by_text("Backend: watch")).to_be_visible()
    for button in ("service-shot", "deal", "count-deck"):
        expect(page.locator(f"[data-do={button}]")).to_have_count(0)


@pytest.mark.slow
def test_what_can_happen_to_the_twin_is_a_button_each(pages: Pages, table: FakeTable, show: Any) -> None:
    show(gathering(), twin=FAULTS)
    page = hosting(pages)
    assert asked(page, table, "[data-fault=hard-jam]") == {"do": "twin", "fault": "hard-jam"}
    page.get_by_label("slip: cards").fill("4")
    assert asked(page, table, "[data-fault=slip]") == {"do": "twin", "fault": "slip", "value": 4}


@pytest.mark.slow
def test_a_deal_is_led_from_the_page(pages: Pages, table: FakeTable, show: Any) -> None:
    show(gathering())
    page = hosting(pages)
    page.get_by_role("button", name="Cards each: less").click()
    assert asked(page, table, "[data-do=deal]") == {"do": "deal", "cards": 6}
    show(gathering(dealing=deal("ready", passed=2)))
    expect(page.get_by_text("Ann has 2 too many: they go to Bo.")).to_be_visible()
    expect(page.get_by_text("Bo holds their hands at the slot: 5 cards.")).to_be_visible()
    assert asked(page, table, "[data-do=deal-go]") == {"do": "deal-go", "seat": 1}
    show(gathering(dealing=deal("firing", order=5)), followsIn=8.2)
    expect(page.get_by_text("The motor cools down; it goes on by itself in 9 s.")).to_be_visible()
    for button in ("deal-go", "deal-said", "deal-skip"):
        expect(page.locator(f"[data-do={button}]")).to_have_count(0)
    show(gathering(dealing=deal("count")))
    expect(page.get_by_text("Nobody is sure what came. Bo counts the hand.")).to_be_visible()
    expect(page.locator("[data-do=deal-go]")).to_have_count(0)
    page.get_by_role("button", name="Cards in this hand: more").click()
    assert asked(page, table, "[data-do=deal-said]") == {"do": "deal-said", "seat": 1, "cards": 3}
    assert asked(page, table, "[data-do=deal-skip]") == {"do": "deal-skip", "seat": 1}
    show(gathering(dealing=deal("done", hands=[7, 7, 7], back=1)))
    expect(page.get_by_text("Cyrus puts 1 card back into the launcher.")).to_be_visible()
    expect(page.locator("[data-do=deal]")).to_be_visible()


@pytest.mark.slow
def test_every_page_says_whose_turn_it_is_to_be_dealt_to(pages: Pages, show: Any) -> None:
    phone, television = pages.seated("Ann"), pages.television()
    show(gathering(dealing=deal("ready")))
    for page in (phone, television):
        expect(page.get_by_role("heading", name="Dealing to Bo")).to_be_visible()
        expect(page.get_by_text("Bo holds their hands at the slot: 5 cards.").first).to_be_visible()
    show(gathering(dealing=None))
    expect(phone.get_by_role("heading", name="Waiting for the start")).to_be_visible()


@pytest.mark.slow
def test_a_deck_is_counted_from_the_page(pages: Pages, table: FakeTable, show: Any) -> None:
    show(gathering())
    page = hosting(pages)
    page.get_by_role("button", name="Cards of the deck: less").click()
    assert asked(page, table, "[data-do=count-deck]") == {"do": "count-deck", "cards": 108}
    show(gathering(), count=count("firing", 40), followsIn=17.0)
    expect(page.get_by_text("40 of 112")).to_be_visible()
    expect(page.get_by_text("it goes on by itself in 17 s")).to_be_visible()
    show(gathering(), count=count("trouble", 110, "at_least"))
    expect(page.get_by_text("No card came. Look into the machine")).to_be_visible()
    assert asked(page, table, "[data-do=count-empty]") == {"do": "count-empty"}
    assert asked(page, table, "[data-do=count-go]") == {"do": "count-go"}
    assert asked(page, table, "[data-do=count-end]") == {"do": "count-end"}
    for told, text in (
        (count("done", 110, "at_least"), "2 cards are missing at the most."),
        (count("done", 111), "1 card is missing."),
        (count("done", 112), "The deck is complete."), (count("done", 113), "1 card too many."),
        (count("done", 112, "at_least"), "It seems complete, but the launcher is not sure."),
    ):  # fmt: skip
        show(gathering(), count=told)
        expect(page.get_by_text(text, exact=True)).to_be_visible()


@pytest.mark.slow
def test_nothing_sticks_out_and_everything_can_be_hit_on_the_smallest_phone(pages: Pages, show: Any) -> None:
    page = hosting(pages, (320, 568))
    for view, more in (
        (gathering(launcher=launcher(state="jammed", fault=JAM)), {"shots": SHOTS, "twin": FAULTS}),
        (gathering(dealing=deal("trouble", names=["Ann", "Bartholomew the Second", "Cyrus"])), {}),
        (gathering(), {"count": count("trouble", 110)}),
        (table_view(seats(3), paused=True), {"loose": True, "shot": {"why": "shot", "asked": 14, "cards": 9}}),
    ):
        show(view, **more)
        page.wait_for_timeout(100)
        expect(page.locator(".service")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert page.evaluate(TALL) == []
    page.get_by_role("link", name="Host").click()
    page.wait_for_selector(".seat-list")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_makers_page_in_every_state(pages: Pages, show: Any, theme: Theme) -> None:
    show(gathering(), shots=SHOTS, twin=FAULTS)
    page = hosting(pages, theme=theme)
    for name, sign, view, more in (
        ("ready", ".past", gathering(), {"shots": SHOTS, "twin": FAULTS}),
        ("jammed", "[data-do=clear-fault]", gathering(launcher=launcher(state="jammed", fault=JAM)), {"shots": SHOTS}),
        ("dealing", "[data-do=deal-go]", gathering(dealing=deal("ready", passed=2)), {}),
        ("counting", "[data-do=count-end]", gathering(), {"count": count("firing", 40), "followsIn": 17.0}),
    ):
        show(view, **more)
        expect(page.locator(sign)).to_be_visible()
        photograph(page, f"service-{name}-{theme}")
