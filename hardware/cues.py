"""What is to be heard, one cue after the other, with nobody waiting for it: a worker of its own plays it.

What a cue sounds like is a voice's to know: `Buzzer` here, the player of sound files in `hardware.sounds`. A voice that
fails says so once in the log, and is silent from then on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from enum import Enum, auto
from typing import Final

from hardware.clock import Clock
from hardware.ports import Cue

log = logging.getLogger("hardware.cues")

# A cue being heard: every `next` does what is due and says in how many seconds more is; closed early, it is quiet.
Sound = Generator[float, None, None]
Voice = Callable[[Cue, int], Sound]

STEPS: Final = 5  # of a rising suspense
LONGEST: Final = 25.0  # seconds a suspense is heard that nothing ends; the longest that can be configured takes 20
_WAITS: Final = Cue.PRESS_NOW  # whatever else is being heard is heard to its end first

TICK: Final = 0.03  # seconds of one tick of the suspense
TICKS: Final = (0.25, 0.33, 0.25, 0.18, 0.12, 0.08)  # seconds from tick to tick: not rising, then step by step
# Seconds of the buzzer: on, off, on, ...
BEEPS: Final[dict[Cue, tuple[float, ...]]] = {
    Cue.PRESS_NOW: (0.06,),
    Cue.FIRING: (0.35,),
    Cue.DRY: (0.05, 0.10, 0.05),
    Cue.FAULT: (0.20, 0.15, 0.20, 0.15, 0.20),
}


class VoiceError(RuntimeError):
    """A voice that cannot be heard; the text says why."""


class _Word(Enum):
    END = auto()


class Cues:
    """Plays on one voice what it is told."""

    def __init__(self, clock: Clock, name: str, voice: Voice) -> None:
        """`name`: of its thread, and in the log."""
        self._clock = clock
        self._name = name
        self._voice = voice
        self._worker = clock.worker(name, self._handle)
        self._heard: Cue | None = None
        self._sound: Sound | None = None
        self._due = 0.0
        self._waiting: tuple[Cue, int] | None = None
        self._broken = False

    def start(self) -> None:
        """Begin, quiet."""
        self._worker.start()

    def stop(self) -> None:
        """Quiet, and end."""
        self._worker.post(_Word.END)
        self._worker.stop()

    def cue(self, cue: Cue, step: int = 0) -> None:
        """See `hardware.ports.Signals`. From any thread; returns at once."""
        self._worker.post((cue, step))

    def _handle(self, item: tuple[Cue, int] | _Word | None) -> float | None:
        if self._broken:
            return None
        try:
            if item is _Word.END:
                self._end()
                self._break()  # whoever still wants to be heard comes too late
            elif isinstance(item, tuple):
                self._take(*item)
            self._go_on()
        except VoiceError as problem:
            self._break()
            log.warning("%s: %s; nothing is heard from now on", self._name, problem)
        except Exception:
            self._break()
            log.exception("%s: failed; nothing is heard from now on", self._name)
        return None if self._sound is None else self._due

    def _break(self) -> None:
        self._broken, self._sound, self._waiting = True, None, None

    def _take(self, cue: Cue, step: int) -> None:
        if cue is _WAITS or cue is Cue.QUIET:
            if self._heard is Cue.PRESSED:
                self._end()
            if cue is _WAITS:
                self._waiting = (cue, step)
            return
        self._end()
        self._begin(cue, step)

    def _begin(self, cue: Cue, step: int) -> None:
        self._waiting = None
        self._heard, self._sound = cue, self._voice(cue, max(0, min(step, STEPS)))
        self._due = self._clock.now()

    def _end(self) -> None:
        sound, self._sound, self._heard = self._sound, None, None
        if sound is not None:
            sound.close()

    def _go_on(self) -> None:
        """Everything that is due by now."""
        while True:
            if self._sound is None:
                if self._waiting is None:
                    return
                self._begin(*self._waiting)
            elif self._clock.now() < self._due:
                return
            elif (wait := next(self._sound, None)) is None:
                self._end()
            else:
                self._due += wait


class Buzzer:
    """A voice: a buzzer that hums by itself while its line is high. One without tones needs no PWM on the Pi."""

    def __init__(self, write: Callable[[bool], None]) -> None:
        self._write = write

    def __call__(self, cue: Cue, step: int) -> Sound:
        """See `Voice`."""
        try:
            if cue is Cue.PRESSED:
                for _ in range(int(LONGEST / TICKS[step])):
                    yield from self._beep((TICK, TICKS[step] - TICK))
            else:
                yield from self._beep(BEEPS[cue])
        finally:
            self._write(False)

    def _beep(self, times: tuple[float, ...]) -> Sound:
        for place, seconds in enumerate(times):
            self._write(place % 2 == 0)
            yield seconds
