"""The options and presets of the rules (§2), typed in once more from their tables, for the brute force alone."""

from __future__ import annotations

from typing import Any


class Rules(dict[str, Any]):
    """Options by name. They never change during a game, so that a copy of a position shares them."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self


DECK_ANSWERS = {
    "classic-108": ("draw-two", "draw-two-pair", "wild-draw-four", "skip", "reverse"),
    "attack-1998": ("hit-2", "skip", "reverse"),
    "extreme-2012": ("hit-2", "wild-attack-attack", "skip", "reverse"),
    "attack-2015": ("hit-2", "wild-hit-4", "wild-attack-attack", "skip", "reverse"),
    "mega-hit": ("hit-1", "hit-2", "wild-attack-attack", "skip", "reverse"),
}
"""What could answer a penalty, of the cards in each deck (§1)."""

ATTACK: dict[str, Any] = {
    "deck": "attack-1998",
    "draw_from": "launcher",
    "first_player": "left-of-dealer",
    "start_direction": "clockwise",
    "start_reverse": "dealer",
    "start_wild": "first-player-names",
    "voluntary_draw": True,
    "after_draw": "play",
    "after_voluntary_draw": "end",
    "last_card": ["trade-hands"],
    "uno_penalty": 2,
    "catch_window": "next-begins",
    "swap_owes_call": False,
    "false_uno_penalty": 0,
    "false_catch_penalty": 0,
    "wild_four": "any-time",
    "challenge": False,
    "challenge_guilty": 4,
    "challenge_innocent": 6,
    "guilty_next": "plays",
    "defend": [],
    "after_chain": "match",
    "wild_after_draw": True,
    "two_player_reverse": "skip",
    "sets": "off",
    "set_effects": "each",
    "jump_in": "off",
    "zero": "plain",
    "red_zero": "plain",
    "seven": "plain",
    "two": "plain",
    "nine": "plain",
    "hit_fire": "until-fire",
    "attack_attack_next": "second",
}
CLASSIC = ATTACK | {
    "deck": "classic-108",
    "draw_from": "pile",
    "start_reverse": "right-of-dealer",
    "after_voluntary_draw": "same",
    "last_card": "any",
    "false_uno_penalty": 2,
    "false_catch_penalty": 2,
    "wild_four": "no-colour",
    "challenge": True,
}
STACK = ATTACK | {
    "deck": "classic-108",
    "draw_from": "pile",
    "start_reverse": "right-of-dealer",
    "after_draw": "race-number",
    "after_voluntary_draw": "same",
    "last_card": "numbers",
    "catch_window": "while-one-card",
    "defend": ["draw-two", "wild-draw-four", "skip", "reverse"],
    "after_chain": "colour-only",
    "two_player_reverse": "plain",
    "sets": "identical",
    "set_effects": "once",
}
KILLER = STACK | {
    "after_draw": "until-playable",
    "jump_in": "identical",
    "zero": "rotate-hands",
    "red_zero": "draw-ten",
    "two": "silence",
    "nine": "slap",
}
SHEET = ATTACK | {"after_draw": "end"}
PRESETS = {
    "attack": ATTACK,
    "attack-sheet": SHEET,
    "extreme": SHEET | {"deck": "extreme-2012"},
    "attack-2015": SHEET | {"deck": "attack-2015"},
    "mega-hit": SHEET
    | {"deck": "mega-hit", "defend": ["hit-1", "hit-2", "wild-attack-attack"], "attack_attack_next": "next"},
    "classic": CLASSIC,
    "classic-dealer-first": CLASSIC
    | {"first_player": "dealer", "start_reverse": "dealer", "start_direction": "counterclockwise"},
    "classic-clockwise": CLASSIC | {"first_player": "dealer", "start_reverse": "dealer", "guilty_next": "skipped"},
    "classic-strict": CLASSIC
    | {
        "wild_four": "no-match",
        "defend": ["draw-two", "wild-draw-four", "draw-two-pair"],
        "sets": "rank",
        "jump_in": "coloured",
        "voluntary_draw": False,
        "false_catch_penalty": 0,
    },
    "stack": STACK,
    "killer": KILLER,
}


def rules_of(preset: str, changed: dict[str, Any]) -> Rules:
    """The options of a preset with others set on top."""
    return Rules(PRESETS[preset] | changed)
