"""The host's chair and the UNO button: held, leant on, pressed."""

from __future__ import annotations

import pytest

from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, Stand, always
from tests.controller.test_seat_codes import GAME


def hold(stand: Stand, seconds: float) -> None:
    """A finger on the twin's button for so long."""
    stand.backend.twin.stick_button()
    stand.pass_time(seconds, 0.05)
    stand.backend.twin.release_button()
    stand.pass_time(0.2)


@pytest.fixture
def rest(make_stand: MakeStand) -> Stand:
    """A table at which nobody has to press."""
    return make_stand(profile=always(2))


def test_held_for_five_seconds_it_frees_the_chair_for_the_first_that_asks(rest: Stand) -> None:
    hold(rest, 6)
    assert rest.table()["chairFree"]
    assert rest.core.take_chair("Ann", rest.clock.now())
    rest.run()
    assert not rest.table()["chairFree"]
    assert rest.events()[-1] == {"e": "chair-taken", "name": "Ann"}
    assert not rest.core.take_chair("Bo", rest.clock.now())


@pytest.mark.parametrize("seconds", [0.1, 4, 16, 60])
def test_pressed_shortly_or_leant_on_it_does_nothing(rest: Stand, seconds: float) -> None:
    hold(rest, seconds)
    assert not rest.table()["chairFree"]
    assert not rest.core.take_chair("Ann", rest.clock.now())


def test_while_it_is_held_the_chair_is_not_free(rest: Stand) -> None:
    rest.backend.twin.stick_button()
    rest.pass_time(8, 0.05)
    assert not rest.core.take_chair("Ann", rest.clock.now())


def test_after_a_minute_it_is_not_free_any_more(rest: Stand) -> None:
    hold(rest, 6)
    rest.pass_time(59, 0.5)
    assert rest.table()["chairFree"]
    rest.pass_time(2, 0.5)
    assert not rest.table()["chairFree"]
    assert not rest.core.take_chair("Ann", rest.clock.now())


def test_a_press_that_fires_is_no_asking_however_long_it_is_held(rest: Stand) -> None:
    rest.put(GAME)
    hold(rest, 7)
    assert any(event["e"] == "pressed" for event in rest.events())
    assert not rest.table()["chairFree"]


def test_in_a_paused_game_it_is_asking(rest: Stand) -> None:
    """The host pauses, and the phone runs out of power."""
    rest.put(GAME)
    rest.do(HOST, do="pause")
    hold(rest, 6)
    assert rest.table()["chairFree"]
    assert rest.state.shot is None


def test_a_host_who_is_there_keeps_the_chair(rest: Stand) -> None:
    phones = rest.put(GAME)
    rest.do(HOST, do="pause")
    hold(rest, 6)
    assert rest.refused(phones[0], do="keep-chair") == "not-host"
    rest.do(HOST, do="keep-chair")
    assert not rest.table()["chairFree"]
    assert not rest.core.take_chair("Ann", rest.clock.now())


def test_a_restart_closes_the_offer(rest: Stand) -> None:
    hold(rest, 6)
    again = rest.again()
    try:
        assert not again.table()["chairFree"]
    finally:
        again.close()


def test_the_game_goes_on_without_any_host(make_stand: MakeStand) -> None:
    """Nobody is host any more in mid-round: it is played to its end, and the next one is dealt."""
    stand = make_stand(profile=always(2))
    ann, bo, _ = stand.put(GAME)
    stand.do(ann, do="play", seat=0, card="red 7")
    stand.do(bo, do="play", seat=1, card="red 1")
    assert stand.table()["phase"] == "round-over"
    stand.do(bo, do="next")
    assert stand.table()["phase"] == "playing"
