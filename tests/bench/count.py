"""How well cards are counted: the simulated machine's truth against the counter, 10,000 shots and a grid of machines.

No time is measured, and the figures are the same on every machine. The baseline is the aim of each figure.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace

from hardware.twin_physics import Physics
from tests.bench.figures import line
from tests.hardware.scoring import CLOSE, SCORED, Score, Tally, grid, score

SHOTS = 10_000
SHOTS_OF_A_CELL = 250
SHOTS_OF_A_MOOD = 1000
AIM = 0.97
MOODS: dict[str, tuple[Physics, Callable[[int], float]]] = {
    "cells run down to 80 %": (SCORED, lambda shot: 1 - 0.2 * shot / SHOTS_OF_A_MOOD),
    "cells drop to 80 % at once": (SCORED, lambda shot: 1.0 if shot < SHOTS_OF_A_MOOD // 2 else 0.8),
    "1 card in 50 held up 1.1-2 times": (replace(SCORED, slow_share=0.02), lambda _: 1.0),
    "cards 10 % slower or faster": (replace(SCORED, card_jitter=0.1), lambda _: 1.0),
    "half of the cards in pairs": (replace(SCORED, double_share=0.5), lambda _: 1.0),
}


def run() -> None:
    """Print the figures of this bench."""
    started = time.monotonic()
    for beams in (1, 2):
        found = score(SHOTS, beams=beams)
        _show(f"{_beams(beams)}, {SHOTS} shots", found.plain, f"(aim: at least {AIM:.0%} exact, none wrong)")
        _show(f"{_beams(beams)}, pairs closer than {CLOSE:.0%} apart", found.apart)
    for beams in (1, 2):
        for mood, (physics, cells) in MOODS.items():
            _show(f"{_beams(beams)}, {mood}", score(SHOTS_OF_A_MOOD, physics, beams, cells=cells).plain)
    for beams in (1, 2):
        _grid(beams)
    print(f"  {time.monotonic() - started:.0f} s; exact: right and called so; wrong: wrong and called exact")


def _grid(beams: int) -> None:
    cells, scores = list(grid()), list[Score]()
    for done, cell in enumerate(cells):
        if sys.stderr.isatty():
            print(f"\r  {_beams(beams)}, machine {done + 1} of {len(cells)} ", end="", file=sys.stderr, flush=True)
        scores.append(score(SHOTS_OF_A_CELL, cell.physics, beams, settings=cell.settings))
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
    named = list(zip(scores, cells, strict=True))
    wrong, wrong_at = max(named, key=lambda each: each[0].plain.wrong_share)
    least, least_at = min(named, key=lambda each: each[0].plain.exact_share)
    shots = f"{len(cells)} machines of {SHOTS_OF_A_CELL} shots"
    if wrong.plain.wrong:
        _show(f"{_beams(beams)}, grid, most often wrong", wrong.plain, f"({shots}) {wrong_at}")
    else:
        line(f"{_beams(beams)}, grid, wrong", "nowhere", f"({shots})")
    _show(f"{_beams(beams)}, grid, least often exact", least.plain, f"({shots}) {least_at}")


def _beams(beams: int) -> str:
    return "one beam" if beams == 1 else "two beams"


def _show(label: str, tally: Tally, note: str = "") -> None:
    figures = f"{tally.exact_share:8.2%} exact {tally.wrong_share:7.3%} wrong"
    line(label, figures, f"({tally.shots} shots) {note}".rstrip())
