"""What an accepted action does (§4 to §7): a copy of the position is made, and the action done to the copy."""

from __future__ import annotations

from .judging import (
    NUMBERS,
    answers_as_pair,
    call_is_right,
    closes_windows,
    could_be_answered,
    four_is_legal,
    holds_playable,
    play_accepted,
    said_by,
)
from .position import Debt, Penalty, Position, after
from .vocabulary import Action, colour_of, rank_of, taken_along

UNITS = {
    "draw-two": 2, "wild-draw-four": 4, "hit-1": 1, "hit-2": 2, "wild-hit-4": 4, "wild-attack-attack": 2,
}  # fmt: skip
POINTS = {"discard-all": 30, "trade-hands": 30, "wild-hit-4": 40}


class PileTooShort(Exception):
    """The position needs more cards in its pile: nothing is ever shuffled here."""


def do(position: Position, action: Action) -> Position:
    """The position after an action that was accepted."""
    p = position.copied()
    match action.verb:
        case "play":
            play(p, action)
        case "hit":
            hit(p, action.who, action.came)
        case "draw":
            draw(p, action.who)
        case "pass":
            close_windows(p, action.who)
            turn_to(p, after(p, action.who))
        case "colour":
            p.colour, p.naming = action.colour, ""
        case "uno":
            call(p, action.who)
        case "catch":
            catch(p, action.who, action.target)
        case "accept":
            assert p.penalty is not None
            p.penalty.accepted = True
        case "challenge":
            challenge(p, action.who)
        case "slap":
            slap(p, action.who)
        case "report":
            p.silence = ""
            punish(p, action.target, 2)
    settle(p)
    return p


# ---- playing


def play(p: Position, action: Action) -> None:
    """Cards leave the hand and lie on the discards; then they take effect."""
    who, cards, hand = action.who, action.cards, p.hands[action.who]
    effect = Penalty(hits=False) if p.penalty is None else p.penalty
    if "wild-draw-four" in cards and not effect.four_by:
        effect.four_by, effect.answered = who, bool(p.debts)
        effect.guilty = not p.debts and not four_is_legal(p, who)
    pair = answers_as_pair(p, cards)
    had = {name: len(p.hands[name]) for name in p.players}

    along = taken_along(tuple(hand), cards)
    for card in action.keep:
        along.remove(card)
    for card in (*cards, *along):
        hand.remove(card)
    if not hand:
        p.empty.append(who)
    p.discards += [*along, *cards]
    p.colour = action.colour or colour_of(cards[-1])
    p.only_colour = p.no_plain_wild = False
    p.exposed = [name for name in p.exposed if p.rules["catch_window"] == "while-one-card"]
    if p.silence == who:
        p.silence = ""
    if len(hand) == 1:
        expose(p, who)

    turn_to(p, p.turn)
    take_effect(p, action, 1 if p.rules["set_effects"] == "once" else len(cards), effect, pair)
    if p.hands[who] is not hand and p.rules["swap_owes_call"]:
        for name in p.players:
            if len(p.hands[name]) == 1 and had[name] > 1:
                expose(p, name)
    spend_call(p, who)


def take_effect(p: Position, action: Action, times: int, penalty: Penalty, pair: bool) -> None:
    """What the top card does, `times` over where that counts (§5, §6)."""
    who, top = action.who, action.cards[-1]
    rank = rank_of(top)
    two_players = len(p.still_in) == 2
    penalty.cards += len(action.cards)
    penalty.accepted = False
    if rank == "reverse" and times % 2 == 1:
        p.direction = -p.direction
    if rank in ("skip", "reverse") and p.debts:
        passed = times if rank == "skip" and not two_players else 0
        owe_on(p, penalty, after(p, who, 1 + passed), 0)
    elif rank in UNITS:
        units = 4 if pair else UNITS[rank] * (1 if rank == "wild-attack-attack" else times)
        penalty.hits = "hit" in rank or "attack" in rank
        owe_on(p, penalty, action.target or after(p, who), units)
        if rank == "wild-attack-attack":
            p.debts[0].loses = False
            p.then = (who, 2 if p.rules["attack_attack_next"] == "second" else 1)
    elif rank == "wild-all-hit":
        others = [after(p, who, steps) for steps in range(1, len(p.still_in))]
        p.debts = [Debt(name, units=1, card=True) for name in others]
        p.turn, p.then = others[0], (who, 1)
    elif rank == "wild-hit-fire":
        victim = after(p, who)
        p.debts = [Debt(victim, until=p.rules["hit_fire"], card=True, loses=True)]
        p.turn, p.then = victim, (victim, 1)
    elif top == "red 0" and p.rules["red_zero"] == "draw-ten":
        victim = after(p, who)
        p.debts = [Debt(victim, units=10, card=True, loses=True)]
        p.turn, p.then = victim, (victim, 1)
    elif rank == "9" and p.rules["nine"] == "slap":
        p.slap = list(p.still_in)
        turn_to(p, after(p, who))
    else:
        if rank == "0" and p.rules["zero"] == "rotate-hands":
            rotate(p)
        if rank == "2" and p.rules["two"] == "silence":
            p.silence = who
        if action.target:
            p.hands[who], p.hands[action.target] = p.hands[action.target], p.hands[who]
        again = ["skip", "reverse"] if p.rules["two_player_reverse"] == "skip" else ["skip"]
        if rank in again and two_players:
            turn_to(p, who)
        else:
            turn_to(p, after(p, who, 1 + (times if rank == "skip" else 0)))


