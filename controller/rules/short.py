"""The short way through `apply`: the commonest actions in positions where nothing unusual is pending.

Nothing here is a rule of its own: each function does what the long way does, with the questions left out that a
position's mood (`Position.mood`) and the rule set (`RuleSet.swift`) have already answered, and returns None where it
cannot. That both ways give the same events and position is a property test. They are worth their lines because
simulations, bots and counts of positions live from them.
"""

from __future__ import annotations

from .actions import Hit, Play
from .cards import (
    COLOUR_OF,
    DISCARD_ALL,
    FIRST_WILD,
    HIT_1,
    HIT_2,
    KINDS,
    NO_COLOUR,
    RANK_OF,
    RANKS,
    REVERSE,
    SKIP,
    TRADE_HANDS,
    WILD_ALL_HIT,
    WILD_HIT_4,
    WILD_HIT_FIRE,
)
from .events import Event, Owes, Played, Took
from .fits import FITS, UNFIT
from .playing import all_hit, one_card_left, swap
from .plays import UNITS_OF, can_be_chosen, swept
from .position import CALM, DRAWN, FIRE, OWED, Debt, Position, Shot

_SHORT = {SKIP, REVERSE, DISCARD_ALL, TRADE_HANDS, HIT_1, HIT_2, WILD_HIT_4, WILD_ALL_HIT, WILD_HIT_FIRE}
"""Ranks with an effect that have a short way."""


def play(pos: Position, action: Play, mood: int) -> list[Event] | None:
    """A single card by the player in turn, who keeps one card at least."""
    seat, card, colour = action.seat, action.card, action.colour
    if seat != pos.turn or not 0 < card < KINDS or not pos.fits[card] or action.mates or action.keep or action.went:
        return None
    hand = pos.hands[seat]
    if card not in hand or len(hand) < 2 or (mood and card not in pos.drawn):  # type: ignore[operator]
        return None
    rules, rank, target = pos.rules, RANK_OF[card], action.target
    if target >= 0 if rank != TRADE_HANDS else not can_be_chosen(pos, seat, target):
        return None
    along: tuple[int, ...] = ()
    if rank == DISCARD_ALL:
        along = swept(pos, action)
        if len(along) + 1 == len(hand):
            return None
    plain = rules.plain[card]
    if not plain and rank not in _SHORT:
        return None
    if card < FIRST_WILD:
        if colour >= 0:
            return None
        active = COLOUR_OF[card]
    elif 0 <= colour < NO_COLOUR:
        active = colour
    else:
        return None
    for other in along:
        hand.remove(other)
        pos.discards.append(other)
    hand.remove(card)
    pos.discards.append(card)
    pos.colour, pos.fits, pos.unfit = active, FITS[active][rank], UNFIT[active][rank]
    if pos.exposed:
        pos.exposed = 0
    if mood:
        pos.begun = False
        pos.drawn = None
        pos.mood = CALM
    events: list[Event] = [Played(seat, (card,), colour, target, along)]
    after = pos.after
    if plain or rank == DISCARD_ALL:
        pos.turn = after[seat]
    elif rank == SKIP:
        pos.turn = seat if pos.inside.bit_count() == 2 else after[after[seat]]
    elif rank == REVERSE:
        pos.turn_round()
        two = rules.two_player_reverse == "skip" and pos.inside.bit_count() == 2
        pos.turn = seat if two else pos.after[seat]
    elif rank == TRADE_HANDS:
        left = len(hand)
        swap(pos, seat, target, events)
        pos.turn = after[seat]
        one_card_left(pos, seat, left)
        return events
    elif rank == WILD_ALL_HIT:
        all_hit(pos, seat, events)
        pos.turn = after[seat]
        pos.mood = OWED
    else:
        _charge(pos, after[seat], rank, events)
    if len(hand) > 1:
        if pos.called:
            pos.called &= ~(1 << seat)
    elif not pos.called >> seat & 1:
        pos.exposed |= 1 << seat
    return events


def _charge(pos: Position, victim: int, rank: int, events: list[Event]) -> None:
    """`victim` owes for a hit card and loses the turn."""
    until, units = (FIRE, 1) if rank == WILD_HIT_FIRE else ("", UNITS_OF[rank])
    why = RANKS[rank]
    pos.debts.append(Debt(victim, units, until, why, True, True))
    pos.turn = victim
    pos.resume = pos.after[victim]
    pos.mood = OWED
    events.append(Owes(victim, units, until, why))


def hit(pos: Position, action: Hit) -> list[Event] | None:
    """A press by the player in turn, who owes nothing and has not pressed yet."""
    seat, count, pile = action.seat, action.cards, pos.pile
    if seat != pos.turn or not 0 <= count < len(pile):
        return None
    if not count:
        pos.exposed = 0
        pos.shot = Shot(seat, ())
        pos.turn = pos.after[seat]
        return [Took(seat, (), "hit")]
    hand, fits, rules = pos.hands[seat], pos.fits, pos.rules
    if len(hand) < 2:
        return None
    ends = rules.after_draw == "end" or (rules.after_voluntary_draw == "end" and bool(hand.translate(None, pos.unfit)))
    pos.exposed = 0
    came = _come(pos, seat, count)
    if not ends:
        for card in came:
            if fits[card]:
                pos.drawn = came
                pos.begun = True
                pos.mood = DRAWN
                return [Took(seat, came, "hit")]
    pos.turn = pos.after[seat]
    return [Took(seat, came, "hit")]


def _come(pos: Position, seat: int, count: int) -> tuple[int, ...]:
    """`count` cards, fewer than the pile holds, come to a hand."""
    pile = pos.pile
    came = tuple(pile[: -count - 1 : -1])
    del pile[-count:]
    pos.hands[seat].extend(came)
    keep = ~(1 << seat)
    pos.called &= keep
    pos.exposed &= keep
    pos.shot = Shot(seat, came)
    return came


def pay(pos: Position, action: Hit) -> list[Event] | None:
    """A press for a hit card that was played."""
    seat, count = action.seat, action.cards
    debt = pos.debts[0]
    until, units = debt.until, debt.units
    if seat != debt.seat or not 0 <= count < len(pos.pile) or (until and until != FIRE):
        return None
    if pos.exposed and (debt.loses or seat == pos.resume):
        pos.exposed = 0
    if count:
        came = _come(pos, seat, count)
    else:
        came = ()
        pos.shot = Shot(seat, ())
    if until:
        if not count:
            return [Took(seat, came, "hit")]
    elif units > 1:
        pos.debts[0] = Debt(seat, units - 1, "", debt.why, True, debt.loses)
        return [Took(seat, came, "hit")]
    debts = pos.debts
    del debts[0]
    if debts:
        pos.turn = debts[0].seat
    else:
        pos.turn = pos.resume
        pos.resume = -1
        pos.mood = CALM
    return [Took(seat, came, "hit")]
