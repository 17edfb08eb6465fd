"""From the lid's edge to enable low, with fifty phones on real sockets and the event loop as busy as it can be.

The motor is turning in every sample. Beside it, in the same process and under the same load, the barest gpiozero
program that stops a motor when its lid opens.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from threading import Event
from time import perf_counter
from typing import Any

from gpiozero import Button, Motor
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.commands import play
from controller.table import Table
from hardware.ports import ShotOrder
from hardware.settings import LauncherSettings
from hardware.twin import TwinBackend
from tests.bench.figures import latency, line, quantile
from tests.bench.press import HOST, ask, table_with_phones

PHONES = 50
SAMPLES = 300
WARM_UP = 20
CARDS = 14
RUNS = (0.02, 0.06)  # seconds the motor has been on when the lid opens
REST = 0.1  # seconds between two shots: within the motor's time of a minute
LAUNCHER = LauncherSettings(rest_ms=0, duty_ms=30_000, settle_ms=10, lockout_ms=5, most_cards=CARDS)
DEADLINE = 5.0


class BareLid:
    """The barest gpiozero program that stops its motor: `lid.when_released = motor.stop`."""

    def __init__(self) -> None:
        self._factory = MockFactory(pin_class=MockPWMPin)
        self._lid = Button(6, pin_factory=self._factory)
        self._motor = Motor(17, 27, pin_factory=self._factory)
        self._lid.when_released = self._motor.stop

    def open(self) -> float:
        """Seconds from the edge to the motor off."""
        self._factory.pin(6).drive_low()
        self._motor.forward()
        begun = perf_counter()
        self._factory.pin(6).drive_high()
        seconds = perf_counter() - begun
        if self._motor.is_active:
            raise RuntimeError("the barest program did not stop its motor")
        return seconds


class Enable:
    """The enable pin, as whoever moved it moved it."""

    def __init__(self, backend: TwinBackend) -> None:
        self.up, self.down = Event(), Event()
        self.went_low = 0.0
        pin: Any = backend.factory.pin(backend.pins.enable)
        before = pin.wire

        def wire() -> None:
            if pin.state:
                self.up.set()
            else:
                self.went_low = perf_counter()
                self.down.set()
            before()

        pin.wire = wire


@asynccontextmanager
async def load(table: Table, busy: bool) -> AsyncIterator[list[float]]:
    """While `busy`: one command after another, each published to every phone. Gives how long each took, in seconds."""
    took: list[float] = []
    over = asyncio.Event()

    async def work() -> None:
        for number in count():
            if over.is_set():
                return
            begun = perf_counter()
            await ask(table, HOST, do="rename", seat=0, name=f"Phone {number % 2 + 100}")
            took.append(perf_counter() - begun)

    working = asyncio.create_task(work()) if busy else None
    try:
        yield took
    finally:
        over.set()
        if working is not None:
            await working


def one(backend: TwinBackend, enable: Enable, shot: int, chance: Random) -> float:
    """Seconds from the lid's edge to enable low, in the middle of a shot. Runs in a thread, as edges do on a Pi."""
    launcher, twin = backend.launcher, backend.twin
    enable.up.clear()
    twin.load(112)
    launcher.begin_shot(ShotOrder(shot, CARDS, backend.clock.now()))
    if not enable.up.wait(DEADLINE):
        raise RuntimeError(f"shot {shot} moved no motor: {launcher.status()} {launcher.denial()}")
    Event().wait(chance.uniform(*RUNS))
    enable.down.clear()
    begun = perf_counter()
    twin.open_lid()
    if not enable.down.wait(DEADLINE):
        raise RuntimeError("the lid did not stop the motor")
    seconds = enable.went_low - begun
    Event().wait(REST)
    twin.close_lid()
    if (standing := launcher.clear_fault()) is not None:
        raise RuntimeError(f"the lid's fault stays: {standing}")
    end = perf_counter() + DEADLINE
    while launcher.denial() is not None:
        if perf_counter() > end:
            raise RuntimeError(f"not ready again: {launcher.denial()}")
        Event().wait(0.01)
    return seconds


async def measure(busy: bool) -> tuple[list[float], list[float], list[float]]:
    """Seconds of the table's lid, of the barest program's, and of a command and its publication under the load."""
    chance, ours, bares = Random(1), [], []
    with tempfile.TemporaryDirectory() as name:
        async with table_with_phones(Path(name), 0.0, PHONES, LAUNCHER) as (table, backend):
            enable, bare = Enable(backend), BareLid()
            async with load(table, busy) as took:
                for number in range(WARM_UP + SAMPLES):
                    seconds = await asyncio.to_thread(one, backend, enable, number + 1, chance)
                    beside = await asyncio.to_thread(bare.open)
                    if number >= WARM_UP:
                        ours.append(seconds)
                        bares.append(beside)
    return ours, bares, took


def run() -> None:
    """Print the figures of this bench."""
    sys.setswitchinterval(play._SWITCH_INTERVAL)
    logging.getLogger("controller.table").setLevel(logging.ERROR)  # which knows nothing of these shots, and says so
    for busy in (False, True):
        ours, bares, took = asyncio.run(measure(busy))
        how = f"{PHONES} phones, busy" if busy else f"{PHONES} phones, quiet"
        latency(f"{how}: barest gpiozero, lid to motor", bares)
        latency(f"{how}: lid to motor off", ours, bares)
        if busy:
            line("  commands a second meanwhile", f"{1 / (sum(took) / len(took)):8.0f}", f"each to {PHONES} phones")
            verdict = "met" if quantile(ours, 0.99) < 0.010 else "NOT met"
            print(f"  aim: p99 below 10 ms: {verdict}")
