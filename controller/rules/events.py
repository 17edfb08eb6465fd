"""What happened, as plain values: the answer of the engine to an action. Turn changes are read from the position.

Cards in an event are full truth; `views.events` is what one viewer may see of it.
"""

from __future__ import annotations

from .records import record


@record
class Dealt:
    """A round begins: `dealer` gave `count` cards to each of `seats`. `drawn`: the draw for the first dealer."""

    round: int
    dealer: int
    count: int
    seats: tuple[int, ...]
    drawn: tuple[tuple[tuple[int, int], ...], ...] = ()


@record
class Turned:
    """`card` was turned up; when `put_back` it went into the pile again."""

    card: int
    put_back: bool = False


@record
class Played:
    """`seat` played `cards` (the last lies on top); `swept` went along under a discard-all."""

    seat: int
    cards: tuple[int, ...]
    colour: int = -1
    target: int = -1
    swept: tuple[int, ...] = ()
    jumped: bool = False
    answered: bool = False


@record
class Took:
    """`seat` took `cards`. `how`: hit, draw, penalty (dealt at once), correct."""

    seat: int
    cards: tuple[int, ...]
    how: str


@record
class Gave:
    """`cards` went back from `seat`'s hand (a shot corrected, a hand set)."""

    seat: int
    cards: tuple[int, ...]


@record
class Owes:
    """`seat` owes `units` more, or hits `until` fire or colour. `why`: the card's rank, or call, catch, slap, ..."""

    seat: int
    units: int
    until: str
    why: str


@record
class Forgiven:
    """What `seat` still owed lapsed: no cards are left."""

    seat: int


@record
class Passed:
    """`seat` played nothing."""

    seat: int


@record
class Named:
    """`seat` named the colour for the start card."""

    seat: int
    colour: int


@record
class Called:
    """`seat` called UNO; `right` or not."""

    seat: int
    right: bool = True


@record
class Caught:
    """`by` caught `seat` without a call; or, when not `right`, accused wrongly."""

    seat: int
    by: int
    right: bool = True


@record
class Misplayed:
    """`seat` tried `cards`, which was refused for `reason` and costs a penalty."""

    seat: int
    cards: tuple[int, ...]
    reason: str


@record
class Accepted:
    """`seat` accepted a wild draw four."""

    seat: int


@record
class Challenged:
    """`seat` challenged `target`; `hand` is the evidence, for the challenger alone."""

    seat: int
    target: int
    guilty: bool
    hand: tuple[int, ...]


@record
class Swapped:
    """`seat` and `target` swapped hands."""

    seat: int
    target: int


@record
class Rotated:
    """Every hand went to the next player."""


@record
class Slapped:
    """`seat` slapped; or, when `last`, was the last to."""

    seat: int
    last: bool = False


@record
class Reported:
    """`by` reported `seat` for a sound."""

    seat: int
    by: int


@record
class Advised:
    """`seat` gave advice."""

    seat: int


@record
class Shuffled:
    """`count` discards came back into the pile."""

    count: int


@record
class Reloaded:
    """The hopper was refilled with `count` cards."""

    count: int


@record
class HopperLow:
    """Fewer cards than `reload_below` are left: `count`."""

    count: int


@record
class HopperOver:
    """`count` cards came out that the hopper was not thought to hold."""

    count: int


@record
class WentOut:
    """`seat` has gone out."""

    seat: int


@record
class Counting:
    """The round is played; the hands of `seats` have to be counted."""

    seats: tuple[int, ...]


@record
class Counted:
    """`seat` held `points`; `cards` when they were named."""

    seat: int
    points: int
    cards: tuple[int, ...] = ()


@record
class RoundOver:
    """The round is over; `points` by seat as charged or won, `scores` by seat after it. `winner` -1: nobody."""

    winner: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    eliminated: tuple[int, ...] = ()


@record
class MatchOver:
    """The match is over; who won it, and the seats by rank."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]


@record
class Returned:
    """`seat` is back, from the next round on."""

    seat: int


@record
class Left:
    """`seat` left."""

    seat: int


@record
class HostSet:
    """The host put something right: `what` is hand, score, turn, direction, colour or dealer."""

    what: str
    seat: int
    value: int


@record
class Corrected:
    """The last shot was corrected to `cards` cards for `seat`."""

    seat: int
    cards: int


@record
class Undone:
    """The last action was taken back."""


Event = (
    Dealt | Turned | Played | Took | Gave | Owes | Forgiven | Passed | Named | Called | Caught | Misplayed | Accepted
    | Challenged | Swapped | Rotated | Slapped | Reported | Advised | Shuffled | Reloaded | HopperLow | HopperOver
    | WentOut | Counting | Counted | RoundOver | MatchOver | Left | Returned | HostSet | Corrected | Undone
)  # fmt: skip
