"""One shot as a pure machine: the time and what the sensors say go in, what the motor does and how it ended come out.

    ready -> pressed -> arming -> spinning -> counting -> braking -> retracting -> settling -> settled
                                     |            |
                                     +--> clearing -> reversing -> spinning      (a jam: rest, pull back, once more)
                                     +--> kicking -> spinning                    (slow to start: a short reverse)

With a beam the loop is closed: the motor turns until what was wanted has left. Without one it is open: the motor turns
for the calibrated time, nobody sees a jam, and how many cards came is a guess. Every limit holds for both.

No pins, no threads, no permits: the arbiter may refuse whatever is asked for here.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Final, NamedTuple

from hardware.ports import ShotEnd
from hardware.settings import LauncherSettings

STUCK: Final = "the beam has been blocked too long: a card is stuck in the slot"
MARGIN_MS: Final = 2  # the machine ends so much before the arbiter's permit does


class Phase(StrEnum):
    """Where a shot is."""

    READY = "ready"
    PRESSED = "pressed"  # waiting for the reveal, dry or not
    ARMING = "arming"
    SPINNING = "spinning"
    COUNTING = "counting"
    KICKING = "kicking"  # no card yet: a short reverse, to shake the roller loose
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
    kicked: bool = False
    timed: bool = False  # no beam: forward for the calibrated time
    guess: int = 0  # of a timed shot: the cards that should have come
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


def pressed(wanted: int, reveal_at: float, now: float, hopper: int | None, timed: bool = False) -> Shot:
    """A shot that waits for its reveal. `wanted` is not looked at before `reveal_at`. `timed`: no beam will count."""
    return Shot(Phase.PRESSED, now, wanted, reveal_at, hopper, deadline=reveal_at, timed=timed)


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
    if shot.phase is Phase.KICKING:
        # What was waited for the first card so far still counts.
        return _forward(settings, shot, now, shot.pulse_from)._replace(since=now - settings.kick_after_ms / 1000)
    return _forward(settings, shot, now, shot.pulse_from)  # REVERSING


def stop(settings: LauncherSettings, shot: Shot, now: float, cause: str) -> Shot:
    """Lid, emergency stop, fault: the motor goes off and what is under way is counted. VOID when nothing moved yet."""
    if shot.phase in (Phase.READY, Phase.SETTLING, Phase.SETTLED):
        return shot
    if shot.phase is Phase.PRESSED:
        return _void(shot, now, cause)
    shot = _guess(settings, shot, now)
    return _settle(settings, shot._replace(end=ShotEnd.STOPPED, cause=cause), now)


def cut_short(settings: LauncherSettings, shot: Shot, now: float, cause: str) -> Shot:
    """Like `stop`, without waiting for late cards."""
    if shot.phase in (Phase.READY, Phase.SETTLED):
        return shot
    if shot.phase is Phase.PRESSED:
        return _void(shot, now, cause)
    shot = _guess(settings, shot, now)
    return _go(shot._replace(end=ShotEnd.STOPPED, cause=cause), Phase.SETTLED, now, Drive.OFF, None)


def transition(number: int, before: Shot, after: Shot, now: float, cards: int) -> str:
    """The line of the log for a change of phase of shot `number`, `cards` counted so far: key=value, always these.

    What was wanted is told of a motor that moved only: a line before the reveal must not tell a dry shot from another.
    """
    wanted = after.wanted if after.moved else "-"
    return (
        f"shot={number} from={before.phase} to={after.phase} at={now:.4f} after_ms={(now - before.since) * 1000:.1f} "
        f"drive={after.drive.name.lower()} wanted={wanted} cards={cards} try={2 if after.retried else 1} "
        f'end={after.end} cause="{after.cause}"'
    )


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
    if shot.timed:
        return _running_timed(settings, shot, now)
    # Every limit is worked out as a moment and compared with the moment: what is waited for is then what is looked at.
    free = seen.blocked_since is None
    if seen.cards >= shot.wanted and free:
        return _brake(settings, shot, now)
    last = _last_forward(settings, shot)
    if seen.blocked_since is not None:
        # A second try has as long as the first, though the card has been stuck since then.
        patience = max(shot.since, seen.blocked_since) + settings.jam_ms / 1000
        if now >= patience:
            return _jam(settings, shot, now, STUCK)
    else:
        left = None if shot.hopper is None else max(0, shot.hopper - seen.cards)
        patience = max(shot.since, seen.last_change) + (settings.first_card_ms + settings.late_ms(left)) / 1000
        if now >= patience:
            return _no_card(settings, shot, now, seen)
    if now >= last:
        if shot.retried and seen.cards == 0:
            return _no_card(settings, shot, now, seen) if free else _jam(settings, shot, now, STUCK)
        return _brake(settings, shot._replace(cause="the time for this shot is over"), now)
    deadline = min(last, patience)
    if shot.phase is Phase.SPINNING:
        if seen.cards or not free:
            shot = shot._replace(phase=Phase.COUNTING)
        elif settings.kick_after_ms and not shot.kicked:
            slow = shot.since + settings.kick_after_ms / 1000
            if now >= slow:
                end = now + settings.kick_ms / 1000
                return _go(shot._replace(kicked=True), Phase.KICKING, now, Drive.REVERSE, min(end, last))
            deadline = min(deadline, slow)
    return shot if deadline == shot.deadline else shot._replace(deadline=deadline)


def _running_timed(settings: LauncherSettings, shot: Shot, now: float) -> Shot:
    wanted = shot.wanted if shot.hopper is None else min(shot.wanted, shot.hopper)
    time = shot.since + settings.forward_ms(max(1, wanted), shot.hopper) / 1000
    last = _last_forward(settings, shot)
    deadline = min(time, last)
    if now < deadline:
        return shot if deadline == shot.deadline else shot._replace(deadline=deadline)
    shot = _guess(settings, shot, now)
    if last < time:
        shot = shot._replace(cause="the time for this shot is over")
    elif wanted < shot.wanted:
        shot = shot._replace(end=ShotEnd.EMPTY, cause="the machine should be empty")
    return _brake(settings, shot, now)


def _guess(settings: LauncherSettings, shot: Shot, now: float) -> Shot:
    """How many cards should have come, of a timed shot that stops turning forward now."""
    if not shot.timed or shot.phase is not Phase.SPINNING:
        return shot
    turned = (now - shot.since) * 1000 + settings.stop_lag_ms
    most = shot.wanted if shot.hopper is None else min(shot.wanted, shot.hopper)
    guess = sum(1 for card in range(1, most + 1) if settings.front_ms(card, shot.hopper) <= turned)
    return shot._replace(guess=guess)


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
