"""The web companion as one FastAPI application: pages, the QR, the socket and the REST interface, behind the guard.

Nothing of the game is decided here; the table is behind `TableDoor`.
"""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

import segno
from fastapi import FastAPI, Request, Response
from starlette.responses import JSONResponse
from starlette.routing import WebSocketRoute

from web_companion.addresses import own_names
from web_companion.assets import Assets
from web_companion.codes import Codes
from web_companion.companion import Companion
from web_companion.door import TableDoor
from web_companion.guard import Guard
from web_companion.rest import OPENAPI, add_rest
from web_companion.sending import NO_STORE, send
from web_companion.service import add_service
from web_companion.sessions import Sessions

PAGES = {
    "/": "join.html",
    "/play": "play.html",
    "/table": "table.html",
    "/rules": "rules.html",
    "/host": "host.html",
    "/service": "service.html",
}


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
        openapi_url=OPENAPI,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.companion = companion
    app.add_middleware(Guard, names=own_names() if names is None else names)
    _add_pages(app, companion)
    add_rest(app, companion)

    add_service(app, table, companion.session)

    app.router.routes.append(WebSocketRoute("/ws", companion.sockets))
    return app


def _add_pages(app: FastAPI, companion: Companion) -> None:
    for path, name in PAGES.items():
        app.add_api_route(path, _page(companion.assets, name), methods=["GET", "HEAD"], include_in_schema=False)

    @app.api_route("/a/{build}/{name:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def asset(build: str, name: str, request: Request) -> Response:
        found = companion.assets.get(name)
        if found is None or build != companion.assets.build or name.endswith(".html"):
            return Response("not here", 404, headers=NO_STORE)
        return send(found, request, "public, max-age=31536000, immutable")

    @app.get("/qr.svg", include_in_schema=False)
    async def qr(request: Request) -> Response:
        if companion.session(request) is None:
            return JSONResponse({"ok": False, "reason": "not-joined"}, 403, headers=NO_STORE)
        drawn = io.BytesIO()
        segno.make(companion.join_url(), error="m", micro=False).save(drawn, kind="svg", border=2, svgclass=None)
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=NO_STORE)


def _page(assets: Assets, name: str) -> Callable[[Request], object]:
    found = assets.get(name)
    if found is None:
        raise FileNotFoundError(f"the page {name} is missing: install the package again")
    asset = found

    async def page(request: Request) -> Response:
        return send(asset, request, "no-cache")

    return page
