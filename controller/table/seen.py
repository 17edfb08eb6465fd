"""Shots that nobody ordered: typed by people where there is no launcher, or seen where a launcher shoots by itself.

They go the way of every shot: the same rows, the same events, the same corrections. Cards that came when nobody was
due to hit wait for the host to say whose they are.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.actions import Hit, SetHand
from controller.rules.game import Game
from controller.rules.position import PLAY
from controller.table.asking import cards_of, flag_of, game_of, refusal_of, seat_of
from controller.table.catches import Catches
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.shots import Shots
from controller.table.state import Unowned
from hardware.ports import Certainty, ShotSeen


class SeenShots:
    """What was typed or seen to come out. Commands raise `Refuse`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots, catches: Catches) -> None:
        self._ground = ground
        self._shots = shots
        self._catches = catches
        self.commands: dict[str, Callable[[Command], Answer | None]] = {"hit": self._typed}
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {"give-shot": self._give}

    def seen(self, event: ShotSeen) -> None:
        """A shot was seen: it is the hit of whoever is due; with nobody due, the host's to give."""
        ground = self._ground
        game = ground.game
        seat = game.presser() if game is not None and not ground.state.paused and ground.state.shot is None else None
        if game is not None and seat is not None and game.check(Hit(seat, event.cards)) is None:
            self._shots.came(seat, event.cards, event.certainty, "seen")
        elif event.cards:
            if game is not None:
                ground.record("unowned", {"cards": event.cards, "certainty": event.certainty.value})
            ground.tell("shot-unowned", cards=event.cards, certainty=event.certainty.value)

    def _typed(self, command: Command) -> Answer:
        """`hit`: so many cards came out for a seat, or for whoever is due."""
        ground = self._ground
        if not ground.settings.typed:
            raise Refuse("wrong-source", "this launcher counts its own cards: press its button")
        game, choice = game_of(ground), flag_of(command.body, "choice")
        cards = cards_of(command, 0, game)
        seat = self._hitter(game, command)
        if ground.state.paused:
            raise Refuse("paused")
        self._shots.refuse_during_shot()
        hit = Hit(seat, cards, choice)
        self._refuse_wrong(game, hit)
        if self._catches.holding:
            self._catches.take_effect(game)
            self._refuse_wrong(game, hit)
        self._shots.came(seat, cards, Certainty.EXACT, "typed", choice)
        return {"ok": True}

    def _hitter(self, game: Game, command: Command) -> int:
        if command.body.get("seat") is not None:
            return seat_of(self._ground, command)
        seat = game.presser()
        if seat is None:
            refuse = refusal_of(game, Hit(max(game.position.turn, 0), 0))
            raise refuse or Refuse("no-hit-due")
        if not command.who.host and seat not in command.who.seats:
            raise Refuse("not-your-seat")
        return seat

    def _refuse_wrong(self, game: Game, hit: Hit) -> None:
        refuse = refusal_of(game, hit)
        if refuse is not None:
            raise refuse

    def _give(self, command: Command) -> Answer:
        """`give-shot`: the cards that came when nobody was due are a seat's; or nobody's, when no seat is said."""
        ground = self._ground
        game, unowned = game_of(ground), ground.state.unowned
        if unowned is None:
            raise Refuse("nothing-to-correct", "no shot waits for an owner")
        self._shots.refuse_during_shot()
        seat = None if command.body.get("seat") is None else seat_of(ground, command)
        if seat is not None:
            self._catches.take_effect(game)
            self._give_to(game, seat, unowned)
        ground.record("unowned", {})
        ground.tell("shot-given", seat=seat, cards=unowned.cards)
        return {"ok": True}

    def _give_to(self, game: Game, seat: int, unowned: Unowned) -> None:
        refuse = refusal_of(game, Hit(seat, unowned.cards))
        if refuse is None:
            self._shots.came(seat, unowned.cards, Certainty(unowned.certainty), "seen")
        elif game.position.physical and game.position.phase == PLAY:
            held = len(game.position.hands[seat])  # not due, but in that hand all the same
            self._ground.apply(game, SetHand(seat, held + unowned.cards), "shot")
        else:
            raise refuse
