"""The web companion as one FastAPI application: pages, joining, the QR, health and the socket, behind the guard.

Nothing of the game is decided here; the table is behind `TableDoor`.
"""

from __future__ import annotations

import asyncio
import io
import ipaddress
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from secrets import token_hex

import segno
from fastapi import FastAPI, Request, Response
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket

from web_companion.addresses import own_names
from web_companion.assets import Asset, Assets
from web_companion.codes import Codes
from web_companion.commands import Commands
from web_companion.door import TableDoor
from web_companion.guard import Guard, host_name
from web_companion.hub import Hub
from web_companion.limits import GuessLimit
from web_companion.names import clean_name
from web_companion.rulebook import rulebook
from web_companion.sessions import COOKIE, MAX_AGE, Session, Sessions
from web_companion.sockets import Sockets

PAGES = {"/": "join.html", "/play": "play.html", "/table": "table.html", "/host": "host.html"}
_NO_STORE = {"cache-control": "no-store"}


class Companion:
    """What the routes share: the table, who has joined, and the codes."""

    def __init__(self, table: TableDoor, sessions: Sessions, codes: Codes, url: Callable[[], str]) -> None:
        self.table = table
        self.sessions = sessions
        self.codes = codes
        self.url = url
        self.assets = Assets()
        self.guesses = GuessLimit()
        self.commands = Commands(table, sessions)
        self.hub = Hub(table, sessions, self.welcome)
        self.sockets = Sockets(self.hub, self.commands, self.session)

    def session(self, connection: HTTPConnection) -> Session | None:
        """The phone a request comes from, or None when it has not joined."""
        return self.sessions.find(connection.cookies.get(COOKIE))

    def you(self, session: Session) -> dict[str, object]:
        """What a phone may know about itself."""
        seats = sorted(self.table.seats_of(session.id))
        return {"session": session.id, "host": session.host, "seats": seats, "name": session.name}

    def welcome(self, session: Session) -> dict[str, object]:
        """The first frame of every page, and again whenever it changes."""
        return {
            "t": "welcome",
            "you": self.you(session),
            "build": self.assets.build,
            "joinCode": self.codes.join,
            "url": self.url(),
        }

    def join_url(self) -> str:
        """The URL a phone opens to join: the code is its fragment, which no browser sends and no server logs."""
        return f"{self.url()}/#{self.codes.join}"

    async def command(self, session: Session, command: dict[str, object]) -> dict[str, object]:
        """Submit a command for a request and wait for its answer."""
        answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        self.commands.give(session, command, lambda reply: None if answer.done() else answer.set_result(reply))
        return await answer


