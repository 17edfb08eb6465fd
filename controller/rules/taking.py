"""Cards come to a hand: hits, draws, penalties, and what is owed. Also how a turn ends and what is due after it.

Every function here changes a position and adds to `ev`; that it may is settled before (`legal`).
"""

from __future__ import annotations

from .actions import Draw, Hit
from .cards import COLOUR_OF, FIRST_WILD, RANK_OF, SKIP, UNKNOWN
from .chance import Chance
from .events import Event, Forgiven, HopperLow, HopperOver, Owes, Passed, Shuffled, Took
from .plays import by_choice, play, probe
from .position import COLOUR, FIRE, Debt, Position, Shot

NEXT_BEGINS, NEXT_PLAYS = "next-begins", "next-plays"


def refill(pos: Position, chance: Chance, ev: list[Event]) -> None:
    """The pile ran out: all discards but the top are shuffled into it (rules §6, pile empty)."""
    cards = pos.discards[:-1]
    if not cards:
        return
    del pos.discards[:-1]
    if pos.physical:
        cards = bytearray(len(cards))
    else:
        chance.shuffle(cards)
    pos.pile[:0] = cards
    ev.append(Shuffled(len(cards)))


def take(pos: Position, seat: int, count: int, how: str, chance: Chance, ev: list[Event]) -> tuple[int, ...]:
    """`seat` takes up to `count` cards from the pile or hopper: what came. Refills the pile when a card is needed."""
    if not count:
        ev.append(Took(seat, (), how))
        return ()
    cards = bytearray()
    pile = pos.pile
    if count > len(pile) and pos.physical and pos.rules.launcher:
        if len(pile) < count:
            ev.append(HopperOver(count - len(pile)))
        cards = pile[::-1] + bytes(count - len(pile))
        pile.clear()
    else:
        while count > 0:
            if not pile:
                refill(pos, chance, ev)
                if not pile:
                    break
            part = pile[: -count - 1 : -1]
            del pile[-count:]
            cards += part
            count -= len(part)
    hand = pos.hands[seat]
    hand += cards
    if len(hand) != 1:
        keep = ~(1 << seat)
        pos.called &= keep
        pos.exposed &= keep
    if cards:
        pos.idle = 0
        below = pos.rules.reload_below
        if pos.physical and len(pile) < below and not pos.low_told and pos.rules.launcher:
            pos.low_told = True
            ev.append(HopperLow(len(pile)))
    came = tuple(cards)
    ev.append(Took(seat, came, how))
    return came


def penalty(pos: Position, seat: int, units: int, why: str, chance: Chance, ev: list[Event]) -> None:
    """Units that do not move the turn: dealt at once from a pile; at a launcher owed before anything else (§4)."""
    if units <= 0:
        return
    if pos.rules.launcher:
        pos.debts.insert(0, Debt(seat, units, why=why))
        ev.append(Owes(seat, units, "", why))
    else:
        take(pos, seat, units, "penalty", chance, ev)


def owe(pos: Position, debt: Debt, ev: list[Event]) -> None:
    """`debt` comes upon its seat, after what is owed already."""
    pos.debts.append(debt)
    ev.append(Owes(debt.seat, debt.units, debt.until, debt.why))


def close_window(pos: Position, seat: int) -> None:
    """`seat` took a unit: under next-begins that ends the time for catches, when the turn is, or was, theirs (§6)."""
    if pos.exposed and pos.rules.catch_window == NEXT_BEGINS:
        comes = pos.resume if pos.resume >= 0 else pos.turn
        if seat == comes or any(debt.loses and debt.seat == seat for debt in pos.debts):
            pos.exposed = 0


def pass_turn(pos: Position, turn: int) -> None:
    """The turn is `turn`'s, and has not begun."""
    pos.turn = turn
    pos.begun = False
    pos.drawn = None
    pos.must_play = False


def hit(pos: Position, action: Hit, chance: Chance, ev: list[Event]) -> None:
    """One press of the launcher, and what came out."""
    seat = action.seat
    if pos.exposed:
        close_window(pos, seat)
    if not pos.debts:
        _own_hit(pos, action, chance, ev)
        return
    debt = pos.debts[0]
    if debt.card:
        pos.chain = None  # its first unit is taken
    elif seat == pos.turn and not any(other.card for other in pos.debts):
        pos.begun = True
        pos.race = None
    came = take(pos, seat, action.cards, "hit", chance, ev)
    pos.shot = Shot(seat, came)
    if debt.until == FIRE:
        paid = action.cards > 0
    elif debt.until == COLOUR:
        paid = any(COLOUR_OF[card] == pos.colour for card in came)
    else:
        paid = debt.units <= 1
    if not paid:
        if not debt.until:
            pos.debts[0] = Debt(seat, debt.units - 1, "", debt.why, debt.card, debt.loses, debt.own, debt.limits)
        return
    _paid(pos, debt)
    if debt.own:
        _after_own(pos, seat, came, chosen=False)


def _paid(pos: Position, debt: Debt) -> None:
    del pos.debts[0]
    if debt.limits:
        pos.limit(debt.limits)


