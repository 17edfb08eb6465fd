"""Random play: it ends, it is always allowed, and the same chance gives the same round."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.odds import MEASURED, ORIGINAL, Odds
from controller.rules import engine
from controller.rules.actions import Hit, Play
from controller.rules.cards import FIRST_WILD
from controller.rules.chance import Dice
from controller.rules.options import resolve
from controller.rules.position import CALM, PLAY, Position
from controller.simulate import MOST_TURNS, RandomPlayers, new_round, play_round

ATTACK = resolve("attack", {})
SHEET = resolve("attack-sheet", {})


@pytest.mark.parametrize("players", range(2, 10))
def test_a_round_of_attack_is_played_to_its_end(players: int) -> None:
    trace = play_round(ATTACK, players, Random(players))
    assert trace.winner in range(players)
    assert trace.turns < MOST_TURNS
    # Nobody plays twice in a turn, and going out takes at least a whole hand.
    assert ATTACK.hand_size <= trace.plays <= trace.turns
    assert trace.hits > 0


@given(seed=st.integers(0, 2**32), players=st.integers(2, 9), sheet=st.booleans(), original=st.booleans())
def test_a_random_player_is_never_refused(seed: int, players: int, sheet: bool, original: bool) -> None:
    rng = Random(seed)
    position = new_round(SHEET if sheet else ATTACK, players, rng)
    seats = RandomPlayers(rng, Odds(ORIGINAL if original else MEASURED, rng))
    for _ in range(300):
        if position.phase != PLAY:
            break
        engine.apply(position, seats.action(position), Dice(rng))  # raises `Refused` when it is not allowed
        held = Counter(position.pile) + Counter(position.discards)
        for hand in position.hands:
            held += Counter(hand)
        assert held == Counter(position.rules.deck_order)


def test_the_same_chance_gives_the_same_round() -> None:
    assert play_round(ATTACK, 4, Random(3)) == play_round(ATTACK, 4, Random(3))
    assert play_round(ATTACK, 4, Random(3)) != play_round(ATTACK, 4, Random(4))


def calm_round(rng: Random) -> Position:
    """A round where the first player may play as on any turn: no start card waits for anything."""
    while True:
        position = new_round(ATTACK, 3, rng)
        if position.mood == CALM and position.rules.plain[position.top] and position.top < FIRST_WILD:
            return position


def test_every_playable_card_and_every_colour_is_as_likely_as_any_other() -> None:
    rng = Random(5)
    position = calm_round(rng)
    seats = RandomPlayers(rng, Odds(MEASURED, rng))
    seat = position.turn
    wild, equal = FIRST_WILD, position.top
    position.hands[seat][:] = [equal, equal, equal, wild]
    played: Counter[tuple[int, int]] = Counter()
    for _ in range(8000):
        action = seats.action(position)
        assert isinstance(action, Play)
        played[action.card, action.colour] += 1
    assert played[equal, -1] == pytest.approx(6000, abs=200)
    for colour in range(4):
        assert played[wild, colour] == pytest.approx(500, abs=100)


def test_a_player_without_a_playable_card_hits() -> None:
    rng = Random(5)
    position = calm_round(rng)
    seats = RandomPlayers(rng, Odds(MEASURED, rng, {"profile": "measured", "presses": 4}))
    odd_ones = [card for card in range(1, FIRST_WILD) if not position.fits[card]]
    position.hands[position.turn][:] = odd_ones[:5]
    action = seats.action(position)
    assert isinstance(action, Hit)
    assert action.cards > 0  # the fifth press always fires
