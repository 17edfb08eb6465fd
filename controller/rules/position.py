"""A position: everything that decides how a game goes on, and nothing else.

Mutable inside, for speed; whoever keeps one, keeps a `copy`. Seats, kinds and colours are numbers; sets of seats are
bit masks. What the rules make of it is `legal` (what may be done) and `engine` (doing it).
"""

from __future__ import annotations

import hashlib
from functools import cache

from .cards import NO_COLOUR, NO_RANK, RANK_OF, UNKNOWN
from .fits import FITS, UNFIT, fits_table, unfit
from .matches import MatchSettings, MatchState
from .options import RuleSet
from .records import record

BEFORE, START, PLAY, COUNT, ROUND_OVER, MATCH_OVER = range(6)
"""Phases: before the first deal; at a physical table, waiting for the start card; in play; hands to count; ..."""

CALM, DRAWN, OWED, BUSY = range(4)
"""Moods: nothing is pending; but that a card may follow those just taken; but that hits are owed; anything else."""

FIRE, COLOUR = "fire", "colour"
"""What an open-ended debt is hit until."""


@record
class Debt:
    """`units` that `seat` owes; `until` fire or colour in place of a number. `why`: a rank, call, catch, ...

    `card`: it comes from a card, so the turn is the debtor's meanwhile; `loses`: and is lost with it. `own`: it is the
    debtor's own turn to take cards, to be followed by what `after_draw` allows. `limits` holds for the card that
    follows the payment.
    """

    seat: int
    units: int
    until: str = ""
    why: str = ""
    card: bool = False
    loses: bool = False
    own: bool = False
    limits: int = 0


@record
class Chain:
    """A live penalty: it can be answered or challenged before its first unit is taken.

    `hits`: its units come from hit cards. `four`: a wild draw four is in it, first played by `first`, whose hand was
    `evidence` then, `guilty` or not; `answered`: it answered a penalty. `cards`: how many unit cards are in it.
    `accepted`: whoever owes it will not challenge.
    """

    hits: bool
    cards: int
    four: bool = False
    first: int = -1
    guilty: bool = False
    answered: bool = False
    evidence: tuple[int, ...] = ()
    accepted: bool = False


@record
class Shot:
    """The last shot of the launcher, for a correction: whose it was and which cards came."""

    seat: int
    came: tuple[int, ...]


@cache
def next_seats(seating: tuple[int, ...], inside: int, step: int) -> tuple[int, ...]:
    """For every seat the next one of those `inside`, going by `step` along `seating`, the seats in seat order."""
    order, players = [], len(seating)
    for seat in range(players):
        place = seating.index(seat)
        after = (place + step) % players
        while not inside >> seating[after] & 1 and after != place:
            after = (after + step) % players
        order.append(seating[after])
    return tuple(order)


