"""A simulated toy for the `watch` backend: it is pressed, thinks a while and shoots, on mock pins. Nothing real moves.

Only its beam and its button are simulated; how often it fires is a plain imitation of the toy's measured 40 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from hardware.clock import Clock
from hardware.pins import PinMap
from hardware.ports import UnoButton
from hardware.settings import LauncherSettings
from hardware.twin import TwinFactory
from hardware.watch import WatchBackend

FIRES: Final = 0.4  # how often a press brings cards
THINKS: Final = 0.8  # seconds from a press to the first card
HELD: Final = 0.07  # seconds a finger stays on the button
INTERVAL: Final = (0.06, 0.12)  # seconds from one card's front to the next one's

_Change = tuple[float, Any, bool]  # when, which pin, whether it goes low


class Toy:
    """The machine at the other end of the beam and the button."""

    NAME = "toy"

    def __init__(self, factory: TwinFactory, clock: Clock, pins: PinMap, card_ms: int, chance: Random) -> None:
        self._clock = clock
        self._chance = chance
        self._card = card_ms / 1000
        self._beam = factory.pin(pins.beam)
        self._button = factory.pin(pins.button)
        self._coming: list[_Change] = []
        self._busy_until = float("-inf")
        self._worker = clock.worker(self.NAME, self._handle)

    def start(self) -> None:
        """Begin. The pins have been claimed before."""
        self._worker.start()

    def stop(self) -> None:
        """End."""
        self._worker.stop()

    def press(self) -> None:
        """A finger pushes the toy's button. While it thinks or shoots it takes no notice, but the contact closes."""
        now = self._clock.now()
        changes: list[_Change] = [(now, self._button, True), (now + HELD, self._button, False)]
        if now >= self._busy_until:
            cards = self._draw() if self._chance.random() < FIRES else 0
            changes += self._shot(now + THINKS, cards)
            self._busy_until = max([now + THINKS, *(at for at, _, _ in changes)])
        self._worker.post(changes)

    def shoot(self, cards: int) -> None:
        """So many cards come out now, whoever pressed."""
        self._worker.post(self._shot(self._clock.now(), cards))

    def hand(self, seconds: float) -> None:
        """A hand stays before the exit for so long."""
        now = self._clock.now()
        self._worker.post([(now, self._beam, True), (now + seconds, self._beam, False)])

    def _draw(self) -> int:
        return self._chance.randint(1, 3) + self._chance.randint(0, 3) + self._chance.randint(0, 3)

    def _shot(self, at: float, cards: int) -> list[_Change]:
        changes: list[_Change] = []
        for _ in range(cards):
            changes += [(at, self._beam, True), (at + self._card, self._beam, False)]
            at += self._chance.uniform(*INTERVAL)
        return changes

    def _handle(self, changes: list[_Change] | None) -> float | None:
        self._coming = sorted([*self._coming, *(changes or [])], key=lambda change: change[0])
        now = self._clock.now()
        while self._coming and self._coming[0][0] <= now:
            at, pin, low = self._coming.pop(0)
            pin.happened = at
            if low:
                pin.drive_low()
            else:
                pin.drive_high()
        return self._coming[0][0] if self._coming else None


class TwinHeader:
    """Mock pins in the place of a Raspberry Pi's header. See `hardware.gpio.PinSource`."""

    label = "mock pins"

    def __init__(self, factory: TwinFactory) -> None:
        self._factory = factory

    def open(self, pins: Mapping[str, int]) -> TwinFactory:
        """They are always to be had."""
        del pins
        return self._factory

    def edges_alive(self) -> bool:
        """As the factory is told."""
        return self._factory.edges_alive

    def tick_edges(self, call: Callable[[], None]) -> None:
        """There is no thread: whoever asks calls himself."""
        if self.edges_alive():
            call()

    def close(self) -> None:
        """Give the pins back."""
        self._factory.close()


class ToyButton:
    """The toy's button."""

    def __init__(self, toy: Toy) -> None:
        self._toy = toy

    def press(self) -> None:
        """See `hardware.ports.UnoButton`."""
        self._toy.press()


class WatchTwinBackend(WatchBackend):
    """The code of `watch` on mock pins, with a simulated toy at their other end."""

    name = "watch-twin"
    announcement = "watch-twin: a simulated toy that is only watched, on mock pins; nothing real will move"

    def __init__(self, clock: Clock, settings: LauncherSettings, pins: PinMap, seed: int | None = None) -> None:
        """The same seed gives the same toy."""
        self.factory = TwinFactory(clock)
        super().__init__(clock, settings, pins, TwinHeader(self.factory))
        self.toy = Toy(self.factory, clock, pins, settings.card_ms, Random(seed))

    @property
    def button(self) -> UnoButton:
        """The toy's button."""
        return ToyButton(self.toy)

    def wire(self) -> None:
        """Start the toy."""
        self.toy.start()

    def unwire(self) -> None:
        """Stop the toy."""
        self.toy.stop()
