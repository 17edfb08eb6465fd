"""A brute force of the rules of a digital table, written from the rules alone in the plainest way, to count against.

It copies whole positions, thinks in words, and knows nothing of the engine. Read on in `position`, `judging`, `doing`.
"""

from .doing import PileTooShort, do
from .judging import actions, choosing
from .position import Position, read

__all__ = ["PileTooShort", "Position", "actions", "choosing", "do", "read"]
