"""The button's lamp and the buzzer: which pattern says what, and who blinks it. A failure of theirs ends here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from hardware.clock import Clock
from hardware.cues import STEPS, Buzzer, Cues
from hardware.ports import Cue, LampState, Signals
from hardware.sensors import BEAM_BLOCKED, JAMMED, LID_OPEN, STOP_PRESSED

log = logging.getLogger("hardware.signals")

# Seconds lit, dark, lit, ... over and over; no entry: steady. Steady is also the cheapest: nobody wakes up for it.
PATTERNS: Final[dict[LampState, tuple[float, ...]]] = {
    LampState.YOUR_TURN: (0.15, 1.85),
    LampState.PRESSED: (0.08, 0.08),
}
STEADY_LIT: Final = (LampState.PRESS_NOW, LampState.FIRING)
RISING: Final = (0.30, 0.22, 0.15, 0.10, 0.05)  # seconds lit, and dark, at each step of a rising suspense

# How often the lamp blinks between two pauses, by the fault's code (docs/sound-and-light.md). A single blink is a turn.
BLINKS: Final[dict[str, int]] = {LID_OPEN.code: 2, JAMMED: 3, BEAM_BLOCKED.code: 4, STOP_PRESSED.code: 5, "halted": 6}
OTHER_BLINKS: Final = 7
_BLINK, _BETWEEN, _PAUSE = 0.15, 0.25, 1.5  # seconds lit, dark, dark after the last one


def pattern(state: LampState, step: int = 0, fault: str = "") -> tuple[float, ...] | None:
    """Seconds lit, dark, lit, ... of `state`; None: steady."""
    if state is LampState.PRESSED and step > 0:
        return (RISING[min(step, STEPS) - 1],) * 2
    if state is LampState.FAULT:
        blinks = BLINKS.get(fault, OTHER_BLINKS)
        return (*((_BLINK, _BETWEEN) * blinks)[:-1], _PAUSE)
    return PATTERNS.get(state)


class Lamp:
    """Shows a `LampState` on one output. Every change to PRESSED starts with an edge, whatever was shown before."""

    NAME = "lamp"

    def __init__(self, clock: Clock, write: Callable[[bool], None]) -> None:
        self._clock = clock
        self._write = write
        self._guard = threading.Lock()
        self._shown = (LampState.OFF, 0, "")
        self._pattern: tuple[float, ...] | None = None
        self._lit = False
        self._place = 0
        self._due: float | None = None
        self._stopped = False
        self._worker = clock.worker(self.NAME, self._blink)

    def start(self) -> None:
        """Begin, dark."""
        self._worker.start()

    def stop(self) -> None:
        """Dark, and end."""
        self.lamp(LampState.OFF)
        with self._guard:
            self._stopped = True  # whoever still wants to show something comes too late, and that is fine
        self._worker.stop()

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """Show `state`: the first level at once from the caller's thread, the rest of the pattern from the worker."""
        with self._guard:
            if (state, step, fault) == self._shown or self._stopped:
                return
            self._shown = (state, step, fault)
            self._pattern = pattern(state, step, fault)
            if self._pattern is None:
                self._show(state in STEADY_LIT)
                self._due = None
                return
            # The pattern begins lit, or dark where the lamp was lit, so that the change is seen.
            self._place = 1 if self._lit else 0
            self._show(self._place == 0)
            self._due = self._clock.now() + self._pattern[self._place]
        self._worker.post(True)

    def _blink(self, item: bool | None) -> float | None:
        del item  # only there to wake us
        with self._guard:
            if self._due is None or self._pattern is None:
                return None
            if self._clock.now() >= self._due:
                self._place = (self._place + 1) % len(self._pattern)
                self._show(self._place % 2 == 0)
                self._due += self._pattern[self._place]
            return self._due

    def _show(self, lit: bool) -> None:
        self._lit = lit
        try:
            self._write(lit)
        except Exception:
            log.exception("the lamp could not be set")


class Together:
    """Several `Signals` as one."""

    def __init__(self, *all_of_them: Signals) -> None:
        self._all = all_of_them

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """See `hardware.ports.Signals`."""
        for signals in self._all:
            signals.lamp(state, step, fault)

    def cue(self, cue: Cue, step: int = 0) -> None:
        """See `hardware.ports.Signals`."""
        for signals in self._all:
            signals.cue(cue, step)


class Mute:
    """The lamp of other `Signals`, without anything to be heard."""

    def __init__(self, signals: Signals) -> None:
        self.lamp = signals.lamp

    def cue(self, cue: Cue, step: int = 0) -> None:
        """Nothing is heard."""


class Panel:
    """What is on the machine beside its button: the lamp, and a buzzer where one is wired."""

    def __init__(self, clock: Clock, lamp: Callable[[bool], None], buzzer: Callable[[bool], None] | None) -> None:
        """`lamp`, `buzzer`: set their lines; None: no buzzer."""
        self._lamp = Lamp(clock, lamp)
        self._cues = None if buzzer is None else Cues(clock, "buzzer", Buzzer(buzzer))

    def start(self) -> None:
        """Begin, dark and quiet."""
        self._lamp.start()
        if self._cues is not None:
            self._cues.start()

    def stop(self) -> None:
        """Dark and quiet, and end."""
        self._lamp.stop()
        if self._cues is not None:
            self._cues.stop()

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """See `hardware.ports.Signals`."""
        self._lamp.lamp(state, step, fault)

    def cue(self, cue: Cue, step: int = 0) -> None:
        """See `hardware.ports.Signals`."""
        if self._cues is not None:
            self._cues.cue(cue, step)
