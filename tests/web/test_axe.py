"""Every page in every state, theme and language: axe finds nothing serious, and everything can be hit with a thumb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import TELEVISION, Pages, Theme
from tests.web.fake_table import FakeTable, View, launcher, mine, table_view
from tests.web.served import CODES, Served
from web_companion.app import PAGES

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / ".ci/node_modules/axe-core/axe.min.js"
LANGUAGES = {"en": "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK"}
THEMES: tuple[Theme, ...] = ("dark", "light")
SERIOUS = ("serious", "critical")
# A card's corner letters stand for its colour, once for each end of the card: its name says the colour in full.
LETTERS = ("label-content-name-mismatch", '<button type="button" class="card')

FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap((one) =>
    one.nodes.map((node) => [one.impact, one.id, node.html.slice(0, 160), node.failureSummary.split("\\n")[1]]))"""
SMALL = """() => [...document.querySelectorAll("button, a, input, select, summary, [role=button]")].filter((target) => {
    const label = target.closest("label") ?? (target.id && document.querySelector(`label[for="${target.id}"]`));
    const box = (label && /^(radio|checkbox)$/.test(target.type) ? label : target).getBoundingClientRect();
    const shown = target.checkVisibility({ checkVisibilityCSS: true }) && box.width > 0;
    return shown && (Math.round(box.width) < 44 || Math.round(box.height) < 44);
}).map((target) => target.outerHTML.slice(0, 120))"""

Show = Callable[..., None]
Open = Callable[[str], Page]


@pytest.fixture
def show(served: Served, table: FakeTable) -> Show:
    def show(view: View, *privates: View) -> None:
        served.do(lambda: table.show(view, *privates))

    return show


def gathering() -> tuple[View]:
    return (table_view(scenes.seats(4), phase="gathering", turn=None, top=None, colour=None, due=None, round=0),)


OF_A_SEAT: dict[str, Callable[[], tuple[View, ...]]] = {
    "gathering": gathering,
    "my turn": lambda: scenes.my_turn(scenes.big_hand(7)),
    "a large hand": lambda: scenes.my_turn(scenes.big_hand(60), 9),
    "owing": scenes.owing,
    "owing, with a finger": lambda: scenes.owing("until-fire", "finger"),
    "answering": scenes.answering,
    "another's turn": lambda: (table_view(scenes.seats(3), turn=1, due={"seat": 1, "what": "play"}), mine(0, [])),
    "naming": scenes.naming,
    "judging": scenes.judging,
    "typing": scenes.typing,
    "counting": scenes.counting,
    "slapping": lambda: (
        table_view(scenes.seats(3), due={"seat": None, "what": "slap"}, slap=[0, 1]), mine(0, ["red 1"], slap=True)
    ),
    "a start colour": lambda: (
        table_view(scenes.seats(3), top="wild", colour=None, due={"seat": 0, "what": "colour"}),
        mine(0, ["red 1", "blue 2"], colour=True),
    ),
    "jammed": lambda: scenes.owing(state="jammed", fault={"code": "jam", "cause": "None came.", "remedy": "Free it."}),
    "an uncounted shot": lambda: (table_view(scenes.seats(2), due={"seat": 0, "what": "shot-count"}), mine(0, [])),
    "a round over": lambda: (scenes.round_over(), mine(0, [])),
}  # fmt: skip
OF_ALL: dict[str, Callable[[], tuple[View, ...]]] = {
    "gathering": gathering,
    "playing": lambda: (table_view(scenes.seats(9)),),
    "firing": lambda: (table_view(scenes.seats(4), launcher=launcher(state="firing", shot={"seat": 1, "cards": 3})),),
    "real cards": lambda: (scenes.real(),),
    "a round over": lambda: (scenes.round_over(),),
    "a fault": lambda: (
        table_view(scenes.seats(3), launcher=launcher(state="fault", fault={
            "code": "lid", "cause": "The lid is open.", "remedy": "Close it."})),
    ),
}  # fmt: skip


def states(pages: Pages, show: Show, theme: Theme, locale: str) -> Iterator[tuple[str, Page]]:
    """Every page of the table in all that it can show, one after the other."""
    context = pages.context(theme=theme, locale=locale)
    pages._join(context, name="Ann")  # sits down first, in seat 0
    stranger = pages.open(pages.context(theme=theme, locale=locale), "/")
    stranger.wait_for_selector("#code")
    yield "/: the code", stranger
    show(*gathering())
    stranger.goto(f"{pages.base}/#{CODES.join}")
    stranger.reload()
    stranger.wait_for_selector("#name")
    yield "/: the name", stranger
    page = pages.open(context, "/play")
    for name, scene in OF_A_SEAT.items():
        show(*scene())
        _drawn(page)
        yield f"/play: {name}", page
    show(*scenes.my_turn(["wild", "blue 7"]))
    page.locator(".hand [data-card=wild]").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    yield "/play: a sheet", page
    page.goto(f"{pages.base}/host")
    page.wait_for_selector("#code")
    yield "/host: the code", page
    page.fill("#code", CODES.host)
    page.keyboard.press("Enter")
    page.wait_for_selector(".columns")
    for path, ready in (("/host", ".columns"), ("/service", "main"), ("/rules", "main"), ("/table", "main")):
        page.goto(pages.base + path)
        page.wait_for_selector(ready)
        for name, scene in OF_ALL.items():
            show(*scene())
            _drawn(page)
            yield f"{path}: {name}", page
    page.set_viewport_size({"width": TELEVISION[0], "height": TELEVISION[1]})
    for name, scene in OF_ALL.items():
        show(*scene())
        _drawn(page)
        yield f"/table, a television: {name}", page


def _drawn(page: Page) -> None:
    """What has been sent is on the page."""
    page.wait_for_timeout(60)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_no_page_is_forgotten(pages: Pages, show: Show) -> None:
    seen = {name.partition(":")[0].partition(",")[0] for name, _ in states(pages, show, "dark", "en-GB")}
    assert seen == set(PAGES)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_serious(pages: Pages, show: Show, theme: Theme, language: str) -> None:
    if not AXE.exists():
        pytest.fail("axe-core is not there: `./uno test --all` installs it")
    script = AXE.read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for name, page in states(pages, show, theme, LANGUAGES[language]):
        assert page.evaluate("document.documentElement.lang") == language
        page.evaluate(script)
        serious = [
            each for each in page.evaluate(FOUND)
            if each[0] in SERIOUS and not (each[1] == LETTERS[0] and each[2].startswith(LETTERS[1]))
        ]  # fmt: skip
        if serious:
            found[name] = serious
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_hit_with_a_thumb(pages: Pages, show: Show, language: str) -> None:
    small = {}
    for name, page in states(pages, show, "dark", LANGUAGES[language]):
        if found := page.evaluate(SMALL):
            small[name] = found
    assert small == {}


def test_what_axe_would_find_is_found(pages: Pages, show: Show) -> None:
    page = pages.seated()
    show(*scenes.my_turn(["red 5"]))
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate("""() => { const button = document.createElement("button"); button.style.width = "20px";
        document.querySelector("main").append(button); }""")
    assert ["critical", "button-name"] in [each[:2] for each in page.evaluate(FOUND)]
    assert len(page.evaluate(SMALL)) == 1
