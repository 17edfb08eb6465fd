"""The firmware on a simulated ATmega328P: the simulator's process, and its control socket."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.frames import Decoder, Frame, encode
from firmware_bridge.messages import ANSWER, EVENTS, Event, Hello, Kind, Status
from tests.patience import DEADLINE

# Where what is wired: docs/bridge.md.
ENABLE, IN1, IN2, LAMP, BUZZER, LED = "D7", "B0", "B1", "B2", "B3", "B5"
BUTTON, LID, BEAM, BEAM2, STOP = "D2", "D3", "D4", "D5", "D6"


class Simulator:
    """`with Simulator(build) as chip:` in virtual time; with `port` at the pace of the clock, its UART on that port."""

    def __init__(self, build: Path, place: Path, port: Path | None = None) -> None:
        self.port = port
        self.edges: list[tuple[str, bool, float]] = []  # pin, level, seconds of the chip's life
        self.heard: list[tuple[float, Frame]] = []  # in virtual time: what the chip said, and when its last byte came
        self._decoder = Decoder()
        words = [str(build / "simulator"), str(build / "firmware.elf"), str(place / "control")]
        self._process = subprocess.Popen([*words, str(port)] if port else words, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        if port is not None:
            with suppress(PermissionError):  # a chip of its own is not kept waiting by other programs, either
                os.sched_setscheduler(self._process.pid, os.SCHED_RR, os.sched_param(1))
        while (line := self._process.stdout.readline()) != "ready\n":
            assert line, "the simulator did not start"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(DEADLINE)
        self._socket.connect(str(place / "control"))
        self._lines = self._socket.makefile("r")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, where: TracebackType | None) -> None:
        self._lines.close()
        self._socket.close()
        self._process.terminate()
        self._process.wait(DEADLINE)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def tell(self, command: str) -> str:
        """Give a command; its answer without `ok`."""
        self._socket.sendall(f"{command}\n".encode())
        while True:
            line = self._lines.readline()
            assert line, f"the simulator has ended at {command!r}"
            word, _, rest = line.strip().partition(" ")
            if word == "ok":
                return rest
            assert word != "no", f"{command}: {rest}"
            self._note(word, rest.split())

    def run(self, milliseconds: float) -> None:
        """Let virtual time pass."""
        self.tell(f"run {round(milliseconds * 1000)}")

    def set(self, pin: str, level: bool) -> None:
        """Drive an input."""
        self.tell(f"set {pin} {int(level)}")

    def level(self, pin: str) -> bool:
        """A pin's level."""
        return self.tell(f"get {pin}") == "1"

    def now(self) -> float:
        """Seconds of the chip's life."""
        return int(self.tell("time")) / 1e6

    def pulses(self, pin: str) -> list[tuple[float, float]]:
        """When an output was high: (from, until); until = now where it still is."""
        found: list[tuple[float, float]] = []
        since: float | None = None
        now = self.now()  # reads what has been told of edges meanwhile
        for name, level, at in self.edges:
            if name == pin and level:
                since = at
            elif name == pin and since is not None:
                found.append((since, at))
                since = None
        return found if since is None else [*found, (since, now)]

    # --- in virtual time, without a host program -------------------------------------------------------------------

    def send(self, frame: Frame) -> None:
        """A frame from the host; its bytes arrive as time passes."""
        self.tell(f"send {encode(frame).hex()}")

    def answers(self, kind: Kind) -> list[tuple[int, Status]]:
        """The answers to this kind so far: result and status."""
        return [
            (frame.payload[0], Status.unpack(frame.payload[1:]))
            for _, frame in self.heard
            if frame.kind == kind | ANSWER
        ]

    def hellos(self) -> list[Hello]:
        """Every HELLO so far."""
        return [Hello.unpack(frame.payload[1:]) for _, frame in self.heard if frame.kind == Kind.HELLO | ANSWER]

    def events(self) -> list[Event]:
        """Every event so far, each once."""
        frames: dict[int, Frame] = {f.sequence: f for _, f in self.heard if f.kind == Kind.EVENT}
        return [EVENTS[frame.payload[0]].unpack(frame.payload) for frame in frames.values()]

    def _note(self, word: str, rest: list[str]) -> None:
        if word == "edge":
            self.edges.append((rest[0], rest[1] == "1", int(rest[2]) / 1e6))
        elif word == "uart":
            for frame in self._decoder.feed(bytes.fromhex(rest[0])):
                self.heard.append((int(rest[1]) / 1e6, frame))


class Host:
    """The host's side of a conversation in virtual time, step by step: asks, waits, acknowledges."""

    def __init__(self, chip: Simulator) -> None:
        self.chip = chip
        self.sequence = 0
        self._seen = 0
        self.silent = False

    def ask(self, kind: Kind, payload: bytes = b"", milliseconds: float = 20) -> None:
        """Ask, and let time pass."""
        self.sequence = self.sequence % 255 + 1
        self.chip.send(Frame(kind, self.sequence, payload))
        self.run(milliseconds, ping=False)

    def run(self, milliseconds: float, ping: bool = True) -> None:
        """Let time pass; meanwhile answer events, and ping."""
        while milliseconds > 0:
            self.chip.run(min(20, milliseconds))
            milliseconds -= 20
            new = self.chip.heard[self._seen :]
            self._seen = len(self.chip.heard)
            for _, frame in new:
                if frame.kind == Kind.EVENT and not self.silent:
                    self.chip.send(Frame(Kind.EVENT | ANSWER, frame.sequence))
            if ping and not self.silent:
                self.ask(Kind.PING, milliseconds=5)
