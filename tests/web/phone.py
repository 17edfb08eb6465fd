"""A phone without a browser: requests straight into the application, with cookies kept as a browser keeps them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
from fastapi import FastAPI

from tests.loops import run


class Phone:
    """Sends requests to `app` as if from `address`; every request carries the Origin of its own page."""

    def __init__(self, app: FastAPI, base: str = "http://uno.local:8080", address: str = "192.168.1.50") -> None:
        self._app = app
        self._base = base
        self._address = address
        self.cookies = httpx.Cookies()

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._send("GET", path, headers=headers)

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return self._send("POST", path, headers=headers, json=body)

    def post_raw(self, path: str, content: bytes | AsyncIterator[bytes], **headers: str) -> httpx.Response:
        return self._send("POST", path, headers=headers, content=content)

    def _send(self, method: str, path: str, headers: dict[str, str], **more: Any) -> httpx.Response:
        named = {"origin": self._base, **{name.replace("_", "-"): value for name, value in headers.items()}}

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, client=(self._address, 50000))
            async with httpx.AsyncClient(transport=transport, base_url=self._base, cookies=self.cookies) as client:
                answer = await client.request(method, path, headers=named, **more)
                self.cookies = client.cookies
                return answer

        return run(send())
