"""Traces made by the twin, for tests: as by `uno-attack record`, on a virtual clock, counted by the twin itself.

`python -m tests.traces.made` writes the files beside this one anew. They are no real machine's: those come from owners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import HardwareEvent, ShotEnded, ShotOrder
from hardware.settings import LauncherSettings
from hardware.traces import Recorder, Trace, TracedShot, write_head, write_shot
from hardware.twin import FULL_HOPPER, TwinBackend

HERE = Path(__file__).parent
SHOTS = 25
PINS = PinMap(stop=26)
TWO_BEAMS = PinMap(stop=26, beam2=20)
DATE = "2026-11-30"
Mishap = Callable[[TwinBackend, VirtualClock, int], None]


def nothing(backend: TwinBackend, clock: VirtualClock, shot: int) -> None:
    """All goes well."""


def mishaps(backend: TwinBackend, clock: VirtualClock, shot: int) -> None:
    """A card that sticks once, one that stays stuck, a lid opened in mid-shot, a roller that slips."""
    if shot == 5:
        backend.twin.jam()
    elif shot == 10:
        backend.twin.jam(hard=True)
    elif shot == 15:
        clock.advance(0.3)
        backend.twin.open_lid()
    elif shot == 20:
        backend.twin.slip(2)


def record(pins: PinMap, seed: int, mishap: Mishap = nothing, doubles: float = 0.05, shots: int = SHOTS) -> Trace:
    """The trace of a twin, always the same for the same seed."""
    clock, recorder, heard = VirtualClock(), Recorder(), list[HardwareEvent]()
    backend = TwinBackend(clock, LauncherSettings(), pins, seed=seed)
    backend.tap = recorder.hear
    backend.start(heard.append)
    backend.twin.double_share(doubles)
    chance, made = Random(seed), list[TracedShot]()
    for number in range(1, shots + 1):
        clock.advance(61)
        backend.twin.free()
        backend.twin.close_lid()
        backend.twin.load(FULL_HOPPER)
        clock.advance(0)
        backend.launcher.clear_fault()
        clock.advance(0)
        out, wanted = backend.twin.out, chance.randint(1, 3) + chance.randint(0, 3) + chance.randint(0, 3)
        recorder.begin()
        backend.launcher.begin_shot(ShotOrder(number, wanted, clock.now()))
        mishap(backend, clock, number)
        clock.advance_until(lambda: any(isinstance(each, ShotEnded) for each in heard), 30)
        ended = next(each for each in heard if isinstance(each, ShotEnded))
        heard.clear()
        shot = recorder.finish(wanted, ended, clock.now())
        assert shot is not None
        made.append(replace(shot, counted=backend.twin.out - out))
    backend.close()
    note = f"made by the project's twin with seed {seed}; no real machine"
    return Trace("twin", pins, backend.settings, tuple(made), DATE, note)


FILES: dict[str, Callable[[], Trace]] = {
    "one-beam.jsonl": lambda: record(PINS, 1),
    "two-beams.jsonl": lambda: record(TWO_BEAMS, 2, doubles=0.1),
    "mishaps.jsonl": lambda: record(PINS, 3, mishaps),
}


def write(path: Path, trace: Trace) -> None:
    """Put a whole trace into a file."""
    with path.open("w", encoding="utf-8") as file:
        write_head(file, trace)
        for shot in trace.shots:
            write_shot(file, shot)


if __name__ == "__main__":
    for name, make in FILES.items():
        write(HERE / name, make())
