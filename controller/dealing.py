"""Dealing real cards by the launcher: seat after seat, so many cards each, with what to do when a shot brings others.

Pure: what happened goes in (a shot ended, a person said something), and the next state comes out, with the shot to
order. Who prompts whom, and when the launcher may fire again, live elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from hardware.ports import Certainty, ShotEnd

MOST_IN_A_SHOT: Final = 14  # cards: the longest shot the odds can bring; a larger hand takes several
MOST_EACH: Final = 60  # cards of one hand
TRIES: Final = 3  # shots one `go` may bring, however few cards come: then a person looks


class NotNow(ValueError):
    """This does not go with where the deal is; the text says what does."""


class Step(StrEnum):
    """What the deal waits for."""

    READY = "ready"  # for a person: cards are passed on, the seat holds its hands out, and `go` lets the launcher fire
    FIRING = "firing"  # for the shot of `order` cards, under way or to be made as soon as the launcher may
    COUNT = "count"  # for a person: nobody is sure what came, so the hand is counted and said
    TROUBLE = "trouble"  # for a person: the shot broke off; put the machine right, then `go`, or say what is held
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Deal:
    """Where a deal is. `hands`: cards of each seat so far; `order`: cards of the shot under way, else 0.

    `tries`: shots since a person last did something; `passed`: cards this seat takes over from the one before;
    `back`: cards nobody needed, to be put back into the machine; `shots`: ordered in all.
    """

    names: tuple[str, ...]
    want: int
    hands: tuple[int, ...]
    seat: int = 0
    step: Step = Step.READY
    order: int = 0
    tries: int = 0
    passed: int = 0
    back: int = 0
    shots: int = 0

    @property
    def missing(self) -> int:
        """Cards the seat still needs."""
        return 0 if self.step is Step.DONE else max(0, self.want - self.hands[self.seat])

    @property
    def waits_for_a_person(self) -> bool:
        """Whether somebody has to do or say something."""
        return self.step in (Step.READY, Step.COUNT, Step.TROUBLE)

    def to_json(self) -> dict[str, object]:
        """As data, for the journal and the pages."""
        return {**asdict(self), "names": list(self.names), "hands": list(self.hands), "step": self.step.value}


def begin(names: Sequence[str], want: int) -> Deal:
    """A deal of `want` cards to each of `names`, in this order. Raises `ValueError` for what cannot be dealt."""
    if not names:
        raise ValueError("nobody sits here to be dealt to")
    if not 1 <= want <= MOST_EACH:
        raise ValueError(f"a hand has 1 to {MOST_EACH} cards, not {want}")
    return Deal(tuple(names), want, (0,) * len(names))


def from_json(data: Mapping[str, Any]) -> Deal:
    """The deal that `Deal.to_json` made."""
    return Deal(**{**data, "names": tuple(data["names"]), "hands": tuple(data["hands"]), "step": Step(data["step"])})


def go(deal: Deal) -> Deal:
    """A person lets the launcher fire at the seat; one that has enough from others is left. Raises `NotNow`."""
    if deal.step not in (Step.READY, Step.TROUBLE):
        raise NotNow(_INSTEAD[deal.step])
    return _fire(replace(deal, tries=0)) if deal.missing else _next(deal)


def ended(deal: Deal, cards: int, certainty: Certainty, end: ShotEnd) -> Deal:
    """The shot under way is over: `cards` came, as sure as `certainty`. Raises `NotNow` when none is."""
    if deal.step is not Step.FIRING:
        raise NotNow("no shot of the deal is under way")
    deal = replace(_holding(deal, deal.hands[deal.seat] + cards), order=0)
    if certainty is not Certainty.EXACT:
        return replace(deal, step=Step.COUNT)
    if deal.missing == 0:
        return _next(deal)
    if end is not ShotEnd.DONE:
        return replace(deal, step=Step.TROUBLE)
    return replace(deal, step=Step.COUNT) if deal.tries >= TRIES else _fire(deal)


def denied(deal: Deal) -> Deal:
    """The launcher will not make the shot, for more than want of time: a person looks. Raises `NotNow`."""
    if deal.step is not Step.FIRING:
        raise NotNow("no shot of the deal is to be made")
    return replace(deal, step=Step.TROUBLE, order=0, shots=deal.shots - 1)


def lost(deal: Deal) -> Deal:
    """Nobody saw the end of a shot that may have been under way (the power was cut): the hand has to be counted."""
    return replace(deal, step=Step.COUNT, order=0) if deal.step is Step.FIRING else deal


def said(deal: Deal, cards: int) -> Deal:
    """A person counted the seat's hand: `cards`. Raises `NotNow`, `ValueError`."""
    _refuse_unless_waiting(deal)
    if not 0 <= cards <= MOST_EACH:
        raise ValueError(f"a hand has 0 to {MOST_EACH} cards, not {cards}")
    deal = replace(_holding(deal, cards), tries=0)
    return replace(deal, step=Step.READY) if deal.missing else _next(deal)


def skip(deal: Deal) -> Deal:
    """The seat keeps what it has, be it too few or too many; the next one is dealt to. Raises `NotNow`."""
    _refuse_unless_waiting(deal)
    return _arrive(replace(deal, seat=deal.seat + 1), passed=0)


_INSTEAD: Final = {
    Step.READY: "the launcher waits for the word to fire",
    Step.FIRING: "wait for the shot to end",
    Step.COUNT: "first count the hand and say how many cards it has",
    Step.TROUBLE: "put the launcher right, then let it fire again",
    Step.DONE: "the deal is done",
}


def _refuse_unless_waiting(deal: Deal) -> None:
    if not deal.waits_for_a_person:
        raise NotNow(_INSTEAD[deal.step])


def _fire(deal: Deal) -> Deal:
    order = min(MOST_IN_A_SHOT, deal.missing)
    return replace(deal, step=Step.FIRING, order=order, tries=deal.tries + 1, shots=deal.shots + 1)


def _holding(deal: Deal, cards: int, seat: int | None = None) -> Deal:
    seat = deal.seat if seat is None else seat
    return replace(deal, hands=(*deal.hands[:seat], cards, *deal.hands[seat + 1 :]))


def _next(deal: Deal) -> Deal:
    """The seat has enough: what is too much goes on to the next one, or back into the machine after the last."""
    extra = deal.hands[deal.seat] - deal.want
    deal = replace(_holding(deal, deal.want), seat=deal.seat + 1)
    if deal.seat == len(deal.names):
        return _arrive(replace(deal, back=deal.back + extra), passed=0)
    return _arrive(_holding(deal, deal.hands[deal.seat] + extra), passed=extra)


def _arrive(deal: Deal, passed: int) -> Deal:
    deal = replace(deal, tries=0, passed=passed, order=0)
    if deal.seat == len(deal.names):
        return replace(deal, seat=deal.seat - 1, step=Step.DONE)
    return replace(deal, step=Step.READY)
