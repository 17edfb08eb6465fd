"""systemd's end of the socket, for tests: what a service tells it."""

from __future__ import annotations

import select
import socket
import time

from tests.patience import DEADLINE


class Manager:
    """The end of the socket at which systemd listens."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self.heard: list[str] = []

    def hear(self, seconds: float = 0.0) -> None:
        """Take in what has been told, waiting for so long for the first word."""
        while select.select([self._socket], [], [], seconds)[0]:
            self.heard += self._socket.recv(4096).decode().splitlines()
            seconds = 0.0

    def wait_for(self, word: str) -> None:
        """Until it was told `word`."""
        end = time.monotonic() + DEADLINE
        while word not in self.heard:
            assert time.monotonic() < end, f"never told {word}: {self.heard}"
            self.hear(0.1)

    def close(self) -> None:
        self._socket.close()
