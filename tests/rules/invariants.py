"""What is true of every position and of every answer of the engine, whatever the options: for the random tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from controller.rules import actions as a
from controller.rules import events as e
from controller.rules.actions import Action
from controller.rules.cards import FIRST_WILD, RANK_OF, RANKS, UNKNOWN, points
from controller.rules.events import Event
from controller.rules.matches import CHARGING, ranking, still_in
from controller.rules.plays import can_play, playable, playable_now
from controller.rules.position import CALM, COUNT, DRAWN, MATCH_OVER, PLAY, ROUND_OVER, START, Position

OVER = (ROUND_OVER, MATCH_OVER)
STARTS_BACK = ("wild", "wild-attack-attack", "wild-customizable")
TELLS: dict[type, type] = {
    a.Play: e.Played, a.Hit: e.Took, a.Draw: e.Took, a.Pass: e.Passed, a.NameColour: e.Named, a.Call: e.Called,
    a.Catch: e.Caught, a.Accept: e.Accepted, a.Challenge: e.Challenged, a.Slap: e.Slapped, a.LastSlap: e.Slapped,
    a.Report: e.Reported, a.Advice: e.Advised, a.Start: e.Turned, a.Next: e.Dealt, a.Points: e.Counted,
    a.Reload: e.Reloaded, a.Leave: e.Left, a.EndMatch: e.MatchOver,
}  # fmt: skip
"""What is told at least of an action that was done."""


def cards_in(pos: Position) -> Counter[int]:
    """All cards of the game, wherever they lie."""
    held = Counter(pos.pile) + Counter(pos.discards)
    for hand in pos.hands:
        held += Counter(hand)
    return held


def invariants(pos: Position) -> None:
    """What is true of every position."""
    if pos.physical:
        assert sum(cards_in(pos).values()) == len(pos.rules.deck_order)
        assert min(pos.remaining()) >= 0
    else:
        assert cards_in(pos) == Counter(pos.rules.deck_order)
    assert pos.mood == pos.find_mood()
    if pos.phase != PLAY:
        at_rest(pos)
        return
    assert pos.inside >> pos.turn & 1
    assert pos.count_inside >= 2
    assert all(pos.inside >> debt.seat & 1 for debt in pos.debts)
    owing = [debt for debt in pos.debts if debt.card]
    assert bool(owing) == (pos.resume >= 0)
    assert not owing or owing[0].seat == pos.turn
    assert all(debt.units > 0 for debt in pos.debts)
    assert all(len(pos.hands[seat]) == 1 for seat in pos.seats_inside() if pos.exposed >> seat & 1)
    assert not pos.exposed & pos.called
    assert not pos.slap & ~pos.inside
    assert pos.slap.bit_count() != 1
    if pos.mood in (CALM, DRAWN) and not pos.physical:
        may = playable(pos, pos.turn)
        assert sorted(set(playable_now(pos))) == may
        assert can_play(pos, pos.turn) == bool(may)


def at_rest(pos: Position) -> None:
    """Between rounds nothing of the last one is left to be done."""
    assert not pos.debts
    assert (pos.chain, pos.resume, pos.naming, pos.slap) == (None, -1, -1, 0)
    assert (pos.drawn, pos.race) == (None, None)


def scored_once(pos: Position) -> None:
    """Every round that is over was scored, and scored once; none was that is not."""
    match = pos.match
    assert len(match.rounds) == (match.number if pos.phase in OVER else match.number - 1)
    assert [result.number for result in match.rounds] == list(range(1, len(match.rounds) + 1))
    if pos.settings.format in ("winner-takes", *CHARGING, "single"):
        for seat in range(len(pos.players)):
            assert match.scores[seat] == sum(result.points[seat] for result in match.rounds)
    assert sum(match.chips) == 0
    assert match.over == (pos.phase == MATCH_OVER)


class Before(NamedTuple):
    """What has to be kept of a position to judge what is told of the next action."""

    pos: Position
    hands: list[Counter[int]]


def keep(pos: Position) -> Before:
    """`pos` as it is now."""
    return Before(pos.copy(), [Counter(hand) for hand in pos.hands])


def told_truly(before: Before, action: Action, events: Iterable[Event], pos: Position) -> None:
    """The events of one action, followed by a listener who saw the position before, give the one after."""
    old = before.pos
    hands = [hand.copy() for hand in before.hands]
    pile, discards = len(old.pile), len(old.discards)
    done = list(events)
    assert all(isinstance(event, Event) for event in done)
    assert any(isinstance(event, TELLS.get(type(action), Event)) for event in done) or _misplayed(done)
    for event in done:
        match event:
            case e.Dealt():
                _dealt(event, old, pos)
                _turned_up(done, pos)
                return
            case e.Played():
                _leave_hand(hands[event.seat], (*event.cards, *event.swept), pos.physical)
                discards += len(event.cards) + len(event.swept)
                _played(event, action, old)
            case e.Took():
                hands[event.seat].update(event.cards)
                pile -= len(event.cards)
                assert event.how == _how(event, action, old)
            case e.HopperOver():
                pile += event.count
                assert pos.physical
            case e.HopperLow():
                assert event.count == len(pos.pile) < pos.rules.reload_below
                assert not old.low_told
            case e.Shuffled():
                pile += event.count
                discards -= event.count
                assert discards == 1
            case e.Reloaded():
                went, discards = discards - 1, 1
                pile += event.count
                assert isinstance(action, a.Reload)
                assert event.count == (went if action.cards < 0 else action.cards)
            case e.Swapped():
                hands[event.seat], hands[event.target] = hands[event.target], hands[event.seat]
                assert isinstance(action, a.Play)
                assert (event.seat, event.target) == (action.seat, action.target)
            case e.Rotated():
                hands = _rotated(hands, old)
            case e.Left():
                assert isinstance(action, a.Leave)
                assert (event.seat, bool(pos.match.left >> event.seat & 1)) == (action.seat, True)
                if old.phase in (PLAY, START) and old.inside >> event.seat & 1:
                    discards += hands[event.seat].total()
                    hands[event.seat] = Counter()
            case _:
                _said(event, action, old, pos)
    if pos.phase != COUNT and not (pos.physical and isinstance(action, a.Count | a.Points)):
        assert [+hand for hand in hands] == [Counter(hand) for hand in pos.hands]
        assert (pile, discards) == (len(pos.pile), len(pos.discards)) or isinstance(action, a.Start)
    _evidence_kept(done, pos)
    _owed_as_told(old, done, pos)
    _over_as_told(old, done, pos)


def _misplayed(events: list[Event]) -> bool:
    return any(isinstance(event, e.Misplayed) for event in events)


def _turned_up(events: list[Event], pos: Position) -> None:
    """Of the cards turned up all but the last went back, and that one lies on top."""
    turned = [event for event in events if isinstance(event, e.Turned)]
    assert [event.put_back for event in turned[:-1]] == [True] * (len(turned) - 1)
    if pos.phase == PLAY and turned:
        assert turned[-1] == e.Turned(pos.top)
    assert all(event.card for event in turned)
    goes_back = {"trade-hands", "wild-draw-four", *(() if pos.rules.start_wild != "put-back" else STARTS_BACK)}
    for event in turned[:-1]:
        assert RANKS[RANK_OF[event.card]] in goes_back


def _leave_hand(hand: Counter[int], cards: tuple[int, ...], physical: bool) -> None:
    for card in cards:
        from_known = card if hand[card] or not physical else UNKNOWN
        hand[from_known] -= 1
        assert hand[from_known] >= 0


def _how(event: e.Took, action: Action, old: Position) -> str:
    if isinstance(action, a.Hit | a.Draw):
        assert event.seat == action.seat
        return "hit" if isinstance(action, a.Hit) else "draw"
    return "penalty"


def _rotated(hands: list[Counter[int]], old: Position) -> list[Counter[int]]:
    seats = old.seats_inside()
    places = seats if old.step > 0 else seats[::-1]
    moved = hands[:]
    for seat, after in zip(places, places[1:] + places[:1], strict=True):
        moved[after] = hands[seat]
    return moved


def _dealt(event: e.Dealt, old: Position, pos: Position) -> None:
    drawing = not old.match.rounds and old.dealer < 0 and not pos.physical
    assert bool(event.drawn) == drawing
    leaders = event.seats
    for drawn in event.drawn:
        assert tuple(seat for seat, _ in drawn) == leaders
        worth = {seat: int(RANKS[RANK_OF[card]]) if RANKS[RANK_OF[card]].isdecimal() else -1 for seat, card in drawn}
        leaders = tuple(seat for seat in leaders if worth[seat] == max(worth.values()))
    assert not drawing or leaders == (event.dealer,)
    assert (event.round, event.dealer, event.count) == (pos.match.number, pos.dealer, pos.rules.hand_size)
    assert event.seats == tuple(pos.seats_inside())
    assert all(len(pos.hands[seat]) == event.count for seat in event.seats)


def _played(event: e.Played, action: Action, old: Position) -> None:
    assert isinstance(action, a.Play)
    assert (event.seat, event.cards, event.target) == (action.seat, (action.card, *action.mates), action.target)
    chained = old.chain is not None and bool(old.debts) and old.debts[0].card
    assert event.answered == chained
    wild = event.cards[-1] >= FIRST_WILD
    assert event.colour == (action.colour if wild else event.colour)
    assert event.colour == (-1 if not wild and len(event.cards) == 1 else event.colour)
    raced = old.race is not None and old.race[0] == action.seat
    assert event.jumped == (action.seat != old.turn and not raced)


def _evidence_kept(events: list[Event], pos: Position) -> None:
    """The hand beside a wild draw four that answers nothing is kept for a challenge."""
    for event in events:
        if isinstance(event, e.Played) and not event.answered and pos.chain is not None and pos.chain.four:
            assert pos.chain.first == event.seat
            assert Counter(pos.chain.evidence) == Counter(pos.hands[event.seat])


def _said(event: Event, action: Action, old: Position, pos: Position) -> None:
    """Events that move no cards name those who acted, and what is true afterwards."""
    match event:
        case e.Called():
            assert event.seat == action.seat  # type: ignore[union-attr]
            assert not event.right or pos.called >> event.seat & 1
        case e.Caught():
            assert isinstance(action, a.Catch)
            assert (event.seat, event.by) == (action.target, action.seat)
            assert event.right == (len(old.hands[event.seat]) == 1)
        case e.Challenged():
            assert isinstance(action, a.Challenge)
            assert old.chain is not None
            assert (event.seat, event.target, event.hand) == (action.seat, old.chain.first, old.chain.evidence)
        case e.Slapped(last=False):
            assert isinstance(action, a.Slap)
            assert event.seat == action.seat
            assert not pos.slap >> event.seat & 1
        case e.Slapped():
            assert event.seat == action.target if isinstance(action, a.LastSlap) else old.slap >> event.seat & 1
            assert not pos.slap
        case e.Reported():
            assert isinstance(action, a.Report)
            assert (event.seat, event.by) == (action.target, action.seat)
            assert pos.silence < 0
        case e.Named() if isinstance(action, a.Leave):
            assert event == e.Named(action.seat, max(old.colour, 0) if old.colour < 4 else 0)
        case e.Named():
            assert isinstance(action, a.NameColour)
            assert (event.seat, event.colour) == (action.seat, action.colour) == (old.naming, pos.colour)
        case e.Turned():
            assert isinstance(action, a.Start)
            assert (event.card, event.put_back) == (action.card, pos.phase == START)
        case e.Advised():
            assert event.seat == action.target  # type: ignore[union-attr]
        case e.Passed() | e.Accepted():
            assert event.seat == action.seat  # type: ignore[union-attr]
        case e.Misplayed():
            assert isinstance(action, a.Play)
            assert (event.seat, event.cards) == (action.seat, (action.card, *action.mates))
        case e.WentOut():
            assert event.seat in pos.out
            assert event.seat not in old.out
        case e.Counted():
            assert isinstance(action, a.Points | a.Count)
            assert event.seat == action.seat
            assert event.points == pos.counted[event.seat] or pos.phase != COUNT
            assert event.cards == (action.cards if isinstance(action, a.Count) else ())
        case e.Counting():
            assert event.seats
            assert event.seats == tuple(seat for seat in still_in(pos.match) if pos.counted[seat] < 0)
        case e.Forgiven():
            assert not pos.debts
            assert pos.to_draw() == 0 or pos.phase != PLAY


def _owed_as_told(old: Position, events: list[Event], pos: Position) -> None:
    """Whoever owes more than before was told so, and nobody was told who does not."""
    told = [event for event in events if isinstance(event, e.Owes)]
    forgiven = any(isinstance(event, e.Forgiven) for event in events)
    over = pos.phase != PLAY
    for event in told:
        assert event.why in _reasons(events) or event.why in RANKS or event.why in ("draw-two-pair", "red-zero")
        matching = [
            debt for debt in pos.debts
            if (debt.seat, debt.units, debt.until, debt.why) == (event.seat, event.units, event.until, event.why)
        ]  # fmt: skip
        assert matching or forgiven or over or not event.units, event
    known = Counter((debt.seat, debt.why) for debt in old.debts)
    known.update((event.seat, event.why) for event in told)
    now = Counter((debt.seat, debt.why) for debt in pos.debts if not debt.own)
    assert now <= known


def _reasons(events: list[Event]) -> list[str]:
    """Why somebody may owe units besides for a card."""
    found = []
    for event in events:
        match event:
            case e.Called(right=False):
                found.append("call")
            case e.Caught():
                found.append("catch" if event.right else "false-catch")
            case e.Slapped(last=True):
                found.append("slap")
            case e.Reported():
                found.append("report")
            case e.Advised():
                found.append("advice")
            case e.Misplayed():
                found.append("misplay")
            case e.Challenged():
                found.append("guilty" if event.guilty else "innocent")
    return found


def _over_as_told(old: Position, events: list[Event], pos: Position) -> None:
    over = [event for event in events if isinstance(event, e.RoundOver)]
    assert len(over) == (pos.phase in OVER and old.phase not in OVER)
    for event in over:
        if len(pos.match.rounds) == len(old.match.rounds):  # nobody is left to play it with: it is not scored
            nothing = (0,) * len(pos.players)
            assert event == e.RoundOver(-1, nothing, old.match.scores)
            assert pos.count_inside <= 1
            assert pos.match.over == (len(still_in(pos.match)) <= 1)
            continue
        result = pos.match.rounds[-1]
        assert (event.winner, event.points, event.scores) == (result.winner, result.points, result.scores)
        assert event.winner in (pos.out[:1] or (-1,))
        assert event.eliminated == tuple(
            seat for seat in range(len(pos.players)) if (pos.match.eliminated & ~old.match.eliminated) >> seat & 1
        )
        for seat in range(len(pos.players)) if pos.settings.format == "own-points" and not pos.settings.teams else ():
            assert event.points[seat] == max(0, pos.counted[seat])
            assert UNKNOWN in pos.hands[seat] or pos.physical or event.points[seat] == points(pos.hands[seat])
    ends = [event for event in events if isinstance(event, e.MatchOver)]
    assert len(ends) == (pos.phase == MATCH_OVER != old.phase)
    for end in ends:
        assert end.winners == pos.match.winners
        assert end.ranking == ranking(pos.settings, pos.match)
        assert set(end.winners) <= set(end.ranking)


def waiting(pos: Position) -> bool:
    """Whether the table waits for the host: a start card, hands to count, the next deal."""
    return pos.phase in (START, COUNT, *OVER)
