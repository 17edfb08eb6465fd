"""Legal moves as schemas: a card with the domains of its choices, so that a phone offers only what will be accepted.

A flat list would explode: the keep-back subsets of one discard-all can reach a million.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

from .actions import Play
from .cards import COLOUR_OF, DISCARD_ALL, FIRST_WILD, RANK_OF
from .chance import Chance
from .plays import CHOOSING, is_set, needs_target, play, playable, probe, swept, targets
from .position import Position
from .records import record


@record
class Move:
    """`card` may be played by `seat` now: with one of `colours`, one of `targets`, holding back at least `keep_least`
    of `keep`, and with up to `most_mates` of `mates` beside it. Empty domains: no such choice. Not `alone`:
    only together with mates.
    """

    seat: int
    card: int
    colours: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    keep_least: int = 0
    mates: tuple[int, ...] = ()
    most_mates: int = 0
    alone: bool = True

    def contains(self, action: Play) -> bool:
        """Whether `action` is this move with choices from its domains."""
        cards = (action.card, *action.mates)
        return (
            (action.seat, action.card) == (self.seat, self.card)
            and (action.colour in self.colours if self.colours else self._fits_colour(action.colour, cards))
            and (action.target in self.targets if self.targets else action.target < 0 or RANK_OF[self.card] in CHOOSING)
            and len(action.keep) >= self.keep_least
            and not Counter(action.keep) - Counter(self.keep)
            and not Counter(action.mates) - Counter(self.mates)
            and (0 if self.alone else 1) <= len(action.mates) <= self.most_mates
            and not (action.mates and action.keep)
            and not action.went
        )

    @staticmethod
    def _fits_colour(colour: int, cards: tuple[int, ...]) -> bool:
        return colour < 0 or any(COLOUR_OF[card] == colour for card in cards)

    def sample(self, chance: Chance) -> Play:
        """One of its single-card plays (not `alone`: with one mate), drawn evenly from every domain."""
        keep = list(self.keep)
        chance.shuffle(keep)
        size = self.keep_least + chance.below(len(keep) - self.keep_least + 1)
        return Play(
            self.seat,
            self.card,
            self.colours[chance.below(len(self.colours))] if self.colours else -1,
            self.targets[chance.below(len(self.targets))] if self.targets else -1,
            () if self.alone else self.mates[:1],
            tuple(keep[:size]),
        )

    def enumerate(self, most: int = 1000) -> Iterator[Play]:
        """Its single-card plays, each once, `most` at the most."""
        return islice(self._all(), most)

    def _all(self) -> Iterator[Play]:
        mates = () if self.alone else self.mates[:1]
        for colour in self.colours or (-1,):
            for target in self.targets or (-1,):
                seen = set()
                for size in range(self.keep_least, len(self.keep) + 1):
                    for keep in combinations(sorted(self.keep), size):
                        if keep not in seen:
                            seen.add(keep)
                            yield Play(self.seat, self.card, colour, target, mates, keep)


def moves(pos: Position, seat: int) -> list[Move]:
    """All moves of `seat`, in order of kind, and those that may only be played together with `mates`."""
    return [_move(pos, seat, card) for card in playable(pos, seat)] + _only_as_set(pos, seat)


def _move(pos: Position, seat: int, card: int) -> Move:
    rank, hand = RANK_OF[card], pos.hands[seat]
    keep: tuple[int, ...] = ()
    least = 0
    if rank == DISCARD_ALL:
        keep = swept(pos, Play(seat, card))
        if len(keep) + 1 == len(hand) and not pos.rules.may_be_last[card]:
            least = 1
    mates = _mates(pos, seat, card)
    most = len(mates)
    if not pos.rules.may_be_last[card]:
        most = min(most, len(hand) - 2 if not keep else most)
    return Move(
        seat,
        card,
        (0, 1, 2, 3) if card >= FIRST_WILD else (),
        tuple(targets(pos, seat)) if needs_target(pos, rank, len(hand) == 1) else (),
        keep,
        least,
        mates,
        most,
    )


def _mates(pos: Position, seat: int, card: int) -> tuple[int, ...]:
    """What may be played beside `card`: at least one of them alone makes a legal set with it."""
    if pos.rules.sets == "off" or (pos.drawn is not None and seat == pos.turn):
        return ()
    rest = pos.hands[seat][:]
    if card not in rest:
        return ()
    rest.remove(card)
    single = probe(pos, seat, card)
    beside = []
    for mate in rest:
        if is_set(pos, (card, mate)):
            together = Play(seat, card, single.colour, single.target, (mate,))
            if play(pos, together) is None or play(pos, together) == "last-card":
                beside.append(mate)
    return tuple(beside)


def _only_as_set(pos: Position, seat: int) -> list[Move]:
    """Two draw-twos that answer a wild draw four, where neither would alone (rules §6, draw-two-pair)."""
    if pos.chain is None or not pos.chain.four:
        return []
    pairs = [card for card, count in Counter(pos.hands[seat]).items() if count > 1]
    found = [card for card in pairs if play(pos, Play(seat, card, mates=(card,))) is None]
    return [Move(seat, card, mates=(card,), most_mates=1, alone=False) for card in sorted(found) if COLOUR_OF[card] < 4]
