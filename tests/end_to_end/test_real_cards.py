"""Evenings with real cards in a real browser: what was laid is tapped, the beam counts, the hands are counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .evening import Evening, Guest
from .test_round import host_of, scores_on, television_of

AT_ONCE = (
    "[table]\nbot_ms = 0\ngrace_ms = 0\n[odds]\nsuspense_ms = 0\n[launcher]\nrest_ms = 100\n[rules]\nhand_size = {}\n"
)


def begin(host: Page, *, effects: bool = False) -> None:
    """The host chooses real cards and begins."""
    host.locator("input[name=physical][value=true]").dispatch_event("click")
    if effects:
        host.locator("[data-option=tracking] select").first.select_option(index=1)
    host.locator("[data-do=start]").click()
    host.locator("[data-do=dealer]").first.wait_for()


def turn_up(host: Page, dealer: str, card: str) -> None:
    """The host taps who deals, and the card that was turned up."""
    seat = host.locator("[data-do=dealer]", has_text=dealer)
    seat.click()
    expect(seat).to_have_attribute("aria-pressed", "true")
    colour, rank = card.split(" ")
    host.locator(f".shade.{colour}").click()
    host.locator(f".ranks [data-rank='{rank}']").click()


def holds(page: Page, name: str, count: int) -> None:
    """`name` is shown with so many cards."""
    chip = page.locator(".chip", has=page.locator(".name", has_text=name))
    expect(chip.locator(".count")).to_have_text(str(count))


@pytest.mark.slow
def test_a_round_with_real_cards_and_the_twin_on_two_phones(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(3)) as evening:
        ann, bo = Guest(evening.phone()), Guest(evening.phone())
        names = [guest.join(evening) for guest in (ann, bo)]
        print(f"to join: {ann.taps} tap, {ann.typed} characters typed")
        assert (ann.taps, ann.typed) == (1, 0)
        assert len(set(names)) == 2
        host, television = host_of(evening), television_of(evening)
        begin(host)
        expect(ann.page.locator("h1")).to_have_text(f"{names[1]} deals")
        turn_up(host, names[1], "red 5")

        expect(ann.page.get_by_role("heading", name="Your turn")).to_be_visible()
        holds(bo.page, names[0], 3)
        ann.page.locator(".shade.blue").click()
        ann.page.locator("[data-card='blue 7']").click()
        expect(ann.page.locator(".bubble")).to_contain_text("It matches neither the colour nor the symbol.")
        taps = [ann.lay("blue 5")]
        expect(bo.page.get_by_role("heading", name="Your turn")).to_be_visible()
        taps.append(bo.lay("blue skip"))
        expect(bo.page.get_by_role("heading", name="Your turn")).to_be_visible()
        taps.append(bo.lay("wild", "green"))
        expect(ann.page.get_by_role("heading", name="Your turn")).to_be_visible()
        ann.tap("[data-do=uno]")
        taps.append(ann.lay("green hit-2"))
        expect(bo.page.locator("h1")).to_have_text("You hit: 2 more")
        came = bo.press(evening)
        expect(bo.page.locator("h1")).to_have_text("You hit: 1 more")
        came += bo.press(evening)
        holds(television, names[1], 1 + came)
        expect(bo.page.locator("[data-do=further]")).to_be_visible()
        bo.page.locator("[data-do=further]").click()
        holds(television, names[1], 2 + came)
        bo.page.locator("[data-do=fewer]").click()
        holds(television, names[1], 1 + came)

        taps.append(ann.lay("green 1"))
        print(f"taps a turn: {sum(taps) / len(taps):.1f} on average, {max(taps)} at the most ({taps})")
        assert max(taps) <= 2
        expect(bo.page.locator(".banner")).to_contain_text(f"Still missing: {names[1]}")
        expect(ann.page.locator(".standing-list .missing")).to_contain_text(names[1])
        for card in ("red 9", "wild-all-hit", "green trade-hands"):
            bo.lay(card)
        bo.tap("[data-do=count]")
        expect(ann.page.locator(".phase-round-over")).to_be_visible()
        assert scores_on(ann.page) == {names[0]: 89, names[1]: 0}
        assert scores_on(television) == {names[0]: 89, names[1]: 0}
        ann.tap("[data-do=next]")
        expect(bo.page.locator("h1")).to_have_text(f"{names[0]} deals")


@pytest.mark.slow
def test_one_phone_for_everybody(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(2)) as evening:
        assert evening.codes is not None
        phone = Guest(evening.phone())
        page = phone.page
        names = [phone.join(evening)]
        for _ in range(2):
            phone.tap("[data-do=guest]")
            names.append(page.locator("#guest-name").input_value())
            phone.tap("[data-do=sit-guest]")
            expect(page.locator("dialog")).to_have_count(0)
        print(f"three players on one phone: {phone.taps} taps, {phone.typed} characters typed")
        assert phone.typed == 0
        expect(page.locator(".chip")).to_have_count(3)
        page.goto(f"{evening.url}/host")
        page.locator("#code").fill(evening.codes.host)
        page.keyboard.press("Enter")
        page.locator("[data-do=start]").wait_for()
        begin(page)
        page.locator("nav a[href='/play']").click()
        page.wait_for_url("**/play")
        turn_up(page, names[2], "yellow 4")

        for name, card in ((names[0], "yellow reverse"), (names[2], "yellow 2"), (names[1], "blue 2")):
            expect(page.locator(".tab[aria-pressed=true]")).to_have_text(name)
            phone.lay(card)
        expect(page.locator(".tab[aria-pressed=true]")).to_have_text(names[0])
        phone.tap("[data-do=press]")
        expect(page.locator(".chip.turn .name")).not_to_have_text("")
        evening.wait_for("shot")
        came = phone.shots(evening)[-1]
        if came:
            holds(page, names[0], 1 + came)
            phone.tap("[data-do=pass]")
        expect(page.locator(".tab[aria-pressed=true]")).to_have_text(names[2])
        phone.tap(page.locator(".tab", has_text=names[1]))
        phone.tap(page.locator(".tab", has_text=names[2]))
        phone.lay("blue 8")
        expect(page.locator("h1")).to_have_text("Count the hands")
        for name, points in ((names[0], "25"), (names[1], "7")):
            expect(page.locator(".counting .lead")).to_contain_text(name)
            if not page.locator(".keypad").count():
                phone.tap("[data-do=as-sum]")
            for figure in points:
                phone.tap(f"[data-figure='{figure}']")
            phone.tap("[data-do=points]")
        expect(page.locator(".phase-round-over")).to_be_visible()
        assert scores_on(page) == {names[0]: 0, names[1]: 0, names[2]: 32}


@pytest.mark.slow
def test_only_cards_with_an_effect_are_named(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(3)) as evening:
        ann, bo = Guest(evening.phone()), Guest(evening.phone())
        names = [guest.join(evening) for guest in (ann, bo)]
        host = host_of(evening)
        begin(host, effects=True)
        turn_up(host, names[1], "red 5")
        ann.tap("[data-do=plain]")
        expect(bo.page.get_by_role("heading", name="Your turn")).to_be_visible()
        expect(bo.page.locator(".strip")).to_contain_text("No colour")
        expect(bo.page.locator(".ranks [data-rank='5']")).to_have_count(0)
        assert bo.lay("green skip") == 2
        expect(bo.page.locator(".strip.green")).to_be_visible()
        bo.tap("[data-do=plain]")
        expect(ann.page.get_by_role("heading", name="Your turn")).to_be_visible()
        ann.tap("[data-rank='hit-2']")  # the rank first, then its colour
        ann.tap(".shade.blue")
        expect(bo.page.locator("h1")).to_have_text("You hit: 2 more")
        holds(bo.page, names[0], 1)


@pytest.mark.slow
def test_the_host_puts_everything_right_and_says_why(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(5)) as evening:
        ann = Guest(evening.phone())
        names = [ann.join(evening)]
        host, television = host_of(evening), television_of(evening)
        host.locator("[data-do=guest]").click()
        names.append(host.locator("#guest-name").input_value())
        host.locator("[data-do=sit-guest]").click()
        begin(host)
        turn_up(host, names[1], "red 5")
        right = host.locator(".put-right")

        def put(what: str, *taps: str, why: str, said: str) -> None:
            right.locator(f"[data-right={what}]").click()
            right.locator(f"[data-reason={why}]").click()
            for tap in taps:
                right.locator(tap).click()
            expect(television.locator(".said li").last).to_have_text(re.compile(said))

        put("hand", "[data-seat='1']", "button[aria-label$='less']", "[data-do=set-hand]", why="miscounted",
            said=rf"^{names[1]} holds 4 cards, says the host. \(Miscounted\)$")  # fmt: skip
        holds(ann.page, names[1], 4)
        put("score", "[data-seat='0']", "button[aria-label$='more']", "[data-do=set-score]", why="agreed",
            said=r"has 1 point, says the host. \(We agreed\)$")  # fmt: skip
        put("turn", "[data-seat='1']", why="forgotten", said=rf"{names[1]}’s turn, says the host. \(Forgotten\)$")
        put(
            "direction", "[data-step='-1']", why="mistapped", said=r"counterclockwise, says the host. \(Tapped wrong\)$"
        )
        put("colour", "[data-colour=blue]", why="mistapped", said=r"^Blue counts, says the host. \(Tapped wrong\)$")
        expect(ann.page.locator(".strip.blue")).to_contain_text("counterclockwise")
        put("undo", "[data-do=undo-why]", why="agreed", said=r"taken back. \(We agreed\)$")
        expect(ann.page.locator(".strip.red")).to_be_visible()

        host.locator("nav a[href='/play']").click()
        expect(host.locator("h1")).to_have_text("Your turn")
        guest = Guest(host)
        guest.lay("red 7")
        expect(ann.page.get_by_role("heading", name="Your turn")).to_be_visible()
        host.locator("[data-do=play-for]").click()
        host.locator(".tab.other", has_text=names[0]).click()
        guest.lay("red 3")
        holds(ann.page, names[0], 4)
        host.locator("[data-do=undo]").click()
        holds(ann.page, names[0], 5)


def digital(evening: Evening) -> list[Page]:
    """Two phones with hands of their own, under the rules of the configuration."""
    pages = [evening.phone(), evening.phone()]
    for page in pages:
        Guest(page).join(evening)
    host_of(evening).locator("[data-do=start]").click()
    for page in pages:
        expect(page.locator(".hand .card").first).to_be_visible()
    return pages


def in_turn(pages: list[Page]) -> tuple[Page, Page]:
    """Whose turn it is, and the other one."""
    expect(pages[0].locator("h1")).to_have_text(re.compile("turn|You|hits|draws"))
    first = pages[0].locator("h1").inner_text().startswith("You")
    return (pages[0], pages[1]) if first else (pages[1], pages[0])


@pytest.mark.slow
def test_equal_cards_are_laid_together_where_tables_stack(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(40) + 'preset = "stack"', seed="pairs") as evening:
        pages = digital(evening)
        page, other = in_turn(pages)
        before = page.locator(".hand .card").count()
        cards = page.locator(".hand .card.lit").evaluate_all("(all) => all.map((card) => card.dataset.card)")
        pair = next(card for card in cards if cards.count(card) > 1 and re.search(r" \d$", card))
        page.locator(f".hand .card.lit[data-card='{pair}']").first.click()
        page.locator("dialog button[data-card]").first.click()
        page.get_by_role("button", name="Play 2 cards").click()
        expect(page.locator(".hand .card")).to_have_count(before - 2)
        expect(other.get_by_role("heading", name="Your turn")).to_be_visible()


@pytest.mark.slow
def test_a_bluff_is_challenged(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(20) + 'preset = "classic"', seed="bluff") as evening:
        pages = digital(evening)
        bluffer, victim = in_turn(pages)
        before = bluffer.locator(".hand .card").count()
        bluffer.locator(".hand [data-card='wild-draw-four']").first.click()
        bluffer.locator("dialog .field.blue").click()
        expect(victim.locator("[data-do=challenge]")).to_be_visible()
        expect(victim.locator("[data-do=accept]")).to_be_visible()
        victim.locator("[data-do=challenge]").click()
        expect(bluffer.locator(".hand .card")).to_have_count(before - 1 + 4)
        expect(victim.get_by_role("heading", name="Your turn")).to_be_visible()


@pytest.mark.slow
def test_no_launcher_at_all(tmp_path: Path, browser: Browser) -> None:
    with Evening(tmp_path, browser, AT_ONCE.format(3), backend="none") as evening:
        ann, bo = Guest(evening.phone()), Guest(evening.phone())
        names = [guest.join(evening) for guest in (ann, bo)]
        host = host_of(evening)
        begin(host)
        turn_up(host, names[1], "red 5")
        ann.tap("[data-do=typed]")
        ann.tap("dialog [data-value='2']")
        holds(bo.page, names[0], 5)
        ann.tap("[data-do=fewer]")
        holds(bo.page, names[0], 4)
        ann.lay("red hit-2")
        bo.tap(".typed [data-value='0']")
        expect(bo.page.locator("h1")).to_have_text("You hit: 1 more")
        bo.tap(".typed button.many")
        bo.tap(bo.page.get_by_role("button", name="It was 10"))
        holds(ann.page, names[1], 13)
