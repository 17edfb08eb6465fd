"""The table's side of a launcher that takes orders: which one is under way, what the machine holds, what is told.

How an order is carried out, and what may go wrong with it, is the launcher's; here it is the same for all of them.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from typing import Any

from hardware.arbiter import CLOSED_FAULT
from hardware.clock import Clock, Worker
from hardware.ports import (
    Certainty,
    Fault,
    HardwareEvent,
    LauncherChanged,
    LauncherState,
    LauncherStatus,
    Listener,
    ShotEnd,
    ShotEnded,
    ShotOrder,
)
from hardware.sensors import BEAM_BLOCKED, JAMMED, LID_OPEN

log = logging.getLogger("hardware.launcher")


class OrderTaker(ABC):
    """One order at a time, each told its end exactly once; methods without a mark are the loop's own."""

    _worker: Worker[Any]

    def __init__(self, clock: Clock, listener: Listener, hopper: int | None) -> None:
        """`hopper`: cards known to be in the machine."""
        self._clock = clock
        self._listener = listener
        self._guard = threading.Lock()  # for a few assignments; never held around a pin, a port or the listener
        self._outstanding = 0  # orders taken whose end was not told yet
        self._closing = self._closed = False
        self._hopper = hopper
        self._order: ShotOrder | None = None
        self._progress = 0
        self._press_untold = False
        self._told: tuple[LauncherState, Fault | None] = (LauncherState.READY, None)

    # --- what each launcher knows for itself -----------------------------------------------------------------------

    @abstractmethod
    def clear_fault(self) -> Fault | None:
        """See `hardware.ports.Launcher`."""

    @abstractmethod
    def _latched(self) -> Fault | None:
        """The fault that stands."""

    @abstractmethod
    def _state(self, now: float) -> tuple[LauncherState, Fault | None]:
        """What people see, and the fault behind it."""

    @abstractmethod
    def _cool_at(self, now: float) -> float:
        """When a launcher that cools down is ready again."""

    # --- the port, called from any thread ----------------------------------------------------------------------------

    def begin_shot(self, order: ShotOrder) -> None:
        """See `hardware.ports.Launcher`."""
        with self._guard:
            taken = not self._closing
            if taken:
                self._outstanding += 1
                self._worker.post(order)
        if not taken:
            self._tell(ShotEnded(order.shot, 0, Certainty.EXACT, ShotEnd.VOID, CLOSED_FAULT.cause))

    def loaded(self, cards: int) -> None:
        """See `hardware.ports.Launcher`. Loading needs the lid open, so a closed lid's fault is cleared with it."""
        if cards < 0:
            raise ValueError(f"{cards} cards cannot be loaded")
        with self._guard:
            self._hopper = cards
        fault = self._latched()
        if fault is not None and fault.code in (JAMMED, LID_OPEN.code, BEAM_BLOCKED.code):
            self.clear_fault()

    def status(self) -> LauncherStatus:
        """See `hardware.ports.Launcher`."""
        state, fault = self._state(self._clock.now())
        return LauncherStatus(state, fault, self._hopper)

    # --- the order under way -----------------------------------------------------------------------------------------

    def _accept(self, order: ShotOrder) -> bool:
        """Begin with `order`; False when another one is under way, and then its end has been told."""
        if self._order is not None:
            with self._guard:
                self._outstanding -= 1
            self._tell(ShotEnded(order.shot, 0, Certainty.EXACT, ShotEnd.VOID, "another shot is under way"))
            return False
        self._order = order
        self._progress = 0
        self._press_untold = True
        return True

    def _take_order(self) -> ShotOrder | None:
        """The order under way, for whoever ends it: only one can. From any thread."""
        with self._guard:
            order, self._order = self._order, None
            if order is not None:
                self._outstanding -= 1
            return order

    def _take_from_hopper(self, end: ShotEnd, cards: int) -> None:
        with self._guard:
            if self._hopper is not None:
                self._hopper = 0 if end is ShotEnd.EMPTY else max(0, self._hopper - cards)

    # --- what is told ------------------------------------------------------------------------------------------------

    def _tell_press(self) -> None:
        if self._press_untold:
            self._press_untold = False
            self._told = (LauncherState.PRESSED, None)
            self._tell(LauncherChanged(LauncherState.PRESSED))

    def _tell_changes(self, now: float) -> None:
        self._tell_press()
        state = self._state(now)
        with self._guard:
            changed = state != self._told
            self._told = state
        if changed:
            until = self._cool_at(now) if state[0] is LauncherState.COOLING else None
            self._tell(LauncherChanged(*state, until))

    def _tell(self, event: HardwareEvent) -> None:
        try:
            self._listener(event)
        except Exception:
            log.exception("the listener failed on %s", type(event).__name__)
