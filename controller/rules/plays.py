"""Whether a card may be played, by whom and with which choices, and for which reason not. Changes nothing.

The judgement of a play and the list of what can be played are one truth: both go through `play`, except that a
position in which nothing is pending has a shorter way to the same answer (held equal by a test).
"""

from __future__ import annotations

from collections.abc import Sequence

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
    REVERSE,
    SKIP,
    TRADE_HANDS,
    UNKNOWN,
    WILD,
    WILD_ATTACK_ATTACK,
    WILD_DRAW_FOUR,
    WILD_HIT_4,
)
from .position import COUNT, MATCH_OVER, PLAY, ROUND_OVER, Debt, Position

CHOOSING = (7, TRADE_HANDS, WILD_ATTACK_ATTACK)
"""Ranks that may need a player chosen."""
HIT_RANKS = (HIT_1, HIT_2, WILD_HIT_4, WILD_ATTACK_ATTACK)
UNITS_OF = {DRAW_TWO: 2, HIT_1: 1, HIT_2: 2, WILD_DRAW_FOUR: 4, WILD_HIT_4: 4, WILD_ATTACK_ATTACK: 2}
"""Units a card brings upon somebody (rules §5)."""


def gate(pos: Position, seat: int) -> str | None:
    """Reasons that stand before any other: nobody of that name, match over, round over, not dealt yet."""
    if not 0 <= seat < len(pos.players) or (pos.match.left | pos.match.eliminated) >> seat & 1:
        return "no-such-player"
    if pos.phase == MATCH_OVER:
        return "match-over"
    if pos.phase in (ROUND_OVER, COUNT):
        return "round-over"
    if pos.phase != PLAY:
        return "not-yet"
    return None


def out_of_it(pos: Position, seat: int) -> bool:
    """Whether `seat` is not in the round, or not any more."""
    return not pos.inside >> seat & 1


def person(pos: Position, seat: int) -> str | None:
    """What stands before anything `seat` does in a round: whoever has gone out does nothing more (rules §6, §10)."""
    return gate(pos, seat) or ("not-your-turn" if out_of_it(pos, seat) else None)


def chain_debt(pos: Position) -> Debt | None:
    """The live penalty that may be answered now, or None."""
    if pos.chain is not None and pos.debts and pos.debts[0].card:
        return pos.debts[0]
    return None


def is_set(pos: Position, cards: tuple[int, ...]) -> bool:
    """Whether `cards` may go together (rules §6, sets)."""
    if UNKNOWN in cards:
        return False
    first = cards[0]
    if all(card == first for card in cards):
        return pos.rules.sets != "off"
    return pos.rules.sets == "rank" and len({RANK_OF[card] for card in cards}) == 1


def answers(pos: Position, cards: tuple[int, ...]) -> bool:
    """Whether `cards` answer the live penalty (rules §6, defend)."""
    chain = pos.chain
    if chain is None or chain_debt(pos) is None:
        return False
    first, rank, defend = cards[0], RANK_OF[cards[0]], pos.rules.defend
    if len(cards) == 2 and rank == DRAW_TWO and cards[1] == first and chain.four and "draw-two-pair" in defend:
        return True
    if len(cards) > 1 and not is_set(pos, cards):
        return False
    if RANKS[rank] not in defend if first != UNKNOWN else True:
        return False
    if rank == WILD_DRAW_FOUR:
        return True
    if chain.four:
        return False
    if rank in (SKIP, REVERSE):
        return COLOUR_OF[first] == pos.colour
    if rank == DRAW_TWO:
        return not chain.hits and (RANK_OF[pos.top] == DRAW_TWO or COLOUR_OF[first] == pos.colour)
    return rank in HIT_RANKS and chain.hits