class Position:
    """One game at one moment. Fields are read by everybody and written by the engine alone.

    Hands, `pile` and `discards` are bags of kinds, a byte a card; `pile` and `discards` have their top card last.
    `after` is `next_seats` for the direction of play. `debts`: whoever owes, in the order in which they are due;
    `resume`: who plays once the card debts are paid, -1 without any. `drawn`: the cards that just came in this turn, of
    which one may be played; None before any. `naming`: the seat that must name a start card's colour. `slap`: mask of
    seats still to slap. `exposed`: mask of seats that may be caught. `emptied`: whose last card was played, in order.
    """

    __slots__ = (
        "after", "begun", "called", "chain", "colour", "counted", "dealer", "debts", "discards", "drawn", "emptied",
        "exposed", "fits", "hands", "idle", "inside", "limits", "low_told", "match", "mood", "must_play", "naming",
        "out", "phase", "physical", "pile", "players", "race", "resume", "rules", "seating", "settings", "shot",
        "silence", "slap", "step", "turn", "unfit",
    )  # fmt: skip

    def __init__(
        self, rules: RuleSet, players: tuple[str, ...], settings: MatchSettings, match: MatchState, physical: bool
    ) -> None:
        self.rules = rules
        self.players = players
        self.settings = settings
        self.match = match
        self.physical = physical
        self.phase = BEFORE
        self.dealer = -1
        self.seating = tuple(range(len(players)))
        self.begin_round(0)

    def begin_round(self, inside: int) -> None:
        """Clear all that belongs to one round; `inside`: the seats that play it."""
        self.inside = inside
        self.hands = [bytearray() for _ in self.players]
        self.pile = bytearray()
        self.discards = bytearray()
        self.colour = NO_COLOUR
        self.limits = 0
        self.fits, self.unfit = FITS[NO_COLOUR][NO_RANK], UNFIT[NO_COLOUR][NO_RANK]
        self.turn = -1
        self.step = 1 if self.rules.start_direction == "clockwise" else -1
        self.after = next_seats(self.seating, inside, self.step)
        self.begun = False
        self.drawn: tuple[int, ...] | None = None
        self.must_play = False
        self.debts: list[Debt] = []
        self.resume = -1
        self.chain: Chain | None = None
        self.naming = -1
        self.slap = 0
        self.silence = -1
        self.race: tuple[int, tuple[int, ...]] | None = None
        self.called = 0
        self.exposed = 0
        self.out: tuple[int, ...] = ()
        self.emptied: tuple[int, ...] = ()
        self.idle = 0
        self.low_told = False
        self.counted: tuple[int, ...] = (-1,) * len(self.players)
        self.shot: Shot | None = None
        self.mood = BUSY

    def copy(self) -> Position:
        """The same position as a value of its own."""
        new = Position.__new__(Position)
        new.rules, new.players, new.settings, new.match = self.rules, self.players, self.settings, self.match
        new.physical, new.phase, new.dealer, new.inside = self.physical, self.phase, self.dealer, self.inside
        new.seating = self.seating
        new.hands = [hand[:] for hand in self.hands]
        new.pile, new.discards, new.debts = self.pile[:], self.discards[:], self.debts[:]
        new.colour, new.limits, new.fits, new.unfit = self.colour, self.limits, self.fits, self.unfit
        new.turn, new.step, new.after, new.begun = self.turn, self.step, self.after, self.begun
        new.drawn, new.must_play, new.resume, new.chain = self.drawn, self.must_play, self.resume, self.chain
        new.naming, new.slap, new.silence, new.race = self.naming, self.slap, self.silence, self.race
        new.called, new.exposed, new.out, new.idle = self.called, self.exposed, self.out, self.idle
        new.emptied = self.emptied
        new.low_told, new.counted, new.shot, new.mood = self.low_told, self.counted, self.shot, self.mood
        return new

    def state(self) -> tuple[object, ...]:
        """Everything that decides how the game goes on, for comparing and for the digest."""
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        return (
            self.rules.options, self.players, self.settings, self.match, self.seating, self.physical, self.phase,
            self.dealer, self.inside, hands, tuple(self.pile), tuple(self.discards), self.colour, self.limits,
            self.turn, self.step, self.begun, self.drawn, self.must_play, tuple(self.debts), self.resume, self.chain,
            self.naming, self.slap, self.silence, self.race, self.called, self.exposed, self.out,
            self.emptied, self.idle, self.counted, self.shot,
        )  # fmt: skip

    def digest(self) -> str:
        """Sixteen hex digits that are the same for the same position under the same rules, in any process."""
        return hashlib.blake2b(repr(self.state()[1:]).encode(), digest_size=8).hexdigest()

    @property
    def top(self) -> int:
        """The kind on top of the discards; UNKNOWN when there is none or it was not named."""
        return self.discards[-1] if self.discards else UNKNOWN

    @property
    def count_inside(self) -> int:
        """How many are still in the round."""
        return self.inside.bit_count()

    def seats_inside(self) -> list[int]:
        """The seats still in the round, in seat order."""
        return [seat for seat in range(len(self.players)) if self.inside >> seat & 1]

    def find_mood(self) -> int:
        """What, if anything, is pending: kept in `mood` after every action, so that `short` need not ask again."""
        if (
            self.phase != PLAY
            or self.limits
            or self.idle
            or self.slap
            or self.naming >= 0
            or self.silence >= 0
            or self.race is not None
            or self.chain is not None
            or self.physical
            or not self.rules.swift
            or not all(self.hands)
        ):
            return BUSY
        if self.debts:
            simple = all(debt.card and not debt.limits for debt in self.debts)
            return OWED if simple and self.resume >= 0 and self.drawn is None and not self.begun else BUSY
        if self.resume >= 0:
            return BUSY
        if self.drawn is not None:
            return DRAWN
        return BUSY if self.begun else CALM

    def show_top(self, colour: int, rank: int, limits: int = 0) -> None:
        """`colour` becomes active on a top card of `rank`, with what `limits` the next card."""
        self.colour = colour
        self.limits = limits
        self.fits, self.unfit = FITS[colour][rank], UNFIT[colour][rank]
        if limits:
            self.fits = fits_table(colour, rank, limits)
            self.unfit = unfit(self.fits)

    def limit(self, limits: int) -> None:
        """Add `limits` to what may follow the top card."""
        self.show_top(self.colour, RANK_OF[self.top], self.limits | limits)

    def turn_round(self) -> None:
        """Play goes the other way."""
        self.step = -self.step
        self.after = next_seats(self.seating, self.inside, self.step)

    def remove_seat(self, seat: int) -> None:
        """`seat` is not in the round any more."""
        self.inside &= ~(1 << seat)
        self.after = next_seats(self.seating, self.inside, self.step)

    def owed(self, seat: int) -> int | str:
        """What `seat` owes: units, or `until-fire`, `until-colour`."""
        units = 0
        for debt in self.debts:
            if debt.seat == seat:
                if debt.until:
                    return f"until-{debt.until}"
                units += debt.units
        return units

    def to_draw(self) -> int:
        """How many cards can still come: the pile, and all discards but the top."""
        return len(self.pile) + max(0, len(self.discards) - 1)

    def remaining(self) -> list[int]:
        """By kind: how many cards are not accounted for by name, so that an unknown card may be one of them."""
        left = list(self.rules.counts)
        for cards in (*self.hands, self.pile, self.discards):
            for card in cards:
                left[card] -= 1
        left[UNKNOWN] = 0
        return left

    def waits_for_reload(self) -> bool:
        """At a physical launcher table: a hit is due, the hopper is empty, and there is something to put in (§8)."""
        return (
            self.physical
            and self.rules.launcher
            and self.phase == PLAY
            and not self.pile
            and len(self.discards) > 1
            and bool(self.debts)
        )

    def gone_out(self, seat: int) -> bool:
        """Whether `seat` has gone out, be it while something is still owed."""
        if seat in self.out:
            return True
        return self.phase >= PLAY and bool(self.inside >> seat & 1) and not self.hands[seat]
