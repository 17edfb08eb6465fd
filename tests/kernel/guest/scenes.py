"""Scenes with the backend in our own process. Each plays and tells what it saw; the tests on the host judge."""

from __future__ import annotations

import time
from contextlib import chdir
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware.ports import ButtonPressed, HardwareEvent, ShotOrder
from tests.kernel.guest.diary import Facts
from tests.kernel.guest.stage import Stage, held_lines


def chip_by_label(stage: Stage) -> Facts:
    """The backend is told no number. In an empty folder, and before anybody has imported lgpio."""
    with TemporaryDirectory() as folder, chdir(folder), stage.table():
        held, decoy = held_lines(stage.header), held_lines(stage.decoy)
        left_here = [path.name for path in Path().iterdir()]
    return {
        "header": stage.header.name,
        "held": held,
        "held of decoy": decoy,
        "left here": left_here,
        "held afterwards": held_lines(stage.header),
        "levels": stage.levels(),
    }


def whole_shot(stage: Stage) -> Facts:
    """A press of the button, and three cards."""
    stage.machine.do("load", "10")
    with stage.table() as table:
        mark = stage.machine.mark()

        def fire(event: HardwareEvent) -> None:
            if isinstance(event, ButtonPressed):
                table.backend.launcher.begin_shot(ShotOrder(1, 3, event.at))

        table.also = fire
        stage.machine.do("press")
        ended = table.heard.wait(0, event="ShotEnded")
        table.heard.wait(0, event="ButtonReleased")
        stage.machine.off(mark)
        return {"ended": ended, "heard": table.heard.since(), "machine": stage.machine.since(mark)}


def lid_opened(stage: Stage) -> Facts:
    """The lid is opened while the second of ten cards leaves; then closed, and the fault cleared."""
    stage.machine.do("load", "10")
    with stage.table() as table:
        mark = stage.machine.mark()
        table.backend.launcher.begin_shot(ShotOrder(2, 10, time.monotonic()))
        stage.machine.second_card(mark)
        stage.machine.do("lid", "open")
        ended = table.heard.wait(0, event="ShotEnded")
        stage.machine.off(mark)
        launcher = table.backend.launcher
        stands = launcher.clear_fault()
        status = launcher.status()
        stage.machine.do("lid", "closed")
        closed = table.heard.mark()
        cleared = launcher.clear_fault()
        table.ready(closed)
        return {
            "ended": ended,
            "status": asdict(status),
            "still stands": None if stands is None else stands.code,
            "after closing": None if cleared is None else cleared.code,
            "machine": stage.machine.since(mark),
        }


def exception_in_a_callback(stage: Stage) -> Facts:
    """Whoever listens fails at the press, in the thread that brings every edge; then everything else is tried."""
    stage.machine.do("load", "10")
    with stage.table() as table:

        def fail(event: HardwareEvent) -> None:
            if isinstance(event, ButtonPressed):
                raise RuntimeError("a mistake of the listener's")

        table.also = fail
        stage.machine.do("press")
        table.heard.wait(0, event="ButtonReleased")
        again = table.heard.mark()
        stage.machine.do("press")
        table.heard.wait(again, event="ButtonPressed")
        mark = stage.machine.mark()
        table.backend.launcher.begin_shot(ShotOrder(3, 2, time.monotonic()))
        ended = table.heard.wait(0, event="ShotEnded")
        stage.machine.off(mark)
        lid = table.heard.mark()
        stage.machine.do("lid", "open")
        fault = table.heard.wait(lid, event="LauncherChanged", state="fault")
        return {"ended": ended, "fault": fault, "presses": len(_presses(table.heard.since()))}


def press_to_motor(stage: Stage) -> Facts:
    """Ten presses: how long from the button's edge until enable is high, by the machine's own look at the line."""
    stage.machine.do("load", "50")
    with stage.table(rest_ms=0) as table:
        begun = stage.machine.mark()

        def fire(event: HardwareEvent) -> None:
            if isinstance(event, ButtonPressed):
                table.backend.launcher.begin_shot(ShotOrder(4, 1, event.at))

        table.also = fire
        for _ in range(10):
            heard = table.heard.mark()
            stage.machine.do("time")
            table.heard.wait(heard, event="ShotEnded")
            table.heard.wait(heard, event="ButtonReleased")
        answers = [fact["value"] for fact in stage.machine.since(begun) if fact["what"] == "answer"]
        return {"seconds": answers}


def _presses(heard: list[Facts]) -> list[Facts]:
    return [fact for fact in heard if fact["event"] == "ButtonPressed"]


SCENES = (chip_by_label, whole_shot, lid_opened, exception_in_a_callback, press_to_motor)
