"""The serial bridge: a command there and back, and a button's event, over a simulated line at 115200 baud.

Beside the time that the bytes themselves are on the wire, which no program can save. The real firmware runs on a
simulated chip at the pace of the clock, so a busy machine is measured as well. Also with the chip's own clock: how long
the firmware alone takes, from the last byte of a question to the first of its answer.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from firmware_bridge.frames import Frame, encode
from firmware_bridge.headers import config
from firmware_bridge.identity import identify
from firmware_bridge.link import Answer, Link
from firmware_bridge.messages import ANSWER, BAUD, WHO, Event, Input, Kind, Level, Status, Switch, Told, Wired
from firmware_bridge.port import SerialPort
from hardware.settings import LauncherSettings
from tests.bench.figures import latency, line, quantile
from tests.bridge.core import make
from tests.bridge.simulator import Host, Simulator

COMMANDS = 500
PRESSES = 60
BITS = 10  # of a byte on the wire: a start and a stop bit with it
DEADLINE = 5.0


def run() -> None:
    """Build, measure and print."""
    with tempfile.TemporaryDirectory() as place:
        build = Path(place)
        make("all", build)
        make("simulator", build)
        _firmware_alone(build)
        with Simulator(build, build, build / "port") as chip:
            _over_the_line(chip)


def on_the_wire(*frames: Frame) -> float:
    """Seconds that these frames take at the line's speed."""
    return sum(len(encode(frame)) for frame in frames) * BITS / BAUD


def _over_the_line(chip: Simulator) -> None:
    port = SerialPort(str(chip.port))
    told: list[tuple[float, Event]] = []
    link = Link(port.write, lambda event: told.append((time.perf_counter(), event)))
    try:
        identify(port, str(chip.port), time.monotonic)
        link.hello(time.monotonic(), lambda answer: None)
        _ask(port, link, Kind.CONFIG, config(LauncherSettings(), Wired.BEAM))
        _ask(port, link, Kind.ARM, Switch(1).pack())
        trips = [_ask(port, link, Kind.STATUS) for _ in range(COMMANDS)]
        status = Frame(Kind.STATUS | ANSWER, 1, bytes(1 + Status.layout.size))
        _beside("a command and its answer", trips, on_the_wire(Frame(Kind.STATUS, 1), status))
        presses = [_press(chip, port, link, told) for _ in range(PRESSES)]
        level = Level(Told.LEVEL, 1, Input.BUTTON, 1)
        _beside("the button, from its pin to this program", presses, on_the_wire(Frame(Kind.EVENT, 1, level.pack())))
    finally:
        port.close()


def _beside(label: str, seconds: list[float], wire: float) -> None:
    latency(label, seconds)
    times = f"×{quantile(seconds, 0.5) / wire:.2f} at p50, ×{quantile(seconds, 0.99) / wire:.2f} at p99"
    line("  its bytes alone, on the wire", f"{wire * 1e3:8.3f} ms", f"({times})")


def _ask(port: SerialPort, link: Link, kind: Kind, payload: bytes = b"") -> float:
    """One question; seconds until its answer is there."""
    done: list[Answer] = []
    begun = time.perf_counter()
    link.ask(time.monotonic(), kind, payload, done.append)
    while not done:
        link.hear(time.monotonic(), port.read(0.05))
        link.tick(time.monotonic())
        if link.failure:
            raise RuntimeError(link.failure)
    return time.perf_counter() - begun


def _press(chip: Simulator, port: SerialPort, link: Link, told: list[tuple[float, Event]]) -> float:
    """A press of the chip's button; seconds until its event is here. Its release is waited for, too."""
    told.clear()
    begun = time.perf_counter()
    chip.tell("press 35")
    while len(told) < 2:
        if time.perf_counter() > begun + DEADLINE:
            raise RuntimeError(f"a press was not told: {told}")
        link.hear(time.monotonic(), port.read(0.01))
        if link.idle and time.perf_counter() > begun + 0.05:
            link.ask(time.monotonic(), Kind.PING)  # it is armed, and wants a word
    return told[0][0] - begun


def _firmware_alone(build: Path) -> None:
    """By the chip's own clock: nothing of this machine is in it."""
    with Simulator(build, build) as chip:
        chip.run(20)
        host = Host(chip)
        host.ask(Kind.HELLO, WHO)
        host.ask(Kind.CONFIG, config(LauncherSettings(), Wired.BEAM))
        wire = on_the_wire(Frame(Kind.STATUS, 1), Frame(Kind.STATUS | ANSWER, 1, bytes(1 + Status.layout.size)))
        trips = []
        for _ in range(100):
            chip.run(3.7)
            begun = chip.now()
            host.ask(Kind.STATUS, milliseconds=15)
            trips.append(chip.heard[-1][0] - begun)
        _beside("the same in the chip's own time", trips, wire)
