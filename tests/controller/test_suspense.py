"""What is seen and heard of a press: fake pauses, a rising suspense, cues, and odds that begin anew with the lid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.chance import SeededRandom
from controller.odds import Odds, profile
from hardware.ports import Cue, LampState
from hardware.signals import Mute
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, Stand, always
from tests.controller.test_press import hit_two, motor


def shoot(stand: Stand) -> float:
    """One press, and its shot to the end; how long it took to reveal it. Who has had theirs passes first."""
    stand.tell(HOST, do="pass", seat=stand.game.position.turn)
    began, shots = stand.clock.now(), stand.state.shots
    stand.press()
    assert stand.state.shots == shots + 1, stand.events()[-1]
    stand.until(lambda: motor(stand) or stand.state.shot is None, step=0.005)
    revealed = stand.clock.now() - began
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(0.6)
    return revealed


def deal(stand: Stand) -> None:
    """A game as people begin it; whoever's turn it is may press."""
    for name in ("Ann", "Bo"):
        stand.do(HOST, do="sit", name=name)
    stand.do(HOST, do="start")


def cues(stand: Stand) -> list[Cue]:
    return [cue for _, cue, _ in stand.lamp.cues]


@pytest.mark.parametrize("cards", [0, 2])
def test_a_fake_pause_is_a_longer_suspense_of_dry_and_firing_presses_alike(make_stand: MakeStand, cards: int) -> None:
    stand = make_stand(profile=replace(always(cards), pauses=1.0))
    hit_two(stand)
    assert shoot(stand) == pytest.approx(SETTINGS.suspense + SETTINGS.pause, abs=0.02)
    assert stand.rows("shot")[-1].body["pause"] is True


