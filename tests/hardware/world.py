"""A launcher with the world around it, for scenarios: what people and cards do, what came out, what the pins did.

No scenarios here. Those written against `Port` need nothing but the port of `hardware.ports` and run over any backend,
a real machine included; those written against `World` reach for the twin and its pins. On a virtual clock, or the real.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardware.clock import Clock, RealClock, VirtualClock
from hardware.pins import PinMap
from hardware.ports import Backend, HardwareEvent, LauncherChanged, LauncherState, ShotEnded, ShotOrder, ShotProgress
from hardware.settings import LauncherSettings
from hardware.twin import TwinBackend
from hardware.twin_physics import Physics
from tests.patience import WATCHDOG_MS


@dataclass(frozen=True, slots=True)
class Seen:
    """An event and when it was told."""

    at: float
    event: HardwareEvent


class Port:
    """Any backend, started, with everything it tells on record."""

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        backend: Backend,
        on_event: Callable[[HardwareEvent], None] | None = None,
    ) -> None:
        self.clock = clock
        self.settings = settings
        self.seen: list[Seen] = []
        self._backend = backend
        self.on_event = on_event
        self._news = threading.Condition()
        self._shots = 0
        backend.start(self._listen)
        self.launcher = backend.launcher

    # --- waiting -----------------------------------------------------------------------------------------------

    def until(self, done: Callable[[], bool], limit: float = 10.0) -> None:
        """Let time pass until `done()`; fails after `limit` seconds of the clock."""
        if isinstance(self.clock, VirtualClock):
            self.clock.advance_until(done, limit)
            return
        end = time.monotonic() + limit
        with self._news:
            while not done():
                assert time.monotonic() < end, f"not done after {limit} s; seen: {self.seen}"
                self._news.wait(0.05)

    def run(self, seconds: float) -> None:
        """Let virtual time pass."""
        assert isinstance(self.clock, VirtualClock)
        self.clock.advance(seconds)

    # --- the table's side --------------------------------------------------------------------------------------

    def begin(self, cards: int, suspense: float = 0.7) -> int:
        """Order a shot; its number."""
        self._shots += 1
        self.launcher.begin_shot(ShotOrder(self._shots, cards, self.clock.now() + suspense))
        return self._shots

    def shoot(self, cards: int, suspense: float = 0.0) -> ShotEnded:
        """Order a shot and wait for its end."""
        return self.end_of(self.begin(cards, suspense))

    def end_of(self, shot: int) -> ShotEnded:
        """Wait for the end of a shot."""
        self.until(lambda: bool(self.ends(shot)))
        return self.ends(shot)[0]

    def ends(self, shot: int) -> list[ShotEnded]:
        """Every end told of this shot so far."""
        return [seen.event for seen in self.seen if isinstance(seen.event, ShotEnded) and seen.event.shot == shot]

    def progress(self, shot: int) -> list[int]:
        """The counts told of this shot so far."""
        return [
            seen.event.cards for seen in self.seen if isinstance(seen.event, ShotProgress) and seen.event.shot == shot
        ]

    def states(self) -> list[LauncherState]:
        """The states told so far."""
        return [seen.event.state for seen in self.seen if isinstance(seen.event, LauncherChanged)]

    def ready(self) -> None:
        """Wait until a press would be accepted."""
        self.until(lambda: self.launcher.denial() is None)

    def settle(self) -> None:
        """Let what is due now happen."""
        if isinstance(self.clock, VirtualClock):
            self.clock.advance(0)

    def close(self) -> None:
        """Close the backend."""
        self._backend.close()

    def _listen(self, event: HardwareEvent) -> None:
        with self._news:
            self.seen.append(Seen(self.clock.now(), event))
            self._news.notify_all()
        if self.on_event is not None:
            self.on_event(event)


class World(Port):
    """The twin backend, started, with everything its output pins do on record as well."""

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings | None = None,
        pins: PinMap | None = None,
        seed: int = 7,
        physics: Physics | None = None,
        hopper: int = 112,
        on_event: Callable[[HardwareEvent], None] | None = None,
    ) -> None:
        settings = settings or LauncherSettings()
        self.pins = pins or PinMap(stop=26, buzzer=24)
        self.backend = TwinBackend(clock, settings, self.pins, seed=seed, physics=physics, hopper=hopper)
        self.twin = self.backend.twin
        self.trace: dict[str, list[tuple[float, bool]]] = {}
        super().__init__(clock, settings, self.backend, on_event)
        for name in ("enable", "in1", "in2", "lamp", "buzzer"):
            if getattr(self.pins, name) is not None:
                self.watch(name)

    # --- the pins' side ----------------------------------------------------------------------------------------

    def level(self, name: str) -> bool:
        """The level of an output now."""
        return bool(self.pin(name).state)

    def pin(self, name: str) -> Any:
        """A mock pin by its name in the pin map."""
        return self.backend.factory.pin(getattr(self.pins, name))

    def pulses(self, name: str) -> list[tuple[float, float]]:
        """When an output was high: (from, until), until = now where it still is."""
        found: list[tuple[float, float]] = []
        since: float | None = None
        for at, high in self.trace[name]:
            if high and since is None:
                since = at
            elif not high and since is not None:
                found.append((since, at))
                since = None
        return found if since is None else [*found, (since, self.clock.now())]

    def watch(self, name: str) -> None:
        """Keep every change of a pin in `trace` from now on: when, and whether it went high."""
        pin, trace = self.pin(name), self.trace.setdefault(name, [])
        change = pin._change_state

        def changed(value: float) -> bool:
            did = bool(change(value))
            if did:
                trace.append((self.clock.now(), bool(value)))
            return did

        pin._change_state = changed


def virtual(**options: Any) -> World:
    """A world on a virtual clock, settled and ready."""
    clock = VirtualClock()
    world = World(clock, **options)
    world.run(0)
    return world


def real(**options: Any) -> World:
    """A world on the real clock, with every default but the watchdog's."""
    return World(RealClock(), **{"settings": LauncherSettings(watchdog_ms=WATCHDOG_MS), **options})
