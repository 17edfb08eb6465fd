"""The REST interface under `/api/v1`: everything a phone can do, for those who would rather not open a socket.

Every answer is JSON with `ok`; a refusal has a `reason` (a code, as on the socket) and a status of its own. What a
command does is the table's to say; what each one carries stands in `docs/design.md`, "The wire".
"""

from __future__ import annotations

from math import ceil
from secrets import token_hex
from typing import Any, Literal

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from web_companion.companion import Companion
from web_companion.guard import BodyTooBig
from web_companion.hub import frame_for
from web_companion.names import LONGEST_NAME, clean_name
from web_companion.rulebook import rulebook
from web_companion.sending import NO_STORE, at_the_machine, send

PREFIX = "/api/v1"
OPENAPI = f"{PREFIX}/openapi.json"


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)


class Join(_Body):
    """The join code, and a name to sit down with; or only to watch."""

    code: str | None = Field(None, max_length=40, description="as every page of the table shows it")
    name: str | None = Field(None, max_length=400, description=f"at most {LONGEST_NAME} characters are kept of it")
    watch: bool = Field(False, description="take no seat, even with a name")


class Host(_Body):
    """The host code, as the terminal shows it; at the machine itself none is needed."""

    code: str | None = Field(None, max_length=40)


class Do(_Body):
    """A command: `do` and what it needs, as on the socket. The same `id` again acts once and is answered alike."""

    model_config = ConfigDict(strict=True, extra="allow")

    do: str = Field(max_length=40, examples=["press", "play", "uno", "next"])
    id: str | None = Field(None, min_length=1, max_length=64, description="made up by the table when there is none")


class You(BaseModel):
    """What a phone may know about itself."""

    session: str
    host: bool
    seats: list[int]
    name: str
    left: list[int] = Field(description="seats that it stood up from in this game, and may come back to")
    waiting: bool = Field(description="whether it waits for a seat in the next game")


class Joined(BaseModel):
    """This phone is known to the table."""

    ok: Literal[True]
    you: You


class Me(BaseModel):
    """Who is asking; `you` is null before joining."""

    ok: Literal[True]
    you: You | None
    atMachine: bool  # noqa: N815  # as pages write it


class Hosts(_Body):
    """Which phone is to be host, or no longer."""

    session: str = Field(min_length=1, max_length=64, description="the phone, as `/phones` lists it; or the own one")
    host: bool = True
    stay: bool = Field(True, description="whether the phone that asks stays host, too")


class Phone(BaseModel):
    """A phone with a page open, or one that is host: no seat means that it may be somebody's new one."""

    session: str
    name: str
    seats: list[int]
    host: bool
    here: bool


class Phones(BaseModel):
    """The other phones."""

    ok: Literal[True]
    phones: list[Phone]


class Done(BaseModel):
    """A command was accepted; some answer with more."""

    model_config = ConfigDict(extra="allow")

    ok: Literal[True]
    id: str


class Refused(BaseModel):
    """Nothing has changed, for `reason`; `text` is for people who write programs."""

    model_config = ConfigDict(extra="allow")

    ok: Literal[False]
    reason: str
    text: str = ""


class State(BaseModel):
    """The table as this phone may see it: the `state` frame of the socket."""

    model_config = ConfigDict(extra="allow")

    t: Literal["state"]
    epoch: int
    version: int


class Health(BaseModel):
    """Whether the table can be played at, and how many pages are open."""

    ok: bool
    failure: str | None
    build: str
    epoch: int
    version: int
    pages: int


_STATUS = {
    400: "what was sent makes no sense", 401: "this phone has not joined", 403: "not allowed", 409: "refused",
    413: "too big", 429: "too often",
}  # fmt: skip


