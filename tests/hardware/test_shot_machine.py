"""The shot machine alone: the path of a shot, and that no inputs make it run on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import ShotEnd
from hardware.settings import LauncherSettings
from hardware.shot_machine import STUCK, Drive, Inputs, Phase, Shot, cut_short, pressed, step, stop, transition

SETTINGS = LauncherSettings()


def settle(shot: Shot, now: float, seen: Inputs, settings: LauncherSettings = SETTINGS) -> Shot:
    """Step until nothing is due."""
    while (after := step(settings, shot, now, seen)) is not shot:
        shot = after
    return shot


def test_a_shot_ends_where_the_motor_time_of_the_minute_does() -> None:
    """A shot of two may take 900 ms; with 600 left, coming to rest must fit into these."""
    for left, forward in ((0.6, 0.6), (0.9, 0.9), (5.0, 0.9)):
        shot = settle(pressed(2, 10.0, 9.0, 50), 10.0, Inputs(motor_left=left))
        shot = settle(shot, 10.3, Inputs(1, last_change=10.3))
        shot = settle(shot, 10.4, Inputs(1, blocked_since=10.4, last_change=10.4))
        limit = 10.0 + forward - 0.002 - 0.14
        wait = min(limit, 10.75)
        assert shot.deadline is not None
        assert abs(shot.deadline - wait) < 1e-9
        if limit < 10.75:
            shot = settle(shot, shot.deadline, Inputs(1, blocked_since=10.4, last_change=10.4))
            assert (shot.phase, shot.end, shot.cause) == (Phase.BRAKING, ShotEnd.DONE, "the time for this shot is over")


def test_the_path_of_a_shot_of_two() -> None:
    shot = pressed(2, 10.0, 9.0, 50)
    assert settle(shot, 9.999, Inputs()) is shot
    shot = settle(shot, 10.0, Inputs())
    assert (shot.phase, shot.drive, shot.deadline) == (Phase.SPINNING, Drive.FORWARD, 10.4)
    shot = settle(shot, 10.1, Inputs(0, blocked_since=10.1, last_change=10.1))
    assert (shot.phase, shot.drive) == (Phase.COUNTING, Drive.FORWARD)
    shot = settle(shot, 10.14, Inputs(1, last_change=10.14))
    assert shot.phase is Phase.COUNTING
    two = Inputs(2, last_change=10.25)
    shot = settle(shot, 10.25, two)
    assert (shot.phase, shot.drive, shot.deadline) == (Phase.BRAKING, Drive.BRAKE, 10.29)
    shot = settle(shot, 10.29, two)
    assert (shot.phase, shot.drive) == (Phase.RETRACTING, Drive.REVERSE)
    assert shot.deadline is not None
    shot = settle(shot, shot.deadline, two)
    assert (shot.phase, shot.drive) == (Phase.SETTLING, Drive.OFF)
    assert shot.deadline is not None
    shot = settle(shot, shot.deadline, two)
    assert shot.over
    assert (shot.end, shot.drive, shot.deadline, shot.moved) == (ShotEnd.DONE, Drive.OFF, None, True)


def test_arming_takes_its_time_where_the_driver_needs_it() -> None:
    settings = LauncherSettings(arming_ms=5)
    shot = settle(pressed(2, 10.0, 9.0, None), 10.0, Inputs(), settings)
    assert (shot.phase, shot.drive, shot.deadline) == (Phase.ARMING, Drive.ARMED, 10.005)
    shot = settle(shot, 10.005, Inputs(), settings)
    assert (shot.phase, shot.drive, shot.pulse_from) == (Phase.SPINNING, Drive.FORWARD, 10.0)


def test_a_dry_shot_ends_at_its_reveal_without_driving() -> None:
    shot = settle(pressed(0, 10.0, 9.0, 50), 10.0, Inputs())
    assert (shot.over, shot.end, shot.drive, shot.moved) == (True, ShotEnd.DONE, Drive.OFF, False)


def test_a_refusal_at_the_reveal_is_void_dry_or_not() -> None:
    for cards in (0, 3):
        shot = settle(pressed(cards, 10.0, 9.0, 50), 10.0, Inputs(refusal="no"))
        assert (shot.over, shot.end, shot.cause, shot.moved) == (True, ShotEnd.VOID, "no", False)


def test_a_card_left_in_the_slot_at_the_end_is_a_jam() -> None:
    settling = Shot(Phase.SETTLING, 10.0, wanted=2, deadline=10.06)
    stuck = Inputs(1, blocked_since=9.9, last_change=9.9)
    waiting = settle(settling, 10.06, stuck)
    assert (waiting.over, waiting.deadline) == (False, 10.35)
    assert settle(waiting, 10.35, stuck).end is ShotEnd.JAMMED
    assert settle(waiting, 10.2, Inputs(2, last_change=10.2)).deadline == 10.2 + 0.06
    stopped = settling._replace(end=ShotEnd.STOPPED)
    assert settle(stopped, 10.35, stuck).end is ShotEnd.STOPPED  # a stop stays a stop


def test_stop_and_cut_short_leave_what_is_over_alone() -> None:
    over = settle(pressed(0, 10.0, 9.0, 50), 10.0, Inputs())
    assert stop(SETTINGS, over, 11.0, "x") is over
    assert cut_short(SETTINGS, over, 11.0, "x") is over
    assert cut_short(SETTINGS, Shot(), 11.0, "x") == Shot()
    running = settle(pressed(3, 10.0, 9.0, 50), 10.0, Inputs())
    assert cut_short(SETTINGS, running, 10.1, "x").end is ShotEnd.STOPPED
    assert cut_short(SETTINGS, pressed(3, 10.0, 9.0, 50), 9.5, "x").end is ShotEnd.VOID


def test_a_timed_shot_brakes_at_its_calibrated_time_and_not_before() -> None:
    shot = settle(pressed(3, 10.0, 9.0, 50, timed=True), 10.0, Inputs())
    end = 10.0 + SETTINGS.forward_ms(3, 50) / 1000
    assert (shot.phase, shot.deadline) == (Phase.SPINNING, end)
    assert settle(shot, end - 0.001, Inputs()) is shot
    over = settle(shot, end, Inputs())
    assert (over.phase, over.drive, over.guess, over.end) == (Phase.BRAKING, Drive.BRAKE, 3, ShotEnd.DONE)


def test_what_a_timed_shot_should_have_brought_when_it_is_stopped() -> None:
    shot = settle(pressed(3, 10.0, 9.0, None, timed=True), 10.0, Inputs())
    # A card's front is out 150, 240 and 330 ms after forward; the motor runs on for 10 ms when it is told to stop.
    for ms, cards in ((0, 0), (139, 0), (140, 1), (229, 1), (230, 2), (319, 2), (320, 3), (2000, 3)):
        assert stop(SETTINGS, shot, 10.0 + ms / 1000 + 1e-9, "x").guess == cards
        assert cut_short(SETTINGS, shot, 10.0 + ms / 1000 + 1e-9, "x").guess == cards


def test_a_timed_shot_never_outlasts_its_motor_time() -> None:
    slow = LauncherSettings(pace_ms=210)
    for cards in (1, 3, 20):
        shot = settle(pressed(cards, 10.0, 9.0, None, timed=True), 10.0, Inputs(), slow)
        assert shot.deadline is not None
        time = 10.0 + slow.forward_ms(cards, None) / 1000
        last = 10.0 + (slow.on_ms(cards) - 2 - slow.brake_ms - slow.retract_ms) / 1000
        assert abs(shot.deadline - min(time, last)) < 1e-9
        cut = settle(shot, shot.deadline, Inputs(), slow)
        assert (cut.cause == "the time for this shot is over") is (last < time)


def test_a_kick_comes_at_its_time_once_and_the_waiting_before_it_counts() -> None:
    settings = LauncherSettings(kick_after_ms=200, kick_ms=30)
    shot = settle(pressed(2, 10.0, 9.0, 50), 10.0, Inputs(), settings)
    assert shot.deadline == 10.2
    assert settle(shot, 10.199, Inputs(), settings) is shot
    kick = settle(shot, 10.2, Inputs(), settings)
    assert (kick.phase, kick.drive, kick.deadline) == (Phase.KICKING, Drive.REVERSE, 10.2 + 0.03)
    again = settle(kick, 10.23, Inputs(), settings)
    assert (again.phase, again.drive) == (Phase.SPINNING, Drive.FORWARD)
    # 400 ms without a card, the kick left out.
    assert again.deadline is not None
    assert abs(again.deadline - 10.43) < 1e-9
    assert settle(again, 10.429, Inputs(), settings).phase is Phase.SPINNING
    assert settle(again, 10.431, Inputs(), settings).phase is Phase.CLEARING
    stopped = stop(settings, kick, 10.21, "x")
    assert (stopped.end, stopped.drive) == (ShotEnd.STOPPED, Drive.OFF)


def test_no_kick_once_a_card_has_come() -> None:
    settings = LauncherSettings(kick_after_ms=200)
    shot = settle(pressed(2, 10.0, 9.0, 50), 10.0, Inputs(), settings)
    seen = Inputs(0, blocked_since=10.15, last_change=10.15)
    shot = settle(shot, 10.15, seen, settings)
    shot = settle(shot, 10.19, Inputs(1, last_change=10.19), settings)
    assert settle(shot, 10.3, Inputs(1, last_change=10.19), settings).phase is Phase.COUNTING


def test_the_second_try_has_as_long_as_the_first_for_a_stuck_card() -> None:
    settings = LauncherSettings(max_on_base_ms=3000)
    stuck = Inputs(0, blocked_since=10.1, last_change=10.1)
    shot = settle(settle(pressed(2, 10.0, 9.0, 50), 10.0, Inputs(), settings), 10.1, stuck, settings)
    assert settle(shot, 10.449, stuck, settings).phase is Phase.COUNTING
    shot = settle(shot, 10.45, stuck, settings)
    phases = [shot.phase]
    while phases[-1] is not Phase.COUNTING:
        assert shot.deadline is not None
        shot = settle(shot, shot.deadline, stuck, settings)
        phases.append(shot.phase)
    assert phases == [Phase.CLEARING, Phase.REVERSING, Phase.COUNTING]
    forward = shot.since
    assert settle(shot, forward + 0.349, stuck, settings).phase is Phase.COUNTING
    over = settle(shot, forward + 0.351, stuck, settings)
    assert (over.phase, over.end, over.cause) == (Phase.SETTLING, ShotEnd.JAMMED, STUCK)


def test_the_last_cards_of_a_light_pile_are_waited_for_longer() -> None:
    settings = LauncherSettings(light_cards=10, light_ms=100)
    for hopper, ms in ((None, 400), (50, 400), (10, 400), (9, 420), (1, 500)):
        shot = settle(pressed(1, 10.0, 9.0, hopper), 10.0, Inputs(), settings)
        assert shot.deadline is not None
        assert abs(shot.deadline - 10.0 - ms / 1000) < 1e-9


def test_the_line_of_a_transition_tells_what_was_wanted_only_once_the_motor_moved() -> None:
    for waiting in (pressed(0, 10.0, 9.0, 50), pressed(3, 10.0, 9.0, 50)):
        line = transition(7, waiting, stop(SETTINGS, waiting, 9.5, "the lid is open"), 9.5, 0)
        assert line == (
            "shot=7 from=pressed to=settled at=9.5000 after_ms=500.0 drive=off wanted=- cards=0 try=1 end=void "
            'cause="the lid is open"'
        )
    waiting = pressed(3, 10.0, 9.0, 50)
    spinning = settle(waiting, 10.0, Inputs())
    line = transition(8, waiting, spinning, 10.0, 0)
    assert line.startswith("shot=8 from=pressed to=spinning at=10.0000 after_ms=1000.0 drive=forward wanted=3 cards=0")


seen_at = st.tuples(st.floats(0.0005, 0.5), st.integers(0, 2), st.booleans())


@given(
    cards=st.integers(0, 25),
    timed=st.booleans(),
    settings=st.sampled_from([SETTINGS, LauncherSettings(kick_after_ms=150, light_cards=20, light_ms=200)]),
    hopper=st.none() | st.integers(0, 30),
    script=st.lists(seen_at, max_size=120),
    stop_after=st.none() | st.integers(0, 60),
)
def test_every_shot_ends_within_its_motor_time_whatever_the_sensors_say(
    cards: int,
    timed: bool,
    settings: LauncherSettings,
    hopper: int | None,
    script: list[tuple[float, int, bool]],
    stop_after: int | None,
) -> None:
    now, on, forward_pulses = 10.0, 0.0, 0
    shot = pressed(cards, now, now, hopper, timed)
    counted, blocked, changed = 0, None, now
    steps = iter(script)
    for turn in range(4000):
        if turn == stop_after:
            shot = stop(settings, shot, now, "stopped")
        before = shot.drive
        shot = settle(shot, now, Inputs(counted, blocked, changed), settings)
        if shot.drive is Drive.FORWARD and before is not Drive.FORWARD:
            forward_pulses += 1
        if shot.over:
            break
        assert shot.deadline is not None
        assert shot.deadline > now
        wait, more, block = next(steps, (9.0, 0, blocked is not None))
        until = min(now + wait, shot.deadline)
        on += (until - now) if shot.drive is not Drive.OFF else 0.0
        now = until
        if (block != (blocked is not None)) or more:
            counted, blocked, changed = counted + more, (now if block else None), now
    assert shot.over
    assert shot.drive is Drive.OFF
    assert on <= SETTINGS.on_ms(cards) / 1000 + 1e-9
    assert forward_pulses <= 2 + shot.kicked
    assert not (timed and forward_pulses > 1)
    assert 0 <= shot.guess <= max(0, cards)
    assert cards > 0 or forward_pulses == 0
