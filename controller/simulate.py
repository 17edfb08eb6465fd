"""Random play without a table, a launcher or a clock: for measuring the engine, and for what must hold in any game.

A random player plays any playable card, hits only when there is none, and pays what is owed; it never calls, catches,
challenges or answers a penalty. Players that mean to win live in `controller.bots`.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from controller.odds import MEASURED, Odds
from controller.rules import engine
from controller.rules.actions import Action, Draw, Hit, NameColour, Next, Pass, Play, Slap
from controller.rules.cards import DISCARD_ALL, FIRST_WILD, NO_COLOUR, RANK_OF
from controller.rules.chance import Dice
from controller.rules.matches import MatchSettings, new_match
from controller.rules.options import RuleSet
from controller.rules.plays import CHOOSING, playable, playable_now, probe, targets
from controller.rules.position import BUSY, CALM, OWED, PLAY, Position

MOST_TURNS = 5000  # a round that goes on so long is given up; random play alone does not promise an end


@dataclass(frozen=True, slots=True)
class RoundTrace:
    """What became of one round. `turns`: how often somebody's turn began with a card played, cards taken or a pass."""

    turns: int
    plays: int
    hits: int
    winner: int | None  # None: nobody could go on, or the round was given up


def new_round(rules: RuleSet, players: int, rng: Random) -> Position:
    """The first round of a match at a digital table, dealt."""
    names = tuple(f"Player {number}" for number in range(1, players + 1))
    position = Position(rules, names, MatchSettings(), new_match(players), physical=False)
    engine.apply(position, Next(), Dice(rng))
    return position


class RandomPlayers:
    """All seats of a round, each playing at random; chance and odds are handed in."""

    def __init__(self, rng: Random, odds: Odds) -> None:
        self._random = rng.random  # `int(random() * n)` costs half of `randrange(n)`; its bias is nothing here
        self._press = odds.press

    def action(self, position: Position) -> Action:
        """What is done next in a round that is being played; always allowed."""
        mood, seat = position.mood, position.turn
        if mood == OWED:
            return Hit(position.debts[0].seat, self._press())
        if mood == BUSY:
            return self._busy(position, seat)
        cards = playable_now(position)
        if not cards:
            return Hit(seat, self._press()) if position.pile or position.to_draw() else Pass(seat)
        card = cards[int(self._random() * len(cards))]
        if card < FIRST_WILD and position.rules.plain[card]:
            return Play(seat, card)
        return self._play(position, seat, card)

    def _busy(self, position: Position, seat: int) -> Action:
        """The same where something unusual is pending, or the rules have no short way."""
        launcher = position.rules.launcher
        if position.debts:
            seat = position.debts[0].seat
            return Hit(seat, self._press()) if launcher else Draw(seat)
        if position.slap:
            return Slap(self._one_of([seat for seat in position.seats_inside() if position.slap >> seat & 1]))
        if position.naming >= 0:
            return NameColour(position.naming, int(self._random() * NO_COLOUR))
        kinds = set(playable(position, seat))
        cards = [card for card in position.hands[seat] if card in kinds]
        if cards:
            return self._play(position, seat, cards[int(self._random() * len(cards))])
        if position.drawn is not None or position.to_draw() == 0:
            return Pass(seat)
        return Hit(seat, self._press()) if launcher else Draw(seat)

    def _play(self, position: Position, seat: int, card: int) -> Play:
        """A play of `card` with its choices made at random."""
        colour = int(self._random() * NO_COLOUR) if card >= FIRST_WILD else -1
        rank = RANK_OF[card]
        if rank not in CHOOSING and rank != DISCARD_ALL:
            return Play(seat, card, colour)
        possible = probe(position, seat, card)
        target = self._one_of(targets(position, seat)) if possible.target >= 0 else -1
        return Play(seat, card, colour, target, keep=possible.keep)

    def _one_of(self, seats: list[int]) -> int:
        return seats[int(self._random() * len(seats))]


def play_round(rules: RuleSet, players: int, rng: Random) -> RoundTrace:
    """Play one round of `players` random players to its end; shots by the `measured` odds."""
    position = new_round(rules, players, rng)
    seats, dice = RandomPlayers(rng, Odds(MEASURED, rng)), Dice(rng)
    turns = plays = hits = 0
    apply, choose = engine.apply, seats.action
    while position.phase == PLAY and turns < MOST_TURNS:
        mood = position.mood
        if mood == CALM or (mood == BUSY and _is_a_turn(position)):
            turns += 1
        action = choose(position)
        kind = type(action)
        if kind is Play:
            plays += 1
        elif kind is Hit:
            hits += 1
        apply(position, action, dice)
    return RoundTrace(turns, plays, hits, position.out[0] if position.out else None)


def _is_a_turn(position: Position) -> bool:
    """Whether what comes next begins a turn: not a debt, and not what may follow cards that were taken."""
    return not position.debts and position.drawn is None and position.naming < 0 and not position.slap
