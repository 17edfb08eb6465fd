"""Why an action is refused: the reasons in the order of the rules (§10), and the options behind them."""

from __future__ import annotations

from .records import record

REASONS = (
    "no-such-player", "match-over", "round-over", "not-yet", "slap-due", "not-your-turn", "owes", "colour-due",
    "hopper-empty", "no-hit-due", "owes-nothing", "already-drawn", "must-draw", "must-play", "nothing-to-pass",
    "not-in-hand", "not-in-deck", "not-drawn-card", "bad-set", "no-match", "last-card", "wild-four-illegal",
    "colour-needed", "target-needed", "bad-target", "wrong-count", "verdict-needed", "false-call", "nothing-to-catch",
    "nothing-to-challenge", "nobody-silent", "no-slap", "no-colour-due", "wrong-source", "option-off",
    "nothing-to-undo", "nothing-to-correct",
)  # fmt: skip
"""Every reason, in the order in which the first that applies is named."""


@record
class Because:
    """An option that decided: its name, its value as a text, and the section of the rules that says so."""

    option: str
    value: str
    section: str


@record
class Refusal:
    """An action was refused and the game is as it was. `reason` is one of `REASONS`."""

    reason: str
    because: tuple[Because, ...] = ()

    def __str__(self) -> str:
        behind = ", ".join(f"{b.option} = {b.value} (§{b.section})" for b in self.because)
        return f"{self.reason} ({behind})" if behind else self.reason


class Refused(Exception):
    """Raised by `apply` in place of events; carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
