"""Numbers that mean nothing: seats, colours and counts just beyond the last that there are, each with its reason."""

from __future__ import annotations

import pytest

from controller.rules import actions as a
from controller.rules.actions import Action
from controller.rules.cards import NO_COLOUR, parse_card
from controller.rules.cases import read_case
from controller.rules.engine import reason_against

ANN, BO, NOBODY = 0, 1, 2
WILD, RED_3, RED_SKIP = parse_card("wild"), parse_card("red 3"), parse_card("red skip")
HEAD = """
preset = "classic"
players = ["Ann", "Bo"]
top = "red 5"
steps = []
[hands]
Ann = ["wild", "red 3", "red skip"]
Bo = ["blue 1"]
"""
START_COLOUR = HEAD.replace('top = "red 5"', 'pile = ["wild"]')
OWING = HEAD.replace('preset = "classic"', 'preset = "attack"').replace("skip", "hit-2")


@pytest.mark.parametrize("action", [
    a.Play(NOBODY, RED_3), a.Play(-1, RED_3), a.Hit(NOBODY, 1), a.Draw(NOBODY), a.Draw(-1), a.Pass(NOBODY),
    a.Done(NOBODY), a.NameColour(NOBODY, 0), a.Call(NOBODY), a.Catch(NOBODY, ANN), a.Accept(NOBODY),
    a.Challenge(NOBODY), a.Slap(NOBODY), a.LastSlap(NOBODY), a.Report(NOBODY, ANN), a.Advice(NOBODY), a.Leave(NOBODY),
    a.Leave(-1), a.SetTurn(NOBODY), a.SetScore(NOBODY, 1), a.SetHand(NOBODY, 1), a.Points(NOBODY, 1),
    a.Count(NOBODY, (RED_3,)),
])  # fmt: skip
def test_a_seat_that_there_is_not(action: Action) -> None:
    assert reason_against(read_case(HEAD).game.position, action) == "no-such-player"


@pytest.mark.parametrize(("action", "reason"), [
    (a.Catch(ANN, NOBODY), "bad-target"), (a.Catch(ANN, -1), "bad-target"), (a.Catch(ANN, ANN), "bad-target"),
    (a.Report(ANN, NOBODY), "bad-target"), (a.Play(ANN, RED_3, target=ANN), "bad-target"),
    (a.Play(ANN, RED_SKIP, target=BO), "bad-target"), (a.Play(ANN, WILD), "colour-needed"),
    (a.Play(ANN, WILD, NO_COLOUR), "colour-needed"), (a.Play(ANN, WILD, NO_COLOUR - 1), None),
    (a.Play(ANN, RED_3, NO_COLOUR), None), (a.Play(ANN, RED_3, 1), "bad-set"), (a.Play(ANN, RED_3, 0), None),
    (a.Play(ANN, RED_3, keep=(RED_SKIP,)), "wrong-count"), (a.Play(ANN, RED_3, went=1), "wrong-count"),
    (a.Play(ANN, RED_3, went=-1), "wrong-count"), (a.SetDirection(0), "wrong-count"), (a.SetDirection(-1), None),
    (a.SetColour(NO_COLOUR), "colour-needed"), (a.SetColour(NO_COLOUR - 1), None), (a.Hit(ANN, 1), "wrong-source"),
])  # fmt: skip
def test_a_choice_that_there_is_not(action: Action, reason: str | None) -> None:
    assert reason_against(read_case(HEAD).game.position, action) == reason


def test_a_start_colour_that_there_is_not() -> None:
    pos = read_case(START_COLOUR).game.position
    assert pos.naming == ANN
    assert reason_against(pos, a.NameColour(ANN, NO_COLOUR)) == "colour-needed"
    assert reason_against(pos, a.NameColour(ANN, -1)) == "colour-needed"
    assert reason_against(pos, a.NameColour(ANN, NO_COLOUR - 1)) is None


def test_fewer_cards_than_none() -> None:
    game = read_case(OWING).game
    assert reason_against(game.position, a.Hit(ANN, -1)) == "wrong-count"
    assert reason_against(game.position, a.Hit(ANN, 0)) is None
    game.apply(a.Play(ANN, parse_card("red hit-2")))
    assert reason_against(game.position, a.Hit(BO, -1)) == "wrong-count"
    assert reason_against(game.position, a.Hit(BO, 0)) is None
