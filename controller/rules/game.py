"""A game: a position and the log it came from. Undo, corrections and replay are read from the log (rules §8, §9).

Every entry is an action with the answers chance gave to it and a digest of the position after it. Undo and correct
are entries too; the position is then folded again from the start of the log.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import engine
from .actions import Action, Correct, Hit, Next, Undo
from .because import refusal
from .chance import Answer, Chance, InOrder, Recorder, Script
from .events import Corrected, Event, Gave, Undone
from .legal import due_seat, hit
from .matches import MatchSettings, check_settings, new_match
from .options import OptionError, RuleSet, require_hands
from .position import PLAY, Position, Shot
from .records import record
from .refusals import Refusal, Refused
from .taking import take


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
    """What stands in the log now, after undoing: an entry that counts, and the position before it."""

    entry: Entry
    before: Position


class Game:
    """One match of one table. Raises `OptionError` or `MatchError` when it cannot be played as set."""

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[str],
        match: MatchSettings | None = None,
        physical: bool = False,
    ) -> None:
        settings = match or MatchSettings()
        if not rules.least_players <= len(players) <= rules.most_players:
            raise OptionError(f"{len(players)} players cannot play: option players = {rules.players}")
        require_hands(rules, len(players))
        check_settings(settings, len(players))
        self.position = Position(rules, tuple(players), settings, new_match(len(players)), physical)
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
        recorder = Recorder(chance)
        events = engine.apply(self.position, action, recorder)
        if isinstance(action, Next):
            self._steps.clear()
        self._steps.append(_Step(Entry(action, tuple(recorder.answers)), before))
        return tuple(events)

    def _undoable(self) -> bool:
        return bool(self._steps) and not isinstance(self._steps[-1].entry.action, Next)

    def _undo(self) -> tuple[Event, ...]:
        if not self._undoable():
            raise Refused(refusal(self.position, "nothing-to-undo"))
        step = self._steps.pop()
        action = step.entry.action
        fallen = self.position.shot if isinstance(action, Hit) else None
        held = len(self.position.hands[action.seat]) if isinstance(action, Hit) else 0
        self.position = step.before.copy()
        events: list[Event] = [Undone()]
        if isinstance(action, Hit) and fallen is not None:
            events += self._keep_fallen(action, held)
        return tuple(events)

    def _keep_fallen(self, action: Hit, held: int) -> list[Event]:
        """A shot that really happened stays: its cards stay in that hand (rules §9)."""
        count = held - len(self.position.hands[action.seat])
        events: list[Event] = []
        if count > 0:
            take(self.position, action.seat, count, "hit", InOrder(), events)
            self.position.mood = self.position.find_mood()
        return events

    def _check_correct(self, action: Correct) -> Refusal | None:
        pos = self.position
        if pos.phase != PLAY or pos.shot is None:
            return refusal(pos, "nothing-to-correct")
        if action.seat >= len(pos.players) or (action.seat >= 0 and not pos.inside >> action.seat & 1):
            return refusal(pos, "bad-target")
        return refusal(pos, "wrong-count") if action.cards < 0 else None

    def _correct(self, action: Correct, chance: Chance) -> tuple[Event, ...]:
        """The last shot was another one (rules §8): told anew when nothing followed it, else only the cards move."""
        refused = self._check_correct(action)
        if refused is not None:
            raise Refused(refused)
        before = self.position.copy()
        told = self._only_the_shot()
        events = self._tell_anew(told, action, chance) if told else self._move_cards(action, chance)
        self.position.mood = self.position.find_mood()
        self._steps.append(_Step(Entry(action), before))
        return tuple(events)

    def _only_the_shot(self) -> _Step | None:
        """The step of the last shot when nothing but corrections of it followed, else None."""
        for step in reversed(self._steps):
            if isinstance(step.entry.action, Hit):
                return step
            if not isinstance(step.entry.action, Correct):
                return None
        return None

    def _tell_anew(self, step: _Step, action: Correct, chance: Chance) -> list[Event]:
        shot = step.entry.action
        assert isinstance(shot, Hit)
        seat = action.seat if action.seat >= 0 else self._shot_seat(shot)
        self.position = step.before.copy()
        events: list[Event] = [Corrected(seat, action.cards)]
        if seat == shot.seat:
            events += engine.apply(self.position, Hit(shot.seat, action.cards, shot.by_choice), chance)
        else:
            take(self.position, seat, action.cards, "correct", chance, events)
            self.position.shot = Shot(seat, action.cards)
        return events

    def _shot_seat(self, shot: Hit) -> int:
        now = self.position.shot
        return now.seat if now is not None else shot.seat

    def _move_cards(self, action: Correct, chance: Chance) -> list[Event]:
        pos = self.position
        shot = pos.shot
        assert shot is not None
        seat = action.seat if action.seat >= 0 else shot.seat
        events: list[Event] = [Corrected(seat, action.cards)]
        back = shot.cards if seat != shot.seat else max(0, shot.cards - action.cards)
        more = action.cards if seat != shot.seat else max(0, action.cards - shot.cards)
        if back:
            hand = pos.hands[shot.seat]
            cards = tuple(hand[-back:])
            del hand[-back:]
            pos.pile.extend(cards[::-1])
            events.append(Gave(shot.seat, cards))
        if more:
            take(pos, seat, more, "correct", chance, events)
        pos.shot = Shot(seat, action.cards)
        return events
