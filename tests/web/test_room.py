"""Room for everything on small pages: nothing lies over the buttons of the bar, and no hand is pushed off the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Pages
from tests.web.fake_table import FakeTable, View, launcher, mine, seat, table_view
from tests.web.scenes import answering, big_hand, judging, my_turn, naming, owing, round_over, seats, typing
from tests.web.served import Served

Show = Callable[..., None]
Scene = tuple[View, list[View]]

SIZES = ((360, 640), (390, 844), (640, 360), (844, 390))
WIDE = "漢" * 20
NAMES = (
    "小明小明小明小明", "小红小红小红", "爸爸", "妈妈", "哥哥哥哥哥哥", "妹妹妹妹", "爷爷爷爷爷爷", "奶奶", "舅舅舅舅",
)  # fmt: skip

COVERED = """() => [...document.querySelectorAll('.bar > *')].flatMap((button) => {
  const box = button.getBoundingClientRect();
  const missed = [];
  for (let i = 0; i <= 8; i++) for (let j = 0; j <= 8; j++) {
    const x = box.left + 2 + (box.width - 4) * i / 8, y = box.top + 2 + (box.height - 4) * j / 8;
    const hit = document.elementFromPoint(x, y); // at a rounded corner: the bar itself
    if (!hit?.closest('.bar')) missed.push(`${button.className} ${x},${y}: ${hit?.className}`);
  }
  return missed;
})"""

SEEN = """(selector) => Math.max(0, ...[...document.querySelectorAll(selector)].map((card) => {
  const box = card.getBoundingClientRect();
  let seen = 0;
  for (let y = Math.ceil(box.top) + 1; y < box.bottom; y++) {
    const hit = document.elementFromPoint(box.left + box.width * 0.3, y);
    if (hit && card.contains(hit)) seen++;
  }
  return seen / box.height;
}))"""


@pytest.fixture
def show(served: Served, table: FakeTable) -> Show:
    def show(view: View, *privates: View, events: tuple[View, ...] = ()) -> None:
        served.do(lambda: table.show(view, *privates, events=events))

    return show


def shared(names: tuple[str, ...], cards: int, turn: int = 0, **more: Any) -> Scene:
    """One phone for all of these seats."""
    view = table_view(
        [seat(number, name, hand=cards) for number, name in enumerate(names)],
        turn=turn, due={"seat": turn, "what": "play"}, **more,
    )  # fmt: skip
    return view, [mine(number, big_hand(cards), hit=number == turn) for number in range(len(names))]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", [lambda: table_view(seats(9)), lambda: round_over(9)], ids=["playing", "round over"])
def test_a_television_shows_the_scores_of_all_nine(
    pages: Pages, table: FakeTable, show: Show, size: tuple[int, int], scene: Callable[[], View]
) -> None:
    page = pages.television(size)
    show({**scene(), "match": {**scene()["match"], "forfeit": "The last one brings the tea."}})
    expect(page.locator(".scores tbody tr")).to_have_count(9)
    covered = """() => [...document.querySelectorAll('.standing td, .standing th, .standing p')].filter((cell) => {
      const box = cell.getBoundingClientRect();
      const seen = (y) => cell.contains(document.elementFromPoint(box.left + box.width / 2, y));
      return !seen(box.top + 3) || !seen(box.bottom - 3);
    }).map((cell) => cell.textContent)"""
    assert page.evaluate(covered) == []


def one(scene: tuple[View, View]) -> Scene:
    view, private = scene
    return view, [private]


def noticed(scene: Scene) -> Scene:
    """The chair is free, which every phone is told, and the last tap may be taken back."""
    view, privates = scene
    return {**view, "chairFree": True, "takeBack": {"seat": 0, "seconds": 10.0}}, privates


def helped() -> Scene:
    view, privates = shared(("Ann", "Kid"), 5, silence=1)
    view["seats"][0]["helped"] = True
    last = {"seat": 0, "cards": 3, "certainty": "at-least"}
    return {**view, "launcher": launcher(last=last, correctable=True)}, privates


BACK = {"seat": 0, "seconds": 10.0}
STATES: dict[str, Callable[[], Scene]] = {
    "one seat": lambda: one(my_turn(big_hand(7))),
    "one seat, many cards": lambda: one(my_turn(big_hand(24), 9)),
    "two seats": lambda: shared(("Ann", "Kid"), 7),
    "two seats, taking back": lambda: shared(("Ann", "Kid"), 7, 1, takeBack=BACK),
    "three seats": lambda: shared(("Ann", "Kid", "Bo"), 6),
    "two seats, one card": lambda: shared(("Ann", "Kid"), 1, takeBack=BACK),
    "nine seats": lambda: shared(NAMES, 5, 5),
    "nine seats, taking back": lambda: shared(NAMES, 5, 5, takeBack=BACK),
    "nine seats, long names": lambda: shared((WIDE, *NAMES[1:]), 5),
    "nine seats, many cards": lambda: shared(NAMES, 20),
    "nine seats, told and taking back": lambda: noticed(shared(NAMES, 10)),
    "two seats, helped": helped,
    "two seats, helped and told": lambda: noticed(helped()),
    "answering": lambda: one(answering()),
    "two of real cards": lambda: noticed((naming()[0], [naming()[1], mine(1, ["?"] * 7)])),
    "owing": lambda: one(owing()),
    "owing, told": lambda: noticed(one(owing("until-fire"))),
    "judging": lambda: one(judging()),
    "typing": lambda: one(typing()),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_lies_over_the_bar_and_a_card_is_seen(
    pages: Pages, table: FakeTable, show: Show, size: tuple[int, int]
) -> None:
    page = pages.seated(size=size)
    table.codes = {number: f"48{number:02}" for number in range(9)}
    wrong: dict[str, object] = {}
    for name, scene in STATES.items():
        view, privates = scene()
        owned(table, len(privates))
        shown(page, table, show, view, privates)
        if covered := page.evaluate(COVERED):
            wrong[f"{name}: the bar"] = f"{len(covered)} points: {covered[0]}"
        cards = ".hand .picker .card" if view["physical"] else ".hand .card"
        if page.locator(".hand .card").count() and (seen := page.evaluate(SEEN, cards)) < 0.5:
            wrong[f"{name}: the cards"] = seen
    assert wrong == {}


def owned(table: FakeTable, count: int) -> None:
    """The first seats are those of the phone that took the first one."""
    session = table._owners[0]
    table._owners = dict.fromkeys(range(count), session)


def shown(page: Page, table: FakeTable, show: Show, view: View, privates: list[View]) -> None:
    """The page shows this table."""
    show(view, *privates)
    expect(page.locator("html")).to_have_attribute("data-version", str(len(table._history)))
    expect(page.locator(".bar")).to_be_visible()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(844, 390), (390, 844), (360, 640)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_whole_row_of_the_picker_is_seen_below_a_notice_and_the_switcher(
    pages: Pages, table: FakeTable, show: Show, size: tuple[int, int]
) -> None:
    page = pages.seated(size=size)
    owned(table, 2)
    shown(page, table, show, *STATES["two of real cards"]())
    expect(page.locator(".picker .ranks .card").first).to_be_visible()
    assert page.evaluate(SEEN, ".picker .ranks .card") > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("names", [NAMES, (WIDE,) * 9], ids=["ordinary", "wide"])
def test_every_name_of_the_switcher_is_one_line_and_the_pressed_one_is_seen(
    pages: Pages, table: FakeTable, show: Show, size: tuple[int, int], names: tuple[str, ...]
) -> None:
    page = pages.seated(size=size)
    owned(table, 9)
    for turn in (5, 8, 0):
        view, privates = shared(names, 5, turn)
        shown(page, table, show, view, privates)
        tabs = page.locator(".switcher .tab")
        expect(tabs).to_have_count(9)
        assert all(box.bounding_box()["height"] < 60 for box in tabs.all())  # type: ignore[index]
        pressed = page.locator(".switcher [aria-pressed=true]")
        expect(pressed).to_have_attribute("data-seat", str(turn))
        expect(pressed).to_be_in_viewport(ratio=0.99)
        strip, tab = page.locator(".switcher").bounding_box(), pressed.bounding_box()
        assert strip is not None
        assert tab is not None
        assert strip["x"] <= tab["x"]
        assert tab["x"] + tab["width"] <= strip["x"] + strip["width"]


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN", "zh-TW"])
def test_the_head_of_a_hand_is_all_on_the_page(
    pages: Pages, table: FakeTable, show: Show, width: int, locale: str
) -> None:
    page = pages.seated(size=(width, 844), locale=locale)
    table.codes = {0: "4821", 1: "7705"}
    view, private = my_turn(big_hand(10))
    for scene in ((view, [private]), shared((WIDE, "Kid"), 5), shared((WIDE, WIDE), 24)):
        owned(table, len(scene[1]))
        shown(page, table, show, *scene)
        buttons = page.locator(".hand header button")
        assert page.locator(".hand header .own").count() == 1
        for button in buttons.all():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    assert page.locator(".hand .jump").count() == 5
