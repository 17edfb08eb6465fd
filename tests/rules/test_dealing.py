"""Who deals the first round: the draw for it, tied leaders again, and a lot where no card is higher than another."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from controller.rules.cards import parse_card
from controller.rules.chance import Dice, Script
from controller.rules.game import Game
from controller.rules.options import resolve
from controller.rules.rounds import draw_for_dealer

DECKS = ("[each_colour]\nskip = 3\n[wilds]\nwild = 4\n", "[each_colour]\n7 = 3\n")


def test_the_highest_number_deals_and_tied_leaders_draw_again() -> None:
    game = Game(resolve("classic"), ("Ann", "Bo", "Cy"))
    deck = list(game.position.rules.deck_order)
    nine, wild, seven = (deck.index(parse_card(card)) for card in ("red 9", "wild", "blue 7"))
    drawn = Script((nine, wild - 1, nine, seven, nine))  # of what is left each time: red 9, wild, the other red 9; ...
    dealer, rounds = draw_for_dealer(game.position, (0, 1, 2), drawn)
    assert dealer == 2
    assert [[seat for seat, _ in one] for one in rounds] == [[0, 1, 2], [0, 2]]


@pytest.mark.parametrize("deck", DECKS)
def test_in_a_deck_without_a_higher_card_a_lot_decides(deck: str, tmp_path: Path) -> None:
    path = tmp_path / "alike.toml"
    path.write_text(deck)
    game = Game(resolve("classic", {"deck": str(path), "hand_size": 1}), ("Ann", "Bo", "Cy"))
    found = [draw_for_dealer(game.position, (0, 2), Dice(Random(seed))) for seed in range(20)]
    assert {dealer for dealer, _ in found} == {0, 2}
    assert {drawn for _, drawn in found} == {()}
