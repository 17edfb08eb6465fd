"""A card is played: where it goes, what it does, who is next. The effects of rules §5 and §6, one function each.

House rules hook here by rank and option; each effect ends by saying who plays next (`pos.turn`), or who owes and who
plays after that (`owe`, `pos.resume`). That the play is allowed is settled before (`legal.play`).
"""

from __future__ import annotations

from .actions import Play
from .cards import (
    COLOUR_OF,
    DISCARD_ALL,
    DRAW_TWO,
    FIRST_WILD,
    HIT_1,
    HIT_2,
    NO_COLOUR,
    RANK_OF,
    RANKS,
    RED,
    REVERSE,
    SKIP,
    TRADE_HANDS,
    UNKNOWN,
    WILD_ALL_HIT,
    WILD_ATTACK_ATTACK,
    WILD_DRAW_FOUR,
    WILD_HIT_4,
    WILD_HIT_FIRE,
    kind,
)
from .chance import Chance
from .events import Event, Played, Rotated, Swapped
from .fits import COLOUR_ONLY, HOUSE_RANKS, NO_WILD
from .options import RuleSet
from .plays import UNITS_OF, chain_debt, four_illegal, taken_along
from .position import COLOUR, FIRE, Chain, Debt, Position
from .taking import NEXT_BEGINS, NEXT_PLAYS, owe, pass_turn


def play(pos: Position, action: Play, chance: Chance, ev: list[Event]) -> None:
    """Put the cards down and let them do what they do."""
    seat, card = action.seat, action.card
    cards = (card, *action.mates)
    top = cards[-1]
    rank, debt = RANK_OF[top], chain_debt(pos) if pos.chain else None
    jumped = seat != pos.turn and not (pos.race and pos.race[0] == seat)
    evidence: tuple[int, ...] = ()
    if rank == WILD_DRAW_FOUR and debt is None:
        evidence = _evidence(pos, seat, cards)
    guilty = bool(evidence) and four_illegal(pos, evidence)
    along = _put_down(pos, action, cards, rank)
    wild = top >= FIRST_WILD
    colour = action.colour if wild or 0 <= action.colour < NO_COLOUR else COLOUR_OF[top]
    pos.show_top(colour, rank)
    if pos.exposed and pos.rules.catch_window in (NEXT_BEGINS, NEXT_PLAYS):
        pos.exposed = 0
    pos.race = None
    pos.idle = 0
    if pos.silence == seat:
        pos.silence = -1
    last = not pos.hands[seat]
    ev.append(
        Played(seat, cards, colour if wild or len(cards) > 1 else -1, action.target, along, jumped, debt is not None)
    )
    if last:
        pos.emptied = (*(other for other in pos.emptied if other != seat), seat)
    left = len(pos.hands[seat])
    if debt is not None:
        _answer(pos, action, cards, debt, ev)
    else:
        _effect(pos, action, cards, last, guilty, evidence, ev)
    one_card_left(pos, seat, left)


