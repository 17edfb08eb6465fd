"""Something fails in the middle of a shot: the motor's pin is low in time, the journal tells it, and people are asked.

The times are those of docs/safety.md, taken from the pin's own trace on the machine's clock.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller.journal import DATABASE, JournalError
from controller.table.messages import Tick
from hardware.settings import LauncherSettings
from tests.controller.disk import no_room_beyond
from tests.faults.room import CARDS, HOST, Room, due, room
from tests.loops import run

LONGEST = LauncherSettings().on_ms(CARDS) / 1000  # no shot of so many cards has the motor on for longer
FIVE_YEARS = timedelta(days=5 * 365).total_seconds()


def shot_end(rows: list[tuple[str, dict[str, Any]]]) -> dict[str, Any] | None:
    """What the journal says of the end of the last shot begun; None: nothing."""
    begun = max(number for number, (kind, _) in enumerate(rows) if kind == "shot")
    return next((body for kind, body in rows[begun:] if kind == "shot-end"), None)


def fail(*_: object) -> None:
    raise RuntimeError("made to fail")


def test_a_loop_that_hangs_for_two_seconds_keeps_no_motor_running(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            here.clock.advance(2.0)  # the machine's time; the event loop gets none of it
            assert not here.motor()
            assert here.on_for() <= LONGEST
            await here.settle()
            last = here.launcher()["last"]
            assert (last["cards"], last["certainty"]) == (CARDS, "exact")  # nothing was missed meanwhile

    run(evening())


def test_a_lid_opened_while_the_loop_hangs_stops_the_motor_at_once(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            opened = here.clock.now()
            here.backend.twin.open_lid()
            here.clock.advance(2.0)
            assert here.off_after(opened) == 0.0
            await here.settle()
            assert here.launcher()["fault"]["code"] == "lid-open"

    run(evening())
    _, rows = due(tmp_path)
    ended = shot_end(rows)
    assert ended is not None
    assert (ended["end"], ended["cause"]) == ("stopped", "the lid is open")
    assert ended["cards"] >= 2


def test_a_table_that_fails_stops_the_motor_and_asks_after_the_restart(tmp_path: Path) -> None:
    async def evening() -> Room:
        async with room(tmp_path) as here:
            await here.mid_shot()
            failed = here.clock.now()
            here.table._post(Tick(fail))  # any message whose handling raises
            with pytest.raises(RuntimeError, match="made to fail"):
                await asyncio.wait_for(asyncio.shield(here.run), 10)  # type: ignore[arg-type]
            assert here.off_after(failed) == 0.0
            here.clock.advance(0)
            assert here.backend.launcher.status().fault is not None
        return here

    here = run(evening())
    assert isinstance(here.ended, RuntimeError)
    shown, rows = due(tmp_path)
    assert shot_end(rows) is None
    assert shown["due"]["what"] == "shot-count"


def test_a_table_whose_task_is_dead_lets_the_shot_end_and_feeds_no_watchdog(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            assert here.run is not None
            here.run.cancel()
            await here.settle()
            ticked = threading.Event()
            here.table.tick(ticked.set)
            await here.pass_time(2.0)
            assert not here.motor()
            assert here.on_for() <= LONGEST
            assert not ticked.is_set()

    run(evening())


def test_a_full_disk_stops_the_motor_and_asks_after_the_restart(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            full = here.clock.now()
            with no_room_beyond((tmp_path / f"{DATABASE}-wal").stat().st_size):
                here.table.submit(HOST, {"id": "a row", "do": "rename", "seat": 0, "name": "A" * 20}, lambda said: None)
                with pytest.raises(JournalError, match="cannot be written"):
                    await asyncio.to_thread(here.journal.flush)
                await asyncio.sleep(0)
            assert here.off_after(full) == 0.0
            await here.settle()
            shown = here.launcher()
            assert shown["fault"]["code"] == "journal"
            assert "Make room on the disk" in shown["fault"]["remedy"]

    run(evening())
    shown, rows = due(tmp_path)
    assert shot_end(rows) is None
    assert shown["due"]["what"] == "shot-count"


class Slow:
    """A database whose every commit waits to be let go."""

    def __init__(self, here: Room) -> None:
        self._database = here.journal._database
        self.reached, self.go = threading.Event(), threading.Event()
        here.journal._database = self  # type: ignore[assignment]

    def execute(self, *statement: Any) -> Any:
        self.reached.set()
        assert self.go.wait(60)
        return self._database.execute(*statement)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


def test_a_commit_of_three_seconds_keeps_no_motor_running(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            slow = Slow(here)
            here.table.submit(HOST, {"id": "a row", "do": "rename", "seat": 0, "name": "Anna"}, lambda said: None)
            assert await asyncio.to_thread(slow.reached.wait, 60)
            await here.come_round(3.0)
            assert not here.motor()
            assert here.on_for() <= LONGEST
            slow.go.set()
            await here.settle()
            assert here.launcher()["last"]["cards"] == CARDS

    run(evening())
    _, rows = due(tmp_path)
    ended = shot_end(rows)
    assert ended is not None
    assert ended["certainty"] == "exact"


def test_a_shot_whose_row_takes_three_seconds_waits_for_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            slow = Slow(here)
            here.backend.button.press()
            await here.come_round(0.0)
            assert await asyncio.to_thread(slow.reached.wait, 60)
            await here.come_round(3.0)
            assert here.enable == []  # not a card before it is on disk who pressed
            slow.go.set()
            await here.until(lambda: here.launcher()["last"] is not None)
            assert here.on_for() <= LONGEST

    run(evening())


@pytest.fixture
def wall_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set this process's wall clock forth or back by so many seconds."""
    real, real_ns, shift = time.time, time.time_ns, [0.0]
    monkeypatch.setattr(time, "time", lambda: real() + shift[0])
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(shift[0] * 1e9))

    def jump(seconds: float) -> None:
        shift[0] += seconds

    return jump


@pytest.mark.parametrize("seconds", [FIVE_YEARS, -FIVE_YEARS])
def test_a_wall_clock_that_jumps_changes_nothing(
    tmp_path: Path, wall_clock: Callable[[float], None], seconds: float
) -> None:
    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            before = datetime.fromtimestamp(time.time())  # noqa: DTZ006  # the clock on the wall
            wall_clock(seconds)
            assert abs(datetime.fromtimestamp(time.time()) - before) > timedelta(days=1000)  # noqa: DTZ006
            assert here.motor()
            await here.pass_time(2.0)
            assert not here.motor()
            assert here.on_for() <= LONGEST
            last = here.launcher()["last"]
            assert (last["cards"], last["certainty"]) == (CARDS, "exact")
            await here.until(lambda: here.launcher()["state"] == "ready")  # the rest is not five years long
            await here.mid_shot()

    run(evening())