def jumps_in(pos: Position, cards: tuple[int, ...]) -> bool:
    """Whether somebody out of turn who holds `cards` may play them all the same (rules §6, jump_in)."""
    mode, card = pos.rules.jump_in, cards[0]
    if mode == "off" or len(cards) > 1 or card == UNKNOWN or card != pos.top or pos.begun or pos.naming >= 0:
        return False
    if mode == "numbers" and RANK_OF[card] >= SKIP:
        return False
    if mode == "coloured" and card >= FIRST_WILD:
        return False
    return not pos.debts or answers(pos, cards)


def races(pos: Position, seat: int, cards: tuple[int, ...]) -> bool:
    """Whether `seat` may still play the number that came, before the next player begins (`race-number`)."""
    return (
        pos.race is not None
        and pos.race[0] == seat
        and not pos.debts
        and not pos.begun
        and len(cards) == 1
        and (cards[0] in pos.race[1] or (UNKNOWN in pos.race[1] and (RANK_OF[cards[0]] < SKIP or cards[0] == UNKNOWN)))
    )


def _missing(pos: Position, seat: int, cards: tuple[int, ...]) -> list[int]:
    """Those of `cards` that are not known to be in the hand."""
    if len(cards) == 1:
        return [] if cards[0] in pos.hands[seat] else [cards[0]]
    hand, missing = pos.hands[seat][:], []
    for card in cards:
        if card in hand:
            hand.remove(card)
        else:
            missing.append(card)
    return missing


def _holding(pos: Position, seat: int, cards: tuple[int, ...]) -> str | None:
    """Whether the hand can hold `cards`: known ones are there, others are among the unknown and still in the deck."""
    missing = _missing(pos, seat, cards)
    if not missing:
        return None
    unknown = pos.hands[seat].count(UNKNOWN)
    if len(missing) > unknown:
        return "not-in-hand"
    if UNKNOWN in missing:
        return "not-in-hand"
    left = pos.remaining()
    for card in missing:
        left[card] -= 1
        if left[card] < 0:
            return "not-in-deck"
    return None


def came_and_may(pos: Position, card: int) -> bool:
    """Whether `card` is one of those that just came and may be played at once."""
    drawn = pos.drawn
    if drawn is None:
        return True
    if card not in drawn and UNKNOWN not in drawn:
        return False
    numbers = pos.rules.after_draw in ("play-number", "race-number", "until-playable")
    return not numbers or RANK_OF[card] < SKIP or card == UNKNOWN


def swept(pos: Position, action: Play) -> tuple[int, ...]:
    """What a discard-all (of a set: the top one) takes along from the known cards, besides itself and what is kept."""
    colour = COLOUR_OF[action.mates[-1] if action.mates else action.card]
    rest = [card for card in pos.hands[action.seat] if COLOUR_OF[card] == colour]
    for card in (action.card, *action.mates, *action.keep):
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def taken_along(pos: Position, action: Play) -> tuple[int, ...]:
    """All that a discard-all takes along; of as many as are said to have gone (real cards), the known ones first."""
    known = swept(pos, action)
    return (known + (UNKNOWN,) * (action.went - len(known)))[: action.went] if action.went else known


def four_illegal(pos: Position, hand: Sequence[int]) -> bool:
    """Whether a wild draw four was wrong with `hand` left beside it (rules §5); judged before it lies on top."""
    mode, fits = pos.rules.wild_four, pos.fits
    if mode == "any-time":
        return False
    if mode == "no-colour":
        return any(COLOUR_OF[card] == pos.colour for card in hand if card != UNKNOWN) and pos.colour != NO_COLOUR
    if mode == "no-match":
        return any(fits[card] for card in hand if UNKNOWN < card < FIRST_WILD)
    return any(fits[card] for card in hand if card != UNKNOWN and RANK_OF[card] != WILD_DRAW_FOUR)


def targets(pos: Position, seat: int) -> list[int]:
    """Who can be chosen by `seat`."""
    return [other for other in range(len(pos.players)) if can_be_chosen(pos, seat, other)]


def can_be_chosen(pos: Position, seat: int, other: int) -> bool:
    """Whether `seat` may choose `other`: somebody else who is in the round, be it without a card for the moment."""
    return 0 <= other < len(pos.players) and other != seat and bool(pos.inside >> other & 1)