def _evidence(pos: Position, seat: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    hand = pos.hands[seat][:]
    for card in cards:
        hand.remove(card if card in hand else UNKNOWN)
    return tuple(hand)


def _put_down(pos: Position, action: Play, cards: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Move the cards from the hand to the discards; what a discard-all took along lies below."""
    hand = pos.hands[action.seat]
    along: tuple[int, ...] = ()
    if rank == DISCARD_ALL:
        along = taken_along(pos, action)
        for card in along:
            hand.remove(card)
        pos.discards.extend(along)
    for card in cards:
        hand.remove(card if card in hand else UNKNOWN)
    pos.discards.extend(cards)
    return along


def one_card_left(pos: Position, seat: int, left: int) -> None:
    """The calls that are spent, and who may be caught now: `left` cards were left by the play, before any swap (§6)."""
    bit = 1 << seat
    if len(pos.hands[seat]) != 1:
        pos.called &= ~bit
        pos.exposed &= ~bit
    elif left == 1 and not pos.called & bit:
        pos.exposed |= bit


def _steps(pos: Position, seat: int, count: int) -> int:
    for _ in range(count):
        seat = pos.after[seat]
    return seat


def _times(pos: Position, cards: tuple[int, ...]) -> int:
    return len(cards) if pos.rules.set_effects == "each" else 1


def _reverse(pos: Position, times: int) -> None:
    if times % 2:
        pos.turn_round()


def _effect(
    pos: Position,
    action: Play,
    cards: tuple[int, ...],
    last: bool,
    guilty: bool,
    evidence: tuple[int, ...],
    ev: list[Event],
) -> None:
    """What the cards do when they answer nothing."""
    seat, top = action.seat, cards[-1]
    rank, times = RANK_OF[top], 1 if len(cards) == 1 else _times(pos, cards)
    two = pos.count_inside == 2
    if rank == SKIP:
        pass_turn(pos, seat if two else _steps(pos, seat, times + 1))
    elif rank == REVERSE:
        _reverse(pos, times)
        pass_turn(pos, seat if two and pos.rules.two_player_reverse == "skip" else pos.after[seat])
    elif rank in (DRAW_TWO, HIT_1, HIT_2, WILD_DRAW_FOUR, WILD_HIT_4):
        chain = Chain(rank in (HIT_1, HIT_2, WILD_HIT_4), times)
        if rank == WILD_DRAW_FOUR:
            chain = Chain(False, len(cards), True, seat, guilty, False, evidence)
        _charge(pos, pos.after[seat], UNITS_OF[rank] * times, rank, chain, ev)
    elif rank == WILD_ATTACK_ATTACK:
        _attack(pos, seat, action.target, UNITS_OF[rank], Chain(True, 1), ev)
    elif rank == WILD_ALL_HIT:
        all_hit(pos, seat, ev)
    elif rank == WILD_HIT_FIRE:
        victim = pos.after[seat]
        until = FIRE if pos.rules.hit_fire == "until-fire" else COLOUR
        owe(pos, Debt(victim, 1, until, RANKS[rank], card=True, loses=True), ev)
        pos.resume = pos.after[victim]
    elif rank == TRADE_HANDS:
        if not last:
            swap(pos, seat, action.target, ev)
        pass_turn(pos, pos.after[seat])
    else:
        pass_turn(pos, pos.after[seat])
        if rank in HOUSE_RANKS:
            _house_number(pos, action, top, rank, last, ev)


def _house_number(pos: Position, action: Play, top: int, rank: int, last: bool, ev: list[Event]) -> None:
    """Numbers that do something by a house rule (rules §6)."""
    rules, seat = pos.rules, action.seat
    if rank == 0:
        if COLOUR_OF[top] == RED and rules.red_zero == "draw-ten":
            victim = pos.after[seat]
            owe(pos, Debt(victim, 10, "", "red-zero", card=True, loses=True), ev)
            pos.resume = pos.after[victim]
        elif rules.zero == "rotate-hands":
            _rotate(pos, ev)
    elif rank == 7 and rules.seven == "swap-hands" and not last:
        swap(pos, seat, action.target, ev)
    elif rank == 2 and rules.two == "silence":
        pos.silence = seat
    elif rank == 9 and rules.nine == "slap":
        pos.slap = pos.inside


def limits_for(rules: RuleSet, chain: Chain) -> int:
    """What may follow once this penalty, the units of a draw or hit card, has been paid (rules §6)."""
    limits = 0 if rules.wild_after_draw else NO_WILD
    if rules.after_chain == "colour-only" and could_answer(rules, chain):
        limits |= COLOUR_ONLY
    return limits


def could_answer(rules: RuleSet, chain: Chain) -> bool:
    """Whether anything in `defend` that the deck has answers this penalty."""
    words: tuple[str, ...] = ("wild-draw-four", "draw-two-pair")
    if not chain.four:
        own = ("hit-1", "hit-2", "wild-hit-4", "wild-attack-attack") if chain.hits else ("draw-two",)
        words = (*own, "wild-draw-four", "skip", "reverse")
    return any(word in rules.defend and _deck_has(rules, word) for word in words)


def _deck_has(rules: RuleSet, word: str) -> bool:
    """Whether the deck has what this word of `defend` needs."""
    rank, needed = (DRAW_TWO, 2) if word == "draw-two-pair" else (RANKS.index(word), 1)
    return any(rules.counts[kind(colour, rank)] >= needed for colour in range(NO_COLOUR))


def _charge(pos: Position, victim: int, units: int, rank: int, chain: Chain, ev: list[Event]) -> None:
    """`victim` owes, loses the turn, and may answer or challenge where the rules allow it."""
    rules = pos.rules
    why = "draw-two-pair" if chain.four and rank == DRAW_TWO else RANKS[rank]
    owe(pos, Debt(victim, units, "", why, True, True, False, limits_for(rules, chain)), ev)
    pos.resume = pos.after[victim]
    pos.chain = chain if chain.four or could_answer(rules, chain) else None


def _attack(pos: Position, seat: int, victim: int, units: int, chain: Chain, ev: list[Event]) -> None:
    """Attack-attack: the chosen player takes the hits and loses no turn."""
    rules = pos.rules
    owe(pos, Debt(victim, units, "", RANKS[WILD_ATTACK_ATTACK], True, limits=limits_for(rules, chain)), ev)
    pos.resume = _steps(pos, seat, 2 if rules.attack_attack_next == "second" else 1)
    pos.chain = chain if could_answer(rules, chain) else None


def all_hit(pos: Position, seat: int, ev: list[Event]) -> None:
    """Everyone but `seat` owes a hit, in turn order; then the next player plays."""
    victim = pos.after[seat]
    pos.resume = victim
    while victim != seat:
        owe(pos, Debt(victim, 1, "", RANKS[WILD_ALL_HIT], card=True), ev)
        victim = pos.after[victim]


def _answer(pos: Position, action: Play, cards: tuple[int, ...], debt: Debt, ev: list[Event]) -> None:
    """The live penalty is answered: the sum passes on (rules §6, defend)."""
    chain = pos.chain
    assert chain is not None
    seat, rank = action.seat, RANK_OF[cards[-1]]
    pair = chain.four and rank == DRAW_TWO
    times = len(cards) if pair else 1 if rank == WILD_ATTACK_ATTACK else _times(pos, cards)
    pos.debts.remove(debt)
    pos.begun = False
    two = pos.count_inside == 2
    if rank in (SKIP, REVERSE):
        if rank == REVERSE:
            _reverse(pos, times)
        victim = pos.after[seat] if two or rank == REVERSE else _steps(pos, seat, times + 1)
        _charge(pos, victim, debt.units, _rank_of(debt), chain, ev)
        return
    units = debt.units + UNITS_OF[rank] * times
    if rank == WILD_DRAW_FOUR and not chain.four:
        chain = Chain(chain.hits, chain.cards + times, True, seat, False, True)
    else:
        chain = Chain(
            chain.hits, chain.cards + times, chain.four, chain.first, chain.guilty, chain.answered, chain.evidence
        )
    if rank == WILD_ATTACK_ATTACK:
        _attack(pos, seat, action.target, units, chain, ev)
    else:
        _charge(pos, pos.after[seat], units, rank, chain, ev)


def _rank_of(debt: Debt) -> int:
    return RANKS.index(debt.why) if debt.why in RANKS else DRAW_TWO


def swap(pos: Position, seat: int, other: int, ev: list[Event]) -> None:
    """`seat` and `other` swap whole hands."""
    hands = pos.hands
    before = pos.hands[:]
    hands[seat], hands[other] = hands[other], hands[seat]
    ev.append(Swapped(seat, other))
    _hands_moved(pos, (seat, other), before)


def _rotate(pos: Position, ev: list[Event]) -> None:
    """Every hand goes to the next player in the direction of play, before anyone is held to have gone out."""
    old = pos.hands[:]
    seats = pos.seats_inside()
    for seat in seats:
        pos.hands[pos.after[seat]] = old[seat]
    ev.append(Rotated())
    _hands_moved(pos, tuple(seats), old)


def _hands_moved(pos: Position, seats: tuple[int, ...], before: list[bytearray]) -> None:
    """A hand that came down to one card by a swap owes no call, unless `swap_owes_call`."""
    for seat in seats:
        bit = 1 << seat
        if len(pos.hands[seat]) != 1:
            pos.exposed &= ~bit  # a call is spent by the caller's own play or taking of cards alone
        elif len(before[seat]) > 1:
            pos.exposed &= ~bit
            if pos.rules.swap_owes_call and not pos.called & bit:
                pos.exposed |= bit
