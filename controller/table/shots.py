"""The path of one press: whose hit it is, what it will bring, the order to the launcher, and what came of it.

The launcher begins when the row of the shot is on disk, called by the journal's thread; nothing that is published,
answered or shown by the lamp before the reveal depends on what the shot will bring.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import ceil

from controller.dealing import Step
from controller.rules.actions import Hit
from controller.rules.game import Game
from controller.rules.position import PLAY
from controller.rules.refusals import Refused
from controller.table.catches import Catches
from controller.table.ground import RUNNING, Ground
from controller.table.messages import PROGRAM, Command, Refuse
from controller.table.picture import fault_data
from hardware.ports import (
    Certainty,
    Cue,
    Fault,
    LampState,
    LauncherChanged,
    LauncherState,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    ShotProgress,
)
from hardware.sensors import LID_OPEN

log = logging.getLogger("controller.table")

_BROKEN = (LauncherState.FAULT, LauncherState.JAMMED)
# What is heard when the lamp begins to show something; at any other time a suspense that is heard ends.
_CUES = {
    LampState.PRESS_NOW: Cue.PRESS_NOW,
    LampState.PRESSED: Cue.PRESSED,
    LampState.FIRING: Cue.FIRING,
    LampState.FAULT: Cue.FAULT,
}
_CUT_SHORT = (ShotEnd.EMPTY, ShotEnd.JAMMED, ShotEnd.STOPPED)


@dataclass(frozen=True, slots=True)
class _Pressed:
    shot: int
    seat: int
    command: Command | None


class Shots:
    """The one shot that may be under way, and what the launcher says about itself."""

    def __init__(self, ground: Ground, catches: Catches) -> None:
        self._ground = ground
        self._catches = catches
        self._pressed: _Pressed | None = None
        self._lamp: tuple[LampState, int, str] | None = None
        self._step = 0  # of the suspense under way

    def refuse_during_shot(self) -> None:
        """Raises `Refuse` while a shot is under way, or while nobody has said yet what came of the last one."""
        shot = self._ground.state.shot
        if shot is not None and shot.lost:
            raise Refuse("shot-count", "first say how many cards came out of the last shot")
        if self._ground.shooting:
            raise Refuse("firing", "a shot is under way")

    def press(self, seat: int | None, at: float, command: Command | None, choice: bool = False) -> None:
        """Begin the shot of a press made at `at`, by `seat` or by whoever has to. Raises `Refuse`; nothing waits.

        `choice`: it is said to be by choice, as only the player can know whose cards are real ones.
        """
        ground = self._ground
        game = ground.game
        if game is None:
            raise Refuse("no-game")
        if ground.state.paused:
            raise Refuse("paused")
        self.refuse_during_shot()
        shooter = self._shooter(game, seat, choice)
        if ground.state.empty:
            raise Refuse("hopper-empty", "the machine is empty: the host says when it is loaded again")
        denial = ground.parts.launcher.denial()
        if denial is not None:
            more = {} if denial.seconds is None else {"seconds": ceil(denial.seconds * 10) / 10}
            raise Refuse(denial.reason, denial.text, **more)
        if self._catches.holding:
            self._catches.take_effect(game)
            if game.presser() != shooter:
                raise Refuse("not-your-turn", "a catch came first")
        self._begin(shooter, at, command, choice)

    def came(self, seat: int, cards: int, certainty: Certainty, source: str, choice: bool = False) -> None:
        """A shot nobody ordered is over: `cards` came out for `seat`, which may take them. `source`: typed or seen."""
        state = self._ground.state
        self._ground.record("shot", {
            "shot": state.shots + 1, "seat": seat, "cards": cards, "choice": choice, "source": source,
            "odds": state.odds, "drawn": state.drawn,
        })  # fmt: skip
        self._finish(cards, certainty, ShotEnd.DONE, counts=True)

    def taken(self, number: int) -> Command | None:
        """Shot `number` is on disk and with the launcher: tell it, once; gives the command that is to be answered."""
        pressed = self._pressed
        if pressed is None or pressed.shot != number:
            return None  # told already: a dry shot without suspense can end before this word of it arrives
        self._pressed = None
        self._ground.tell("pressed", seat=pressed.seat)
        return pressed.command

    def progress(self, event: ShotProgress) -> None:
        """Cards are coming out."""
        shot = self._ground.state.shot
        if shot is not None and shot.number == event.shot:
            shot.came = event.cards
            self._ground.show()

    def ended(self, event: ShotEnded) -> None:
        """The shot is over: what came out is the hit's."""
        shot = self._ground.state.shot
        if shot is None or shot.number != event.shot or shot.lost:
            log.warning("the launcher ended shot %d, which is not under way", event.shot)
            return
        cut_short = event.end in _CUT_SHORT
        if cut_short and event.certainty is Certainty.UNKNOWN:
            shot.lost = True
            self._ground.tell("shot-lost", seat=shot.seat)
            return
        if event.end is ShotEnd.DONE and shot.cards == 0:
            self._ground.parts.signals.cue(Cue.DRY)
        # Cut short before anything came: nobody got or was spared a card by it, so the hit is still to be made.
        counts = event.end is not ShotEnd.VOID and not (cut_short and event.cards == 0)
        self._finish(event.cards, event.certainty, event.end, counts, event.cause)
        if event.end is ShotEnd.EMPTY and not self._ground.one_ledger:
            self._ground.record("machine", {"hopper": 0, "empty": True})

    def told(self, cards: int) -> None:
        """A person says what came of the shot nobody saw the end of. Raises `Refuse`."""
        shot = self._ground.state.shot
        if shot is None or not shot.lost:
            raise Refuse("nothing-to-correct", "no shot waits to be counted")
        self._finish(cards, Certainty.EXACT, ShotEnd.DONE, counts=True)

    def launcher_changed(self, event: LauncherChanged) -> None:
        """The launcher says what it is doing."""
        ground = self._ground
        if event.fault is not None and event.fault != ground.fault:
            ground.tell("launcher-fault", code=event.fault.code)
        if ground.settings.typed and event.state in RUNNING and not ground.shooting:
            self._catches.take_effect(ground.game)  # as before a press: what is held came first
        ground.launcher_state, ground.launcher_until = event.state, event.until
        lid_was_open = ground.fault is not None and ground.fault.code == LID_OPEN.code
        ground.fault = event.fault if event.state in _BROKEN else None
        if lid_was_open and ground.fault is None:
            self.restarted()
        ground.show()

    def restarted(self) -> None:
        """The launcher was switched on, or its lid closed: odds that count from there begin anew."""
        odds = self._ground.odds
        before = odds.state
        odds.restarted()
        if odds.state != before:
            self._ground.record("odds", {"odds": odds.state})

    def load(self, cards: int) -> None:
        """The machine was filled and holds `cards` cards now."""
        self._ground.record("machine", {"hopper": cards, "empty": False})
        if self._ground.parts.fill is not None:
            self._ground.parts.fill(cards)
        self._ground.parts.launcher.loaded(cards)
        self._ground.tell("machine-loaded", cards=cards)

    def agree(self) -> None:
        """Real cards: the machine holds what the game says. It is told after a correction; not in a shot or a fault."""
        ground = self._ground
        game = ground.game
        if game is None or not ground.one_ledger or game.position.phase != PLAY:
            return
        if ground.shooting or ground.state.loose or ground.launcher_state in _BROKEN:
            return
        held = len(game.position.pile)
        if ground.state.hopper != held or ground.state.empty:
            ground.record("machine", {"hopper": held, "empty": False})
        if ground.parts.launcher.status().hopper != held:
            ground.parts.launcher.loaded(held)

    def clear_fault(self) -> None:
        """A person says the fault's cause is gone. Raises `Refuse` with what still stands."""
        standing: Fault | None = self._ground.parts.launcher.clear_fault()
        if standing is not None:
            raise Refuse("fault", standing.cause, **(fault_data(standing) or {}))

    def show_lamp(self) -> None:
        """Let the button's lamp say what there is to do, and whatever can be heard say it with it."""
        state, fault, before = self._lamp_state(), self._ground.fault, self._lamp
        step = self._step if state is LampState.PRESSED else 0
        wanted = (state, step, fault.code if fault is not None and state is LampState.FAULT else "")
        if wanted == before:
            return
        self._lamp = wanted
        signals = self._ground.parts.signals
        signals.lamp(*wanted)
        if before is None or state is not before[0]:
            signals.cue(_CUES.get(state, Cue.QUIET), step)

    def _shooter(self, game: Game, seat: int | None, choice: bool) -> int:
        presser = game.presser()
        if presser is not None and seat in (None, presser) and not choice:
            return presser
        asked = seat if seat is not None else max(game.position.turn if presser is None else presser, 0)
        refusal = game.check(Hit(asked, 0, choice))
        if refusal is None:
            return asked
        raise Refuse.by_rules(refusal)

    def _begin(self, seat: int, at: float, command: Command | None, choice: bool) -> None:
        ground = self._ground
        number = ground.state.shots + 1
        self._step = ground.odds.step
        pause = ground.odds.pause()
        cards = ground.odds.press()
        body: dict[str, object] = {
            "shot": number, "seat": seat, "cards": cards, "odds": ground.odds.state, "drawn": ground.rng.drawn,
        }  # fmt: skip
        if pause:
            body["pause"] = True
        if choice:
            body["choice"] = True
        if command is not None and command.who.session != PROGRAM:
            identity = command.body["id"]
            answer = {"ok": True, "id": identity}
            body["answer"] = {"session": command.who.session, "id": identity, "answer": answer}
        ground.record("shot", body)
        suspense = ground.settings.suspense + (ground.settings.pause if pause else 0.0)
        ground.order(ShotOrder(number, cards, at + suspense))
        self._pressed = _Pressed(number, seat, command)

    def _finish(self, cards: int, certainty: Certainty, end: ShotEnd, counts: bool, cause: str = "") -> None:
        ground = self._ground
        shot, game = ground.state.shot, ground.game
        if shot is None or game is None:
            raise RuntimeError("a shot ended without a game")
        ground.tell("shot", seat=shot.seat, cards=cards, certainty=certainty.value, end=end.value, counts=counts)
        if counts:
            counts = self._hit(game, Hit(shot.seat, cards, shot.choice))
        ground.record("shot-end", {
            "shot": shot.number, "cards": cards, "certainty": certainty.value, "end": end.value, "counts": counts,
            "entry": len(game.entries), **({"cause": cause} if cause else {}),
        })  # fmt: skip
        if not ground.one_ledger:
            self.count_machine(cards if end is not ShotEnd.VOID else 0)

    def _hit(self, game: Game, hit: Hit) -> bool:
        try:
            self._ground.apply(game, hit)
        except Refused as refused:
            # Only what a host does in a shot (a player leaves) can bring this about: nobody is left to take the cards.
            log.warning("shot of %d cards for seat %d does not count: %s", hit.cards, hit.seat, refused)
            self._ground.tell("shot-refused", seat=hit.seat, cards=hit.cards, reason=refused.refusal.reason)
            return False
        return True

    def count_machine(self, cards: int) -> None:
        """`cards` have left the machine: what it holds now."""
        left = self._ground.parts.launcher.status().hopper
        state = self._ground.state
        if state.unseen is not None:
            return  # the launcher counts from what it was told before
        if left is None and state.hopper is not None:
            left = max(0, state.hopper - cards)
        if left != state.hopper:
            self._ground.record("machine", {"hopper": left, "empty": state.empty})

    def _lamp_state(self) -> LampState:
        ground = self._ground
        game = ground.game
        if ground.launcher_state in _BROKEN:
            return LampState.FAULT
        if ground.state.shot is not None and not ground.state.shot.lost:
            return LampState.FIRING if ground.launcher_state is LauncherState.FIRING else LampState.PRESSED
        if ground.state.service is not None:
            return LampState.FIRING
        if ground.state.deal is not None and ground.state.deal.step is Step.READY:
            return LampState.PRESS_NOW
        if game is None or ground.state.paused or ground.state.empty:
            return LampState.OFF
        if ground.launcher_state is LauncherState.COOLING:
            return LampState.OFF
        presser = game.presser()
        if presser is None:
            return LampState.OFF
        return LampState.PRESS_NOW if game.position.owed(presser) else LampState.YOUR_TURN
