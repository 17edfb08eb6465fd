"""Dealing real cards by the launcher, and counting a deck through it, as the host asks for them at the table.

What comes next is decided by `controller.dealing` and `controller.counting`; each shot is a service shot. A shot that
follows by itself waits until the launcher may fire; one that a person asks for is made at once or refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from controller import counting, dealing
from controller.counting import DeckCount
from controller.dealing import Deal
from controller.rules.options import resolve
from controller.rules.position import START
from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.service import Service
from hardware.ports import ShotEnded

_NOT_NOW = (dealing.NotNow, counting.NotNow)
_On = TypeVar("_On", Deal, DeckCount)
_More = ParamSpec("_More")


class Serving:
    """One deal or one count at a time. Commands raise `Refuse`, and then nothing has changed."""

    def __init__(self, ground: Ground, service: Service) -> None:
        self._ground = ground
        self._service = service
        service.refuse_busy = self.refuse_busy
        self._count: DeckCount | None = None
        self.deadline: float | None = None  # when the shot that follows by itself is tried
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {
            "deal": self._begin_deal, "deal-go": self._go, "deal-said": self._said, "deal-skip": self._skip,
            "deal-end": self._end_deal, "count-deck": self._begin_count, "count-go": self._count_on,
            "count-empty": self._count_empty, "count-end": self._end_count,
        }  # fmt: skip

    def picture(self) -> dict[str, object]:
        """What the maker sees of deals and counts, and what a deal would begin with."""
        deal, count = self._ground.state.deal, self._count
        return {
            "names": self._names(), "hand": self._hand_size(),
            "dealing": None if deal is None else deal.to_json(), "count": None if count is None else count.to_json(),
            "followsIn": None if self.deadline is None else max(0.0, round(self.deadline - self._ground.now, 1)),
        }  # fmt: skip

    def refuse_busy(self) -> None:
        """Raises `Refuse` while a deal or a count is about to fire by itself."""
        if self.deadline is not None:
            raise Refuse("busy", "the launcher deals or counts: wait, or end that first")

    def waits_for_press(self) -> bool:
        """Whether the UNO button deals now: the seat whose turn it is holds its hands out."""
        deal = self._ground.state.deal
        return deal is not None and deal.step is dealing.Step.READY

    def press(self) -> None:
        """The UNO button was pressed while it deals. Raises `Refuse`."""
        self._let_go(self._deal())

    def due(self) -> None:
        """Try the shot that follows by itself, once its time has come."""
        if self.deadline is None or self.deadline > self._ground.now:
            return
        self.deadline = None
        self._follow_up()

    def after(self) -> None:
        """After every input: a deal is over once cards are in play, or are no real ones; a count once a game is on."""
        if self._ground.state.deal is not None and not self._may_deal():
            self._ground.record("deal", {})
            self.deadline = None
        if self._count is not None and self._ground.game is not None:
            self._count = self.deadline = None

    # Dealing

    def _begin_deal(self, command: Command) -> Answer:
        ground = self._ground
        self._service.refuse_undriven()
        if ground.game is not None and not ground.game.position.physical:
            raise Refuse("real-cards-only", "the phones deal the cards of this game")
        if not self._may_deal():
            raise Refuse("game-on", "the cards of this round are dealt already")
        self._refuse_other()
        if any(seat.kind == "bot" for seat in ground.state.seats):
            raise Refuse("no-bots", "a bot has no hands to hold real cards: remove the bots first")
        cards = command.body.get("cards")
        if cards is None:
            cards = self._hand_size()
        if not isinstance(cards, int) or isinstance(cards, bool) or not 1 <= cards <= dealing.MOST_EACH:
            raise Refuse("bad-command", f"1 to {dealing.MOST_EACH} cards are dealt", least=1, most=dealing.MOST_EACH)
        names = self._names()
        if not names:
            raise Refuse("no-such-player", "nobody sits here to be dealt to")
        self._take(dealing.begin(names, cards))
        if ground.parts.fill is not None:  # people put the whole deck into a machine of theirs
            self._loaded(ground.settings.machine_cards)
        return {"ok": True}

    def _go(self, command: Command) -> Answer:
        self._let_go(self._deal_of(command))
        return {"ok": True}

    def _said(self, command: Command) -> Answer:
        cards = command.body.get("cards")
        if not isinstance(cards, int) or isinstance(cards, bool) or not 0 <= cards <= dealing.MOST_EACH:
            raise Refuse("bad-command", f"a hand has 0 to {dealing.MOST_EACH} cards", least=0, most=dealing.MOST_EACH)
        self._take(_now(dealing.said, self._deal_of(command), cards))
        return {"ok": True}

    def _skip(self, command: Command) -> Answer:
        self._take(_now(dealing.skip, self._deal_of(command)))
        return {"ok": True}

    def _end_deal(self, command: Command) -> Answer:
        self._deal()
        self._ground.record("deal", {})
        self._ground.show()
        self.deadline = None
        return {"ok": True}

    def _let_go(self, deal: Deal) -> None:
        after = _now(dealing.go, deal)
        if after.order:
            self._service.fire("deal", after.order, self._dealt)
        self._take(after)

    def _dealt(self, event: ShotEnded) -> None:
        deal = self._ground.state.deal
        if deal is None or deal.step is not dealing.Step.FIRING:
            return  # it was ended meanwhile
        self._take(dealing.ended(deal, event.cards, event.certainty, event.end))
        self._plan()

    def _deal(self) -> Deal:
        deal = self._ground.state.deal
        if deal is None:
            raise Refuse("no-deal", "nothing is being dealt")
        return deal

    def _deal_of(self, command: Command) -> Deal:
        """The deal, where it is still at the seat that the command is about (its place in the deal; None: any)."""
        deal, seat = self._deal(), command.body.get("seat")
        if seat is not None and seat != deal.seat:
            raise Refuse("not-yet", f"the deal has gone on meanwhile: it is at {deal.names[deal.seat]}")
        return deal

    def _take(self, deal: Deal) -> None:
        self._ground.record("deal", deal.to_json())
        self._ground.show()

    def _may_deal(self) -> bool:
        game = self._ground.game
        return game is None or (game.position.physical and game.position.phase == START)

    def _hand_size(self) -> int:
        game, settings = self._ground.game, self._ground.settings
        rules = resolve(settings.preset, settings.options) if game is None else game.position.rules
        return rules.hand_size

    def _names(self) -> list[str]:
        game, seats = self._ground.game, self._ground.state.seats
        inside = range(len(seats)) if game is None else game.position.seats_inside()
        return [seats[seat].name for seat in inside]

    # Counting

    def _begin_count(self, command: Command) -> Answer:
        ground = self._ground
        self._service.refuse_undriven()
        if ground.game is not None:
            raise Refuse("game-on", "a game is on: a deck is counted before or after it")
        self._refuse_other()
        cards = command.body.get("cards", ground.settings.machine_cards)
        if not isinstance(cards, int) or isinstance(cards, bool) or not 1 <= cards <= 1000:
            raise Refuse("bad-command", "a deck has 1 to 1000 cards", least=1, most=1000)
        self._service.fire("count", counting.IN_A_SHOT, self._counted)
        self._count = counting.begin(cards)
        if ground.parts.fill is None:  # so that it is not thought empty before so many have come
            self._loaded(cards)
        return {"ok": True}

    def _count_on(self, command: Command) -> Answer:
        after = _now(counting.go, self._counting())
        self._service.fire("count", counting.IN_A_SHOT, self._counted)
        self._count = after
        return {"ok": True}

    def _count_empty(self, command: Command) -> Answer:
        self._count = _now(counting.empty, self._counting())
        self._loaded(0)  # whoever looked in had it open: a jam is no jam any more
        self._ground.show()
        return {"ok": True}

    def _end_count(self, command: Command) -> Answer:
        self._counting()
        self._count, self.deadline = None, None
        self._ground.show()
        return {"ok": True}

    def _counted(self, event: ShotEnded) -> None:
        count = self._count
        if count is None or count.step is not counting.Step.FIRING:
            return  # it was ended meanwhile
        self._count = counting.ended(count, event.cards, event.certainty, event.end)
        self._plan()

    def _counting(self) -> DeckCount:
        if self._count is None:
            raise Refuse("no-count", "no deck is being counted")
        return self._count

    # Both

    def _loaded(self, cards: int) -> None:
        """A person says or knows that the machine holds so many now."""
        self._ground.record("machine", {"hopper": cards, "empty": cards == 0})
        self._ground.parts.launcher.loaded(cards)

    def _refuse_other(self) -> None:
        deal, count = self._ground.state.deal, self._count
        if deal is not None and deal.step is not dealing.Step.DONE:
            raise Refuse("busy", "cards are being dealt: end that first")
        if count is not None and count.step is not counting.Step.DONE:
            raise Refuse("busy", "a deck is being counted: end that first")

    def _plan(self) -> None:
        """A shot may have to follow by itself: as soon as the launcher may."""
        deal, count = self._ground.state.deal, self._count
        if (deal is not None and deal.step is dealing.Step.FIRING) or (
            count is not None and count.step is counting.Step.FIRING
        ):
            denial = self._ground.parts.launcher.denial()
            wait = 0.0 if denial is None or denial.seconds is None else denial.seconds
            self.deadline = self._ground.now + wait

    def _follow_up(self) -> None:
        deal, count = self._ground.state.deal, self._count
        try:
            if deal is not None and deal.step is dealing.Step.FIRING:
                self._service.fire("deal", deal.order, self._dealt)
            elif count is not None and count.step is counting.Step.FIRING:
                self._service.fire("count", counting.IN_A_SHOT, self._counted)
        except Refuse as refuse:
            self._put_off(refuse)

    def _put_off(self, refuse: Refuse) -> None:
        """The launcher will not fire yet: try again when it cools down, and ask a person about anything else."""
        if refuse.reason == "too-fast":
            self._plan()
            return
        deal = self._ground.state.deal
        if deal is not None and deal.step is dealing.Step.FIRING:
            self._take(dealing.denied(deal))
        elif self._count is not None:
            self._count = counting.denied(self._count)
            self._ground.show()


def _now(move: Callable[Concatenate[_On, _More], _On], on: _On, *more: _More.args, **named: _More.kwargs) -> _On:
    """What comes of it; raises `Refuse` where it does not go with what is waited for."""
    try:
        return move(on, *more, **named)
    except _NOT_NOW as error:
        raise Refuse("not-yet", str(error)) from error
