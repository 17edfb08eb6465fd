"""The launcher at the other end of a serial line: the same port as the one on this machine's own pins.

The controller enforces every limit by itself; here is what it cannot know: the order and its reveal, the hopper, what
people are told, and that a link which was lost comes back disarmed. One loop does it all; `halt` alone speaks from the
caller's thread.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from firmware_bridge.headers import config
from firmware_bridge.identity import PATIENCE, NotOurs, identify, no_answer, other_protocol, refuse_foreign, refuses
from firmware_bridge.link import Answer, Link, OtherProtocol
from firmware_bridge.messages import (
    CERTAINTIES,
    ENDS,
    FAULTS,
    NO_HOPPER,
    PING_MS,
    Card,
    Ended,
    Event,
    Fire,
    Input,
    Kind,
    Latched,
    Level,
    Output,
    Phase,
    Result,
    State,
    Status,
    Switch,
    Trouble,
    Wired,
    cause_text,
    result_text,
)
from firmware_bridge.port import Opener, Port
from hardware.arbiter import CLOSED_FAULT
from hardware.clock import Clock
from hardware.orders import OrderTaker
from hardware.ports import (
    ButtonPressed,
    ButtonReleased,
    Certainty,
    Denial,
    Fault,
    LauncherState,
    Listener,
    MotorTime,
    Reading,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    ShotProgress,
)
from hardware.sensors import BEAM_BLOCKED, JAMMED, LID_OPEN, STOP_PRESSED, jam
from hardware.settings import DUTY_WINDOW_MS, LauncherSettings

log = logging.getLogger("firmware_bridge.launcher")

REOPEN: Final = (0.5, 10.0)  # seconds from one attempt to open a lost port to the next: at first, and at the most
STEADY: Final = 10.0  # seconds a link must have stood for its loss to be the first of its kind
UNTOLD: Final = 1.0  # seconds after which a shot is ended by the controller's status, though its end was not told
COUNTED: Final = DUTY_WINDOW_MS / 1000 + 1  # seconds what the motor used counts: the controller books by whole ones
NOT_UP: Final = Denial("too-fast", "the launcher's controller is being set up", 0.2)


def link_lost(why: str) -> Fault:
    """The fault of a controller that is not heard any more."""
    return Fault(
        "link-lost",
        f"the launcher's controller is not heard any more ({why}); its motor stops by itself",
        "plug the cable in again, count the cards that came, then clear the fault",
    )


def port_refused(why: str) -> Fault:
    """The fault of a controller whose port is there and cannot be had; `why` says what mends it."""
    return Fault(
        "port-refused",
        f"the launcher's controller cannot be reached: {why}",
        "then count the cards that came, and clear the fault",
    )


def controller_refused(problem: NotOurs) -> Fault:
    """The fault of a controller, or whatever is at its port, that this program cannot work with."""
    return Fault("controller-refused", problem.cause, problem.remedy)


RESTARTED: Final = Fault(
    "controller-restarted",
    "the launcher's controller has started anew by itself: its supply failed, or it hung",
    "count the cards that came, then clear the fault; if it comes back, look at its supply",
)


class Nudge(Enum):
    """Reasons to look around, posted to the loop."""

    LOOK = auto()
    CLEAR = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class _Heard:
    port: Port
    data: bytes


@dataclass(frozen=True, slots=True)
class _Gone:
    port: Port
    why: str


@dataclass(frozen=True, slots=True)
class _Ask:
    call: Callable[[], None]


Item = ShotOrder | _Heard | _Gone | _Ask | Nudge


class SerialLauncher(OrderTaker):
    """The `Launcher` behind a port. It is opened, identified, configured and armed by `start`."""

    NAME = "launcher"

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        wired: Wired,
        device: str,
        open_port: Opener,
        listener: Listener,
        hopper: int | None = None,
    ) -> None:
        """Opens nothing yet."""
        super().__init__(clock, listener, hopper)
        self._settings = settings
        self._wired = wired
        self._device = device
        self._open_port = open_port
        self._worker = clock.worker(self.NAME, self._handle, punctual=True)
        self._port: Port | None = None
        self._link: Link | None = None
        self._up = False  # configured: what it tells can be relied on
        self._clearing = False  # its faults are being cleared: what was asked before that does not count
        self._reopen_at: float | None = None
        self._wait = REOPEN[0]
        self._up_since: float | None = None
        self._missing: Fault | None = None  # why the link cannot be had now, by the newest attempt
        self._ping_at = 0.0
        self._status: Status | None = None
        self._levels = Input(0)
        self._offset = float("inf")  # this clock less the controller's, in seconds, as near as was seen
        self._rest_until = float("-inf")
        self._cooling = False
        self._show_wanted = self._shown = 0
        self._fault: Fault | None = None
        self._fired_at: float | None = None  # when FIRE of the order was sent
        self._settled_at: float | None = None  # since when the controller says that it is over
        self._motor: deque[tuple[float, int]] = deque()  # until when it counts, and milliseconds of the motor

    # --- the port of the table, called from any thread -------------------------------------------------------------

    def denial(self) -> Denial | None:
        """See `hardware.ports.Launcher`."""
        fault = CLOSED_FAULT if self._closing else self._latched()
        if fault is not None:
            return Denial("fault", fault.cause)
        if self._outstanding:
            return Denial("firing", "the launcher is busy with a shot")
        if not self._up:
            return NOT_UP
        now = self._clock.now()
        ready_at, cooling = self._ready_at(now)
        left = ready_at - now
        if left > 0:
            what = "must cool down" if cooling else "rests"
            return Denial("too-fast", f"the motor {what} for another {left:.1f} s", left)
        if self._levels & (Input.BEAM | Input.BEAM2):
            return Denial("fault", BEAM_BLOCKED.cause)
        return None

    def halt(self, cause: str) -> None:
        """See `hardware.ports.Launcher`. Tells the controller from the caller's own thread; its motor stops at once."""
        link = self._link
        if self._closing:
            return
        if link is not None:
            link.shout(Kind.STOP)
        self._trip(Fault("halted", cause, "clear the fault when the cause is gone"))
        self._worker.post(Nudge.LOOK)
        log.warning("halted: %s", cause)

    def clear_fault(self) -> Fault | None:
        """See `hardware.ports.Launcher`. What the controller says against it afterwards is a new fault."""
        with self._guard:
            fault = self._fault
            if fault is None:
                return None
            still = self._missing or self._standing(fault)
            if still is not None or self._closing or self._order is not None or not self._up:
                return still or fault
            self._fault = None
            self._clearing = True
        self._worker.post(Nudge.CLEAR)
        log.info("fault cleared: %s", fault.code)
        return None

    def tick(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""
        self._worker.post(_Ask(call))

    def show(self, output: Output, on: bool) -> None:
        """Lamp or buzzer. From any thread; the newest state goes out as soon as the line is free."""
        with self._guard:
            wanted = self._show_wanted | output if on else self._show_wanted & ~output
            changed = wanted != self._show_wanted
            self._show_wanted = wanted
        if changed:
            self._worker.post(Nudge.LOOK)

    def reading(self) -> Reading | None:
        """See `hardware.ports.Backend`."""
        status = self._status
        if status is None or not self._up:
            return None
        levels, wired = self._levels, self._wired
        named = {"lid-closed": bool(levels & Input.LID), "button-down": bool(levels & Input.BUTTON)}
        if wired & Wired.BEAM:
            named["beam-blocked"] = bool(levels & Input.BEAM)
        if wired & Wired.STOP:
            named["stop-pressed"] = bool(levels & Input.STOP)
        now = self._clock.now()
        used_ms = max(status.used_ms, self._used_ms(now))
        motor = MotorTime(used_ms / 1000, self._settings.duty_ms / 1000, now, max(0.0, self._ready_at(now)[0]))
        return Reading(named, motor)

    def start(self) -> None:
        """Open, identify, configure, arm. Raises `OSError` and `NotOurs` for a port that is not what it should be."""
        port = self._open_port(self._device)
        try:
            identify(port, self._device, self._clock.now)
            self._set_up(port)
        except BaseException:
            port.close()
            raise
        self._listen(port)
        self._worker.start()

    def close(self) -> None:
        """Motor off, disarmed, the running shot ended, the loop ended, the port given back. Idempotent."""
        with self._guard:
            if self._closing:
                return
            self._closing = True
        link = self._link
        self._trip(CLOSED_FAULT)
        try:
            if link is not None:
                link.shout(Kind.STOP)
        finally:
            self._worker.post(Nudge.CLOSE)
            self._worker.stop()
            if self._port is not None:
                self._port.close()
            self._end(self._progress, Certainty.UNKNOWN, ShotEnd.STOPPED, CLOSED_FAULT.cause)

    def _set_up(self, port: Port) -> None:
        """Configure and arm, before the loop runs."""
        now = self._clock.now()
        end = now + PATIENCE
        self._attach(port, now)
        while (link := self._link) is not None and not (self._up and link.idle):
            if now >= end:
                raise NotOurs(
                    f"{self._device} has answered, and then was not ready in time ({link.failure or 'it starts anew'})",
                    "look at its cable and its supply, and start again",
                )
            if link.failure:
                self._attach(port, now)  # once more: this computer may be busy, starting up
            self._hear(now, port.read(PING_MS / 1000))
            now = self._clock.now()
            link.tick(now)
        if self._link is None:
            fault = self._missing or link_lost("no answer")
            raise NotOurs(fault.cause, fault.remedy)

    # --- the loop --------------------------------------------------------------------------------------------------

    def _handle(self, item: Item | None) -> float | None:
        now = self._clock.now()
        try:
            if item is not None:
                self._take(item, now)
            if not self._closed:
                self._advance(now)
            self._tell_changes(now)
        except Exception as problem:
            log.exception("the launcher's loop failed")
            self._lose(now, link_lost(f"this program failed: {problem!r}"))
            self._tell_changes(now)
        return self._next_deadline(now)

    def _take(self, item: Item, now: float) -> None:
        if isinstance(item, _Heard):
            if item.port is self._port:
                self._hear(now, item.data)
        elif isinstance(item, ShotOrder):
            self._begin(item)
        elif isinstance(item, _Ask):
            item.call()
        elif isinstance(item, _Gone):
            if item.port is self._port:
                self._lose(now, link_lost(item.why))
        elif item is Nudge.CLEAR:
            if self._up:  # else it was lost meanwhile, and comes back disarmed
                self._ask_to_arm(now)
        elif item is Nudge.CLOSE:
            self._say_goodbye()

    def _advance(self, now: float) -> None:
        if self._reopen_at is not None and now >= self._reopen_at:
            self._reopen(now)
        self._look_at_link(now)
        link, order = self._link, self._order
        if order is not None and self._fired_at is None:
            if self._fault is not None:
                self._end(0, Certainty.EXACT, ShotEnd.VOID, self._fault.cause)
            elif now >= order.reveal_at:
                self._fire(order, now)
        if order is not None and self._settled_at is not None and now >= self._settled_at + UNTOLD:
            self._end_by_status(now, order)
        if link is None or not self._up or not link.idle:
            return
        if self._show_wanted != self._shown:
            self._shown = self._show_wanted
            self._ask(now, Kind.SHOW, Switch(self._shown).pack())
        elif now >= self._ping_at:
            self._ping_at = now + PING_MS / 1000
            self._ask(now, Kind.PING)

    def _next_deadline(self, now: float) -> float | None:
        waits = [self._reopen_at] if self._reopen_at is not None else []
        link, order = self._link, self._order
        if link is not None and not link.failure:
            waits.append(link.deadline if link.deadline is not None else self._ping_at)
        if order is not None and self._fired_at is None:
            waits.append(order.reveal_at)
        if (ready_at := self._ready_at(now)[0]) > now:
            waits.append(ready_at)
        return None if self._closed or not waits else min(waits)

    # --- the link --------------------------------------------------------------------------------------------------

    def _attach(self, port: Port, now: float) -> None:
        self._port = port
        self._link = Link(port.write, self._event)
        self._link.hello(now, self._greeted)

    def _listen(self, port: Port) -> None:
        post = self._worker.post
        port.listen(lambda data: post(_Heard(port, data)), lambda why: post(_Gone(port, why)))

    def _hear(self, now: float, data: bytes) -> None:
        if self._link is None:
            return
        try:
            self._link.hear(now, data)
        except OtherProtocol as problem:
            self._lose(now, controller_refused(other_protocol(self._device, problem.version)))
        except NotOurs as problem:
            self._lose(now, controller_refused(problem))

    def _look_at_link(self, now: float) -> None:
        link = self._link
        if link is None:
            return
        link.tick(now)
        if link.failure:
            stranger = link.unanswered
            self._lose(now, controller_refused(no_answer(self._device)) if stranger else link_lost(link.failure))
        elif link.restarted is not None:
            self._restarted(now, link)

    def _restarted(self, now: float, link: Link) -> None:
        """Its motor is off, and it knows of nothing any more."""
        was_up, self._up = self._up, False
        if was_up:
            self._trip(RESTARTED)
            self._end_unknown(RESTARTED.cause)
        link.hello(now, self._greeted)

    def _lose(self, now: float, fault: Fault) -> None:
        """The link is gone, or of no use; it is looked for again."""
        self._miss(fault)
        port, self._port, self._link = self._port, None, None
        self._up = self._clearing = False
        self._trip(fault)
        self._end_unknown(fault.cause)
        if port is not None:
            port.close()
        if self._up_since is not None and now >= self._up_since + STEADY:
            self._wait = REOPEN[0]
        self._up_since = None
        if not self._closing:
            self._reopen_later(now)

    def _miss(self, fault: Fault) -> None:
        if fault != self._missing:
            log.warning("no link: %s; %s", fault.cause, fault.remedy)
        self._missing = fault

    def _reopen_later(self, now: float) -> None:
        self._reopen_at = now + self._wait
        self._wait = min(2 * self._wait, REOPEN[1])

    def _reopen(self, now: float) -> None:
        self._reopen_at = None
        try:
            port = self._open_port(self._device)
        except OSError as problem:
            self._miss(port_refused(str(problem)))
            self._reopen_later(now)
            return
        self._attach(port, now)
        self._listen(port)

    def _ask(
        self, now: float, kind: Kind, payload: bytes = b"", then: Callable[[float, Answer], None] | None = None
    ) -> None:
        if self._link is None:
            return

        def done(answer: Answer) -> None:
            at = self._clock.now()
            self._look_at_status(at, kind, answer)
            if then is not None:
                then(at, answer)

        self._link.ask(now, kind, payload, done)

    def _greeted(self, answer: Answer) -> None:
        assert answer.hello is not None
        refuse_foreign(answer.hello, self._device)
        self._offset = float("inf")
        self._status = None
        self._ask(self._clock.now(), Kind.CONFIG, config(self._settings, self._wired), self._configured)

    def _configured(self, now: float, answer: Answer) -> None:
        if answer.result != Result.OK:
            self._lose(now, controller_refused(refuses(self._device, "the figures of [launcher]", answer.result)))
            return
        self._up = True
        self._up_since = now
        self._missing = None
        self._shown = 0
        log.info("%s is up", self._device)
        if self._fault is None:
            # At the start. What another program left behind when it ended is over.
            self._clearing = True
            if answer.status is not None and answer.status.trouble in (Trouble.HOST_LOST, Trouble.HALTED):
                self._ask(now, Kind.RESET_FAULT)
            self._ask(now, Kind.ARM, Switch(1).pack(), self._armed)

    def _ask_to_arm(self, now: float) -> None:
        self._ask(now, Kind.RESET_FAULT)
        self._ask(now, Kind.ARM, Switch(1).pack(), self._armed)

    def _armed(self, now: float, answer: Answer) -> None:
        self._clearing = False
        if answer.status is not None:
            self._look_at_status(now, Kind.ARM, answer)
        if answer.result != Result.OK and self._fault is None:
            self._trip(controller_refused(refuses(self._device, "to be armed", answer.result)))

    def _say_goodbye(self) -> None:
        self._closed = True
        if self._order is not None:
            moved = self._fired_at is not None
            end, sure = (ShotEnd.STOPPED, Certainty.UNKNOWN) if moved else (ShotEnd.VOID, Certainty.EXACT)
            self._end(self._progress, sure, end, CLOSED_FAULT.cause)

    # --- what the controller says ----------------------------------------------------------------------------------

    def _look_at_status(self, now: float, kind: Kind, answer: Answer) -> None:
        status = answer.status
        if status is None:
            return
        before, self._status = self._status, status
        self._levels = Input(status.levels)
        self._offset = min(self._offset, now - status.uptime_ms / 1000)
        self._rest_until = now + status.rest_ms / 1000 if status.rest_ms else float("-inf")
        self._cooling = bool(status.state & State.COOLING)
        if before is not None and status.uptime_ms < before.uptime_ms and self._link is not None:
            self._restarted(now, self._link)
            return
        if status.state & State.DEAF:
            self._lose(now, link_lost("its events got lost"))
            return
        if self._clearing:
            return
        if status.trouble:
            self._latch(status.trouble, status.cause)
        elif self._up and not status.state & State.ARMED and self._fault is None:
            self._trip(link_lost("it is not armed any more"))
        order = self._order
        if order is not None and kind is Kind.PING and status.shot == order.shot & 0xFFFFFFFF:
            settled = self._fired_at is not None and status.phase == Phase.SETTLED
            self._settled_at = (self._settled_at or now) if settled else None

    def _event(self, event: Event) -> None:
        if not self._up:
            return
        now = self._clock.now()
        at = min(now, event.at_ms / 1000 + self._offset)
        if isinstance(event, Level):
            self._level(Input(event.input), bool(event.active), at)
        elif isinstance(event, Card):
            self._progressed(event.shot, event.cards)
        elif isinstance(event, Ended):
            self._shot_ended(now, event)
        elif isinstance(event, Latched) and not self._clearing:
            self._latch(event.trouble, event.cause)

    def _level(self, changed: Input, active: bool, at: float) -> None:
        self._levels = self._levels | changed if active else self._levels & ~changed
        if changed is Input.BUTTON:
            self._tell(ButtonPressed(at) if active else ButtonReleased(at))

    def _latch(self, trouble: int, cause: int) -> None:
        if trouble == Trouble.JAMMED:
            self._trip(jam(cause_text(cause)))
            return
        unknown = Fault(
            f"controller-{trouble}", f"the controller reports fault {trouble}", "look up the firmware's version"
        )
        self._trip(FAULTS.get(trouble, unknown))

    # --- shots -----------------------------------------------------------------------------------------------------

    def _begin(self, order: ShotOrder) -> None:
        if self._accept(order):
            self._fired_at = self._settled_at = None

    def _fire(self, order: ShotOrder, now: float) -> None:
        if not self._up:
            self._end(0, Certainty.EXACT, ShotEnd.VOID, NOT_UP.text)
            return
        self._fired_at = now
        hopper = NO_HOPPER if self._hopper is None else min(self._hopper, 0x7FFF)
        left = max(0, self._settings.duty_ms - self._used_ms(now))
        fire = Fire(order.shot & 0xFFFFFFFF, order.cards, self._settings.on_ms(order.cards), left, hopper)
        self._ask(now, Kind.FIRE, fire.pack(), self._fire_answered)

    def _fire_answered(self, now: float, answer: Answer) -> None:
        if self._order is None or answer.result == Result.OK:
            return
        fault = self._fault
        self._end(0, Certainty.EXACT, ShotEnd.VOID, fault.cause if fault else result_text(answer.result))

    def _progressed(self, shot: int, cards: int) -> None:
        order = self._order
        if order is not None and shot == order.shot & 0xFFFFFFFF and cards > self._progress:
            self._progress = cards
            self._tell_press()
            self._tell(ShotProgress(order.shot, cards))

    def _shot_ended(self, now: float, event: Ended) -> None:
        order = self._order
        if event.moved:
            self._book(now, event.motor_ms)
        if order is None or event.shot != order.shot & 0xFFFFFFFF:
            return
        self._rest_until = max(self._rest_until, now + self._settings.rest_ms / 1000)  # until it says so itself
        self._cooling = False
        self._ping_at = now
        if event.moved:
            self._take_from_hopper(ENDS[event.end], event.cards)
            self._progressed(event.shot, event.cards)
        if event.end == ENDS.index(ShotEnd.JAMMED):
            self._trip(jam(cause_text(event.cause)))
        self._end(event.cards, CERTAINTIES[event.sure], ENDS[event.end], self._words(event.cause))

    def _end_by_status(self, now: float, order: ShotOrder) -> None:
        status = self._status
        if status is not None:
            log.warning("the end of shot %d was not told; taken from the status", order.shot)
            self._book(now, self._settings.on_ms(order.cards))
            self._take_from_hopper(ENDS[status.end], status.cards)
            self._end(status.cards, Certainty.UNKNOWN, ENDS[status.end], self._words(status.cause))

    def _end_unknown(self, cause: str) -> None:
        """The shot under way is over, and nobody knows how."""
        if self._order is None:
            return
        if self._fired_at is None:
            self._end(0, Certainty.EXACT, ShotEnd.VOID, cause)
            return
        self._book(self._clock.now(), self._settings.on_ms(self._order.cards))
        self._take_from_hopper(ShotEnd.STOPPED, self._progress)
        self._end(self._progress, Certainty.UNKNOWN, ShotEnd.STOPPED, cause)

    def _end(self, cards: int, sure: Certainty, end: ShotEnd, cause: str) -> None:
        order = self._take_order()
        if order is not None:
            self._fired_at = self._settled_at = None
            self._tell_press()
            self._tell(ShotEnded(order.shot, cards, sure, end, cause))

    def _words(self, cause: int) -> str:
        """A cause in words; of a halt, in those of whoever halted."""
        fault = self._fault
        return fault.cause if fault is not None and fault.code == "halted" else cause_text(cause)

    # --- the motor's time: a controller that loses its power forgets, so this end keeps books of its own -----------

    def _book(self, now: float, motor_ms: int) -> None:
        while self._motor and self._motor[0][0] <= now:
            self._motor.popleft()
        self._motor.append((now + COUNTED, motor_ms))

    def _used_ms(self, now: float) -> int:
        """The motor's time in the last minute, as far as this end knows. From any thread."""
        return sum(motor_ms for _, motor_ms in self._within(now))

    def _within(self, now: float) -> list[tuple[float, int]]:
        return [(until, motor_ms) for until, motor_ms in tuple(self._motor) if until > now]

    def _ready_at(self, now: float) -> tuple[float, bool]:
        """When the motor may run again by the stricter one of both ends, and whether it cools down or only rests."""
        counted = self._within(now)
        used_ms = sum(motor_ms for _, motor_ms in counted)
        cool_at = float("-inf")
        for until, motor_ms in counted:
            if used_ms <= self._settings.duty_ms - self._settings.reserve_ms:
                break
            cool_at = until
            used_ms -= motor_ms
        return (cool_at, True) if cool_at > self._rest_until else (self._rest_until, self._cooling)

    # --- what people are told --------------------------------------------------------------------------------------

    def _trip(self, fault: Fault) -> None:
        with self._guard:
            if self._fault is None:
                self._fault = fault

    def _standing(self, fault: Fault) -> Fault | None:
        """What the inputs say against clearing `fault`."""
        levels = self._levels
        if not levels & Input.LID:
            return LID_OPEN
        if levels & Input.STOP:
            return STOP_PRESSED
        of_beam = fault.code in (JAMMED, BEAM_BLOCKED.code)
        return BEAM_BLOCKED if of_beam and levels & (Input.BEAM | Input.BEAM2) else None

    def _latched(self) -> Fault | None:
        return self._missing or self._fault

    def _cool_at(self, now: float) -> float:
        return self._ready_at(now)[0]

    def _state(self, now: float) -> tuple[LauncherState, Fault | None]:
        fault = self._latched()
        if self._closed:
            return LauncherState.CLOSED, fault or CLOSED_FAULT
        if fault is not None:
            return (LauncherState.JAMMED if fault.code == JAMMED else LauncherState.FAULT), fault
        if self._order is not None:
            return (LauncherState.FIRING if self._moving() else LauncherState.PRESSED), None
        ready_at, cooling = self._ready_at(now)
        if now < ready_at:
            return (LauncherState.COOLING if cooling else LauncherState.RESTING), None
        return LauncherState.READY, None

    def _moving(self) -> bool:
        """The controller has said that the motor of this order's shot turns, or has turned."""
        order, status = self._order, self._status
        return (
            order is not None
            and order.cards > 0
            and self._fired_at is not None
            and status is not None
            and status.shot == order.shot & 0xFFFFFFFF
        )
