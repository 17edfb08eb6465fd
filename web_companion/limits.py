"""Rate limits: token buckets with a handed-in clock, and the limit on guessing codes."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

Clock = Callable[[], float]


class Bucket:
    """A token bucket: `burst` at once, refilled at `per_second`. A refused take costs nothing."""

    __slots__ = ("_burst", "_clock", "_per_second", "_seen", "_tokens")

    def __init__(self, burst: float, per_second: float, clock: Clock = time.monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._tokens = burst
        self._seen = clock()

    def take(self) -> bool:
        """Take one token; False when there is none."""
        self._fill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def wait(self) -> float:
        """Seconds until the next token, 0 when there is one."""
        self._fill()
        return max(0.0, (1 - self._tokens) / self._per_second)

    def _fill(self) -> None:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._seen) * self._per_second)
        self._seen = now


class Buckets:
    """One bucket for each key, the least recently used ones forgotten so that strangers cannot fill the memory."""

    def __init__(self, burst: float, per_second: float, clock: Clock = time.monotonic, most: int = 512) -> None:
        self._shape = (burst, per_second, clock)
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        """The bucket of `key`, made when it is new."""
        bucket = self._buckets.pop(key, None) or Bucket(*self._shape)
        self._buckets[key] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket


class JoinLimit:
    """How many phones may join with the right code: 60 at once and one every 2 s for each address, 240 and 4/s for all.

    A household of fifty behind one address comes in together; whoever passes the code round to a machine costs little.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._addresses = Buckets(60, 1 / 2, clock)
        self._everybody = Bucket(240, 4.0, clock)

    def take(self, address: str) -> float:
        """One more phone joins from `address`: 0.0, or the seconds until it may."""
        of_address = self._addresses.of(address)
        wait = max(of_address.wait, self._everybody.wait)
        if wait == 0:
            of_address.take()
            self._everybody.take()
        return wait


class GuessLimit:
    """How often wrong codes may be tried: 8 at once and one every 6 s for each address, 40 and one a second for all.

    With 28^5 join codes that is centuries of guessing, while a family mistyping the code never notices. Right codes
    cost nothing here (`JoinLimit` counts those), so that ten phones behind one address all get in. A seat's code has
    four figures only: 8 at once and one a minute for each seat, wherever they come from, which is three days for half
    of them.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._addresses = Buckets(8, 1 / 6, clock)
        self._everybody = Bucket(40, 1.0, clock)
        self._seats = Buckets(8, 1 / 60, clock)

    def wait(self, address: str, seat: int | None = None) -> float:
        """Seconds until `address` may try a code (that of `seat`); 0.0 when it may now."""
        of_seat = 0.0 if seat is None else self._seats.of(str(seat)).wait
        return max(self._addresses.of(address).wait, self._everybody.wait, of_seat)

    def wrong(self, address: str, seat: int | None = None) -> None:
        """`address` tried a wrong code (for `seat`)."""
        self._addresses.of(address).take()
        self._everybody.take()
        if seat is not None:
            self._seats.of(str(seat)).take()
