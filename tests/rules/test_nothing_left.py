"""No card left to draw, tried with a deck so small that it happens at once: who passes, and what the round is worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.rules import actions as a
from controller.rules.cards import names, parse_card
from controller.rules.chance import InOrder
from controller.rules.game import Game
from controller.rules.matches import MatchSettings
from controller.rules.options import resolve
from controller.rules.position import MATCH_OVER, PLAY, ROUND_OVER
from controller.rules.refusals import Refused

ANN, BO = 0, 1
FOUR = "[red]\n1 = 1\n[yellow]\n2 = 1\n[green]\n3 = 1\n[blue]\n4 = 1\n"


def game_of(folder: Path, form: str, deck: str = FOUR, **options: object) -> Game:
    """Ann and Bo, dealt from the end of the deck: blue 4 to Ann, green 3 to Bo, yellow 2 turned up, red 1 left."""
    path = folder / "tiny.toml"
    path.write_text(deck)
    rules = resolve("classic", {"deck": str(path), "hand_size": 1, **options})
    game = Game(rules, ("Ann", "Bo"), MatchSettings(form, 500))
    game.position.dealer = 1
    game.position.begin_round(0)
    game.apply(a.Next(), InOrder())
    return game


def refused(game: Game, action: a.Action) -> str:
    with pytest.raises(Refused) as error:
        game.apply(action)
    return error.value.refusal.reason


@pytest.mark.parametrize(
    ("form", "scores"), [("own-points", (5, 3)), ("challenge", (5, 3)), ("winner-takes", (0, 0)), ("chips", (0, 0))]
)
def test_when_everybody_can_only_pass_the_round_ends_as_it_stands(
    tmp_path: Path, form: str, scores: tuple[int, int]
) -> None:
    game = game_of(tmp_path, form)
    pos = game.position
    game.apply(a.Draw(ANN), InOrder())
    assert [names(hand) for hand in pos.hands] == [["blue 4", "red 1"], ["green 3"]]
    assert (pos.turn, pos.to_draw()) == (BO, 0)
    assert refused(game, a.Draw(BO)) == "owes-nothing"
    game.apply(a.Pass(BO), InOrder())
    assert (pos.turn, pos.phase) == (ANN, PLAY)
    game.apply(a.Pass(ANN), InOrder())
    assert pos.phase == ROUND_OVER
    assert pos.out == ()
    assert pos.match.scores == scores
    assert pos.match.chips == (0, 0)


def test_a_draw_that_brings_the_last_card_is_no_pass(tmp_path: Path) -> None:
    deck = "[red]\n1 = 1\n[yellow]\n2 = 1\n[blue]\n3 = 1\n[wilds]\nwild = 1\n"
    game = game_of(tmp_path, "own-points", deck, after_draw="until-playable")
    pos = game.position
    pos.hands = [bytearray([parse_card("yellow 2")]), bytearray([parse_card("blue 3")])]
    pos.discards, pos.pile = bytearray([parse_card("red 1")]), bytearray([parse_card("wild")])
    pos.show_top(0, 1)
    pos.mood = pos.find_mood()
    game.apply(a.Draw(ANN), InOrder())
    assert (pos.turn, pos.to_draw()) == (BO, 0)
    game.apply(a.Pass(BO), InOrder())
    assert (pos.turn, pos.phase) == (ANN, PLAY)
    assert refused(game, a.Pass(ANN)) == "nothing-to-pass"
    game.apply(a.Play(ANN, parse_card("wild"), 1), InOrder())
    assert pos.turn == BO


def test_who_can_play_may_not_pass_when_nothing_is_left(tmp_path: Path) -> None:
    game = game_of(tmp_path, "own-points", FOUR.replace("[green]\n3 = 1", "[green]\n2 = 1"))
    pos = game.position
    game.apply(a.Draw(ANN), InOrder())
    assert names(pos.hands[BO]) == ["green 2"]
    assert refused(game, a.Pass(BO)) == "nothing-to-pass"
    game.apply(a.Play(BO, parse_card("green 2")), InOrder())
    assert pos.match.rounds[-1].winner == BO


def test_owed_cards_that_are_not_there_are_forgiven(tmp_path: Path) -> None:
    deck = "[red]\ndraw-two = 2\n[blue]\n1 = 3\n"
    game = game_of(tmp_path, "own-points", deck)
    pos = game.position
    pos.hands = [bytearray([parse_card("red draw-two"), parse_card("blue 1")]), bytearray([parse_card("blue 1")] * 2)]
    pos.discards, pos.pile = bytearray([parse_card("red draw-two")]), bytearray()
    pos.debts, pos.resume, pos.turn = [], -1, 0
    pos.show_top(0, 12)
    pos.mood = pos.find_mood()
    game.apply(a.Play(0, parse_card("red draw-two")), InOrder())
    assert pos.owed(1) == 2  # one card, the draw-two below, can still come
    game.apply(a.Draw(1), InOrder())
    assert names(pos.hands[1]) == ["blue 1", "blue 1", "red draw-two"]
    assert pos.owed(1) == 0
    assert pos.turn == 0
    assert pos.phase < MATCH_OVER
