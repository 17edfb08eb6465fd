"""What systemd is told, by the real protocol on a real socket; and who must tick before its watchdog is fed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.supervision import Supervisor, watch
from tests.loops import run
from tests.systemd.manager import Manager


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.close()


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), **more}


def test_it_is_told_ready_a_status_and_the_end(tmp_path: Path, manager: Manager) -> None:
    supervisor = Supervisor(environment(tmp_path))
    supervisor.ready()
    supervisor.status("2 at the table,\n a game is on")
    supervisor.status("2 at the table,\n a game is on")
    supervisor.stopping()
    supervisor.close()
    supervisor.ready()  # after the end nothing is told, and nothing fails
    manager.hear()
    assert manager.heard == [
        "READY=1", "STATUS=2 at the table, a game is on", "STOPPING=1", "STATUS=ending: the motor is off first",
    ]  # fmt: skip


def test_a_socket_without_a_file_is_understood() -> None:
    name = f"uno-attack-test-{os.getpid()}"
    manager = Manager(f"\0{name}")
    supervisor = Supervisor({"NOTIFY_SOCKET": f"@{name}"})
    supervisor.ready()
    manager.hear()
    supervisor.close()
    manager.close()
    assert manager.heard == ["READY=1"]


def test_without_systemd_nothing_is_told_and_nothing_watched() -> None:
    supervisor = Supervisor({"WATCHDOG_USEC": "3000000"})
    supervisor.ready()
    assert supervisor.watchdog is None
    run(watch(supervisor, {}, str))  # ends at once


def test_nobody_listening_harms_nothing(tmp_path: Path) -> None:
    supervisor = Supervisor(environment(tmp_path))
    supervisor.ready()
    supervisor.close()


@pytest.mark.parametrize(
    ("more", "seconds"),
    [
        ({"WATCHDOG_USEC": "3000000"}, 3.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}, 3.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_interval_is_systemds_and_for_this_process(
    tmp_path: Path, more: dict[str, str], seconds: float | None
) -> None:
    supervisor = Supervisor(environment(tmp_path, **more))
    assert supervisor.watchdog == seconds
    supervisor.close()


class Part:
    """Something that ticks, until it does not."""

    def __init__(self) -> None:
        self.alive = True

    def tick(self, ticked: Callable[[], None]) -> None:
        if self.alive:
            ticked()


async def watched(supervisor: Supervisor, manager: Manager, parts: dict[str, Part]) -> None:
    """Kill each part in turn: the feeding ends, is explained, and goes on when the part is alive again."""
    watching = asyncio.create_task(
        watch(supervisor, {name: part.tick for name, part in parts.items()}, lambda: "all is well")
    )
    for name, part in parts.items():
        await asyncio.to_thread(manager.wait_for, "WATCHDOG=1")
        part.alive = False
        await asyncio.to_thread(manager.wait_for, f"STATUS=no sign of life: {name}")
        manager.heard.clear()
        for _ in range(10):
            await asyncio.sleep(0)
        await asyncio.to_thread(manager.hear, 0.2)
        assert manager.heard == []  # neither food nor anything new to say
        part.alive = True
        await asyncio.to_thread(manager.wait_for, "STATUS=all is well")
        manager.heard.clear()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


def test_it_is_fed_only_when_every_part_has_ticked(tmp_path: Path, manager: Manager) -> None:
    supervisor = Supervisor(environment(tmp_path, WATCHDOG_USEC="60000"))
    parts = {name: Part() for name in ("table", "launcher thread", "edge thread")}
    run(watched(supervisor, manager, parts))
    supervisor.close()