def _refusals(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {code: {"model": Refused, "description": _STATUS[code]} for code in codes}


def add_rest(app: FastAPI, companion: Companion) -> None:
    """Put the interface on `app`, and its description at `/api/v1/openapi.json`."""
    router = APIRouter(prefix=PREFIX)
    _add_reading(router, companion)
    _add_joining(router, companion)
    _add_commands(router, companion)
    app.include_router(router)
    _add_health(app, companion)

    @app.exception_handler(RequestValidationError)
    async def makes_no_sense(_: Request, problem: RequestValidationError) -> Response:
        return refused(400, "bad-command", text=_first_problem(problem))

    @app.exception_handler(HTTPException)
    async def cannot_be_done(_: Request, problem: HTTPException) -> Response:
        if isinstance(problem.__cause__, BodyTooBig):  # found out while the body was read
            return refused(413, "too-big")
        reason = {404: "not-here", 405: "wrong-method"}.get(problem.status_code, "bad-command")
        return JSONResponse(
            {"ok": False, "reason": reason, "text": problem.detail}, problem.status_code, problem.headers
        )


def _add_health(app: FastAPI, companion: Companion) -> None:
    @app.get("/healthz", response_model=Health, responses={503: {"model": Health}})
    async def healthz() -> Response:
        """Whether the table can be played at: 503 when its journal cannot be written any more."""
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
        return JSONResponse({**health, "pages": companion.hub.connections}, status, headers=NO_STORE)


def _add_reading(router: APIRouter, companion: Companion) -> None:
    @router.get("/me", response_model=Me)
    async def me(request: Request) -> Response:
        """Who this phone is to the table."""
        session = companion.session(request)
        you = None if session is None else companion.you(session)
        return JSONResponse({"ok": True, "you": you, "atMachine": at_the_machine(request)}, headers=NO_STORE)

    @router.get("/state", response_model=State, responses=_refusals(401))
    async def state(request: Request) -> Response:
        """The table now, as this phone may see it."""
        session = companion.session(request)
        if session is None:
            return refused(401, "not-joined")
        frame = frame_for(session, companion.table.current(), companion.table.seats_of(session.id))
        return Response(frame, media_type="application/json", headers=NO_STORE)

    @router.get("/rules", response_model=dict[str, Any], responses=_refusals(400))
    async def rules(request: Request, language: Literal["en", "zh-Hans", "zh-Hant", "none"] = "en") -> Response:
        """Every option, preset and deck there is, in words or (`none`) without."""
        return send(rulebook(language), request, "no-cache")

    @router.get("/phones", response_model=Phones, responses=_refusals(403))
    async def phones(request: Request) -> Response:
        """The other phones with a page open, and those that are host. The host's to ask."""
        session = companion.session(request)
        if session is None or not session.host:
            return refused(403, "not-host")
        here = companion.hub.present()
        hosts = [each for each in companion.sessions.hosts() if each not in here]
        found = [
            {"session": each.id, "name": each.name, "seats": sorted(companion.table.seats_of(each.id)),
             "host": each.host, "here": each in here}
            for each in (*here, *hosts) if each is not session
        ]  # fmt: skip
        return JSONResponse({"ok": True, "phones": found}, headers=NO_STORE)


def _add_joining(router: APIRouter, companion: Companion) -> None:
    @router.post("/join", response_model=Joined, responses=_refusals(400, 403, 409, 413, 429))
    async def join(request: Request, body: Join) -> Response:
        """Join with the table's code, or, already known, take one more seat. Sets the cookie."""
        session = companion.session(request)
        if session is None or body.code:  # a phone that has joined need not know the code again
            refusal = _tried(companion, request, companion.codes.is_join(body.code))
            if refusal is not None:
                return refusal
        name = ""
        if body.name is not None and not body.watch:
            name = clean_name(body.name)
            if not name:
                return refused(409, "bad-name")
        token = None
        if session is None:
            wait = companion.joins.take(_address(request))
            if wait > 0:
                return refused(429, "too-many", wait=ceil(wait))
            token, session = companion.sessions.create()
        if name:
            answer = await companion.command(session, {"do": "sit", "name": name, "id": f"join-{token_hex(8)}"})
            if not answer.get("ok"):
                return companion.with_cookie(JSONResponse(answer, 409, headers=NO_STORE), token)
        you = companion.you(session)
        return companion.with_cookie(JSONResponse({"ok": True, "you": you}, headers=NO_STORE), token)

    @router.post("/host", response_model=Joined, responses=_refusals(400, 403, 413, 429))
    async def host(request: Request, body: Host) -> Response:
        """Become host: with the host code, at the machine itself without, or after somebody held the button."""
        session, token = companion.session(request), None
        known = session is not None and not body.code
        if not at_the_machine(request) and not (known and companion.table.take_chair(session.name if session else "")):
            refusal = _tried(companion, request, companion.codes.is_host(body.code))
            if refusal is not None:
                return refusal
        if session is None:
            wait = companion.joins.take(_address(request))
            if wait > 0:
                return refused(429, "too-many", wait=ceil(wait))
            token, session = companion.sessions.create()
        session.host = True
        companion.sessions.changed(session)
        you = companion.you(session)
        return companion.with_cookie(JSONResponse({"ok": True, "you": you}, headers=NO_STORE), token)

    @router.post("/hosts", response_model=Joined, responses=_refusals(400, 403, 409, 413))
    async def hosts(request: Request, body: Hosts) -> Response:
        """Hand hosting over, or take it from a phone, one's own included. Somebody stays host."""
        session = companion.session(request)
        if session is None or not session.host:
            return refused(403, "not-host")
        other = companion.sessions.with_id(body.session)
        if other is None:
            return refused(409, "no-such-phone")
        resigning = {session} if body.host and not body.stay else {other} if not body.host else set()
        staying = {*companion.sessions.hosts(), *({other} if body.host else ())} - resigning
        if not staying:
            return refused(409, "last-host")
        if other.host != body.host:
            other.host = body.host
            companion.sessions.changed(other)
        if session in resigning and session.host:
            session.host = False
            companion.sessions.changed(session)
        return JSONResponse({"ok": True, "you": companion.you(session)}, headers=NO_STORE)


def _add_commands(router: APIRouter, companion: Companion) -> None:
    @router.post("/do", response_model=Done, responses=_refusals(400, 401, 409, 413, 429))
    async def do(request: Request, body: Do) -> Response:
        """Give a command and wait for its answer, which comes when it is on disk."""
        session = companion.session(request)
        if session is None:
            return refused(401, "not-joined")
        if not companion.limits.of(session.id).take():
            return refused(429, "too-many")
        command = {**body.model_dump(), "id": body.id or f"rest-{token_hex(8)}"}
        answer = await companion.command(session, command, _address(request))
        answer.pop("t", None)
        return JSONResponse(answer, 200 if answer.get("ok") else 409, headers=NO_STORE)


def refused(status: int, reason: str, **params: object) -> Response:
    """A refusal with its reason."""
    return JSONResponse({"ok": False, "reason": reason, **params}, status, headers=NO_STORE)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _tried(companion: Companion, request: Request, right: bool) -> Response | None:
    """A refusal when too many codes were tried from this address, or when this one is wrong."""
    address = _address(request)
    wait = companion.guesses.wait(address)
    if wait > 0:
        return refused(429, "too-many-guesses", wait=max(1, round(wait)))
    if right:
        return None
    companion.guesses.wrong(address)
    return refused(403, "wrong-code")


def _first_problem(problem: RequestValidationError) -> str:
    """Where the first mistake of a request is, and what it is."""
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return f"{where or 'the body'}: {first['msg']}"
