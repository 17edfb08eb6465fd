"""What holds in every game, tried over random games of all presets and of random sets of options."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import actions as a
from controller.rules import codec, engine, views
from controller.rules.actions import Action
from controller.rules.chance import Dice
from controller.rules.defects import defects
from controller.rules.events import Gave, Took
from controller.rules.game import Game
from controller.rules.legal import due_seat
from controller.rules.matches import FORMATS
from controller.rules.moves import moves
from controller.rules.options import CHOICE, DEFENCES, OPTIONS, PRESETS, YES_NO, OptionError, Value, resolve
from controller.rules.position import BUSY, MATCH_OVER, PLAY, ROUND_OVER, START, Position
from controller.rules.refusals import REASONS, Refused

from .invariants import cards_in, invariants, keep, scored_once, told_truly
from .players import NAMES, anything, new_game, offers, play_on

seeds = st.integers(0, 2**32)
presets = st.sampled_from(sorted(PRESETS))


@st.composite
def option_sets(draw: st.DrawFn) -> dict[str, object]:
    """Options at random, any combination; the deck and sizes stay the preset's."""
    chosen: dict[str, object] = {}
    for option in OPTIONS:
        if option.name in ("tracking", "deck") or not draw(st.booleans()):
            continue
        if option.kind == CHOICE:
            chosen[option.name] = draw(st.sampled_from(option.choices))
        elif option.kind == YES_NO:
            chosen[option.name] = draw(st.booleans())
        elif option.name == "defend":
            chosen[option.name] = draw(st.lists(st.sampled_from(DEFENCES), unique=True))
        elif option.name == "last_card":
            chosen[option.name] = draw(st.sampled_from(["any", "numbers", ["skip", "wild", "discard-all"]]))
        elif option.name.endswith("penalty"):
            chosen[option.name] = draw(st.integers(0, 4))
    return chosen


@settings(max_examples=60, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 8), options=option_sets(), form=st.sampled_from(FORMATS))
def test_offers_are_accepted_and_cards_conserved(
    seed: int, preset: str, players: int, options: dict[str, object], form: str
) -> None:
    rng = Random(seed)
    game = new_game(preset, players, rng, options, format=form, target=200)
    for _ in range(120):
        pos = game.position
        invariants(pos)
        scored_once(pos)
        if pos.phase == MATCH_OVER:
            return
        if pos.phase == ROUND_OVER:
            game.apply(a.Next(), Dice(rng))
            continue
        possible = offers(pos, rng)
        assert possible, "somebody can always act"
        action = rng.choice(possible)
        before = keep(pos)
        events = game.apply(action, Dice(rng))  # raises when an offer is refused
        told_truly(before, action, events, game.position)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 6), options=option_sets())
def test_what_is_not_offered_is_refused_and_changes_nothing(
    seed: int, preset: str, players: int, options: dict[str, object]
) -> None:
    rng = Random(seed)
    options = {**options, "misplay": "reject"}
    game = new_game(preset, players, rng, options)
    play_on(game, rng, rng.randrange(40))
    for _ in range(60):
        pos = game.position
        action = anything(pos, rng)
        before = pos.state()
        refusal = game.check(action)
        assert pos.state() == before
        if isinstance(action, a.Play) and _seated(pos, action.seat) and pos.phase == PLAY:
            offered = any(move.contains(action) for move in moves(pos, action.seat))
            assert not offered or refusal is None, (action, refusal)
            assert offered or refusal is not None or action.mates, action
        if refusal is None:
            continue
        assert refusal.reason in REASONS
        with pytest.raises(Refused) as refused:
            game.apply(action, Dice(rng))
        assert refused.value.refusal == refusal
        assert game.position.state() == before


def _seated(pos: Position, seat: int) -> bool:
    return 0 <= seat < len(pos.players)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 8), options=option_sets())
def test_the_short_way_is_the_long_way(seed: int, preset: str, players: int, options: dict[str, object]) -> None:
    rng = Random(seed)
    game = new_game(preset, players, rng, options if rng.random() < 0.5 else {})
    position = game.position
    for _ in range(150):
        if position.phase != PLAY:
            return
        action = rng.choice(offers(position, rng)) if rng.random() < 0.9 else anything(position, rng)
        other = position.copy()
        other.mood = BUSY
        seed_now = rng.random()
        assert _outcome(position, action, seed_now) == _outcome(other, action, seed_now)
        assert position.state() == other.state()
        assert position.mood == other.find_mood()


