"""What the frames say: kinds, payloads byte by byte, and what the numbers in them mean. The one definition of them.

`firmware/protocol.h` is made from this module (`python -m firmware_bridge.headers`), and docs/protocol.md is checked
against it. Numbers of more than one byte have their lowest byte first. `_ms` are milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import IntEnum, IntFlag
from struct import Struct, calcsize
from typing import ClassVar, Final, Self

from hardware.ports import Certainty, Fault, ShotEnd
from hardware.sensors import BEAM_BLOCKED, EDGES_LOST, LID_OPEN, STOP_PRESSED, jam

BAUD: Final = 115200
RETRY_MS: Final = 80  # a frame that is not answered goes out again after so long
TRIES: Final = 5  # so often in all; then the link has failed
PING_MS: Final = 100  # from one PING to the next
DEAD_MAN_MS: Final = 400  # armed, and not a word from the host for so long: motor off, disarmed
WHO: Final = b"UNO?"
HERE: Final = b"UNO!"
NO_HOPPER: Final = 0xFFFF  # nobody knows how many cards the machine holds
ANSWER: Final = 0x80  # added to a kind: the answer to it, with the same sequence


class Kind(IntEnum):
    """Kinds of frames. The host asks and the controller answers; with EVENT it is the other way round."""

    HELLO = 1  # who is there? the only thing ever written to a port that has not answered it
    CONFIG = 2  # the launcher's figures; disarms
    ARM = 3
    FIRE = 4
    STOP = 5  # motor off at once; goes past the window, with any sequence
    RESET_FAULT = 6  # a person says the cause is gone
    STATUS = 7
    PING = 8  # nothing, but a word from the host
    SHOW = 9  # lamp and buzzer
    EVENT = 16


class Result(IntEnum):
    """The first byte of every answer: done, or why not."""

    OK = 0
    UNKNOWN = 1  # no such kind
    LENGTH = 2  # not the payload of this kind
    FIGURE = 3  # a figure of CONFIG is out of bounds
    UNCONFIGURED = 4
    DISARMED = 5
    FAULT = 6  # a fault is latched
    FIRING = 7
    RESTING = 8
    COOLING = 9
    STANDING = 10  # the cause of a fault still stands
    BEAM = 11  # something is in the exit


class Told(IntEnum):
    """What an EVENT tells."""

    LEVEL = 1
    CARD = 2
    ENDED = 3
    FAULT = 4


class Input(IntFlag):
    """The inputs, as bits of `levels`: set while active."""

    LID = 1  # closed
    STOP = 2  # pressed
    BEAM = 4  # blocked
    BEAM2 = 8
    BUTTON = 16  # down; in events: debounced


class Output(IntFlag):
    """The outputs, as bits; of SHOW only LAMP and BUZZER."""

    ENABLE = 1
    IN1 = 2
    IN2 = 4
    LAMP = 8
    BUZZER = 16
    LED = 32


class Wired(IntFlag):
    """What is wired, of what may be left out; a bit of CONFIG."""

    BEAM = 1
    BEAM2 = 2
    STOP = 4


class State(IntFlag):
    """Bits of a status."""

    CONFIGURED = 1
    ARMED = 2
    MOTOR = 4  # enable is high
    DEAF = 8  # events could not be told any more; only HELLO ends it
    COOLING = 16  # the motor has used up its time in the minute


class Phase(IntEnum):
    """`hardware.shot_machine.Phase`, in its order."""

    READY = 0
    PRESSED = 1
    ARMING = 2
    SPINNING = 3
    COUNTING = 4
    KICKING = 5
    BRAKING = 6
    RETRACTING = 7
    CLEARING = 8
    REVERSING = 9
    SETTLING = 10
    SETTLED = 11


class End(IntEnum):
    """`hardware.ports.ShotEnd`, in its order."""

    DONE = 0
    EMPTY = 1
    JAMMED = 2
    STOPPED = 3
    VOID = 4


class Sure(IntEnum):
    """`hardware.ports.Certainty`, in its order."""

    EXACT = 0
    AT_LEAST = 1
    UNKNOWN = 2


class Trouble(IntEnum):
    """Latched faults of the controller."""

    NONE = 0
    LID_OPEN = 1
    STOP_PRESSED = 2
    BEAM_BLOCKED = 3
    JAMMED = 4
    EDGES_LOST = 5
    HALTED = 6
    EXPIRED = 7
    HOST_LOST = 8
    LATE = 9


class Cause(IntEnum):
    """Why a shot ended, or did not end as it should; `FAULT + n`: fault n ended it."""

    NONE = 0
    TIME_OVER = 1
    BLOCKED = 2
    NO_CARD = 3
    NO_CARD_AGAIN = 4
    EMPTY = 5
    SHOULD_BE_EMPTY = 6
    LEFT_STICKING = 7
    REFUSED = 8
    FAULT = 64


class Reset(IntFlag):
    """Why the controller started, as its MCUSR has it."""

    POWER = 1
    BUTTON = 2  # or the host, by opening the port
    BROWN_OUT = 4
    WATCHDOG = 8


class Board(IntEnum):
    """What the firmware runs on."""

    HOST = 0  # its portable part, on a computer, for tests
    ATMEGA328P = 1


ENDS: Final = tuple(ShotEnd)
CERTAINTIES: Final = tuple(Certainty)
_CLUELESS: Final = "stuck, slipping or empty, which cannot be told apart here"
CAUSES: Final[dict[int, str]] = {
    Cause.NONE: "",
    Cause.TIME_OVER: "the time for this shot is over",
    Cause.BLOCKED: "the beam has been blocked too long: a card is stuck in the slot",
    Cause.NO_CARD: f"no card came: {_CLUELESS}",
    Cause.NO_CARD_AGAIN: f"no card came on the second try either: {_CLUELESS}",
    Cause.EMPTY: "the machine is empty",
    Cause.SHOULD_BE_EMPTY: "the machine should be empty",
    Cause.LEFT_STICKING: "a card was left sticking in the slot",
    Cause.REFUSED: "refused by the controller",
}
RESULTS: Final[dict[int, str]] = {
    Result.OK: "done",
    Result.UNKNOWN: "the controller knows no such question",
    Result.LENGTH: "the controller expects another number of bytes",
    Result.FIGURE: "a figure is out of the controller's bounds",
    Result.UNCONFIGURED: "the controller is not set up",
    Result.DISARMED: "the controller is not armed",
    Result.FAULT: "a fault of the controller is latched",
    Result.FIRING: "another shot is under way",
    Result.RESTING: "the motor rests",
    Result.COOLING: "the motor must cool down",
    Result.STANDING: "what caused a fault is still so",
    Result.BEAM: BEAM_BLOCKED.cause,
}

HOST_LOST: Final = Fault(
    "host-lost",
    f"the controller heard nothing from this computer for {DEAD_MAN_MS} ms and switched its motor off",
    "look at the cable, count the cards that came, then clear the fault",
)
FAULTS: Final[dict[int, Fault]] = {
    Trouble.LID_OPEN: LID_OPEN,
    Trouble.STOP_PRESSED: STOP_PRESSED,
    Trouble.BEAM_BLOCKED: BEAM_BLOCKED,
    Trouble.JAMMED: jam("cards are stuck"),
    Trouble.EDGES_LOST: EDGES_LOST,
    Trouble.HALTED: Fault("halted", "stopped by hand", "clear the fault when the cause is gone"),
    Trouble.EXPIRED: Fault(
        "permit-expired", "the motor ran longer than it was allowed", "clear the fault and press again"
    ),
    Trouble.HOST_LOST: HOST_LOST,
    Trouble.LATE: Fault(
        "controller-late", "the controller's loop did not come round in time", "clear the fault and press again"
    ),
}


def cause_text(cause: int) -> str:
    """The words of a cause."""
    if cause >= Cause.FAULT:
        fault = FAULTS.get(cause - Cause.FAULT)
        return fault.cause if fault else f"fault {cause - Cause.FAULT}, unknown to this program"
    return CAUSES.get(cause, f"cause {cause}, unknown to this program")


def result_text(result: int) -> str:
    """The words of a result."""
    return RESULTS.get(result, f"result {result}, unknown to this program")


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload of fixed fields; `layout` has a code of `struct` for each."""

    layout: ClassVar[Struct]

    def pack(self) -> bytes:
        """The bytes."""
        return self.layout.pack(*(getattr(self, each.name) for each in fields(self)))

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """From bytes; what a newer firmware has added at the end is left alone. Raises `ValueError` for too few."""
        if len(data) < cls.layout.size:
            raise ValueError(f"{cls.__name__}: {len(data)} bytes; there should be {cls.layout.size}")
        return cls(*cls.layout.unpack(data[: cls.layout.size]))

    @classmethod
    def bytes_of(cls) -> list[tuple[int, int, str]]:
        """(offset, size, name) of every field."""
        found, at = [], 0
        codes = re.findall(r"\d*[BHIs]", cls.layout.format)
        for each, code in zip(fields(cls), codes, strict=True):
            found.append((at, calcsize(f"<{code}"), each.name))
            at += calcsize(f"<{code}")
        return found


