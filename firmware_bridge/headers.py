"""The firmware's two headers, made from what the host goes by, so that both ends have one definition.

`python -m firmware_bridge.headers` writes them; a test compares. What is in CONFIG is the table of `[launcher]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Final

from firmware_bridge import frames, messages
from hardware.settings import BOUNDS, DUTY_WINDOW_MS, LauncherSettings

FIRMWARE: Final = Path(__file__).parent / "firmware"
_MADE: Final = "/* Made by `python -m firmware_bridge.headers`; changes here are lost. */\n#pragma once\n\n"
_ENUMS: Final[tuple[type[IntEnum | IntFlag], ...]] = (
    messages.Kind, messages.Result, messages.Told, messages.Input, messages.Output, messages.Wired, messages.State,
    messages.Phase, messages.End, messages.Sure, messages.Trouble, messages.Cause, messages.Board,
)  # fmt: skip
_NUMBERS: Final = ("BAUD", "RETRY_MS", "TRIES", "DEAD_MAN_MS", "NO_HOPPER", "ANSWER")


def figures(settings: LauncherSettings) -> bytes:
    """The figures as CONFIG has them: two bytes each, in the table's order."""
    return b"".join(int(getattr(settings, name)).to_bytes(2, "little") for name in BOUNDS)


def config(settings: LauncherSettings, wired: messages.Wired) -> bytes:
    """The payload of CONFIG."""
    return bytes((wired,)) + figures(settings)


def limits_crc() -> int:
    """Of the table of figures: names, order, bounds. Ends that differ in it do not understand each other."""
    return frames.crc(" ".join(f"{name}:{low}:{high}" for name, (low, high) in BOUNDS.items()).encode())


def settings_header() -> str:
    """The text of settings.h."""
    rows = " \\\n".join(f"    X({name}, {low}, {high})" for name, (low, high) in BOUNDS.items())
    return (
        f"{_MADE}/* name, lowest, highest: hardware/settings.py. */\n#define FIGURES(X) \\\n{rows}\n\n"
        f"#define FIGURE_COUNT {len(BOUNDS)}\n#define LIMITS_CRC 0x{limits_crc():04X}\n"
        f"#define DUTY_WINDOW_MS {DUTY_WINDOW_MS}\n"
    )


def protocol_header() -> str:
    """The text of protocol.h."""
    return _MADE + "\n".join(_protocol())


def _protocol() -> Iterator[str]:
    yield f"#define PROTOCOL {frames.PROTOCOL}"
    yield f"#define MOST_PAYLOAD {frames.MOST}"
    yield f"#define CRC_START 0x{frames.CRC_START:04X}"
    for name in _NUMBERS:
        yield f"#define {name} {getattr(messages, name)}"
    yield f'#define WHO "{messages.WHO.decode()}"'
    yield f'#define HERE "{messages.HERE.decode()}"'
    for each in _ENUMS:
        yield f"\nenum {each.__name__} {{"
        for member in each:
            yield f"    {each.__name__.upper()}_{member.name} = {member.value},"
        yield "};"
    yield "\n/* sizes of payloads */"
    for payload in (messages.Hello, messages.Status, messages.Fire, messages.Switch):
        yield f"#define {payload.__name__.upper()}_SIZE {payload.layout.size}"
    yield f"#define EVENT_SIZE {max(payload.layout.size for payload in messages.EVENTS.values())}\n"


HEADERS: Final = {"settings.h": settings_header, "protocol.h": protocol_header}

if __name__ == "__main__":
    for name, made in HEADERS.items():
        (FIRMWARE / name).write_text(made(), encoding="utf-8")
