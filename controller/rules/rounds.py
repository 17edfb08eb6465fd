"""A round from its deal to its end: who deals, the start card, going out, counting, the score (rules §3, §5, §7)."""

from __future__ import annotations

from dataclasses import replace

from .cards import (
    COLOUR_OF,
    DRAW_TWO,
    FIRST_WILD,
    HIT_1,
    HIT_2,
    RANK_OF,
    RANKS,
    REVERSE,
    SKIP,
    TRADE_HANDS,
    UNKNOWN,
    WILD,
    WILD_ALL_HIT,
    WILD_ATTACK_ATTACK,
    WILD_CUSTOMIZABLE,
    WILD_DRAW_FOUR,
    WILD_HIT_4,
    WILD_HIT_FIRE,
    points,
)
from .chance import Chance
from .events import Counted, Counting, Dealt, Event, MatchOver, RoundOver, Turned, WentOut
from .fits import NO_WILD
from .matches import CHARGING, end_by_host, ranking, score_round, still_in
from .plays import UNITS_OF
from .position import COUNT, FIRE, MATCH_OVER, PLAY, ROUND_OVER, START, Debt, Position, next_seats
from .rotation import sitting
from .taking import owe, pass_turn

Drawn = tuple[tuple[tuple[int, int], ...], ...]


def draw_for_dealer(pos: Position, seats: tuple[int, ...], chance: Chance) -> tuple[int, Drawn]:
    """Each of `seats` draws a card, the highest number deals, tied leaders again. The dealer and what was drawn.

    In a deck whose cards are all worth the same here nobody would ever lead: a plain lot decides.
    """
    if len({_worth(card) for card in pos.rules.deck_order}) == 1:
        return seats[chance.below(len(seats))], ()
    rounds: list[tuple[tuple[int, int], ...]] = []
    leaders = seats
    while len(leaders) > 1:
        cards = list(pos.rules.deck_order)
        drawn = tuple((seat, cards.pop(chance.below(len(cards)))) for seat in leaders)
        rounds.append(drawn)
        worth = {seat: _worth(card) for seat, card in drawn}
        best = max(worth.values())
        leaders = tuple(seat for seat in leaders if worth[seat] == best)
    return leaders[0], tuple(rounds)


def _worth(card: int) -> int:
    """What `card` is worth in the draw for the dealer: its number; a non-number counts as nothing."""
    return RANK_OF[card] if RANK_OF[card] < SKIP else -1


def next_dealer(pos: Position) -> int:
    """Who deals after the round that was played last (rules §3.1)."""
    state, rules = pos.match, pos.rules
    result = state.rounds[-1]
    if pos.settings.format == "last-standing":
        dealer = result.loser
    elif rules.next_dealer == "winner":
        dealer = result.winner
    else:
        dealer = _loser(pos)
    inside = sum(1 << seat for seat in still_in(state))
    left = next_seats(pos.seating, inside, 1)
    if dealer < 0:
        return left[result.dealer]
    return dealer if inside >> dealer & 1 else left[dealer]


def _loser(pos: Position) -> int:
    """Most points in hand; tied: the first from the dealer's left."""
    held, seating = pos.counted, pos.seating
    place = seating.index(pos.dealer) + 1
    inside = [seat for seat in (*seating[place:], *seating[:place]) if held[seat] >= 0]
    return max(inside, key=lambda seat: held[seat]) if inside else -1


def deal(pos: Position, chance: Chance, ev: list[Event]) -> None:
    """The next round: the dealer, the hands, and (not at a physical table) the start card."""
    seats = still_in(pos.match)
    drawn: Drawn = ()
    if pos.match.rounds:
        dealer = next_dealer(pos)
    elif pos.dealer >= 0:
        dealer = pos.dealer
    elif pos.physical:
        dealer = seats[-1]
    else:
        dealer, drawn = draw_for_dealer(pos, seats, chance)
    pos.dealer = dealer
    pos.match = replace(pos.match, number=pos.match.number + 1)
    if pos.settings.rotation:
        pos.seating = sitting(pos.settings.rotation, pos.match.number).tables[0]
    pos.begin_round(sum(1 << seat for seat in seats))
    size, total = pos.rules.hand_size, len(pos.rules.deck_order)
    if pos.physical:
        pos.pile = bytearray(total)
    else:
        pos.pile = bytearray(pos.rules.deck_order)
        chance.shuffle(pos.pile)
    deal_hands(pos, size)
    ev.append(Dealt(pos.match.number, dealer, size, seats, drawn))
    if pos.physical:
        pos.phase = START
    else:
        turn_up(pos, chance, ev)


