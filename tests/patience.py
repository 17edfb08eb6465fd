"""What every test that shoots in real time sets: the launcher's watchdog, as patient as it may be.

A busy machine may leave a thread without its turn for a quarter of a second, and then the watchdog bites as it should.
What it does is tried on a virtual clock, and by the tests of `tests/faults`, in their own way.
"""

from __future__ import annotations

from typing import Final

WATCHDOG_MS: Final = 1000
ENVIRONMENT: Final = {"UNO_ATTACK_LAUNCHER_WATCHDOG_MS": str(WATCHDOG_MS)}
