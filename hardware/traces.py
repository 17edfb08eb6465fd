"""Traces of real shots: what a launcher's inputs did while its motor turned, and what a person counted. No pins.

The format is in docs/traces.md: a line of JSON about the machine, then a line for each shot. Whatever is read is
checked line by line, and bounded; what is made here is what is read here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TextIO

from hardware.pins import PinMap
from hardware.ports import Certainty, ShotEnd, ShotEnded
from hardware.sensors import Edge, Sense
from hardware.settings import LauncherSettings, SettingsError
from hardware.settings import from_mapping as settings_from
from hardware.shot_machine import Drive
from hardware.tap import Motion, Tapped

FORMAT: Final = "uno-attack trace"
VERSION: Final = 1
MOST_SHOTS: Final = 5000
MOST_CHANGES: Final = 2000  # of one shot
MOST_CARDS: Final = 200  # asked for, seen or counted in one shot
LONGEST_LINE: Final = 100_000  # characters
LARGEST_FILE: Final = 20_000_000  # bytes
LONGEST_NOTE: Final = 200
EARLIEST_MS: Final = -10_000.0  # before the motor went on
LATEST_MS: Final = 60_000.0
INPUTS: Final = {
    Sense.LID: ("lid", "open", "closed"), Sense.STOP: ("stop", "released", "pressed"),
    Sense.BEAM: ("beam", "free", "blocked"), Sense.BEAM2: ("beam2", "free", "blocked"),
}  # fmt: skip
"""How an input is called, and its two states: not active, active."""
_STATES: Final = {name: (sense, states) for sense, (name, *states) in INPUTS.items()}
_DRIVES: Final = {drive.value: drive.name.lower() for drive in Drive}
MOTOR: Final = tuple(_DRIVES.values())


class TraceError(ValueError):
    """A trace that cannot be read; the text names the file and the line, what is wrong and what is allowed."""


@dataclass(frozen=True, slots=True)
class Change:
    """At `at_ms` after the motor went on, `what` (an input's name, or `motor`) became `state`."""

    at_ms: float
    what: str
    state: str

    @property
    def active(self) -> bool:
        """Of an input: whether it is active now (see `hardware.sensors.Sense`)."""
        return _STATES[self.what][1].index(self.state) == 1


@dataclass(frozen=True, slots=True)
class TracedShot:
    """One shot: asked for `wanted` cards, over `lasted_ms` after the motor went on. `counted`: None = by nobody."""

    wanted: int
    changes: tuple[Change, ...]
    lasted_ms: float
    cards: int
    certainty: Certainty
    end: ShotEnd
    counted: int | None = None

    @property
    def pulses(self) -> int:
        """How often the motor was switched on: twice where a jam was tried to be cleared."""
        before, found = "off", 0
        for change in self.changes:
            if change.what == "motor":
                found += before == "off" and change.state != "off"
                before = change.state
        return found


@dataclass(frozen=True, slots=True)
class Trace:
    """The shots of one machine, wired and set as `pins` and `settings` say."""

    backend: str
    pins: PinMap
    settings: LauncherSettings
    shots: tuple[TracedShot, ...]
    date: str = ""
    note: str = ""

    @property
    def cards(self) -> int:
        """All cards that were counted, or seen where nobody counted."""
        return sum(shot.cards if shot.counted is None else shot.counted for shot in self.shots)


# --- listening --------------------------------------------------------------------------------------------------------


class Recorder:
    """Made of what a tap hears (`hear` is the tap, called from any thread): one shot at a time."""

    def __init__(self) -> None:
        self._heard: list[Tapped] = []

    def hear(self, happened: Tapped) -> None:
        """Keep it."""
        self._heard.append(happened)  # one operation of the interpreter: threads need no lock for it

    def begin(self) -> None:
        """A shot is about to be ordered: what was heard before is no part of it."""
        self._heard = []

    def finish(self, wanted: int, ended: ShotEnded, now: float) -> TracedShot | None:
        """The shot that has ended at `now` (seconds on the clock), or None where no motor has turned."""
        heard, self._heard = self._heard, []
        begun = next((each.at for each in heard if isinstance(each, Motion) and each.enable), None)
        if begun is None:
            return None
        changes, motor = [], "off"
        for each in sorted(heard, key=lambda one: one.at):
            at = round((each.at - begun) * 1000, 3)
            if isinstance(each, Edge):
                name, *states = INPUTS[each.sense]
                changes.append(Change(at, name, states[each.active]))
            elif (drive := _drive_of(each)) != motor:
                motor = drive
                changes.append(Change(at, "motor", drive))
        return TracedShot(
            wanted, tuple(changes), round((now - begun) * 1000, 3), ended.cards, ended.certainty, ended.end
        )


def _drive_of(motion: Motion) -> str:
    return _DRIVES[motion.enable, motion.in1, motion.in2] if motion.enable else "off"


# --- writing ----------------------------------------------------------------------------------------------------------


def write_head(file: TextIO, trace: Trace) -> None:
    """The line about the machine; its shots are not written."""
    _write(file, {
        "format": FORMAT, "version": VERSION, "date": trace.date, "note": trace.note, "backend": trace.backend,
        "pins": {name: "none" if pin is None else pin for name, pin in asdict(trace.pins).items()},
        "launcher": asdict(trace.settings),
    })  # fmt: skip


def write_shot(file: TextIO, shot: TracedShot) -> None:
    """The line of one shot, on its way to the disk when this returns."""
    _write(file, {
        "wanted": shot.wanted, "counted": shot.counted,
        "seen": {"cards": shot.cards, "certainty": shot.certainty.value, "end": shot.end.value},
        "lasted": shot.lasted_ms, "changes": [[each.at_ms, each.what, each.state] for each in shot.changes],
    })  # fmt: skip


def _write(file: TextIO, line: Mapping[str, object]) -> None:
    file.write(json.dumps(line, ensure_ascii=False) + "\n")
    file.flush()


# --- reading ----------------------------------------------------------------------------------------------------------


def read(path: Path) -> Trace:
    """The trace in a file. Raises `TraceError`."""
    try:
        with path.open(encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise TraceError(f"{path} is larger than a trace may be ({LARGEST_FILE // 1_000_000} MB)")
            return parse(iter(lambda: file.readline(LONGEST_LINE + 1), ""), str(path))
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TraceError(f"{path} is no text in UTF-8, so it is no trace") from error


def parse(lines: Iterable[str], name: str = "the trace") -> Trace:
    """The trace of these lines. Raises `TraceError`; `name`: what the lines are called in it."""
    numbered = ((f"{name}, line {number}", text) for number, text in enumerate(lines, 1))
    first = next(numbered, None)
    if first is None:
        raise TraceError(f"{name} is empty: a trace begins with a line about the machine")
    head = _head(_Line(*first))
    shots: list[TracedShot] = []
    for place, text in numbered:
        if len(shots) >= MOST_SHOTS:
            raise TraceError(f"{place}: a trace has {MOST_SHOTS} shots at the most")
        shots.append(_shot(_Line(place, text), head.pins))
    return replace(head, shots=tuple(shots))


class _Line:
    """One line, and where it stands."""

    def __init__(self, place: str, text: str) -> None:
        self.place = place
        if len(text) > LONGEST_LINE:
            raise self.wrong(f"is longer than {LONGEST_LINE} characters")
        try:
            values = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise self.wrong(f"is not JSON ({error})") from error
        if not isinstance(values, dict):
            raise self.wrong("is not an object of named values")
        self.values: dict[str, Any] = values

    def wrong(self, what: str) -> TraceError:
        return TraceError(f"{self.place}: {what}" if what[:1] == '"' else f"{self.place} {what}")

    def only(self, *known: str) -> None:
        """Nothing is there that is not known, and nothing is missing."""
        for key in self.values:
            if key not in known:
                raise self.wrong(f'"{key}" is not known here; known are {", ".join(known)}')
        for key in known:
            if key not in self.values:
                raise self.wrong(f'"{key}" is missing')

    def text(self, key: str, longest: int = LONGEST_NOTE) -> str:
        value = self.values[key]
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            raise self.wrong(f'"{key}" is not one line of up to {longest} characters')
        return value

    def number(self, key: str, value: object, least: float, most: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise self.wrong(f'"{key}" is {_short(value)}, not a number from {least:g} to {most:g}')
        return float(value)

    def count(self, key: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_CARDS:
            raise self.wrong(f'"{key}" is {_short(value)}, not a number of cards from 0 to {MOST_CARDS}')
        return value

    def table(self, key: str) -> dict[str, Any]:
        value = self.values[key]
        if not isinstance(value, dict):
            raise self.wrong(f'"{key}" is not an object of named values')
        return value


def _head(line: _Line) -> Trace:
    if line.values.get("format") != FORMAT:
        raise line.wrong(f'is not the head of a trace: "format" is to be "{FORMAT}"')
    version = line.values.get("version")
    if version != VERSION:
        raise line.wrong(f'"version" is {_short(version)}; this program reads {VERSION}: update it, or record anew')
    line.only("format", "version", "date", "note", "backend", "pins", "launcher")
    try:
        pins, settings = PinMap.from_mapping(line.table("pins")), settings_from(line.table("launcher"))
    except (SettingsError, TypeError) as error:
        raise line.wrong(f'"pins" or "launcher" cannot be used: {error}') from error
    return Trace(line.text("backend"), pins, settings, (), line.text("date"), line.text("note"))


def _shot(line: _Line, pins: PinMap) -> TracedShot:
    line.only("wanted", "counted", "seen", "lasted", "changes")
    seen = _Seen(line)
    counted = line.values["counted"]
    lasted = line.number("lasted", line.values["lasted"], 0, LATEST_MS)
    shot = TracedShot(
        line.count("wanted", line.values["wanted"]), _changes(line, pins, lasted), lasted, *seen.values,
        counted=None if counted is None else line.count("counted", counted),
    )  # fmt: skip
    if shot.pulses == 0:
        raise line.wrong('"changes" never switch the motor on: this is no shot')
    return shot


class _Seen:
    """What the launcher itself said of the shot."""

    def __init__(self, line: _Line) -> None:
        seen = line.table("seen")
        if seen.keys() != {"cards", "certainty", "end"}:
            raise line.wrong('"seen" has exactly cards, certainty and end')
        try:
            certainty, end = Certainty(seen["certainty"]), ShotEnd(seen["end"])
        except ValueError as error:
            raise line.wrong(f'"seen": {error}; known are {", ".join([*Certainty, *ShotEnd])}') from error
        self.values = (line.count("seen cards", seen["cards"]), certainty, end)


def _changes(line: _Line, pins: PinMap, lasted: float) -> tuple[Change, ...]:
    listed = line.values["changes"]
    if not isinstance(listed, list) or len(listed) > MOST_CHANGES:
        raise line.wrong(f'"changes" is not a list of up to {MOST_CHANGES}')
    known = {"motor": MOTOR, **{name: states for name, (_, states) in _STATES.items()}}
    changes: list[Change] = []
    for number, each in enumerate(listed, 1):
        where = f"change {number}"
        if not isinstance(each, list) or len(each) != 3:
            raise line.wrong(f'"{where}" is not a list of time, what and state')
        at = line.number(where, each[0], EARLIEST_MS, LATEST_MS)
        what, state = each[1], each[2]
        if not isinstance(what, str) or what not in known:
            raise line.wrong(f'"{where}" is of {_short(what)}; known are {", ".join(known)}')
        if state not in known[what]:
            raise line.wrong(f'"{where}": {what} is {_short(state)}; it can be {", ".join(known[what])}')
        if what != "motor" and getattr(pins, what) is None:
            raise line.wrong(f'"{where}" is of {what}, which this machine has not wired')
        if changes and at < changes[-1].at_ms:
            raise line.wrong(f'"{where}" is at {at:g} ms, before the one before it')
        if at > lasted:
            raise line.wrong(f'"{where}" is at {at:g} ms, after the end of the shot')
        changes.append(Change(at, what, state))
    return tuple(changes)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")
