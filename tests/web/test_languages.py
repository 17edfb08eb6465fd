"""Languages in a browser: who gets which, the switch, and that no text is cut off on a narrow phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from controller.rules.explain import LANGUAGES, words
from tests.web.catalogues import catalogue
from tests.web.conftest import Pages
from tests.web.fake_table import FakeTable, View, launcher, machine, mine, table_view
from tests.web.scenes import answering, big_hand, counting, judging, my_turn, naming, owing, round_over, seats, typing
from tests.web.served import CODES, Served
from tests.web.test_pages import gathering

NARROW = (320, 568)
LOCALES = {"en": "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}
SCENES: dict[str, Callable[[], tuple[View, View]]] = {
    "gathering": lambda: (gathering(3), mine(0, [])),
    "hand": lambda: my_turn(big_hand(7)),
    "owing": owing,
    "until": lambda: owing("until-colour", "finger"),
    "cooling": lambda: owing(2, state="cooling", readyIn=31),
    "judging": judging,
    "answering": answering,
    "naming": naming,
    "typing": typing,
    "counting": counting,
    "slap": lambda: (table_view(seats(4), slap=[0, 1], due={"seat": None, "what": "slap"}), mine(0, [], slap=True)),
    "catch": lambda: (table_view(seats(4)), mine(0, big_hand(3), catch=[3])),
    "round-over": lambda: (round_over(), mine(0, [])),
    "fault": lambda: (
        table_view(seats(3), launcher=launcher(state="fault", fault={"code": "edges-lost", "cause": "", "remedy": ""})),
        mine(0, big_hand(3)),
    ),
}

CUT_OFF = """() => [...document.querySelectorAll("button, .button, .call, summary, h1, h2, .badge, .segment span")]
    .filter((one) => one.offsetParent !== null && getComputedStyle(one).textOverflow !== "ellipsis")
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.textContent)"""


def check(page: Page, where: str) -> None:
    """Nothing is wider than the phone or than its own field, and no key shows for want of a text."""
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0], where
    assert page.evaluate(CUT_OFF) == [], where
    assert "undefined" not in page.locator("body").inner_text(), where


@pytest.mark.slow
def test_a_phone_speaks_the_language_it_asks_for(pages: Pages) -> None:
    wanted = {
        "zh-Hant": ("zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-CN"),
        "zh-Hans": ("zh", "zh-CN", "zh-SG", "zh-Hans", "zh-Hans-HK"),
        "en": ("en-US", "de-DE", "ja-JP"),
    }
    for language, locales in wanted.items():
        for locale in locales:
            page = pages.open(pages.context(locale=locale), f"/#{CODES.join}")
            expect(page.locator("html"), locale).to_have_attribute("lang", language)
            expect(page.get_by_role("heading", level=1)).to_have_text(catalogue(language)["join.title"][0])
            expect(page).to_have_title(catalogue(language)["app.title"][0])


@pytest.mark.slow
def test_the_most_wanted_language_that_there_is_decides(pages: Pages) -> None:
    page = pages.open(pages.context(), f"/#{CODES.join}")
    page.wait_for_selector("main")
    found = page.evaluate("""async () => {
        const build = document.querySelector("meta[name=build]").content;
        const { languageFor } = await import(`/a/${build}/js/language.js`);
        return [["fr", "zh-HK", "en"], ["en", "zh"], ["yue"], ["yue-Hans"], ["no tag!", "zh-MO"], [], ["fr"]]
            .map(languageFor);
    }""")
    assert found == ["zh-Hant", "en", "zh-Hant", "zh-Hans", "zh-Hant", "en", "en"]


def test_the_language_is_changed_on_the_phone_and_kept(pages: Pages) -> None:
    fetched: list[str] = []
    context = pages.context(locale="zh-CN")
    context.on("request", lambda request: fetched.append(request.url))
    page = pages.open(context, f"/#{CODES.join}")
    page.fill("#name", "小明")
    assert [url.rpartition("/")[2] for url in fetched if "/texts/" in url] == ["zh-Hans.js"]
    page.get_by_role("button", name="繁體中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("[data-do=sit]")).to_have_text(catalogue("zh-Hant")["join.sit"][0])
    assert page.input_value("#name") == "小明"
    page.goto(f"{pages.base}/table")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Nobody sits here yet")).to_be_visible()


@pytest.mark.slow
def test_it_works_where_nothing_can_be_kept(pages: Pages) -> None:
    context = pages.context(locale="zh-HK")
    context.add_init_script("""Object.defineProperty(window, "localStorage",
        { get() { throw new DOMException("refused", "SecurityError"); } })""")
    page = pages.open(context, f"/#{CODES.join}")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("[data-do=sit]")).to_have_text(catalogue("zh-Hans")["join.sit"][0])


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_the_options_of_the_game_are_told_in_it(pages: Pages, served: Served, table: FakeTable, language: str) -> None:
    page = hosting(pages, language, (1000, 800))
    served.do(lambda: table.show(gathering(3)))
    texts = words(language)
    for text in (texts["preset.attack"], texts["sets.off"]):
        expect(page.locator("main")).to_contain_text(text)
    page.locator("details.all summary").click()
    for name in ("group.penalties", "after_draw.play", "option.catch_window"):
        expect(page.locator("details.all")).to_contain_text(texts[name])
    other = next(tag for tag in LANGUAGES if tag != language)
    page.locator(f"[data-language={other}]").click()
    expect(page.locator("main")).to_contain_text(words(other)["preset.attack"])
    expect(page.locator("main")).not_to_contain_text(texts["preset.attack"])


def test_what_happened_and_what_was_refused_is_said_in_chinese(pages: Pages, served: Served, table: FakeTable) -> None:
    page = pages.seated(locale="zh-TW")
    table.refuse["play"] = "not-your-turn"
    view, private = my_turn(["red 5", "blue 7"])
    served.do(lambda: table.show(view, private))
    page.locator('.hand [data-card="red 5"]').click()
    expect(page.locator(".bubble")).to_contain_text(catalogue("zh-Hant")["refused.not-your-turn"][0])
    page.goto(f"{pages.base}/table")
    page.wait_for_selector(".ring")
    played = {"e": "played", "seat": 0, "cards": ["wild-attack-attack"], "colour": "blue", "target": 1, "swept": []}
    events = [
        {"e": "took", "seat": 1, "how": "hit", "count": 3},
        played,
        {**played, "cards": ["red skip"], "colour": None},
    ]
    served.do(lambda: table.show(table_view(seats(3)), events=events))
    expect(page.locator(".said li")).to_have_text(
        ["Bo按了：來了3張。", "Ann對Bo出「萬用指定攻擊」，喊藍色。", "Ann對Bo出「紅色跳過」。"]
    )


def hosting(pages: Pages, language: str, size: tuple[int, int]) -> Page:
    """The host's page."""
    page = pages.open(pages.context(size, locale=LOCALES[language]), "/host")
    page.fill("#code", CODES.host)
    page.locator("form button").click()
    page.wait_for_selector(".columns")
    return page


