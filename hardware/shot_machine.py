"""One shot as a pure machine: the time and what the sensors say go in, what the motor does and how it ended come out.

    ready -> pressed -> arming -> spinning -> counting -> braking -> retracting -> settling -> settled
                                     |            |
                                     +--> clearing -> reversing -> spinning      (a jam: rest, pull back, once more)

No pins, no threads, no permits: the arbiter may refuse whatever is asked for here.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Final, NamedTuple

from hardware.ports import ShotEnd
from hardware.settings import LauncherSettings

MARGIN_MS: Final = 2  # the machine ends so much before the arbiter's permit does


class Phase(StrEnum):
    """Where a shot is."""

    READY = "ready"
    PRESSED = "pressed"  # waiting for the reveal, dry or not
    ARMING = "arming"
    SPINNING = "spinning"
    COUNTING = "counting"
    BRAKING = "braking"
    RETRACTING = "retracting"
    CLEARING = "clearing"  # a jam: motor off, resting
    REVERSING = "reversing"  # a jam: pulling back
    SETTLING = "settling"
    SETTLED = "settled"


class Drive(Enum):
    """What the motor is asked to do: (enable, IN1, IN2)."""

    OFF = (False, False, False)
    ARMED = (True, False, False)
    FORWARD = (True, True, False)
    REVERSE = (True, False, True)
    BRAKE = (True, True, True)


class Inputs(NamedTuple):
    """What is known at one moment. Times are seconds on the clock."""

    cards: int = 0  # that have left so far
    blocked_since: float | None = None  # something has been in the beam since then
    last_change: float = 0.0  # the last edge at the beam
    refusal: str = ""  # why the shot may not begin, looked at only at the reveal
    motor_left: float = float("inf")  # seconds the motor may be on in this minute, looked at only at the reveal


class Shot(NamedTuple):
    """The state of the machine. `deadline` is when to step again at the latest, None = nothing to wait for.

    A tuple, not a dataclass: it is copied between an order and the motor's pin, and tuples copy five times as fast.
    """

    phase: Phase = Phase.READY
    since: float = 0.0
    wanted: int = 0
    reveal_at: float = 0.0
    hopper: int | None = None  # cards thought to be in the machine when the shot began
    drive: Drive = Drive.OFF
    deadline: float | None = None
    pulse_from: float = 0.0  # when this pulse (the first, or the retry) switched the motor on
    most: float = float("inf")  # seconds of motor time the minute's budget had left at the reveal
    spent: float = 0.0  # seconds the motor was on in the pulse before this one
    retried: bool = False
    end: ShotEnd = ShotEnd.DONE
    cause: str = ""

    @property
    def over(self) -> bool:
        """Nothing more will happen."""
        return self.phase is Phase.SETTLED

    @property
    def moved(self) -> bool:
        """The motor was asked to move at some time."""
        return self.phase not in (Phase.READY, Phase.PRESSED) and self.end is not ShotEnd.VOID and self.wanted > 0


def pressed(wanted: int, reveal_at: float, now: float, hopper: int | None) -> Shot:
    """A shot that waits for its reveal. `wanted` is not looked at before `reveal_at`."""
    return Shot(Phase.PRESSED, now, wanted, reveal_at, hopper, deadline=reveal_at)


def step(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    """At most one transition; the same object when nothing is due."""
    if shot.phase is Phase.PRESSED:
        return _reveal(settings, shot, now, seen)
    if shot.phase in (Phase.SPINNING, Phase.COUNTING):
        return _running(settings, shot, now, seen)
    if shot.phase is Phase.SETTLING:
        return _settling(settings, shot, now, seen)
    if shot.deadline is None or now < shot.deadline:
        return shot
    if shot.phase is Phase.ARMING:
        return _forward(settings, shot, now, shot.pulse_from)
    if shot.phase is Phase.BRAKING:
        return _retract(settings, shot, now)
    if shot.phase is Phase.RETRACTING:
        return _settle(settings, shot, now)
    if shot.phase is Phase.CLEARING:
        return _retry(settings, shot, now, seen)
    return _forward(settings, shot, now, shot.pulse_from)  # REVERSING


def stop(settings: LauncherSettings, shot: Shot, now: float, cause: str) -> Shot:
    """Lid, emergency stop, fault: the motor goes off and what is under way is counted. VOID when nothing moved yet."""
    if shot.phase in (Phase.READY, Phase.SETTLING, Phase.SETTLED):
        return shot
    if shot.phase is Phase.PRESSED:
        return _void(shot, now, cause)
    return _settle(settings, shot._replace(end=ShotEnd.STOPPED, cause=cause), now)


def cut_short(shot: Shot, now: float, cause: str) -> Shot:
    """Like `stop`, without waiting for late cards."""
    if shot.phase in (Phase.READY, Phase.SETTLED):
        return shot
    if shot.phase is Phase.PRESSED:
        return _void(shot, now, cause)
    return _go(shot._replace(end=ShotEnd.STOPPED, cause=cause), Phase.SETTLED, now, Drive.OFF, None)


def _go(shot: Shot, phase: Phase, now: float, drive: Drive, deadline: float | None) -> Shot:
    return shot._replace(phase=phase, since=now, drive=drive, deadline=deadline)


def _void(shot: Shot, now: float, cause: str) -> Shot:
    return _go(shot._replace(end=ShotEnd.VOID, cause=cause), Phase.SETTLED, now, Drive.OFF, None)


def _reveal(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    if now < shot.reveal_at:
        return shot
    if seen.refusal:
        return _void(shot, now, seen.refusal)
    if shot.wanted <= 0:
        return _go(shot, Phase.SETTLED, now, Drive.OFF, None)
    shot = shot._replace(most=seen.motor_left)
    if settings.arming_ms:
        armed = now + settings.arming_ms / 1000
        return shot._replace(pulse_from=now, phase=Phase.ARMING, since=now, drive=Drive.ARMED, deadline=armed)
    return _forward(settings, shot, now, now)


def _forward(settings: LauncherSettings, shot: Shot, now: float, pulse_from: float) -> Shot:
    # When to give up is worked out at the next step: the motor turns first.
    return shot._replace(pulse_from=pulse_from, phase=Phase.SPINNING, since=now, drive=Drive.FORWARD, deadline=now)


def _motor_time(settings: LauncherSettings, shot: Shot) -> float:
    """Seconds the motor may be on in this shot, both tries together."""
    return min(settings.on_ms(shot.wanted) / 1000, shot.most)


def _must_be_off(settings: LauncherSettings, shot: Shot) -> float:
    """When the motor time of this shot is used up, a little before its permit expires."""
    return shot.pulse_from + _motor_time(settings, shot) - MARGIN_MS / 1000 - shot.spent


def _last_forward(settings: LauncherSettings, shot: Shot) -> float:
    """When forward must end so that coming to rest still fits into the shot's motor time.

    A second try may leave the pulling back out: what is left of the time is better spent on moving the card.
    """
    tail = settings.brake_ms if shot.retried else settings.brake_ms + settings.retract_ms
    return _must_be_off(settings, shot) - tail / 1000


def _running(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    # Every limit is worked out as a moment and compared with the moment: what is waited for is then what is looked at.
    free = seen.blocked_since is None
    if seen.cards >= shot.wanted and free:
        return _brake(settings, shot, now)
    last = _last_forward(settings, shot)
    if seen.blocked_since is not None:
        patience = seen.blocked_since + settings.jam_ms / 1000
        if now >= patience:
            return _jam(settings, shot, now, "the beam has been blocked too long: a card is stuck in the slot")
    else:
        patience = max(shot.since, seen.last_change) + settings.first_card_ms / 1000
        if now >= patience:
            return _no_card(settings, shot, now, seen)
    if now >= last:
        if shot.retried and seen.cards == 0:
            return _no_card(settings, shot, now, seen)
        return _brake(settings, shot._replace(cause="the time for this shot is over"), now)
    if shot.phase is Phase.SPINNING and (seen.cards or not free):
        shot = shot._replace(phase=Phase.COUNTING)
    deadline = min(last, patience)
    return shot if deadline == shot.deadline else shot._replace(deadline=deadline)


def _no_card(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    if shot.hopper is not None and seen.cards >= shot.hopper:
        return _brake(settings, shot._replace(end=ShotEnd.EMPTY, cause="the machine is empty"), now)
    again = " on the second try either" if shot.retried else ""
    return _jam(settings, shot, now, f"no card came{again}: stuck, slipping or empty, which cannot be told apart here")


def _brake(settings: LauncherSettings, shot: Shot, now: float) -> Shot:
    end = min(now + settings.brake_ms / 1000, _must_be_off(settings, shot))
    return _go(shot, Phase.BRAKING, now, Drive.BRAKE, end) if end > now else _settle(settings, shot, now)


def _retract(settings: LauncherSettings, shot: Shot, now: float) -> Shot:
    end = min(now + settings.retract_ms / 1000, _must_be_off(settings, shot))
    return _go(shot, Phase.RETRACTING, now, Drive.REVERSE, end) if end > now else _settle(settings, shot, now)


def _settle(settings: LauncherSettings, shot: Shot, now: float) -> Shot:
    return _go(shot, Phase.SETTLING, now, Drive.OFF, now + settings.settle_ms / 1000)


def _jam(settings: LauncherSettings, shot: Shot, now: float, cause: str) -> Shot:
    if shot.retried:
        return _settle(settings, shot._replace(end=ShotEnd.JAMMED, cause=cause), now)
    spent = shot.spent + now - shot.pulse_from
    left = _motor_time(settings, shot) - spent
    # The second try must still be able to pull back, move a card and come to rest within the shot's motor time.
    needed = (settings.retract_ms + settings.card_ms + settings.brake_ms) / 1000
    if left <= needed:
        return _settle(settings, shot._replace(end=ShotEnd.JAMMED, cause=cause), now)
    rest = now + settings.rest_ms / 1000
    return _go(shot._replace(retried=True, spent=spent), Phase.CLEARING, now, Drive.OFF, rest)


def _retry(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    if seen.cards >= shot.wanted and seen.blocked_since is None:
        return _settle(settings, shot, now)
    pull = now + settings.retract_ms / 1000
    return _go(shot._replace(pulse_from=now), Phase.REVERSING, now, Drive.REVERSE, pull)


def _settling(settings: LauncherSettings, shot: Shot, now: float, seen: Inputs) -> Shot:
    if seen.blocked_since is None:
        quiet = max(shot.since, seen.last_change) + settings.settle_ms / 1000
        if now >= quiet:
            return _go(shot, Phase.SETTLED, now, Drive.OFF, None)
        return shot if quiet == shot.deadline else shot._replace(deadline=quiet)
    patience = max(seen.blocked_since, shot.since) + settings.jam_ms / 1000
    if now < patience:
        return shot if patience == shot.deadline else shot._replace(deadline=patience)
    if shot.end in (ShotEnd.DONE, ShotEnd.EMPTY):
        shot = shot._replace(end=ShotEnd.JAMMED, cause="a card was left sticking in the slot")
    return _go(shot, Phase.SETTLED, now, Drive.OFF, None)
