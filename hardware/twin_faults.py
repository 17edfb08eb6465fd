"""What can be asked of the simulated machine while it runs: one table by name, for Python, pages and commands.

Each fault says what it does, which amount may be given with it, and how it ends. No pin is moved here, but by
`hardware.twin`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hardware.twin import Twin


class TwinFaultError(ValueError):
    """A fault that cannot be asked for; the message says what is wrong and what may be asked."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The whole number that may be given with a fault: of what, from `low` to `high`, `usual` when none is given."""

    of: str
    low: int
    high: int
    usual: int


@dataclass(frozen=True, slots=True)
class TwinFault:
    """One thing that can happen to the machine: `does` and `ends` are for people, `do` makes it happen."""

    name: str
    does: str
    ends: str
    do: Callable[[Twin, int], None]
    amount: Amount | None = None
    needs: str = ""  # the input of the pin map that must be wired for it

    def check(self, value: object) -> int:
        """The amount to use for `value`, None = the usual one. Raises `TwinFaultError`."""
        amount = self.amount
        if amount is None:
            if value is not None:
                raise TwinFaultError(f"{self.name} takes no number, and {value!r} was given")
            return 0
        if value is None:
            return amount.usual
        if isinstance(value, bool) or not isinstance(value, int) or not amount.low <= value <= amount.high:
            raise TwinFaultError(
                f"{self.name}: {value!r} is not a number of {amount.of} from {amount.low} to {amount.high}"
            )
        return value


AT_ONCE: Final = "at once"

FAULTS: Final = (
    TwinFault("press", "a finger pushes the UNO button", "by itself after 70 ms", lambda twin, _: twin.press()),
    TwinFault(
        "jam",
        "the next card sticks in the exit",
        "when the motor pulls back, or with free",
        lambda twin, _: twin.jam(),
    ),
    TwinFault(
        "hard-jam",
        "the next card sticks in the exit, and pulling back does not help",
        "with free",
        lambda twin, _: twin.jam(hard=True),
    ),
    TwinFault(
        "stick-out",
        "the next card comes out and stays lying in the exit",
        "when the card after it pushes it out, or with free",
        lambda twin, _: twin.stick_out(),
    ),
    TwinFault(
        "free",
        "a person clears the exit and puts a stuck card back on the pile; the roller grips and turns again",
        AT_ONCE,
        lambda twin, _: twin.free(),
    ),
    TwinFault(
        "double",
        "the next cards come in pairs, one on the other",
        "after so many pairs",
        lambda twin, pairs: twin.double(pairs),
        Amount("pairs", 1, 50, 1),
    ),
    TwinFault(
        "double-share",
        "from now on so many of a hundred cards come in pairs",
        "with double-share 0",
        lambda twin, percent: twin.double_share(percent / 100),
        Amount("percent", 0, 100, 5),
    ),
    TwinFault(
        "overlap",
        "how much of a card the pairs to come cover of each other",
        "with the next overlap",
        lambda twin, percent: twin.overlap(percent / 100),
        Amount("percent", 0, 100, 50),
    ),
    TwinFault(
        "slip",
        "the roller slips: turning moves no card",
        "after so many cards' worth of turning, or with free",
        lambda twin, cards: twin.slip(cards),
        Amount("cards", 1, 1000, 1),
    ),
    TwinFault(
        "stiff",
        "the roller does not start forward before it was pulled back once",
        "when the motor pulls back, or with free",
        lambda twin, _: twin.stiff(),
    ),
    TwinFault(
        "flicker",
        "the beam flickers: while the next cards are in it, it looks free for a moment",
        "after so many cards",
        lambda twin, cards: twin.flicker(cards),
        Amount("cards", 1, 1000, 1),
    ),
    TwinFault("empty", "the hopper is empty, and nobody has said so", "with load", lambda twin, _: twin.empty()),
    TwinFault(
        "load",
        "a person puts cards in, so that the machine holds so many",
        AT_ONCE,
        lambda twin, cards: twin.load(cards),
        Amount("cards", 0, 500, 112),
    ),
    TwinFault(
        "cells",
        "the cells are that strong: the motor turns with so much of its full speed",
        "with cells 100",
        lambda twin, percent: twin.cells(percent / 100),
        Amount("percent", 30, 100, 70),
    ),
    TwinFault(
        "run-down",
        "the cells run down: every second of the motor takes so much of its full speed, down to 30 percent",
        "with run-down 0; fresh cells come with cells 100",
        lambda twin, percent: twin.run_down(percent / 100),
        Amount("percent", 0, 50, 2),
    ),
    TwinFault("open-lid", "somebody opens the lid", "with close-lid", lambda twin, _: twin.open_lid()),
    TwinFault("close-lid", "somebody closes the lid", AT_ONCE, lambda twin, _: twin.close_lid()),
    TwinFault(
        "press-stop",
        "somebody hits the emergency stop",
        "with release-stop",
        lambda twin, _: twin.press_stop(),
        needs="stop",
    ),
    TwinFault(
        "release-stop",
        "somebody releases the emergency stop",
        AT_ONCE,
        lambda twin, _: twin.release_stop(),
        needs="stop",
    ),
    TwinFault(
        "hand",
        "a hand stays in front of the exit",
        "with hand-away",
        lambda twin, _: twin.hand_in_exit(),
        needs="beam",
    ),
    TwinFault(
        "hand-away",
        "the hand is taken away",
        AT_ONCE,
        lambda twin, _: twin.hand_in_exit(False),
        needs="beam",
    ),
    TwinFault(
        "bounce",
        "the button's contact bounces: so many times at the most, at each press and release",
        "with bounce 3",
        lambda twin, times: twin.bounce(times),
        Amount("bounces", 0, 40, 12),
    ),
    TwinFault(
        "stick-button",
        "the button is pressed and stays down",
        "with release-button",
        lambda twin, _: twin.stick_button(),
    ),
    TwinFault("release-button", "the button comes up again", AT_ONCE, lambda twin, _: twin.release_button()),
    TwinFault(
        "edges-dead",
        "no change of any input is told any more, as if the thread that tells them had died",
        "with edges-alive",
        lambda twin, _: twin.edges(False),
    ),
    TwinFault(
        "edges-lost",
        "changes of the beams get lost, though the thread that tells them is alive",
        "with edges-alive",
        lambda twin, _: twin.lose_edges(),
        needs="beam",
    ),
    TwinFault("edges-alive", "changes of inputs are told again", AT_ONCE, lambda twin, _: twin.edges(True)),
)


def find(name: str, faults: Iterable[TwinFault] = FAULTS) -> TwinFault:
    """The fault called `name`. Raises `TwinFaultError`, which names the nearest one."""
    known = {fault.name: fault for fault in faults}
    if name in known:
        return known[name]
    if any(fault.name == name for fault in FAULTS):
        raise TwinFaultError(
            f"{name}: this machine has no {_needs(name)} wired; set [pins] {_needs(name)} and start again"
        )
    if not name.strip():
        raise TwinFaultError("no fault is named: name one, such as jam")
    near = get_close_matches(name.strip().lower(), known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    raise TwinFaultError(f"the simulated machine knows no fault {name!r}; {hint}")


def _needs(name: str) -> str:
    return next(fault.needs for fault in FAULTS if fault.name == name)
