"""Everything a person can do to a game, as plain values. Seats are numbers, cards are kinds, colours are numbers.

What the table's program or its host does (`Next`, `Reload`, `Undo`, the `Set...`) is an action too, so that the log
holds all of it. -1 stands for "not said".
"""

from __future__ import annotations

from .records import record


@record
class Play:
    """Play `card`, and with it `mates` (a set; the last named lies on top).

    `colour`: named for a wild, or said for a set. `target`: the player chosen. `keep`: what a discard-all holds back.
    `went`: at a physical table, how many more cards a discard-all took along.
    """

    seat: int
    card: int
    colour: int = -1
    target: int = -1
    mates: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    went: int = 0


@record
class Hit:
    """One press of the launcher's button, and the `cards` that came out. `by_choice`: said at a physical table."""

    seat: int
    cards: int
    by_choice: bool = False


@record
class Draw:
    """Take all that is owed, or one card, from the pile."""

    seat: int
    by_choice: bool = False


@record
class Done:
    """At a physical table: the hit that ends `until-colour` has come."""

    seat: int


@record
class Pass:
    """After taking a card, play nothing."""

    seat: int


@record
class NameColour:
    """Name the colour for a start card."""

    seat: int
    colour: int


@record
class Call:
    """Call UNO."""

    seat: int


@record
class Catch:
    """Catch `target`, who holds one card and has not called."""

    seat: int
    target: int


@record
class Accept:
    """Accept a wild draw four."""

    seat: int


@record
class Challenge:
    """Challenge a wild draw four; at a physical table with the `verdict`, `guilty` or `innocent`."""

    seat: int
    verdict: str = ""


@record
class Slap:
    """Slap for a nine."""

    seat: int


@record
class LastSlap:
    """The host saw who slapped last."""

    target: int


@record
class Report:
    """Report `target` for a sound made in a silence."""

    seat: int
    target: int


@record
class Advice:
    """The host saw `target` give advice."""

    target: int


@record
class Reload:
    """The hopper has been refilled: with all discards but the top, or with `cards` cards."""

    cards: int = -1


@record
class Dealer:
    """At a physical table, before the round: who deals."""

    seat: int


@record
class Start:
    """At a physical table, before the round: which card was turned up."""

    card: int


@record
class SetHand:
    """The host puts a hand's count right."""

    seat: int
    count: int


@record
class SetScore:
    """The host puts a score right."""

    seat: int
    score: int


@record
class SetTurn:
    """The host says whose turn it is."""

    seat: int


@record
class SetDirection:
    """The host says which way play goes: 1 clockwise, -1 counterclockwise."""

    step: int


@record
class SetColour:
    """The host says which colour is active."""

    colour: int


@record
class Leave:
    """A player leaves, by the host's word."""

    seat: int


@record
class EndMatch:
    """The host ends the match between two rounds: the standings count."""


@record
class Return:
    """A player who left comes back, between rounds: the next one is dealt to them, too."""

    seat: int


@record
class Correct:
    """The last shot was `cards` cards, and `seat`'s when that is said."""

    cards: int
    seat: int = -1


@record
class Undo:
    """Take the last action back."""


@record
class Count:
    """At a physical table: what `seat` holds when the round ends."""

    seat: int
    cards: tuple[int, ...]


@record
class Points:
    """At a physical table: the points `seat` holds when the round ends."""

    seat: int
    points: int


@record
class Next:
    """Deal the next round of the match (the first one too)."""


Action = (
    Play | Hit | Draw | Done | Pass | NameColour | Call | Catch | Accept | Challenge | Slap | LastSlap | Report
    | Advice | Reload | Dealer | Start | SetHand | SetScore | SetTurn | SetDirection | SetColour | Leave | Return
    | EndMatch
    | Correct | Undo | Count | Points | Next
)  # fmt: skip
