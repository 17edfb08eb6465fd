"""Counting a deck by running it through the launcher, shot after shot, until nothing comes any more.

Pure, like `controller.dealing`: how a shot ended goes in, the next order comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from hardware.ports import Certainty, ShotEnd

IN_A_SHOT: Final = 10  # cards: about a second of motor time
_SURENESS: Final = (Certainty.EXACT, Certainty.AT_LEAST, Certainty.UNKNOWN)


class NotNow(ValueError):
    """This does not go with where the count is; the text says what does."""


class Step(StrEnum):
    """What the count waits for."""

    FIRING = "firing"  # for the shot under way, or to be made as soon as the launcher may
    TROUBLE = "trouble"  # for a person: no card came. Is the machine empty, or is one stuck?
    DONE = "done"


@dataclass(frozen=True, slots=True)
class DeckCount:
    """Where a count is. `deck`: cards there should be; `certainty`: of the worst shot; `shots`: ordered so far."""

    deck: int
    counted: int = 0
    certainty: Certainty = Certainty.EXACT
    step: Step = Step.FIRING
    shots: int = 1

    @property
    def missing(self) -> int:
        """Cards that did not come; negative when more came than the deck has."""
        return self.deck - self.counted

    @property
    def complete(self) -> bool:
        """Whether every card came, and nobody doubts it."""
        return self.step is Step.DONE and self.missing == 0 and self.certainty is Certainty.EXACT

    @property
    def most_shots(self) -> int:
        """So many shots are made at the most without a person: each card could come alone, and a few may miss."""
        return self.deck + IN_A_SHOT

    def to_json(self) -> dict[str, object]:
        """As data, for the pages."""
        return {
            "deck": self.deck, "counted": self.counted, "missing": self.missing, "certainty": self.certainty.value,
            "step": self.step.value, "shots": self.shots,
        }  # fmt: skip


def from_json(data: Mapping[str, Any]) -> DeckCount:
    """The count that `DeckCount.to_json` made."""
    return DeckCount(
        data["deck"], data["counted"], Certainty(data["certainty"]), Step(data["step"]), data["shots"]
    )  # fmt: skip


def begin(deck: int) -> DeckCount:
    """A count of a deck that should have `deck` cards; its first shot is to be made. Raises `ValueError`."""
    if deck < 1:
        raise ValueError(f"a deck has at least one card, not {deck}")
    return DeckCount(deck)


def ended(count: DeckCount, cards: int, certainty: Certainty, end: ShotEnd) -> DeckCount:
    """The shot under way is over: `cards` came. Raises `NotNow` when none is."""
    if count.step is not Step.FIRING:
        raise NotNow("no shot of the count is under way")
    worst = max(count.certainty, certainty, key=_SURENESS.index)
    count = replace(count, counted=count.counted + cards, certainty=worst)
    if end is ShotEnd.EMPTY:
        return replace(count, step=Step.DONE)
    if end is not ShotEnd.DONE or cards == 0 or count.shots >= count.most_shots:
        return replace(count, step=Step.TROUBLE)
    return replace(count, shots=count.shots + 1)


def denied(count: DeckCount) -> DeckCount:
    """The launcher will not make the shot, for more than want of time: a person looks."""
    return replace(count, step=Step.TROUBLE) if count.step is Step.FIRING else count


def go(count: DeckCount) -> DeckCount:
    """A person has freed the launcher: it goes on. Raises `NotNow`."""
    if count.step is not Step.TROUBLE:
        raise NotNow("the count goes on by itself")
    return replace(count, step=Step.FIRING, shots=count.shots + 1)


def empty(count: DeckCount) -> DeckCount:
    """A person looked: the machine is empty, and the count is done. Raises `NotNow`."""
    if count.step is not Step.TROUBLE:
        raise NotNow("wait for the shot to end")
    return replace(count, step=Step.DONE)
