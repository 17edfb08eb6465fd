"""A whole table in one room: event loop, journal, table and twin, with every level of the motor's pins on record.

The machine lives by a virtual clock that the test moves; the event loop and the journal's thread are real. So a loop
that hangs or a commit that takes long is told exactly: the machine's time goes on, and nothing else does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from controller.journal import Journal
from controller.table import Settings, Table, Who
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.settings import LauncherSettings
from hardware.twin import TwinBackend
from tests.controller.stand import always
from tests.loops import run

HOST = Who("host", host=True)
CARDS = 8  # of every shot: long enough to have a middle
# Whoever is in turn may press at any time, so that a shot needs nothing but a press.
OPTIONS = {"voluntary_draw": True, "after_draw": "end", "hand_size": 3}
STEP = 0.005  # seconds of the machine between two looks of the event loop


class Room:
    """One table. `enable`: every change of the motor's enable, and when it was."""

    def __init__(self, data: Path, make: Callable[[VirtualClock], Any] | None = None) -> None:
        """`make`: another backend than the twin."""
        self.clock = VirtualClock()
        self.journal = Journal(data)
        self.backend: Any = (make or a_twin)(self.clock)
        settings = Settings(suspense=0.1)
        self.table = Table(self.journal, self.backend, self.clock, settings, always(CARDS), seed="room")
        self.enable: list[tuple[float, bool]] = []
        self._numbers = count()
        self.run: asyncio.Task[None] | None = None
        self.ended: BaseException | None = None

    # --- what is done in it

    async def begin(self) -> None:
        """Two people sit down and a game begins."""
        self.table.start()
        self.run = asyncio.create_task(self.table.run())
        self._spy()
        for name in ("Ann", "Bo"):
            await self.do(Who(f"phone {name}"), do="sit", name=name)
        await self.do(HOST, do="start", preset="attack", options=OPTIONS)

    async def do(self, who: Who, **command: object) -> dict[str, object]:
        """Give a command and wait for its answer, which must be yes."""
        answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        self.table.submit(who, {"id": f"c{next(self._numbers)}", **command}, answer.set_result)
        said = await answer
        assert said["ok"], said
        return said

    async def mid_shot(self) -> None:
        """The button is pressed, and some of the cards have come out."""
        self.backend.button.press()
        before = self.backend.twin.out
        await self.until(lambda: self.backend.twin.out >= before + 2)
        assert self.motor()

    async def come_round(self, seconds: float) -> None:
        """The machine's time goes on with all but the journal, which nobody waits for."""
        end = self.clock.now() + seconds
        while True:
            for _ in range(3):
                await asyncio.sleep(0)
            if self.clock.now() >= end:
                return
            self.clock.advance(STEP)

    async def pass_time(self, seconds: float) -> None:
        """The machine's time goes on, and everybody comes round to what it brings."""
        end = self.clock.now() + seconds
        while self.clock.now() < end - 1e-9:
            self.clock.advance(min(STEP, end - self.clock.now()))
            await self.settle()

    async def until(self, done: Callable[[], bool], limit: float = 10.0) -> None:
        """Let time go by until `done()`; fails after `limit` seconds of the machine."""
        end = self.clock.now() + limit
        while not done():
            assert self.clock.now() < end, f"not done after {limit} s: {self.launcher()}"
            await self.pass_time(STEP)

    async def settle(self) -> None:
        """Everything that has been posted is handled, written and published."""
        for _ in range(3):
            await asyncio.sleep(0)
            if self.journal.failure is None:
                with suppress(RuntimeError):  # its failure comes as a message
                    await asyncio.to_thread(self.journal.flush)
        await asyncio.sleep(0)

    async def close(self) -> None:
        """The end of the evening; the motor must be off after it."""
        await asyncio.to_thread(self.backend.close)
        if self.run is not None:
            self.run.cancel()
            (self.ended,) = await asyncio.gather(self.run, return_exceptions=True)
        self.journal.close()
        assert not self.motor()

    # --- how it is

    def motor(self) -> bool:
        """Enable is high."""
        return bool(self.enable) and self.enable[-1][1]

    def picture(self) -> dict[str, Any]:
        """The table as the host's page shows it."""
        state: dict[str, Any] = json.loads(self.table.current().frame(frozenset(), True))
        return dict(state["table"])

    def launcher(self) -> dict[str, Any]:
        """The launcher as it is shown."""
        return dict(self.picture()["launcher"])

    def off_after(self, moment: float) -> float:
        """Seconds from `moment` until enable went low; a motor that is still on has no such time."""
        assert not self.motor(), f"the motor is on {self.clock.now() - moment:.3f} s later"
        return max(0.0, self.enable[-1][0] - moment)

    def on_for(self) -> float:
        """Seconds enable was high the last time it was."""
        (up, high), (down, low) = self.enable[-2:]
        assert high
        assert not low
        return down - up

    def _spy(self) -> None:
        pin: Any = self.backend.factory.pin(self.backend.pins.enable)
        change = pin._change_state

        def changed(value: float) -> bool:
            did = bool(change(value))
            if did:
                self.enable.append((self.clock.now(), bool(value)))
            return did

        pin._change_state = changed


def a_twin(clock: VirtualClock) -> TwinBackend:
    """The machine of most rooms."""
    return TwinBackend(clock, LauncherSettings(), PinMap(stop=26), seed=3)


@asynccontextmanager
async def room(data: Path, make: Callable[[VirtualClock], Any] | None = None) -> AsyncIterator[Room]:
    """A room with a game on."""
    made = Room(data, make)
    try:
        await made.begin()
        yield made
    finally:
        await made.close()


def due(data: Path) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """The table started again on what is on disk: what it shows, and the rows since the game began."""
    journal = Journal(data)
    rows = [(row.kind, row.body) for row in journal.rows(journal.last("game") or 0)]
    journal.close()

    async def look() -> dict[str, Any]:
        again = Room(data)
        again.table.start()
        shown = again.picture()
        await again.close()
        return shown

    return run(look()), rows
