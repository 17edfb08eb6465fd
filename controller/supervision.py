"""What systemd is told of a table that runs as a service, and the watchdog that is fed only while all parts tick.

The protocol is one datagram of `KEY=value` lines to the socket that systemd names in the environment (sd_notify(3)).
Without systemd all of this does nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from hardware.ports import Tick

log = logging.getLogger("controller.supervision")

FEEDS: Final = 3  # times the watchdog is fed in its interval: one that is late by a whole round harms nothing yet


class Supervisor:
    """The one who started us, as far as it wants to be told anything."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Reads `NOTIFY_SOCKET`, and `WATCHDOG_USEC` where `WATCHDOG_PID` is not somebody else's."""
        path = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{path[1:]}" if path.startswith("@") else path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if path else None
        if self._socket is not None:
            self._socket.setblocking(False)
        self._status = ""
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        interval = environment.get("WATCHDOG_USEC", "")
        self.watchdog = int(interval) / 1e6 if path and mine and interval.isdecimal() else None  # seconds

    def ready(self) -> None:
        """Phones can connect."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """How it stands, in words; told when it has changed."""
        if text != self._status:
            self._status = text
            self._tell(f"STATUS={' '.join(text.split())}")

    def stopping(self) -> None:
        """It ends now."""
        self._tell("STOPPING=1", "STATUS=ending: the motor is off first")

    def feed(self) -> None:
        """All is well for another interval."""
        self._tell("WATCHDOG=1")

    def close(self) -> None:
        """Nothing more is told."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, *lines: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:  # nobody listens any more, or its queue is full: the table does not depend on it
            log.warning("systemd could not be told %s: %s", lines[0], error.strerror)


async def watch(supervisor: Supervisor, parts: Mapping[str, Tick], in_words: Callable[[], str]) -> None:
    """Feed the supervisor's watchdog in every round in which all `parts` have ticked, until cancelled.

    `in_words`: how everything stands, told along with it. This runs in the event loop, so that a loop that hangs feeds
    nothing either. Ends at once where nobody watches.
    """
    if supervisor.watchdog is None:
        return
    silent: list[str] = []
    while True:
        ticked: set[str] = set()
        for name, ask in parts.items():
            ask(partial(ticked.add, name))
        await asyncio.sleep(supervisor.watchdog / FEEDS)
        before, silent = silent, [name for name in parts if name not in ticked]
        if not silent:
            supervisor.feed()
            supervisor.status(in_words())
        else:
            supervisor.status(f"no sign of life: {', '.join(silent)}")
        if silent != before:
            log.error("no sign of life: %s", ", ".join(silent) or "all is well again")
