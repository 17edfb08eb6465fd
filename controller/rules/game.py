"""A game: a position and the log it came from. Undo, corrections and replay are read from the log (rules §8, §9).

Every entry is an action with the answers chance gave to it and a digest of the position after it. Undo and correct
are entries too; the position is then folded again from the start of the log.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import engine
from .actions import Action, Correct, Hit, Next, Undo
from .because import refusal
from .cards import UNKNOWN
from .chance import Answer, Chance, InOrder, Recorder, Script
from .events import Corrected, Event, Gave, Took, Undone
from .legal import due_seat, hit
from .matches import MatchSettings, check_settings, new_match
from .options import OptionError, RuleSet, require_hands
from .position import BEFORE, PLAY, Position, Shot
from .records import record
from .refusals import Refusal, Refused
from .taking import take

MOST_STEPS = 500
"""How far back a game can be undone, in actions."""


@record
class Entry:
    """One row of the log."""

    action: Action
    chances: tuple[Answer, ...] = ()
    digest: str = ""


class ReplayError(ValueError):
    """The log does not give the position it gave when it was written: other rules made it."""


@record
class _Step:
    """An action that stands in the log and was not undone, with the position before it."""

    action: Action
    before: Position


class Game:
    """One match of one table, with `marks` by seat from matches before it.

    Raises `OptionError` or `MatchError` when it cannot be played as set.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[str],
        match: MatchSettings | None = None,
        physical: bool = False,
        marks: Sequence[int] = (),
    ) -> None:
        settings = match or MatchSettings()
        if not rules.least_players <= len(players) <= rules.most_players:
            raise OptionError(f"{len(players)} players cannot play: option players = {rules.players}")
        require_hands(rules, len(players))
        check_settings(settings, len(players))
        self.position = Position(rules, tuple(players), settings, new_match(len(players), marks), physical)
        self.entries: list[Entry] = []
        self._steps: list[_Step] = []

    @classmethod
    def at(cls, position: Position) -> Game:
        """A game that begins with `position`, whatever came before it."""
        game = cls.__new__(cls)
        game.position = position
        game.entries = []
        game._steps = []
        return game

    def story(self, most: int) -> list[tuple[Action, Position]]:
        """The last `most` actions that stand, each with the position before it, which nobody may change."""
        return [(step.action, step.before) for step in self._steps[-most:]]

    def check(self, action: Action) -> Refusal | None:
        """Why `action` would be refused now, or None."""
        if isinstance(action, Undo):
            return None if self._undoable() else refusal(self.position, "nothing-to-undo")
        if isinstance(action, Correct):
            return self._check_correct(action)
        return engine.check(self.position, action)

    def apply(self, action: Action, chance: Chance | None = None) -> tuple[Event, ...]:
        """Do `action` and log it: what happened. Raises `Refused`, and then nothing has changed."""
        recorder = Recorder(chance or InOrder())
        events = self._do(action, recorder)
        self.entries.append(Entry(action, tuple(recorder.answers), self.position.digest()))
        return events

    def replay_entry(self, entry: Entry) -> tuple[Event, ...]:
        """The same again from the log. Raises `ReplayError` when the position that comes of it is another one."""
        try:
            events = self._do(entry.action, Script(entry.chances))
        except (Refused, ValueError) as error:
            raise ReplayError(f"the log cannot be replayed at entry {len(self.entries) + 1}: {error}") from error
        if entry.digest and entry.digest != self.position.digest():
            raise ReplayError(f"the log tells another game from entry {len(self.entries) + 1} on")
        self.entries.append(entry)
        return events

    def presser(self) -> int | None:
        """Whose a press of the button would be now, or None when nobody may hit."""
        if self.position.phase != PLAY:
            return None
        seat = due_seat(self.position)
        return seat if hit(self.position, Hit(seat, 0)) is None else None

    def _do(self, action: Action, chance: Chance) -> tuple[Event, ...]:
        if isinstance(action, Undo):
            return self._undo()
        if isinstance(action, Correct):
            return self._correct(action, chance)
        before = self.position.copy()
        events = engine.apply(self.position, action, chance)
        self._remember(action, before)
        return tuple(events)

    def _remember(self, action: Action, before: Position) -> None:
        self._steps.append(_Step(action, before))
        del self._steps[:-MOST_STEPS]

    def _undoable(self) -> bool:
        return bool(self._steps) and self._steps[-1].before.phase != BEFORE

    def _undo(self) -> tuple[Event, ...]:
        if not self._undoable():
            raise Refused(refusal(self.position, "nothing-to-undo"))
        step = self._steps.pop()
        shot = self.position.shot if isinstance(step.action, Hit) else None
        most = _cards_in(self.position)
        self.position = step.before.copy()
        events: list[Event] = [Undone()]
        if shot is not None and shot.came:
            kept = _keep_fallen(self.position, shot, most)
            for older in reversed(self._steps):
                if isinstance(older.action, Next):
                    break  # before it lie the cards of another round
                _keep_fallen(older.before, shot, most)
            events.append(Took(shot.seat, kept, "hit"))
        return tuple(events)

    def _check_correct(self, action: Correct) -> Refusal | None:
        reason = self._against_correct(action)
        return refusal(self.position, reason) if reason else None

    def _against_correct(self, action: Correct) -> str | None:
        pos, told = self.position, self._only_the_shot()
        if action.seat >= 0 and (reason := engine.seated(pos, action.seat)):
            return reason
        if not told and (reason := engine.in_play(pos)):
            return reason
        inside = told.before.inside if told else pos.inside
        if action.seat >= 0 and not inside >> action.seat & 1:
            return "bad-target"
        if action.cards < 0:
            return "wrong-count"
        gone = action.seat < 0 and pos.shot is not None and not inside >> pos.shot.seat & 1
        return "nothing-to-correct" if pos.shot is None or gone else None

    def _correct(self, action: Correct, chance: Chance) -> tuple[Event, ...]:
        """The last shot was another one (rules §8): told anew when nothing followed it, else only the cards move."""
        refused = self._check_correct(action)
        if refused is not None:
            raise Refused(refused)
        before = self.position.copy()
        told = self._only_the_shot()
        events = self._tell_anew(told, action, chance) if told else self._move_cards(action, chance)
        self.position.mood = self.position.find_mood()
        self._remember(action, before)
        return tuple(events)

    def _only_the_shot(self) -> _Step | None:
        """The step of the last shot when nothing but corrections of it followed, else None."""
        for step in reversed(self._steps):
            if isinstance(step.action, Hit):
                return step
            if not isinstance(step.action, Correct):
                return None
        return None

    def _tell_anew(self, step: _Step, action: Correct, chance: Chance) -> list[Event]:
        shot, last = step.action, self.position.shot
        assert isinstance(shot, Hit)
        assert last is not None
        seat = action.seat if action.seat >= 0 else last.seat
        self.position = step.before.copy()
        events: list[Event] = [Corrected(seat, action.cards)]
        if seat == shot.seat:
            events += engine.apply(self.position, Hit(shot.seat, action.cards, shot.by_choice), chance)
        else:
            came = take(self.position, seat, action.cards, "correct", chance, events)
            self.position.shot = Shot(seat, came)
        return events

    def _move_cards(self, action: Correct, chance: Chance) -> list[Event]:
        """Cards of the shot that are still in that hand go back where they came from; what is missing comes."""
        pos, shot = self.position, self.position.shot
        assert shot is not None
        seat = action.seat if action.seat >= 0 else shot.seat
        events: list[Event] = [Corrected(seat, action.cards)]
        stay = shot.came[: action.cards] if seat == shot.seat else ()
        hand = pos.hands[shot.seat]
        back = []
        for card in reversed(shot.came[len(stay) :]):
            if card in hand:
                hand.remove(card)
                back.append(card)
        pos.pile.extend(back)
        if back:
            events.append(Gave(shot.seat, tuple(reversed(back))))
        came = take(pos, seat, action.cards - len(stay), "correct", chance, events) if action.cards > len(stay) else ()
        pos.shot = Shot(seat, (*stay, *came))
        return events


