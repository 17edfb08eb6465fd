"""What all routes share: the table behind its door, the phones that have joined, the codes. No route lives here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.responses import Response

from web_companion.assets import Assets
from web_companion.codes import Codes
from web_companion.commands import Commands
from web_companion.door import TableDoor
from web_companion.hub import Hub
from web_companion.limits import Buckets, GuessLimit, JoinLimit
from web_companion.sessions import COOKIE, MAX_AGE, NEVER_FORGOTTEN, Session, Sessions
from web_companion.sockets import Sockets


class Companion:
    """The table, who has joined, the codes, and the limits on all of them."""

    def __init__(self, table: TableDoor, sessions: Sessions, codes: Codes, url: Callable[[], str]) -> None:
        self.table = table
        self.sessions = sessions
        self.codes = codes
        self.url = url
        self.assets = Assets()
        self.guesses = GuessLimit()
        self.joins = JoinLimit()
        self.limits = Buckets(burst=30, per_second=10)  # commands of each phone, however they come
        self.commands = Commands(table, sessions, self.guesses)
        self.hub = Hub(table, sessions, self.welcome)
        self.sockets = Sockets(self.hub, self.commands, self.session, self.limits)
        sessions.worth = self._worth

    def session(self, connection: HTTPConnection) -> Session | None:
        """The phone a request comes from, or None when it has not joined."""
        return self.sessions.find(connection.cookies.get(COOKIE))

    def you(self, session: Session) -> dict[str, object]:
        """What a phone may know about itself."""
        seats = sorted(self.table.seats_of(session.id))
        left = sorted(self.table.left_by(session.id))
        return {
            "session": session.id, "host": session.host, "seats": seats, "name": session.name, "left": left,
            "waiting": self.table.waits(session.id),
        }  # fmt: skip

    def _worth(self, session: Session) -> int:
        """Who has a place at this table is never forgotten, asleep or not; who watches, after those who do not."""
        if session.host or self.table.has_place(session.id):
            return NEVER_FORGOTTEN
        return 1 if self.hub.has_page(session) else 0

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

    async def command(self, session: Session, command: dict[str, object], address: str = "") -> dict[str, object]:
        """Submit a command for a request from `address` and wait for its answer."""
        answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        self.commands.give(session, command, lambda reply: None if answer.done() else answer.set_result(reply), address)
        return await answer

    def with_cookie(self, response: Response, token: str | None) -> Response:
        """`response`, and the cookie of a phone that is new."""
        if token is not None:
            response.set_cookie(COOKIE, token, max_age=MAX_AGE, httponly=True, samesite="strict", path="/")
        return response
