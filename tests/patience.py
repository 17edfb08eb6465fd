"""How patient tests are with a busy machine: how long they wait, and what they set when they shoot in real time.

A busy machine may leave a thread without its turn for a quarter of a second, and then the launcher's watchdog bites as
it should. What it does is tried on a virtual clock, and by the tests of `tests/faults`, in their own way.
"""

from __future__ import annotations

from typing import Final

WATCHDOG_MS: Final = 1000
ENVIRONMENT: Final = {"UNO_ATTACK_LAUNCHER_WATCHDOG_MS": str(WATCHDOG_MS)}
DEADLINE: Final = 60.0  # seconds until a test gives up waiting for something; only ever reached when it is broken