def needs_target(pos: Position, rank: int, last: bool) -> bool:
    """Whether a card of `rank` needs a player chosen; `last`: no card is left after it."""
    if rank == WILD_ATTACK_ATTACK:
        return True
    return not last and (rank == TRADE_HANDS or (rank == 7 and pos.rules.seven == "swap-hands"))


def _whose(pos: Position, seat: int, cards: tuple[int, ...]) -> tuple[str | None, bool]:
    """Whether it is for `seat`, who is in the round, to play `cards` now; and whether they would answer a penalty."""
    if pos.slap:
        return "slap-due", False
    answering = bool(pos.debts) and answers(pos, cards)
    if seat != pos.turn:
        if jumps_in(pos, cards) and _holding(pos, seat, cards) is None:
            return None, answering
        return (None, False) if races(pos, seat, cards) else ("not-your-turn", False)
    if pos.debts and not answering:
        return "owes", False
    if pos.naming >= 0 and not pos.debts:
        return "colour-due", False
    return None, answering


def play(pos: Position, action: Play) -> str | None:
    """Why this play would be refused, in the order of the rules (§10), or None."""
    seat, card = action.seat, action.card
    if (
        seat == pos.turn
        and pos.phase == PLAY
        and (pos.drawn is None or came_and_may(pos, card))
        and not (pos.debts or pos.slap or pos.naming >= 0 or action.mates or action.keep or action.went)
        and card in pos.hands[seat]
        and card != UNKNOWN
    ):
        return _fitting(pos, action, (card,), False) or _choices(pos, action, (card,))
    reason = person(pos, seat)
    if reason:
        return reason
    cards = (card, *action.mates)
    reason, answering = _whose(pos, seat, cards)
    if reason:
        return reason
    reason = _held(pos, action, cards)
    if reason:
        return reason
    return _fitting(pos, action, cards, answering) or _choices(pos, action, cards)


def _held(pos: Position, action: Play, cards: tuple[int, ...]) -> str | None:
    seat = action.seat
    named = cards + action.keep
    reason = _holding(pos, seat, named)
    if reason:
        return reason
    if seat == pos.turn and pos.drawn is not None and (action.mates or not came_and_may(pos, action.card)):
        return "not-drawn-card"
    return None


def _fitting(pos: Position, action: Play, cards: tuple[int, ...], answering: bool) -> str | None:
    rules, top, card = pos.rules, cards[-1], action.card
    if len(cards) > 1 and not answering and not is_set(pos, cards):
        return "bad-set"
    if (
        card < FIRST_WILD
        and 0 <= action.colour < NO_COLOUR
        and card != UNKNOWN
        and all(COLOUR_OF[card] != action.colour for card in cards)
    ):
        return "bad-set"
    if not pos.fits[card] and not answering:
        return "no-match"
    if not rules.any_last and _left_after(pos, action) == 0:
        may_be_last = rules.may_be_last
        if not all(may_be_last[card] for card in cards):
            return "last-card"
    if (
        RANK_OF[top] == WILD_DRAW_FOUR
        and not rules.challenge
        and not answering
        and four_illegal(pos, _rest(pos, action.seat, cards))
    ):
        return "wild-four-illegal"
    return None


def _rest(pos: Position, seat: int, cards: tuple[int, ...]) -> bytearray:
    hand = pos.hands[seat][:]
    for card in cards:
        if card in hand:
            hand.remove(card)
    return hand


def _left_after(pos: Position, action: Play) -> int:
    """How many cards the hand holds after this play, before any swap."""
    left = len(pos.hands[action.seat]) - 1 - len(action.mates)
    if left and RANK_OF[action.card] == DISCARD_ALL:
        left -= len(taken_along(pos, action))
    return left


