"""Which option stands behind a refusal: a table of reason and the options that can decide it."""

from __future__ import annotations

from .fits import COLOUR_ONLY, NO_WILD
from .options import BY_NAME, shown
from .position import Position
from .refusals import Because, Refusal

_BEHIND: dict[str, tuple[str, ...]] = {
    "owes": ("defend",),
    "already-drawn": ("after_draw",),
    "must-play": ("voluntary_draw",),
    "not-drawn-card": ("after_draw",),
    "bad-set": ("sets",),
    "last-card": ("last_card",),
    "wild-four-illegal": ("wild_four", "challenge"),
    "false-call": ("false_uno_penalty",),
    "nothing-to-catch": ("catch_window", "false_catch_penalty"),
    "nothing-to-challenge": ("challenge",),
    "wrong-source": ("draw_from",),
}


def refusal(pos: Position, reason: str, option: str = "") -> Refusal:
    """`reason` with the options that decided it at this table; `option` where the action itself says which."""
    names = list(_BEHIND.get(reason, ()))
    if option:
        names = [option]
    if reason == "no-match":
        names += ["after_chain"] if pos.limits & COLOUR_ONLY else []
        names += ["wild_after_draw"] if pos.limits & NO_WILD else []
    if reason == "not-your-turn" and pos.rules.jump_in != "off":
        names.append("jump_in")
    if reason == "must-play" and pos.must_play:
        names = ["after_draw"]
    options = pos.rules.options
    return Refusal(reason, tuple(Because(name, shown(options[name]), BY_NAME[name].section) for name in names))
