"""Who is at the other end of a port: HELLO and nothing else is written until it has answered as one of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.frames import PROTOCOL
from firmware_bridge.headers import limits_crc
from firmware_bridge.link import Answer, Link, OtherProtocol
from firmware_bridge.messages import HERE, Hello, result_text
from firmware_bridge.port import Port

PATIENCE: Final = 5.0  # seconds; an Uno's bootloader keeps the port to itself for the first one or two
_LOOK: Final = 0.05  # seconds
FLASH: Final = "uno-attack bridge flash --device {device}"


class NotOurs(RuntimeError):
    """Whoever is there is not a controller this program can work with; the message is both of these."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(f"{cause}. {remedy[0].upper()}{remedy[1:]}")
        self.cause = cause
        self.remedy = remedy


def identify(port: Port, device: str, now: Callable[[], float], patience: float = PATIENCE) -> Hello:
    """The HELLO of the controller at an open port. Raises `NotOurs`, or `OSError` for a port that goes away."""
    found: list[Answer] = []
    link = Link(port.write, lambda event: None)
    end = now() + patience
    link.hello(now(), found.append)
    while not found:
        try:
            link.hear(now(), port.read(_LOOK))  # before any verdict: a port that has gone says so itself
        except OtherProtocol as problem:
            raise other_protocol(device, problem.version) from problem
        link.tick(now())
        if not found and (link.failure or now() >= end):
            raise no_answer(device)
    hello = found[0].hello
    assert hello is not None
    refuse_foreign(hello, device)
    return hello


def no_answer(device: str) -> NotOurs:
    """What to say of a port on which nobody answers HELLO."""
    return NotOurs(
        f"{device} does not answer as a launcher's controller does",
        "is it the right port (uno-attack bridge list)? If it is, put the firmware on it: "
        + FLASH.format(device=device),
    )


def refuse_foreign(hello: Hello, device: str) -> None:
    """Raise `NotOurs` unless this program and this controller go by the same figures."""
    if hello.here != HERE:
        raise NotOurs(
            f"{device} answers, but not as a launcher's controller", "is it the right port (uno-attack bridge list)?"
        )
    if hello.limits_crc != limits_crc():
        raise NotOurs(
            f"the firmware {hello.major}.{hello.minor} on {device} goes by other figures than this program (table "
            f"{hello.limits_crc:04x}, here {limits_crc():04x})",
            f"put this program's firmware on it: {FLASH.format(device=device)}",
        )


def other_protocol(device: str, version: int) -> NotOurs:
    """What to say of a controller that speaks another version of the protocol."""
    older = version < PROTOCOL
    mend = "put this program's firmware on it: " if older else "update this program, or go back with it: "
    return NotOurs(
        f"the firmware on {device} is {'older' if older else 'newer'}: protocol {version}, where this program speaks "
        f"{PROTOCOL}",
        mend + FLASH.format(device=device),
    )


def refuses(device: str, what: str, result: int) -> NotOurs:
    """What to say of a controller of ours that refuses what none of its firmware should."""
    return NotOurs(
        f"the firmware on {device} refuses {what}: {result_text(result)}",
        f"put this program's firmware on it: {FLASH.format(device=device)}",
    )
