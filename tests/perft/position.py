"""The brute force's position: names and cards as words, and how the head of a case file makes one (§3).

Whoever wants to know what may be done in it looks into `judging`, what that does to it into `doing`.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from .options import Rules, rules_of
from .vocabulary import colour_of, rank_of


@dataclass
class Debt:
    """Units that `who` owes, or that are owed `until` fire or colour.

    `card`: it comes from a card, so the turn is theirs meanwhile; `loses`: they lose the turn by it. `answerable`, and
    `draw_card` (a card that says how many units one player takes): what will hold for the card that follows the payment
    (`after_chain`, `wild_after_draw`).
    """

    who: str
    units: int = 0
    until: str = ""
    card: bool = False
    loses: bool = False
    answerable: bool = False
    draw_card: bool = False


@dataclass
class Penalty:
    """A live penalty: nothing of it was taken yet, so it may be answered or challenged.

    `hits`: made by hit cards, else by draw cards. `cards`: how many cards made it. `four_by`: who played the first wild
    draw four in it, `guilty` or not; `answered`: that one answered a penalty; `accepted`: it is not to be challenged.
    """

    hits: bool
    cards: int = 0
    four_by: str = ""
    guilty: bool = False
    answered: bool = False
    accepted: bool = False


@dataclass
class Position:
    """A round at one moment. `still_in`: players in the round, in seat order; `out`: who went out, the first first.

    `pile`: next card first; `discards`: top card last. `came`: cards of this turn's draw of which one may be played.
    `hitting`: the player in turn has to hit until it fires. `race`: who may still play which numbers. `then`: when all
    units from cards are taken, the turn goes to the n-th player after somebody. `slap`: who has still to slap. `empty`:
    whose hands came to no cards, in that order.
    """

    players: tuple[str, ...]
    rules: Rules
    format: str
    hands: dict[str, list[str]]
    pile: list[str]
    dealer: str
    turn: str = ""
    direction: int = 1
    discards: list[str] = field(default_factory=list)
    colour: str = ""
    scores: dict[str, int] = field(default_factory=dict)
    still_in: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    over: bool = False
    begun: bool = False
    came: list[str] | None = None
    must_play: bool = False
    hitting: bool = False
    race: tuple[str, list[str]] = ("", [])
    debts: list[Debt] = field(default_factory=list)
    then: tuple[str, int] = ("", 0)
    penalty: Penalty | None = None
    naming: str = ""
    slap: list[str] = field(default_factory=list)
    silence: str = ""
    called: list[str] = field(default_factory=list)
    exposed: list[str] = field(default_factory=list)
    only_colour: bool = False
    no_plain_wild: bool = False

    @property
    def top(self) -> str:
        """The card on top of the discards."""
        return self.discards[-1]

    def copied(self) -> Position:
        """The same position, of which nothing is shared but what never changes."""
        return deepcopy(self)

    def owed(self, who: str) -> int | str:
        """What a player owes, in a case file's words."""
        if self.hitting and self.turn == who:
            return "until-fire"
        mine = [debt for debt in self.debts if debt.who == who]
        until = [debt.until for debt in mine if debt.until]
        return until[0] if until else sum(debt.units for debt in mine)


def after(p: Position, who: str, steps: int = 1) -> str:
    """The player so many seats on from `who`, in the present direction, among those still in the round."""
    seat = p.players.index(who)
    while steps > 0:
        seat = (seat + p.direction) % len(p.players)
        if p.players[seat] in p.still_in:
            steps -= 1
    return p.players[seat]


def read(head: str) -> Position:
    """The position of the head of a case file. Hands are always given; without a top card one is turned up."""
    data = tomllib.loads(head)
    players = tuple(data["players"])
    rules = rules_of(data.get("preset", "attack"), data.get("rules", {}))
    p = Position(
        players=players,
        rules=rules,
        format=data.get("match", {}).get("format", "winner-takes"),
        hands={name: repeated(data["hands"][name]) for name in players},
        pile=repeated(data["pile"]),
        dealer=data.get("dealer", players[-1]),
        direction=-1 if data.get("direction", rules["start_direction"]) == "counterclockwise" else 1,
        scores={name: data.get("scores", {}).get(name, 0) for name in players},
        still_in=list(players),
    )
    left_of_dealer = players[(players.index(p.dealer) + 1) % len(players)]
    first = p.dealer if rules["first_player"] == "dealer" else left_of_dealer
    if "top" not in data:
        turn_up(p, first, left_of_dealer)
        return p
    p.discards = [*repeated(data.get("discards", [])), data["top"]]
    p.colour = data.get("colour", colour_of(data["top"]))
    p.turn = data.get("turn", first)
    return p


def repeated(cards: list[str]) -> list[str]:
    """Cards written out, where `red 5 x3` says three of them."""
    written: list[Any] = []
    for card in cards:
        name, _, times = card.rpartition(" x")
        written += [name] * int(times) if name else [card]
    return written


def turn_up(p: Position, first: str, left_of_dealer: str) -> None:
    """Turn one card up and do what it does to the first player (§3)."""
    put_back = ["wild-draw-four", "trade-hands"]
    if p.rules["start_wild"] == "put-back":
        put_back += ["wild", "wild-customizable", "wild-attack-attack"]
    while rank_of(p.pile[0]) in put_back:
        p.pile.append(p.pile.pop(0))
    card = p.pile.pop(0)
    rank = rank_of(card)
    p.discards = [card]
    p.colour = colour_of(card)
    p.turn = first
    units = {"draw-two": 2, "hit-1": 1, "hit-2": 2, "wild-hit-4": 4}
    if rank == "skip":
        p.turn = after(p, first)
    elif rank == "reverse":
        p.direction = -p.direction
        right_of_dealer = p.players[p.players.index(p.dealer) - 1]
        p.turn = p.dealer if p.rules["start_reverse"] == "dealer" else right_of_dealer
    elif rank in ("wild", "wild-customizable", "wild-attack-attack"):
        p.naming = left_of_dealer if p.rules["start_wild"] == "left-of-dealer-names" else first
    elif rank == "wild-all-hit":
        others = [first, *(after(p, first, steps) for steps in range(1, len(p.players)))]
        p.debts = [Debt(name, units=1, card=True) for name in others if name != p.dealer]
        p.turn = p.debts[0].who
        p.then = (first, 0)
        p.naming = first
    elif rank == "wild-hit-fire":
        p.debts = [Debt(first, until="until-fire", card=True, loses=True)]
        p.then = (first, 1)
        p.naming = after(p, first)
    elif rank in units:
        p.debts = [Debt(first, units=units[rank], card=True, loses=True, draw_card=True)]
        p.then = (first, 1)
        p.naming = after(p, first) if rank == "wild-hit-4" else ""