@dataclass(frozen=True, slots=True)
class Hello(Payload):
    """What the controller is: the answer to HELLO after its result; also said once, unasked, whenever it starts.

    `major`, `minor`: of the firmware; `inputs`: what it can sense; `reset`: why it started; `limits_crc`: of the table
    of figures it was built with; `config_crc`: of the CONFIG in force, 0 = none.
    """

    layout = Struct("<4sBBBBBHHI")
    here: bytes
    major: int
    minor: int
    board: int
    inputs: int
    reset: int
    limits_crc: int
    config_crc: int
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class Status(Payload):
    """How the controller stands: the answer to everything but HELLO, after its result.

    `shot` to `cause`: of the shot under way, or the last one; `used_ms`: of the motor in the last minute; `rest_ms`:
    until it may run again.
    """

    layout = Struct("<BBBBIBBBBHHI")
    state: int
    levels: int
    trouble: int
    phase: int
    shot: int
    cards: int
    sure: int
    end: int
    cause: int
    used_ms: int
    rest_ms: int
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class Fire(Payload):
    """FIRE: shot `shot`, once; again, it is only reported. `max_ms`: of the motor; `duty_ms`: left of this minute's."""

    layout = Struct("<IBHHH")
    shot: int
    cards: int
    max_ms: int
    duty_ms: int
    hopper: int


