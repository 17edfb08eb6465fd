"""What the host does to a game: a reload, somebody leaves, something is put right (rules §6 leaving, §8, §9).

That it may be done is settled before (`engine`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .cards import NO_COLOUR, RANK_OF, UNKNOWN
from .events import Event, HostSet, Left, Named, Reloaded, Returned
from .matches import side_of
from .position import BEFORE, COUNT, PLAY, ROUND_OVER, START, Position
from .rounds import abandon, close, end_if_alone, finish, to_count
from .taking import pass_turn


def reload(pos: Position, cards: int, ev: list[Event]) -> None:
    """The hopper is refilled with all discards but the top, or with `cards` cards (then those count as in it too)."""
    went = len(pos.discards) - 1
    count = went if cards < 0 else cards
    del pos.discards[:-1]
    pos.pile[:0] = bytes(count)
    pos.low_told = False
    ev.append(Reloaded(count))


def leave(pos: Position, seat: int, ev: list[Event]) -> None:
    """`seat` leaves the match: cards under the discards, debts lapse, pending choices take their default."""
    pos.match = replace(pos.match, left=pos.match.left | 1 << seat)
    ev.append(Left(seat))
    if pos.phase in (BEFORE, ROUND_OVER):
        end_if_alone(pos, ev)
    elif pos.phase == COUNT and not to_count(pos):
        close(pos, ev)
    elif pos.phase in (START, PLAY) and pos.inside >> seat & 1:
        _leave_round(pos, seat, ev)


def _leave_round(pos: Position, seat: int, ev: list[Event]) -> None:
    pos.discards[:0] = pos.hands[seat]
    pos.hands[seat] = bytearray()
    bit = 1 << seat
    owed = any(debt.card and debt.seat == seat for debt in pos.debts)
    if pos.chain is not None and owed:
        pos.chain = None
    elif pos.chain is not None and pos.chain.first == seat:
        pos.chain = replace(pos.chain, first=-1)
    pos.debts = [debt for debt in pos.debts if debt.seat != seat]
    pos.called &= ~bit
    pos.exposed &= ~bit
    if pos.silence == seat:
        pos.silence = -1
    if pos.race is not None and pos.race[0] == seat:
        pos.race = None
    if pos.slap & bit:
        pos.slap = 0
    successor = pos.after[seat]
    pos.remove_seat(seat)
    if pos.naming == seat:
        _name_default(pos, seat, ev)
    if pos.resume == seat:
        pos.resume = successor
    if pos.turn == seat and not any(debt.card for debt in pos.debts):
        pass_turn(pos, pos.resume if pos.resume >= 0 else successor)
        pos.resume = -1
    if pos.slap.bit_count() == 1:
        pos.slap = 0
    if pos.count_inside <= 1:
        if pos.out and pos.phase == PLAY:
            finish(pos, pos.out[0], ev)
        else:
            abandon(pos, ev)


def come_back(pos: Position, seat: int, ev: list[Event]) -> None:
    """`seat`, who had left, plays from the next round on, with the standing it had."""
    pos.match = replace(pos.match, left=pos.match.left & ~(1 << seat))
    ev.append(Returned(seat))


def _name_default(pos: Position, seat: int, ev: list[Event]) -> None:
    """The colour active before, else the first of red, yellow, green, blue."""
    pos.naming = -1
    colour = pos.colour if pos.colour != NO_COLOUR else 0
    pos.show_top(colour, RANK_OF[pos.top], pos.limits)
    ev.append(Named(seat, colour))


def set_hand(pos: Position, seat: int, count: int, ev: list[Event]) -> None:
    """`seat` holds `count` cards: unknown ones are taken from, or put back into, the hopper's count.

    With fewer cards than are known of the hand nobody knows which are left: all of them are unknown then.
    """
    hand = pos.hands[seat]
    if count < len(hand) - hand.count(UNKNOWN):
        hand[:] = bytes(len(hand))
    while len(hand) > count:
        hand.remove(UNKNOWN)
        pos.pile.insert(0, UNKNOWN)
    while len(hand) < count:
        hand.append(UNKNOWN)
        if UNKNOWN in pos.pile:
            pos.pile.remove(UNKNOWN)
    if seat == pos.turn and pos.drawn is not None and Counter(pos.drawn) - Counter(hand):
        pos.drawn = tuple(bytes(min(len(pos.drawn), count)))
    if len(hand) != 1:
        pos.called &= ~(1 << seat)
        pos.exposed &= ~(1 << seat)
    ev.append(HostSet("hand", seat, count))


def set_score(pos: Position, seat: int, score: int, ev: list[Event]) -> None:
    """`seat`, and whoever scores with it, has `score` points; and so many chips, or rounds lost, where those count."""
    match, side = pos.match, side_of(pos.settings.teams, seat)

    def put(counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(score if each in side else count for each, count in enumerate(counts))

    match = replace(match, scores=put(match.scores))
    if pos.settings.format == "chips":
        match = replace(match, chips=put(match.chips))
    elif pos.settings.format == "last-standing":
        match = replace(match, lost=put(match.lost))
    pos.match = match
    ev.append(HostSet("score", seat, score))


def set_turn(pos: Position, seat: int, ev: list[Event]) -> None:
    """It is `seat`'s turn; what is owed for a card lapses, a colour that was to be named is theirs to name."""
    pos.debts = [debt for debt in pos.debts if not debt.card and not debt.own]
    pos.chain, pos.resume = None, -1
    pos.race = None
    if pos.naming >= 0:
        pos.naming = seat
    pass_turn(pos, seat)
    ev.append(HostSet("turn", seat, seat))


def set_direction(pos: Position, step: int, ev: list[Event]) -> None:
    """Play goes by `step`; also after what is owed: next is whoever is next now."""
    if pos.step != step:
        pos.turn_round()
        losing = [debt.seat for debt in pos.debts if debt.card and debt.loses]
        if losing:
            names = pos.naming == pos.resume  # the colour of a start card
            pos.resume = pos.after[losing[-1]]
            pos.naming = pos.resume if names else pos.naming
    ev.append(HostSet("direction", -1, step))


def set_colour(pos: Position, colour: int, ev: list[Event]) -> None:
    """`colour` is active; a start card's colour is named with it."""
    pos.naming = -1
    pos.show_top(colour, RANK_OF[pos.top], pos.limits)
    ev.append(HostSet("colour", -1, colour))
