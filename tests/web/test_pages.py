"""The way in, the television and the host's page, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.web.conftest import PHONE, TELEVISION, Pages
from tests.web.fake_table import FakeTable, View, launcher, mine, table_view
from tests.web.scenes import big_hand, my_turn, round_over, seats
from tests.web.served import CODES, Served

Show = Callable[..., None]

OVERLAPS = """async () => {
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); // sizes are followed a frame later
    const boxes = [...document.querySelectorAll(".chip .body, .top-card, .launcher .box")]
        .map((element) => ({ name: element.textContent, ...element.getBoundingClientRect().toJSON() }));
    const found = [];
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push([a.name, b.name, wide, high]);
    }));
    return found;
}"""


@pytest.fixture
def show(served: Served, table: FakeTable) -> Show:
    def show(view: View, *privates: View, events: tuple[View, ...] = ()) -> None:
        served.do(lambda: table.show(view, *privates, events=events))

    return show


def gathering(count: int) -> View:
    return table_view(seats(count), phase="gathering", turn=None, top=None, colour=None, due=None, round=0)


def hosting(pages: Pages, size: tuple[int, int] = (1000, 800)) -> Page:
    page = pages.open(pages.context(size), "/host")
    page.fill("#code", CODES.host)
    page.get_by_role("button", name="Take the host’s chair").click()
    page.wait_for_selector(".columns")
    return page


def given(table: FakeTable) -> list[dict[str, Any]]:
    return [{name: value for name, value in command.items() if name != "id"} for _, command in table.given]


def test_a_phone_joins_with_the_code_typed_and_comes_back_to_its_seat(pages: Pages, table: FakeTable) -> None:
    pages.expected.append("403")
    page = pages.open(pages.context(), "/")
    page.fill("#code", "abcde")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".bubble")).to_have_text("That is not the code.")
    page.fill("#code", CODES.join.lower())
    page.get_by_role("button", name="Go on").click()
    page.fill("#name", "  Ann  ")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url("**/play")
    expect(page.locator(".chip.me .name")).to_have_text("Ann")
    assert page.evaluate("document.cookie") == ""
    page.goto(pages.base)
    page.wait_for_url("**/play")
    assert [command["do"] for command in given(table)] == ["sit"]


@pytest.mark.slow
def test_the_code_of_a_scanned_qr_never_reaches_the_server(pages: Pages) -> None:
    asked: list[str] = []
    context = pages.context()
    context.on("request", lambda request: asked.append(request.url))
    page = pages.open(context, f"/#{CODES.join}")
    expect(page.locator("#name")).to_be_visible()
    assert page.url == f"{pages.base}/"
    assert all(CODES.join not in url.partition("#")[0] for url in asked)


@pytest.mark.slow
def test_a_refused_name_is_told_beside_the_field(pages: Pages, table: FakeTable) -> None:
    table.refuse["sit"] = "name-taken"
    page = pages.open(pages.context(), f"/#{CODES.join}")
    page.fill("#name", "Ann")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator(".bubble")).to_contain_text("Somebody here has that name already.")
    assert page.input_value("#name") == "Ann"


def test_the_page_is_no_secure_context_as_at_home(pages: Pages) -> None:
    page = pages.television()
    assert page.evaluate("[isSecureContext, typeof crypto.randomUUID]") == [False, "undefined"]


@pytest.mark.slow
def test_a_television_watches_with_the_code_in_its_address(pages: Pages, show: Show) -> None:
    page = pages.open(pages.context(TELEVISION), f"/table#{CODES.join}")
    expect(page.get_by_role("heading", name="Nobody sits here yet")).to_be_visible()
    assert page.url == f"{pages.base}/table"
    expect(page.locator(".code")).to_have_text(CODES.join)
    assert page.locator(".qr").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    show(gathering(3))
    expect(page.locator(".chip")).to_have_count(3)


@pytest.mark.slow
@pytest.mark.parametrize("size", [TELEVISION, (1920, 1080), PHONE], ids=["hd", "full-hd", "phone"])
def test_seats_never_lie_on_each_other_nor_on_the_cards(pages: Pages, show: Show, size: tuple[int, int]) -> None:
    page = pages.television(size)
    for players in (2, 4, 7, 9):
        view = table_view(seats(players), due={"seat": 1, "what": "hit", "units": 2})
        view["seats"][1]["owed"] = 2
        show(view)
        expect(page.locator(".chip")).to_have_count(players)
        assert page.evaluate(OVERLAPS) == [], players


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, (360, 640), TELEVISION], ids=["phone", "small", "desk"])
def test_a_phone_shows_every_seat_whatever_it_holds(pages: Pages, show: Show, size: tuple[int, int]) -> None:
    page = pages.seated(size=size)
    for players in (2, 5, 9):
        for cards in (3, 20, 60):
            show(*my_turn(big_hand(cards), players))
            expect(page.locator(".chip")).to_have_count(players)
            expect(page.locator(".hand .card")).to_have_count(cards)
            assert page.evaluate(OVERLAPS) == [], (players, cards)


@pytest.mark.slow
def test_names_are_readable_at_four_metres(pages: Pages, show: Show) -> None:
    page = pages.television()
    show(table_view(seats(9)))
    heights = page.locator(".chip .name").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(heights) >= 720 * 0.038  # a letter of some 17 mm on a 43-inch screen


@pytest.mark.slow
def test_play_goes_clockwise_on_the_screen_and_the_arrow_turns(pages: Pages, show: Show) -> None:
    page = pages.television()
    show(table_view(seats(4)))
    expect(page.locator(".chip")).to_have_count(4)
    middles = page.locator(".chip").evaluate_all("""(all) => all.map((one) => {
        const box = one.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    })""")
    (x0, y0), (x1, y1), (_x2, y2), (x3, _y3) = middles
    assert y0 > y1 > y2  # the first at the bottom, the third at the top
    assert x1 < x0 < x3  # the second, the first one's left neighbour, on the left as seen from above
    expect(page.get_by_role("img", name="clockwise", exact=True)).to_be_visible()
    show(table_view(seats(4), direction="counterclockwise"))
    expect(page.get_by_role("img", name="counterclockwise", exact=True)).to_be_visible()


@pytest.mark.slow
def test_the_last_three_events_are_sentences(pages: Pages, show: Show) -> None:
    page = pages.television()
    show(
        table_view(seats(3)),
        events=(
            {"e": "called", "seat": 2, "right": True},
            {
                "e": "played",
                "seat": 2,
                "cards": ["red discard-all"],
                "colour": None,
                "target": None,
                "swept": ["red 1", "red 2"],
            },
            {"e": "owes", "seat": 0, "units": 2, "until": "", "why": "hit-2"},
            {"e": "took", "seat": 1, "how": "hit", "count": 1},
            {"e": "played", "seat": 0, "cards": ["wild-attack-attack"], "colour": "blue", "target": 1, "swept": []},
        ),
    )
    expect(page.locator(".said li")).to_have_text(
        [
            "Cyrus plays red discard all; 2 more go with it.",
            "Bo hits: 1 card.",
            "Ann plays wild attack attack on Bo and says blue.",
        ]
    )


@pytest.mark.parametrize(
    ("change", "heading", "text"),
    [
        ({"launcher": launcher(state="jammed", fault={"code": "jam", "cause": "No card came.", "remedy": "Free it."})},
         "The launcher is jammed", "No card came. Free it."),
        ({"due": {"seat": None, "what": "reload"}}, "The hopper is empty", "The host fills it"),
        ({"paused": True}, "Paused", "The host has stopped the clock"),
        ({"due": {"seat": 1, "what": "hit", "units": "until-fire"}}, "Bo hits until it fires", ""),
        ({"launcher": launcher(state="pressed")}, "Something is coming…", ""),
        ({"due": {"seat": 1, "what": "shot-count"}}, "How many cards came out for Bo?", "The shot was cut short"),
    ],
    ids=["jam", "reload", "paused", "until-fire", "pressed", "shot-count"],
)  # fmt: skip
@pytest.mark.slow
def test_every_state_says_what_to_do_next(pages: Pages, show: Show, change: View, heading: str, text: str) -> None:
    page = pages.television()
    show(table_view(seats(3), **change))
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator(".banner")).to_contain_text(text)


def test_the_host_builds_a_table_and_deals(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    expect(page.locator("[data-do=start]")).to_be_disabled()
    page.locator("[data-do=add-bot]").click()
    show(gathering(3))
    page.get_by_label("Attack, by the sheet").check()
    page.locator("details", has_text="The match").locator("summary").first.click()
    page.get_by_label("200", exact=True).check(force=True)
    page.locator("[data-do=start]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table) == [
        {"do": "add-bot"},
        {
            "do": "start",
            "preset": "attack-sheet",
            "physical": False,
            "match": {"format": "winner-takes", "target": 200, "rounds": 0},
        },
    ]


def test_every_tap_is_one_more_bot_however_late_the_answers_are(pages: Pages, table: FakeTable) -> None:
    page = hosting(pages)
    table.silent.add("add-bot")
    for _ in range(3):
        page.locator("[data-do=add-bot]").click()
    page.locator("[data-do=close-table]").click()
    expect(page.locator("[data-do=close-table]")).not_to_have_attribute("aria-busy", "true")
    assert [command["do"] for command in given(table)] == ["add-bot", "add-bot", "add-bot", "close-table"]


def test_what_a_button_has_become_is_not_held_up_by_what_it_was(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    show(table_view(seats(2)))
    table.silent.add("pause")
    page.locator("[data-do=pause]").click()
    page.locator("[data-do=pause]").click()
    show(table_view(seats(2), paused=True))  # the answer is still on its way
    page.locator("[data-do=resume]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert [command["do"] for command in given(table)] == ["pause", "resume"]


@pytest.mark.parametrize(("match", "before", "after"), [("winner-takes", "60", 140), ("chips", "-30", -12)])
def test_a_score_is_put_right_by_writing_it(
    pages: Pages, table: FakeTable, show: Show, match: str, before: str, after: int
) -> None:
    page = hosting(pages)
    sitting = seats(2)
    sitting[1]["chips"] = -30
    show(table_view(sitting, match={"format": match, "target": 0, "rounds": 0, "winners": []}))
    right = page.locator(".put-right")
    right.locator("[data-right=score]").click()
    right.locator("[data-seat='1']").click()
    field = right.locator(".stepper input")
    expect(field).to_have_value(before)
    field.fill(str(after - 1))
    right.get_by_role("button", name="more").click()
    expect(field).to_have_value(str(after))
    right.locator("[data-do=set-score]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table) == [{"do": "set-score", "seat": 1, "score": after}]


@pytest.mark.slow
def test_teams_and_forfeits_are_chosen_with_the_match(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    show(gathering(4))
    page.locator("details", has_text="The match").locator("summary").first.click()
    page.get_by_label("2 teams of 2").check(force=True)
    expect(page.locator("fieldset", has_text="Teams")).to_contain_text("Ann & Cyrus · Bo & Daniela")
    page.get_by_label("Yes", exact=True).check(force=True)
    page.get_by_label("What a mark costs").fill("the dishes")
    page.locator("[data-do=start]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table)[-1]["match"] == {
        "format": "winner-takes", "target": 500, "rounds": 0, "teams": [[0, 2], [1, 3]], "forfeits": True,
        "forfeit_text": "the dishes",
    }  # fmt: skip


@pytest.mark.slow
def test_everybody_meets_everybody_at_a_table_of_four_only(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    show(gathering(4))
    page.locator("details", has_text="The match").locator("summary").first.click()
    page.get_by_label("Everybody meets everybody").check(force=True)
    page.get_by_role("button", name="Cycles of twelve games: more").click()
    expect(page.locator("details.more").first).to_contain_text("24 games")
    page.get_by_label("Is a partner").check(force=True)
    show(gathering(5))
    expect(page.get_by_label("Everybody meets everybody")).to_have_count(0)
    show(gathering(4))
    page.locator("[data-do=start]").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table)[-1]["match"] == {
        "format": "winner-takes", "target": 0, "rounds": 0, "rotation": "four", "cycles": 2, "partners": True,
    }  # fmt: skip


@pytest.mark.slow
def test_scores_show_teams_marks_and_who_sits_opposite(pages: Pages, show: Show) -> None:
    page = pages.television()
    sat = [{**each, "marks": number} for number, each in enumerate(seats(4))]
    match = {"format": "winner-takes", "target": 500, "rounds": 0, "winners": [], "teams": [[0, 2], [1, 3]],
             "forfeit": "the dishes", "rotation": "four"}  # fmt: skip
    show(table_view(sat, match=match, seating=[0, 2, 1, 3]))
    scores = page.locator("table.scores")
    expect(scores.locator("tbody tr")).to_have_count(2)
    expect(scores.locator("tbody")).to_contain_text("Ann & Cyrus")
    expect(scores.locator("tbody tr").first.locator("td").last).to_have_text("0 + 2")
    expect(page.locator("main")).to_contain_text("Whoever has a mark: the dishes")
    expect(page.locator("main")).to_contain_text("Ann sits opposite Bo, Cyrus opposite Daniela")


@pytest.mark.slow
def test_the_standings_decide_when_the_host_says_so_and_other_rules_follow(
    pages: Pages, table: FakeTable, show: Show
) -> None:
    page = hosting(pages)
    show(table_view(seats(3), phase="round-over", turn=None, due={"seat": None, "what": "next"}))
    page.get_by_role("button", name="The standings decide").click()
    page.get_by_role("button", name="End it now?").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    show(table_view(seats(3), phase="match-over", turn=None, due={"seat": None, "what": "rematch"}))
    page.get_by_role("button", name="Other rules").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert [command["do"] for command in given(table)] == ["finish", "end"]


@pytest.mark.slow
def test_the_host_puts_things_right(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    show(table_view(seats(3), launcher=launcher(state="fault", last={"seat": 1, "cards": 4, "certainty": "exact"},
                    fault={"code": "lid", "cause": "The lid is open.", "remedy": "Close it."})))  # fmt: skip
    for name in ("pause", "undo", "halt", "clear-fault", "reload", "close-table"):
        page.locator(f"[data-do={name}]").click()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.get_by_role("button", name="Correct the last shot: less").click()
    page.get_by_role("button", name="It was 3").click()
    page.locator(".seat-list [data-seat='2']").get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove Cyrus?").click()
    page.locator(".seat-list [data-seat='1']").get_by_role("button", name="Rename").click()
    page.get_by_label("Rename").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert given(table) == [
        *({"do": name} for name in ("pause", "undo", "halt", "clear-fault")),
        {"do": "reload", "cards": 112},
        {"do": "close-table"},
        {"do": "correct", "cards": 3, "seat": 1},
        {"do": "remove", "seat": 2},
        {"do": "rename", "seat": 1, "name": "Bob"},
    ]


@pytest.mark.slow
def test_a_seat_is_given_to_another_phone(pages: Pages, table: FakeTable, show: Show) -> None:
    table.refuse["sit"] = "name-taken"
    new = pages.open(pages.context(), f"/#{CODES.join}")
    new.fill("#name", "Bo")
    new.locator("[data-do=sit]").click()
    expect(new.locator(".bubble")).to_contain_text("The host can give you the seat.")
    page = hosting(pages)
    view = table_view(seats(2))
    view["seats"][1]["connected"] = False
    show(view)
    page.locator("[data-do=other-phone]").click()
    page.locator("dialog [data-do=give]", has_text="Bo").click()
    expect(page.locator("dialog")).to_have_count(0)
    (give,) = (command for command in given(table) if command["do"] == "give")
    assert give["seat"] == 1
    assert give["session"] in {who.session for who, command in table.given if command["do"] == "sit"}


@pytest.mark.slow
def test_a_question_that_is_not_answered_goes_away(pages: Pages, table: FakeTable, show: Show) -> None:
    page = hosting(pages)
    show(table_view(seats(3)))
    page.clock.install()
    page.get_by_role("button", name="End the match").click()
    expect(page.get_by_role("button", name="End it now?")).to_be_visible()
    page.clock.run_for(5000)
    expect(page.get_by_role("button", name="End the match")).to_be_visible()
    assert given(table) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/play", "/table", "/host"])
def test_a_first_load_is_light(pages: Pages, table: FakeTable, show: Show, path: str) -> None:
    show(round_over(), mine(0, []))
    weights: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if response.status == 200:
            weights[response.url] = int(response.header_value("content-length") or 0)

    # Whoever has not joined is sent to another page.
    context = pages.seated().context if path == "/play" else pages.context()
    context.on("response", weigh)
    page = pages.open(context, f"{path}#{CODES.join}")
    page.wait_for_load_state("networkidle")
    assert len(weights) > 5
    assert sum(weights.values()) < 60_000


@pytest.mark.slow
def test_the_colours_can_be_read(pages: Pages) -> None:
    """Text at 4.5:1 and shapes at 3:1 on what they stand on, in both themes."""
    read = """(names) => Object.fromEntries(names.map((name) =>
        [name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()]))"""
    colours = ("red", "yellow", "green", "blue")
    texts = [(text, ground) for ground in ("ground", "raised") for text in ("text", "quiet", "call", *colours)]
    texts += [
        ("on-call", "call"),
        ("call", "call-wash"),
        ("red", "warn-wash"),
        ("yellow", "win-wash"),
        ("ground", "text"),
    ]
    texts += [("ink", f"face-{colour}") for colour in colours]
    names = sorted({name for pair in texts for name in pair})
    for theme in ("dark", "light"):
        page = pages.open(pages.context(theme=theme), f"/#{CODES.join}")
        values: dict[str, str] = page.evaluate(read, names)
        low = {pair: ratio(values[pair[0]], values[pair[1]]) for pair in texts}
        assert {pair: round(found, 2) for pair, found in low.items() if found < 4.5} == {}


def ratio(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    assert re.fullmatch(r"#[0-9a-fA-F]{6}", colour), colour
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.slow
def test_with_reduced_motion_nothing_moves(pages: Pages, show: Show) -> None:
    page = pages.seated(still=True)
    show(*my_turn(["red 5", "blue 7"]), events=({"e": "took", "seat": 1, "how": "hit", "count": 5},))
    expect(page.locator(".hand .card")).to_have_count(2)
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".flying").count() == 0


@pytest.mark.slow
def test_a_burst_flies_to_the_seat_within_its_time(pages: Pages, show: Show) -> None:
    page = pages.seated(still=False)
    page.evaluate("""() => { window.flown = []; new MutationObserver((records) => records.forEach((record) =>
        record.addedNodes.forEach((node) => { if (node.className === "flying") queueMicrotask(() =>
            window.flown.push(node.getAnimations()[0].effect.getComputedTiming().endTime)); })))
        .observe(document.body, { childList: true }); }""")
    show(*my_turn(["red 5", "blue 7"]), events=({"e": "took", "seat": 1, "how": "hit", "count": 20},))
    expect(page.locator(".flying")).to_have_count(20)
    assert page.evaluate("Math.max(...window.flown)") <= 1200
    expect(page.locator(".flying")).to_have_count(0)
