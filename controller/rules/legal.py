"""What may be done besides playing a card: taking, passing, naming, calling, challenging, slapping. Changes nothing.

Each function gives the reason against the action, the first in the order of the rules (§10), or None.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from .actions import Draw, Hit, NameColour, Play
from .cards import DISCARD_ALL, NO_COLOUR, RANK_OF
from .plays import by_choice, can_play, gate, is_set, person, play, playable, probe, swept
from .position import COLOUR, PLAY, Position


def due_seat(pos: Position) -> int:
    """Who takes the next unit: the first who owes, else the player in turn."""
    return pos.debts[0].seat if pos.debts else pos.turn


def _taking(pos: Position, seat: int, said_by_choice: bool, not_due: str) -> str | None:
    """What stands against taking cards, hit or drawn alike."""
    reason = person(pos, seat)
    if reason:
        return reason
    if pos.slap:
        return "slap-due"
    if pos.naming >= 0 and not pos.debts:
        return "colour-due"
    rules = pos.rules
    if pos.physical and rules.launcher and not pos.pile and len(pos.discards) > 1:
        return "hopper-empty"
    if due_seat(pos) != seat or (not pos.debts and pos.drawn is None and pos.to_draw() == 0):
        return not_due
    if pos.debts:
        return None
    if pos.drawn is not None and not _draws_on(pos):
        return "already-drawn"
    if not rules.voluntary_draw and by_choice(pos, seat, said_by_choice):
        return "must-play"
    return None


def _goes_on(pos: Position, seat: int) -> bool:
    """Whether `until-playable` is not over: what came can be played; real cards nobody sees: more of them can come."""
    return _draws_on(pos) if pos.physical else bool(playable(pos, seat))


def _draws_on(pos: Position) -> bool:
    """At a physical pile under `until-playable` a player draws card by card until one can be played."""
    return pos.physical and pos.rules.after_draw == "until-playable" and pos.to_draw() > 0 and not pos.rules.launcher


def hit(pos: Position, action: Hit) -> str | None:
    """Why this press would be refused, or None."""
    if (
        pos.debts
        and action.seat == pos.debts[0].seat
        and action.cards >= 0
        and pos.rules.launcher
        and pos.phase == PLAY
        and not (pos.slap or pos.physical)
    ):
        return None
    reason = _taking(pos, action.seat, action.by_choice, "no-hit-due")
    if reason is None and not pos.rules.launcher:
        return "wrong-source"
    if reason is None and action.cards < 0:
        return "wrong-count"
    return reason


def draw(pos: Position, action: Draw) -> str | None:
    """Why this draw would be refused, or None."""
    reason = _taking(pos, action.seat, action.by_choice, "owes-nothing")
    if reason is None and pos.rules.launcher:
        return "wrong-source"
    return reason


def done(pos: Position, seat: int) -> str | None:
    """Why `seat` cannot say that its until-colour is over, or None."""
    reason = person(pos, seat)
    if reason:
        return reason
    debt = pos.debts[0] if pos.debts else None
    if debt is None or debt.seat != seat or debt.until != COLOUR or not pos.physical:
        return "no-hit-due"
    return None


def _in_turn(pos: Position, seat: int) -> str | None:
    reason = person(pos, seat)
    if reason:
        return reason
    if pos.slap:
        return "slap-due"
    if seat != pos.turn:
        return "not-your-turn"
    return "owes" if pos.debts else None


def pass_(pos: Position, seat: int) -> str | None:
    """Why `seat` may not pass, or None."""
    reason = _in_turn(pos, seat)
    if reason:
        return reason
    if pos.naming >= 0:
        return "colour-due"
    if pos.drawn is not None:
        return "must-play" if pos.must_play and _goes_on(pos, seat) else None
    if pos.to_draw() > 0:
        return "must-draw"
    return "nothing-to-pass" if can_play(pos, seat) else None


def name_colour(pos: Position, action: NameColour) -> str | None:
    """Why this colour may not be named now, or None."""
    if pos.naming < 0 or pos.debts:
        return _in_turn(pos, action.seat) or "no-colour-due"
    reason = person(pos, action.seat)
    if reason:
        return reason
    if action.seat != pos.naming:
        return "not-your-turn"
    return None if 0 <= action.colour < NO_COLOUR else "colour-needed"


def call_is_right(pos: Position, seat: int) -> bool:
    """A call is right when one card is held, or in turn with a legal play that leaves one (rules §6)."""
    hand = pos.hands[seat]
    if len(hand) == 1:
        return True
    if seat != pos.turn:
        return False
    if pos.physical:
        return True
    return any(_leaves_one(pos, seat, card) for card in playable(pos, seat)) or _pair_leaves_one(pos, seat)


def _pair_leaves_one(pos: Position, seat: int) -> bool:
    """Two draw-twos that answer only together, out of three cards."""
    hand = pos.hands[seat]
    return len(hand) == 3 and any(
        hand.count(card) > 1 and play(pos, Play(seat, card, mates=(card,))) is None for card in set(hand)
    )


def _leaves_one(pos: Position, seat: int, card: int) -> bool:
    """Whether `card`, which can be played, alone or in a set can leave one card."""
    hand = pos.hands[seat]
    if len(hand) == 2:
        return True
    single = probe(pos, seat, card)
    if _can_leave_one(pos, single):
        return True
    rest = sorted(hand)
    rest.remove(card)
    beside = [other for other in rest if is_set(pos, (card, other))]
    return any(
        _can_leave_one(pos, Play(seat, card, single.colour, single.target, (*chosen[:at], *chosen[at + 1 :], top)))
        for size in range(1, len(beside) + 1)
        for chosen in set(combinations(beside, size))
        for at, top in enumerate(chosen)
    )


def _can_leave_one(pos: Position, action: Play) -> bool:
    """Whether this play is legal and leaves one card, a discard-all holding one back where it must."""
    along = (
        swept(pos, Play(action.seat, action.card, mates=action.mates)) if RANK_OF[action.card] == DISCARD_ALL else ()
    )
    left = len(pos.hands[action.seat]) - 1 - len(action.mates) - len(along)
    if left > 1 or (left < 1 and not along):
        return False
    return play(pos, replace(action, keep=along[: 1 - left])) is None


def call(pos: Position, seat: int) -> str | None:
    """Why this call would be refused, or None (a wrong one that costs a penalty is accepted)."""
    reason = person(pos, seat)
    if reason is None and not pos.rules.false_uno_penalty and not call_is_right(pos, seat):
        return "false-call"
    return reason


def _target(pos: Position, target: int) -> str | None:
    inside = 0 <= target < len(pos.players) and pos.inside >> target & 1
    return None if inside else "bad-target"


def can_be_caught(pos: Position, target: int) -> bool:
    """Whether `target` holds one card, has not called, and the window is open."""
    return bool(pos.exposed >> target & 1) and len(pos.hands[target]) == 1


def catch(pos: Position, seat: int, target: int) -> str | None:
    """Why this catch would be refused, or None (a wrong one that costs a penalty is accepted)."""
    reason = person(pos, seat) or _target(pos, target)
    if reason:
        return reason
    if seat == target:
        return "bad-target"
    if can_be_caught(pos, target):
        return None
    wrong = len(pos.hands[target]) != 1
    return None if wrong and pos.rules.false_catch_penalty else "nothing-to-catch"


def challenge(pos: Position, seat: int, verdict: str | None) -> str | None:
    """Why `seat` may not challenge (or, with `verdict` None, accept) a wild draw four now, or None."""
    reason = person(pos, seat)
    if reason:
        return reason
    owes = any(debt.card and debt.seat == seat for debt in pos.debts)
    chain = pos.chain
    if chain is None or not chain.four or chain.accepted or not owes:
        return "nothing-to-challenge"
    if not pos.rules.challenge:
        return "option-off"
    if verdict is None:
        return None
    if chain.first in (seat, -1):
        return "nothing-to-challenge"
    if pos.physical and not chain.answered and verdict not in ("guilty", "innocent"):
        return "verdict-needed"
    return None


def slap(pos: Position, seat: int) -> str | None:
    """Why `seat` has nothing to slap, or None."""
    return person(pos, seat) or (None if pos.slap >> seat & 1 else "no-slap")


def last_slap(pos: Position, target: int) -> str | None:
    """Why nobody can have been last, or None."""
    return gate(pos, target) or _target(pos, target) or (None if pos.slap else "no-slap")


def report(pos: Position, seat: int, target: int) -> str | None:
    """Why `target` cannot be reported, or None."""
    return person(pos, seat) or _target(pos, target) or (None if pos.silence >= 0 else "nobody-silent")


def advice(pos: Position, target: int) -> str | None:
    """Why no advice can be punished, or None."""
    return gate(pos, target) or _target(pos, target) or (None if pos.rules.advice_penalty else "option-off")
