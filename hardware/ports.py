"""The ports of the machine: what the table may ask of a launcher, a button and a lamp, and what they tell it.

Plain frozen data and small protocols only; no pins, no threads. Every backend (twin, gpio, serial, ...) is one class
that fulfils `Backend`, and one contract suite runs over all of them. Times are seconds of the backend's own
monotonic clock (`hardware.clock.Clock`), durations named `_ms` are milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Certainty(StrEnum):
    """How sure a count is (launcher.md §2)."""

    EXACT = "exact"
    AT_LEAST = "at_least"
    UNKNOWN = "unknown"


class ShotEnd(StrEnum):
    """How a shot came to its end."""

    DONE = "done"  # what was asked for has left, or the time for it is over
    EMPTY = "empty"  # nothing (more) came and the machine seems to be empty
    JAMMED = "jammed"  # cards are stuck; a person is asked
    STOPPED = "stopped"  # lid, stop, fault or shutdown ended it in the middle
    VOID = "void"  # denied at the moment of reveal: no motor moved, the hit stays owed


class LauncherState(StrEnum):
    """What the launcher is doing, as people see it. `PRESSED` covers the whole suspense, dry or not."""

    READY = "ready"
    PRESSED = "pressed"
    FIRING = "firing"
    RESTING = "resting"
    COOLING = "cooling"  # the motor has used up its time in the minute; ready again by itself
    JAMMED = "jammed"
    FAULT = "fault"
    CLOSED = "closed"


class LampState(StrEnum):
    """What the button's lamp says."""

    OFF = "off"
    YOUR_TURN = "your-turn"
    PRESS_NOW = "press-now"
    PRESSED = "pressed"
    FIRING = "firing"
    FAULT = "fault"


class Cue(StrEnum):
    """What is to be heard. No cue before the reveal depends on what a press will bring."""

    PRESS_NOW = "press-now"  # somebody has to press; waits until the cue before it has been heard
    PRESSED = "pressed"  # the suspense: goes on until another cue
    FIRING = "firing"  # cards come
    DRY = "dry"  # none do
    FAULT = "fault"
    QUIET = "quiet"  # the suspense, if it is still heard, ends; any other cue is heard to its end


@dataclass(frozen=True, slots=True)
class ShotOrder:
    """One shot to make: `cards` cards (0 = dry: the motor must not move), its outcome at `reveal_at`, not before."""

    shot: int
    cards: int
    reveal_at: float


@dataclass(frozen=True, slots=True)
class Fault:
    """A latched fault: what is wrong (`cause`), and what a person must do (`remedy`). `code` is stable, for texts."""

    code: str
    cause: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ShotProgress:
    """`cards` of shot `shot` have come out so far; told only after its reveal."""

    shot: int
    cards: int


@dataclass(frozen=True, slots=True)
class ShotEnded:
    """Shot `shot` is over: `cards` came out, as sure as `certainty` says."""

    shot: int
    cards: int
    certainty: Certainty
    end: ShotEnd
    cause: str = ""


@dataclass(frozen=True, slots=True)
class LauncherChanged:
    """The launcher went into `state`; `fault` is set in FAULT and JAMMED, `until` in COOLING: when that ends."""

    state: LauncherState
    fault: Fault | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """The UNO button went down (debounced) at `at`."""

    at: float


@dataclass(frozen=True, slots=True)
class ButtonReleased:
    """The UNO button came up again (debounced) at `at`."""

    at: float


@dataclass(frozen=True, slots=True)
class ShotSeen:
    """`cards` came out of a machine that takes no orders (its own electronics shot them), as sure as `certainty` says.

    0 cards: its button was pressed, and nothing came.
    """

    cards: int
    certainty: Certainty


HardwareEvent = ShotProgress | ShotEnded | ShotSeen | LauncherChanged | ButtonPressed | ButtonReleased

