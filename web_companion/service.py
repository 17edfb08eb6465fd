"""What the maker's page is told of the machine, for the host alone: `GET /api/v1/service`."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI, Request, Response
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse

from web_companion.door import TableDoor
from web_companion.sessions import Session

_NO_STORE = {"cache-control": "no-store"}


def add_service(app: FastAPI, table: TableDoor, session_of: Callable[[HTTPConnection], Session | None]) -> None:
    """Put the route on `app`. `session_of` says whose a request is."""

    @app.get("/api/v1/service")
    async def service(request: Request) -> Response:
        """How the machine stands: state, levels, motor time, the last shots. The host's alone; no hand, no plan."""
        session = session_of(request)
        if session is None or not session.host:
            return JSONResponse({"ok": False, "reason": "not-host"}, 403, headers=_NO_STORE)
        return JSONResponse({"ok": True, "service": table.service()}, headers=_NO_STORE)
