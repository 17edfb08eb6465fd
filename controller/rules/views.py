"""The one gate for secrets: what everybody, or one seat, may see of a position and of events.

Everything that leaves the game for phones, bots, logs for people and exports goes through here. Data are plain JSON
values; cards, colours and reasons are words. The order of the pile, other hands and the evidence of a challenge never
pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import events as e
from . import legal
from .actions import Accept, Challenge, Draw, Hit, NameColour, Pass
from .cards import COLOURS, NAME_OF, NO_COLOUR, names
from .engine import reason_against
from .events import Event
from .matches import ranking
from .moves import Move, moves
from .playing import could_answer
from .plays import person
from .position import BEFORE, COUNT, MATCH_OVER, PLAY, START, Position
from .rounds import to_count

View = dict[str, Any]

PHASES = ("round-over", "start", "playing", "counting", "round-over", "match-over")


def colour_name(colour: int) -> str | None:
    """The word of an active colour, None when there is none."""
    return COLOURS[colour] if 0 <= colour < NO_COLOUR else None


def direction(step: int) -> str:
    """The word of a direction."""
    return "clockwise" if step > 0 else "counterclockwise"


def due(pos: Position) -> View | None:
    """What the table waits for, from whom; None when there is nothing to wait for."""
    if pos.phase == MATCH_OVER:
        return {"seat": None, "what": "rematch"}
    if pos.phase == BEFORE or pos.phase > COUNT:
        return {"seat": None, "what": "next"}
    if pos.phase == COUNT:
        waiting = to_count(pos)
        return {"seat": waiting[0], "what": "count", "seats": list(waiting)}
    if pos.phase == START:
        return {"seat": pos.dealer, "what": "start"}
    if pos.slap:
        return {"seat": None, "what": "slap"}
    if pos.waits_for_reload():
        return {"seat": pos.debts[0].seat, "what": "reload"}
    if pos.debts:
        return _due_debt(pos)
    if pos.naming >= 0:
        return {"seat": pos.naming, "what": "colour"}
    return {"seat": pos.turn, "what": "play"}


def _due_debt(pos: Position) -> View:
    debt = pos.debts[0]
    what = "hit" if pos.rules.launcher else "draw"
    if pos.chain is not None and pos.chain.four and pos.rules.challenge and debt.card:
        what = "challenge"
    units: int | str = f"until-{debt.until}" if debt.until else debt.units
    answerable = pos.chain is not None and debt.card and could_answer(pos.rules, pos.chain)
    return {"seat": debt.seat, "what": what, "units": units, "why": debt.why, "answerable": answerable}


def public(pos: Position) -> View:
    """What everybody may see: no hand, no card of the pile."""
    match = pos.match
    seats = [
        {
            "seat": seat,
            "name": name,
            "hand": len(pos.hands[seat]),
            "owed": pos.owed(seat),
            "out": pos.gone_out(seat),
            "called": bool(pos.called >> seat & 1),
            "catchable": legal.can_be_caught(pos, seat),
            "inside": bool(pos.inside >> seat & 1),
            "score": match.scores[seat],
            "marks": match.marks[seat],
            "chips": match.chips[seat],
            "lost": match.lost[seat],
            "eliminated": bool(match.eliminated >> seat & 1),
            "left": bool(match.left >> seat & 1),
        }
        for seat, name in enumerate(pos.players)
    ]
    playing = pos.phase == PLAY
    return {
        "phase": PHASES[pos.phase],
        "seats": seats,
        "seating": list(pos.seating),
        "turn": pos.turn if playing else None,
        "direction": direction(pos.step),
        "top": NAME_OF[pos.top] if pos.discards else None,
        "colour": colour_name(pos.colour),
        "pile": len(pos.pile),
        "discards": len(pos.discards),
        "dealer": pos.dealer if pos.dealer >= 0 else None,
        "due": due(pos),
        "silence": pos.silence if pos.silence >= 0 else None,
        "slap": [seat for seat in range(len(pos.players)) if pos.slap >> seat & 1] or None,
        "launcherTable": pos.rules.launcher,
        "physical": pos.physical,
        "round": match.number,
        "match": {
            "format": pos.settings.format,
            "target": pos.settings.target,
            "rounds": pos.settings.rounds,
            "winners": list(match.winners),
            "over": match.over,
            "ranking": list(ranking(pos.settings, match)) if match.over else None,
            "teams": [list(team) for team in pos.settings.teams] or None,
            "forfeit": pos.settings.forfeit_text if pos.settings.forfeits else None,
            "rotation": pos.settings.rotation or None,
            "partners": pos.settings.partners,
        },
        "rounds": [
            {
                "round": result.number,
                "winner": result.winner if result.winner >= 0 else None,
                "points": list(result.points),
                "scores": list(result.scores),
            }
            for result in match.rounds
        ],
        "rules": {"preset": pos.rules.preset, "changed": _jsonable(pos.rules.changed)},
    }


def _jsonable(values: dict[str, Any]) -> View:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def private(pos: Position, seat: int) -> View:
    """What only `seat` may see besides: its hand, what it may play with which choices, and what else it may do."""
    holding = pos.phase >= PLAY
    view: View = {
        "seat": seat,
        "hand": names(sorted(pos.hands[seat])) if holding else [],
        "moves": [move_view(move) for move in moves(pos, seat)] if pos.phase == PLAY else [],
        "may": may(pos, seat),
        "drawn": names(pos.drawn) if pos.drawn is not None and pos.turn == seat else [],
    }
    if pos.race is not None and pos.race[0] == seat:
        view["drawn"] = names(pos.race[1])
    return view


def move_view(move: Move) -> View:
    """A move's card with the domains of its choices, as JSON data."""
    return {
        "card": NAME_OF[move.card],
        "colours": [COLOURS[colour] for colour in move.colours] or None,
        "targets": list(move.targets) or None,
        "keep": names(move.keep) or None,
        "keepLeast": move.keep_least,
        "mates": names(move.mates) or None,
        "mostMates": move.most_mates,
        "alone": move.alone,
    }