def build_app(
    table: TableDoor,
    sessions: Sessions,
    codes: Codes,
    url: Callable[[], str],
    names: Iterable[str] | None = None,
) -> FastAPI:
    """The application for one table.

    `url` gives the address phones reach this table at now, without a trailing slash (`http://192.168.1.7:8080`);
    `names` are the names a Host header may carry besides IP literals (default: this machine's own).
    """
    companion = Companion(table, sessions, codes, url)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        companion.hub.close()

    app = FastAPI(
        title="UNO Attack table",
        docs_url=None,  # those pages load scripts from elsewhere
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.companion = companion
    app.add_middleware(Guard, names=own_names() if names is None else names)
    _add_pages(app, companion)
    _add_joining(app, companion)

    @app.websocket("/ws")
    async def socket(socket: WebSocket) -> None:
        await companion.sockets.serve(socket)

    return app


def _add_pages(app: FastAPI, companion: Companion) -> None:
    for path, name in PAGES.items():
        app.add_api_route(path, _page(companion.assets, name), methods=["GET", "HEAD"], include_in_schema=False)

    @app.api_route("/a/{build}/{name:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def asset(build: str, name: str, request: Request) -> Response:
        found = companion.assets.get(name)
        if found is None or build != companion.assets.build or name.endswith(".html"):
            return Response("not here", 404, headers=_NO_STORE)
        return _send(found, request, "public, max-age=31536000, immutable")

    @app.get("/qr.svg", include_in_schema=False)
    async def qr(request: Request) -> Response:
        if companion.session(request) is None:
            return JSONResponse({"ok": False, "reason": "not-joined"}, 403, headers=_NO_STORE)
        drawn = io.BytesIO()
        segno.make(companion.join_url(), error="m", micro=False).save(drawn, kind="svg", border=2, svgclass=None)
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=_NO_STORE)

    @app.get("/api/v1/rules", include_in_schema=False)
    async def rules(request: Request) -> Response:
        return _send(rulebook(), request, "no-cache")

    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        current = companion.table.current()
        failure = companion.table.failure()
        health = {
            "ok": failure is None,
            "failure": failure,
            "build": companion.assets.build,
            "epoch": current.epoch,
            "version": current.version,
        }
        status = 200 if failure is None else 503
        return JSONResponse({**health, "pages": companion.hub.connections}, status, headers=_NO_STORE)


def _add_joining(app: FastAPI, companion: Companion) -> None:
    @app.get("/api/me", include_in_schema=False)
    async def me(request: Request) -> Response:
        session = companion.session(request)
        you = None if session is None else companion.you(session)
        return JSONResponse({"ok": True, "you": you, "atMachine": _is_at_the_machine(request)}, headers=_NO_STORE)

    @app.get("/api/v1/phones", include_in_schema=False)
    async def phones(request: Request) -> Response:
        session = companion.session(request)
        if session is None or not session.host:
            return _refused(403, "not-host")
        found = [
            {"session": each.id, "name": each.name} for each in companion.hub.without_seat() if each is not session
        ]
        return JSONResponse({"ok": True, "phones": found}, headers=_NO_STORE)

    @app.post("/api/join", include_in_schema=False)
    async def join(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return _refused(400, "bad-command")
        session = companion.session(request)
        if session is None or body.get("code"):  # a phone that has joined need not know the code again
            refused = _tried(companion, request, companion.codes.is_join(body.get("code")))
            if refused is not None:
                return refused
        name = ""
        if body.get("name") is not None and not body.get("watch"):
            name = clean_name(body["name"])
            if not name:
                return _refused(400, "bad-name")
        token = None
        if session is None:
            token, session = companion.sessions.create()
        if name:
            answer = await companion.command(session, {"do": "sit", "name": name, "id": f"join-{token_hex(8)}"})
            if not answer.get("ok"):
                return _with_cookie(JSONResponse(answer, 409, headers=_NO_STORE), token)
        return _with_cookie(JSONResponse({"ok": True, "you": companion.you(session)}, headers=_NO_STORE), token)

    @app.post("/api/host", include_in_schema=False)
    async def host(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return _refused(400, "bad-command")
        if not _is_at_the_machine(request):
            refused = _tried(companion, request, companion.codes.is_host(body.get("code")))
            if refused is not None:
                return refused
        session = companion.session(request)
        token = None
        if session is None:
            token, session = companion.sessions.create()
        session.host = True
        companion.sessions.changed(session)
        return _with_cookie(JSONResponse({"ok": True, "you": companion.you(session)}, headers=_NO_STORE), token)


def _page(assets: Assets, name: str) -> Callable[[Request], object]:
    found = assets.get(name)
    if found is None:
        raise FileNotFoundError(f"the page {name} is missing: install the package again")
    asset = found

    async def page(request: Request) -> Response:
        return _send(asset, request, "no-cache")

    return page


def _send(asset: Asset, request: Request, cache: str) -> Response:
    headers = {"cache-control": cache, "etag": asset.etag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.packed, media_type=asset.media_type, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.plain, media_type=asset.media_type, headers=headers)


async def _body(request: Request) -> dict[str, object] | None:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _tried(companion: Companion, request: Request, right: bool) -> Response | None:
    """A refusal when too many codes were tried from this address, or when this one is wrong."""
    address = request.client.host if request.client else ""
    wait = companion.guesses.wait(address)
    if wait > 0:
        return _refused(429, "too-many-guesses", wait=max(1, round(wait)))
    if right:
        return None
    companion.guesses.wrong(address)
    return _refused(403, "wrong-code")


def _is_at_the_machine(request: Request) -> bool:
    """Whether the browser runs on the table's own machine and says so: hosting can always be taken there."""
    name = host_name(request.headers.get("host", ""))
    if request.client is None or (name != "localhost" and not _loopback(name)):
        return False
    return _loopback(request.client.host)


def _loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _refused(status: int, reason: str, **params: object) -> Response:
    return JSONResponse({"ok": False, "reason": reason, **params}, status, headers=_NO_STORE)


def _with_cookie(response: Response, token: str | None) -> Response:
    if token is not None:
        response.set_cookie(COOKIE, token, max_age=MAX_AGE, httponly=True, samesite="strict", path="/")
    return response