def _own_hit(pos: Position, action: Hit, chance: Chance, ev: list[Event]) -> None:
    seat, rules = action.seat, pos.rules
    chosen = by_choice(pos, seat, action.by_choice)
    pos.begun = True
    pos.race = None
    came = take(pos, seat, action.cards, "hit", chance, ev)
    pos.shot = Shot(seat, came)
    if not came and rules.after_draw == "until-playable" and not (chosen and rules.after_voluntary_draw == "end"):
        pos.debts.append(Debt(seat, 1, FIRE, why="until-playable", own=True))
        return
    _after_own(pos, seat, came, chosen)


def draw(pos: Position, action: Draw, chance: Chance, ev: list[Event]) -> None:
    """From the pile: all that is owed, or one card (rules §4)."""
    seat, rules = action.seat, pos.rules
    if pos.exposed:
        close_window(pos, seat)
    if pos.debts:
        pos.chain = None
        debt = pos.debts[0]
        if debt.until:
            paid = _draw_until(pos, debt, chance, ev)
        else:
            paid = True
            take(pos, seat, debt.units, "draw", chance, ev)
        if paid:
            _paid(pos, debt)
        return
    chosen = by_choice(pos, seat, action.by_choice)
    pos.begun = True
    pos.race = None
    on = rules.after_draw == "until-playable" and not (chosen and rules.after_voluntary_draw == "end")
    if on and not pos.physical:
        came = _draw_until_playable(pos, seat, chance, ev)
    else:
        came = take(pos, seat, 1, "draw", chance, ev)
        if pos.physical and on:
            pos.must_play = True
    _after_own(pos, seat, came, chosen)


def _draw_until(pos: Position, debt: Debt, chance: Chance, ev: list[Event]) -> bool:
    """Hit-fire at a pile: a unit is one card, and every card fires; until-colour goes on until that colour comes.

    Whether it is paid: at a physical table until-colour is drawn card by card, and its player says when it is done.
    """
    while True:
        came = take(pos, debt.seat, 1, "draw", chance, ev)
        if not came or debt.until == FIRE or COLOUR_OF[came[0]] == pos.colour:
            return True
        if pos.physical:
            return False


def _draw_until_playable(pos: Position, seat: int, chance: Chance, ev: list[Event]) -> tuple[int, ...]:
    while True:
        came = take(pos, seat, 1, "draw", chance, ev)
        if not came:
            return ()
        card = came[0]
        if card < FIRST_WILD and RANK_OF[card] < SKIP and pos.fits[card]:
            pos.must_play = True
            return came


def _after_own(pos: Position, seat: int, came: tuple[int, ...], chosen: bool) -> None:
    """After cards taken in one's own turn: what may be played, or the turn moves on (rules §4.2)."""
    rules = pos.rules
    mode = rules.after_draw
    if chosen and rules.after_voluntary_draw == "end":
        mode = "end"
    if not came or mode == "end":
        pass_turn(pos, pos.after[seat])
        return
    may = _may_follow(pos, came, numbers=mode in ("play-number", "race-number", "until-playable"))
    if mode == "race-number":
        pass_turn(pos, pos.after[seat])
        if may:
            pos.race = (seat, may)
    elif may:
        pos.drawn = came
    else:
        pass_turn(pos, pos.after[seat])


def _may_follow(pos: Position, came: tuple[int, ...], numbers: bool) -> tuple[int, ...]:
    """Those of the cards that came which may be played now, each kind once; an unknown one may always be."""
    fits = pos.fits
    may = {card for card in came if fits[card] and (not numbers or RANK_OF[card] < SKIP or card == UNKNOWN)}
    rules = pos.rules
    if may and rules.wild_four != "any-time" and not rules.challenge:
        pos.drawn = came
        seat = pos.turn
        may = {card for card in may if card == UNKNOWN or _playable_alone(pos, seat, card)}
        pos.drawn = None
    return tuple(sorted(may))


def _playable_alone(pos: Position, seat: int, card: int) -> bool:
    return play(pos, probe(pos, seat, card)) is None


def passed(pos: Position, seat: int, ev: list[Event]) -> None:
    """`seat` plays nothing."""
    if pos.exposed:
        close_window(pos, seat)
    if pos.drawn is None:
        pos.idle += 1
    pos.race = None
    ev.append(Passed(seat))
    pass_turn(pos, pos.after[seat])


def settle_debts(pos: Position, ev: list[Event]) -> None:
    """What is still owed and by whom; whose turn it is meanwhile and after. Forgives when no cards are left (§6)."""
    if pos.debts and not pos.pile and pos.to_draw() == 0 and not pos.chain:
        for debt in pos.debts:
            ev.append(Forgiven(debt.seat))
            if debt.limits:
                pos.limit(debt.limits)
        own = any(debt.own for debt in pos.debts)
        pos.debts.clear()
        if own:
            pass_turn(pos, pos.after[pos.turn])
    for debt in pos.debts:
        if debt.card:
            if pos.turn != debt.seat:
                pass_turn(pos, debt.seat)
            return
    if pos.resume >= 0:
        pass_turn(pos, pos.resume)
        pos.resume = -1
        pos.chain = None