def test_without_one_the_row_says_nothing_of_it(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    hit_two(stand)
    assert shoot(stand) == pytest.approx(SETTINGS.suspense, abs=0.02)
    assert "pause" not in stand.rows("shot")[-1].body


def test_what_a_restart_takes_up_brings_the_very_pauses_and_shots_that_would_have_followed(
    make_stand: MakeStand,
) -> None:
    extreme = profile("extreme")
    stand = make_stand(profile=extreme, settings=replace(SETTINGS, suspense=0.0, pause=0.3), seed="pauses")
    deal(stand)
    pauses = []
    for _ in range(25):
        folded = stand.folded()
        again = Odds(extreme, SeededRandom("pauses", folded.drawn), folded.odds)
        expected = again.pause(), again.press()
        shoot(stand)
        body = stand.rows("shot")[-1].body
        pauses.append(body.get("pause", False))
        assert (pauses[-1], body["cards"]) == expected
    assert set(pauses) == {True, False}


def test_a_rising_suspense_tells_lamp_and_cue_how_far_it_has_come(make_stand: MakeStand) -> None:
    stand = make_stand(profile=profile("ascending"), seed="up")
    hit_two(stand)
    since, steps = 1, [0]
    for _ in range(8):
        shoot(stand)
        steps = [step for (_, state), (step, _) in zip(stand.lamp.told, stand.lamp.more, strict=True)
                 if state is LampState.PRESSED]  # fmt: skip
        assert steps[-1] == since
        assert [step for _, cue, step in stand.lamp.cues if cue is Cue.PRESSED][-1] == since
        since = 1 if stand.rows("shot")[-1].body["cards"] else since + 1
    assert max(steps) > 1


def test_other_profiles_do_not_rise(make_stand: MakeStand) -> None:
    stand = make_stand(profile=profile("measured"))
    hit_two(stand)
    for _ in range(4):
        shoot(stand)
    assert {step for step, _ in stand.lamp.more} == {0}
    assert {step for _, _, step in stand.lamp.cues} == {0}


def test_the_cues_of_a_shot_that_fires_and_of_a_dry_one(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    hit_two(stand)
    assert cues(stand)[-1] is Cue.PRESS_NOW
    stand.lamp.cues.clear()
    shoot(stand)
    assert cues(stand) == [Cue.PRESSED, Cue.FIRING, Cue.PRESS_NOW]
    fired = next(at for at, cue, _ in stand.lamp.cues if cue is Cue.FIRING)
    pressed = next(at for at, cue, _ in stand.lamp.cues if cue is Cue.PRESSED)
    assert fired - pressed == pytest.approx(SETTINGS.suspense, abs=0.02)
    dry = make_stand(profile=always(0))
    hit_two(dry)
    dry.lamp.cues.clear()
    shoot(dry)
    assert cues(dry) == [Cue.PRESSED, Cue.DRY, Cue.PRESS_NOW]


def test_a_fault_blinks_its_code_and_ends_the_suspense(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    hit_two(stand)
    stand.lamp.cues.clear()
    stand.press()
    stand.pass_time(0.3)
    stand.backend.twin.open_lid()
    stand.until(lambda: stand.state.shot is None)
    assert (cues(stand)[0], cues(stand)[-1]) == (Cue.PRESSED, Cue.FAULT)
    assert not {Cue.DRY, Cue.FIRING} & set(cues(stand)), "nothing says what it would have been"
    assert (stand.lamp.told[-1][1], stand.lamp.more[-1]) == (LampState.FAULT, (0, "lid-open"))
    stand.do(HOST, do="pause")
    stand.backend.twin.close_lid()
    stand.do(HOST, do="clear-fault")
    stand.pass_time(1)
    assert cues(stand)[-1] is Cue.QUIET


def test_a_void_shot_says_neither_dry_nor_firing(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(0))
    hit_two(stand)
    stand.press()
    stand.backend.twin.hand_in_exit()
    stand.until(lambda: stand.state.shot is None)
    assert Cue.DRY not in cues(stand)
    assert Cue.FIRING not in cues(stand)


def test_the_buzzer_ticks_until_the_reveal_and_is_quiet_afterwards(make_stand: MakeStand) -> None:
    stand = make_stand(profile=always(2))
    hit_two(stand)
    buzzer = stand.backend.factory.pin(24)
    stand.press()
    levels = []
    for _ in range(60):
        stand.pass_time(0.01)
        levels.append(bool(buzzer.state))
    assert levels.count(True) in range(5, 15), "ticks of 30 ms, four a second"
    stand.until(lambda: stand.state.shot is None)
    stand.pass_time(2)
    assert not buzzer.state


def test_muted_it_blinks_and_nothing_is_heard(make_stand: MakeStand) -> None:
    stand = make_stand(loudspeaker=True)
    muted = Mute(stand.lamp)
    muted.lamp(LampState.PRESSED, 2)
    muted.cue(Cue.PRESSED, 2)
    stand.run()
    assert stand.lamp.told[-1][1] is LampState.PRESSED
    assert stand.lamp.more[-1] == (2, "")
    assert Cue.PRESSED not in cues(stand)
    assert stand.players.log == []


# --- odds that count from switching on -----------------------------------------------------------------------------


def test_original_begins_anew_when_the_lid_was_closed_and_it_is_journalled(make_stand: MakeStand) -> None:
    stand = make_stand(profile=profile("original"))
    deal(stand)
    shoot(stand)
    assert stand.core.ground.odds.state["presses"] == 1
    stand.backend.twin.open_lid()
    stand.run()
    assert stand.core.ground.odds.state["presses"] == 1, "it is when the lid is closed that it begins anew"
    stand.backend.twin.close_lid()
    stand.run()
    stand.do(HOST, do="clear-fault")
    stand.until(lambda: stand.core.ground.fault is None)
    assert stand.core.ground.odds.state == profile("original").start()
    assert stand.rows("odds")[-1].body == {"odds": {"profile": "original", "presses": 0}}
    assert stand.folded().odds == {"profile": "original", "presses": 0}
    shoot(stand)
    assert stand.rows("shot")[-1].body["cards"] == 0, "the first press of the list never fires"


def test_original_begins_anew_when_the_program_starts(make_stand: MakeStand) -> None:
    stand = make_stand(profile=profile("original"))
    deal(stand)
    shoot(stand)
    again = stand.again()
    try:
        assert again.core.ground.odds.state == profile("original").start()
        assert again.rows("odds")[-1].body == {"odds": {"profile": "original", "presses": 0}}
    finally:
        again.close()


def test_measured_goes_on_whatever_the_lid_does_and_another_fault_is_no_restart(make_stand: MakeStand) -> None:
    stand = make_stand(profile=profile("original"))
    hit_two(stand)
    shoot(stand)
    stand.do(HOST, do="halt")
    stand.run()
    stand.do(HOST, do="clear-fault")
    stand.until(lambda: stand.core.ground.fault is None)
    assert stand.core.ground.odds.state["presses"] == 1
    measured = make_stand(profile=replace(always(0), rhythm=profile("measured").rhythm, name="measured"))
    measured.backend.twin.open_lid()
    measured.run()
    measured.backend.twin.close_lid()
    measured.run()
    measured.do(HOST, do="clear-fault")
    measured.until(lambda: measured.core.ground.fault is None)
    assert measured.rows("odds") == []