def may(pos: Position, seat: int) -> View:
    """What `seat` may do besides playing a card."""
    others = [other for other in pos.seats_inside() if other != seat]
    playing = pos.phase == PLAY
    return {
        "hit": playing and reason_against(pos, Hit(seat, 0)) is None,
        "draw": playing and reason_against(pos, Draw(seat)) is None,
        "pass": playing and reason_against(pos, Pass(seat)) is None,
        "uno": playing and person(pos, seat) is None and legal.call_is_right(pos, seat) and not pos.called >> seat & 1,
        "catch": [
            other for other in others if legal.catch(pos, seat, other) is None and legal.can_be_caught(pos, other)
        ]
        if playing
        else [],
        "colour": playing and reason_against(pos, NameColour(seat, 0)) is None,
        "challenge": playing and reason_against(pos, Challenge(seat, "guilty")) is None,
        "accept": playing and reason_against(pos, Accept(seat)) is None,
        "slap": playing and legal.slap(pos, seat) is None,
        "report": [other for other in pos.seats_inside() if legal.report(pos, seat, other) is None] if playing else [],
    }


def _cards_for(cards: Iterable[int], open_: bool) -> View:
    listed = list(cards)
    return {"cards": names(listed), "count": len(listed)} if open_ else {"count": len(listed)}


def event(item: Event, pos: Position, seat: int | None) -> View:
    """One event as `seat` (None: a spectator) may see it. `pos`: the position after it."""
    if isinstance(item, e.Took):
        return {"e": "took", "seat": item.seat, "how": item.how, **_cards_for(item.cards, seat == item.seat)}
    if isinstance(item, e.Gave):
        return {"e": "gave", "seat": item.seat, **_cards_for(item.cards, seat == item.seat)}
    if isinstance(item, e.Played):
        return {
            "e": "played",
            "seat": item.seat,
            "cards": names(item.cards),
            "colour": colour_name(item.colour),
            "target": item.target if item.target >= 0 else None,
            "swept": names(item.swept),
            "jumped": item.jumped,
            "answered": item.answered,
        }
    if isinstance(item, e.Challenged):
        view: View = {"e": "challenged", "seat": item.seat, "target": item.target, "guilty": item.guilty}
        return {**view, "hand": names(item.hand)} if seat == item.seat else view
    if isinstance(item, e.Misplayed):
        return {"e": "misplayed", "seat": item.seat, "cards": names(item.cards), "reason": item.reason}
    if isinstance(item, e.Dealt):
        drawn = [[{"seat": who, "card": NAME_OF[card]} for who, card in one] for one in item.drawn]
        return {"e": "dealt", "round": item.round, "dealer": item.dealer, "count": item.count, "drawn": drawn}
    if isinstance(item, e.Turned):
        return {"e": "turned", "card": NAME_OF[item.card], "putBack": item.put_back}
    if isinstance(item, e.Named):
        return {"e": "named", "seat": item.seat, "colour": colour_name(item.colour)}
    if isinstance(item, e.Counted):
        return {"e": "counted", "seat": item.seat, "points": item.points, "cards": names(item.cards)}
    if isinstance(item, e.HostSet):
        words = {"direction": direction, "colour": colour_name}.get(item.what)
        value = item.value if words is None else words(item.value)
        return {"e": "host-set", "what": item.what, "seat": item.seat, "value": value}
    return _plain(item)


_WORDS = {
    e.Owes: "owes", e.Forgiven: "forgiven", e.Passed: "passed", e.Called: "called", e.Caught: "caught",
    e.Accepted: "accepted", e.Swapped: "swapped", e.Rotated: "rotated", e.Slapped: "slapped", e.Reported: "reported",
    e.Advised: "advised", e.Shuffled: "shuffled", e.Reloaded: "reloaded", e.HopperLow: "hopper-low",
    e.HopperOver: "hopper-over", e.WentOut: "went-out", e.Counting: "counting", e.RoundOver: "round-over",
    e.MatchOver: "match-over", e.Left: "left", e.Returned: "returned", e.Corrected: "corrected", e.Undone: "undone",
}  # fmt: skip


def _plain(item: Event) -> View:
    """An event without secrets: its fields as they are."""
    view: View = {"e": _WORDS[type(item)]}
    for name in item.__slots__:  # type: ignore[union-attr]  # every event is a record with slots
        value = getattr(item, name)
        view[name] = list(value) if isinstance(value, tuple) else value
    return view


def events(items: Iterable[Event], pos: Position, seat: int | None) -> list[View]:
    """Events as `seat` (None: a spectator) may see them."""
    return [event(item, pos, seat) for item in items]
