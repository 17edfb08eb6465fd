"""Scenes with programs that are ended, killed, frozen or refused. Each plays and tells what it saw."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kernel.guest.diary import Facts, Program
from tests.kernel.guest.stage import Stage, held_lines

CARDS = 10


class Shooter(Program):
    """`tests.kernel.guest.shooter`, with its guardian."""

    def __init__(self) -> None:
        self.log = Path(tempfile.mkdtemp()) / "guardian.log"
        super().__init__("tests.kernel.guest.shooter", str(self.log))

    def guardian_said(self) -> str:
        """What its guardian has written down."""
        return self.log.read_text() if self.log.exists() else ""


@contextmanager
def shooter(stage: Stage) -> Iterator[Shooter]:
    """One that is ready to fire."""
    stage.machine.do("load", "50")
    program = Shooter()
    try:
        program.wait(0, state="ready")
        yield program
    finally:
        program.kill()


def holder(stage: Stage, line: int) -> Program:
    """Another program, which holds this line of the header high."""
    program = Program("tests.kernel.guest.holder", stage.header.name.removeprefix("gpiochip"), str(line))
    program.wait(0, held=True)
    return program


def let_go_low(stage: Stage, line: int) -> None:
    """Claim a line low ourselves, and let go of it."""
    import lgpio  # not before the backend under test has imported it in its own way

    chip = lgpio.gpiochip_open(int(stage.header.name.removeprefix("gpiochip")))
    lgpio.gpio_claim_output(chip, line, 0)
    lgpio.gpiochip_close(chip)


def in_mid_shot(stage: Stage, program: Shooter) -> int:
    """Two of ten cards have left; where the machine's diary was before."""
    mark = stage.machine.mark()
    program.tell("fire", CARDS)
    stage.machine.second_card(mark)
    return mark


def ended_by(stage: Stage, program: Shooter, number: signal.Signals) -> Facts:
    """Send the signal in mid-shot and wait until the program and its guardian are gone."""
    mark = in_mid_shot(stage, program)
    lines = held_lines(stage.header)
    at = time.monotonic()
    program.send(number)
    code, said = program.end()
    off = stage.machine.off(mark)
    return {
        "code": code,
        "said": said,
        "guardian": program.guardian_said(),
        "off after": off["at"] - at,
        "machine": stage.machine.since(mark),
        "told": program.since(),
        "held before": lines,
        "held": held_lines(stage.header),
        "levels": stage.levels(),
    }


def sigterm(stage: Stage) -> Facts:
    """Told to end in mid-shot."""
    with shooter(stage) as program:
        return ended_by(stage, program, signal.SIGTERM)


def sigkill(stage: Stage) -> Facts:
    """Killed in mid-shot."""
    with shooter(stage) as program:
        return ended_by(stage, program, signal.SIGKILL)


def sigstop(stage: Stage) -> Facts:
    """Frozen in mid-shot."""
    with shooter(stage) as program:
        return ended_by(stage, program, signal.SIGSTOP)


def killed_without_guardian(stage: Stage) -> Facts:
    """What the stand does with a line whose holder is killed: the measure for `sigkill` and `sigstop`."""
    line = stage.pins.enable
    program = holder(stage, line)
    held = held_lines(stage.header)
    program.kill()
    high = stage.header.level(line)
    afterwards = held_lines(stage.header)
    let_go_low(stage, line)
    return {"held": held, "high": high, "held afterwards": afterwards, "high at last": stage.header.level(line)}


def second_process(stage: Stage) -> Facts:
    """Another table wants the same pins; then the first one fires."""
    with shooter(stage) as first:
        second = Shooter()
        code, said = second.end()
        mark = stage.machine.mark()
        first.tell("fire", 1)
        ended = first.wait(0, event="ShotEnded")
        stage.machine.off(mark)
        return {"first": first.pid, "code": code, "said": said, "told": second.since(), "ended": ended}


def pin_in_use(stage: Stage) -> Facts:
    """A program that is no table holds the beam's line."""
    assert stage.pins.beam is not None
    other = holder(stage, stage.pins.beam)
    try:
        table = Shooter()
        code, said = table.end()
        return {"other": other.pid, "code": code, "said": said, "told": table.since(), "held": held_lines(stage.header)}
    finally:
        other.kill()


def dead_edges(stage: Stage) -> Facts:
    """The thread that brings every edge dies in mid-shot, and nobody says so."""
    with shooter(stage) as program:
        program.tell("break edges")
        program.wait(0, broken=True)
        mark = in_mid_shot(stage, program)
        stage.machine.do("press")
        pressed = stage.machine.wait(mark, what="button", value=False)
        off = stage.machine.off(mark)
        ended = program.wait(0, event="ShotEnded")
        fault = program.wait(0, event="LauncherChanged", state="fault")
        program.send(signal.SIGTERM)
        code, said = program.end()
        return {"off after": off["at"] - pressed["at"], "ended": ended, "fault": fault, "code": code, "said": said}


SCENES = (killed_without_guardian, sigterm, sigkill, sigstop, second_process, pin_in_use, dead_edges)
