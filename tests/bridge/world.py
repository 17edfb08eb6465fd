"""The serial backend with the firmware's core behind it and the twin around that, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from firmware_bridge.backend import SerialBackend
from firmware_bridge.messages import Wired
from firmware_bridge.port import Port
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import HardwareEvent, Listener, UnoButton
from hardware.settings import LauncherSettings
from hardware.twin import Twin, TwinButton, TwinFactory
from hardware.twin_physics import Physics
from tests.bridge.chip import Chip, ChipPort, Wire, no_port, perfect
from tests.hardware.world import World

DEVICE = "/dev/serial/by-id/usb-a-nano"


class ChipBackend(SerialBackend):
    """The serial backend on a line to a `Chip`, whose pins a twin moves."""

    def __init__(
        self,
        core: Any,
        clock: VirtualClock,
        settings: LauncherSettings,
        pins: PinMap,
        seed: int = 5,
        physics: Physics | None = None,
        hopper: int = 112,
        wires: tuple[Wire, Wire] = (perfect, perfect),
    ) -> None:
        wired = Wired.BEAM * (pins.beam is not None) | Wired.BEAM2 * (pins.beam2 is not None)
        wired |= Wired.STOP * (pins.stop is not None)
        self.factory = TwinFactory(clock)
        self.twin = Twin(self.factory, clock, pins, Random(seed), physics or Physics(), hopper)
        self.chip = Chip(core, clock, pins, self.factory)
        self.ports: list[ChipPort] = []
        self.plugged = True
        self.instead: Callable[[], Port] | None = None  # opens what is at the port instead of the chip
        self.opened: list[float] = []  # when it was tried
        self._hold = hopper
        self._wires = wires
        self._virtual = clock
        super().__init__(clock, settings, DEVICE, Wired(wired), pins.buzzer is not None, self._open)

    @property
    def button(self) -> UnoButton:
        """The twin's finger on the chip's button."""
        return TwinButton(self.twin)

    def start(self, listener: Listener) -> None:
        """Power first, then the port."""
        self.twin.start()
        self.chip.start()
        super().start(listener)
        self.launcher.loaded(self._hold)
        told = self.launcher.loaded

        def loaded(cards: int) -> None:
            self.twin.load(cards)  # nobody can put cards into a simulated machine, so saying it does it
            told(cards)

        self.launcher.loaded = loaded  # type: ignore[method-assign]

    def close(self) -> None:
        """The port first, then the power."""
        super().close()
        self.chip.stop()
        self.twin.stop()

    def unplug(self) -> None:
        """Pull the cable."""
        self.plugged = False
        self.ports[-1].unplug()

    def _open(self, device: str) -> Port:
        self.opened.append(self._virtual.now())
        if not self.plugged:
            return no_port(device)
        if self.instead is not None:
            return self.instead()
        self.ports.append(ChipPort(self.chip, self._virtual, *self._wires))
        return self.ports[-1]


class BridgeWorld(World):
    """A `World` over `ChipBackend`."""

    backend: ChipBackend  # type: ignore[assignment]  # another backend with the same twin and factory

    def __init__(
        self,
        core: Any,
        clock: VirtualClock,
        settings: LauncherSettings | None = None,
        pins: PinMap | None = None,
        seed: int = 7,
        physics: Physics | None = None,
        hopper: int = 112,
        on_event: Callable[[HardwareEvent], None] | None = None,
        wires: tuple[Wire, Wire] = (perfect, perfect),
    ) -> None:
        settings = settings or LauncherSettings()
        self.pins = pins or PinMap(stop=26)
        backend = ChipBackend(core, clock, settings, self.pins, seed, physics, hopper, wires)
        self.backend = backend
        self.twin = backend.twin
        self.trace = {}
        super(World, self).__init__(clock, settings, backend, on_event)
        for name in ("enable", "in1", "in2", "lamp"):
            self.watch(name)
