"""What is said and slapped: UNO calls, catches, challenges, slaps, silence, advice (rules §5 and §6).

Units that come of it do not move the turn (`taking.penalty`). That an action is allowed is settled before (`legal`).
"""

from __future__ import annotations

from dataclasses import replace

from .actions import Challenge
from .chance import Chance
from .events import Accepted, Advised, Called, Caught, Challenged, Event, Reported, Slapped
from .legal import call_is_right, can_be_caught
from .playing import could_answer, limits_for
from .position import Debt, Position
from .taking import owe, pass_turn, penalty, take


def call(pos: Position, seat: int, chance: Chance, ev: list[Event]) -> None:
    """`seat` calls UNO; a wrong call costs what the table says."""
    if call_is_right(pos, seat):
        pos.called |= 1 << seat
        pos.exposed &= ~(1 << seat)
        ev.append(Called(seat))
    else:
        ev.append(Called(seat, right=False))
        penalty(pos, seat, pos.rules.false_uno_penalty, "call", chance, ev)


def catch(pos: Position, seat: int, target: int, chance: Chance, ev: list[Event]) -> None:
    """`seat` catches `target`; a wrong catch costs the accuser what the table says."""
    if can_be_caught(pos, target):
        pos.exposed &= ~(1 << target)
        ev.append(Caught(target, seat))
        penalty(pos, target, pos.rules.uno_penalty, "catch", chance, ev)
    else:
        ev.append(Caught(target, seat, right=False))
        penalty(pos, seat, pos.rules.false_catch_penalty, "false-catch", chance, ev)


def accept(pos: Position, seat: int, ev: list[Event]) -> None:
    """`seat` will not challenge the wild draw four; where the table lets it be answered, that is still possible."""
    chain = pos.chain
    assert chain is not None
    pos.chain = replace(chain, accepted=True) if could_answer(pos.rules, chain) else None
    ev.append(Accepted(seat))


def challenge(pos: Position, action: Challenge, chance: Chance, ev: list[Event]) -> None:
    """`action.seat` challenges the first wild draw four of the live penalty (rules §5).

    The evidence decides; at a physical table the challenger, who was shown the hand, says the verdict (§9).
    """
    chain, rules, seat = pos.chain, pos.rules, action.seat
    assert chain is not None
    debt = next(debt for debt in pos.debts if debt.card and debt.seat == seat)
    guilty = not chain.answered and (action.verdict == "guilty" if pos.physical else chain.guilty)
    several = chain.cards > 1
    ev.append(Challenged(seat, chain.first, guilty, chain.evidence))
    pos.debts.remove(debt)
    pos.chain = None
    limits = limits_for(rules, chain)
    if guilty:
        units = debt.units if several else rules.challenge_guilty
        penalty(pos, chain.first, units, "guilty", chance, ev)
        pos.limit(limits)
        pass_turn(pos, seat)
        if rules.guilty_next == "plays":
            pos.resume = -1
        return
    units = debt.units + rules.challenge_innocent - rules.challenge_guilty if several else rules.challenge_innocent
    if rules.launcher:
        owe(pos, Debt(seat, max(units, 0), "", "innocent", True, True, False, limits), ev)
        if units <= 0:
            del pos.debts[-1]
    else:
        take(pos, seat, units, "penalty", chance, ev)
        pos.limit(limits)


def slap(pos: Position, seat: int, chance: Chance, ev: list[Event]) -> None:
    """`seat` slaps; when one is left, that one was last."""
    pos.slap &= ~(1 << seat)
    ev.append(Slapped(seat))
    if pos.slap.bit_count() == 1:
        last_slap(pos, pos.slap.bit_length() - 1, chance, ev)


def last_slap(pos: Position, target: int, chance: Chance, ev: list[Event]) -> None:
    """`target` slapped last and takes two."""
    pos.slap = 0
    ev.append(Slapped(target, last=True))
    penalty(pos, target, 2, "slap", chance, ev)


def report(pos: Position, seat: int, target: int, chance: Chance, ev: list[Event]) -> None:
    """`target` made a sound: two units, and the silence is over."""
    pos.silence = -1
    ev.append(Reported(target, seat))
    penalty(pos, target, 2, "report", chance, ev)


def advice(pos: Position, target: int, chance: Chance, ev: list[Event]) -> None:
    """`target` gave advice, the host saw it."""
    ev.append(Advised(target))
    penalty(pos, target, pos.rules.advice_penalty, "advice", chance, ev)