def _cards_in(pos: Position) -> int:
    return sum(map(len, (*pos.hands, pos.pile, pos.discards)))


def _keep_fallen(pos: Position, shot: Shot, most: int) -> tuple[int, ...]:
    """A shot that really happened stays in that hand, however far play is taken back (rules §9): what it then is.

    A card of it that lies in the pile, or among the discards under the top, is that very card. One that lies face up or
    is in somebody's hand stays there: the next card of the pile, else the lowest of the discards, is kept in its stead.
    With real cards a hand keeps its count, but there are never more than `most` of them, or than there were: what
    is too many was among the discards then, the lowest first.
    """
    most = max(most, _cards_in(pos))
    kept = [card for card in shot.came if _pull(pos, card)]
    for _ in range(len(shot.came) - len(kept)):
        if pos.pile:
            kept.append(pos.pile.pop())
        elif pos.physical:
            kept.append(UNKNOWN)
        elif len(pos.discards) > 1:
            kept.append(pos.discards.pop(0))
    too_many = max(0, _cards_in(pos) + len(kept) - most)
    from_discards = min(too_many, max(0, len(pos.discards) - 1))
    del pos.discards[:from_discards]
    del kept[len(kept) - too_many + from_discards :]
    hand = pos.hands[shot.seat]
    hand.extend(kept)
    if len(hand) != 1:
        pos.called &= ~(1 << shot.seat)
        pos.exposed &= ~(1 << shot.seat)
    pos.mood = pos.find_mood()
    return tuple(kept)


def _pull(pos: Position, card: int) -> bool:
    """Take `card` out of the pile, else, when it is known, from the discards under the top."""
    for heap, end in ((pos.pile, len(pos.pile)), (pos.discards, len(pos.discards) - 1)):
        place = heap.rfind(card, 0, max(0, end))
        if place >= 0 and (heap is pos.pile or card != UNKNOWN):
            del heap[place]
            return True
    return False
