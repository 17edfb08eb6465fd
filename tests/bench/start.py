"""How long the table takes to start, what it holds in memory when idle, and what a page's first load weighs."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Response, sync_playwright

from tests.bench.figures import line

STARTS = 5
SETTLE = 2.0  # seconds after `ready` until memory counts as idle
DEADLINE = 30.0
# What any program with these libraries pays before a line of ours has run.
BARE = "import fastapi, gpiozero, uvicorn, websockets; print('ready', flush=True); input()"
PAGES = {"/": "join", "/play": "phone", "/table": "television", "/host": "host"}


@dataclass(frozen=True)
class Running:
    """A process that has said `ready`."""

    process: subprocess.Popen[str]
    seconds: float
    said: list[str]

    def resident_mb(self) -> float:
        """Its resident memory in megabytes (10⁶ bytes)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        kibibytes = next(int(entry.split()[1]) for entry in status.splitlines() if entry.startswith("VmRSS:"))
        return kibibytes * 1024 / 1e6


@contextmanager
def started(*command: str) -> Iterator[Running]:
    """Run `command` until it says a line that begins with `ready`; end it on leaving. Raises `RuntimeError`."""
    begun = time.perf_counter()
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            said: list[str] = []
            for spoken in process.stdout:
                said.append(spoken.rstrip("\n"))
                if spoken.startswith("ready"):
                    break
                if time.perf_counter() - begun > DEADLINE:
                    raise RuntimeError(f"not ready after {DEADLINE:.0f} s: {said}")
            else:
                raise RuntimeError(f"{command[0]} ended before it was ready: {said}")
            yield Running(process, time.perf_counter() - begun, said)
        finally:
            process.terminate()


@contextmanager
def table() -> Iterator[Running]:
    """A table with the twin on a free port and fresh data, as `./uno play` starts it."""
    command = str(Path(sys.executable).with_name("uno-attack"))
    with (
        tempfile.TemporaryDirectory() as data,
        started(command, "play", "--backend", "twin", "--listen", "127.0.0.1:0", "--data", data) as running,
    ):
        yield running


def first_load(browser: Browser, origin: str, join: str, page: str) -> tuple[int, int]:
    """(files, gzipped bytes) that a browser with an empty cache fetches for `page`, once the phone has joined."""
    visitor = browser.new_context()
    visitor.new_page().goto(join, wait_until="networkidle")
    cookies = visitor.cookies()
    visitor.close()
    fresh = browser.new_context()
    fresh.add_cookies([{"name": each["name"], "value": each["value"], "url": origin} for each in cookies])
    responses: list[Response] = []
    shown = fresh.new_page()

    def note(response: Response) -> None:  # playwright wants a function of its own, not a list's method
        responses.append(response)

    shown.on("response", note)
    shown.goto(origin + page, wait_until="networkidle")
    weights = [len(gzip.compress(each.body())) for each in responses if each.ok]
    fresh.close()
    return len(weights), sum(weights)


def weigh_pages() -> None:
    """Print a line a page."""
    browser_path = shutil.which("chromium")
    if browser_path is None:
        raise RuntimeError("no chromium on this machine: `./uno test` installs it")
    with table() as running, sync_playwright() as playwright:
        address = next(said for said in running.said if said.startswith("ready")).split()[1]
        port = urlsplit(address).port
        join = next((word for said in running.said for word in said.split() if "#" in word and "://" in word), address)
        origin = f"http://127.0.0.1:{port}"
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for page, name in PAGES.items():
            files, weight = first_load(browser, origin, f"{origin}/#{urlsplit(join).fragment}", page)
            line(f"first load of {page} ({name})", f"{weight / 1e3:8.1f} kB", f"gzipped, {files} files (aim: under 60)")
        browser.close()


def run() -> None:
    """Print the figures of this bench."""
    ours, bare, ours_mb, bare_mb = [], [], [], []
    for _ in range(STARTS):
        with started(sys.executable, "-c", BARE) as running:
            bare.append(running.seconds)
            bare_mb.append(running.resident_mb())
        with table() as running:
            ours.append(running.seconds)
            time.sleep(SETTLE)
            ours_mb.append(running.resident_mb())
    line("start to ready", f"{median(ours):8.2f} s", f"worst {max(ours):.2f} (aim: under 2)")
    line("  beside: importing the libraries alone", f"{median(bare):8.2f} s", f"×{median(ours) / median(bare):.2f}")
    line("idle memory (RSS)", f"{median(ours_mb):8.1f} MB", f"worst {max(ours_mb):.1f} (aim: under 90)")
    line("  beside: the libraries alone", f"{median(bare_mb):8.1f} MB", f"×{median(ours_mb) / median(bare_mb):.2f}")
    weigh_pages()