def _outcome(pos: Position, action: Action, seed: float) -> object:
    try:
        return engine.apply(pos, action, Dice(Random(seed)))
    except Refused as refused:
        return refused.refusal


@settings(max_examples=40, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 8), options=option_sets())
def test_the_log_gives_the_same_game_card_for_card(
    seed: int, preset: str, players: int, options: dict[str, object]
) -> None:
    rng = Random(seed)
    game = new_game(preset, players, rng, options)
    play_on(game, rng, 60)
    if game.check(a.Undo()) is None:
        game.apply(a.Undo())
    play_on(game, rng, 20)
    written = [json.dumps(codec.entry_to_json(entry)) for entry in game.entries]
    again = Game(game.position.rules, game.position.players)
    for row in written:
        again.replay_entry(codec.entry_from_json(json.loads(row)))
    assert again.position.state() == game.position.state()
    assert [entry.action for entry in again.entries] == [entry.action for entry in game.entries]


@settings(max_examples=40, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 8))
def test_undo_gives_the_position_before(seed: int, preset: str, players: int) -> None:
    rng = Random(seed)
    game = new_game(preset, players, rng)
    play_on(game, rng, rng.randrange(30))
    if game.position.phase != PLAY:
        return
    before = game.position.state()
    action = rng.choice(offers(game.position, rng))
    game.apply(action, Dice(rng))
    if isinstance(action, a.Hit):
        return  # what a launcher shot stays where it fell: its own test
    game.apply(a.Undo())
    assert game.position.state() == before


@settings(max_examples=40, deadline=None)
@given(seed=seeds, preset=presets, players=st.integers(2, 6), options=option_sets())
def test_a_seat_sees_no_other_hand_and_nobody_the_pile(
    seed: int, preset: str, players: int, options: dict[str, object]
) -> None:
    """Two games that differ only in cards a viewer may not see look the same to that viewer."""
    rng = Random(seed)
    game = new_game(preset, players, rng, options)
    play_on(game, rng, rng.randrange(40))
    pos = game.position
    seat = rng.randrange(players)
    other = _with_hidden_cards_moved(pos, seat, rng)
    assert _seen(pos, seat) == _seen(other, seat)
    assert views.public(pos) == views.public(other)


def _with_hidden_cards_moved(pos: Position, seat: int, rng: Random) -> Position:
    """`pos` with every card that `seat` cannot see in another place."""
    other = pos.copy()
    hidden = [*other.pile, *(card for who, hand in enumerate(other.hands) if who != seat for card in hand)]
    rng.shuffle(hidden)
    for who, hand in enumerate(other.hands):
        if who != seat:
            other.hands[who] = bytearray(hidden.pop() for _ in hand)
    other.pile = bytearray(hidden)
    return other


def _seen(pos: Position, seat: int) -> dict[str, Any]:
    return {**views.public(pos), "mine": views.private(pos, seat)}


@settings(max_examples=30, deadline=None)
@given(seed=seeds, players=st.integers(2, 6))
def test_events_show_cards_that_came_to_their_seat_alone(seed: int, players: int) -> None:
    rng = Random(seed)
    game = new_game("attack", players, rng)
    for _ in range(60):
        if game.position.phase != PLAY:
            return
        happened = game.apply(rng.choice(offers(game.position, rng)), Dice(rng))
        for seat in (None, *range(players)):
            for event, view in zip(happened, views.events(happened, game.position, seat), strict=True):
                if view["e"] in ("took", "gave"):
                    assert ("cards" in view) == (view["seat"] == seat)
                    assert isinstance(event, (Took, Gave))
                    assert view["count"] == len(event.cards)
                json.dumps(view)


