"""docs/protocol.md says what the code does: every field of every payload, every number, and its examples."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages
from firmware_bridge.frames import MOST, PROTOCOL, Decoder, Frame, crc, encode
from firmware_bridge.messages import ANSWER, WHO, Fire, Kind, Payload
from hardware.settings import BOUNDS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)
NUMBERS = re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)
PAYLOADS: tuple[type[Payload], ...] = (
    messages.Hello, messages.Status, messages.Switch, messages.Fire, messages.Event, messages.Level, messages.Card,
    messages.Ended, messages.Latched,
)  # fmt: skip
ENUMS: tuple[type[IntEnum], ...] = (
    messages.Kind, messages.Result, messages.Phase, messages.Trouble, messages.Cause,
)  # fmt: skip
EXAMPLES = {
    "HELLO, sequence 1": Frame(Kind.HELLO, 1, WHO),
    "PING, sequence 2": Frame(Kind.PING, 2),
    "FIRE, sequence 5": Frame(Kind.FIRE, 5, Fire(17, 3, 1100, 8000, 112).pack()),
}


def test_every_byte_of_every_payload_is_there_in_its_order() -> None:
    fields = [(str(at), str(size), name) for payload in PAYLOADS for at, size, name in payload.bytes_of()]
    assert fields == ROWS


def test_every_number_has_its_name() -> None:
    assert [(str(member.value), member.name) for kind in ENUMS for member in kind] == NUMBERS


def test_the_figures_are_in_the_order_of_config() -> None:
    section = PAGE[PAGE.index("## CONFIG") : PAGE.index("## ARM")]
    listed = [name for name in re.findall(r"`(\w+)`", section) if name in BOUNDS]
    assert listed == list(BOUNDS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_frames(name: str) -> None:
    found = re.search(rf"^\| {name}[^|]*\| `([0-9a-f ]+)` \|", PAGE, re.MULTILINE)
    assert found is not None
    assert bytes.fromhex(found[1]) == encode(EXAMPLES[name])


def test_times_and_limits_are_those_of_the_code() -> None:
    for words in (
        f"Protocol version {PROTOCOL}.",
        f"length of the payload, {MOST} at the most",
        f"No answer after {messages.RETRY_MS} ms",
        f"{messages.TRIES} times in all",
        f"for {messages.DEAD_MAN_MS} ms: motor off",
        f"For `123456789` it is 0x{crc(b'123456789'):04X}",
    ):
        assert words in PAGE, words


@pytest.mark.slow
def test_the_firmware_answers_the_examples(core: Any) -> None:
    chip = core.host_new(1, 1, 0)
    decoder = Decoder()
    for name, frame in EXAMPLES.items():
        for byte in encode(frame):
            core.bridge_hear(chip, 1000, byte)
        said = bytearray()
        while (byte := core.bridge_say(chip)) >= 0:
            said.append(byte)
        answers = [each.kind for each in decoder.feed(bytes(said)) if each.sequence == frame.sequence]
        assert answers == ([] if name.startswith("FIRE") else [frame.kind | ANSWER])  # 5 does not come after 2
