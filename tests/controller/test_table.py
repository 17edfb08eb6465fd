"""The table on a real event loop, in real time: what pages are promised, and what it does when it cannot write."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller import odds
from controller.journal import DATABASE, Journal
from controller.table import Answer, Publication, Settings, Table, Who
from hardware.backends import UNDRIVEN, open_backend
from hardware.clock import RealClock
from hardware.settings import LauncherSettings
from tests.controller.conftest import MakeStand
from tests.controller.disk import no_room_beyond
from tests.controller.stand import HOST, SETTINGS, always
from tests.loops import run
from tests.patience import WATCHDOG_MS

FAST = Settings(grace=0.0, think=0.0, suspense=0.05, match={"format": "winner-takes", "target": 500, "rounds": 0})


class Hurried(RealClock):
    """A clock that can be set ahead."""

    ahead = 0.0

    def now(self) -> float:
        return super().now() + self.ahead


class Running:
    """A table on the running loop, and what its listeners heard."""

    def __init__(self, place: Path, profile: odds.OddsProfile = odds.MEASURED, machine: str = "twin") -> None:
        self.journal = Journal(place)
        quick = LauncherSettings(burst_pause_ms=200, watchdog_ms=WATCHDOG_MS)
        self.backend: Any = open_backend(machine, quick, clock=RealClock(), seed=1)
        settings = replace(FAST, typed=machine in UNDRIVEN)
        self.clock = Hurried()
        self.table = Table(self.journal, self.backend, self.clock, settings, profile, seed="loop")
        self.heard: list[Publication] = []
        self._numbers = iter(range(1000))

    async def do(self, who: Who, **body: object) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.table.submit(who, {"id": f"c{next(self._numbers)}", **body}, answer.set_result)
        return await asyncio.wait_for(answer, 20)

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for a version after which `done()`."""
        changed = asyncio.Event()
        stop = self.table.subscribe(lambda publication: changed.set())
        async with asyncio.timeout(30):
            while not done():
                await changed.wait()
                changed.clear()
        stop()

    def state(self, *seats: int) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(self.table.current().frame(frozenset(seats)))
        return frame


def with_table(
    place: Path,
    play: Callable[[Running], Awaitable[None]],
    profile: odds.OddsProfile = odds.MEASURED,
    machine: str = "twin",
) -> Running:
    """Run a table, and `play` on it, to the end."""
    running = Running(place, profile, machine)

    async def evening() -> None:
        running.table.start()
        running.table.subscribe(running.heard.append)
        task = asyncio.create_task(running.table.run())
        try:
            await play(running)
        finally:
            await asyncio.to_thread(running.backend.close)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    try:
        run(evening())
    finally:
        running.backend.close()
        running.journal.close()
    return running


