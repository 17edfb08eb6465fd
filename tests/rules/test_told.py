"""Every case file once more, by the short way and by the long way: each position sound, each event told truly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from controller.rules.actions import Action, Next, Start
from controller.rules.cases import read_case
from controller.rules.casesteps import play_step
from controller.rules.chance import Chance, Dice
from controller.rules.events import Event
from controller.rules.game import Game
from controller.rules.options import PRESETS, resolve
from controller.rules.position import BUSY
from controller.rules.refusals import Refused

from .invariants import TELLS, invariants, keep, told_truly

CASES = sorted(Path(__file__).parent.parent.joinpath("cases").glob("*.toml"))


class Judged(Game):
    """A game that judges what it is told of every action; `long`: without the short way through the engine."""

    long = False

    def apply(self, action: Action, chance: Chance | None = None) -> tuple[Event, ...]:
        """Do `action`, and hold the events against both positions."""
        before = keep(self.position)
        if self.long:
            self.position.mood = BUSY
        try:
            events = super().apply(action, chance)
        except Refused:
            self.position.mood = before.pos.mood
            raise
        if type(action) in TELLS:
            assert self.position.mood == self.position.find_mood()
            told_truly(before, action, events, self.position)
        return events


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_told_in_a_case_is_true(path: Path, long: bool) -> None:
    case = read_case(path.read_text(encoding="utf-8"))
    game = Judged.at(case.game.position)
    assert isinstance(game, Judged)
    game.long = long
    for step in case.steps:
        assert play_step(game, step, case.chance) == "", step


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("physical", [False, True], ids=["digital", "physical"])
def test_what_is_told_of_a_deal_is_true(preset: str, physical: bool) -> None:
    rules = resolve(preset)
    for seed in range(8):
        rng = Random(f"{preset} {seed}")
        players = rng.randint(rules.least_players, min(rules.most_players, 6))
        game = Judged(rules, tuple(f"p{seat}" for seat in range(players)), physical=physical)
        game.apply(Next(), Dice(rng))
        for card in rng.sample(range(1, len(rules.counts)), 5) if physical else ():
            if rules.counts[card] and game.check(Start(card)) is None:
                game.apply(Start(card), Dice(rng))
        invariants(game.position)
