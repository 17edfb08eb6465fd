"""A machine whose own electronics shoot: its cards are counted at a beam, its button is sensed where wired.

Nothing is driven: both pins are inputs. A burst of cards, ended by a pause, is told as `ShotSeen`; so is a press after
which nothing came. Whose shot it was is the table's to say.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hardware.button import Button
from hardware.clock import Clock
from hardware.counter import BeamCounter, CardTime
from hardware.gpio import BackendError, InputLine, PinSource, RealButton
from hardware.header import HeaderError
from hardware.none import NoSignals
from hardware.pins import PinMap
from hardware.ports import (
    ButtonPressed,
    Certainty,
    Denial,
    Fault,
    HardwareEvent,
    Launcher,
    LauncherChanged,
    LauncherState,
    LauncherStatus,
    Listener,
    Reading,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    ShotSeen,
    Signals,
    Tick,
    UnoButton,
)
from hardware.sensors import BEAM_BLOCKED, EDGES_DEAD
from hardware.settings import LauncherSettings

log = logging.getLogger("hardware.watch")

NO_ORDERS: Final = Denial("wrong-source", "this launcher shoots by itself: press its own button")


class Bursts:
    """From edges at the beam and presses to shots. Pure: times are handed in, in order, in seconds of one clock."""

    def __init__(self, settings: LauncherSettings) -> None:
        self._card = CardTime(settings.card_ms)
        self._pause = settings.burst_pause_ms / 1000
        self._dry = settings.dry_ms / 1000
        # What blocks the beam for longer is no card passing.
        self._passing = min(settings.jam_ms, settings.burst_pause_ms) / 1000
        self._still_coming = settings.first_card_ms / 1000
        self._pressed_at: float | None = None  # a press that has brought nothing yet
        self._counter: BeamCounter | None = None  # of the burst under way
        self._stuck = 0  # blocks of this burst that were too long for cards passing
        self.blocked = False  # something stays in the beam, after the burst it came with

    @property
    def state(self) -> LauncherState:
        """As people see it."""
        if self._counter is not None:
            return LauncherState.FIRING
        if self.blocked:
            return LauncherState.FAULT
        return LauncherState.READY if self._pressed_at is None else LauncherState.PRESSED

    @property
    def due(self) -> float | None:
        """When `settle` has something to do."""
        counter = self._counter
        if counter is None:
            return None if self._pressed_at is None else self._pressed_at + self._dry
        return counter.last_change + self._pause

    def press(self, at: float) -> ShotSeen | None:
        """The button went down: it ends a burst that has come to rest; while cards still come it means nothing."""
        counter = self._counter
        if counter is not None and (
            counter.blocked_since is not None or (counter.cards and at - counter.last_change < self._still_coming)
        ):
            return None
        seen = self._end()
        self._pressed_at = at
        return seen

    def block(self, at: float) -> None:
        """Something has come into the beam."""
        if self._counter is None:
            self._counter = BeamCounter(self._card, at)
        self._counter.block(at)

    def clear(self, at: float) -> None:
        """The beam is free."""
        self.blocked = False
        counter = self._counter
        if counter is None or counter.blocked_since is None:
            return
        if at - counter.blocked_since >= self._passing:
            counter.stuck()
            self._stuck += 1
        counter.clear(at)

    def settle(self, now: float, beam: Callable[[], bool]) -> ShotSeen | None:
        """What is over by `now`; `beam` reads whether it is blocked at the moment."""
        due = self.due
        if due is None or now < due:
            return None
        counter = self._counter
        if counter is None:
            self._pressed_at = None
            return ShotSeen(0, Certainty.UNKNOWN if self.blocked else Certainty.EXACT)
        if counter.blocked_since is not None:
            self.clear(now)  # a card that sticks in the exit counts with this burst
            self.blocked = beam()
        return self._end()

    def _end(self) -> ShotSeen | None:
        counter, self._counter = self._counter, None
        stuck, self._stuck = self._stuck, 0
        if counter is None or counter.cards == 0:
            return None  # an insect, a spark: whoever pressed still waits
        pressed, self._pressed_at = self._pressed_at is not None, None
        if counter.cards == stuck and not pressed:
            return None  # a hand before the exit, and nobody had pressed
        return ShotSeen(counter.cards, counter.certainty)


@dataclass(frozen=True, slots=True)
class _Beam:
    at: float
    blocked: bool


@dataclass(frozen=True, slots=True)
class _Press:
    at: float


@dataclass(frozen=True, slots=True)
class _Ask:
    at: float
    call: Callable[[], None]


class WatchLauncher:
    """The `Launcher` that only looks on: it denies every order and tells what it sees."""

    NAME = "watch"

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        beam: Callable[[], bool],
        listener: Listener,
        edges_alive: Callable[[], bool] = lambda: True,
    ) -> None:
        """`beam` reads whether something is in the beam now; `edges_alive`: its edges still arrive. From any thread."""
        self._clock = clock
        self._beam = beam
        self._listener = listener
        self._edges_alive = edges_alive
        self._deaf = False  # edges have stopped arriving: nothing is counted any more
        self._bursts = Bursts(settings)
        self._guard = threading.Lock()
        self._hopper: int | None = None
        self._told = LauncherState.READY
        self._closed = False
        self._worker = clock.worker(self.NAME, self._handle)

    def denial(self) -> Denial | None:
        """Always `wrong-source`."""
        self._worker.post(_Ask(self._clock.now(), lambda: None))
        return NO_ORDERS

    def begin_shot(self, order: ShotOrder) -> None:
        """Nobody asks after a denial; an order all the same ends as void."""
        self._tell(ShotEnded(order.shot, 0, Certainty.EXACT, ShotEnd.VOID, NO_ORDERS.text))

    def halt(self, cause: str) -> None:
        """Nothing here can stop this machine."""
        log.warning(
            "asked to halt (%s): this launcher has electronics of its own and cannot be stopped from here", cause
        )

    def clear_fault(self) -> Fault | None:
        """What is in the beam; it goes by itself when the beam is free, and here if it is and nobody told."""
        fault = self.status().fault
        self._worker.post(_Ask(self._clock.now(), lambda: None))
        return None if fault is BEAM_BLOCKED and not self._beam() else fault

    def loaded(self, cards: int) -> None:
        """The machine holds `cards` cards. Raises `ValueError` below 0."""
        if cards < 0:
            raise ValueError(f"{cards} cards cannot be loaded")
        with self._guard:
            self._hopper = cards

    def status(self) -> LauncherStatus:
        """As last told."""
        state = LauncherState.CLOSED if self._closed else self._told
        return LauncherStatus(state, self._fault_of(state), self._hopper)

    def start(self) -> None:
        """Begin; what is in the beam already is no card."""
        self._worker.start()
        if self._beam():
            self._worker.post(_Beam(self._clock.now(), True))

    def close(self) -> None:
        """End."""
        self._closed = True
        self._worker.stop()

    def beam_edge(self, at: float, blocked: bool) -> None:
        """The beam changed. Called from the edge thread; only enqueues."""
        self._worker.post(_Beam(at, blocked))

    def button(self, event: HardwareEvent) -> None:
        """The button was pressed. Called from the edge thread; only enqueues."""
        if isinstance(event, ButtonPressed):
            self._worker.post(_Press(event.at))

    def tick(self, call: Callable[[], None]) -> None:
        """See `hardware.ports.Tick`."""
        self._worker.post(_Ask(self._clock.now(), call))

    def _handle(self, item: _Beam | _Press | _Ask | None) -> float | None:
        # What is over is judged by the time of the item, not by ours: there may be more in the inbox.
        at = self._clock.now() if item is None else item.at
        bursts = self._bursts
        self._see(bursts.settle(at, self._beam))
        if isinstance(item, _Press):
            self._see(bursts.press(at))
        elif isinstance(item, _Beam):
            if item.blocked:
                bursts.block(at)
            else:
                bursts.clear(at)
        elif isinstance(item, _Ask):
            self._deaf = not self._edges_alive()
            bursts.blocked = bursts.blocked and self._beam()  # the edge that said so may have been lost
            item.call()
        self._tell_state()
        return bursts.due

    def _see(self, seen: ShotSeen | None) -> None:
        if seen is None:
            return
        with self._guard:
            if self._hopper is not None:
                self._hopper = max(0, self._hopper - seen.cards)
        self._tell(seen)  # before it is said to be ready: what waits for the end of a shot waits for its count

    def _tell_state(self) -> None:
        state = LauncherState.FAULT if self._deaf else self._bursts.state
        if state is not self._told:
            self._told = state
            self._tell(LauncherChanged(state, self._fault_of(state)))

    def _tell(self, event: HardwareEvent) -> None:
        try:
            self._listener(event)
        except Exception:
            log.exception("the listener failed on %s", type(event).__name__)

    def _fault_of(self, state: LauncherState) -> Fault | None:
        if state is not LauncherState.FAULT:
            return None
        return EDGES_DEAD if self._deaf else BEAM_BLOCKED


class WatchBackend:
    """A beam and a button on the pins of a Raspberry Pi, beside a machine with electronics of its own."""

    name = "watch"
    announcement = "watch: the launcher's own electronics shoot; its cards are counted at the beam, nothing is driven"

    def __init__(self, clock: Clock, settings: LauncherSettings, pins: PinMap, header: PinSource) -> None:
        """Touches no pin yet. Raises `BackendError` when no beam is wired."""
        if pins.beam is None:
            raise BackendError(f"{self.name}: cards are counted at a beam: set [pins] beam")
        self._beam_pin = pins.beam
        self.clock = clock
        self.settings = settings
        self.pins = pins
        self._header = header
        self._factory: Any = None
        self._lines: list[InputLine] = []
        self._launcher: WatchLauncher | None = None
        self._button: Button | None = None
        self._closed = False

    @property
    def launcher(self) -> Launcher:
        """The watcher, from `start` on."""
        if self._launcher is None:
            raise RuntimeError(f"the {self.name} backend has not been started")
        return self._launcher

    @property
    def button(self) -> UnoButton:
        """The machine's own button."""
        return RealButton()

    @property
    def signals(self) -> Signals:
        """There is no lamp: nothing is driven."""
        return NoSignals()

    def ticks(self) -> Mapping[str, Tick]:
        """See `hardware.ports.Backend`."""
        if self._launcher is None:
            raise RuntimeError(f"the {self.name} backend has not been started")
        return {"launcher thread": self._launcher.tick, "edge thread": self.tick_edges}

    def reading(self) -> Reading | None:
        """See `hardware.ports.Backend`."""
        if self._closed or not self._lines:
            return None
        beam, button = self._lines
        return Reading({"beam-blocked": beam.active(), "button-down": button.active()})

    def start(self, listener: Listener) -> None:
        """See `hardware.ports.Backend`. Raises `BackendError` when a pin cannot be had."""
        if self._factory is not None or self._closed:
            raise RuntimeError(f"the {self.name} backend can be started once")
        self._factory = self._open()
        try:
            beam = self._claim(self._beam_pin, self._beam_edge)
            down = self._claim(self.pins.button, self._button_edge)
        except Exception as problem:  # lgpio has an error class of its own, gpiozero others, the system OSError
            self._give_back()
            raise BackendError(f"{self.name}: the pins cannot be claimed: {problem}") from problem
        self._launcher = WatchLauncher(self.clock, self.settings, beam.active, listener, self.edges_alive)
        self._button = Button(self.clock, self.settings.lockout_ms, down.active, self._launcher.button)
        self._launcher.start()
        self._button.start()
        self.wire()

    def close(self) -> None:
        """See `hardware.ports.Backend`."""
        if self._closed:
            return
        self._closed = True
        self.unwire()
        if self._button is not None:
            self._button.stop()
        if self._launcher is not None:
            self._launcher.close()
        self._give_back()

    def edges_alive(self) -> bool:
        """The thread that brings the inputs' edges is alive. From any thread, at once."""
        return self._header.edges_alive()

    def tick_edges(self, call: Callable[[], None]) -> None:
        """Have `call` called by the thread that brings the edges."""
        self._header.tick_edges(call)

    def wire(self) -> None:
        """Called when everything runs."""

    def unwire(self) -> None:
        """Called before anything ends."""

    def _open(self) -> Any:
        try:
            return self._header.open({"beam": self._beam_pin, "button": self.pins.button})
        except HeaderError as problem:
            raise BackendError(f"{self.name}: {problem}") from problem

    def _claim(self, pin: int, on_edge: Callable[[float, bool], None]) -> InputLine:
        line = InputLine(self._factory, pin, on_edge)
        self._lines.append(line)
        return line

    def _give_back(self) -> None:
        while self._lines:
            self._lines.pop().close()
        self._header.close()

    def _beam_edge(self, at: float, blocked: bool) -> None:
        if self._launcher is not None:
            self._launcher.beam_edge(at, blocked)

    def _button_edge(self, at: float, down: bool) -> None:
        if self._button is not None:
            self._button.edge(at, down)
