"""`uno-attack bridge`: who is there, in words; what is refused, and what mends it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from controller import cli
from controller.commands import bridge
from firmware_bridge import port as ports
from firmware_bridge.frames import PROTOCOL, Decoder, Frame, encode
from firmware_bridge.headers import limits_crc
from firmware_bridge.messages import ANSWER, HERE, WHO, Board, Hello, Kind
from tests.bridge.simulator import LID, Simulator

Said = pytest.CaptureFixture[str]


class Stranger:
    """Something on a pty that is not our firmware; `answer` is what it says to HELLO."""

    def __init__(self, answer: bytes) -> None:
        self._master, slave = os.openpty()
        self.device = os.ttyname(slave)
        os.set_blocking(self._master, True)
        self._slave = slave
        self._answer = answer
        self.heard = b""
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        os.close(self._slave)
        self._thread.join(5)
        os.close(self._master)

    def _listen(self) -> None:
        while True:
            try:
                data = os.read(self._master, 256)
            except OSError:  # the other end is closed
                return
            self.heard += data
            if b"\0" in data:
                os.write(self._master, self._answer)


def hello(version: int = PROTOCOL, limits: int | None = None, sequence: int = 1) -> bytes:
    said = Hello(HERE, 1, 0, Board.ATMEGA328P, 31, 1, limits_crc() if limits is None else limits, 0, 1500)
    return encode(Frame(Kind.HELLO | ANSWER, sequence, b"\0" + said.pack(), version))


def test_a_controller_is_told_in_words(capsys: Said) -> None:
    stranger = Stranger(hello())
    try:
        assert cli.main(["bridge", "hello", "--device", stranger.device]) == 0
    finally:
        stranger.close()
    said = capsys.readouterr().out
    assert "firmware 1.0 on atmega328p" in said
    assert "started 1.5 s ago: power" in said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (hello(PROTOCOL + 1), ["newer: protocol 2", "bridge flash --device"]),
        (hello(limits=0xBEEF), ["goes by other figures", "beef", "bridge flash --device"]),
        (encode(Frame(Kind.HELLO | ANSWER, 1, b"\0" + bytes(17))), ["not as a launcher's controller"]),
    ],
)
def test_what_does_not_fit_is_refused_with_what_mends_it(answer: bytes, words: list[str], capsys: Said) -> None:
    stranger = Stranger(answer)
    try:
        assert cli.main(["bridge", "hello", "--device", stranger.device]) == 2
    finally:
        stranger.close()
    said = capsys.readouterr().err
    assert all(word in said for word in (*words, stranger.device)), said


@pytest.mark.slow
def test_nothing_but_hello_is_written_to_what_does_not_answer(capsys: Said) -> None:
    stranger = Stranger(b"AT\r\nOK\r\n\0garbage")
    try:
        assert cli.main(["bridge", "hello", "--device", stranger.device]) == 2
    finally:
        stranger.close()
    frames = Decoder().feed(stranger.heard)
    assert len(frames) > 5
    assert {(frame.kind, frame.payload) for frame in frames} == {(Kind.HELLO, WHO)}
    assert "does not answer as a launcher's controller does" in capsys.readouterr().err


def test_a_port_that_is_not_there(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "known_ports", lambda: [Path("/dev/serial/by-id/usb-nano")])
    assert cli.main(["bridge", "hello", "--device", "/dev/ttyNONE"]) == 2
    assert "there is no port /dev/ttyNONE. There is: /dev/serial/by-id/usb-nano" in capsys.readouterr().err


def test_no_port_named(capsys: Said, tmp_path: Path) -> None:
    empty = tmp_path / "uno-attack.toml"
    empty.write_text("")
    for action in ("hello", "monitor", "flash"):
        assert cli.main(["bridge", action, "--config", str(empty)]) == 2
        assert "which port?" in capsys.readouterr().err


def test_ports_are_listed_by_their_own_names(capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ports, "BY_ID", tmp_path)
    monkeypatch.setattr(ports.known_ports, "__defaults__", (tmp_path,))
    assert cli.main(["bridge", "list"]) == 1
    assert "no serial port is plugged in" in capsys.readouterr().out
    (tmp_path / "usb-nano").symlink_to("/dev/null")
    assert cli.main(["bridge", "list"]) == 0
    assert f"{tmp_path}/usb-nano  (/dev/null)" in capsys.readouterr().out


def test_what_is_missing_to_flash_is_named(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge.shutil, "which", lambda program: None)  # type: ignore[attr-defined]
    assert cli.main(["bridge", "flash", "--device", "/dev/ttyUSB0"]) == 2
    assert "sudo apt install make gcc-avr binutils-avr avrdude" in capsys.readouterr().err


@pytest.mark.slow
def test_flash_builds_and_says_the_line(capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bridge, "cache_directory", lambda: tmp_path)
    assert cli.main(["bridge", "flash", "--dry-run", "--board", "nano-old", "--device", "/dev/ttyUSB0"]) == 0
    line = f"avrdude -p atmega328p -c arduino -P /dev/ttyUSB0 -b 57600 -D -U flash:w:{tmp_path}/firmware/firmware.hex:i"
    assert line in capsys.readouterr().out
    assert (tmp_path / "firmware" / "firmware.hex").read_text().startswith(":")


@pytest.mark.slow
def test_monitor_says_what_happens_and_arms_nothing(paced: Simulator, capsys: Said) -> None:
    def happen() -> None:
        paced.tell("press 70")
        paced.set(LID, True)

    timer = threading.Timer(1.5, happen)
    timer.start()
    assert cli.main(["bridge", "monitor", "--device", str(paced.port), "--seconds", "3"]) == 0
    timer.join()
    said = capsys.readouterr().out
    assert "firmware 1.0 on atmega328p" in said
    for words in ("the lid is open", "the button went down", "the button came up", "FAULT: the lid is open"):
        assert words in said, said
    assert "armed" not in said
