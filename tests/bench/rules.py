"""Turns of random play a second beside the reference program, in turns in the same process; and what a copy costs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from controller.odds import MEASURED, Odds
from controller.rules import engine
from controller.rules.chance import Dice
from controller.rules.options import resolve
from controller.rules.position import PLAY, Position
from controller.simulate import RandomPlayers, new_round, play_round
from tests.bench import floor
from tests.bench.figures import line, ratio

# The reference program has no types; this is what it does.
play_floor: Callable[[int, Random], tuple[int, int]] = floor.play_one
PLAYERS = 4
PAIRS = 12
SECONDS = 0.5  # of processor time, for each half of a pair
POSITIONS = 200
COPIES = 200  # of each position


def turns_a_second(play: Callable[[], int]) -> float:
    """Turns a second of processor time that `play`, which plays a round and says its turns, comes to."""
    turns = 0
    begun = process_time()
    while process_time() - begun < SECONDS:
        for _ in range(10):
            turns += play()
    return turns / (process_time() - begun)


def positions(rng: Random) -> list[Position]:
    """Positions from all over random rounds."""
    found: list[Position] = []
    while len(found) < POSITIONS:
        position = new_round(resolve("attack", {}), PLAYERS, rng)
        seats = RandomPlayers(rng, Odds(MEASURED, rng))
        for _ in range(rng.randrange(120)):
            if position.phase == PLAY:
                engine.apply(position, seats.action(position), Dice(rng))
        found.append(position)
    return found


def copies_a_second(rng: Random) -> float:
    """Copies of a position a second of processor time."""
    samples = positions(rng)
    begun = process_time()
    for position in samples:
        for _ in range(COPIES):
            position.copy()
    return POSITIONS * COPIES / (process_time() - begun)


def run() -> None:
    """Print the figures of this bench."""
    rules = resolve("attack", {})
    rng = Random(1)
    for _ in range(100):  # lazy tables are made before anything is measured
        play_round(rules, PLAYERS, rng)
    bare, ours = [], []
    for _ in range(PAIRS):
        bare.append(turns_a_second(lambda: play_floor(PLAYERS, rng)[0]))
        ours.append(turns_a_second(lambda: play_round(rules, PLAYERS, rng).turns))
    line("attack, 4 random players", f"{median(ours):10.0f} turns/s")
    line("  beside: tests/bench/floor.py, 4 players", f"{median(bare):10.0f} turns/s")
    pairs = [one / other for one, other in zip(ours, bare, strict=True)]
    ratio("  ratio", pairs, "at least 0.35")
    copy = 1 / copies_a_second(rng)
    line("copying a position", f"{copy * 1e6:10.2f} µs", f"{copy * median(ours):.2f} of a turn of random play")