def test_a_press_of_the_mock_pin_reaches_the_listeners(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        for name in ("Ann", "Bo"):
            assert (await running.do(Who(name), do="sit", name=name))["ok"]
        assert (await running.do(HOST, do="start"))["ok"]
        seat = running.state()["table"]["turn"]
        before = running.state()["table"]["seats"][seat]["hand"]
        running.backend.button.press()
        await running.until(lambda: running.state()["table"]["launcher"]["last"] is not None)
        await running.until(lambda: running.state()["table"]["launcher"]["shot"] is None)
        assert running.state()["table"]["seats"][seat]["hand"] == before + 2
        assert len(running.state(seat)["mine"][0]["hand"]) == before + 2

    running = with_table(tmp_path, play, always(2))
    versions = [(each.epoch, each.version) for each in running.heard]
    assert versions == sorted(set(versions)), "every version once, in order"


def test_who_comes_late_is_told_how_long_a_tap_may_still_be_taken_back(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        for name in ("Ann", "Bo"):
            assert (await running.do(Who(name), do="sit", name=name))["ok"]
        assert (await running.do(HOST, do="start"))["ok"]
        seat = running.state()["table"]["turn"]
        card = next(move["card"] for move in running.state(seat)["mine"][0]["moves"] if not move["colours"])
        before = running.table.current()
        who = Who(("Ann", "Bo")[seat], seats=frozenset({seat}))
        assert (await running.do(who, do="play", seat=seat, card=card))["ok"]
        await running.until(lambda: running.table.version > before.version)
        running.clock.ahead = 7.0
        missed = running.table.since(before.epoch, before.version)
        assert missed
        for frame in (running.state(), json.loads(missed[-1].frame(frozenset()))):
            assert frame["table"]["takeBack"]["seconds"] == pytest.approx(3, abs=0.5)

    with_table(tmp_path, play)


def test_cards_seen_at_the_beam_of_a_toy_reach_the_listeners(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        for name in ("Ann", "Bo"):
            assert (await running.do(Who(name), do="sit", name=name))["ok"]
        assert (await running.do(HOST, do="start", physical=True))["ok"]
        assert (await running.do(HOST, do="start-card", card="red 5"))["ok"]
        running.backend.toy.shoot(3)
        await running.until(lambda: running.state()["table"]["launcher"]["last"] is not None)
        table = running.state()["table"]
        assert table["launcher"]["last"] == {"seat": 0, "cards": 3, "certainty": "exact"}
        assert table["seats"][0]["hand"] == 10

    with_table(tmp_path, play, machine="watch-twin")


def test_a_page_that_comes_back_gets_what_it_missed_or_is_told_to_take_all(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        table = running.table
        epoch, version = table.epoch, table.version
        for name in ("Ann", "Bo", "Cy"):
            await running.do(Who(name), do="sit", name=name)
        missed = table.since(epoch, version)
        assert missed is not None
        assert [each.version for each in missed] == [version + 1, version + 2, version + 3]
        assert table.since(epoch, version + 3) == []
        assert table.since(epoch, version + 4) is None
        assert table.since(epoch - 1, version) is None
        assert table.since(epoch, -5) is None
        await running.do(HOST, do="start")
        assert table.since(epoch, version) is None

    with_table(tmp_path, play)


def test_one_listener_that_fails_keeps_nobody_else_from_being_told(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        errors: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: errors.append(context))

        def broken(publication: Publication) -> None:
            raise OSError("a dead socket")

        running.table.subscribe(broken)
        later: list[Publication] = []
        stop = running.table.subscribe(later.append)
        assert (await running.do(Who("a"), do="sit", name="Ann"))["ok"]
        assert len(later) == len(errors) == 1
        stop()
        stop()
        assert (await running.do(Who("b"), do="sit", name="Bo"))["ok"]
        assert len(later) == 1

    with_table(tmp_path, play)


def test_bots_play_in_real_time(tmp_path: Path) -> None:
    async def play(running: Running) -> None:
        for _ in range(2):
            await running.do(HOST, do="add-bot")
        await running.do(HOST, do="start", options={"hand_size": 3})
        await running.until(lambda: running.state()["table"]["launcher"]["last"] is not None)

    running = with_table(tmp_path, play)
    assert running.journal.failure is None


def test_an_error_inside_stops_the_launcher_and_ends_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = Running(tmp_path)

    async def evening() -> None:
        running.table.start()
        task = asyncio.create_task(running.table.run())
        monkeypatch.setattr(running.table._core, "handle", lambda message, now: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            running.table.presence(frozenset({1}))
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(task, 10)
        fault = running.backend.launcher.status().fault
        assert fault is not None
        assert fault.code == "halted"

    run(evening())
    running.backend.close()
    running.journal.close()


def test_when_nothing_can_be_written_nothing_leaves_and_the_launcher_stands_still(
    make_stand: MakeStand, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    stand = make_stand(settings=replace(SETTINGS, suspense=0.0), profile=always(3))
    for name in ("Ann", "Bo"):
        stand.do(Who(name), do="sit", name=name)
    stand.do(HOST, do="start")
    phones = [Who("Ann", seats=frozenset({0})), Who("Bo", seats=frozenset({1}))]
    seat = stand.table()["turn"]
    hands = [seat["hand"] for seat in stand.table()["seats"]]
    version = stand.published[-1][1].version
    with no_room_beyond((stand.place / f"{DATABASE}-wal").stat().st_size):
        answers: list[Answer] = []
        again: list[Answer] = []
        stand.send(phones[seat], answers.append, id="p", do="press", seat=seat)
        stand.send(phones[seat], again.append, id="p", do="press", seat=seat)
        stand.send(HOST, again.append, do="rename", seat=1, name="Cy")  # it was done, and will be forgotten
        stand.run()
        (lost,) = answers
        assert [(answer["id"], answer["ok"]) for answer in again] == [("p", False), ("c6", False)]
        assert (lost["ok"], lost["reason"]) == (False, "fault"), (
            "never written down: nothing came of it, and it is said"
        )
        assert "journal" in str(lost["text"])
        assert stand.backend.twin.out == 0
        last = stand.published[-1][1]
        assert last.version == version + 1
        table = stand.table()
        assert table["launcher"]["state"] == "fault"
        assert table["launcher"]["fault"]["code"] == "journal"
        assert table["launcher"]["fault"]["remedy"] == "Make room on the disk or mend it, then start the table again."
        assert [seat["hand"] for seat in table["seats"]] == hands
        fault = stand.backend.launcher.status().fault
        assert fault is not None
        assert fault.code == "halted"
        answer = stand.tell(phones[seat], do="press", seat=seat)
        assert answer is not None
        assert (answer["ok"], answer["reason"]) == (False, "fault")
        assert "journal" in str(answer["text"])
        stand.pass_time(3)
        assert stand.backend.twin.out == 0
