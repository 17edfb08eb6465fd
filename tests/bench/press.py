"""From the finger to the motor with ten phones connected, beside the barest gpiozero program and a commit alone.

The table is joined as `uno-attack play` joins it; only the twin's machine is a swift one that fires one card at every
press, so that hundreds of presses fit in a minute. Before each press of the table comes one of each baseline.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from gpiozero import Button, Motor
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.commands import play
from controller.journal import Journal
from controller.odds import Hazard, OddsProfile, Sizes
from controller.table import Settings, Table, Who
from hardware.clock import RealClock
from hardware.pins import PinMap
from hardware.ports import ShotOrder
from hardware.settings import LauncherSettings
from hardware.twin import FULL_HOPPER, TwinBackend
from hardware.twin_physics import Physics
from tests.bench.figures import latency
from web_companion.app import build_app
from web_companion.codes import codes_of
from web_companion.server import serve
from web_companion.sessions import Sessions

PHONES = 10
SEATS = 9
SAMPLES = 300
WARM_UP = 20
PAUSE = 0.08  # seconds of quiet before each thing measured; the twin's finger stays on the button for 70 ms
DEADLINE = 3.0  # seconds after which a press that moved no motor counts as refused
SUSPENSE = 0.1
ONE_CARD = OddsProfile("one-card", "every press fires one card", Hazard((1.0,)), (Sizes.dice((1, 1)),))
SWIFT = Physics(interval_ms=(40, 40), card_ms=6, card_jitter=0, spin_up_ms=5, brake_ms=1, coast_ms=1)
LAUNCHER = LauncherSettings(
    rest_ms=0, card_ms=6, most_cards=1, duty_ms=30_000, brake_ms=0, retract_ms=0, settle_ms=10, lockout_ms=5
)
# Whoever is in turn may always press, and the turn moves on after it: presses alone keep the game going.
OPTIONS = {"voluntary_draw": True, "after_draw": "end", "hand_size": 3}
HOST = Who("bench", host=True)


@dataclass
class Figures:
    """Seconds, one of each for every press."""

    motor: list[float] = field(default_factory=list)
    lamp: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    commit: list[float] = field(default_factory=list)
    refused: int = 0


class Stamps:
    """When the pins of the table moved: stamped in whichever thread moved them."""

    def __init__(self, backend: TwinBackend) -> None:
        self._clock = backend.clock
        self.motor_up = threading.Event()
        self.pressed = self.motor = self.lamp = self.reveal = 0.0
        pins = backend.pins
        self._watch(backend, pins.button, self._button_moved)
        self._watch(backend, pins.in1, self._motor_moved)
        if pins.lamp is not None:
            self._watch(backend, pins.lamp, self._lamp_moved)
        launcher: Any = backend.launcher
        begin_shot = launcher.begin_shot

        def begin(order: ShotOrder) -> None:
            self.reveal = order.reveal_at
            begin_shot(order)

        launcher.begin_shot = begin

    def _watch(self, backend: TwinBackend, number: int, moved: Callable[[bool], None]) -> None:
        pin = backend.factory.pin(number)
        before = pin.wire

        def wire() -> None:
            moved(bool(pin.state))
            if before is not None:
                before()

        pin.wire = wire

    def forget(self) -> None:
        """Before the next press."""
        self.pressed = self.motor = self.lamp = self.reveal = 0.0
        self.motor_up.clear()

    def _button_moved(self, high: bool) -> None:
        if not high and not self.pressed:  # the first contact; bounces follow
            self.pressed = self._clock.now()

    def _motor_moved(self, high: bool) -> None:
        if high and not self.motor:
            self.motor = self._clock.now()
            self.motor_up.set()

    def _lamp_moved(self, high: bool) -> None:
        if self.pressed and not self.lamp:
            self.lamp = self._clock.now()


class BareProgram:
    """The barest gpiozero program: `button.when_pressed = motor.forward`."""

    def __init__(self) -> None:
        self._factory = MockFactory(pin_class=MockPWMPin)
        self._button = Button(5, pin_factory=self._factory)
        self._motor = Motor(17, 27, pin_factory=self._factory)
        self._button.when_pressed = self._motor.forward

    def press(self) -> float:
        """Seconds from the edge to the motor."""
        begun = perf_counter()
        self._factory.pin(5).drive_low()
        seconds = perf_counter() - begun
        if not self._motor.is_active:
            raise RuntimeError("the barest program did not turn its motor")
        self._motor.stop()
        self._factory.pin(5).drive_high()
        return seconds


class BareCommit:
    """One row of a shot's size, committed with the journal's settings, beside the journal's own file."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "bare.sqlite", isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute(
            "CREATE TABLE rows (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL) STRICT"
        )

    def write(self) -> float:
        """Seconds of one commit."""
        body = json.dumps(
            {"shot": 17, "seat": 3, "cards": 3, "odds": {"profile": "measured", "presses": 2}, "drawn": 900}
        )
        begun = perf_counter()
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute("INSERT INTO rows (kind, body) VALUES (?, ?)", ("shot", body))
        self._database.execute("COMMIT")
        return perf_counter() - begun

    def close(self) -> None:
        """Close the file."""
        self._database.close()