def owe_on(p: Position, penalty: Penalty, victim: str, units: int) -> None:
    """A penalty that can be answered goes to `victim`, with `units` more than before."""
    before = p.debts[0].units if p.debts else 0
    p.penalty = penalty
    p.debts = [Debt(victim, units=before + units, card=True, loses=True, draw_card=True)]
    p.debts[0].answerable = could_be_answered(p)
    p.turn, p.then = victim, (victim, 1)


def rotate(p: Position) -> None:
    """Every hand goes to the next player in the direction of play; an empty one, too."""
    hands = {after(p, name): p.hands[name] for name in p.still_in}
    p.hands.update(hands)
    if p.empty:
        p.empty = [after(p, name) for name in p.empty]


def turn_to(p: Position, who: str) -> None:
    """It is `who`'s turn, and nothing of the last turn is left."""
    p.turn = who
    p.begun = False
    p.came = None
    p.must_play = p.hitting = False
    p.race = ("", [])


# ---- taking cards


def take(p: Position, who: str, cards: int) -> list[str]:
    """The next cards of the pile come into a hand."""
    if len(p.pile) < cards:
        raise PileTooShort(f"{who} takes {cards}, and there are {len(p.pile)}")
    came = [p.pile.pop(0) for _ in range(cards)]
    p.hands[who] += came
    if came:
        p.empty = [name for name in p.empty if name != who]
        spend_call(p, who)
    return came


def hit(p: Position, who: str, cards: int) -> None:
    """One press of the launcher: a unit of what is owed, or the one in turn."""
    close_windows(p, who)
    if not p.debts:
        draw_in_turn(p, who, cards)
        return
    if who == p.turn:
        p.begun = True
        p.race = ("", [])
    debt = p.debts[0]
    if debt.card:
        p.penalty = None
    unit(p, debt, cards)


def unit(p: Position, debt: Debt, cards: int) -> None:
    """One unit of a debt, which brought so many cards."""
    came = take(p, debt.who, cards)
    if debt.until == "until-fire":
        paid = bool(came)
    elif debt.until == "until-colour":
        paid = p.colour in [colour_of(card) for card in came]
    else:
        debt.units -= 1
        paid = debt.units == 0
    if paid:
        pay(p, debt)


def draw(p: Position, who: str) -> None:
    """From the pile: everything owed, or one card."""
    close_windows(p, who)
    if not p.debts:
        draw_in_turn(p, who, 1)
        return
    debt = p.debts[0]
    p.penalty = None
    while debt in p.debts:
        unit(p, debt, 1)


def pay(p: Position, debt: Debt) -> None:
    """A debt is paid; after the last one from a card the turn moves on."""
    p.debts.remove(debt)
    if not debt.card:
        return
    p.only_colour = debt.answerable and p.rules["after_chain"] == "colour-only"
    p.no_plain_wild = debt.draw_card and not p.rules["wild_after_draw"]
    if p.debts:
        p.turn = p.debts[0].who
        return
    leave_if_empty(p)
    if not p.over:
        turn_to(p, after(p, *p.then))


def draw_in_turn(p: Position, who: str, cards: int) -> None:
    """The one unit a player may take in turn, and what may follow (§4.2)."""
    rule = p.rules["after_draw"]
    if holds_playable(p, who) and p.rules["after_voluntary_draw"] == "end":
        rule = "end"
    if rule == "until-playable" and p.rules["draw_from"] == "pile":
        number = ""
        while not number:
            came = take(p, who, 1)
            p.came, p.must_play = came, True
            number = came[0] if can_follow(p, who, came[0]) and rank_of(came[0]) in NUMBERS else ""
        p.begun = True
        return
    came = take(p, who, cards)
    p.begun = True
    p.hitting = rule == "until-playable" and not came
    if p.hitting:
        return
    if rule in ("play-number", "race-number", "until-playable"):
        came = [card for card in came if rank_of(card) in NUMBERS]
    p.came = [] if rule == "end" else came
    if rule == "race-number" or not any(can_follow(p, who, card) for card in came):
        turn_to(p, after(p, who))
    if rule == "race-number":
        p.race = (who, came)


