"""The shots of a calibration: service shots through the launcher itself, so that every limit holds, with a tap on them.

Nothing is kept here, and nothing is asked of people but through what is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from controller.calibration import CalibrationError, Figure
from controller.measuring import ALIKE, LEAST_CARDS, Trace, work_out
from hardware.clock import Clock
from hardware.ports import HardwareEvent, Launcher, ShotEnd, ShotEnded, ShotOrder
from hardware.sensors import Sense
from hardware.tap import Motion, Tap, Tapped

SINGLES: Final = 10
BURSTS: Final = 6
BURST_CARDS: Final = 5
LIGHT_CARDS: Final = 3  # in a shot from a light pile
CARDS: Final = SINGLES + BURSTS * BURST_CARDS
SHOT_SECONDS: Final = 20.0  # a shot ends long before; a launcher that says nothing for so long is broken
READY_SECONDS: Final = 90.0  # the motor's minute, and some

Wait = Callable[[Callable[[], bool], float], bool]
"""Let time pass until the question is answered with yes, for so many seconds at most; whether it was."""


class Measurable(Protocol):
    """A backend whose launcher takes orders and can be listened to."""

    clock: Clock
    tap: Tap | None

    @property
    def launcher(self) -> Launcher: ...

    def start(self, listener: Callable[[HardwareEvent], None]) -> None: ...


class Session:
    """The shots of one calibration, one after another."""

    def __init__(self, backend: Measurable, wait: Wait, say: Callable[[str], None]) -> None:
        """Starts the backend. `say` is told how far it is."""
        self._backend = backend
        self._wait = wait
        self._say = say
        self._tapped: SimpleQueue[Tapped] = SimpleQueue()
        self._ends: dict[int, ShotEnded] = {}
        self._shots = 0
        self._blocks: list[float] = []  # seconds each block of the beam took, of all shots
        backend.tap = self._tapped.put
        backend.start(self._listen)

    def measure(self, light: Callable[[], int] | None = None) -> dict[str, Figure]:
        """All shots, and what they come to; `light` has a light pile put in and says how many cards it has.

        Raises `CalibrationError`: what went wrong, and what to do.
        """
        singles = self._series("single card", SINGLES, 1)
        bursts = self._series("burst", BURSTS, BURST_CARDS)
        return work_out(singles, bursts, self._light_series(light()) if light is not None else ())

    def _series(self, what: str, shots: int, cards: int) -> list[Trace]:
        traces = []
        for number in range(1, shots + 1):
            trace = self.shoot(cards)
            traces.append(trace)
            blocked = [f"{(end - start) * 1000:.0f}" for start, end in trace.blocks]
            self._say(f"{what} {number} of {shots}: {' '.join(blocked) or 'none'} ms at the beam")
        return traces

    def _light_series(self, pile: int) -> list[Trace]:
        traces, left = [], pile
        while left > LIGHT_CARDS:
            trace = self.shoot(LIGHT_CARDS, left)
            traces.append(trace)
            self._say(f"light pile: {left} cards, {len(trace.blocks)} came")
            left -= len(trace.blocks)
        return traces

    def shoot(self, cards: int, left: int | None = None) -> Trace:
        """One service shot, as soon as the launcher lets it. Raises `CalibrationError`."""
        launcher = self._backend.launcher
        self._until_ready(launcher)
        self._drain()
        self._shots += 1
        shot = self._shots
        launcher.begin_shot(ShotOrder(shot, cards, self._backend.clock.now()))
        if not self._wait(lambda: shot in self._ends, SHOT_SECONDS):
            launcher.halt("a shot of the calibration did not end")
            raise CalibrationError("a shot did not end: the launcher was stopped. Look at the log, and try again")
        ended = self._ends[shot]
        if ended.end is not ShotEnd.DONE:
            raise CalibrationError(_why_not(ended, launcher))
        trace = _trace(self._drain(), left)
        self._blocks += [end - start for start, end in trace.blocks]
        return trace

    def cards(self, card_ms: int) -> int:
        """How many cards the beam saw in all, by the time one of them takes: what a person should count, too."""
        return sum(2 if block > (1 + ALIKE) * card_ms / 1000 else 1 for block in self._blocks)

    def _until_ready(self, launcher: Launcher) -> None:
        told = False

        def ready() -> bool:
            nonlocal told
            denial = launcher.denial()
            if denial is not None and (denial.seconds or 0) > 1 and not told:
                told = True
                self._say(f"the motor cools down for {denial.seconds:.0f} s")
            return denial is None or denial.reason == "fault"  # then only a person can help

        self._wait(ready, READY_SECONDS)
        denial = launcher.denial()
        if denial is not None:
            raise CalibrationError(f"the launcher will not fire: {_what_is_wrong(launcher, denial.text)}")

    def _drain(self) -> list[Tapped]:
        found = []
        while True:
            try:
                found.append(self._tapped.get_nowait())
            except Empty:
                return found

    def _listen(self, event: HardwareEvent) -> None:
        if isinstance(event, ShotEnded):
            self._ends[event.shot] = event


def _what_is_wrong(launcher: Launcher, else_: str) -> str:
    fault = launcher.status().fault
    what = else_ if fault is None else f"{fault.cause}. To do: {fault.remedy}"
    return f"{what}. Nothing is kept; calibrate again when that is done"


def _why_not(ended: ShotEnded, launcher: Launcher) -> str:
    if ended.end is ShotEnd.JAMMED:
        return (
            f"{_what_is_wrong(launcher, ended.cause)}. Is it loaded with {CARDS} cards or more, dry and fanned, and "
            "does the beam see them?"
        )
    if ended.end is ShotEnd.EMPTY:
        return f"the machine ran empty. Nothing is kept. Load {CARDS} cards or more, and calibrate again"
    return f"a shot was stopped: {_what_is_wrong(launcher, ended.cause)}"


def _trace(tapped: list[Tapped], left: int | None) -> Trace:
    """The trace of a shot. Raises `CalibrationError` when the beam saw nothing, or the motor needed two tries."""
    motions = [each for each in tapped if isinstance(each, Motion)]
    forward = next((motion.at for motion in motions if motion.forward), None)
    if forward is None:
        raise CalibrationError("the motor was never told to go forward: the launcher did not shoot. Look at the log")
    stopped = next((motion.at for motion in motions if motion.at > forward and not motion.forward), forward)
    if any(motion.forward and motion.at > stopped for motion in motions):
        raise CalibrationError("a shot needed a second try: fan the pile, look into the exit, and calibrate again")
    blocks, since = [], None
    for edge in tapped:
        if isinstance(edge, Motion) or edge.sense is not Sense.BEAM:
            continue
        if edge.active:
            since = edge.at
        elif since is not None:
            blocks.append((since, edge.at))
            since = None
    if not blocks:
        raise CalibrationError(
            f"the beam saw no card. Nothing is kept. {LEAST_CARDS} and more are needed: is the beam wired and aimed at "
            "the slot? `uno-attack pins --live` shows what it says"
        )
    return Trace(forward, stopped, tuple(blocks), left)
