"""Random players for the property tests: they do anything the rules let them, offered by the views' own schemas."""

from __future__ import annotations

from random import Random

from controller.rules import actions as a
from controller.rules.actions import Action, Play
from controller.rules.cards import NO_COLOUR
from controller.rules.chance import Dice
from controller.rules.engine import reason_against
from controller.rules.game import Game
from controller.rules.matches import MatchSettings
from controller.rules.moves import moves
from controller.rules.options import resolve
from controller.rules.position import MATCH_OVER, ROUND_OVER, Position

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo")


def new_game(preset: str, players: int, rng: Random, options: dict[str, object] | None = None, **match: object) -> Game:
    """A digital game of `players`, its first round dealt."""
    settings = MatchSettings(**match)  # type: ignore[arg-type]
    game = Game(resolve(preset, options), NAMES[:players], settings)
    game.apply(a.Next(), Dice(rng))
    return game


def shot(rng: Random) -> int:
    """Cards of one press: mostly none, sometimes many."""
    return 0 if rng.random() < 0.6 else rng.randint(1, 9)


def offers(pos: Position, rng: Random) -> list[Action]:
    """Everything that is offered to somebody now, choices drawn at random."""
    found: list[Action] = []
    dice = Dice(rng)
    for seat in pos.seats_inside():
        for move in moves(pos, seat):
            single = move.sample(dice)
            found.append(single)
            together = Play(seat, move.card, single.colour, single.target, move.mates)
            if move.mates and reason_against(pos, together) is None:
                found.append(together)
        found += offers_besides(pos, seat, rng)
    if pos.slap:
        found.append(a.LastSlap(rng.choice(pos.seats_inside())))
    return found


def offers_besides(pos: Position, seat: int, rng: Random) -> list[Action]:
    """What `seat` may do besides playing, as the engine judges it."""
    possible: list[Action] = [
        a.Hit(seat, shot(rng)), a.Draw(seat), a.Pass(seat), a.NameColour(seat, rng.randrange(NO_COLOUR)), a.Call(seat),
        a.Accept(seat), a.Challenge(seat), a.Slap(seat), *(a.Catch(seat, other) for other in pos.seats_inside()),
        *(a.Report(seat, other) for other in pos.seats_inside()),
    ]  # fmt: skip
    return [action for action in possible if reason_against(pos, action) is None]


def anything(pos: Position, rng: Random) -> Action:
    """One action of the whole vocabulary, sensible or not."""
    players = len(pos.players)
    seat, other = rng.randrange(-1, players + 1), rng.randrange(-1, players + 1)
    hand = pos.hands[seat] if 0 <= seat < players else b""
    held = list(hand) or [1]
    card = rng.choice(held) if rng.random() < 0.8 else rng.randrange(1, 76)
    mates = tuple(rng.sample(held, min(len(held), rng.randrange(3)))) if rng.random() < 0.2 else ()
    keep = tuple(rng.sample(held, min(len(held), rng.randrange(3)))) if rng.random() < 0.2 else ()
    actions: list[Action] = [
            a.Play(seat, card, rng.randrange(-1, 4), rng.choice((-1, other)), mates, keep),
            a.Play(seat, card), a.Play(seat, card, rng.randrange(4)), a.Play(seat, card, -1, other),
            a.Hit(seat, rng.randrange(-1, 8), rng.random() < 0.2), a.Draw(seat, rng.random() < 0.2), a.Done(seat),
            a.Pass(seat), a.NameColour(seat, rng.randrange(-1, 5)), a.Call(seat), a.Catch(seat, other), a.Accept(seat),
            a.Challenge(seat), a.Slap(seat), a.LastSlap(other), a.Report(seat, other), a.Advice(other), a.Reload(),
            a.Next(), a.Count(seat, (card,)), a.Points(seat, 3), a.Start(card), a.Dealer(seat),
    ]  # fmt: skip
    return rng.choice(actions)


def play_on(game: Game, rng: Random, most: int) -> list[Action]:
    """Play `most` offered actions, dealing the next round when one is over. What was done."""
    done: list[Action] = []
    for _ in range(most):
        pos = game.position
        if pos.phase == MATCH_OVER:
            break
        action: Action
        action = a.Next() if pos.phase == ROUND_OVER else rng.choice(offers(pos, rng))
        game.apply(action, Dice(rng))
        done.append(action)
    return done