# Called from any thread. A listener only enqueues and never raises.
Listener = Callable[[HardwareEvent], None]

# Asks a thread for a sign of life: what is handed over is called from that thread, as soon as it comes round to it,
# and never when it hangs or is dead. Asking returns at once. What is handed over only takes note and never raises.
Tick = Callable[[Callable[[], None]], None]


@dataclass(frozen=True, slots=True)
class Denial:
    """Why the launcher would not fire now: `reason` is one of the table's refusals.

    These are `too-fast`, `firing`, `fault`; and `wrong-source` of a launcher that never takes orders. `seconds`: how
    long until it would, where only time is needed.
    """

    reason: str
    text: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class LauncherStatus:
    """A snapshot anybody may read at any time, from any thread."""

    state: LauncherState
    fault: Fault | None
    hopper: int | None  # cards the machine is thought to hold; None = not known


@dataclass(frozen=True, slots=True)
class MotorTime:
    """Seconds the motor `used` of its `budget` in the last minute, as of `now`; from `ready_at` on it may run again."""

    used: float
    budget: float
    now: float
    ready_at: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What the inputs say at this moment, by name (`lid-closed`, `beam-blocked`, ...), and the motor's time."""

    levels: Mapping[str, bool]
    motor: MotorTime | None = None


class Launcher(Protocol):
    """The one thing that can turn a motor. No method waits for a shot."""

    def denial(self) -> Denial | None:
        """Why a press now would be refused (rest time, duty budget, a running shot, a latched fault), or None.

        Judged for the longest shot the odds can bring, so that the answer never tells a dry press from another.
        """

    def begin_shot(self, order: ShotOrder) -> None:
        """Take the order and return at once; exactly one `ShotEnded` with its number follows, whatever happens."""

    def halt(self, cause: str) -> None:
        """Motor off now, from any thread; FAULT is latched with this cause."""

    def clear_fault(self) -> Fault | None:
        """A person says the cause is gone. None when cleared, else the fault that still stands."""

    def loaded(self, cards: int) -> None:
        """A person says the machine now holds `cards` cards; clears EMPTY and, if the sensors agree, a jam."""

    def status(self) -> LauncherStatus:
        """The state as last published."""


class UnoButton(Protocol):
    """The UNO button, as far as software may push it."""

    def press(self) -> None:
        """Push the button for a moment where that is possible (twin); elsewhere raises `NotPressable`."""


class NotPressable(RuntimeError):
    """This backend's button is a real one: a finger must push it."""


class Signals(Protocol):
    """Lamp and buzzer. None of it may delay a shot: every call returns at once."""

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """Show `state`. `step`: how far a rising suspense has come (0: it does not rise); `fault`: the fault's code."""

    def cue(self, cue: Cue, step: int = 0) -> None:
        """Let `cue` be heard, where there is anything to hear it from. `step`: as with the lamp."""


class Backend(Protocol):
    """A launcher with its button and signals, chosen by name and announced; never fallen back to."""

    @property
    def name(self) -> str:
        """`twin`, `gpio`, ..."""

    @property
    def announcement(self) -> str:
        """One line for people: what it is, and whether anything real will move."""

    @property
    def launcher(self) -> Launcher: ...

    @property
    def button(self) -> UnoButton: ...

    @property
    def signals(self) -> Signals: ...

    def ticks(self) -> Mapping[str, Tick]:
        """The threads nobody may miss, by name, from `start` on: for whoever watches over them. None: none to miss.

        They sleep while nobody asks. Asking also lets the launcher look whether edges still arrive: it latches a fault
        when they do not.
        """

    def reading(self) -> Reading | None:
        """What the inputs say now, for a maker's eyes; from any thread. None: there are none, or they are closed."""

    def start(self, listener: Listener) -> None:
        """Claim the pins, start the threads; from now on `listener` is told everything."""

    def close(self) -> None:
        """Motor off, outputs low, pins released, threads ended. Idempotent."""
