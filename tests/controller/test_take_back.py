"""A seat's own tap taken back: what may be, by whom, and how long."""

from __future__ import annotations

import json

import pytest

from controller.table.messages import Answer, JournalFailed, Who
from controller.table.picture import as_told_at
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, Stand, always

GAME = """
preset = "attack"
players = ["Ann", "Bo", "Cy"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "red hit-2", "red trade-hands", "wild", "blue 7"]
Bo = ["red 1", "green 2", "green 3", "blue 1"]
Cy = ["yellow 3", "yellow 4", "red 6"]
"""


@pytest.fixture
def table(make_stand: MakeStand) -> tuple[Stand, list[Who]]:
    stand = make_stand(profile=always(2))
    return stand, stand.put(GAME)


def test_a_card_is_taken_back_and_everything_is_as_it_was(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    before = stand.game.position.state()
    stand.do(ann, do="play", seat=0, card="red 7")
    assert stand.table()["takeBack"] == {"seat": 0, "seconds": 10.0}
    stand.pass_time(9.9)
    stand.do(ann, do="take-back", seat=0)
    assert stand.game.position.state() == before
    assert stand.events()[-1] == {"e": "undone", "reason": "", "by": 0}
    assert stand.table()["takeBack"] is None
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


@pytest.mark.parametrize(
    "play", [{"card": "wild", "colour": "blue"}, {"card": "red hit-2"}], ids=["a colour", "a penalty nobody has paid"]
)
def test_colours_and_unpaid_penalties_too(table: tuple[Stand, list[Who]], play: dict[str, str]) -> None:
    stand, (ann, *_) = table
    before = stand.game.position.state()
    stand.do(ann, do="play", seat=0, **play)
    stand.do(ann, do="take-back", seat=0)
    assert stand.game.position.state() == before


def test_after_ten_seconds_it_is_the_hosts(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.pass_time(10.1)
    assert stand.refused(ann, do="take-back", seat=0) == "too-late"
    stand.do(HOST, do="undo", reason="mistapped")


def test_pages_are_told_once_that_the_ten_seconds_are_over(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    told, played = len(stand.published), stand.clock.now()
    stand.pass_time(30)
    [(at, publication)] = stand.published[told:]
    assert at - played == pytest.approx(10, abs=0.05)
    assert json.loads(publication.frame(frozenset()))["events"] == []
    assert stand.table()["takeBack"] is None


def test_nobody_is_told_that_an_offer_is_over_that_was_taken_or_overtaken(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.do(ann, do="take-back", seat=0)
    stand.do(ann, do="play", seat=0, card="red hit-2")
    stand.pass_time(5)
    stand.tell(bo, do="press", seat=1)
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(1)
    told = len(stand.published)
    stand.pass_time(20)
    assert len(stand.published) == told


@pytest.mark.parametrize(("later", "left"), [(0.0, 10.0), (3.2, 6.8), (9.9, 0.1), (10.0, None), (60.0, None)])
def test_who_is_told_late_is_told_what_is_left(
    table: tuple[Stand, list[Who]], later: float, left: float | None
) -> None:
    stand, (ann, *_) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    at, publication = stand.published[-1]
    late = as_told_at(at + later, publication)
    assert (late.epoch, late.version, late.owned_by("phone Ann")) == (
        publication.epoch,
        publication.version,
        frozenset({0}),
    )
    first, told = (json.loads(each.frame(frozenset({0}))) for each in (publication, late))
    assert told["table"]["takeBack"] == (None if left is None else {"seat": 0, "seconds": left})
    for frame in (first, told):
        del frame["table"]["takeBack"]
    assert told == first


def test_a_table_that_cannot_write_offers_nothing_for_ever(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.core.handle(JournalFailed("no room"), stand.clock.now())
    stand.run()
    assert stand.table()["takeBack"] is None


def test_only_the_phone_that_made_it(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    assert stand.refused(bo, do="take-back", seat=1) == "nothing-to-undo"
    assert stand.refused(bo, do="take-back", seat=0) == "not-your-seat"
    assert stand.refused(HOST, do="take-back", seat=0) == "nothing-to-undo"
    assert stand.refused(Who("another", seats=frozenset({0})), do="take-back", seat=0) == "nothing-to-undo"


def test_not_once_somebody_has_acted(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.do(bo, do="play", seat=1, card="red 1")
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


def test_not_with_a_shot_under_way_nor_after_it(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, bo, _) = table
    stand.do(ann, do="play", seat=0, card="red hit-2")
    stand.tell(bo, do="press", seat=1)
    assert stand.refused(ann, do="take-back", seat=0) == "firing"
    stand.until(lambda: stand.state.shot is None)
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


def test_not_when_it_has_shown_cards(table: tuple[Stand, list[Who]]) -> None:
    stand, (ann, *_) = table
    stand.do(ann, do="play", seat=0, card="red trade-hands", target=1)
    assert stand.table()["takeBack"] is None
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


def test_a_draw_shows_a_card_and_stays(make_stand: MakeStand) -> None:
    stand = make_stand()
    ann, *_ = stand.put(GAME.replace('"attack"', '"classic"').replace("red hit-2", "red draw-two")
                        .replace('"red trade-hands", ', ""))  # fmt: skip
    stand.do(ann, do="draw", seat=0)
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


def test_a_call_that_was_forgotten_stays_forgotten(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    ann, bo, _ = stand.put(
        GAME.replace('"red 7", "red hit-2", "red trade-hands", "wild", "blue 7"', '"red 7", "blue 7"')
    )
    stand.do(ann, do="play", seat=0, card="red 7")
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"
    heard: list[Answer] = []
    stand.send(bo, heard.append, do="catch", seat=1, target=0)
    stand.pass_time(2)
    assert heard[0]["ok"]


def test_one_that_was_called_is_taken_back_with_the_call_standing(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    ann, *_ = stand.put(GAME.replace('"red 7", "red hit-2", "red trade-hands", "wild", "blue 7"', '"red 7", "blue 7"'))
    stand.do(ann, do="uno", seat=0)
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.do(ann, do="take-back", seat=0)
    assert stand.table()["seats"][0]["called"]


def test_the_card_that_ends_a_round_stays(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    ann, *_ = stand.put(GAME.replace('"red 7", "red hit-2", "red trade-hands", "wild", "blue 7"', '"red 7"'))
    stand.do(ann, do="play", seat=0, card="red 7")
    assert stand.table()["phase"] == "round-over"
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"


def test_a_misplay_that_is_paid_for_stays(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    ann, *_ = stand.put(GAME + '[rules]\nmisplay = "penalty"\n')
    stand.do(ann, do="play", seat=0, card="blue 7")
    assert stand.refused(ann, do="take-back", seat=0) == "nothing-to-undo"
