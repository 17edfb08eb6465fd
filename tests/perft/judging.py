"""What the rules allow (§4 to §6): of everything that can be said in a position, what is accepted.

One question, one function, in the order in which a person at the table would ask them.
"""

from __future__ import annotations

from .options import DECK_ANSWERS
from .position import Position, after
from .vocabulary import Action, colour_of, rank_of, taken_along, vocabulary

NUMBERS = tuple("0123456789")
HIT_RANKS = ("hit-1", "hit-2", "wild-hit-4", "wild-attack-attack")


def actions(p: Position) -> list[Action]:
    """Every action that is accepted in this position, of everything anybody can say."""
    return [action for who in p.players for action in said_by(p, who) if accepted(p, action)]


def said_by(p: Position, who: str) -> tuple[Action, ...]:
    """Everything `who` could say."""
    return vocabulary(who, tuple(sorted(p.hands[who])), p.players, choosing(p.rules["seven"]))


def choosing(seven: str) -> tuple[str, ...]:
    """Ranks of cards with which a player may have to be named."""
    return ("wild-attack-attack", "trade-hands", *(["7"] if seven == "swap-hands" else []))


def accepted(p: Position, action: Action) -> bool:
    """Whether the rules allow it."""
    who, verb, target = action.who, action.verb, action.target
    if p.over or who not in p.still_in:
        return False
    match verb:
        case "play":
            return play_accepted(p, action)
        case "hit":
            return p.rules["draw_from"] == "launcher" and taking_accepted(p, who)
        case "draw":
            return p.rules["draw_from"] == "pile" and taking_accepted(p, who)
        case "pass":
            return p.turn == who and p.came is not None and not p.must_play and not p.debts and not p.slap
        case "colour":
            return p.naming == who and not p.debts
        case "uno":
            return call_is_right(p, who) or p.rules["false_uno_penalty"] > 0
        case "catch":
            return target in p.still_in and target != who and catch_accepted(p, target)
        case "accept":
            return verdict_due(p, who)
        case "challenge":
            return verdict_due(p, who) and p.penalty is not None and p.penalty.four_by != who
        case "slap":
            return who in p.slap
        case "report":
            return p.silence != "" and target in p.still_in
    raise ValueError(verb)


# ---- taking cards


def taking_accepted(p: Position, who: str) -> bool:
    """A hit or a draw: what is owed first, then the one that the player in turn may take."""
    if p.slap:
        return False
    if p.debts:
        return p.debts[0].who == who
    if p.naming or p.turn != who or p.came is not None:
        return False
    return bool(p.hitting or p.rules["voluntary_draw"] or not holds_playable(p, who))


def holds_playable(p: Position, who: str) -> bool:
    """Whether the player has anything to play."""
    return any(play_accepted(p, action) for action in said_by(p, who) if action.verb == "play")


# ---- playing


def play_accepted(p: Position, action: Action) -> bool:
    """Whether these cards, with these choices, may be played by this player now."""
    who, cards = action.who, action.cards
    if p.slap or (p.naming and not p.debts):
        return False
    if p.debts:
        if not may_answer(p, who, cards) or not answers(p, cards):
            return False
    elif p.turn == who:
        if p.hitting or not may_follow_draw(p, cards):
            return False
    elif not may_race(p, who, cards) and not may_jump_in(p, cards):
        return False
    return (
        (bool(p.debts) or fits(p, cards[0]))
        and (len(cards) == 1 or is_set(p, cards))
        and choices_made(p, action)
        and may_be_last(p, action)
        and (p.penalty is not None or four_allowed(p, who, cards))
    )


def fits(p: Position, card: str) -> bool:
    """Whether a card goes on the top card (§4.1), and on what was paid for before it (§6, defend)."""
    if not colour_of(card):
        return not (p.no_plain_wild and card == "wild")
    if colour_of(card) == p.colour:
        return True
    return rank_of(card) == rank_of(p.top) and not p.only_colour


def may_follow_draw(p: Position, cards: tuple[str, ...]) -> bool:
    """After a draw one of the cards that came, no other."""
    return p.came is None or (len(cards) == 1 and cards[0] in p.came)


def may_race(p: Position, who: str, cards: tuple[str, ...]) -> bool:
    """Under race-number the one who drew may still play the number that came."""
    drawer, numbers = p.race
    return who == drawer and len(cards) == 1 and cards[0] in numbers


def may_jump_in(p: Position, cards: tuple[str, ...]) -> bool:
    """Out of turn: the very same card, before the player in turn begins."""
    card = cards[0]
    kinds = {"off": False, "numbers": rank_of(card) in NUMBERS, "coloured": colour_of(card) != "", "identical": True}
    return kinds[p.rules["jump_in"]] and cards == (p.top,) and not p.begun


def is_set(p: Position, cards: tuple[str, ...]) -> bool:
    """Whether several cards of one rank (the vocabulary has no others) may go together."""
    if p.penalty is not None and answers_as_pair(p, cards):
        return True
    return p.rules["sets"] == "rank" or (p.rules["sets"] == "identical" and len(set(cards)) == 1)


