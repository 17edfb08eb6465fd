"""What a player can say at a digital table, as plain words, whether or not the rules allow it just now.

Names and cards are the strings of case files. No rules here but the grammar: a wild may be given a colour, a set a
colour of its own, some cards a player, a discard-all what is kept. Brute force and engine are asked about the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

COLOURS = ("red", "yellow", "green", "blue")
SHOTS = (0, 1, 2)
"""How many cards come out of a hit: enough to tell dry, fire and more than one apart."""
MOST_IN_A_SET = 4
"""Positions are made so that larger sets do not matter."""
NO_TARGET_WHEN_LAST = ("trade-hands", "7")
"""These swap nothing as the last card, so no player is named then."""


class Action(NamedTuple):
    """One thing a player does; fields that the verb does not need stay empty."""

    who: str
    verb: str
    cards: tuple[str, ...] = ()
    colour: str = ""
    target: str = ""
    keep: tuple[str, ...] = ()
    came: int = 0

    def step(self) -> str:
        """The action as a case file writes it."""
        words = [f"{self.who}: {self.verb}"]
        if self.cards:
            words.append(", ".join(self.cards))
        if self.verb == "colour":
            words.append(self.colour)
        elif self.colour:
            words.append(f"as {self.colour}")
        if self.verb in ("catch", "report"):
            words.append(self.target)
        elif self.target:
            words.append(f"{'on' if self.cards[0].startswith('wild') else 'with'} {self.target}")
        if self.keep:
            words.append("keep " + ", ".join(self.keep))
        if self.verb == "hit":
            words.append(f"-> {self.came}")
        return " ".join(words)


def colour_of(card: str) -> str:
    """The colour printed on a card; empty for a wild."""
    return card.split(maxsplit=1)[0] if " " in card else ""


def rank_of(card: str) -> str:
    """What is printed on a card besides its colour; a wild's name."""
    return card.rsplit(maxsplit=1)[-1]


@lru_cache(maxsize=1024)
def vocabulary(
    who: str, hand: tuple[str, ...], players: tuple[str, ...], choosing: tuple[str, ...]
) -> tuple[Action, ...]:
    """Everything `who` may try with `hand` (sorted), where cards of the ranks `choosing` may need a player named."""
    said = [*plays(who, hand, players, choosing)]
    said += [Action(who, "hit", came=came) for came in SHOTS]
    said += [Action(who, verb) for verb in ("draw", "pass", "uno", "accept", "challenge", "slap")]
    said += [Action(who, "colour", colour=colour) for colour in COLOURS]
    said += [Action(who, verb, target=target) for verb in ("catch", "report") for target in players]
    return tuple(said)


def plays(who: str, hand: tuple[str, ...], players: tuple[str, ...], choosing: tuple[str, ...]) -> Iterator[Action]:
    """All ways to play one card, or several of one rank in any order, with every choice a card may have."""
    for cards in one_or_more(hand):
        for keep in keeps(hand, cards):
            left = len(hand) - len(cards) - len(taken_along(hand, cards)) + len(keep)
            for colour in colours(cards):
                for target in targets(cards, players, choosing, left):
                    yield Action(who, "play", cards, colour, target, keep)


def one_or_more(hand: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Single cards, and several of one rank in every order."""
    found = set()
    for rank in {rank_of(card) for card in hand}:
        alike = [card for card in hand if rank_of(card) == rank]
        for size in range(1, min(len(alike), MOST_IN_A_SET) + 1):
            found |= set(permutations(alike, size))
    return sorted(found)


def colours(cards: tuple[str, ...]) -> list[str]:
    """What may be said about the colour: nothing; with a wild any; with a set one that is not the top card's."""
    if not colour_of(cards[-1]):
        return ["", *COLOURS]
    return ["", *(colour for colour in COLOURS if len(cards) > 1 and colour != colour_of(cards[-1]))]


def targets(cards: tuple[str, ...], players: tuple[str, ...], choosing: tuple[str, ...], left: int) -> list[str]:
    """Who may be named: nobody, and with a card that may need it anybody, oneself too."""
    rank = rank_of(cards[-1])
    if rank not in choosing or (left == 0 and rank in NO_TARGET_WHEN_LAST):
        return [""]
    return ["", *players]


def taken_along(hand: tuple[str, ...], cards: tuple[str, ...]) -> list[str]:
    """What a discard-all takes along: every other card of its colour in the hand; a set goes by its top card."""
    if rank_of(cards[-1]) != "discard-all":
        return []
    left = list(hand)
    for card in cards:
        left.remove(card)
    return [card for card in left if colour_of(card) == colour_of(cards[-1])]


def keeps(hand: tuple[str, ...], cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every choice of cards to hold back from a discard-all."""
    along = sorted(taken_along(hand, cards))
    return sorted({keep for size in range(len(along) + 1) for keep in combinations(along, size)})
