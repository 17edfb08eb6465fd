"""Refusals of real games written down as case files: each is played to the same refusal, and tells no hidden card."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter

import pytest

from controller import bots
from controller.rules import codec, views
from controller.rules.actions import Hit, Next, Play
from controller.rules.cards import NAME_OF, parse_card
from controller.rules.cases import read_case, run_case
from controller.rules.casewriting import Dispute, write_case
from controller.rules.chance import Dice
from controller.rules.game import Game
from controller.rules.matches import MatchSettings
from controller.rules.options import resolve
from controller.rules.position import PLAY
from controller.rules.refusals import Refusal

OWING = """
preset = "attack"
players = ["Ann", "Bo"]
top = "red 5"
turn = "Ann"
[hands]
Ann = ["red hit-2", "blue 7", "blue 8"]
Bo = ["red 8", "green 2"]
"""
PRESETS = ("attack", "classic", "stack", "killer", "mega-hit", "classic-strict")


def played(preset: str, seed: int, moves: int) -> Game:
    """A game that bots have played for some moves."""
    rng = random.Random(seed)
    game = Game(resolve(preset), ("Ann", "Bo Li", "Cy: x", "小明"), MatchSettings())
    dice = Dice(rng)
    game.apply(Next(), dice)
    for _ in range(moves):
        if game.position.phase != PLAY:
            break
        public = views.public(game.position)
        for seat in rng.sample(range(4), 4):
            commands = bots.choose(public, views.private(game.position, seat), rng)
            if commands:
                for command in commands:
                    do(game, seat, command, rng, dice)
                break
    return game


def do(game: Game, seat: int, command: dict[str, object], rng: random.Random, dice: Dice) -> None:
    if command["do"] == "press":
        game.apply(Hit(seat, rng.choice((0, 0, 2, 3))), dice)
    else:
        action = codec.action_from_json({**command, "seat": seat})
        if game.check(action) is None:
            game.apply(action, dice)


def refusals(game: Game) -> list[tuple[int, Play, Refusal]]:
    """Every card that somebody holds and may not play, with the reason."""
    found = []
    for seat in range(4):
        for card in sorted(set(game.position.hands[seat])):
            action = Play(seat, card, 0 if " " not in NAME_OF[card] else -1)
            refusal = game.check(action)
            if refusal is not None:
                found.append((seat, action, refusal))
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_a_refusal_is_written_so_that_it_comes_again(preset: str) -> None:
    written = asked = 0
    rng = random.Random(preset)
    for seed in range(6):
        game = played(preset, seed, 4 + 5 * seed)
        if game.position.phase != PLAY:
            continue
        for seat, action, refusal in rng.sample(refusals(game), min(3, len(refusals(game)))):
            asked += 1
            before = game.position.digest()
            text = write_case(Dispute(game.story(60), game.position.copy(), action, refusal), frozenset({seat}))
            assert game.position.digest() == before
            if text is None:
                continue
            written += 1
            outcome = run_case("dispute.toml", text)
            assert outcome.ok, f"{outcome}\n{text}"
            assert text.count(f" ! {refusal.reason}") == 2  # in the title, and as the last step
            for each in refusal.because:
                assert f"# decided by {each.option} = {each.value}" in text
    assert asked >= 12
    assert written >= 0.8 * asked


def test_no_card_of_another_hand_is_told_before_it_lies_on_the_table() -> None:
    """The same refusal, once with these hidden cards and once with others, is the same file."""
    game = played("attack", 2, 6)
    seat, action, refusal = refusals(game)[0]
    texts = set()
    for turn in range(3):
        position = game.position.copy()
        others = [other for other in range(4) if other != seat]
        hidden = [card for other in others for card in position.hands[other]] + list(position.pile)
        random.Random(turn).shuffle(hidden)
        for other in others:
            count = len(position.hands[other])
            position.hands[other] = bytearray(hidden[:count])
            del hidden[:count]
        position.pile = bytearray(hidden)
        text = write_case(Dispute([], position, action, refusal), frozenset({seat}))
        assert text is not None
        texts.add(text)
    assert len(texts) == 1


def test_stand_ins_are_cards_that_may_be_there() -> None:
    game = played("classic", 3, 9)
    seat, action, refusal = refusals(game)[0]
    text = write_case(Dispute(game.story(60), game.position.copy(), action, refusal), frozenset({seat}))
    assert text is not None
    case = read_case(text)
    named = Counter(card for hand in case.game.position.hands for card in hand)
    deck = Counter(game.position.rules.deck_order)
    assert named <= deck


def test_after_the_round_every_hand_is_told() -> None:
    game = played("attack", 2, 6)
    _, action, refusal = refusals(game)[0]
    text = write_case(Dispute([], game.position.copy(), action, refusal), None)
    assert text is not None
    position = read_case(text).game.position
    assert [sorted(hand) for hand in position.hands] == [sorted(hand) for hand in game.position.hands]


def test_a_penalty_that_is_owed_is_told_by_what_led_to_it() -> None:
    game = read_case(OWING).game
    game.apply(Play(0, parse_card("red hit-2")))
    action = Play(1, parse_card("red 8"))
    refusal = game.check(action)
    assert refusal is not None
    assert refusal.reason == "owes"
    text = write_case(Dispute(game.story(60), game.position.copy(), action, refusal), frozenset({1}))
    assert text is not None
    steps = [json.loads(step) for step in re.findall(r'^  (".*"),$', text, re.MULTILINE)]
    assert steps == ["Ann: play red hit-2", "Bo: play red 8 ! owes"]
    assert run_case("owes.toml", text).ok
    hands = tomllib.loads(text)["hands"]
    assert hands["Bo"] == ["red 8", "green 2"]
    assert "red hit-2" in hands["Ann"]
    assert not {"blue 7", "blue 8"} & set(hands["Ann"])
    assert len(hands["Ann"]) == 3
