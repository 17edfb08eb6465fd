"""Frames in words, for people who look at a line."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, IntFlag

from firmware_bridge.messages import (
    CERTAINTIES,
    ENDS,
    FAULTS,
    Board,
    Card,
    Ended,
    Event,
    Hello,
    Input,
    Latched,
    Level,
    Phase,
    Reset,
    State,
    Status,
    cause_text,
)

_LEVELS = {
    Input.LID: ("the lid is closed", "the lid is open"),
    Input.STOP: ("the stop is pressed", "the stop is released"),
    Input.BEAM: ("the beam is blocked", "the beam is free"),
    Input.BEAM2: ("the second beam is blocked", "the second beam is free"),
    Input.BUTTON: ("the button went down", "the button came up"),
}


def hello_in_words(hello: Hello) -> list[str]:
    """Who it is, a line for each thing."""
    resets = _flags(Reset, hello.reset).replace("button", "reset (by its button, or by the opening of its port)")
    return [
        f"a launcher's controller: firmware {hello.major}.{hello.minor} on {_name(Board, hello.board)}",
        f"started {hello.uptime_ms / 1000:.1f} s ago: {resets or 'nobody knows why'}",
        f"figures it was built with: {hello.limits_crc:04x}; its configuration: "
        + (f"{hello.config_crc:04x}" if hello.config_crc else "none yet"),
    ]


def status_in_words(status: Status) -> str:
    """How it stands, on one line."""
    fault = FAULTS.get(status.trouble)
    words = [
        _flags(State, status.state) or "not set up",
        "lid closed" if status.levels & Input.LID else "lid open",
        *(_LEVELS[each][0] for each in (Input.STOP, Input.BEAM, Input.BEAM2) if status.levels & each),
        *(["button down"] if status.levels & Input.BUTTON else []),
        f"shot {status.shot} {_name(Phase, status.phase)}, {status.cards} cards" if status.shot else "no shot yet",
        f"motor {status.used_ms / 1000:.1f} s in the last minute",
    ]
    if status.trouble:
        words.append(f"FAULT: {fault.cause if fault else status.trouble}")
    return "; ".join(words)


def event_in_words(event: Event) -> str:
    """What has happened, on one line."""
    at = f"{event.at_ms / 1000:10.3f} s  "
    if isinstance(event, Level):
        unknown = (f"input {event.input} is on", f"input {event.input} is off")
        return at + _LEVELS.get(Input(event.input), unknown)[not event.active]
    if isinstance(event, Card):
        return f"{at}shot {event.shot}: {event.cards} out"
    if isinstance(event, Ended):
        cause = cause_text(event.cause)
        return (
            f"{at}shot {event.shot} ended {ENDS[event.end]}: {event.cards} cards, {CERTAINTIES[event.sure]}; motor "
            f"{event.motor_ms} ms{f'; {cause}' if cause else ''}"
        )
    if isinstance(event, Latched):
        fault = FAULTS.get(event.trouble)
        return f"{at}FAULT: {fault.cause if fault else event.trouble}"
    return f"{at}something this program does not know ({event.told})"


def _name(kind: type[IntEnum], number: int) -> str:
    return kind(number).name.lower() if number in [each.value for each in kind] else str(number)


def _flags(kind: type[IntFlag], bits: int) -> str:
    flags: Iterable[IntFlag] = kind
    return ", ".join(str(flag.name).lower().replace("_", "-") for flag in flags if bits & flag)
