"""Debian's Firefox by WebDriver BiDi, which it speaks itself: just what these tests need of it."""

from __future__ import annotations

import asyncio
import json
import shutil
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

START = 90.0  # seconds at the most, on a busy machine
ANSWER = 60.0
PREFERENCES = (
    'user_pref("remote.active-protocols", 1);', 'user_pref("network.dns.localDomains", "uno.local");',
    'user_pref("intl.accept_languages", "en-GB");', 'user_pref("browser.shell.checkDefaultBrowser", false);',
    'user_pref("datareporting.policy.dataSubmissionEnabled", false);', 'user_pref("app.update.auto", false);',
)  # fmt: skip


class Firefox:
    """`async with Firefox(tmp_path) as browser:`. `uno.local` leads to this machine."""

    name = "Firefox"

    def __init__(self, place: Path) -> None:
        self._profile = place / "firefox"
        self._process: asyncio.subprocess.Process | None = None
        self._socket: ClientConnection | None = None
        self._context = ""
        self._count = 0
        self.complaints: list[str] = []  # errors the pages made

    async def __aenter__(self) -> Self:
        path = shutil.which("firefox-esr") or shutil.which("firefox")
        assert path is not None, "no Firefox on this machine: `./uno test --all` installs Debian's"
        self._profile.mkdir()
        (self._profile / "user.js").write_text("\n".join(PREFERENCES), encoding="ascii")
        self._process = await asyncio.create_subprocess_exec(
            path, "--headless", "--no-remote", "--profile", str(self._profile), "--remote-debugging-port", "0",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        address = await asyncio.wait_for(self._address(self._process), START)
        self._socket = await connect(f"{address}/session", max_size=None, ping_interval=None)
        await self._do("session.new", capabilities={})
        await self._do("session.subscribe", events=["log.entryAdded"])
        tree = await self._do("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.communicate()

    async def open(self, url: str) -> None:
        """Load a page."""
        await self._do("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def run(self, function: str, *arguments: object) -> Any:
        """What a function gives when it is called in the page with JSON values; a promise is waited for."""
        written = ",".join(json.dumps(each) for each in arguments)
        result = await self._do(
            "script.evaluate", target={"context": self._context}, awaitPromise=True,
            expression=f"Promise.resolve(({function})({written})).then((it) => JSON.stringify(it ?? null))",
        )  # fmt: skip
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    @staticmethod
    async def _address(process: asyncio.subprocess.Process) -> str:
        assert process.stderr is not None
        async for line in process.stderr:
            if b"WebDriver BiDi listening on " in line:
                return line.decode().strip().rpartition(" ")[2]
        raise RuntimeError("Firefox ended before it could be talked to")

    async def _do(self, method: str, **params: object) -> dict[str, Any]:
        assert self._socket is not None
        self._count += 1
        await self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            said = json.loads(await asyncio.wait_for(self._socket.recv(), ANSWER))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.complaints.append(str(said["params"]["text"]))
            if said.get("id") == self._count:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                result: dict[str, Any] = said["result"]
                return result
