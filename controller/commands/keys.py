"""Single keys of the terminal, read on the event loop while a table runs. Where input is no terminal: nothing."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self


class Keys:
    """While it is entered, `pressed` is called with each key; the terminal is put back as it was on leaving."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        self._pressed = pressed
        self._before: list[object] | None = None
        self._terminal = -1

    def __enter__(self) -> Self:
        if sys.stdin is not None and sys.stdin.isatty():
            self._terminal = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._terminal)
            tty.setcbreak(self._terminal)
            asyncio.get_running_loop().add_reader(self._terminal, self._read)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            asyncio.get_running_loop().remove_reader(self._terminal)
            with suppress(termios.error):  # its window was closed
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
            self._before = None

    def _read(self) -> None:
        try:
            keys = os.read(self._terminal, 64).decode(errors="replace")
        except OSError:  # its window was closed
            keys = ""
        if not keys:  # the terminal is gone
            asyncio.get_running_loop().remove_reader(self._terminal)
        for key in keys:
            self._pressed(key)
