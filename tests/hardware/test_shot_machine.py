"""The shot machine alone: the path of a shot, and that no inputs make it run on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import ShotEnd
from hardware.settings import LauncherSettings
from hardware.shot_machine import Drive, Inputs, Phase, Shot, cut_short, pressed, step, stop

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


seen_at = st.tuples(st.floats(0.0005, 0.5), st.integers(0, 2), st.booleans())


@given(
    cards=st.integers(0, 25),
    hopper=st.none() | st.integers(0, 30),
    script=st.lists(seen_at, max_size=120),
    stop_after=st.none() | st.integers(0, 60),
)
def test_every_shot_ends_within_its_motor_time_whatever_the_sensors_say(
    cards: int, hopper: int | None, script: list[tuple[float, int, bool]], stop_after: int | None
) -> None:
    now, on, forward_pulses = 10.0, 0.0, 0
    shot = pressed(cards, now, now, hopper)
    counted, blocked, changed = 0, None, now
    steps = iter(script)
    for turn in range(4000):
        if turn == stop_after:
            shot = stop(SETTINGS, shot, now, "stopped")
        before = shot.drive
        shot = settle(shot, now, Inputs(counted, blocked, changed))
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
    assert forward_pulses <= 2
    assert cards > 0 or forward_pulses == 0
