"""Why not? A dry judgement of something a seat could do, and a refusal kept as a case file.

Nothing here changes the table. What is told is what the asker would be told by trying: a seat asks about its own cards
only, and a case file shows no hand but the asker's until the round is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from controller.rules import codec
from controller.rules.actions import Action, Call, Catch, Play
from controller.rules.because import refusal as refusal_of
from controller.rules.casewriting import Dispute, write_case
from controller.rules.codec import BadAction
from controller.rules.game import Game
from controller.rules.legal import call_is_right, can_be_caught
from controller.rules.plays import play, probe
from controller.rules.position import PLAY, Position
from controller.rules.refusals import Refusal
from controller.table.asking import game_of, holder_of
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse

ASKING: Final = ("why", "case")
"""Commands that ask: their answers are not journalled, since there is nothing to do twice."""
_ABOUT = ("play", "draw", "pass", "colour", "uno", "catch", "accept", "challenge", "slap")
_INCOMPLETE = ("colour-needed", "target-needed", "verdict-needed")  # it may be done; only something is still to be said
_STORY = 60  # actions that a case file can begin before


@dataclass(frozen=True, slots=True)
class _Kept:
    """The last refusal of a seat, with the game as it stood then. `entries`: how many it had."""

    dispute: Dispute
    entries: int
    round: int


class Whys:
    """One refusal a seat is kept, until the next one or another game."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._kept: dict[int, _Kept] = {}
        self._of: Game | None = None
        self.commands: dict[str, Callable[[Command], Answer | None]] = {"why": self._why, "case": self._case}

    def note(self, game: Game, action: Action, refusal: Refusal) -> None:
        """The rules have refused `action`."""
        if self._of is not game:
            self._of, self._kept = game, {}
        seat = getattr(action, "seat", -1)
        position = game.position
        if position.phase == PLAY and 0 <= seat < len(position.players):
            dispute = Dispute(game.story(_STORY), position.copy(), action, refusal)
            self._kept[seat] = _Kept(dispute, len(game.entries), position.match.number)

    def _why(self, command: Command) -> Answer:
        """`why`: what stands against something, and which options are behind it; null when nothing does."""
        game, seat = game_of(self._ground), holder_of(self._ground, command)
        action = _action(game.position, seat, command.body.get("about"))
        refusal = _against(game, action)
        if refusal is None or refusal.reason in _INCOMPLETE:
            return {"ok": True, "why": None}
        self.note(game, action, refusal)
        told = Refuse.by_rules(refusal).answer()
        return {"ok": True, "why": {key: told[key] for key in ("reason", "because", "text")}}

    def _case(self, command: Command) -> Answer:
        """`case`: the seat's last refusal as a case file, to be kept and looked at by whoever knows the rules."""
        ground, seat = self._ground, command.body.get("seat")
        game = game_of(ground)
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(ground.state.seats):
            raise Refuse("no-such-player")
        kept = self._kept.get(seat) if self._of is game else None
        now = game.position
        over = kept is not None and (now.phase != PLAY or now.match.number != kept.round)
        if seat not in command.who.seats and not (command.who.host and (now.physical or over)):
            raise Refuse("not-your-seat", "while the round is on, its player keeps the case: it shows that hand")
        if kept is None:
            raise Refuse("no-case", "nothing has been refused to that seat in this round")
        name = f"case-{ground.state.epoch}-{kept.entries}-{seat}.toml"
        text = write_case(kept.dispute, None if over else frozenset({seat}))
        if text is None:
            raise Refuse("no-case", "it cannot be told without cards that are hidden: try again when the round is over")
        if ground.parts.cases is not None:
            ground.file(ground.parts.cases / name, text)
        return {"ok": True, "name": name, "case": text, "kept": ground.parts.cases is not None}


def _action(position: Position, seat: int, about: object) -> Action:
    if not isinstance(about, Mapping) or about.get("do") not in _ABOUT:
        raise Refuse("bad-command", f"say about what: about = {{do: ...}}, one of {', '.join(_ABOUT)}")
    try:
        action = codec.action_from_json({**about, "seat": seat})
    except BadAction as bad:
        raise Refuse("bad-command", str(bad)) from bad
    if isinstance(action, Play) and set(about) <= {"do", "seat", "card"}:
        return probe(position, seat, action.card)
    return action


def _against(game: Game, action: Action) -> Refusal | None:
    """What stands against `action`, also where trying it would be taken and paid for."""
    position = game.position
    refusal = game.check(action)
    if refusal is not None or position.phase != PLAY:
        return refusal
    if isinstance(action, Play):
        reason = play(position, action)
        return None if reason is None else refusal_of(position, reason)
    if isinstance(action, Catch) and not can_be_caught(position, action.target):
        return refusal_of(position, "nothing-to-catch")
    if isinstance(action, Call) and not call_is_right(position, action.seat):
        return refusal_of(position, "false-call")
    return None
