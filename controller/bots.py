"""Bots: simple players that see what a seat may see and answer with the same commands a phone would send.

When they move, and what becomes of it, is the table's business.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Command = dict[str, object]
View = Mapping[str, Any]  # what `rules.views` made: JSON-like data

_COLOURS = ("red", "yellow", "green", "blue")
_CALLS = 0.85  # how often a bot remembers to call UNO
_CATCHES = 0.6  # how often it notices that somebody did not
_CHALLENGES = 0.25


def choose(public: View, private: View, rng: random.Random) -> list[Command]:
    """What the bot of `private["seat"]` does now, in order; empty when it has nothing to do."""
    may, seat = private["may"], private["seat"]
    if may.get("slap"):
        return [{"do": "slap", "seat": seat}]
    if may.get("colour"):
        return [{"do": "colour", "seat": seat, "colour": _colour(private["hand"], _COLOURS, rng)}]
    if may.get("challenge") and rng.random() < _CHALLENGES:
        return [{"do": "challenge", "seat": seat}]
    if may.get("accept"):
        return [{"do": "accept", "seat": seat}]
    if private["moves"]:
        return _play(public, private, rng)
    for verb, command in (("hit", "press"), ("draw", "draw"), ("pass", "pass")):
        if may.get(verb):
            return [{"do": command, "seat": seat}]
    return []


def catches(private: View, rng: random.Random) -> list[Command]:
    """The catches the bot notices it could make."""
    seat = private["seat"]
    return [
        {"do": "catch", "seat": seat, "target": target} for target in private["may"]["catch"] if rng.random() < _CATCHES
    ]


def _play(public: View, private: View, rng: random.Random) -> list[Command]:
    move = max(private["moves"], key=lambda each: (_worth(each, private["hand"]), rng.random()))
    seat, hand = private["seat"], list(private["hand"])
    if move["card"] in hand:
        hand.remove(move["card"])
    command: Command = {"do": "play", "seat": seat, "card": move["card"]}
    if move.get("colours"):
        command["colour"] = _colour(hand, move["colours"], rng)
    if move.get("targets"):
        command["target"] = _target(public, move["targets"], rng)
    sweepable = move.get("keep") or []  # a discard-all takes all of its colour along, but for what it must leave
    kept = sweepable[: move.get("keepLeast") or 0]
    if kept:
        command["keep"] = kept
    left = len(hand) - len(sweepable) + len(kept)
    calls = private["may"].get("uno") and left == 1 and rng.random() < _CALLS
    return [{"do": "uno", "seat": seat}, command] if calls else [command]


def _worth(move: View, hand: Sequence[str]) -> float:
    """Action cards first, the sweeping ones before others; wilds late; else the colour held most of."""
    card = str(move["card"])
    if move.get("keep"):
        return 50 + len(move["keep"])
    colour, _, rank = card.partition(" ")
    if colour not in _COLOURS:
        return 1
    held = sum(other.startswith(f"{colour} ") for other in hand)
    return held + (0 if rank.isdecimal() else 20)


def _colour(hand: Sequence[str], allowed: Sequence[str], rng: random.Random) -> str:
    held = Counter(card.partition(" ")[0] for card in hand)
    return max(allowed, key=lambda colour: (held[colour], rng.random()))


def _target(public: View, allowed: Sequence[int], rng: random.Random) -> int:
    """Whoever holds the fewest cards."""
    hands = {seat["seat"]: seat["hand"] for seat in public["seats"]}
    return min(allowed, key=lambda seat: (hands.get(seat, 0), rng.random()))
