"""Positions in words: for case files, `--show`, error texts. Cards and colours are written as in `cards`."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import COLOURS, NAME_OF, NO_COLOUR, names
from .position import BEFORE, COUNT, MATCH_OVER, PLAY, ROUND_OVER, START, Position

_PHASES = {
    BEFORE: "not dealt yet",
    START: "dealt; the start card is not named yet",
    COUNT: "the round is played, hands are counted",
    ROUND_OVER: "the round is over",
    MATCH_OVER: "the match is over",
}


def hand_words(cards: Sequence[int]) -> str:
    """A hand: known cards by name, unknown ones as a number."""
    known = [card for card in sorted(cards) if card]
    words = names(known)
    unknown = len(cards) - len(known)
    if unknown:
        words.append(f"? x{unknown}" if unknown > 1 else "?")
    return ", ".join(words) or "no cards"


def describe(pos: Position) -> list[str]:
    """The position in words, a line each: turn, top card, what is owed or pending, hands, scores."""
    who = pos.players
    lines = []
    if pos.phase == PLAY:
        way = "clockwise" if pos.step > 0 else "counterclockwise"
        lines.append(f"{who[pos.turn]}'s turn, {way}")
    else:
        lines.append(_PHASES[pos.phase])
    colour = COLOURS[pos.colour] if pos.colour != NO_COLOUR else "not known"
    top = NAME_OF[pos.top] if pos.discards else "none"
    lines.append(f"top {top}, colour {colour}, pile {len(pos.pile)}, discards {len(pos.discards)}")
    for debt in pos.debts:
        units = f"until {debt.until}" if debt.until else str(debt.units)
        lines.append(f"{who[debt.seat]} owes {units} ({debt.why})")
    if pos.naming >= 0:
        lines.append(f"{who[pos.naming]} has to name the colour")
    if pos.drawn is not None:
        lines.append(f"{who[pos.turn]} has just taken {len(pos.drawn)}")
    if pos.slap:
        lines.append("a slap is on")
    if pos.silence >= 0:
        lines.append(f"silence, by {who[pos.silence]}'s two")
    for seat, name in enumerate(who):
        marks = [
            word
            for word, true in (
                ("called", pos.called >> seat & 1),
                ("can be caught", pos.exposed >> seat & 1),
                ("out", pos.gone_out(seat)),
                ("left", pos.match.left >> seat & 1),
                ("eliminated", pos.match.eliminated >> seat & 1),
            )
            if true
        ]
        more = f" [{', '.join(marks)}]" if marks else ""
        lines.append(f"{name}: {hand_words(pos.hands[seat])}; score {pos.match.scores[seat]}{more}")
    return lines
