"""Commands on their way from a phone to the table: their shape, who gives them, and the names in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from web_companion.door import Answer, TableDoor, Who
from web_companion.limits import GuessLimit
from web_companion.names import clean_name
from web_companion.sessions import Session, Sessions

LONGEST_ID = 64
_NAMED = frozenset({"sit", "rename", "add-bot"})  # commands that carry a name

Reply = Callable[[dict[str, object]], None]


def identity_of(message: Mapping[str, object]) -> str | None:
    """The id that an answer to `message` carries; None when it has none that could be one."""
    identity = message.get("id")
    usable = isinstance(identity, str) and 0 < len(identity) <= LONGEST_ID and _is_whole(identity)
    return str(identity) if usable else None


def _is_whole(value: object) -> bool:
    """Whether all texts in `value` are made of whole characters: JSON may name one half of a character by itself."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _seat_of(command: Mapping[str, object]) -> int:
    """The seat a command names, -1 for whatever is none."""
    seat = command.get("seat")
    return seat if isinstance(seat, int) and not isinstance(seat, bool) else -1


class Commands:
    """Hands commands to the table in the name of the phone they come from."""

    def __init__(self, table: TableDoor, sessions: Sessions, guesses: GuessLimit) -> None:
        self.table = table
        self._sessions = sessions
        self._guesses = guesses

    def give(self, session: Session, message: dict[str, object], reply: Reply, address: str = "") -> None:
        """Submit one command from `address`; `reply` gets exactly one answer frame, a refusal included."""
        identity = identity_of(message)
        if identity is None:
            reply({"t": "answer", "id": None, "ok": False, "reason": "bad-command"})
            return
        command = {key: value for key, value in message.items() if key != "t"}
        verb = command.get("do")
        if not isinstance(verb, str):
            reply({"t": "answer", "id": identity, "ok": False, "reason": "bad-command"})
            return
        if verb in _NAMED and (verb != "add-bot" or "name" in command):
            command["name"] = clean_name(command.get("name"))
            if not command["name"]:
                reply({"t": "answer", "id": identity, "ok": False, "reason": "bad-name"})
                return
        if not _is_whole(command):
            reply({"t": "answer", "id": identity, "ok": False, "reason": "bad-command"})
            return
        phone = command.get("session")
        if verb == "give" and session.host and isinstance(phone, str) and self._sessions.with_id(phone) is None:
            reply({"t": "answer", "id": identity, "ok": False, "reason": "no-such-phone"})  # the table knows no phones
            return

        claimed = _seat_of(command) if verb == "claim" else None
        wait = 0.0 if claimed is None else self._guesses.wait(address, claimed)
        if wait > 0:
            wait = max(1, round(wait))
            reply({"t": "answer", "id": identity, "ok": False, "reason": "too-many-guesses", "wait": wait})
            return

        def answered(answer: Answer) -> None:
            if claimed is not None and answer.get("reason") == "wrong-code":
                self._guesses.wrong(address, claimed)
            if verb == "sit" and session.name != command["name"]:  # refused, too: by that name the host finds it
                session.name = str(command["name"])
                self._sessions.changed(session)
            reply({"t": "answer", **answer, "id": identity})

        self.table.submit(self.who(session), command, answered)

    def who(self, session: Session) -> Who:
        """A phone as the table wants to know it."""
        return Who(session=session.id, host=session.host, seats=self.table.seats_of(session.id))
