"""Every case file once more, by the short way and by the long way: each position sound, each event told truly."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.rules.actions import Action
from controller.rules.cases import read_case
from controller.rules.casesteps import play_step
from controller.rules.chance import Chance
from controller.rules.events import Event
from controller.rules.game import Game
from controller.rules.position import BUSY
from controller.rules.refusals import Refused

from .invariants import TELLS, keep, told_truly

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
