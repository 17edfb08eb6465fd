"""Whatever we hand to somebody to be called raises: none of it may take the motor's supervision away.

Each is broken while a shot is under way; then somebody opens the lid, and the motor must be off in time all the same.
On real pins an exception in an edge's callback would end all inputs, silently.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hardware.ports import HardwareEvent, LampState
from tests.faults.room import HOST, Room, room
from tests.hardware.world import World, virtual
from tests.loops import run

LID = 0.0  # seconds from the lid's edge to a motor that is off, on the machine's clock
LOST_EDGE = 0.05  # the same where that edge itself was lost: the lid is read again so often while the motor is on


class Broken(Exception):
    """Made to happen."""


def fail(*_: object, **__: object) -> Any:
    raise Broken


def mid_shot(world: World) -> int:
    """A shot with some of its cards out; its number."""
    shot = world.begin(8, suspense=0.0)
    world.until(lambda: world.twin.out >= 2)
    assert world.level("enable")
    return shot


def lid_stops_it(world: World, within: float) -> None:
    """The lid is opened, and the motor is off `within` so many seconds, and the fault is latched."""
    opened = world.clock.now()
    world.twin.open_lid()
    world.run(1.0)
    assert not world.level("enable")
    assert world.pulses("enable")[-1][1] - opened <= within + 1e-9
    fault = world.launcher.status().fault
    assert fault is not None


def listener(world: World) -> None:
    launcher: Any = world.launcher
    launcher._listener = fail


def lid_edge(world: World) -> None:
    lines: Any = world.backend._lines
    lines._lid._on_edge = fail


def beam_edge(world: World) -> None:
    lines: Any = world.backend._lines
    lines._beam._on_edge = fail


def stop_edge(world: World) -> None:
    lines: Any = world.backend._lines
    lines._stop._on_edge = fail
    world.twin.press_stop()
    world.twin.release_stop()


def button_edge(world: World) -> None:
    lines: Any = world.backend._lines
    lines._button._on_edge = fail
    world.twin.press()


def button_listener(world: World) -> None:
    world.backend._listener = fail
    world.twin.press()


def lamp(world: World) -> None:
    lines: Any = world.backend._lines
    panel: Any = world.backend.signals
    lines.lamp = fail
    for part in vars(panel).values():
        if hasattr(part, "_write"):
            part._write = fail
    panel.lamp(LampState.FAULT)


def sign_of_life(world: World) -> None:
    for tick in world.backend.ticks().values():
        with suppress(Broken):  # where our own thread is the one to answer
            tick(fail)


@pytest.mark.parametrize(
    ("broken", "within"),
    [
        (listener, LID),
        (lid_edge, LOST_EDGE),
        (beam_edge, LID),
        (stop_edge, LID),
        (button_edge, LID),
        (button_listener, LID),
        (lamp, LID),
        (sign_of_life, LID),
    ],
)
def test_a_callback_of_the_machine_that_raises(broken: Callable[[World], None], within: float) -> None:
    world = virtual()
    mid_shot(world)
    broken(world)
    lid_stops_it(world, within)
    world.close()
    assert not world.level("enable")


def test_a_listener_that_raises_at_every_word_keeps_no_shot_from_its_end() -> None:
    told: list[HardwareEvent] = []

    def deaf(event: HardwareEvent) -> None:
        told.append(event)
        raise Broken

    world = virtual(on_event=deaf)
    shot = world.begin(3, suspense=0.0)
    world.until(lambda: bool(world.ends(shot)))
    assert world.ends(shot)[0].cards == 3
    assert not world.level("enable")
    world.ready()
    world.close()


def test_a_launcher_loop_that_raises_stops_the_motor_and_says_unknown() -> None:
    world = virtual()
    shot = mid_shot(world)
    counter: Any = world.launcher._counter  # type: ignore[attr-defined]
    counter.block = counter.clear = fail
    failed = world.clock.now()
    world.until(lambda: bool(world.ends(shot)))
    assert world.pulses("enable")[-1][1] - failed <= 0.2  # the next card
    assert world.ends(shot)[0].certainty == "unknown"
    fault = world.launcher.status().fault
    assert fault is not None
    assert fault.code == "internal"
    world.close()


# --- what the table hands to others


def on_the_loop(tmp_path: Path, broken: Callable[[Room], None], stops: bool) -> None:
    """Break something at a table in mid-shot; then the lid (unless `stops`: the failure itself must stop the motor)."""

    async def evening() -> None:
        async with room(tmp_path) as here:
            await here.mid_shot()
            moment = here.clock.now()
            broken(here)
            if not stops:
                await here.settle()
                assert here.motor()
                here.backend.twin.open_lid()
            await here.pass_time(0.2)
            assert here.off_after(moment) <= 0.01
            assert here.backend.launcher.status().fault is not None

    run(evening())


def page(here: Room) -> None:
    """A page that raises when it is told of a new version."""
    here.table.subscribe(fail)
    here.table.presence(frozenset({0}))


def answer(here: Room) -> None:
    here.table.submit(HOST, {"id": "another", "do": "rename", "seat": 0, "name": "Anna"}, fail)


def release(here: Room) -> None:
    """What the journal lets out after a commit raises."""
    here.journal.append([], fail)


def message(here: Room) -> None:
    """Handling a message raises: a mistake in the table."""
    here.table._post("no message at all")  # type: ignore[arg-type]
    core: Any = here.table._core
    core.handle = fail
    here.table._post("nor this")  # type: ignore[arg-type]


def timer(here: Room) -> None:
    """What the table set itself an alarm for raises."""
    core: Any = here.table._core
    core.wake = fail
    asyncio.get_running_loop().call_soon(here.table._wake)


@pytest.mark.parametrize("broken", [page, answer])
def test_a_callback_of_a_page_that_raises(tmp_path: Path, broken: Callable[[Room], None]) -> None:
    on_the_loop(tmp_path, broken, stops=False)


@pytest.mark.parametrize("broken", [release, message, timer])
def test_a_callback_of_the_table_that_raises(tmp_path: Path, broken: Callable[[Room], None]) -> None:
    on_the_loop(tmp_path, broken, stops=True)