async def ask(table: Table, who: Who, **command: object) -> dict[str, object]:
    """Submit a command and wait for its answer. Raises `RuntimeError` for a refusal."""
    answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
    table.submit(who, {"id": f"bench {perf_counter()}", **command}, answer.set_result)
    said = await answer
    if not said["ok"]:
        raise RuntimeError(f"{command} was refused: {said}")
    return said


def picture(table: Table) -> dict[str, Any]:
    """The table as the host's page would show it."""
    state: dict[str, Any] = json.loads(table.current().frame(frozenset(), True))
    return dict(state["table"])


async def keep_a_game_going(table: Table) -> None:
    """See that a press is due: a new game when there is none, or when cards run short."""
    now = picture(table)
    if (
        now["phase"] == "playing"
        and now["pile"] > 5
        and now["due"] is not None
        and now["due"]["what"] in ("play", "hit")
    ):
        return
    if now["phase"] != "gathering":
        await ask(table, HOST, do="end")
    await ask(table, HOST, do="start", preset="attack", options=OPTIONS)


async def wait_until_ready(table: Table) -> None:
    """Until the launcher would take a press, or the deadline is over."""
    begun = perf_counter()
    while picture(table)["launcher"]["state"] != "ready" or picture(table)["launcher"]["shot"] is not None:
        if perf_counter() - begun > DEADLINE:
            raise RuntimeError(f"the launcher is not ready: {picture(table)['launcher']}")
        await asyncio.sleep(0.01)


@asynccontextmanager
async def table_with_phones(
    folder: Path, suspense: float, count: int = PHONES, launcher: LauncherSettings = LAUNCHER
) -> AsyncIterator[tuple[Table, TwinBackend]]:
    """A table with nine seated phones and the others watching, all connected."""
    clock = RealClock()
    backend = TwinBackend(clock, launcher, PinMap(), seed=1, physics=SWIFT)
    journal = Journal(folder)
    table = Table(journal, backend, clock, Settings(suspense=suspense), ONE_CARD, seed="bench")
    table.start()
    sessions, codes = Sessions(journal), codes_of(journal)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    app = build_app(table, sessions, codes, lambda: "http://127.0.0.1")
    tasks = [
        asyncio.create_task(table.run()),
        asyncio.create_task(serve(app, "127.0.0.1", 0, port.set_result)),
    ]
    tokens = []
    for number in range(count):
        token, session = sessions.create()
        tokens.append(token)
        if number < SEATS:
            await ask(table, Who(session.id), do="sit", name=f"Phone {number + 1}")
    origin = f"http://127.0.0.1:{await port}"
    phones = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.phones", origin, *tokens,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert phones.stdin is not None
    assert phones.stdout is not None
    try:
        if await phones.stdout.readline() != b"connected\n":
            raise RuntimeError("the phones could not connect")
        yield table, backend
    finally:
        phones.stdin.close()
        await phones.wait()
        await asyncio.to_thread(backend.close)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        journal.close()


async def measure(suspense: float) -> Figures:
    """The figures of `SAMPLES` presses; with suspense the motor counts from the reveal."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commit, bare = BareCommit(folder), BareProgram()
        async with table_with_phones(folder, suspense) as (table, backend):
            stamps = Stamps(backend)
            for number in range(WARM_UP + SAMPLES):
                await wait_until_ready(table)
                await keep_a_game_going(table)
                backend.twin.load(FULL_HOPPER)
                # The baselines while all is quiet, so that the table's own work does not slow them.
                await asyncio.sleep(PAUSE)
                bare_press = await asyncio.to_thread(bare.press)
                bare_commit = await asyncio.to_thread(commit.write)
                await asyncio.sleep(PAUSE)
                stamps.forget()
                # From another thread, as a pin's edge comes on a Pi.
                await asyncio.to_thread(backend.twin.press)
                if not await asyncio.to_thread(stamps.motor_up.wait, DEADLINE):
                    figures.refused += 1
                elif number >= WARM_UP:
                    figures.motor.append(stamps.motor - (stamps.reveal if suspense else stamps.pressed))
                    figures.lamp.append(stamps.lamp - stamps.pressed)
                    figures.bare.append(bare_press)
                    figures.commit.append(bare_commit)
        commit.close()
    return figures


def run() -> None:
    """Print the figures of this bench."""
    sys.setswitchinterval(play._SWITCH_INTERVAL)
    at_once = asyncio.run(measure(0.0))
    latency("commit alone", at_once.commit)
    latency("barest gpiozero: press to motor", at_once.bare)
    latency("suspense 0: press to motor", at_once.motor, at_once.commit)
    latency("suspense 0: press to lamp", at_once.lamp, at_once.commit)
    later = asyncio.run(measure(SUSPENSE))
    latency(f"commit alone, beside suspense {SUSPENSE * 1e3:.0f} ms", later.commit)
    latency(f"suspense {SUSPENSE * 1e3:.0f} ms: reveal to motor", later.motor, later.commit)
    latency(f"suspense {SUSPENSE * 1e3:.0f} ms: press to lamp", later.lamp, later.commit)
    refused = at_once.refused + later.refused
    print(f"  {PHONES} phones; ×: times the commit alone (aim: p99 at most twice); {refused} presses refused")
