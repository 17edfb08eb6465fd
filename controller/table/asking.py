"""What commands have in common: the seat, the numbers and the words in them, checked. Nothing is done here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from controller.rules.actions import Action, Count, Play, Start
from controller.rules.cards import NAME_OF, UNKNOWN
from controller.rules.game import Game
from controller.table.ground import Ground
from controller.table.messages import Command, Refuse

_MOST_CARDS = 1000  # in one machine: a bound for what people type
_LONGEST_REASON = 120  # characters


def is_writable(value: object) -> bool:
    """Whether `value` can go into the journal and onto the wire: JSON, with whole characters only.

    JSON may name one half of a character by itself; such a text is no UTF-8.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def seat_of(ground: Ground, command: Command) -> int:
    """The seat a command names, when it is the asker's or the asker is host. Raises `Refuse`."""
    seat = command.body.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(ground.state.seats):
        raise Refuse("no-such-player")
    if not command.who.host and seat not in command.who.seats:
        raise Refuse("not-your-seat")
    return seat


def is_hidden(ground: Ground, command: Command, seat: int) -> bool:
    """Whether the asker, who may act for `seat`, must not learn what it holds: another's hand that is on the phones."""
    game = ground.game
    return seat not in command.who.seats and game is not None and not game.position.physical


def holder_of(ground: Ground, command: Command) -> int:
    """Like `seat_of`, of whoever may ask about the cards in a hand: where they are secret, that is its own phone.

    A host could else ask his way through the hand of another. Raises `Refuse`.
    """
    seat = seat_of(ground, command)
    if is_hidden(ground, command, seat):
        raise Refuse("not-your-seat", "only its own player sees that hand, and may ask about it")
    return seat


def game_of(ground: Ground) -> Game:
    """The game that is on. Raises `Refuse`."""
    if ground.game is None:
        raise Refuse("no-game")
    return ground.game


def cards_of(command: Command, least: int, game: Game | None) -> int:
    """How many cards a command says, at most those of the deck where they are real. Raises `Refuse`."""
    cards = command.body.get("cards")
    most = _MOST_CARDS
    if game is not None and game.position.physical:
        most = len(game.position.rules.deck_order)
    if not isinstance(cards, int) or isinstance(cards, bool) or not least <= cards <= most:
        raise Refuse("bad-command", f"cards is a whole number from {least} to {most}", least=least, most=most)
    return cards


def flag_of(body: Mapping[str, object], name: str) -> bool:
    """Yes or no, no when it is not said. Raises `Refuse`."""
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise Refuse("bad-command", f"{name} is true or false")
    return value


def reason_of(body: Mapping[str, object]) -> str:
    """Why somebody puts something right, on one line; empty when it is not said. Raises `Refuse`."""
    reason = body.get("reason", "")
    if not isinstance(reason, str):
        raise Refuse("bad-command", "reason is a text")
    clean = " ".join("".join(each if each.isprintable() else " " for each in reason).split())
    if len(clean) > _LONGEST_REASON:
        raise Refuse("bad-command", f"a reason has at most {_LONGEST_REASON} characters", most=_LONGEST_REASON)
    return clean


def refusal_of(game: Game, action: Action) -> Refuse | None:
    """Why the rules refuse `action`, or None; a card that the deck cannot hold any more is named."""
    refusal = game.check(action)
    if refusal is None:
        return None
    more: dict[str, Any] = _lacking(game, action) if refusal.reason == "not-in-deck" else {}
    refuse = Refuse.by_rules(refusal, **more)
    if more:
        card, copies = more["card"], more["copies"]
        refuse.text = (
            f"the deck has no {card}"
            if not copies
            else f"the deck has {copies} of {card}, and all of them lie or are held elsewhere: look at the card again, "
            f"or let the host undo the play that was none"
        )
    return refuse


def _lacking(game: Game, action: Action) -> dict[str, object]:
    """The first of the action's cards that there cannot be, and how many of it the deck has."""
    position = game.position
    left = position.remaining()
    named: tuple[int, ...] = ()
    if isinstance(action, Play):
        named = (action.card, *action.mates, *action.keep)
    elif isinstance(action, Start):
        named = (action.card,)
    elif isinstance(action, Count):
        named = action.cards
    if isinstance(action, Play | Count):
        for card in position.hands[action.seat]:
            left[card] += 1
    for card in named:
        left[card] -= 1
        if card != UNKNOWN and left[card] < 0:
            return {"card": NAME_OF[card], "copies": position.rules.counts[card]}
    return {}
