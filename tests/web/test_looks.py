"""Pictures of the pages in every state worth looking at, into tests/shots: for eyes, and that nothing sticks out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PHONE, TELEVISION, Pages, Theme
from tests.web.fake_table import FakeTable, View, launcher, mine, table_view
from tests.web.scenes import (
    UNKNOWN,
    answering,
    big_hand,
    counting,
    judging,
    my_turn,
    naming,
    owing,
    real,
    round_over,
    seats,
    typing,
)
from tests.web.served import Served

SHOTS = Path(__file__).parents[1] / "shots"
RED = ["red 5", "red 3", "red 9", "red 9", "red discard-all", "wild", "red trade-hands"]

Scene = tuple[View, View]


def others() -> Scene:
    """Somebody else hits, somebody has called and somebody has not."""
    view = table_view(
        seats(4), turn=2, due={"seat": 2, "what": "hit", "units": 2}, colour="blue", top="wild-hit-fire",
        direction="counterclockwise",
    )  # fmt: skip
    view["seats"][2]["owed"] = 2
    view["seats"][3]["catchable"] = True
    view["seats"][1] |= {"called": True, "hand": 1}
    return view, mine(0, big_hand(9), catch=[3])


def jammed() -> Scene:
    fault = {"code": "jam", "cause": "No card came out.", "remedy": "Open the lid, free the card, close it."}
    return table_view(seats(4), launcher=launcher(state="jammed", fault=fault)), mine(0, big_hand(7))


PHONE_SCENES: dict[str, Callable[[], Scene]] = {
    "hand-3": lambda: my_turn(["red 5", "blue 7", "wild-hit-fire"]),
    "hand-7": lambda: my_turn(
        ["red 5", "green 6", "blue 7", "yellow skip", "red hit-2", "wild", "blue trade-hands"], 9
    ),
    "hand-20": lambda: my_turn(big_hand(20)),
    "hand-60": lambda: my_turn(big_hand(60), 6),
    "others": others,
    "owing": owing,
    "owing-finger": lambda: owing("until-fire", "finger"),
    "pressed": lambda: owing(2, state="pressed", shot={"seat": 0, "cards": 0}),
    "jammed": jammed,
    "round-over": lambda: (round_over(), mine(0, [])),
    "hand-9": lambda: my_turn(big_hand(9)),
    "answering": answering,
    "real-naming": naming,
    "real-effects": lambda: naming(tracking="effects", colour=None, top="?"),
    "real-killer": lambda: naming(rules={"preset": "killer", "changed": {}}),
    "real-judging": judging,
    "real-typing": typing,
    "real-counting": counting,
    "real-waiting": lambda: (real(due={"seat": 1, "what": "play"}, turn=1), mine(0, UNKNOWN)),
    "slap": lambda: (
        table_view(seats(4), slap=[0, 1], due={"seat": None, "what": "slap"}),
        mine(0, big_hand(5), slap=True),
    ),
}

SIGN = {  # what is there when a scene has been drawn
    "owing": ".lamp-due .dome-button",
    "owing-finger": ".dome-button.finger",
    "pressed": ".press.lamp-pressed",
    "round-over": ".panel.over",
    "answering": ".ask [data-do=draw]",
    "real-judging": ".ask [data-do=challenge]",
    "real-typing": ".typed .pad",
    "real-counting": ".counting .picker",
    "slap": ".press [data-do=slap]",
}


def photograph(page: Page, name: str) -> None:
    """A picture, of a page that is no wider than its screen."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", animations="disabled")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_phone_in_every_state(pages: Pages, served: Served, table: FakeTable, theme: Theme) -> None:
    page = pages.seated(size=PHONE, theme=theme)
    photograph(page, f"phone-gathering-{theme}")
    for name, scene in PHONE_SCENES.items():
        view, private = scene()
        served.do(lambda view=view, private=private: table.show(view, private))  # type: ignore[misc]
        expect(page.locator(SIGN.get(name, f".phase-{view['phase']} .hand"))).to_be_visible()
        photograph(page, f"phone-{name}-{theme}")
    view, private = my_turn(RED)
    served.do(lambda: table.show(view, private))
    for card, sheet in (("wild", "colour"), ("red trade-hands", "target"), ("red discard-all", "keep")):
        page.locator(f'.hand [data-card="{card}"]').click()
        expect(page.locator("dialog[open]")).to_be_visible()
        photograph(page, f"phone-sheet-{sheet}-{theme}")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_television_in_every_state(pages: Pages, served: Served, table: FakeTable, theme: Theme) -> None:
    page = pages.television(TELEVISION, theme)
    photograph(page, f"television-nobody-{theme}")
    for players in (2, 4, 9):
        view = table_view(seats(players), due={"seat": 1, "what": "hit", "units": 2})
        view["seats"][1]["owed"] = 2
        served.do(lambda view=view: table.show(view, events=[{"e": "called", "seat": 0, "right": True}]))  # type: ignore[misc]
        expect(page.locator(".chip")).to_have_count(players)
        photograph(page, f"television-{players}-{theme}")
    served.do(lambda: table.show(round_over()))
    expect(page.locator(".phase-round-over")).to_be_visible()
    photograph(page, f"television-round-over-{theme}")