def deal_hands(pos: Position, size: int) -> None:
    """`size` cards to each empty hand inside the round, one at a time from the dealer's left."""
    left = next_seats(pos.seating, pos.inside, 1)
    order = []
    seat = left[pos.dealer]
    for _ in range(pos.count_inside):
        if not pos.hands[seat]:
            order.append(seat)
        seat = left[seat]
    pile, dealt = pos.pile, len(order)
    for place, seat in enumerate(order):
        pos.hands[seat] += pile[-1 - place : -1 - dealt * size : -dealt]
    del pile[len(pile) - dealt * size :]


def _goes_back(pos: Position, card: int) -> bool:
    rank = RANK_OF[card]
    if rank in (WILD, WILD_ATTACK_ATTACK, WILD_CUSTOMIZABLE):
        return pos.rules.start_wild == "put-back"
    return rank in (TRADE_HANDS, WILD_DRAW_FOUR)


def turn_up(pos: Position, chance: Chance, ev: list[Event]) -> None:
    """Turn cards up until one stays; it does what rules §3 says."""
    while True:
        card = pos.pile.pop()
        if not _goes_back(pos, card) or all(_goes_back(pos, other) for other in pos.pile):
            break
        ev.append(Turned(card, put_back=True))
        above = chance.below(len(pos.pile) + 1)
        pos.pile.insert(len(pos.pile) - above, card)
    ev.append(Turned(card))
    start(pos, card, ev)


def start_physical(pos: Position, card: int, ev: list[Event]) -> None:
    """The host says which card was turned up, unnamed (§9, `tracking`) or not; one that goes back is turned again."""
    if _goes_back(pos, card):
        ev.append(Turned(card, put_back=True))
        return
    if pos.pile:
        pos.pile.pop()
    ev.append(Turned(card))
    start(pos, card, ev)


def start(pos: Position, card: int, ev: list[Event]) -> None:
    """`card` lies face up and play begins (rules §3.3)."""
    rules = pos.rules
    pos.phase = PLAY
    pos.discards = bytearray((card,))
    rank = RANK_OF[card]
    pos.show_top(COLOUR_OF[card], rank)
    left = next_seats(pos.seating, pos.inside, 1)[pos.dealer]
    dealer = pos.dealer if pos.inside >> pos.dealer & 1 else left
    first = dealer if rules.first_player == "dealer" else left
    pass_turn(pos, first)
    if rank == SKIP:
        pass_turn(pos, pos.after[first])
    elif rank == REVERSE:
        pos.turn_round()
        right = next_seats(pos.seating, pos.inside, -1)[pos.dealer]
        pass_turn(pos, dealer if rules.start_reverse == "dealer" else right)
    elif rank in (DRAW_TWO, HIT_1, HIT_2, WILD_HIT_4):
        limits = 0 if rules.wild_after_draw else NO_WILD  # it cannot be answered: never `colour-only`
        owe(pos, Debt(first, UNITS_OF[rank], "", RANKS[rank], card=True, loses=True, limits=limits), ev)
        pos.resume = pos.after[first]
        if rank == WILD_HIT_4:
            pos.naming = pos.resume
    elif rank == WILD_HIT_FIRE:
        owe(pos, Debt(first, 1, FIRE, RANKS[rank], card=True, loses=True), ev)
        pos.resume = pos.naming = pos.after[first]
    elif rank == WILD_ALL_HIT:
        seat = first
        for _ in range(pos.count_inside):
            if seat != pos.dealer:
                owe(pos, Debt(seat, 1, "", RANKS[rank], card=True), ev)
            seat = pos.after[seat]
        pos.resume = pos.naming = first
    elif card >= FIRST_WILD:
        pos.naming = left if rules.start_wild == "left-of-dealer-names" else first


def settle(pos: Position, ev: list[Event]) -> None:
    """Once nothing is owed and no slap is due: who has gone out, and whether the round is over."""
    if pos.phase != PLAY or pos.debts or pos.slap or pos.resume >= 0:
        return
    if not all(pos.hands):
        empty = [seat for seat in pos.seats_inside() if not pos.hands[seat]]
        for seat in sorted(
            empty, key=lambda seat: pos.emptied.index(seat) if seat in pos.emptied else len(pos.players)
        ):
            if pos.phase == PLAY:
                _go_out(pos, seat, ev)
    if pos.idle and pos.phase == PLAY and pos.idle >= pos.count_inside:
        finish(pos, -1, ev)


