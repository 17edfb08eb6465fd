"""The launcher: one loop that takes orders and edges, steps the shot machine and drives the motor through the arbiter.

It waits on its inbox with the next deadline, and without one while nothing is under way. Pins are handed in; the game
is unknown here. Nothing that happens before an order's reveal depends on how many cards it asks for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from hardware.arbiter import CLOSED_FAULT, Arbiter, MotorOutputs
from hardware.clock import Clock
from hardware.counter import BeamCounter, CardTime
from hardware.orders import OrderTaker
from hardware.ports import (
    Certainty,
    Denial,
    Fault,
    LauncherState,
    Listener,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    ShotProgress,
)
from hardware.sensors import (
    BEAM_BLOCKED,
    EDGES_DEAD,
    EDGES_LOST,
    JAMMED,
    LID_OPEN,
    STOP_PRESSED,
    Edge,
    Sense,
    Sensors,
    contradictions,
    jam,
    standing,
)
from hardware.settings import LauncherSettings
from hardware.shot_machine import Drive, Inputs, Phase, Shot, cut_short, pressed, step, stop, transition
from hardware.watchdog import Follower, Watchdog

log = logging.getLogger("hardware.launcher")

EXPIRED: Final = Fault("permit-expired", "the motor ran longer than it was allowed", "clear the fault and press again")
UNSURE: Final = (EDGES_LOST.code, EDGES_DEAD.code, EXPIRED.code, "watchdog")  # after these a count is `unknown`
IDLE: Final = Shot()


class Nudge(Enum):
    """Reasons to look around, posted to the loop."""

    LOOK = auto()
    CLEARED = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Ask:
    """Somebody wants a sign of life: `call` is called when the loop comes round to it."""

    call: Callable[[], None]


Item = ShotOrder | Edge | Nudge | Ask


class MotorLauncher(OrderTaker):
    """The `Launcher` for any motor on three outputs with lid, stop, and two beams, one or none."""

    NAME = "launcher"
    HEARTBEAT = 0.05  # seconds between two looks around while the motor is on
    LOST = 0.02  # seconds after which a beam that showed something nobody was told has lost its edges

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        outputs: MotorOutputs,
        sensors: Sensors,
        listener: Listener,
        hopper: int | None = None,
        on_loaded: Callable[[int], None] | None = None,
        followers: Sequence[Follower] = (),
    ) -> None:
        """`hopper`: cards known to be in the machine; `on_loaded` hears what a person said was put in."""
        super().__init__(clock, listener, hopper)
        self._settings = settings
        self._sensors = sensors
        self.arbiter = Arbiter(outputs, settings)
        self._watchdog = Watchdog(clock, settings.watchdog_ms, self._bitten, followers)
        self._worker = clock.worker(self.NAME, self._handle, punctual=True)
        self.edge = self._worker.post  # what edge callbacks call: it only enqueues
        self._on_loaded = on_loaded
        self._shot = IDLE
        self._card = CardTime(settings.card_ms)
        self._gap = settings.beam_gap_mm / settings.card_mm if sensors.beams == 2 else None
        self._counter = BeamCounter(self._card, gap=self._gap)
        self._beams = (Sense.BEAM, Sense.BEAM2)[: sensors.beams]
        self._blocked: dict[Sense, bool] = {}  # what was last heard of each beam
        self._unheard: dict[Sense, float] = {}  # beams that showed something else, and when first

    # --- the port, called from any thread ------------------------------------------------------------------------

    def denial(self) -> Denial | None:
        """See `hardware.ports.Launcher`."""
        if not self._closing and self.arbiter.fault is None and not self._trust():
            self._worker.post(Nudge.LOOK)
        fault = self.arbiter.fault
        if self._closing or fault is not None:
            return Denial("fault", (fault or CLOSED_FAULT).cause)
        if self._outstanding:
            return Denial("firing", "the launcher is busy with a shot")
        return self._refusal(self._clock.now())

    def halt(self, cause: str) -> None:
        """See `hardware.ports.Launcher`. Cuts from the caller's own thread before anything else happens."""
        if self._closing:
            return  # cut already, for good, and the pins may be gone
        self.arbiter.trip(Fault("halted", cause, "clear the fault when the cause is gone"))
        self._worker.post(Nudge.LOOK)
        log.warning("halted: %s", cause)

    def clear_fault(self) -> Fault | None:
        """See `hardware.ports.Launcher`. The sensors are asked first."""
        fault = self.arbiter.fault
        if fault is None:
            return None
        still = standing(self._sensors, fault)
        if still is not None or self._closing or self._order is not None:
            return still or fault
        if not self.arbiter.clear(fault):
            return self.arbiter.fault
        self._worker.post(Nudge.CLEARED)
        log.info("fault cleared: %s", fault.code)
        return None

    def loaded(self, cards: int) -> None:
        """See `hardware.ports.Launcher`. Loading needs the lid open, so a closed lid's fault is cleared with it."""
        if cards >= 0 and self._on_loaded is not None:
            self._on_loaded(cards)
        super().loaded(cards)

    def tick(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""
        self._worker.post(Ask(call))

    def start(self) -> None:
        """Everything low, then look at the sensors and begin. Does not arm while they contradict a closed machine."""
        self._look_at_beams()
        for fault in contradictions(self._sensors):
            self.arbiter.trip(fault)
        self.arbiter.open()
        self._watchdog.start()
        self._worker.start()

    def close(self) -> None:
        """Motor off, the running shot ended, the loop ended. Idempotent, from any thread."""
        with self._guard:
            if self._closing:
                return
            self._closing = True
        try:
            self.arbiter.trip(CLOSED_FAULT)
        finally:
            self._worker.post(Nudge.CLOSE)
            self._worker.stop()
            self._watchdog.stop()
            self._end_leftover()

    # --- the loop --------------------------------------------------------------------------------------------------

    def _handle(self, item: Item | None) -> float | None:
        now = self._clock.now()
        try:
            if self._watchdog.missed(now):
                # Perhaps all of us stood still, the watchdog too: what came meanwhile was seen by nobody in time.
                self._counter.doubt(Certainty.UNKNOWN)
                self.arbiter.trip(self._watchdog.fault)
            lost = self._watchdog.beat(now)
            if lost is not None:
                self.arbiter.trip(lost)
            if item is not None:
                self._take(item, now)
            self._advance(now)
            self._tell_changes(now)
        except Exception as problem:
            self._broken(now, problem)
            log.exception("the launcher's loop failed")
        return self._next_deadline(now)

    def _take(self, item: Item, now: float) -> None:
        if isinstance(item, ShotOrder):
            self._begin(item, now)
        elif isinstance(item, Edge):
            self._feel(item)
        elif isinstance(item, Ask):
            self._trust()
            item.call()
        elif item is Nudge.CLEARED:
            self._start_over(now)
        elif item is Nudge.CLOSE:
            self._counter.doubt(Certainty.AT_LEAST)
            self._follow(cut_short(self._settings, self._shot, now, CLOSED_FAULT.cause), now)
            self._closed = True

    def _begin(self, order: ShotOrder, now: float) -> None:
        if self._accept(order):
            self._shot = pressed(order.cards, order.reveal_at, now, self._hopper, timed=not self._beams)

    def _start_over(self, now: float) -> None:
        """A fault was cleared: what was heard of the beams before counts no more, they are asked themselves."""
        if self._order is None:
            self._look_at_beams()
            self._counter = BeamCounter(self._card, now, self._gap)

    def _feel(self, edge: Edge) -> None:
        if edge.sense in self._beams:
            self._blocked[edge.sense] = edge.active
            self._unheard.pop(edge.sense, None)
        if edge.sense is Sense.BEAM:
            if edge.active:
                self._counter.block(edge.at)
            else:
                self._counter.clear(edge.at, self._shot.drive is Drive.REVERSE)
        elif edge.sense is Sense.BEAM2:
            if edge.active:
                self._counter.block2(edge.at)
            else:
                self._counter.clear2(edge.at)
        elif edge.sense is Sense.LID and not edge.active:
            self.arbiter.trip(LID_OPEN)
        elif edge.sense is Sense.STOP and edge.active:
            self.arbiter.trip(STOP_PRESSED)

    def _advance(self, now: float) -> None:
        """Everything that is due: the sensors while the motor is on, the machine, and last the permit."""
        arbiter = self.arbiter
        if arbiter.is_on and arbiter.fault is None:
            self._mistrust()
            self._listen_for_lost(now)
        self._step(now)
        if arbiter.expire(now):  # the machine should have ended before
            arbiter.trip(EXPIRED)
            self._step(now)
        if self._shot.drive is not Drive.OFF and self._counter.cards > self._progress:
            self._tell_progress()

    def _step(self, now: float) -> None:
        while not self._shot.over and self._shot is not IDLE:
            fault, before = self.arbiter.fault, self._shot
            after = before if fault is None else stop(self._settings, before, now, fault.cause)
            if after is before:
                after = step(self._settings, before, now, self._seen(now))
            if after is before:
                break
            self._follow(after, now)

    def _seen(self, now: float) -> Inputs:
        counter, shot = self._counter, self._shot
        if shot.phase is not Phase.PRESSED or now < shot.reveal_at:
            return Inputs(counter.cards, counter.blocked_since, counter.last_change)
        denial = self._refusal(now, look=True)
        refusal = denial.text if denial else ""
        return Inputs(counter.cards, counter.blocked_since, counter.last_change, refusal, self.arbiter.left(now))

    def _follow(self, after: Shot, now: float) -> None:
        """Make the machine's transition true: the motor first, words later."""
        before, self._shot = self._shot, after
        if after.drive is not before.drive and not self._drive(before, after, now):
            return
        if after.phase is before.phase:
            return
        if after.end is ShotEnd.JAMMED or after.phase is Phase.CLEARING:
            self._counter.stuck()
        order = self._order
        if order is not None:
            log.info("%s", transition(order.shot, before, after, now, after.guess or self._counter.cards))
        if after.over:
            self._finish(after, now)

    def _drive(self, before: Shot, after: Shot, now: float) -> bool:
        """Set the outputs; False when the arbiter would not, and then the shot is over."""
        order, arbiter = self._order, self.arbiter
        if after.drive is Drive.OFF or order is None:
            arbiter.drive(Drive.OFF, now)
            self._watchdog.disarm()  # only now: whoever watches expects ticks for as long as enable may be high
            self._unheard.clear()
            return True
        if before.drive is Drive.OFF:
            grant = arbiter.grant_again if after.retried else arbiter.grant
            permit = grant(order.shot, order.cards, now)
            if isinstance(permit, Denial):
                self._shot = cut_short(self._settings, before, now, permit.text)
                self._finish(self._shot, now)
                return False
            if not after.retried:
                self._counter = BeamCounter(self._card, now, self._gap)
            lost = self._watchdog.arm(now, permit.expires_at)
            if lost is not None:
                arbiter.trip(lost)  # so that what follows does not raise enable
        arbiter.drive(after.drive, now)
        return True

    def _finish(self, shot: Shot, now: float) -> None:
        order = self._take_order()
        if order is None:
            return
        moved = shot.moved
        cards, certainty = self._count(shot) if moved else (0, Certainty.EXACT)
        if moved:
            self._take_from_hopper(shot.end, cards)
            if cards > self._progress:
                self._tell(ShotProgress(order.shot, cards))
        elif shot.end is ShotEnd.DONE:
            self.arbiter.rest(now)
        if shot.end is ShotEnd.JAMMED:
            self.arbiter.trip(jam(shot.cause))
        self._tell_press()
        self._tell(ShotEnded(order.shot, cards, certainty, shot.end, shot.cause))

    def _count(self, shot: Shot) -> tuple[int, Certainty]:
        """How many cards a shot brought whose motor moved, and how sure that is."""
        counter, fault = self._counter, self.arbiter.fault
        if shot.timed:
            return shot.guess, Certainty.UNKNOWN
        if counter.blocked_since is not None:
            counter.doubt(Certainty.AT_LEAST)
        if fault is not None and fault.code in UNSURE:
            counter.doubt(Certainty.UNKNOWN)
        return counter.cards, counter.certainty

    # --- helpers of the loop ---------------------------------------------------------------------------------------

    def _refusal(self, now: float, look: bool = False) -> Denial | None:
        """Why no shot may begin now. Beams are read themselves, in case an edge was lost; with `look`, all the rest."""
        if look:
            self._mistrust()
            self._look_at_beams()
        denial = self.arbiter.judge(now)
        if denial is None and any(self._shows(beam) for beam in self._beams):
            return Denial("fault", BEAM_BLOCKED.cause)
        return denial

    def _trust(self) -> bool:
        """Edges still arrive, and all else we depend on is there; if not, no motor may turn."""
        trouble = self._sensors.trouble()
        if trouble is not None:
            self.arbiter.trip(trouble)
        return trouble is None

    def _mistrust(self) -> None:
        """Read lid and stop themselves: an edge may be lost, and so may all of them."""
        if not self._trust():
            return
        if not self._sensors.lid_closed():
            self.arbiter.trip(LID_OPEN)
        elif self._sensors.stop_pressed():
            self.arbiter.trip(STOP_PRESSED)

    def _look_at_beams(self) -> None:
        """Take what the beams show for what was heard of them."""
        self._blocked = {beam: self._shows(beam) for beam in self._beams}

    def _shows(self, beam: Sense) -> bool:
        return self._sensors.beam_blocked() if beam is Sense.BEAM else self._sensors.beam2_blocked()

    def _listen_for_lost(self, now: float) -> None:
        """A beam that shows what nobody told, and of which nothing is heard for a while after, loses its edges.

        Two looks, so that an edge that is still on its way is not taken for a lost one. Whether the thread that brings
        them is alive is another question (`_trust`).
        """
        for beam in self._beams:
            since = self._unheard.get(beam)
            if since is None:
                if self._shows(beam) is not self._blocked[beam]:
                    self._unheard[beam] = now
            elif now >= since + self.LOST:
                self.arbiter.trip(EDGES_LOST)

    def _next_deadline(self, now: float) -> float | None:
        waits = [] if self._shot.deadline is None else [self._shot.deadline]
        permit = self.arbiter.permit
        if permit is not None:
            waits += [permit.expires_at, now + self.HEARTBEAT]
            waits += [since + self.LOST for since in self._unheard.values()]
        if self._told[0] is LauncherState.RESTING:
            waits.append(self.arbiter.rest_until)
        elif self._told[0] is LauncherState.COOLING:
            waits.append(self.arbiter.cool_at(now))
        return min(waits) if waits else None

    def _latched(self) -> Fault | None:
        return self.arbiter.fault

    def _cool_at(self, now: float) -> float:
        return self.arbiter.cool_at(now)

    def _state(self, now: float) -> tuple[LauncherState, Fault | None]:
        fault = self.arbiter.fault
        if self._closed:
            return LauncherState.CLOSED, fault
        if fault is not None:
            return (LauncherState.JAMMED if fault.code == JAMMED else LauncherState.FAULT), fault
        phase = self._shot.phase
        if phase is Phase.PRESSED:
            return LauncherState.PRESSED, None
        if phase not in (Phase.READY, Phase.SETTLED):
            return LauncherState.FIRING, None
        if now < self.arbiter.rest_until:
            return LauncherState.RESTING, None
        return (LauncherState.COOLING if self.arbiter.cool_at(now) > now else LauncherState.READY), None

    def _tell_progress(self) -> None:
        order = self._order
        if order is not None:
            self._progress = self._counter.cards
            self._tell(ShotProgress(order.shot, self._progress))

    def _bitten(self, fault: Fault) -> None:
        """The watchdog's own thread: cut, say so, and leave the rest to the loop if it ever comes back."""
        self.arbiter.trip(fault)
        self._worker.post(Nudge.LOOK)
        log.error("watchdog: %s", fault.cause)
        self._tell_changes(self._clock.now())

    def _broken(self, now: float, problem: Exception) -> None:
        """Something in the loop failed: motor off, a fault latched, the shot ended with an unknown count."""
        cause = f"the launcher failed: {problem!r}"
        try:
            self.arbiter.trip(Fault("internal", cause, "look at the log, then clear the fault"))
        finally:
            self._watchdog.disarm()
            self._shot = cut_short(self._settings, self._shot, now, cause)
            self._counter.doubt(Certainty.UNKNOWN)
            self._finish(self._shot, now)
            self.arbiter.release(now)
            self._tell_changes(now)

    def _end_leftover(self) -> None:
        """The loop did not come back to end its shot: end it here, so that its order has an end."""
        order = self._take_order()
        if order is not None:
            cards = self._shot.guess or self._counter.cards
            self._tell(ShotEnded(order.shot, cards, Certainty.UNKNOWN, ShotEnd.STOPPED, "the loop hangs"))
