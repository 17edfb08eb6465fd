"""The machine: a position and an action give events, or a refusal and an untouched position.

`check` judges, `push` does what was judged, `apply` is both, by the short way (`short`) where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import calling, hosting, legal, playing, plays, rounds, short, taking
from .actions import (
    Accept,
    Action,
    Advice,
    Call,
    Catch,
    Challenge,
    Correct,
    Count,
    Dealer,
    Done,
    Draw,
    EndMatch,
    Hit,
    LastSlap,
    Leave,
    NameColour,
    Next,
    Pass,
    Play,
    Points,
    Reload,
    Report,
    Return,
    SetColour,
    SetDirection,
    SetHand,
    SetScore,
    SetTurn,
    Slap,
    Start,
    Undo,
)
from .because import refusal
from .cards import KINDS, NO_COLOUR, POINTS_OF, RANK_OF, UNKNOWN, points
from .chance import Chance, InOrder
from .events import Event, HostSet, Misplayed, Named
from .plays import gate
from .position import BEFORE, BUSY, CALM, COUNT, DRAWN, MATCH_OVER, OWED, PLAY, ROUND_OVER, START, Position
from .refusals import Refusal, Refused

MISPLAYS = ("no-match", "bad-set", "last-card", "wild-four-illegal", "owes")
NO_CHANCE = InOrder()

Judge = Callable[[Position, Any], str | None]
Doer = Callable[[Position, Any, Chance, list[Event]], None]


def seated(pos: Position, seat: int) -> str | None:
    """Whether there is no such player, or not any more in this match."""
    known = 0 <= seat < len(pos.players) and not (pos.match.left | pos.match.eliminated) >> seat & 1
    return None if known else "no-such-player"


def _next(pos: Position, action: Next) -> str | None:
    if pos.phase == MATCH_OVER:
        return "match-over"
    return "not-yet" if pos.phase in (START, PLAY, COUNT) else None


def _reload(pos: Position, action: Reload) -> str | None:
    reason = in_play(pos)
    if reason:
        return reason
    if not (pos.physical and pos.rules.launcher):
        return "wrong-source"
    return "wrong-count" if action.cards < -1 or (action.cards < 0 and len(pos.discards) < 2) else None


def _end_match(pos: Position, action: EndMatch) -> str | None:
    if pos.phase == MATCH_OVER:
        return "match-over"
    return None if pos.phase == ROUND_OVER else "not-yet"


def _return(pos: Position, action: Return) -> str | None:
    if pos.phase == MATCH_OVER:
        return "match-over"
    if pos.phase in (START, PLAY, COUNT):
        return "not-yet"
    gone = 0 <= action.seat < len(pos.players) and pos.match.left >> action.seat & 1
    return None if gone else "no-such-player"


def _dealer(pos: Position, action: Dealer) -> str | None:
    if pos.phase not in (BEFORE, START):
        return "match-over" if pos.phase == MATCH_OVER else "not-yet"
    return seated(pos, action.seat) or (None if pos.physical else "option-off")


def _start(pos: Position, action: Start) -> str | None:
    if pos.phase != START:
        return "match-over" if pos.phase == MATCH_OVER else "not-yet"
    if action.card == UNKNOWN:
        return None if pos.rules.tracking == "effects" else "option-off"
    possible = UNKNOWN < action.card < KINDS and pos.remaining()[action.card] > 0
    return None if possible else "not-in-deck"


def _set_hand(pos: Position, action: SetHand) -> str | None:
    reason = gate(pos, action.seat)
    if reason:
        return reason
    if not pos.inside >> action.seat & 1:
        return "bad-target"
    elsewhere = sum(len(hand) for seat, hand in enumerate(pos.hands) if seat != action.seat) + len(pos.discards)
    most = max(len(pos.rules.deck_order) - elsewhere, len(pos.hands[action.seat]))
    if not 0 <= action.count <= most:
        return "wrong-count"
    return None if pos.physical else "wrong-source"


def _set_turn(pos: Position, action: SetTurn) -> str | None:
    reason = gate(pos, action.seat)
    return reason or (None if pos.inside >> action.seat & 1 else "bad-target")


def in_play(pos: Position) -> str | None:
    """Why no round is being played, or None."""
    if pos.phase == MATCH_OVER:
        return "match-over"
    if pos.phase != PLAY:
        return "not-yet" if pos.phase < PLAY else "round-over"
    return None


def _to_count(pos: Position, seat: int) -> str | None:
    reason = seated(pos, seat)
    if reason:
        return reason
    if pos.phase == MATCH_OVER:
        return "match-over"
    if pos.phase != COUNT:
        return "round-over" if pos.phase > COUNT else "not-yet"
    return None if seat not in pos.out else "bad-target"


def _count(pos: Position, action: Count) -> str | None:
    reason = _to_count(pos, action.seat)
    if reason:
        return reason
    if any(not UNKNOWN < card < KINDS for card in action.cards):
        return "not-in-deck"
    left = pos.remaining()
    for card in pos.hands[action.seat]:
        left[card] += 1
    for card in action.cards:
        left[card] -= 1
        if left[card] < 0:
            return "not-in-deck"
    return None


def _points(pos: Position, action: Points) -> str | None:
    reason = _to_count(pos, action.seat)
    if reason:
        return reason
    most = points(pos.hands[action.seat]) + sum(
        POINTS_OF[card] * count for card, count in enumerate(pos.remaining()) if count > 0
    )
    return None if 0 <= action.points <= most else "wrong-count"


_JUDGES: dict[type, Judge] = {
    Play: plays.play,
    Hit: legal.hit,
    Draw: legal.draw,
    Done: lambda pos, a: legal.done(pos, a.seat),
    Pass: lambda pos, a: legal.pass_(pos, a.seat),
    NameColour: legal.name_colour,
    Call: lambda pos, a: legal.call(pos, a.seat),
    Catch: lambda pos, a: legal.catch(pos, a.seat, a.target),
    Accept: lambda pos, a: legal.challenge(pos, a.seat, None),
    Challenge: lambda pos, a: legal.challenge(pos, a.seat, a.verdict),
    Slap: lambda pos, a: legal.slap(pos, a.seat),
    LastSlap: lambda pos, a: legal.last_slap(pos, a.target),
    Report: lambda pos, a: legal.report(pos, a.seat, a.target),
    Advice: lambda pos, a: legal.advice(pos, a.target),
    Reload: _reload,
    Dealer: _dealer,
    Start: _start,
    SetHand: _set_hand,
    SetScore: lambda pos, a: seated(pos, a.seat),
    SetTurn: _set_turn,
    SetDirection: lambda pos, a: in_play(pos) or (None if a.step in (1, -1) else "wrong-count"),
    SetColour: lambda pos, a: in_play(pos) or (None if 0 <= a.colour < NO_COLOUR else "colour-needed"),
    Leave: lambda pos, a: seated(pos, a.seat),
    Return: _return,
    EndMatch: _end_match,
    Count: _count,
    Points: _points,
    Next: _next,
    Correct: lambda pos, a: "nothing-to-correct",
    Undo: lambda pos, a: "nothing-to-undo",
}
"""The judge of every action. `Correct` and `Undo` need the log: `game.Game` does them."""


def _do_dealer(pos: Position, action: Dealer, chance: Chance, ev: list[Event]) -> None:
    pos.dealer = action.seat
    ev.append(HostSet("dealer", action.seat, action.seat))


def _do_name(pos: Position, action: NameColour, chance: Chance, ev: list[Event]) -> None:
    pos.naming = -1
    pos.show_top(action.colour, RANK_OF[pos.top], pos.limits)
    ev.append(Named(action.seat, action.colour))


def _do_done(pos: Position, action: Done, chance: Chance, ev: list[Event]) -> None:
    debt = pos.debts.pop(0)
    if debt.limits:
        pos.limit(debt.limits)


_DOERS: dict[type, Doer] = {
    Play: playing.play,
    Hit: taking.hit,
    Draw: taking.draw,
    Done: _do_done,
    Pass: lambda pos, a, chance, ev: taking.passed(pos, a.seat, ev),
    NameColour: _do_name,
    Call: lambda pos, a, chance, ev: calling.call(pos, a.seat, chance, ev),
    Catch: lambda pos, a, chance, ev: calling.catch(pos, a.seat, a.target, chance, ev),
    Accept: lambda pos, a, chance, ev: calling.accept(pos, a.seat, ev),
    Challenge: calling.challenge,
    Slap: lambda pos, a, chance, ev: calling.slap(pos, a.seat, chance, ev),
    LastSlap: lambda pos, a, chance, ev: calling.last_slap(pos, a.target, chance, ev),
    Report: lambda pos, a, chance, ev: calling.report(pos, a.seat, a.target, chance, ev),
    Advice: lambda pos, a, chance, ev: calling.advice(pos, a.target, chance, ev),
    Reload: lambda pos, a, chance, ev: hosting.reload(pos, a.cards, ev),
    Dealer: _do_dealer,
    Start: lambda pos, a, chance, ev: rounds.start_physical(pos, a.card, ev),
    SetHand: lambda pos, a, chance, ev: hosting.set_hand(pos, a.seat, a.count, ev),
    SetScore: lambda pos, a, chance, ev: hosting.set_score(pos, a.seat, a.score, ev),
    SetTurn: lambda pos, a, chance, ev: hosting.set_turn(pos, a.seat, ev),
    SetDirection: lambda pos, a, chance, ev: hosting.set_direction(pos, a.step, ev),
    SetColour: lambda pos, a, chance, ev: hosting.set_colour(pos, a.colour, ev),
    Leave: lambda pos, a, chance, ev: hosting.leave(pos, a.seat, ev),
    EndMatch: lambda pos, a, chance, ev: rounds.end_match(pos, ev),
    Return: lambda pos, a, chance, ev: hosting.come_back(pos, a.seat, ev),
    Count: lambda pos, a, chance, ev: rounds.count_hand(pos, a.seat, points(a.cards), a.cards, ev),
    Points: lambda pos, a, chance, ev: rounds.count_hand(pos, a.seat, a.points, (), ev),
    Next: lambda pos, a, chance, ev: rounds.deal(pos, chance, ev),
}


def reason_against(pos: Position, action: Action) -> str | None:
    """Why `action` would be refused, or None. A misplay that costs a penalty is not refused."""
    reason = _JUDGES[type(action)](pos, action)
    return None if reason and is_misplay(pos, action, reason) else reason


_OPTION_OF: dict[type, str] = {
    Advice: "advice_penalty",
    Accept: "challenge",
    Challenge: "challenge",
    Play: "tracking",
    Start: "tracking",
}
"""The option that an action needs, where it has one."""


def is_misplay(pos: Position, action: Action, reason: str) -> bool:
    """Whether this refused action is one that the table punishes instead (rules §6, misplay)."""
    if pos.rules.misplay != "penalty" or reason not in MISPLAYS or not isinstance(action, Play):
        return False
    return reason != "owes" or any(debt.seat == action.seat for debt in pos.debts)


def check(pos: Position, action: Action) -> Refusal | None:
    """The refusal of `action`, with the options behind it, or None. Changes nothing."""
    reason = reason_against(pos, action)
    if reason is None:
        return None
    option = _OPTION_OF.get(type(action), "")
    return refusal(pos, reason, option if reason == "option-off" else "")


def apply(pos: Position, action: Action, chance: Chance = NO_CHANCE) -> list[Event]:
    """Do `action`: what happened. Raises `Refused`, and then `pos` is untouched."""
    mood = pos.mood
    if mood != BUSY:
        kind = type(action)
        events = None
        if kind is Play:
            if mood != OWED:
                events = short.play(pos, action, mood)  # type: ignore[arg-type]
        elif kind is Hit and mood != DRAWN:
            events = short.hit(pos, action) if mood == CALM else short.pay(pos, action)  # type: ignore[arg-type]
        if events is not None:
            return events
    return apply_in_full(pos, action, chance)


def apply_in_full(pos: Position, action: Action, chance: Chance = NO_CHANCE) -> list[Event]:
    """`apply` without the short way."""
    reason = _JUDGES[type(action)](pos, action)
    if reason:
        if isinstance(action, Play) and is_misplay(pos, action, reason):
            return _misplay(pos, action, reason, chance)
        refused = check(pos, action)
        assert refused is not None
        raise Refused(refused)
    return push(pos, action, chance)


def push(pos: Position, action: Action, chance: Chance = NO_CHANCE) -> list[Event]:
    """Do `action`, which its caller knows to be allowed."""
    events: list[Event] = []
    _DOERS[type(action)](pos, action, chance, events)
    _settle(pos, events)
    return events


def _settle(pos: Position, events: list[Event]) -> None:
    if pos.phase == PLAY:
        taking.settle_debts(pos, events)
        rounds.settle(pos, events)
    pos.mood = pos.find_mood()


def _misplay(pos: Position, action: Play, reason: str, chance: Chance) -> list[Event]:
    events: list[Event] = [Misplayed(action.seat, (action.card, *action.mates), reason)]
    taking.penalty(pos, action.seat, 2, "misplay", chance, events)
    _settle(pos, events)
    return events