def can_follow(p: Position, who: str, card: str) -> bool:
    """Whether a card that came may be played at once."""
    return any(
        play_accepted(p, action) for action in said_by(p, who) if action.verb == "play" and action.cards == (card,)
    )


def close_windows(p: Position, who: str) -> None:
    """Whoever begins ends the time for a catch."""
    if closes_windows(p, who):
        p.exposed = []


# ---- calls, catches, verdicts


def punish(p: Position, who: str, units: int) -> None:
    """Units that do not move the turn: dealt at once from a pile; at a launcher owed, before anything owed already."""
    if p.rules["draw_from"] == "pile":
        take(p, who, units)
    else:
        p.debts.insert(0, Debt(who, units=units))


def call(p: Position, who: str) -> None:
    """A right call holds; a wrong one costs."""
    if not call_is_right(p, who):
        punish(p, who, p.rules["false_uno_penalty"])
    elif who not in p.called:
        p.called.append(who)


def expose(p: Position, who: str) -> None:
    """`who` may be caught, unless they have called."""
    if who not in p.exposed:
        p.exposed.append(who)


def spend_call(p: Position, who: str) -> None:
    """After the caller's play or taking of cards: spent unless they hold one card."""
    if who in p.called and len(p.hands[who]) != 1:
        p.called.remove(who)


def catch(p: Position, who: str, target: str) -> None:
    """Caught once; or the accuser pays."""
    if len(p.hands[target]) == 1:
        p.exposed.remove(target)
        punish(p, target, p.rules["uno_penalty"])
    else:
        punish(p, who, p.rules["false_catch_penalty"])


def challenge(p: Position, who: str) -> None:
    """The verdict on the first wild draw four of the penalty."""
    penalty, debt = p.penalty, p.debts[-1]
    assert penalty is not None
    guilty_units, innocent_units = p.rules["challenge_guilty"], p.rules["challenge_innocent"]
    more = innocent_units - guilty_units
    p.penalty = None
    if penalty.guilty and not penalty.answered:
        p.only_colour = debt.answerable and p.rules["after_chain"] == "colour-only"
        p.no_plain_wild = not p.rules["wild_after_draw"]
        p.debts.remove(debt)
        punish(p, penalty.four_by, debt.units if penalty.cards > 1 else guilty_units)
        turn_to(p, after(p, who) if p.rules["guilty_next"] == "skipped" else who)
        return
    debt.units = debt.units + more if penalty.cards > 1 else innocent_units
    if p.rules["draw_from"] == "pile":
        take(p, who, debt.units)
        pay(p, debt)


def slap(p: Position, who: str) -> None:
    """All slap; the last one takes two."""
    p.slap.remove(who)
    if len(p.slap) == 1:
        last = p.slap.pop()
        punish(p, last, 2)


# ---- going out, and the end of the round


def settle(p: Position) -> None:
    """When nothing is owed and no slap is on, those without cards have gone out."""
    if p.rules["catch_window"] == "while-one-card":
        p.exposed = [name for name in p.exposed if len(p.hands[name]) == 1]
    if p.debts or p.slap or p.over:
        return
    leave_if_empty(p)
    if p.turn not in p.still_in:
        turn_to(p, after(p, p.turn))


def leave_if_empty(p: Position) -> None:
    """Whoever holds no card has gone out: the end of the round, or under last-standing of their part in it."""
    for who in p.empty:
        p.out.append(who)
        p.still_in.remove(who)
        p.over = p.over or p.format != "last-standing" or len(p.still_in) == 1
        if p.silence == who:
            p.silence = ""
    p.empty = []
    if p.over and p.out:
        score(p)


def score(p: Position) -> None:
    """Count the hands."""
    counted = {name: sum(points(card) for card in p.hands[name]) for name in p.players}
    if p.format == "winner-takes":
        p.scores[p.out[0]] += sum(counted.values())
    elif p.format in ("own-points", "challenge"):
        for name in p.players:
            p.scores[name] += counted[name]


def points(card: str) -> int:
    """What a card costs (§1)."""
    rank = rank_of(card)
    if rank in NUMBERS:
        return int(rank)
    return POINTS.get(rank, 20 if colour_of(card) else 50)
