"""Scenes with programs that are ended, killed, frozen or refused. Each plays and tells what it saw."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests.kernel.guest.diary import Facts, Program
from tests.kernel.guest.stage import Stage, held_lines

CARDS = 10


class Guarded(Program):
    """A program with a launcher and a guardian."""

    def __init__(self, module: str, *arguments: str) -> None:
        """The last argument is a folder of its own, where the guardian's log goes."""
        self.folder = Path(mkdtemp())
        super().__init__(module, *arguments, str(self.folder))

    def guardian_said(self) -> str:
        """What its guardian has written down."""
        log = self.folder / "guardian.log"
        return log.read_text() if log.exists() else ""


class Shooter(Guarded):
    """`tests.kernel.guest.shooter`."""

    def __init__(self) -> None:
        super().__init__("tests.kernel.guest.shooter")

    def fire(self, cards: int) -> None:
        """Begin a shot."""
        self.tell("fire", cards)


class Fire(Guarded):
    """`uno-attack fire`: a shot of ten cards, as soon as it is ready."""

    def __init__(self) -> None:
        super().__init__("controller.cli", "fire", "-n", str(CARDS), "--backend", "gpio", "--yes", "--data")


class RealTable(Guarded):
    """`uno-attack play`, started by hand."""

    def __init__(self) -> None:
        super().__init__("controller.cli", "play", "--backend", "gpio", "--listen", "127.0.0.1:0", "--data")

    def fire(self, cards: int) -> None:
        """Ask for a service shot, as `uno-attack fire` does while a table runs; does not wait for its end."""
        with socket.socket(socket.AF_UNIX) as asks:
            asks.connect(str(self.folder / "control.sock"))
            asks.sendall(json.dumps({"do": "service-shot", "cards": cards}).encode() + b"\n")


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


def ended_by(stage: Stage, number: signal.Signals, program: Guarded, mark: int) -> Facts:
    """Two of ten cards after `mark`, the signal, and the end of the program and of its guardian."""
    try:
        stage.machine.second_card(mark)
        lines = held_lines(stage.header)
        at = time.monotonic()
        program.send(number)
        code, said = program.end()
        off = stage.machine.off(mark)
    finally:
        program.kill()
    return {
        "code": code,
        "said": said,
        "guardian": program.guardian_said(),
        "off after": off["at"] - at,
        "machine": stage.machine.since(mark),
        "held before": lines,
        "held": held_lines(stage.header),
        "levels": stage.levels(),
    }


def sigterm(stage: Stage) -> Facts:
    """A service shot is told to end."""
    stage.machine.do("load", "50")
    mark = stage.machine.mark()
    return ended_by(stage, signal.SIGTERM, Fire(), mark)


def sigstop(stage: Stage) -> Facts:
    """A service shot is frozen."""
    stage.machine.do("load", "50")
    mark = stage.machine.mark()
    return ended_by(stage, signal.SIGSTOP, Fire(), mark)


def sigkill(stage: Stage) -> Facts:
    """A table, with all that belongs to one, is killed."""
    stage.machine.do("load", "50")
    mark = stage.machine.mark()
    table = RealTable()
    table.wait_for(0, lambda fact: fact.get("line", "").startswith("ready "), what="word of its being ready")
    table.fire(CARDS)
    return ended_by(stage, signal.SIGKILL, table, mark)


def safe_off(stage: Stage) -> Facts:
    """The command, while another program holds enable high: first with good words, then in earnest."""
    other = holder(stage, stage.pins.enable)
    asked = Program("controller.cli", "safe-off")
    refused = asked.end()
    held = held_lines(stage.header)
    earnest = Program("controller.cli", "safe-off", "--kill")
    done = earnest.end()
    return {
        "other": other.pid,
        "refused": [*refused, asked.since()],
        "held in between": held,
        "done": [*done, earnest.since()],
        "other's end": other.end()[0],
        "held": held_lines(stage.header),
        "levels": stage.levels(),
    }


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
        first.fire(1)
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
        mark = stage.machine.mark()
        program.fire(CARDS)
        stage.machine.second_card(mark)
        stage.machine.do("press")
        pressed = stage.machine.wait(mark, what="button", value=False)
        off = stage.machine.off(mark)
        ended = program.wait(0, event="ShotEnded")
        fault = program.wait(0, event="LauncherChanged", state="fault")
        program.hang_up()
        code, said = program.end()
        return {"off after": off["at"] - pressed["at"], "ended": ended, "fault": fault, "code": code, "said": said}


SCENES = (killed_without_guardian, sigterm, sigstop, sigkill, safe_off, second_process, pin_in_use, dead_edges)
