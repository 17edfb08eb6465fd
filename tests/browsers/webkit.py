"""Debian's WebKit by its own WebDriver, on a screen that nobody sees: just what these tests need of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

ANSWER = 90.0  # seconds at the most, on a busy machine
PROGRAMS = {"Xvfb": "xvfb", "WebKitWebDriver": "webkit2gtk-driver"}
# There is no graphics card, and no user of its own for its sandbox.
ENVIRONMENT = {
    "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LANG": "en_GB.UTF-8", "LANGUAGE": "en_GB",
}  # fmt: skip
# It tells nobody of its pages' errors: they are kept in the page.
LISTEN = """window.complaints ??= (() => { const kept = [];
  addEventListener("error", (event) =>
    kept.push(event.message || `not loaded: ${event.target.src ?? event.target.href}`), true);
  addEventListener("unhandledrejection", (event) => kept.push(String(event.reason))); return kept; })();"""


class WebKit:
    """`async with WebKit(tmp_path) as browser:`."""

    name = "WebKit"

    def __init__(self, place: Path) -> None:
        self._place = place
        self._screen: subprocess.Popen[bytes] | None = None
        self._driver: subprocess.Popen[bytes] | None = None
        self._client: httpx.AsyncClient | None = None
        self._session = ""
        self.complaints: list[str] = []

    async def __aenter__(self) -> Self:
        port = await asyncio.to_thread(self._start)
        self._client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER)
        for _ in range(600):
            try:
                await self._client.get("/status")
            except httpx.ConnectError:
                await asyncio.sleep(0.1)
            else:
                break
        answer = await self._client.post("/session", json={"capabilities": {"alwaysMatch": {}}})
        self._session = answer.json()["value"]["sessionId"]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._client is not None:
            if self._session:
                await self._client.delete(f"/session/{self._session}")
            await self._client.aclose()
        for process in (self._driver, self._screen):
            if process is not None:
                process.terminate()
                process.wait(ANSWER)

    async def open(self, url: str) -> None:
        """Load a page."""
        await self._do("url", url=url)

    async def run(self, function: str, *arguments: object) -> Any:
        """What a function gives when it is called in the page with JSON values; a promise is waited for."""
        script = (
            f"{LISTEN} const done = arguments[arguments.length - 1];"
            f"Promise.resolve(({function})(...[...arguments].slice(0, -1)))"
            ".then((it) => done(JSON.stringify([it ?? null, window.complaints])), (error) => done(String(error)));"
        )
        found = await self._do("execute/async", script=script, args=list(arguments))
        if not re.match(r"\[", str(found)):
            raise RuntimeError(found)
        result, complaints = json.loads(found)
        self.complaints += [each for each in complaints if each not in self.complaints]
        return result

    def _start(self) -> int:
        """Start the screen and the driver on it; gives the driver's port."""
        for program, package in PROGRAMS.items():
            assert shutil.which(program), f"no {program} on this machine: `./uno test --all` installs {package}"
        reading, writing = os.pipe()
        self._screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as told:
            screen = told.readline().strip()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        environment = {**os.environ, **ENVIRONMENT, "DISPLAY": f":{screen}", "HOME": str(self._place)}
        command = ["WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"]
        self._driver = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        return port

    async def _do(self, what: str, **body: object) -> Any:
        assert self._client is not None
        answer = await self._client.post(f"/session/{self._session}/{what}", json=body)
        value = answer.json()["value"]
        if answer.status_code != 200:
            raise RuntimeError(f"{what}: {value['message']}")
        return value
