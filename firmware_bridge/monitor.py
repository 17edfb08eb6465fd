"""A controller, watched: it is greeted, given figures so that it senses, and asked how it stands. It is never armed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from firmware_bridge.headers import config
from firmware_bridge.identity import identify
from firmware_bridge.link import Answer, Link
from firmware_bridge.messages import Event, Kind, Wired
from firmware_bridge.port import Opener, SerialPort
from firmware_bridge.words import event_in_words, hello_in_words, status_in_words
from hardware.settings import LauncherSettings

_LOOK: Final = 0.1  # seconds from one PING to the next
_FIGURES: Final = LauncherSettings()


def monitor(device: str, wired: Wired, end: float | None = None, open_port: Opener = SerialPort) -> Iterator[str]:
    """What the controller says, a line at a time, until `end` (on the monotonic clock) or for ever.

    Raises `NotOurs`, and `OSError` when it goes away.
    """
    port = open_port(device)
    try:
        yield from hello_in_words(identify(port, device, time.monotonic))
        lines: list[str] = []
        last = ""

        def stands(answer: Answer) -> None:
            nonlocal last
            words = "" if answer.status is None else status_in_words(answer.status)
            if words != last:
                lines.append(words)
                last = words

        def happened(event: Event) -> None:
            lines.append(event_in_words(event))

        link = Link(port.write, happened)
        link.hello(time.monotonic(), lambda answer: None)
        link.ask(time.monotonic(), Kind.CONFIG, config(_FIGURES, wired))
        due = 0.0
        while end is None or time.monotonic() < end:
            if link.idle and time.monotonic() >= due:
                due = time.monotonic() + _LOOK
                link.ask(time.monotonic(), Kind.PING, done=stands)
            link.hear(time.monotonic(), port.read(_LOOK))
            link.tick(time.monotonic())
            yield from lines
            lines.clear()
            if link.failure:
                raise OSError(f"{device}: {link.failure}")
            if link.restarted is not None:
                yield "it has started anew"
                link.hello(time.monotonic(), lambda answer: None)
                link.ask(time.monotonic(), Kind.CONFIG, config(_FIGURES, wired))
    finally:
        port.close()
