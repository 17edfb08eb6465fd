"""Frames on the wire: COBS, a CRC-16, a zero byte between two. Pure: no ports, no time.

A frame, before COBS takes its zeros away: protocol version, type, sequence, length of the payload, payload, CRC.
docs/protocol.md has every byte.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass
from typing import Final

PROTOCOL: Final = 1
"""Version of the protocol. The place of version, type and the first bytes of HELLO never changes; all else may."""

MOST: Final = 112  # bytes of a payload
DELIMITER: Final = b"\0"
CRC_START: Final = (
    0xFFFF  # of CRC-16 with the polynomial x^16 + x^12 + x^5 + 1 (0x1021), highest bit first, no final xor
)
_HEAD: Final = 4  # version, type, sequence, length
_TAIL: Final = 2  # CRC, high byte first
_LONGEST: Final = _HEAD + MOST + _TAIL + 1  # with what COBS adds to less than 254 bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `kind` is a `messages.Kind`, or the number of one that is not known here."""

    kind: int
    sequence: int
    payload: bytes = b""
    version: int = PROTOCOL


def crc(data: bytes) -> int:
    """The CRC-16 of `data`."""
    return crc_hqx(data, CRC_START)


def encode(frame: Frame) -> bytes:
    """`frame` as it goes over the wire, with its delimiter. Raises `ValueError` for a payload that is too long."""
    if len(frame.payload) > MOST:
        raise ValueError(f"a payload of {len(frame.payload)} bytes; a frame holds {MOST} at most")
    body = bytes((frame.version, frame.kind, frame.sequence, len(frame.payload))) + frame.payload
    return stuff(body + crc(body).to_bytes(_TAIL, "big")) + DELIMITER


def decode(stuffed: bytes) -> Frame | None:
    """The frame between two delimiters; None for whatever is none."""
    body = unstuff(stuffed)
    if body is None or len(body) < _HEAD + _TAIL or len(body) != _HEAD + body[3] + _TAIL or body[3] > MOST:
        return None
    if crc(body[:-_TAIL]) != int.from_bytes(body[-_TAIL:], "big"):
        return None
    return Frame(body[1], body[2], body[_HEAD:-_TAIL], body[0])


def stuff(data: bytes) -> bytes:
    """COBS: each run up to a zero as its length and itself, so that no zero is left. For less than 254 bytes."""
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(DELIMITER))


def unstuff(data: bytes) -> bytes | None:
    """What `stuff` was given; None where it cannot have made `data`."""
    if DELIMITER in data:
        return None
    runs = []
    at = 0
    while at < len(data):
        end = at + data[at]
        if end > len(data):
            return None
        runs.append(data[at + 1 : end])
        at = end
    return DELIMITER.join(runs)


class Decoder:
    """Finds the frames in a stream, however it is split; whatever else is in it is skipped and counted."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._too_long = False
        self.garbage = 0  # stretches between two delimiters that were no frame

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes."""
        found = []
        *complete, rest = data.split(DELIMITER)
        for piece in complete:
            self._hold(piece)
            frame = None if self._too_long else decode(bytes(self._held))
            if frame is not None:
                found.append(frame)
            elif self._held or self._too_long:
                self.garbage += 1
            self._held.clear()
            self._too_long = False
        self._hold(rest)
        return found

    def _hold(self, piece: bytes) -> None:
        self._held += piece
        if len(self._held) > _LONGEST:
            self._held.clear()
            self._too_long = True