@pytest.mark.slow
@pytest.mark.parametrize("language", LOCALES)
def test_nothing_is_cut_off_on_a_narrow_phone(pages: Pages, served: Served, table: FakeTable, language: str) -> None:
    page = pages.open(pages.context(NARROW, locale=LOCALES[language]), f"/#{CODES.join}")
    page.wait_for_selector("#name")
    check(page, "join")
    page = pages.seated(size=NARROW, locale=LOCALES[language])
    for name, scene in SCENES.items():
        view, private = scene()
        served.do(lambda view=view, private=private: table.show(view, private))  # type: ignore[misc]
        expect(page.locator(f".phase-{view['phase']} .lower").first).to_be_visible()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        check(page, name)


@pytest.mark.slow
@pytest.mark.parametrize("language", LOCALES)
def test_the_hosts_pages_fit_a_narrow_phone(pages: Pages, served: Served, table: FakeTable, language: str) -> None:
    page = hosting(pages, language, NARROW)
    for view in (gathering(4), table_view(seats(4), physical=True), round_over()):
        served.do(lambda view=view: table.show(view))  # type: ignore[misc]
        page.wait_for_timeout(100)
        page.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
        check(page, f"host, {view['phase']}")
    fault = {
        "name": "double-share",
        "does": "many come in pairs",
        "ends": "",
        "amount": {"of": "percent", "low": 0, "high": 100, "usual": 5},
    }
    table.machine = machine(twin=[fault], names=["Ann", "Bo"])
    served.do(lambda: table.show(gathering(3)))
    page.goto(f"{pages.base}/service")
    page.wait_for_selector("[data-fault]")
    check(page, "service")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/play", "/table", "/host"])
def test_a_first_load_in_chinese_is_light(pages: Pages, served: Served, table: FakeTable, path: str) -> None:
    served.do(lambda: table.show(*naming()))
    weights: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if response.status == 200:
            weights[response.url] = int(response.header_value("content-length") or 0)

    context = pages.context(locale="zh-TW") if path == "/" else pages.seated(locale="zh-TW").context
    context.on("response", weigh)
    page = pages.open(context, f"{path}#{CODES.join}")
    page.wait_for_load_state("networkidle")
    assert any(url.endswith("/zh-Hant.js") for url in weights)
    assert sum(weights.values()) < 60_000


def test_the_rules_come_in_every_language_and_without_words(served: Served) -> None:
    def book(language: str) -> dict[str, Any]:
        answer = httpx.get(f"{served.url}/api/v1/rules", params={"language": language})
        assert answer.status_code == 200
        return dict(answer.json())

    english, traditional, bare = book("en"), book("zh-Hant"), book("none")
    by_name = {option["name"]: option for option in traditional["options"]}
    assert by_name["deck"]["text"] == words("zh-Hant")["option.deck"]
    assert by_name["deck"]["choices"][0]["text"] == words("zh-Hant")["title.classic-108"]
    for part in ("options", "presets"):
        for one, other, without in zip(english[part], traditional[part], bare[part], strict=True):
            assert without == {key: one[key] for key in without}
            assert (one["name"], one["text"] == other["text"], "text" in without) == (other["name"], False, False)
    assert english["decks"] == traditional["decks"] == bare["decks"]
    refused = httpx.get(f"{served.url}/api/v1/rules", params={"language": "zh"})
    assert (refused.status_code, refused.json()["reason"]) == (400, "bad-command")
