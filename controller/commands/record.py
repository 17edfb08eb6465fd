"""`uno-attack record FILE`: traces of real shots, counted by a person; and what the counter makes of such a file."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final, TextIO

from controller.commands import CommandError
from controller.commands.configuring import data_directory, launcher_settings
from controller.commands.shooting import (
    SURE,
    CannotFire,
    OwnLauncher,
    add_launcher_arguments,
    configuration,
    own_launcher,
)
from hardware.clock import RealClock
from hardware.gpio import GpiozeroBackend
from hardware.pins import PinMap
from hardware.ports import Certainty, ShotEnd, ShotEnded
from hardware.tape import play_back
from hardware.traces import (
    LONGEST_NOTE,
    MOST_CARDS,
    MOST_SHOTS,
    Recorder,
    Trace,
    TracedShot,
    TraceError,
    read,
    write_head,
    write_shot,
)
from hardware.twin import FULL_HOPPER, TwinBackend

SHOTS: Final = 40  # ten minutes, with the counting
_ASK: Final = "    how many lie there? [{}] (- throws this shot away, q ends) "
_SEND: Final = "Would you let us have it? docs/traces.md says what is in it, and where to send it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("file", type=Path, metavar="FILE", help="where it is written; a file that is there is kept")
    parser.add_argument("--shots", type=int, default=SHOTS, metavar="N", help=f"how many (default: {SHOTS})")
    parser.add_argument("--cards", type=int, metavar="N", help="cards in every shot (default: 1 to 9, drawn anew)")
    parser.add_argument("--note", default="", metavar="TEXT", help="what is special about the machine")
    parser.add_argument("--score", action="store_true", help="shoot nothing: play FILE back, and compare the counts")
    add_launcher_arguments(parser)
    parser.epilog = (
        "After every shot you are asked how many cards lie there; the twin knows, so with it nobody is asked. Every "
        "shot is on disk at once: what is recorded when you end is kept. `uno-attack play --backend tape --tape FILE` "
        "plays with a recorded machine. Exit code: 0 done, 1 (--score) a count that was called exact was wrong, 2 it "
        "could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Record or score; returns the exit code. Raises `CommandError`."""
    if arguments.score:
        try:
            return report(read(arguments.file))
        except TraceError as error:
            raise CommandError(str(error)) from error
    if not 1 <= arguments.shots <= MOST_SHOTS:
        raise CommandError(f"--shots is a number from 1 to {MOST_SHOTS}, not {arguments.shots}")
    config = configuration(arguments)
    most = launcher_settings(config, arguments.data or data_directory()).most_cards
    if arguments.cards is not None and not 1 <= arguments.cards <= most:
        raise CommandError(f"--cards is a number from 1 to {most}, not {arguments.cards}")
    if len(arguments.note) > LONGEST_NOTE or not arguments.note.isprintable():
        raise CommandError(f"--note is one line of up to {LONGEST_NOTE} characters")
    if config.backend == "tape":
        raise CommandError("a tape is recorded already")
    if PinMap.from_mapping(config.pins).beam is None:
        raise CommandError("without a beam there is nothing to record: set [pins] beam")
    if config.backend != "twin" and not sys.stdin.isatty():
        raise CommandError("somebody has to count the cards: run this in a terminal")
    if arguments.file.exists():  # before a motor is even asked about
        raise CommandError(f"there is a file {arguments.file} already: name another one")
    recorder = Recorder()
    with own_launcher(arguments, config, tap=recorder.hear) as launcher, _new(arguments.file) as file:
        made = _record(launcher, recorder, file, arguments)
    if not made.shots:
        arguments.file.unlink()
        print("nothing was recorded")
        return 1
    print(f"{len(made.shots)} shots of {made.cards} cards are in {arguments.file}")
    report(made)
    if made.backend != "twin":
        print(_SEND)
    return 0


@contextmanager
def _new(path: Path) -> Iterator[TextIO]:
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError as error:
        raise CommandError(f"there is a file {path} already: name another one") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield file
    finally:
        with suppress(OSError):  # every line is flushed by itself: what could not be written has been told
            file.close()


def _put(path: Path, file: TextIO, line: Callable[[TextIO], None]) -> None:
    """Write a line whole, or not at all: then the file has no half of it, and is away where it had no other.

    Raises `CommandError`.
    """
    whole = os.fstat(file.fileno()).st_size
    try:
        line(file)
    except OSError as error:
        with suppress(OSError):  # it tries once more
            file.close()
        if whole:
            os.truncate(path, whole)
        else:
            path.unlink()
        kept = "what was recorded before is kept" if whole else "nothing was recorded"
        raise CommandError(
            f"{path} cannot be written: {error.strerror}. Make room on the disk, or name a file on another one; {kept}"
        ) from error


# --- recording --------------------------------------------------------------------------------------------------------