def choices_made(p: Position, action: Action) -> bool:
    """A wild needs a colour, a set may be said to have another colour in it, a swap or attack needs another player."""
    top = action.cards[-1]
    if not colour_of(top):
        if not action.colour:
            return False
    elif action.colour and action.colour not in [colour_of(card) for card in action.cards]:
        return False
    rank = rank_of(top)
    needed = rank == "wild-attack-attack" or (
        cards_left(p, action) > 0 and (rank == "trade-hands" or (rank == "7" and p.rules["seven"] == "swap-hands"))
    )
    if needed:
        return action.target in p.still_in and action.target != action.who
    return action.target == ""


def cards_left(p: Position, action: Action) -> int:
    """How many cards the play leaves in the hand, before any hands are swapped."""
    hand = p.hands[action.who]
    along = taken_along(tuple(hand), action.cards)
    return len(hand) - len(action.cards) - len(along) + len(action.keep)


def may_be_last(p: Position, action: Action) -> bool:
    """Whether the cards may be the last of the hand, when they are."""
    if cards_left(p, action) > 0 or p.rules["last_card"] == "any":
        return True
    rank = rank_of(action.cards[-1])
    if p.rules["last_card"] == "numbers":
        return rank in NUMBERS
    return rank not in p.rules["last_card"]


def four_allowed(p: Position, who: str, cards: tuple[str, ...]) -> bool:
    """A wild draw four that is not legal may be played only where it can be challenged."""
    return cards[0] != "wild-draw-four" or p.rules["challenge"] or four_is_legal(p, who)


def four_is_legal(p: Position, who: str) -> bool:
    """Whether this hand is one to play a wild draw four from (§5)."""
    others = [card for card in p.hands[who] if card != "wild-draw-four"]
    match p.rules["wild_four"]:
        case "no-colour":
            return p.colour not in [colour_of(card) for card in others]
        case "no-match":
            return not any(fits(p, card) for card in others if colour_of(card))
        case "no-other":
            return not any(fits(p, card) for card in others)
    return True


# ---- answering a penalty


def may_answer(p: Position, who: str, cards: tuple[str, ...]) -> bool:
    """Whether a penalty is live, nothing else is owed before it, and it is this player's to answer."""
    if p.penalty is None or len(p.debts) > 1:
        return False
    return p.debts[0].who == who or may_jump_in(p, cards)


def answers(p: Position, cards: tuple[str, ...]) -> bool:
    """Whether `defend` lists the cards against what is live (§6). In a set the first named must answer."""
    penalty, defend = p.penalty, p.rules["defend"]
    assert penalty is not None
    card = cards[0]
    rank = rank_of(card)
    if rank in ("skip", "reverse"):
        return rank in defend and colour_of(card) == p.colour and not penalty.four_by
    if rank == "wild-draw-four":
        return rank in defend
    if penalty.hits:
        return rank in HIT_RANKS and rank in defend
    if rank != "draw-two":
        return False
    if answers_as_pair(p, cards):
        return True
    if penalty.four_by or "draw-two" not in defend:
        return False
    return rank_of(p.top) == "draw-two" or colour_of(card) == colour_of(p.top)


def answers_as_pair(p: Position, cards: tuple[str, ...]) -> bool:
    """Two draw-twos of one colour against a wild draw four."""
    return bool(
        p.penalty is not None
        and p.penalty.four_by
        and "draw-two-pair" in p.rules["defend"]
        and len(cards) == 2
        and rank_of(cards[0]) == "draw-two"
        and cards[0] == cards[1]
    )


def could_be_answered(p: Position) -> bool:
    """Whether `defend` lists anything against the live penalty that somebody could hold, the deck being what it is."""
    penalty, defend = p.penalty, [word for word in p.rules["defend"] if word in DECK_ANSWERS[p.rules["deck"]]]
    if penalty is None:
        return False
    if penalty.hits:
        return any(rank in defend for rank in (*HIT_RANKS, "wild-draw-four", "skip", "reverse"))
    if penalty.four_by:
        return "wild-draw-four" in defend or "draw-two-pair" in defend
    return any(rank in defend for rank in ("draw-two", "wild-draw-four", "skip", "reverse"))


def verdict_due(p: Position, who: str) -> bool:
    """Whether it is this player's to challenge a wild draw four, or to accept it. Nobody challenges their own."""
    penalty = p.penalty
    if penalty is None or not p.rules["challenge"]:
        return False
    return penalty.four_by != "" and not penalty.accepted and p.debts[-1].who == who


# ---- calls and catches


def call_is_right(p: Position, who: str) -> bool:
    """Holding one card, or in turn with a play that leaves one."""
    if len(p.hands[who]) == 1:
        return True
    if p.turn != who:
        return False
    return any(
        cards_left(p, action) == 1 and play_accepted(p, action) for action in said_by(p, who) if action.verb == "play"
    )


def catch_accepted(p: Position, target: str) -> bool:
    """A right catch; or a wrong one, of somebody not holding one card, where that has its price."""
    if len(p.hands[target]) != 1:
        return bool(p.rules["false_catch_penalty"] > 0)
    return target in p.exposed and target not in p.called


def closes_windows(p: Position, who: str) -> bool:
    """Whether a draw, hit or pass of `who` ends the time for a catch under next-begins."""
    if p.rules["catch_window"] != "next-begins":
        return False
    from_cards = [debt for debt in p.debts if debt.card]
    if not from_cards:
        return who == p.turn
    return who == after(p, *p.then) or who in [debt.who for debt in from_cards if debt.loses]
