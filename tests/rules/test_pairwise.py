"""Every value of every option with every value of every other one, in games at random with the invariants held.

Most bugs of such an engine are pairs of house rules. So the rows of a covering array, in which each pair of values
comes at least once, are played each: hundreds of actions of all that is offered, and after each of them the position
must be sound, the events must have told it truly, and somebody must be able to act.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

import pytest

from controller.rules import actions as a
from controller.rules.actions import Action
from controller.rules.chance import Dice
from controller.rules.decks import BUILT_IN
from controller.rules.game import Game
from controller.rules.matches import FORMATS, MatchSettings
from controller.rules.options import CHOICE, OPTIONS, YES_NO, resolve
from controller.rules.position import COUNT, MATCH_OVER, PLAY, ROUND_OVER, START, Position
from controller.rules.rounds import to_count

from .invariants import OVER, invariants, keep, scored_once, told_truly
from .players import NAMES, offers, offers_besides

STEPS = 140
MORE_STEPS = 600
Row = Mapping[str, object]

SPECIAL: Mapping[str, Sequence[object]] = {
    "deck": BUILT_IN,
    "decks": (1, 2),
    "hand_size": (1, 2, 7),
    "players": ("2-10",),
    "last_card": ("any", "numbers", ("trade-hands",), ("skip", "wild", "discard-all", "wild-draw-four")),
    "defend": (
        (),
        ("draw-two", "wild-draw-four", "skip", "reverse"),
        ("draw-two", "wild-draw-four", "draw-two-pair"),
        ("hit-1", "hit-2", "wild-hit-4", "wild-attack-attack"),
        ("draw-two", "wild-draw-four", "skip", "reverse", "draw-two-pair", "hit-1", "hit-2", "wild-hit-4",
         "wild-attack-attack"),
    ),
    "uno_penalty": (0, 2),
    "false_uno_penalty": (0, 2),
    "false_catch_penalty": (0, 2),
    "challenge_guilty": (0, 4),
    "challenge_innocent": (0, 6),
    "advice_penalty": (0, 4),
    "reload_below": (0, 20),
    # what is no option, but as good as one
    "seats": (2, 3, 5),
    "physical": (False, True),
    "format": FORMATS,
}  # fmt: skip


def parameters() -> dict[str, tuple[object, ...]]:
    """Everything that is varied, with its values."""
    found: dict[str, tuple[object, ...]] = {}
    for option in OPTIONS:
        if option.kind == CHOICE:
            found[option.name] = option.choices
        elif option.kind == YES_NO:
            found[option.name] = (False, True)
    return found | {name: tuple(values) for name, values in SPECIAL.items()}


def covering(domains: Mapping[str, Sequence[object]], rng: Random) -> list[dict[str, object]]:
    """Rows in which every two values of different parameters come together: greedily, a value at a time."""
    names = sorted(domains)
    pairs = [
        (one, first, other, second)
        for one, other in combinations(names, 2)
        for first in domains[one]
        for second in domains[other]
    ]
    left, rows = set(pairs), []
    for pair in pairs:
        if pair not in left:
            continue
        one, first, other, second = pair
        row: dict[str, object] = {one: first, other: second}
        rest = [name for name in names if name not in row]
        rng.shuffle(rest)
        for name in rest:
            values = list(domains[name])
            rng.shuffle(values)
            new = [sum(_pair(name, value, *item) in left for item in row.items()) for value in values]
            row[name] = values[new.index(max(new))]
        left -= {_pair(one, row[one], other, row[other]) for one, other in combinations(names, 2)}
        rows.append(row)
    return rows


def _pair(one: str, first: object, other: str, second: object) -> tuple[str, object, str, object]:
    return (one, first, other, second) if one < other else (other, second, one, first)


ROWS = covering(parameters(), Random(1))


def test_the_rows_cover_every_pair() -> None:
    domains = parameters()
    for one, other in combinations(sorted(domains), 2):
        together = {(row[one], row[other]) for row in ROWS}
        assert together == {(first, second) for first in domains[one] for second in domains[other]}
    assert len(ROWS) < 60


def game_of(row: Row, rng: Random) -> Game:
    """The game that a row describes, its first round dealt."""
    options = {name: row[name] for name in row if name not in ("seats", "physical", "format")}
    seats, form = row["seats"], row["format"]
    assert isinstance(seats, int)
    assert isinstance(form, str)
    game = Game(resolve("attack", options), NAMES[:seats], MatchSettings(form, 150), bool(row["physical"]))
    game.apply(a.Next(), Dice(rng))
    return game


def possible(pos: Position, rng: Random) -> list[Action]:
    """Everything that somebody may do, the host included."""
    if pos.phase == ROUND_OVER:
        return [a.Next()]
    if pos.phase == START:
        left = [card for card, count in enumerate(pos.remaining()) if count]
        return [a.Start(rng.choice(left))]
    if pos.phase == COUNT:
        return [a.Points(seat, rng.randrange(60)) for seat in to_count(pos)]
    found = [action for action in offers(pos, rng) if not _over_the_hopper(pos, action)]
    if pos.waits_for_reload():
        found.append(a.Reload())
    return found


def _over_the_hopper(pos: Position, action: Action) -> bool:
    """With real cards, more than the hopper is thought to hold: cards come into the count, and none is conserved."""
    return pos.physical and isinstance(action, a.Hit) and action.cards > len(pos.pile)


def play_row(row: Row, seed: int, steps: int) -> None:
    """Play `steps` actions of the row, judging each."""
    rng = Random(seed)
    game = game_of(row, rng)
    for _ in range(steps):
        pos = game.position
        if pos.phase == MATCH_OVER:
            game = game_of(row, rng)
            continue
        found = possible(pos, rng)
        assert found, "somebody can always act"
        action = rng.choice(found)
        before = keep(pos)
        events = game.apply(action, Dice(rng))  # raises when an offer is refused
        invariants(game.position)
        scored_once(game.position)
        told_truly(before, action, events, game.position)


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=() if number % 2 else pytest.mark.slow) for number in range(len(ROWS))]
)
def test_every_pair_of_values(number: int) -> None:
    play_row(ROWS[number], number, STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_every_pair_of_values_at_length(seed: int) -> None:
    for number, row in enumerate(covering(parameters(), Random(seed + 1))):
        play_row(row, 1000 * seed + number, MORE_STEPS)


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_somebody_may_leave_at_any_moment(number: int) -> None:
    rng = Random(number)
    game = game_of({**ROWS[number], "seats": 5}, rng)
    for step in range(1, 81):
        pos = game.position
        if pos.phase in OVER:
            return
        found = possible(pos, rng)
        assert found, "somebody can always act"
        action = rng.choice(found)
        if step % 20 == 0 and pos.phase == PLAY:
            action = a.Leave(rng.choice([pos.turn, *pos.seats_inside()]))
            owed = [debt for debt in pos.debts if debt.seat != action.seat]
            beside = [pos.hands[seat][:] for seat in range(5) if seat != action.seat]
            game.apply(action, Dice(rng))
            assert not game.position.hands[action.seat]
            assert [pos.hands[seat] for seat in range(5) if seat != action.seat] == beside
            assert game.position.phase in OVER or [debt for debt in game.position.debts if debt in owed] == owed
        else:
            game.apply(action, Dice(rng))
        invariants(game.position)


def idly(pos: Position, rng: Random) -> Action:
    """What a bot does that would rather not play: it takes, passes, and does what it must."""
    if pos.phase != PLAY:
        return rng.choice(possible(pos, rng))
    besides = [
        action
        for seat in pos.seats_inside()
        for action in offers_besides(pos, seat, rng)
        if not isinstance(action, a.Call | a.Catch | a.Report)
    ]
    seated = [a.Hit(action.seat, 1) if isinstance(action, a.Hit) else action for action in besides]
    return seated[0] if seated else next(action for action in possible(pos, rng) if isinstance(action, a.Play))


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=() if number % 4 == 1 else pytest.mark.slow) for number in range(len(ROWS))]
)
def test_bots_that_only_pass_come_to_an_end(number: int) -> None:
    rng = Random(number)
    row = {**ROWS[number], "physical": False}
    game = game_of(row, rng)
    quiet, seats = 0, len(game.position.players)
    for _ in range(600):
        pos = game.position
        if pos.phase in OVER:
            return
        lying = len(pos.discards)
        held = [len(hand) for hand in pos.hands]
        game.apply(idly(pos, rng), Dice(rng))
        pos = game.position
        moved = held != [len(hand) for hand in pos.hands] or lying != len(pos.discards)
        quiet = 0 if moved else quiet + 1
        assert quiet <= 4 * seats, "nobody takes and nobody plays, and the round does not end"
