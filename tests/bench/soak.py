"""Phones that come and go for a while: memory, tasks and descriptors of the table, which must not grow.

`./uno bench soak --minutes 20`. Bots play meanwhile. Phones join with the code, open pages, say something, and leave
politely or without a word; each minute has a line.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from math import isnan, nan
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.bench.audience import Audience
from tests.bench.figures import line
from tests.bench.start import Running, started

LEAST, MOST = 1.0, 60.0  # minutes
AT_ONCE = 24  # phones that are there at the same time, on average
STAYS = (0.2, 12.0)  # seconds
WARM = 3.0  # minutes until everything that is kept has been kept once: versions, sessions, answers
SLOPE = 0.5  # megabytes a minute that pass for flat
COUNTED = "tasks"
ONE_BY_ONE = httpx.Limits(max_keepalive_connections=0)  # a connection kept for later may be closed by then


def serve(place: Path, arguments: Sequence[str]) -> None:
    """A table as it is, that writes down once a second how many tasks it has."""
    from controller.cli import main
    from controller.table import Table

    plain = Table.run

    async def counted(table: Table) -> None:
        counting = asyncio.create_task(_count(place / COUNTED))
        try:
            await plain(table)
        finally:
            counting.cancel()

    setattr(Table, "run", counted)  # noqa: B010  # the program itself has no use for it
    sys.exit(main(list(arguments)))


async def _count(file: Path) -> None:
    while True:
        await asyncio.to_thread(file.write_text, str(len(asyncio.all_tasks())), encoding="ascii")
        await asyncio.sleep(1.0)


class Figures:
    """Memory in megabytes, tasks and descriptors of the table, with their times in minutes."""

    def __init__(self, running: Running, place: Path) -> None:
        self._running = running
        self._place = place
        self._begun = time.monotonic()
        self.rows: list[tuple[float, float, int, int]] = []

    def take(self) -> tuple[float, float, int, int]:
        """Look, and keep what is seen."""
        with suppress(FileNotFoundError, ValueError):
            tasks = int((self._place / COUNTED).read_text(encoding="ascii"))
            descriptors = sum(1 for _ in Path(f"/proc/{self._running.process.pid}/fd").iterdir())
            minutes = (time.monotonic() - self._begun) / 60
            self.rows.append((minutes, self._running.resident_mb(), tasks, descriptors))
        return self.rows[-1]

    def slope(self) -> float:
        """Megabytes a minute since it was warm, by least squares; nan when that is too short a time to tell."""
        rows = [row for row in self.rows if row[0] >= WARM]
        if not rows or rows[-1][0] - rows[0][0] < 1.0:
            return nan
        middle = sum(row[0] for row in rows) / len(rows)
        weight = sum((row[0] - middle) ** 2 for row in rows)
        return sum((row[0] - middle) * row[1] for row in rows) / weight


async def come_and_go(origin: str, code: str, end: float, rng: random.Random, count: list[int]) -> None:
    """One phone after the other."""
    parts = urlsplit(origin)
    assert parts.hostname is not None
    assert parts.port is not None
    async with httpx.AsyncClient(
        base_url=origin, headers={"origin": origin}, timeout=30.0, limits=ONE_BY_ONE
    ) as client:
        while time.monotonic() < end:
            client.cookies.clear()
            who = {"watch": True} if rng.random() < 0.7 else {"name": f"Guest {rng.randrange(10**6)}"}
            await client.post("/api/v1/join", json={"code": code, **who})
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            audience = Audience((parts.hostname, parts.port))
            await audience.fill([cookie] * rng.randint(1, 3))
            audience.pages[0].say('{"t":"do","id":"a","do":"uno","seat":0}')
            await asyncio.sleep(min(rng.uniform(*STAYS), max(0.0, end - time.monotonic())))
            if who.get("name"):
                await client.post("/api/v1/do", json={"do": "stand", **who})
            await audience.close()
            count[0] += 1


async def soak(running: Running, place: Path, minutes: float) -> None:
    origin = running.said[-1].split()[1]
    code = next(said for said in running.said if said.startswith("phones: ")).rpartition("#")[2]
    async with httpx.AsyncClient(base_url=origin, headers={"origin": origin}, timeout=30.0) as host:
        (await host.post("/api/v1/host", json={})).raise_for_status()
        (await host.post("/api/v1/do", json={"do": "start", "preset": "attack"})).raise_for_status()
        await asyncio.sleep(2.0)
        figures = Figures(running, place)
        quiet = figures.take()
        end, count = time.monotonic() + minutes * 60, [0]
        rng = random.Random(1)
        guests = [asyncio.create_task(come_and_go(origin, code, end, rng, count)) for _ in range(AT_ONCE)]
        said = 0
        while time.monotonic() < end:
            await asyncio.sleep(2.0)
            at, memory, tasks, descriptors = figures.take()
            await host.post("/api/v1/do", json={"do": "next"})  # refused but between two rounds
            if int(at) > said:
                said = int(at)
                print(f"  {said:3} min: {count[0]:6} phones so far, {memory:6.1f} MB, {tasks} tasks, {descriptors} fds",
                      flush=True)  # fmt: skip
        await asyncio.gather(*guests)
        await asyncio.sleep(8.0)  # until the last who left without a word has been silent for too long
        after = figures.take()
    line("phones that came and went", f"{count[0]:8}")
    line("memory before, after", f"{quiet[1]:8.1f} MB", f"{after[1]:.1f} MB")
    slope = figures.slope()
    flat = "too short to tell" if isnan(slope) else "met" if slope < SLOPE else "NOT met"
    line(f"memory, once warm (after {WARM:g} min)", f"{slope:8.3f} MB/min", f"(aim: flat, within {SLOPE:g}: {flat})")
    for name, at in (("tasks", 2), ("descriptors", 3)):
        most, met = max(row[at] for row in figures.rows), "met" if after[at] <= quiet[at] + 2 else "NOT met"
        line(f"{name} before, at most, after", f"{quiet[at]:8}", f"{most}, {after[at]} (aim: as before: {met})")


def main(arguments: Sequence[str]) -> int:
    """`./uno bench soak [--minutes N]`."""
    if arguments[:1] == ["--serve"]:
        serve(Path(arguments[1]), arguments[2:])
    parser = argparse.ArgumentParser(prog="./uno bench soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0, help=f"how long, {LEAST:g} to {MOST:g} (20)")
    minutes = parser.parse_args(arguments).minutes
    if not LEAST <= minutes <= MOST:
        parser.error(f"--minutes lies between {LEAST:g} and {MOST:g}, not {minutes:g}")
    load = os.getloadavg()[0]
    print(f"soak: {minutes:g} minutes, {AT_ONCE} phones at a time, load {load:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        command = [sys.executable, "-m", "tests.bench", "soak", "--serve", name, "play", "--bots", "4"]
        with started(*command, "--listen", "127.0.0.1:0", "--data", name) as running:
            asyncio.run(soak(running, place, minutes))
    return 0