@dataclass(frozen=True, slots=True)
class Switch(Payload):
    """ARM (1 = arm, 0 = disarm) and SHOW (the outputs that are on)."""

    layout = Struct("<B")
    on: int


@dataclass(frozen=True, slots=True)
class Event(Payload):
    """What every EVENT begins with: what it tells, and when, by the controller's own clock."""

    layout = Struct("<BI")
    told: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Level(Event):
    """An input has changed. Beams are told only while no shot is under way."""

    layout = Struct("<BIBB")
    input: int
    active: int


@dataclass(frozen=True, slots=True)
class Card(Event):
    """`cards` of this shot have come out so far."""

    layout = Struct("<BIIB")
    shot: int
    cards: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """A shot is over. `moved`: the motor turned; `motor_ms`: for so long in all."""

    layout = Struct("<BIIBBBBBH")
    shot: int
    cards: int
    sure: int
    end: int
    cause: int
    moved: int
    motor_ms: int


@dataclass(frozen=True, slots=True)
class Latched(Event):
    """A fault is latched; `cause` says more where it is a jam."""

    layout = Struct("<BIBB")
    trouble: int
    cause: int


EVENTS: Final[dict[int, type[Event]]] = {
    Told.LEVEL: Level,
    Told.CARD: Card,
    Told.ENDED: Ended,
    Told.FAULT: Latched,
}
