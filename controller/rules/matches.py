"""Matches: what a round is worth, who has won, who is out. Pure arithmetic on tuples by seat; no cards, no turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .records import record
from .rotation import ROTATIONS, games_in

FORMATS = ("winner-takes", "own-points", "challenge", "single", "last-standing", "chips")
SCORED = ("winner-takes", "own-points", "challenge")
CHARGING = ("own-points", "challenge")
"""Formats that charge everybody what they hold, also when nobody went out."""


class MatchError(ValueError):
    """A match that cannot be played as it is set; says why and what would do."""


@record
class MatchSettings:
    """How a match is scored and when it ends (rules §7). `target` 0: none; `rounds` 0: as many as it takes.

    `teams`: the seats of each team, or empty. `rotation`: `four`, for `cycles` cycles, with `partners` in teams.
    """

    format: str = "winner-takes"
    target: int = 500
    rounds: int = 0
    teams: tuple[tuple[int, ...], ...] = ()
    forfeits: bool = False
    forfeit_text: str = ""
    rotation: str = ""
    cycles: int = 1
    partners: bool = False


@record
class RoundResult:
    """What one round brought: `points` by seat as won, charged or held; `winner`, `loser` -1: nobody."""

    number: int
    dealer: int
    winner: int
    loser: int
    points: tuple[int, ...]
    scores: tuple[int, ...]


@record
class MatchState:
    """How a match stands. All tuples by seat; `eliminated` and `left` are bit masks of seats."""

    scores: tuple[int, ...]
    chips: tuple[int, ...]
    marks: tuple[int, ...]
    lost: tuple[int, ...]
    number: int = 0
    eliminated: int = 0
    left: int = 0
    winners: tuple[int, ...] = ()
    over: bool = False
    rounds: tuple[RoundResult, ...] = ()


def check_settings(settings: MatchSettings, players: int) -> None:
    """Raises `MatchError` when `players` players cannot play this match."""
    if settings.format not in FORMATS:
        raise MatchError(f"there is no match format '{settings.format}'; it is one of {', '.join(FORMATS)}")
    for name, value in (("target", settings.target), ("rounds", settings.rounds)):
        if value < 0:
            raise MatchError(f"match {name} = {value}: must be 0 or more")
    if settings.teams:
        _check_teams(settings, players)
    if settings.rotation:
        _check_rotation(settings, players)
    elif settings.partners or settings.cycles != 1:
        raise MatchError("match partners and cycles go with a rotation")


def _check_teams(settings: MatchSettings, players: int) -> None:
    teams = settings.teams
    if settings.format not in SCORED:
        raise MatchError(f"teams play for points: not in a {settings.format} match, but in {', '.join(SCORED)}")
    seated = sorted(seat for team in teams for seat in team)
    if seated != list(range(players)) or len({len(team) for team in teams}) != 1 or len(teams) < 2:
        raise MatchError("teams must be equal in size, two at least, and seat every player once")
    team_of = {seat: number for number, team in enumerate(teams) for seat in team}
    for seat in range(players):
        if team_of[seat] == team_of[(seat + 1) % players]:
            raise MatchError(f"team-mates may not sit side by side: seats {seat + 1} and {(seat + 1) % players + 1}")


def _check_rotation(settings: MatchSettings, players: int) -> None:
    if settings.rotation not in ROTATIONS:
        raise MatchError(f"there is no rotation '{settings.rotation}'; it is one of {', '.join(ROTATIONS)}")
    if settings.format not in ("winner-takes", "own-points"):
        raise MatchError(f"a rotation is played for points: winner-takes or own-points, not {settings.format}")
    if settings.target or settings.rounds or settings.teams:
        raise MatchError("a rotation has its own number of games and its own partners: no target, rounds or teams")
    if settings.cycles < 1:
        raise MatchError(f"match cycles = {settings.cycles}: must be 1 or more")
    if players != 4 or settings.rotation != "four":
        many = ROTATIONS[settings.rotation]
        raise MatchError(
            f"rotation {settings.rotation} is for {many} players; a table seats 4 of them, and here are {players}"
        )


def new_match(players: int, marks: Sequence[int] = ()) -> MatchState:
    """A match of `players` seats before its first round, with the `marks` they have from matches before it."""
    zeros = (0,) * players
    return MatchState(zeros, zeros, tuple(marks) or zeros, zeros)


def side_of(teams: Sequence[tuple[int, ...]], seat: int) -> tuple[int, ...]:
    """The seats that score together with `seat`: its team, or itself."""
    for team in teams:
        if seat in team:
            return team
    return (seat,)


def score_round(
    settings: MatchSettings,
    state: MatchState,
    dealer: int,
    winner: int,
    loser: int,
    held: Sequence[int],
    playing: int,
    teams: Sequence[tuple[int, ...]] = (),
) -> MatchState:
    """The match after a round. `held`: points in every hand; `winner` -1: nobody; `playing`: mask of seats.

    `teams`: who scored together in this round.
    """
    seats = range(len(held))
    inside = [seat for seat in seats if playing >> seat & 1]
    points, scores, chips, lost = [0] * len(held), list(state.scores), list(state.chips), list(state.lost)
    form = settings.format
    if form in CHARGING:
        for side in dict.fromkeys(side_of(teams, seat) for seat in inside):
            charge = sum(held[seat] for seat in side)
            for seat in side:
                points[seat] = charge
                scores[seat] += charge
    elif form == "winner-takes" and winner >= 0:
        side = side_of(teams, winner)
        won = sum(held[seat] for seat in inside if seat not in side)
        for seat in side:
            points[seat] = won
            scores[seat] += won
    elif form == "chips" and winner >= 0:
        for seat in inside:
            points[seat] = held[seat]
            chips[seat] -= held[seat]
            chips[winner] += held[seat]
    elif form == "single":
        points = [held[seat] for seat in seats]
        scores = [state.scores[seat] + held[seat] for seat in seats]
    elif form == "last-standing" and loser >= 0:
        lost[loser] += 1
        points[loser] = 1
    result = RoundResult(state.number, dealer, winner, loser, tuple(points), tuple(scores))
    eliminated = state.eliminated
    if form == "challenge" and settings.target:
        eliminated |= sum(1 << seat for seat in inside if scores[seat] >= settings.target)
    after = replace(
        state,
        scores=result.scores,
        chips=tuple(chips),
        lost=tuple(lost),
        rounds=(*state.rounds, result),
        eliminated=eliminated,
    )
    return _ended(settings, after, state.eliminated)


def standing(settings: MatchSettings, state: MatchState, seat: int) -> int:
    """What ranks `seat`: the smaller the better."""
    if settings.format == "winner-takes":
        return -state.scores[seat]
    if settings.format == "chips":
        return -state.chips[seat]
    if settings.format == "last-standing":
        return state.lost[seat]
    return state.scores[seat]


def present(state: MatchState) -> tuple[int, ...]:
    """The seats that have not left the match."""
    return tuple(seat for seat in range(len(state.scores)) if not state.left >> seat & 1)


def still_in(state: MatchState) -> tuple[int, ...]:
    """The seats that play the next round."""
    return tuple(seat for seat in present(state) if not state.eliminated >> seat & 1)


def ranking(settings: MatchSettings, state: MatchState) -> tuple[int, ...]:
    """All present seats, the best first; in `challenge` those still in come first, in a single round its winner.

    After the last round of `last-standing` its winner comes first among those who have lost as few.
    """
    winner = state.rounds[-1].winner if state.rounds and settings.format in ("single", "last-standing") else -1

    def place(seat: int) -> tuple[int, ...]:
        out, behind, stands = state.eliminated >> seat & 1, int(seat != winner), standing(settings, state, seat)
        return (out, behind, stands) if settings.format == "single" else (out, stands, behind)

    return tuple(sorted(present(state), key=place))


def _ended(settings: MatchSettings, state: MatchState, out_before: int) -> MatchState:
    """`state` with the match over and its winners, when it is. `out_before`: mask of seats not in this round."""
    seats = present(state)
    played = state.number
    if settings.format == "single":
        winner = state.rounds[-1].winner
        best = (winner,) if winner >= 0 else _best(settings, state, seats)
        return _close(settings, state, best)
    if settings.format == "challenge" and settings.target:
        inside = still_in(state)
        sides = {side_of(settings.teams, seat) for seat in inside}
        if len(sides) > 1 and not (settings.rounds and played >= settings.rounds):
            return state
        if len(sides) == 1:
            return _close(settings, state, next(iter(sides)))
        best = _best(settings, state, inside or tuple(seat for seat in seats if not out_before >> seat & 1))
        closed = _close_unless_tied(settings, state, best)
        return closed if closed.over or inside else replace(closed, eliminated=out_before)
    if settings.rotation:
        done = played >= games_in(settings.rotation, settings.cycles)
        return _close(settings, state, _best(settings, state, seats)) if done else state
    reached = (
        settings.target and settings.format in SCORED and max(state.scores[seat] for seat in seats) >= settings.target
    )
    if reached or (settings.rounds and played >= settings.rounds):
        if settings.format == "last-standing" and settings.rounds == 1 and state.rounds[-1].winner >= 0:
            return _close(settings, state, (state.rounds[-1].winner,))
        return _close_unless_tied(settings, state, _best(settings, state, seats))
    return state


def _best(settings: MatchSettings, state: MatchState, seats: Sequence[int]) -> tuple[int, ...]:
    top = min(standing(settings, state, seat) for seat in seats)
    return tuple(seat for seat in seats if standing(settings, state, seat) == top)


def _close_unless_tied(settings: MatchSettings, state: MatchState, best: tuple[int, ...]) -> MatchState:
    """Ties at the top of a finished match: another round among all (rules §7)."""
    if len({side_of(settings.teams, seat) for seat in best}) > 1:
        return state
    return _close(settings, state, best)


def _close(settings: MatchSettings, state: MatchState, best: tuple[int, ...]) -> MatchState:
    side = side_of(settings.teams, best[0])
    winners = tuple(seat for seat in side if not state.left >> seat & 1) if len(best) == 1 else best
    state = replace(state, over=True, winners=winners)
    return replace(state, marks=_marks(settings, state)) if settings.forfeits else state


def _marks(settings: MatchSettings, state: MatchState) -> tuple[int, ...]:
    """Marks after the match (rules §7, `forfeits`): landing exactly on the target turns them round.

    Who score together are one: a side gives everybody beside it one mark, or gets one each from everybody beside it.
    """
    marks, target = list(state.marks), settings.target
    seats = present(state)
    sides = dict.fromkeys(tuple(who for who in side_of(settings.teams, seat) if who in seats) for seat in seats)
    for side in sides:
        score, won = state.scores[side[0]], side[0] in state.winners
        others = [seat for seat in seats if seat not in side]
        marked: list[int] = []
        if settings.format == "winner-takes" and won:
            others = [seat for seat in others if seat not in state.winners]
            marked = [*side] * len(others) if target and score == target else others
        elif settings.format == "own-points" and target and score >= target:
            marked = others if score == target else [] if won else [*side]
        for seat in marked:
            marks[seat] += 1
    return tuple(marks)


def end_by_host(settings: MatchSettings, state: MatchState) -> MatchState:
    """The host ends the match: the standings count."""
    return _close(settings, state, _best(settings, state, still_in(state) or present(state)))
