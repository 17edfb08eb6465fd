"""Everything that is wrong with a position, not only the first thing. An empty list: it can be played."""

from __future__ import annotations

from collections.abc import Iterator

from .cards import COLOUR_OF, NAME_OF, NO_COLOUR, RANK_OF, UNKNOWN
from .fits import fits_table
from .position import COUNT, PLAY, START, Position, next_seats


def defects(pos: Position) -> list[str]:
    """All defects of `pos`, in words; each names its place."""
    found: list[str] = []
    for check in (_seats, _cards, _face_up, _turn, _owed, _pending, _calls, _match):
        found += check(pos)
    return found


def _name(pos: Position, seat: int) -> str:
    return pos.players[seat] if 0 <= seat < len(pos.players) else f"seat {seat}"


def _in(pos: Position, seat: int) -> bool:
    return 0 <= seat < len(pos.players) and bool(pos.inside >> seat & 1)


def _seats(pos: Position) -> Iterator[str]:
    many = len(pos.players)
    if not pos.rules.least_players <= many <= pos.rules.most_players:
        yield f"{many} players, where {pos.rules.players} may play"
    if pos.inside >> many:
        yield "the round has seats that nobody sits on"
    if pos.inside & (pos.match.left | pos.match.eliminated):
        yield "somebody is in the round who left the match or is out of it"
    if pos.phase in (START, PLAY) and pos.count_inside < 2:
        yield f"a round of {pos.count_inside}"
    if pos.step not in (1, -1):
        yield f"play goes by {pos.step}"
    elif pos.after != next_seats(pos.seating, pos.inside, pos.step):
        yield "who is next does not fit who is in the round"
    if pos.phase != 0 and not 0 <= pos.dealer < many:
        yield "nobody deals"


def _cards(pos: Position) -> Iterator[str]:
    if pos.phase < START:
        return
    held = [0] * len(NAME_OF)
    for cards in (*pos.hands, pos.pile, pos.discards):
        for card in cards:
            held[card] += 1
    for card, count in enumerate(held[1:], 1):
        have = pos.rules.counts[card]
        if count > have:
            yield f"{count} of {NAME_OF[card]}, and the deck {pos.rules.deck} has {have}"
        elif count < have and not held[UNKNOWN]:
            yield f"{have - count} of {NAME_OF[card]} missing"
    if held[UNKNOWN] and not pos.physical:
        yield f"{held[UNKNOWN]} unknown cards at a digital table"
    total, deck = sum(held), len(pos.rules.deck_order)
    if total < deck and held[UNKNOWN]:
        yield f"{deck - total} cards missing of {deck}"
    for seat, hand in enumerate(pos.hands):
        if hand and not pos.inside >> seat & 1 and pos.phase == PLAY:
            yield f"{_name(pos, seat)} holds cards and is not in the round"


def _face_up(pos: Position) -> Iterator[str]:
    if pos.phase != PLAY:
        return
    if not pos.discards:
        yield "no card lies face up"
        return
    if not 0 <= pos.colour <= NO_COLOUR:
        yield f"colour {pos.colour}"
        return
    if pos.colour == NO_COLOUR and pos.naming < 0 and pos.top != UNKNOWN:
        yield f"no colour is active on a {NAME_OF[pos.top]}, and nobody has to name one"
    if pos.fits != fits_table(pos.colour, RANK_OF[pos.top], pos.limits):
        yield "what may follow does not fit the top card and colour"
    if COLOUR_OF[pos.top] == NO_COLOUR and pos.top == UNKNOWN and not pos.physical:
        yield "an unknown card lies face up at a digital table"


def _turn(pos: Position) -> Iterator[str]:
    if pos.phase != PLAY:
        return
    if not _in(pos, pos.turn):
        yield f"it is the turn of {_name(pos, pos.turn)}, who is not in the round"
        return
    if pos.drawn is not None:
        if not pos.begun:
            yield "cards were taken in a turn that has not begun"
        hand = pos.hands[pos.turn]
        if any(pos.drawn.count(card) > hand.count(card) for card in set(pos.drawn)):
            yield f"{_name(pos, pos.turn)} took cards that are not in the hand"
    if pos.must_play and pos.drawn is None:
        yield "a card must be played that did not come"


def _owed(pos: Position) -> Iterator[str]:
    if pos.debts and pos.phase != PLAY:
        yield "something is owed outside of a round"
        return
    for debt in pos.debts:
        if not _in(pos, debt.seat):
            yield f"{_name(pos, debt.seat)} owes and is not in the round"
        if debt.units < 1:
            yield f"{_name(pos, debt.seat)} owes {debt.units}"
    from_cards = [debt for debt in pos.debts if debt.card]
    if bool(from_cards) != (pos.resume >= 0):
        yield "a card's units and who plays after them do not go together"
    if from_cards and pos.turn != from_cards[0].seat:
        yield f"{_name(pos, from_cards[0].seat)} owes for a card, and it is the turn of {_name(pos, pos.turn)}"
    if pos.resume >= 0 and not _in(pos, pos.resume):
        yield f"{_name(pos, pos.resume)} is to play on and is not in the round"
    if pos.chain is not None and not from_cards:
        yield "a penalty is live that nobody owes"


def _pending(pos: Position) -> Iterator[str]:
    if pos.naming >= 0 and not _in(pos, pos.naming):
        yield f"{_name(pos, pos.naming)} has to name a colour and is not in the round"
    if pos.slap & ~pos.inside:
        yield "somebody has to slap who is not in the round"
    if pos.slap.bit_count() == 1:
        yield "a slap waits for one player only"
    if pos.silence >= 0 and not _in(pos, pos.silence):
        yield f"a silence of {_name(pos, pos.silence)}, who is not in the round"
    if pos.race is not None and not _in(pos, pos.race[0]):
        yield f"{_name(pos, pos.race[0])} may still play a card that came and is not in the round"
    if pos.phase != COUNT and len(pos.counted) != len(pos.players):
        yield "not every hand has a count"


def _calls(pos: Position) -> Iterator[str]:
    for seat, hand in enumerate(pos.hands):
        if pos.exposed >> seat & 1 and len(hand) != 1:
            yield f"{_name(pos, seat)} can be caught with {len(hand)} cards"
        if pos.exposed >> seat & pos.called >> seat & 1:
            yield f"{_name(pos, seat)} has called and can be caught"
    if (pos.exposed | pos.called) & ~pos.inside:
        yield "a call of somebody who is not in the round"


def _match(pos: Position) -> Iterator[str]:
    many = len(pos.players)
    for name in ("scores", "chips", "marks", "lost"):
        if len(getattr(pos.match, name)) != many:
            yield f"{len(getattr(pos.match, name))} {name} for {many} players"
    if pos.mood != pos.find_mood():
        yield "the mood is not that of the position"
