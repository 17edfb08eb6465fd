"""The guard in front of every request: Host and Origin, body size, and the headers every answer carries.

Plain ASGI, so that it holds for pages, REST and WebSockets alike. Who somebody is, is not judged here.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 64 * 1024  # bytes: a hundred times the longest command
SAFE_METHODS = frozenset({"GET", "HEAD"})
CLOSE_FOREIGN = 4403


def host_name(host: str) -> str:
    """The name in a Host header without its port, lower case; empty when the header makes no sense."""
    host = host.strip().lower()
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        return name if closed and (not port or port[1:].isdigit()) else ""
    name, _, port = host.partition(":")
    return name if not port or port.isdigit() else ""


def host_allowed(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header names this machine: an IP literal, or one of its own names.

    A foreign name that resolves here is DNS rebinding. A literal cannot be rebound, and it survives a new lease.
    """
    name = host_name(host)
    if name.rstrip(".") in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return "%" not in name  # no browser sends a scope, and it may hold anything


def origin_matches(origin: str, host: str) -> bool:
    """Whether an Origin header is this very server: the same name and port as the Host header."""
    for scheme in ("http://", "https://"):
        if origin.lower().startswith(scheme):
            return bool(host) and origin.lower()[len(scheme) :] == host.strip().lower()
    return False


class Guard:
    """Wraps the application; refuses what does not come from its own pages under one of its own names."""

    def __init__(self, app: App, names: Iterable[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str | None:
        headers = _headers(scope)
        host = headers.get("host", "")
        if not host_allowed(host, self._names):
            return "foreign-host"
        safe = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if not safe and not origin_matches(headers.get("origin", ""), host):
            return "foreign-origin"
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})  # a close before it reaches browsers as a bare 1006
        await send({"type": "websocket.close", "code": CLOSE_FOREIGN, "reason": refusal})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(send, 421 if refusal == "foreign-host" else 403, refusal)
            return
        length = _headers(scope).get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            await _refuse(send, 413, "too-big")
            return
        taken = 0

        async def limited() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY:  # a chunked body tells no length beforehand
                raise BodyTooBig
            return message

        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message.get("headers", []), *_security_headers(scope)]}
            await send(message)

        try:
            await self._app(scope, limited, with_headers)
        except BodyTooBig:
            if not started:
                await _refuse(send, 413, "too-big")


class BodyTooBig(Exception):
    """The body of a request grew over its limit while it was read."""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _security_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    # `connect-src` names the socket's address besides 'self': Safari before 15.4 does not count ws: as 'self'.
    host = _headers(scope).get("host", "").encode("latin-1")
    policy = (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://"
        + host
        + b"; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
    ]


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"ok": False, "reason": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