def _record(launcher: OwnLauncher, recorder: Recorder, file: TextIO, arguments: argparse.Namespace) -> Trace:
    backend = launcher.backend
    assert isinstance(backend, GpiozeroBackend)
    date = time.strftime("%Y-%m-%d")
    made = Trace(backend.name, backend.pins, backend.settings, (), date, arguments.note)
    _put(arguments.file, file, lambda file: write_head(file, made))
    counted = _Counting(backend)
    chance, shots = Random(), []
    try:
        for number in range(1, arguments.shots + 1):
            wanted = arguments.cards or chance.randint(1, 3) + chance.randint(0, 3) + chance.randint(0, 3)
            counted.before()
            recorder.begin()
            ended = _fire(launcher, wanted, counted)
            shot = recorder.finish(wanted, ended, backend.clock.now())
            came = f"{SURE[ended.certainty]} {ended.cards}"
            print(f"{number} of {arguments.shots}: asked for {wanted}, the beam saw {came}", flush=True)
            cards = counted.after(ended.cards)
            if shot is not None and cards is not None:
                shots.append(replace(shot, counted=cards))
                _put(arguments.file, file, lambda file: write_shot(file, shots[-1]))
            if ended.end is ShotEnd.EMPTY:
                counted.wait("    the machine is empty: fill it, then press Enter (q ends) ")
                launcher.loaded(FULL_HOPPER)
    except _Over:
        pass
    except KeyboardInterrupt:
        print()
    return replace(made, shots=tuple(shots))


class _Over(Exception):
    """Whoever counts has had enough."""


class _Counting:
    """How many cards really came: a person says so, or the twin, which knows."""

    def __init__(self, backend: GpiozeroBackend, ask: Callable[[str], str] = input) -> None:
        self._twin = backend.twin if isinstance(backend, TwinBackend) else None
        self._ask = ask
        self._out = 0

    def before(self) -> None:
        """A shot is about to be fired."""
        if self._twin is not None:
            if self._twin.hopper < FULL_HOPPER // 2:
                self._twin.load(FULL_HOPPER)
            self._out = self._twin.out

    def after(self, seen: int) -> int | None:
        """The cards of the shot; None: it is thrown away. Raises `_Over`."""
        if self._twin is not None:
            return self._twin.out - self._out
        while True:
            said = self._said(_ASK.format(seen))
            if not said:
                return seen
            if said == "-":
                return None
            if said.isdecimal() and int(said) <= MOST_CARDS:
                return int(said)
            print(f"    {said!r} is no number of cards")

    def wait(self, question: str) -> None:
        """Until a person has put something right. Raises `_Over`, also where there is nobody but the twin."""
        if self._twin is not None:
            self._twin.free()
            return
        self._said(question)

    def _said(self, question: str) -> str:
        try:
            said = self._ask(question).strip().lower()
        except EOFError:
            raise _Over from None
        if said == "q":
            raise _Over
        return said


def _fire(launcher: OwnLauncher, cards: int, counting: _Counting) -> ShotEnded:
    """A shot, once nothing stands against it. Raises `_Over`."""
    while True:
        try:
            return launcher.fire(cards)
        except CannotFire as problem:
            print(f"    {problem}", flush=True)
            counting.wait("    press Enter when that is done (q ends) ")
        try:
            launcher.clear()
        except CannotFire as problem:
            print(f"    {problem}", flush=True)


# --- scoring ----------------------------------------------------------------------------------------------------------


@dataclass
class Score:
    """What the counter made of shots that somebody had counted."""

    right: dict[Certainty, int] = field(default_factory=lambda: dict.fromkeys(Certainty, 0))
    wrong: dict[Certainty, int] = field(default_factory=lambda: dict.fromkeys(Certainty, 0))
    misses: list[tuple[int, TracedShot, ShotEnded]] = field(default_factory=list)

    @property
    def shots(self) -> int:
        """All of them."""
        return sum(self.right.values()) + sum(self.wrong.values())

    def add(self, number: int, shot: TracedShot, ended: ShotEnded) -> None:
        """Shot `number` of the trace, as it was recorded and as it came out now; one that nobody counted says nothing.

        `at_least` is right when no more was said than came.
        """
        counted = shot.counted
        if counted is None:
            return
        certainty = ended.certainty
        right = ended.cards <= counted if certainty is Certainty.AT_LEAST else ended.cards == counted
        (self.right if right else self.wrong)[certainty] += 1
        if ended.cards != counted:
            self.misses.append((number, shot, ended))


def score(shots: Iterable[tuple[TracedShot, ShotEnded]]) -> Score:
    """The score of shots as `play_back` gives them."""
    made = Score()
    for number, (shot, ended) in enumerate(shots, 1):
        made.add(number, shot, ended)
    return made


def report(trace: Trace) -> int:
    """Play the trace back and say how the counter does; 1 when something called exact was wrong, else 0."""
    found = score(_with_progress(play_back(trace), len(trace.shots)))
    if not found.shots:
        print("nobody has counted a shot of it: there is nothing to compare with")
        return 0
    print(f"{found.shots} counted shots, played back:")
    for certainty in Certainty:
        right, wrong = found.right[certainty], found.wrong[certainty]
        share = (right + wrong) / found.shots
        print(f"  {certainty.value.replace('_', ' '):<9}{right:6} right  {wrong:6} wrong   {share:6.1%} of all")
    for number, shot, ended in found.misses:
        print(
            f"  shot {number}: {shot.counted} cards, counted {SURE[ended.certainty]} {ended.cards} ({ended.end.value})"
        )
    return 1 if found.wrong[Certainty.EXACT] else 0


def _with_progress(
    shots: Iterable[tuple[TracedShot, ShotEnded]], number: int
) -> Iterable[tuple[TracedShot, ShotEnded]]:
    clock = RealClock()
    due = clock.now() + 1
    for place, each in enumerate(shots, 1):
        if clock.now() >= due:
            due += 1
            print(f"{place} of {number} shots", file=sys.stderr, flush=True)
        yield each
