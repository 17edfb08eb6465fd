"""A position on one line and back; what a viewer's line keeps from them; and all defects of a broken one."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.cases import read_case
from controller.rules.defects import defects
from controller.rules.line import LineError, read, redacted, write
from controller.rules.options import PRESETS
from controller.rules.position import Debt, Position

from .players import new_game, play_on
from .test_properties import option_sets, seeds

EXAMPLE = """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red 7", "wild"]
Bo = ["green 1", "blue hit-2"]
"""


def example() -> Position:
    return read_case(EXAMPLE).game.position


@settings(max_examples=60)
@given(seed=seeds, preset=st.sampled_from(sorted(PRESETS)), players=st.integers(2, 8), options=option_sets())
def test_every_position_reads_back(seed: int, preset: str, players: int, options: dict[str, object]) -> None:
    rng = Random(seed)
    game = new_game(preset, players, rng, options)
    for _ in range(6):
        play_on(game, rng, rng.randrange(12))
        pos = game.position
        line = write(pos)
        assert "\n" not in line
        again = read(line)
        assert again.state() == pos.state()
        assert again.mood == pos.mood
        assert write(again) == line
        assert defects(pos) == []


@settings(max_examples=40)
@given(seed=seeds, players=st.integers(2, 6))
def test_a_viewers_line_tells_nothing_hidden(seed: int, players: int) -> None:
    rng = Random(seed)
    game = new_game("classic", players, rng)
    play_on(game, rng, rng.randrange(40))
    pos = game.position
    seat = rng.randrange(players)
    other = pos.copy()
    hidden = [*other.pile, *(card for who, hand in enumerate(other.hands) if who != seat for card in hand)]
    rng.shuffle(hidden)
    for who, hand in enumerate(other.hands):
        if who != seat:
            other.hands[who] = bytearray(hidden.pop() for _ in hand)
    other.pile = bytearray(hidden)
    if pos.chain is None and pos.drawn is None and pos.shot is None:
        assert write(redacted(pos, seat)) == write(redacted(other, seat))
    assert read(write(redacted(pos, seat))).hands[seat] == bytearray(sorted(pos.hands[seat]))
    assert set(redacted(pos, None).pile) <= {0}


def test_the_line_of_a_small_position() -> None:
    line = write(example())
    assert line.startswith("1 attack digital Ann:r7ww,Bo:g1bH phase=play dealer=1 inside=3 turn=0 colour=0 pile=")
    assert line.endswith(" discards=r5 number=1")


def test_names_with_anything_in_them_survive() -> None:
    pos = example()
    pos.players = ("A,n:n =", "波 Bo")
    assert read(write(pos)).players == pos.players


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "begins with '1'"),
        ("2 attack digital Ann:r5", "begins with '1'"),
        ("1 attack flat Ann:r5 phase=play", "digital or physical, not 'flat'"),
        ("1 atack digital Ann:r5,Bo:r6 phase=play", "did you mean 'attack'?"),
        ("1 attack,uno_penality=3 digital Ann:r5,Bo:r6 phase=play", "did you mean 'uno_penalty'?"),
        ("1 attack digital Ann:r5,Bo:rQ phase=play", "'rQ' in 'rQ' is no card"),
        ("1 attack digital Ann:r5,Bo phase=play", "'Bo' is not NAME:CARDS"),
        ("1 attack digital Ann:r5,Bo:r6", "phase= is one of"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play trun=1", "'trun=1' is not known"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play turn=1 turn=1", "said twice"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play turn=x", "'x' is no whole number"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play step=2", "step= is 1 or -1"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play seating=0,0", "every seat once"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play owes=1:2", "says no debt"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play chain=1", "says no live penalty"),
        ("1 attack digital Ann:r5,Bo:r6 phase=play match=chips", "says no match"),
    ],
)
def test_a_line_that_is_no_position_says_why(line: str, problem: str) -> None:
    with pytest.raises(LineError) as error:
        read(line)
    assert problem in str(error.value)


def test_all_defects_are_named_not_the_first() -> None:
    pos = example()
    pos.hands[0] += bytes((pos.top, pos.top))
    pos.turn = 7
    pos.debts = [Debt(5, 0, card=True)]
    pos.exposed = 0b01
    pos.called = 0b01
    found = defects(pos)
    for part in (
        "4 of red 5, and the deck attack-1998 has 2",
        "it is the turn of seat 7, who is not in the round",
        "seat 5 owes and is not in the round",
        "seat 5 owes 0",
        "a card's units and who plays after them do not go together",
        "Ann can be caught with 4 cards",
        "Ann has called and can be caught",
        "the mood is not that of the position",
    ):
        assert part in found


def test_a_position_without_a_card_face_up_is_defective() -> None:
    pos = example()
    pos.discards.clear()
    assert "no card lies face up" in defects(pos)
    assert "1 of red 5 missing" in defects(pos)
