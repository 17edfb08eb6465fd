"""Random games under random rules, in which engine and brute force must accept the same at every step.

The counts go wide from chosen positions; these go far, through combinations of options that nobody thought of.
"""

from __future__ import annotations

from random import Random
from typing import Any

from controller.rules.cards import NAME_OF
from controller.rules.options import PRESETS, resolve

from . import plain
from .compare import actions_of_both, compare, engine_after, engine_position
from .vocabulary import COLOURS, MOST_IN_A_SET, Action, rank_of

NAMES = ("Ann", "Bo", "Cy", "Di")
FORMATS = ("winner-takes", "winner-takes", "last-standing", "own-points")
ANSWERS = (
    "draw-two", "wild-draw-four", "skip", "reverse", "draw-two-pair", "hit-1", "hit-2", "wild-hit-4",
    "wild-attack-attack",
)  # fmt: skip
CHANGES: dict[str, tuple[Any, ...]] = {
    "draw_from": ("launcher", "pile"),
    "voluntary_draw": (True, False),
    "after_draw": ("end", "play", "play-number", "race-number", "until-playable"),
    "after_voluntary_draw": ("same", "end"),
    "last_card": ("any", "numbers", ["trade-hands"], ["skip", "reverse", "draw-two", "hit-2"], ["0", "7"]),
    "uno_penalty": (1, 2),
    "catch_window": ("next-begins", "next-plays", "while-one-card"),
    "swap_owes_call": (True, False),
    "false_uno_penalty": (0, 2),
    "false_catch_penalty": (0, 2),
    "wild_four": ("any-time", "no-colour", "no-match", "no-other"),
    "challenge": (True, False),
    "challenge_guilty": (3, 4),
    "challenge_innocent": (5, 6),
    "guilty_next": ("plays", "skipped"),
    "defend": ((), ANSWERS[:4], ANSWERS[:5], ANSWERS[5:], ANSWERS),
    "after_chain": ("match", "colour-only"),
    "wild_after_draw": (True, False),
    "two_player_reverse": ("skip", "plain"),
    "sets": ("off", "identical", "rank"),
    "set_effects": ("each", "once"),
    "jump_in": ("off", "numbers", "coloured", "identical"),
    "zero": ("plain", "rotate-hands"),
    "red_zero": ("plain", "draw-ten"),
    "seven": ("plain", "swap-hands"),
    "two": ("plain", "silence"),
    "nine": ("plain", "slap"),
    "hit_fire": ("until-fire", "until-colour"),
    "attack_attack_next": ("second", "next"),
}
"""Options that may be set on top of a preset, and to what."""
WEIGHTS = {"play": 8, "hit": 4, "draw": 3, "colour": 4, "challenge": 3, "slap": 3, "pass": 2, "accept": 2}
"""How likely an action is chosen; calls, catches and reports count one."""
MANY = 13
"""A walk ends when a hand is larger: too much could be said about it."""


def random_head(random: Random) -> str:
    """The head of a case file: any preset with some options changed, small hands of few ranks, any top card."""
    preset = random.choice(sorted(PRESETS))
    changed = {name: random.choice(CHANGES[name]) for name in random.sample(sorted(CHANGES), random.choice((0, 2, 5)))}
    cards = [NAME_OF[card] for card in resolve(preset, changed).deck_order]
    ranks = random.sample(sorted({rank_of(card) for card in cards}), 4)
    random.shuffle(cards)
    cards.sort(key=lambda card: (rank_of(card) not in ranks) + random.random())
    players = NAMES[: random.choice((2, 3, 3, 4))]
    lines = [f"preset = {text(preset)}", f"players = {text(players)}"]
    hands = [f"{name} = {text([cards.pop(0) for _ in range(random.randint(1, 4))])}" for name in players]
    if random.random() < 0.85:
        top = cards.pop(0)
        lines += [f"top = {text(top)}", f"turn = {text(random.choice(players))}"]
        lines += [] if " " in top else [f"colour = {text(random.choice(COLOURS))}"]
        lines += random.sample(['direction = "counterclockwise"'], random.randint(0, 1))
    else:
        lines.append(f"dealer = {text(random.choice(players))}")
    lines += [f"pile = {text(cards)}", "[hands]", *hands, "[rules]"]
    lines += [f"{name} = {text(value)}" for name, value in changed.items()]
    return "\n".join([*lines, "[match]", f"format = {text(random.choice(FORMATS))}"])


def text(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(text(item) for item in value) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'


def walk(head: str, random: Random, most: int) -> int:
    """Play up to `most` random actions by both, comparing at every step; how many there were. Raises `Differ`."""
    pos, p = engine_position(head), plain.read(head)
    steps: list[str] = []
    while len(steps) < most and not too_large(p):
        by_engine, by_plain = actions_of_both(pos, p, steps)
        if not by_plain:
            break
        action = random.choices(by_plain, [weight(action) for action in by_plain])[0]
        pos, p = engine_after(pos, by_engine[action]), plain.do(p, action)
        steps.append(action.step())
    compare(pos, p, steps)
    return len(steps)


def weight(action: Action) -> float:
    """How likely an action is chosen."""
    return WEIGHTS.get(action.verb, 1) / (1 + len(action.keep))


def too_large(p: plain.Position) -> bool:
    """Whether a hand holds more than the vocabulary can say everything about."""
    alike = [rank_of(card) for hand in p.hands.values() for card in hand]
    return max(map(len, p.hands.values())) > MANY or any(
        [rank_of(card) for card in hand].count(rank) > MOST_IN_A_SET for hand in p.hands.values() for rank in set(alike)
    )
