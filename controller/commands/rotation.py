"""`uno-attack rotation four|eight`: who sits opposite whom in every game of a match in which everybody meets everybody.

The schedule is `controller.rules.rotation`'s. A file of points turns it into standings, for tables that are apart.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from controller.commands import CommandError
from controller.rules.rotation import GAMES_A_PAIRING, ROTATIONS, Sitting, schedule, standings

MOST_CYCLES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("rotation", choices=tuple(ROTATIONS), help="four: one table; eight: two tables of four")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the players, in the order they sit down in first")
    parser.add_argument("--cycles", type=int, default=1, metavar="N", help="how often all meet all (default: 1)")
    parser.add_argument(
        "--points", type=Path, metavar="FILE",
        help="a line for every game played, with the points of every player in the order of the names",
    )  # fmt: skip
    parser.add_argument("--lowest", action="store_true", help="the lowest sum is champion (own-points)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the schedule, or the standings; returns the exit code. Raises `CommandError`."""
    names = named(arguments.rotation, arguments.names)
    if not 1 <= arguments.cycles <= MOST_CYCLES:
        raise CommandError(f"--cycles is a number from 1 to {MOST_CYCLES}, not {arguments.cycles}")
    sittings = schedule(arguments.rotation, arguments.cycles)
    if arguments.points is None:
        print("\n".join(in_words(sittings, names)))
        return 0
    points = read_points(arguments.points, len(names), len(sittings))
    print("\n".join(ranked(points, names, not arguments.lowest, len(sittings))))
    return 0


def named(rotation: str, names: Sequence[str]) -> list[str]:
    """The names given, or `player 1`, `player 2`, ... Raises `CommandError`."""
    players = ROTATIONS[rotation]
    if not names:
        return [f"player {number}" for number in range(1, players + 1)]
    if len(names) != players or len(set(names)) != players:
        raise CommandError(f"rotation {rotation} is for {players} players with names of their own, not {len(names)}")
    return list(names)


def in_words(sittings: Sequence[Sitting], names: Sequence[str]) -> list[str]:
    """The schedule: a heading for every pairing, then a line a game with every table's seats, clockwise."""
    lines: list[str] = []
    for sitting in sittings:
        if sitting.game % GAMES_A_PAIRING == 1:
            pairs = ", ".join(f"{names[one]} and {names[other]}" for one, other in sitting.opposites)
            lines += ["", f"opposite: {pairs}"] if lines else [f"opposite: {pairs}"]
        tables = "   |   ".join(", ".join(names[player] for player in table) for table in sitting.tables)
        lines.append(f"  game {sitting.game:>2}: {tables}")
    return lines


def ranked(points: Sequence[Sequence[int]], names: Sequence[str], highest_wins: bool, games: int) -> list[str]:
    """The standings, the champion first; those with the same sum share a rank."""
    order = standings(points, highest_wins)
    wide = max(map(len, names))
    lines = [f"after {len(points)} of {games} games" + ("" if len(points) < games else ": final")]
    rank = 0
    for place, (player, total) in enumerate(order, start=1):
        if place == 1 or total != order[place - 2][1]:
            rank = place
        lines.append(f"  {rank}. {names[player]:<{wide}} {total:>6}")
    return lines


def read_points(path: Path, players: int, games: int) -> list[tuple[int, ...]]:
    """The points of every game played. Empty lines and what follows a `#` are passed over. Raises `CommandError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    found: list[tuple[int, ...]] = []
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        if len(words) != players or not all(word.removeprefix("-").isdecimal() for word in words):
            raise CommandError(f"{path}, line {number}: a game has {players} whole numbers, not {line.strip()!r}")
        found.append(tuple(int(word) for word in words))
    if not found:
        raise CommandError(f"{path} has no game in it: a line for each, with {players} whole numbers")
    if len(found) > games:
        raise CommandError(f"{path} has {len(found)} games, and the match has {games}: give --cycles, or drop some")
    return found
