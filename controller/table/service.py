"""Service: shots whose cards are nobody's, asked for by the host, and what a maker wants to know of the machine.

They go to the launcher that games use, with every limit, and are on disk before the order. Neither the odds nor any
hand has to do with them. Faults of the simulated machine are asked for here, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from controller.table.ground import Ground
from controller.table.messages import Answer, Command, Refuse
from controller.table.picture import fault_data
from controller.table.shots import Shots
from hardware.ports import Certainty, Reading, ShotEnd, ShotEnded, ShotOrder, ShotProgress, ShotSeen
from hardware.twin_faults import TwinFaultError

MOST_CARDS: Final = 14  # of one service shot: as many as the odds may bring
KEPT: Final = 12  # shots that are shown
UNSEEN: Final = "unseen"  # how a shot ended while the table was not running


@dataclass(frozen=True, slots=True)
class PastShot:
    """A shot that is over, as the service page shows it. `seat`: None = nobody's; None of the others: nobody asked."""

    shot: int | None
    seat: int | None
    asked: int | None
    cards: int
    certainty: str
    end: str
    cause: str = ""


class Service:
    """Service shots, one at a time. Commands raise `Refuse`, and then nothing has changed."""

    def __init__(self, ground: Ground, shots: Shots) -> None:
        self._ground = ground
        self._shots = shots
        self._asked: Command | None = None
        self._settled: list[tuple[Command, Answer]] = []
        self._past: deque[PastShot] = deque(maxlen=KEPT)  # since the table was started: older ones are in the journal
        lost = ground.state.unseen
        if lost is not None:
            self._past.append(PastShot(lost.number, None, lost.cards, 0, Certainty.UNKNOWN.value, UNSEEN))
        self._then: Callable[[ShotEnded], None] | None = None
        self.refuse_busy: Callable[[], None] = lambda: None  # set by whoever fires shot after shot
        self.host_commands: dict[str, Callable[[Command], Answer | None]] = {
            "service-shot": self._service_shot, "twin": self._twin,
        }  # fmt: skip

    def fire(self, why: str, cards: int, then: Callable[[ShotEnded], None] | None = None) -> None:
        """Have the launcher fire `cards` cards for nobody; `then` is called when it is over. Raises `Refuse`."""
        self.refuse_unready()
        ground = self._ground
        number = ground.state.shots + 1
        ground.record("service", {"shot": number, "cards": cards, "why": why})
        ground.order(ShotOrder(number, cards, ground.now))
        ground.show()
        self._then = then

    def refuse_unready(self) -> None:
        """Raises `Refuse` while the launcher would not make a service shot."""
        ground = self._ground
        self.refuse_undriven()
        self._shots.refuse_during_shot()
        denial = ground.parts.launcher.denial()
        if denial is None:
            return
        more: dict[str, object] = {}
        if denial.seconds is not None:
            more["seconds"] = ceil(denial.seconds * 10) / 10
        elif denial.reason == "fault":
            more.update(fault_data(ground.fault) or {})
        raise Refuse(denial.reason, denial.text, **more)

    def refuse_undriven(self) -> None:
        """Raises `Refuse` where the launcher takes no orders."""
        if self._ground.settings.typed:
            raise Refuse("no-orders", "this launcher takes no orders: nothing here can make it fire")

    def owns(self, shot: int) -> bool:
        """Whether shot `shot` is the service shot under way."""
        service = self._ground.state.service
        return service is not None and service.number == shot

    def progress(self, event: ShotProgress) -> None:
        """Cards are coming out."""
        service = self._ground.state.service
        if service is not None:
            service.came = event.cards
            self._ground.show()

    def ended(self, event: ShotEnded) -> None:
        """The service shot is over; whoever asked for it is told what came."""
        ground, service = self._ground, self._ground.state.service
        if service is None:
            raise RuntimeError("a service shot ended, and none was under way")
        moved = event.end is not ShotEnd.VOID
        loose = moved and ground.one_ledger and (event.cards > 0 or event.certainty is not Certainty.EXACT)
        told = {"shot": event.shot, "cards": event.cards, "certainty": event.certainty.value, "end": event.end.value}
        ground.record("service-end", {**told, "loose": loose})
        self._shots.count_machine(event.cards if moved else 0)
        if event.end is ShotEnd.EMPTY and not ground.one_ledger:
            ground.record("machine", {"hopper": 0, "empty": True})
        self.note(None, service.cards, event)
        ground.tell("service-shot", cards=event.cards, certainty=event.certainty.value, end=event.end.value)
        if self._asked is not None:
            self._settled.append((self._asked, {"ok": True, "asked": service.cards, **told, "cause": event.cause}))
            self._asked = None
        then, self._then = self._then, None
        if then is not None:
            then(event)

    def note(self, seat: int | None, asked: int, event: ShotEnded) -> None:
        """Keep a shot that is over, to be shown. Never one that is not over: what is planned is nobody's to know."""
        end, cause = event.end.value, event.cause
        self._past.append(PastShot(event.shot, seat, asked, event.cards, event.certainty.value, end, cause))

    def note_seen(self, event: ShotSeen) -> None:
        """Keep a shot that a machine made which takes no orders."""
        self._past.append(PastShot(None, None, None, event.cards, event.certainty.value, ShotEnd.DONE.value))

    def settled(self) -> list[tuple[Command, Answer]]:
        """Answers that have become due."""
        settled, self._settled = self._settled, []
        return settled

    def picture(self, reading: Reading | None) -> dict[str, object]:
        """What the maker sees. `reading`: what the backend's inputs say now, where it has any."""
        ground, service = self._ground, self._ground.state.service
        twin = ground.parts.twin
        return {
            "backend": ground.parts.backend,
            "orders": not ground.settings.typed,
            "state": ground.launcher_state.value,
            "fault": fault_data(ground.fault),
            "hopper": self._hopper(),
            "unseen": None if ground.state.unseen is None else ground.state.unseen.cards,
            "loose": ground.state.loose,
            "deck": ground.settings.machine_cards,
            "most": MOST_CARDS,
            "levels": None if reading is None else dict(reading.levels),
            "motor": None if reading is None or reading.motor is None else {
                "used": round(reading.motor.used, 2), "budget": reading.motor.budget,
                "readyIn": max(0.0, ceil((reading.motor.ready_at - reading.motor.now) * 10) / 10),
            },
            "shot": None if service is None else {"why": service.why, "asked": service.cards, "cards": service.came},
            "shots": [_past_data(past) for past in reversed(self._past)],
            "twin": None if twin is None else [
                {
                    "name": fault.name, "does": fault.does, "ends": fault.ends,
                    "amount": None if fault.amount is None else {
                        "of": fault.amount.of, "low": fault.amount.low, "high": fault.amount.high,
                        "usual": fault.amount.usual,
                    },
                }
                for fault in twin.faults()
            ],
        }  # fmt: skip

    def _hopper(self) -> int | None:
        """How many cards the machine holds: as the table knows, else as its launcher does, unless a shot was lost."""
        state = self._ground.state
        if state.hopper is not None or state.unseen is not None:
            return state.hopper
        return self._ground.parts.launcher.status().hopper

    def _service_shot(self, command: Command) -> None:
        """`service-shot`: answered when it is over."""
        ground, cards = self._ground, command.body.get("cards")
        if not isinstance(cards, int) or isinstance(cards, bool) or not 1 <= cards <= MOST_CARDS:
            raise Refuse("bad-command", f"a service shot has 1 to {MOST_CARDS} cards", least=1, most=MOST_CARDS)
        self.refuse_undriven()
        if ground.game is not None and not ground.state.paused:
            raise Refuse("not-paused", "a game is on: pause it first, and put the cards back before it goes on")
        self.refuse_busy()
        self.fire("shot", cards)
        self._asked = command

    def _twin(self, command: Command) -> Answer:
        """`twin`: something happens to the simulated machine."""
        twin, name, value = self._ground.parts.twin, command.body.get("fault"), command.body.get("value")
        if twin is None:
            backend = self._ground.parts.backend
            raise Refuse("no-twin", f"this table runs {backend}: only the twin's faults can be asked for")
        if not isinstance(name, str) or not (value is None or (isinstance(value, int) and not isinstance(value, bool))):
            raise Refuse("bad-fault", "fault is a word, and value a whole number")
        try:
            fault = twin.ask(name, value)
        except TwinFaultError as error:
            raise Refuse("bad-fault", str(error)) from error
        return {"ok": True, "does": fault.does, "ends": fault.ends}


def _past_data(past: PastShot) -> Mapping[str, object]:
    return {
        "shot": past.shot, "seat": past.seat, "asked": past.asked, "cards": past.cards, "certainty": past.certainty,
        "end": past.end, "cause": past.cause,
    }  # fmt: skip
