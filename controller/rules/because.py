"""Which option stands behind a refusal: tables of reason, or of what is owed, and the options that can decide it."""

from __future__ import annotations

from .cards import RANKS
from .fits import COLOUR_ONLY, NO_WILD
from .options import BY_NAME, shown
from .plays import UNITS_OF, chain_debt
from .position import Position
from .refusals import Because, Refusal

_BEHIND: dict[str, tuple[str, ...]] = {
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
_BROUGHT: dict[str, str] = {
    "red-zero": "red_zero",
    "until-playable": "after_draw",
    "innocent": "challenge_innocent",
    "guilty": "challenge_guilty",
    "call": "false_uno_penalty",
    "catch": "uno_penalty",
    "false-catch": "false_catch_penalty",
    "slap": "nine",
    "report": "two",
    "advice": "advice_penalty",
    "misplay": "misplay",
}
"""By what is owed (`Debt.why`): the option that brought it."""
_ANSWERABLE = tuple(RANKS[rank] for rank in UNITS_OF)


def _owed(pos: Position) -> tuple[str, ...]:
    """The option behind what is owed: `defend` where it decides, else the one that brought it; or none."""
    why = pos.debts[0].why
    if why in _BROUGHT:
        return (_BROUGHT[why],)
    played = why in _ANSWERABLE and len(pos.discards) > 1  # a start card lies alone, and nothing answers it
    return ("defend",) if chain_debt(pos) or (played and not pos.rules.defend) else ()


def refusal(pos: Position, reason: str, option: str = "") -> Refusal:
    """`reason` with the options that decided it at this table; `option` where the action itself says which."""
    names = list(_BEHIND.get(reason, ()))
    if option:
        names = [option]
    if reason == "owes":
        names += _owed(pos)
    if reason == "no-match":
        names += ["after_chain"] if pos.limits & COLOUR_ONLY else []
        names += ["wild_after_draw"] if pos.limits & NO_WILD else []
    if reason == "not-your-turn" and pos.rules.jump_in != "off":
        names.append("jump_in")
    if reason == "must-play" and pos.must_play:
        names = ["after_draw"]
    options = pos.rules.options
    return Refusal(reason, tuple(Because(name, shown(options[name]), BY_NAME[name].section) for name in names))