def _go_out(pos: Position, seat: int, ev: list[Event]) -> None:
    pos.out = (*pos.out, seat)
    ev.append(WentOut(seat))
    if pos.silence == seat:
        pos.silence = -1
    if pos.settings.format != "last-standing":
        finish(pos, seat, ev)
        return
    pos.remove_seat(seat)
    bit = ~(1 << seat)
    pos.called &= bit
    pos.exposed &= bit
    if pos.turn == seat:
        pass_turn(pos, pos.after[seat])
    if pos.count_inside <= 1:
        finish(pos, pos.out[0], ev)


def finish(pos: Position, winner: int, ev: list[Event]) -> None:
    """The round is played. Score it, or wait for hands that have to be counted."""
    _come_to_rest(pos)
    pos.out = pos.out if winner < 0 or winner in pos.out else (*pos.out, winner)
    form = pos.settings.format
    held = [-1] * len(pos.players)
    for seat in still_in(pos.match):
        if UNKNOWN not in pos.hands[seat]:
            held[seat] = points(pos.hands[seat])
    pos.counted = tuple(held)
    counts = form in (*CHARGING, "single") or winner >= 0 or pos.rules.next_dealer == "loser"
    if counts and form != "last-standing" and to_count(pos):
        pos.phase = COUNT
        ev.append(Counting(to_count(pos)))
    else:
        close(pos, ev)


def to_count(pos: Position) -> tuple[int, ...]:
    """Whose hands are still to be counted."""
    return tuple(seat for seat in still_in(pos.match) if pos.counted[seat] < 0)


def count_hand(pos: Position, seat: int, held: int, cards: tuple[int, ...], ev: list[Event]) -> None:
    """`seat` holds `held` points (`cards`, when they are named); with the last one the round is scored."""
    counted = list(pos.counted)
    counted[seat] = held
    pos.counted = tuple(counted)
    if cards:
        pos.hands[seat] = bytearray(cards)
    ev.append(Counted(seat, held, cards))
    if not to_count(pos):
        close(pos, ev)


def close(pos: Position, ev: list[Event]) -> None:
    """Score the round; the match may be over with it."""
    winner = pos.out[0] if pos.out else -1
    loser = -1
    if pos.settings.format == "last-standing" and winner >= 0:
        holding = [seat for seat in still_in(pos.match) if seat not in pos.out]
        loser = holding[0] if len(holding) == 1 else -1
    held = [max(0, points) for points in pos.counted]
    playing = sum(1 << seat for seat in still_in(pos.match))
    before = pos.match
    teams = pos.settings.teams
    if pos.settings.partners:
        teams = (pos.seating[::2], pos.seating[1::2])
    pos.match = score_round(pos.settings, before, pos.dealer, winner, loser, held, playing, teams)
    eliminated = tuple(
        seat for seat in range(len(pos.players)) if (pos.match.eliminated & ~before.eliminated) >> seat & 1
    )
    result = pos.match.rounds[-1]
    ev.append(RoundOver(winner, result.points, result.scores, eliminated))
    pos.phase = ROUND_OVER
    if pos.match.over:
        pos.phase = MATCH_OVER
        ev.append(MatchOver(pos.match.winners, ranking(pos.settings, pos.match)))
    else:
        end_if_alone(pos, ev)


def end_match(pos: Position, ev: list[Event]) -> None:
    """The host ends the match after the round that was played last."""
    pos.match = end_by_host(pos.settings, pos.match)
    pos.phase = MATCH_OVER
    ev.append(MatchOver(pos.match.winners, ranking(pos.settings, pos.match)))


def abandon(pos: Position, ev: list[Event]) -> None:
    """One player is left: the round is over unscored, and the match with it when nobody else is in it (rules §6)."""
    _come_to_rest(pos)
    scores = pos.match.scores
    ev.append(RoundOver(-1, (0,) * len(scores), scores))
    pos.phase = ROUND_OVER
    end_if_alone(pos, ev)


def end_if_alone(pos: Position, ev: list[Event]) -> None:
    """Between rounds: whoever is the last one left in the match has won it, there is nobody to play on with."""
    left = still_in(pos.match)
    if len(left) <= 1:
        pos.match = replace(pos.match, over=True, winners=left)
        pos.phase = MATCH_OVER
        ev.append(MatchOver(left, ranking(pos.settings, pos.match)))


def _come_to_rest(pos: Position) -> None:
    """Nothing of the round is left to be done."""
    pos.debts.clear()
    pos.chain, pos.resume, pos.naming, pos.slap, pos.drawn, pos.race = None, -1, -1, 0, None, None
