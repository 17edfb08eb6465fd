"""Frames: whatever happens to the bytes on their way, nothing is taken for a frame that was not sent as one."""

from __future__ import annotations

import ctypes
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.frames import DELIMITER, MOST, Decoder, Frame, crc, decode, encode, stuff, unstuff

BYTE = st.integers(0, 255)
FRAMES = st.builds(Frame, BYTE, BYTE, st.binary(max_size=MOST), BYTE)


def test_the_crc_is_the_one_it_says() -> None:
    assert crc(b"123456789") == 0x29B1  # the check value of CRC-16 with 0x1021 and 0xFFFF at the start
    assert crc(b"") == 0xFFFF


def test_a_frame_byte_by_byte() -> None:
    body = bytes((1, 4, 9, 3, 0, 7, 0))
    tail = crc(body).to_bytes(2, "big")
    assert 0 not in tail
    assert encode(Frame(4, 9, b"\0\7\0")) == b"\5\1\4\x09\3" + b"\2\7" + b"\3" + tail + b"\0"


@given(FRAMES)
def test_what_is_encoded_is_decoded(frame: Frame) -> None:
    wire = encode(frame)
    assert wire.count(DELIMITER) == 1
    assert wire.endswith(DELIMITER)
    assert len(wire) == len(frame.payload) + 8
    assert decode(wire[:-1]) == frame


@given(st.binary(max_size=250))
def test_stuffing_leaves_no_zero_and_is_undone(data: bytes) -> None:
    stuffed = stuff(data)
    assert DELIMITER not in stuffed
    assert unstuff(stuffed) == data


@given(st.binary(max_size=200))
@example(b"\x0b" + bytes(10))
def test_any_bytes_are_unstuffed_or_refused(data: bytes) -> None:
    plain = unstuff(data)
    assert plain is None or stuff(plain) == data or data == b""


@given(st.lists(FRAMES, max_size=5), st.lists(st.integers(0, 700), max_size=8))
def test_any_split_of_the_stream_gives_the_same_frames(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(map(encode, frames))
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    decoder = Decoder()
    found = [frame for begin, end in pairwise(places) for frame in decoder.feed(stream[begin:end])]
    assert found == frames
    assert decoder.garbage == 0


@given(FRAMES, st.binary(max_size=300), st.binary(max_size=300))
def test_garbage_before_and_after_costs_no_frame(frame: Frame, before: bytes, after: bytes) -> None:
    decoder = Decoder()
    found = decoder.feed(before + DELIMITER + encode(frame) + after + DELIMITER + encode(frame))
    assert found[0] == found[-1] == frame
    assert len(found) == 2


def test_every_flip_of_a_single_bit_is_caught_or_harmless() -> None:
    """Of many frames, between two others: what is found is one of those that were sent, each at most once."""
    chance = Random(11)
    first, last = Frame(8, 1), Frame(8, 3, b"end")
    for _ in range(150):
        payload = bytes(chance.choice((0, 0, 1, 255, chance.randrange(256))) for _ in range(chance.randrange(30)))
        sent = [first, Frame(chance.randrange(1, 17), 2, payload), last]
        before, wire, after = map(encode, sent)
        for bit in range(8 * len(wire)):
            hit = bytearray(wire)
            hit[bit // 8] ^= 1 << bit % 8
            found = Decoder().feed(before + hit + after)
            assert found[0] == first
            assert found in ([first, last], [first]), (payload.hex(), bit)  # the last one is lost with the delimiter


def test_a_stream_without_a_delimiter_is_not_hoarded() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"x" * 1000) == []
    assert len(decoder._held) <= 2000
    assert decoder.feed(b"\0" + encode(Frame(1, 1))) == [Frame(1, 1)]
    assert decoder.garbage == 1


def test_a_payload_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="a payload of 113 bytes"):
        encode(Frame(1, 1, bytes(MOST + 1)))


class CReader(ctypes.Structure):
    """`FrameReader` of frames.h."""

    _fields_ = [
        ("body", ctypes.c_uint8 * (MOST + 6)),
        *((name, ctypes.c_uint8) for name in ("size", "run")),
        *((name, ctypes.c_bool) for name in ("zero", "bad")),
    ]


@pytest.mark.slow
def test_the_firmware_finds_and_writes_the_same_frames(core: Any) -> None:
    assert core.host_size(b"FrameReader") == ctypes.sizeof(CReader)
    chance = Random(5)
    reader, decoder = CReader(), Decoder()
    wire = (ctypes.c_uint8 * 256)()
    for _ in range(20_000):
        payload = bytes(chance.choice((0, 1, chance.randrange(256))) for _ in range(chance.choice((0, 5, 22, MOST))))
        frame = Frame(chance.randrange(256), chance.randrange(256), payload)
        size = core.frame_write(wire, frame.kind, frame.sequence, payload, len(payload))
        assert bytes(wire[:size]) == encode(frame)
        stream = bytearray(encode(frame))
        if chance.random() < 0.3:
            stream[chance.randrange(len(stream))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.1:
            stream = bytearray(chance.randbytes(chance.randrange(300)))
        found = []
        for byte in stream:
            if core.frame_byte(ctypes.byref(reader), byte):
                body = bytes(reader.body[: reader.size])
                found.append(Frame(body[1], body[2], body[4:-2], body[0]))
        assert found == decoder.feed(bytes(stream))