def _choices(pos: Position, action: Play, cards: tuple[int, ...]) -> str | None:
    seat, rank = action.seat, RANK_OF[cards[-1]]
    if rank >= WILD and cards[-1] != UNKNOWN and not 0 <= action.colour < NO_COLOUR:
        return "colour-needed"
    if rank in CHOOSING and needs_target(pos, rank, _left_after(pos, action) <= 0):
        if action.target < 0:
            return "target-needed"
        if not can_be_chosen(pos, seat, action.target):
            return "bad-target"
    elif action.target >= 0 and rank not in CHOOSING:
        return "bad-target"
    if action.keep or action.went:
        reason = _counts(pos, action, _left_after(pos, action))
        if reason:
            return reason
    return "option-off" if UNKNOWN in cards and pos.rules.tracking != "effects" else None


def _counts(pos: Position, action: Play, left: int) -> str | None:
    if RANK_OF[action.card] != DISCARD_ALL or action.went < 0 or left < 0:
        return "wrong-count"
    colour = COLOUR_OF[action.mates[-1] if action.mates else action.card]
    if any(COLOUR_OF[card] != colour for card in action.keep):
        return "wrong-count"
    if action.went:
        if not pos.physical:
            return "wrong-count"
        unknown = pos.hands[action.seat].count(UNKNOWN) - len(_missing(pos, action.seat, (action.card,)))
        could = sum(count for card, count in enumerate(pos.remaining()) if COLOUR_OF[card] == colour)
        if action.card not in pos.hands[action.seat]:
            could -= 1
        if action.went - len(swept(pos, action)) > min(unknown, could):
            return "wrong-count"
    return None


def probe(pos: Position, seat: int, card: int) -> Play:
    """A play of the single `card` with choices that are possible whenever any are: to ask whether it fits."""
    colour = 0 if card >= FIRST_WILD else -1
    rank, target = RANK_OF[card], -1
    if rank in CHOOSING and needs_target(pos, rank, len(pos.hands[seat]) == 1):
        target = next(iter(targets(pos, seat)), -1)
    action = Play(seat, card, colour, target)
    if rank == DISCARD_ALL and not pos.rules.any_last and not pos.rules.may_be_last[card]:
        taken = swept(pos, action)
        if taken and len(taken) + 1 == len(pos.hands[seat]):
            return Play(seat, card, colour, target, keep=taken[:1])
    return action


def playable(pos: Position, seat: int) -> list[int]:
    """The kinds `seat` may play now as a single card, each once, in order of kind."""
    drawn = pos.drawn
    kinds = set(drawn if drawn is not None and seat == pos.turn and not pos.debts else pos.hands[seat])
    if UNKNOWN in kinds:
        kinds |= {card for card, count in enumerate(pos.remaining()) if count > 0}
        kinds.discard(UNKNOWN)
        if pos.rules.tracking == "effects":
            kinds.add(UNKNOWN)
    if not pos.debts:
        fits = pos.fits
        kinds = {card for card in kinds if fits[card]}
    return [card for card in sorted(kinds) if play(pos, probe(pos, seat, card)) is None]


def playable_now(pos: Position) -> Sequence[int]:
    """`playable` of the player in turn in the moods CALM and DRAWN, quicker: one entry a card, as in the hand."""
    hand = pos.hands[pos.turn]
    if len(hand) == 1:
        return playable(pos, pos.turn)
    return (hand if pos.drawn is None else bytes(pos.drawn)).translate(None, pos.unfit)


def can_play(pos: Position, seat: int) -> bool:
    """Whether the player in turn holds a card that may be played now; at a physical table nobody knows: False."""
    if pos.physical:
        return False
    hand, rules = pos.hands[seat], pos.rules
    if pos.drawn is None and len(hand) > 1 and (rules.wild_four == "any-time" or rules.challenge):
        return bool(hand.translate(None, pos.unfit))
    return bool(playable(pos, seat))


def by_choice(pos: Position, seat: int, said: bool) -> bool:
    """Whether cards that the player in turn takes are taken by choice; at a physical table when it is `said` (§4.3)."""
    return said if pos.physical else can_play(pos, seat)