@given(action=st.builds(a.Play, st.integers(0, 9), st.integers(1, 75), st.integers(-1, 3), st.integers(-1, 9)))
def test_actions_survive_json(action: a.Play) -> None:
    assert codec.action_from_json(json.loads(json.dumps(codec.action_to_json(action)))) == action


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "there is no action 'None'"),
        ({"do": "paly"}, "did you mean 'play'?"),
        ({"do": "play", "seat": 0}, "'play' needs the field 'card'"),
        ({"do": "play", "seat": 0, "card": "red 77"}, "field 'card': there is no card 'red 77'"),
        ({"do": "play", "seat": "Ann", "card": "red 7"}, "field 'seat': a number is expected"),
        ({"do": "play", "seat": True, "card": "red 7"}, "field 'seat': a number is expected"),
        ({"do": "play", "seat": 0, "card": "red 7", "color": "red"}, "no field 'color', did you mean 'colour'?"),
        ({"do": "play", "seat": 0, "card": "wild", "colour": "pink"}, "field 'colour': there is no colour 'pink'"),
        ({"do": "play", "seat": 0, "card": 5}, "a card is a text"),
        ({"do": "play", "seat": 0, "card": "wild", "keep": "red 7"}, "must be a list"),
        ({"do": "hit", "seat": 0, "cards": 10**9}, "a number is expected"),
        ({"do": "hit", "seat": 0, "cards": 1, "choice": 1}, "true or false"),
    ],
)
def test_data_that_is_no_action_says_what_is_wrong(data: dict[str, object], problem: str) -> None:
    with pytest.raises(codec.BadAction, match=r".*") as error:
        codec.action_from_json(data)
    assert problem in str(error.value)


def test_too_many_players_are_refused() -> None:
    value: Value = "2-3"
    with pytest.raises(OptionError, match="4 players cannot play: option players = 2-3"):
        new_game("attack", 4, Random(1), {"players": value})


@settings(max_examples=40, deadline=None)
@given(seed=seeds, players=st.integers(2, 6), back=st.integers(1, 12))
def test_taking_back_over_shots_keeps_the_cards_where_they_fell(seed: int, players: int, back: int) -> None:
    rng = Random(seed)
    game = new_game("attack", players, rng)
    play_on(game, rng, rng.randrange(3, 30))
    if game.position.phase != PLAY:
        return
    done = [entry.action for entry in game.entries]
    for undone in reversed(done[-back:]):
        if isinstance(undone, a.Next):
            return
        held = [bytes(hand) for hand in game.position.hands]
        game.apply(a.Undo())
        pos = game.position
        assert cards_in(pos) == Counter(pos.rules.deck_order)
        assert pos.mood == pos.find_mood()
        if isinstance(undone, a.Hit):
            assert Counter(pos.hands[undone.seat]) == Counter(held[undone.seat])


@settings(max_examples=60, deadline=None)
@given(seed=seeds, physical=st.booleans(), most=st.sampled_from((4, 9, 30)))
def test_taken_back_all_the_way_over_shots_that_emptied_the_pile_the_cards_are_sound(
    seed: int, physical: bool, most: int
) -> None:
    """Twelve cards are left when all have theirs, and shots of up to `most` bring the discards back again and again."""
    rng = Random(seed)
    game = Game(resolve("attack", {"hand_size": 11}), NAMES[:9], physical=physical)
    game.apply(a.Next(), Dice(rng))
    while game.position.phase in (START, PLAY) and len(game.entries) < 60:
        game.apply(rng.choice(_many_shots(game.position, most, rng)), Dice(rng))
    while game.check(a.Undo()) is None:
        game.apply(a.Undo())
        pos = game.position
        assert defects(pos) == []
        assert sum(cards_in(pos).values()) == len(pos.rules.deck_order)
    again = Game(game.position.rules, game.position.players, physical=physical)
    for entry in game.entries:
        again.replay_entry(entry)  # raises when another position comes of it
    assert again.position.state() == game.position.state()


def _many_shots(pos: Position, most: int, rng: Random) -> list[Action]:
    """Offers, every other one a shot; with real cards of no more than the hopper is thought to hold."""
    if pos.phase == START:
        return [a.Start(rng.choice([card for card, count in enumerate(pos.remaining()) if count]))]
    if pos.physical and not pos.pile and len(pos.discards) > 1:
        return [a.Reload()]
    found: list[Action] = [action for action in offers(pos, rng) if not isinstance(action, a.Hit)]
    hit = a.Hit(due_seat(pos), rng.randint(0, min(most, len(pos.pile)) if pos.physical else most))
    if engine.reason_against(pos, hit) is None and (not found or rng.random() < 0.5):
        return [hit]
    return found
