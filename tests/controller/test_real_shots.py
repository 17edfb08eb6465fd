"""Shots, corrections and reloads at a table with real cards, where hopper and pile are one."""

from __future__ import annotations

import pytest

from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import hand, last_event, real_cards, same_after_a_restart, shoot
from tests.controller.stand import HOST, Stand, always, facts

# --- shots


def test_a_shot_goes_to_whoever_owes_it_and_its_presser_puts_it_right(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = real_cards(stand)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    shoot(stand)
    launcher = stand.table()["launcher"]
    assert launcher["last"] == {"seat": 1, "cards": 3, "certainty": "exact"}
    assert (launcher["correctable"], launcher["hopper"], hand(stand, 1)) == (True, 87, 10)
    assert stand.refused(phones[0], do="correct", cards=4) == "not-host"
    assert stand.refused(phones[1], do="correct", cards=113) == "bad-command"
    stand.do(phones[1], do="correct", cards=4)
    launcher = stand.table()["launcher"]
    assert (launcher["correctable"], launcher["hopper"], hand(stand, 1)) == (True, 86, 11)
    assert stand.backend.launcher.status().hopper == 86, "the machine is told"
    assert stand.backend.twin.hopper == 86
    shoot(stand)
    stand.do(phones[2], do="play", seat=2, card="red 7")
    assert not stand.table()["launcher"]["correctable"]
    assert stand.refused(phones[1], do="correct", cards=1) == "not-host"
    stand.do(HOST, do="correct", cards=1, seat=2, reason="Cy pressed for Bo")
    assert (hand(stand, 1), hand(stand, 2)) == (11, 7)
    assert last_event(stand, "corrected")["reason"] == "Cy pressed for Bo"
    assert facts(stand.folded()) == facts(stand.state)


def test_an_unsure_count_is_published_and_may_be_put_right(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = real_cards(stand)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    stand.pass_time(1)
    stand.press()
    stand.until(lambda: stand.state.shot is not None and stand.state.shot.came >= 1, step=0.002)
    stand.backend.twin.hand_in_exit()
    stand.pass_time(0.5)
    stand.backend.twin.hand_in_exit(False)
    stand.until(lambda: stand.state.shot is None)
    last = stand.table()["launcher"]["last"]
    assert last["certainty"] == "at_least"
    assert last_event(stand, "shot")["certainty"] == "at_least"
    assert hand(stand, 1) == 7 + last["cards"]
    stand.do(phones[1], do="correct", cards=2)
    assert hand(stand, 1) == 9
    assert stand.table()["launcher"]["last"]["certainty"] == "exact"


@pytest.mark.parametrize(("choice", "turn"), [(False, 0), (True, 1)])
def test_the_player_says_that_a_hit_is_by_choice(make_stand: MakeStand, choice: bool, turn: int) -> None:
    stand = make_stand(profile=always(2))
    phones = real_cards(stand, options={"after_voluntary_draw": "end"})
    stand.pass_time(1)
    stand.do(phones[0], do="press", choice=choice)
    stand.until(lambda: stand.state.shot is None)
    assert stand.table()["turn"] == turn, "by choice ends the turn here, else what came may be played"
    assert facts(stand.folded()) == facts(stand.state)


def test_a_finger_on_the_button_says_nothing_of_choice(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    phones = real_cards(stand, options={"voluntary_draw": False})
    assert stand.refused(phones[0], do="press", choice=True) == "must-play"
    shoot(stand)
    assert hand(stand, 0) == 9


def test_a_shot_by_choice_cut_by_the_power_is_by_choice_still(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(5))
    phones = real_cards(stand, options={"after_voluntary_draw": "end"})
    stand.pass_time(1)
    stand.do(phones[0], do="press", seat=0, choice=True)
    stand.until(lambda: stand.state.shot is not None and stand.state.shot.came >= 2)
    again = stand.again()
    assert again.table()["due"] == {"seat": 0, "what": "shot-count"}
    again.do(phones[0], do="shot-was", cards=3)
    assert again.table()["turn"] == 1
    again.close()


def test_the_machine_holds_what_the_game_says(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = real_cards(stand, start="")
    assert stand.backend.launcher.status().hopper == 112, "nothing is loaded before the start card"
    stand.do(HOST, do="start-card", card="red 5")
    assert stand.backend.launcher.status().hopper == 90
    assert last_event(stand, "machine-loaded") == {"e": "machine-loaded", "cards": 90}
    shoot(stand)
    stand.do(HOST, do="set-hand", seat=1, count=9)
    assert stand.backend.launcher.status().hopper == stand.table()["launcher"]["hopper"] == 85
    stand.do(phones[0], do="pass", seat=0)
    stand.do(HOST, do="undo")
    stand.do(HOST, do="undo")
    assert stand.backend.launcher.status().hopper == stand.table()["pile"] == 87
    assert len([event for event in stand.events() if event["e"] == "machine-loaded"]) == 1


def test_a_correction_clears_no_fault(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    real_cards(stand)
    stand.backend.twin.jam(hard=True)
    stand.pass_time(1)
    stand.press()
    stand.until(lambda: stand.state.shot is None)
    stand.backend.twin.free()
    stand.pass_time(0.5)
    assert stand.table()["launcher"]["state"] == "jammed"
    stand.do(HOST, do="set-hand", seat=1, count=9)
    assert stand.table()["launcher"]["state"] == "jammed", "a person says that it is free again"
    stand.do(HOST, do="clear-fault")
    stand.until(lambda: stand.table()["launcher"]["state"] == "ready")
    assert stand.backend.launcher.status().hopper == stand.table()["launcher"]["hopper"] == 88


# --- reload


def nearly_empty(stand: Stand) -> list[Who]:
    """Bo owes two hits, and the launcher holds two cards."""
    phones = real_cards(stand)
    stand.do(phones[0], do="play", seat=0, card="red hit-2")
    spare = stand.table()["pile"] - 2
    stand.do(HOST, do="set-hand", seat=2, count=7 + spare)
    assert stand.table()["launcher"]["hopper"] == stand.backend.launcher.status().hopper == 2
    return phones


def test_an_empty_hopper_waits_for_a_reload(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    phones = nearly_empty(stand)
    shoot(stand)
    assert stand.table()["launcher"]["last"]["cards"] == 2, "no more were in it"
    assert stand.table()["due"] == {"seat": 1, "what": "reload"}
    stand.pass_time(1)
    assert stand.refused(phones[1], do="press", seat=1) == "hopper-empty"
    assert stand.refused(phones[1], do="reload") == "not-host"
    stand = same_after_a_restart(stand, "waiting for reload")
    stand.do(HOST, do="reload", cards=30)
    assert stand.table()["launcher"]["hopper"] == stand.table()["pile"] == 30
    assert stand.backend.launcher.status().hopper == 30
    assert stand.table()["discards"] == 1
    shoot(stand)
    assert stand.table()["turn"] == 2
    assert facts(stand.folded()) == facts(stand.state)
    stand.close()


def test_all_discards_but_the_top_go_back(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(3))
    nearly_empty(stand)
    shoot(stand)
    stand.do(HOST, do="reload")
    assert stand.table()["launcher"]["hopper"] == 1
    assert last_event(stand, "machine-loaded") == {"e": "machine-loaded", "cards": 1}
    stand.do(HOST, do="undo")
    assert stand.table()["due"]["what"] == "reload"
    assert stand.backend.launcher.status().hopper == 0
