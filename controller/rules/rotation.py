"""Rotation schedules: who sits opposite whom in which game, so that everybody meets everybody (rules §7).

`four`: one table, three pairings, four games each: twelve games a cycle. `eight`: two tables of four, seven pairings,
four games each: twenty-eight games a cycle. In every pairing everybody has one opposite; the two at one's sides change
places from game to game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .records import record

ROTATIONS: dict[str, int] = {"four": 4, "eight": 8}
"""The schedules there are, and how many players each is for."""
GAMES_A_PAIRING = 4

Seating = tuple[int, ...]
Pair = tuple[int, int]


@record
class Sitting:
    """One game of a schedule: its number from 1, and the players of every table in seat order, opposites two apart."""

    game: int
    tables: tuple[Seating, ...]

    @property
    def opposites(self) -> tuple[Pair, ...]:
        """Who sits opposite whom."""
        return tuple(pair for table in self.tables for pair in ((table[0], table[2]), (table[1], table[3])))


def pairings(players: int) -> tuple[tuple[Pair, ...], ...]:
    """Every player paired with every other once, by the circle method: one stays, the others go round.

    Named so that the first pairing is that of players who sit down in order: 0 and 2, 1 and 3, 4 and 6, 5 and 7.
    """
    half = players // 2
    first = [4 * (at // 2) + at % 2 for at in range(half)]
    circle = first + [other + 2 for other in reversed(first)]
    found = []
    for _ in range(players - 1):
        pairs = [tuple(sorted((circle[at], circle[-1 - at]))) for at in range(half)]
        found.append(tuple((one, other) for one, other in sorted(pairs)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(found)


def games_in(rotation: str, cycles: int) -> int:
    """How many games a match of this rotation has."""
    return (ROTATIONS[rotation] - 1) * GAMES_A_PAIRING * cycles


def sitting(rotation: str, game: int) -> Sitting:
    """Who sits where in game `game`, counted from 1; cycles repeat."""
    cycle = pairings(ROTATIONS[rotation])
    pairs = cycle[(game - 1) // GAMES_A_PAIRING % len(cycle)]
    swapped = (game - 1) % 2
    tables = []
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        left, right = other[::-1] if swapped else other
        tables.append((one[0], left, one[1], right))
    return Sitting(game, tuple(tables))


def schedule(rotation: str, cycles: int = 1) -> tuple[Sitting, ...]:
    """All games of a match, in order."""
    return tuple(sitting(rotation, game) for game in range(1, games_in(rotation, cycles) + 1))


def standings(points: Iterable[Sequence[int]], highest_wins: bool) -> tuple[tuple[int, int], ...]:
    """Sums over all games, the champion first: (player, points). `points`: by player, game by game."""
    games = [tuple(game) for game in points]
    totals = [sum(game[player] for game in games) for player in range(len(games[0]))] if games else []
    sign = -1 if highest_wins else 1
    return tuple(sorted(enumerate(totals), key=lambda entry: (sign * entry[1], entry[0])))
