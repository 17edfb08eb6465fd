"""Making a launcher safe from outside its table: its outputs claimed as low, whoever has to end before that.

Needs the kernel only. Who holds a line is never guessed: nothing is ended but by its process id, and only when asked.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from hardware.chips import ChipError, LineHeld, Lines, holders, stays_driven

GONE: Final = 2.0  # seconds a killed process may take to be gone
RETRY: Final = 0.005  # seconds between two tries at a line whose holder is just ending

Say = Callable[[str], None]


def make_low(chip: Lines, outputs: Mapping[str, int], say: Say, patience: float = 0.0) -> list[str]:
    """Claim every output low, in the order given; says for each what came of it. Returns those that failed.

    One that fails keeps none of the others waiting: each is tried at once, then the held ones again for `patience` s.
    The lines are held until the chip is closed.
    """
    until = time.monotonic() + patience
    left = dict(outputs)
    while True:
        trouble = {name: _claim(chip, offset) for name, offset in left.items()}
        for name, offset in outputs.items():
            if trouble.get(name) == "" and name in left:
                say(f"{name} (GPIO {offset}): low")
        left = {name: offset for name, offset in left.items() if trouble[name]}
        if not left or time.monotonic() >= until:
            break
        time.sleep(RETRY)
    for name, offset in left.items():
        say(f"{name} (GPIO {offset}): NOT low: {trouble[name]}")
    return list(left)


def _claim(chip: Lines, offset: int) -> str:
    try:
        chip.claim_low(offset)
    except (LineHeld, ChipError) as error:
        return str(error)
    return ""


def afterwards(label: str) -> str:
    """What becomes of the lines when they are let go of, in a sentence."""
    kept = stays_driven(label)
    if kept:
        return "they stay driven low: this kernel keeps outputs (persist_gpio_outputs)"
    if kept is None:
        return (
            "whether they stay driven this kernel does not say: let go of, a line may float, held by its pull-down only"
        )
    return "they float now, held low by their pull-downs only: this kernel turns outputs that are let go of into inputs"


def in_the_way(chip: Lines, outputs: Mapping[str, int]) -> dict[int, list[str]]:
    """Processes that hold outputs, and which, as far as that can be found out. Ours never."""
    found: dict[int, list[str]] = {}
    for name, offset in outputs.items():
        for pid in holders(chip.info.name, offset):
            if pid != os.getpid():
                found.setdefault(pid, []).append(name)
    return found


def kill(pid: int) -> bool:
    """End a process at once and wait until it is gone; False when it is not gone within two seconds.

    SIGKILL, for it may be frozen: nothing weaker reaches it, and while it is there it holds its lines.
    """
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return kill_process(process)
    finally:
        os.close(process)


def kill_process(process: int) -> bool:
    """The same for a process that is known by its file (`os.pidfd_open`), so that it can be no other."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(process, signal.SIGKILL)
    return bool(select.select([process], [], [], GONE)[0])
