"""What the launcher senses: its inputs, their edges, and the faults they stand for. Pins are claimed elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol

from hardware.ports import Fault

JAMMED: Final = "jammed"  # the fault code that is shown as a jam

LID_OPEN: Final = Fault("lid-open", "the lid is open", "close the lid, then clear the fault")
STOP_PRESSED: Final = Fault("stop-pressed", "the emergency stop is pressed", "release the stop, then clear the fault")
BEAM_BLOCKED: Final = Fault(
    "beam-blocked", "something is in front of the card exit", "take cards and hands away from the exit"
)

EDGES_DEAD: Final = Fault(
    "edges-dead", "the inputs are no longer heard: the thread that reads them is dead or hangs", "restart the table"
)

EDGES_LOST: Final = Fault(
    "edges-lost",
    "the beam does not show what was last heard of it: its changes get lost",
    "clear the fault and try again; if it comes back, restart the table and check the beam's wires",
)


def jam(cause: str) -> Fault:
    """The fault of a shot that ended in a jam."""
    return Fault(JAMMED, cause, "open the lid, take out the stuck cards, count them, close the lid and clear the fault")


class Sense(Enum):
    """The inputs the launcher goes by."""

    LID = auto()  # active = closed
    STOP = auto()  # active = pressed
    BEAM = auto()  # active = blocked
    BEAM2 = auto()  # the second beam, further on; active = blocked


@dataclass(frozen=True, slots=True)
class Edge:
    """An input changed at `at` (seconds on the clock)."""

    sense: Sense
    at: float
    active: bool


class Sensors(Protocol):
    """Levels of the inputs, read from the pins at the moment; callable from any thread."""

    def lid_closed(self) -> bool:
        """The lid switch is closed."""

    def stop_pressed(self) -> bool:
        """The emergency stop is pressed; False where none is wired."""

    @property
    def beams(self) -> int:
        """How many beams there are at the exit: 0, 1 or 2."""

    def beam_blocked(self) -> bool:
        """Something is in the beam; False where none is wired."""

    def beam2_blocked(self) -> bool:
        """Something is in the second beam; False where none is wired."""

    def trouble(self) -> Fault | None:
        """What is wrong with parts we depend on: edges no longer reach us, the guardian is gone."""


def contradictions(sensors: Sensors) -> list[Fault]:
    """What the sensors say against firing, now."""
    found = []
    trouble = sensors.trouble()
    if trouble is not None:
        found.append(trouble)
    if not sensors.lid_closed():
        found.append(LID_OPEN)
    if sensors.stop_pressed():
        found.append(STOP_PRESSED)
    if sensors.beam_blocked() or sensors.beam2_blocked():
        found.append(BEAM_BLOCKED)
    return found


def standing(sensors: Sensors, fault: Fault) -> Fault | None:
    """What still stands in the way of clearing `fault`; a beam matters only to faults that came from it."""
    for found in contradictions(sensors):
        if found is not BEAM_BLOCKED or fault.code in (JAMMED, BEAM_BLOCKED.code):
            return found
    return None
