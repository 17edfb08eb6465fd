"""The least program with a launcher and a guardian: usage: shooter FOLDER, where the guardian's log goes.

Tells what its backend tells, a line of JSON each. Takes `fire CARDS`, and `break edges`, which makes the next edge of
the button end the thread that brings every edge. Ends with its input.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hardware.backends import open_backend
from hardware.gpio import BackendError
from hardware.pins import PinMap
from hardware.ports import HardwareEvent, ShotOrder


def tell(event: HardwareEvent) -> None:
    """The backend's listener."""
    say(event=type(event).__name__, **asdict(event))


def say(**fact: object) -> None:
    """One line."""
    print(json.dumps(fact), flush=True)


def break_edges(backend: Any) -> None:
    """What a careless program does: a callback of lgpio's that raises."""
    import lgpio

    def fail(*edge: object) -> None:
        raise RuntimeError("nobody catches this")

    lgpio.callback(backend._factory._handle, PinMap().button, lgpio.BOTH_EDGES, fail)
    say(broken=True)


def main(folder: Path) -> int:
    """Returns the exit code: 3 = refused."""
    backend = open_backend("gpio", guardian_log=folder / "guardian.log")
    try:
        backend.start(tell)
    except BackendError as refusal:
        say(refused=str(refusal))
        return 3
    try:
        say(state=backend.launcher.status().state)
        for number, line in enumerate(sys.stdin, 1):
            if line.startswith("fire"):
                backend.launcher.begin_shot(ShotOrder(number, int(line.split()[1]), time.monotonic()))
            else:
                break_edges(backend)
    finally:
        backend.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
