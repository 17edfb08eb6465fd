"""The table's one source of chance: a `random.Random` whose whole state is a seed and a counter, for every row.

Rules and odds both draw from it, so that the same seed gives the same evening. No module-wide generator is ever used.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from random import Random

_FLOAT_BITS = 53


class SeededRandom(Random):
    """Chance that can be taken up again after a restart: block number `drawn` of a keyed hash of the seed.

    The seed is a secret of the table: with it every shot to come is known.
    """

    def __init__(self, seed: str, drawn: int = 0) -> None:
        """Take up the stream of `seed` (any text) after `drawn` blocks."""
        super().__init__(0)
        self.table_seed = seed
        self.drawn = drawn
        self._key = blake2b(seed.encode()).digest()

    @classmethod
    def unpredictable(cls) -> SeededRandom:
        """A stream nobody can know beforehand."""
        return cls(secrets.token_hex(16))

    def random(self) -> float:
        """A float in [0, 1)."""
        return self.getrandbits(_FLOAT_BITS) / (1 << _FLOAT_BITS)

    def getrandbits(self, bits: int, /) -> int:
        """`bits` random bits; everything else `Random` offers is made of these."""
        if bits < 0:
            raise ValueError("the number of bits cannot be negative")
        size = (bits + 7) // 8
        blocks = (size + 63) // 64
        stream = b"".join(self._block() for _ in range(blocks))
        return int.from_bytes(stream[:size], "big") >> (size * 8 - bits) if bits else 0

    def _block(self) -> bytes:
        self.drawn += 1
        return blake2b(self.drawn.to_bytes(8, "big"), key=self._key).digest()
