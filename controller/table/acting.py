"""Commands that are actions of the game: who may give them, and on to the rules. What they do is decided there."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules import codec
from controller.rules.actions import Call, Catch, Play, Start
from controller.rules.codec import BadAction
from controller.rules.game import Game
from controller.rules.position import PLAY
from controller.table.asking import game_of, is_hidden, reason_of, refusal_of, seat_of
from controller.table.catches import Catches
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.shots import Shots
from controller.table.taps import Taps
from controller.table.whys import Whys

OF_SEATS = (
    "play", "draw", "pass", "colour", "uno", "catch", "accept", "challenge", "slap", "report", "done", "count",
    "points",
)  # fmt: skip
"""Commands of a seat, or of the host for it."""
OF_HOST = {
    "last": "last", "advice": "advice", "dealer": "dealer", "start-card": "start", "set-hand": "set-hand",
    "set-score": "set-score", "set-turn": "set-turn", "set-direction": "set-direction", "set-colour": "set-colour",
}  # fmt: skip
"""Commands of the host, by the word that the rules have for them."""
_OF_THE_TURN = (
    "no-such-player", "match-over", "round-over", "not-yet", "slap-due", "not-your-turn", "owes", "colour-due",
)  # fmt: skip
"""Refusals of a play that are judged before the hand is looked at."""


class Acting:
    """Each raises `Refuse` or `Refused`, and then nothing has changed. None: the answer comes later."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches, taps: Taps, whys: Whys) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self._taps = taps
        self._whys = whys

    def for_seat(self, command: Command) -> Answer | None:
        """An action of the seat that the command names."""
        ground = self._ground
        game = game_of(ground)
        seat = seat_of(ground, command)
        if ground.state.paused:
            raise Refuse("paused")
        return self._do(game, command, command.body, "", is_hidden(ground, command, seat))

    def for_host(self, command: Command) -> Answer | None:
        """What the host saw or puts right."""
        if not command.who.host:
            raise Refuse("not-host")
        game, reason = game_of(self._ground), reason_of(command.body)
        body = {key: value for key, value in command.body.items() if key != "reason"}
        return self._do(game, command, {**body, "do": OF_HOST[str(body["do"])]}, reason)

    def _do(
        self, game: Game, command: Command, body: Mapping[str, object], reason: str, hidden: bool = False
    ) -> Answer | None:
        """Do what `body` says, for `reason`. `hidden`: the asker must not learn what the seat holds."""
        try:
            action = codec.action_from_json({key: value for key, value in body.items() if key not in ("id", "t")})
        except BadAction as bad:
            raise Refuse("bad-command", str(bad)) from bad
        refusal = game.check(action)
        if refusal is not None:
            self._whys.note(game, action, refusal)
        if isinstance(action, Catch):
            return None if self._catches.catch(game, command, action) else {"ok": True}
        if isinstance(action, Call):
            self._catches.call(game, action)
            return {"ok": True}
        self._shots.refuse_during_shot()
        refuse = refusal_of(game, action)
        if refuse is not None:
            raise _untelling(game, action, refuse) if hidden and isinstance(action, Play) else refuse
        if self._catches.holding:
            self._catches.take_effect(game)  # it would close the window of a catch that is held
        self._ground.apply(game, action, reason)
        self._taps.note(command, game)
        if isinstance(action, Start) and game.position.phase == PLAY and self._ground.one_ledger:
            self._shots.load(len(game.position.pile))  # what was not dealt goes into the launcher
        return {"ok": True}


def _untelling(game: Game, action: Play, refuse: Refuse) -> Refuse:
    """`refuse`, told so that nothing is learnt of the hand: whoever plays for another could else ask through its cards.

    In a race for numbers that just came, whether it is for the seat to play says which they are.
    """
    race = game.position.race
    if refuse.reason in _OF_THE_TURN and (race is None or race[0] != action.seat):
        return refuse
    return Refuse("no-match", "that card is not there or cannot be played so: which of these, its own player sees")
