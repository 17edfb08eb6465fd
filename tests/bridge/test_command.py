"""`uno-attack bridge`: who is there, in words; what is refused, and what mends it."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from controller import cli
from controller.commands import bridge
from firmware_bridge import port as ports
from firmware_bridge.frames import PROTOCOL, Decoder, Frame, encode
from firmware_bridge.headers import FIRMWARE, limits_crc
from firmware_bridge.messages import ANSWER, HERE, WHO, Board, Hello, Kind, Reset
from firmware_bridge.port import SerialPort
from tests.bridge.simulator import LID, Simulator

Said = pytest.CaptureFixture[str]

RAW = ("Errno", "errno", "ioctl", "readiness", "Could not", "multiple access")
"""Words of the library and the kernel, which say nothing to a person at a table."""


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


class Pty:
    """A port of this machine, and the cable it hangs on."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.device = os.ttyname(self._slave)
        self._plugged = True

    def say(self, data: bytes) -> None:
        os.write(self._master, data)

    def unplug(self) -> None:
        if self._plugged:
            self._plugged = False
            os.close(self._master)
            os.close(self._slave)

    def unplugged_when_asked(self) -> None:
        """Pull the cable as soon as something is written to the port."""
        os.read(self._master, 1)
        self.unplug()


@pytest.fixture
def port() -> Iterator[Pty]:
    plugged = Pty()
    yield plugged
    plugged.unplug()


def hello(version: int = PROTOCOL, limits: int | None = None, sequence: int = 1, reset: int = Reset.POWER) -> bytes:
    said = Hello(HERE, 1, 0, Board.ATMEGA328P, 31, reset, limits_crc() if limits is None else limits, 0, 1500)
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


# --- ports that are not what they should be, or go away ---------------------------------------------------------------


@pytest.mark.parametrize("action", ["hello", "monitor"])
def test_what_is_no_serial_port_is_called_so(action: str, capsys: Said, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("")
    for device in ("/dev/null", str(file), str(tmp_path)):
        assert cli.main(["bridge", action, "--device", device]) == 2
        said = capsys.readouterr().err
        assert f"{device} is no serial port" in said
        assert not any(word in said for word in RAW), said


def test_a_port_that_another_program_has_is_left_to_it(port: Pty, capsys: Said) -> None:
    holder = SerialPort(port.device)
    try:
        assert cli.main(["bridge", "hello", "--device", port.device]) == 2
    finally:
        holder.close()
    assert f"{port.device} is in use by another program: end that first (sudo fuser" in capsys.readouterr().err


@pytest.mark.parametrize("action", ["hello", "monitor"])
def test_a_port_that_goes_away_is_named_with_what_mends_it(action: str, port: Pty, capsys: Said) -> None:
    threading.Thread(target=port.unplugged_when_asked, daemon=True).start()
    assert cli.main(["bridge", action, "--device", port.device]) == 2
    said = capsys.readouterr().err
    assert f"{port.device}: it was unplugged, or has lost its power; look at its cable" in said
    assert not any(word in said for word in RAW), said


def test_whoever_listens_is_told_in_our_words_that_the_port_is_gone(port: Pty) -> None:
    lost: Queue[str] = Queue()
    opened = SerialPort(port.device)
    try:
        opened.listen(lambda data: None, lost.put)
        port.unplug()
        assert lost.get(timeout=10) == ports.UNPLUGGED
        with pytest.raises(OSError, match=f"^{ports.UNPLUGGED}$"):
            opened.write(b"\0")
    finally:
        opened.close()


def test_a_second_reader_of_a_port_is_told_from_a_pulled_cable(port: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = SerialPort(port.device)
    port.say(b"\0")

    def quicker(*_: object) -> tuple[list[int], list[int], list[int]]:
        """Says that there is something, and has it taken by somebody else before we look."""
        return [opened._serial.fileno()], [], []

    try:
        assert opened.read(5) == b"\0"
        monkeypatch.setattr("serial.serialposix.select.select", quicker)
        monkeypatch.setattr("serial.serialposix.os.read", lambda *_: b"")
        with pytest.raises(ports.PortError, match=f"{port.device}: {ports.SHARED}; .*fuser -v {port.device}"):
            opened.read(5)
    finally:
        monkeypatch.undo()
        opened.close()


def test_a_port_that_takes_nothing_any_more_says_so(port: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "WRITE_SECONDS", 0.01)
    opened = SerialPort(port.device)
    try:
        with pytest.raises(OSError, match=f"^{ports.STUCK}$"):
            opened.write(bytes(100_000))
    finally:
        opened.close()


# --- monitor ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["nan", "-1", "0", "inf", "soon"])
def test_a_time_that_is_none_is_refused(seconds: str, capsys: Said) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["bridge", "monitor", "--device", "/dev/null", f"--seconds={seconds}"])
    assert ended.value.code == 2
    assert "--seconds" in capsys.readouterr().err


@pytest.mark.parametrize("action", ["hello", "monitor"])
def test_whoever_reads_what_is_said_may_leave(action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "Broken pipe")

    stranger, said = Stranger(hello()), io.StringIO()
    monkeypatch.setattr(said, "close", lambda: None)
    monkeypatch.setattr("sys.stdout", Left())
    monkeypatch.setattr("sys.stderr", said)
    try:
        assert cli.main(["bridge", action, "--device", stranger.device]) == 1
    finally:
        stranger.close()
    assert said.getvalue() == ""


def test_opening_the_port_is_not_taken_for_the_uno_button(capsys: Said) -> None:
    stranger = Stranger(hello(reset=Reset.BUTTON))
    try:
        assert cli.main(["bridge", "hello", "--device", stranger.device]) == 0
    finally:
        stranger.close()
    assert "ago: reset (by its button, or by the opening of its port)" in capsys.readouterr().out


# --- flash ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def flashed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """How avrdude was called, which only fails where there is a file `broken`. Nothing is built."""
    lines: list[list[str]] = []

    def run(line: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if line[0] == "make":
            return subprocess.CompletedProcess(line, 0, "", "")
        lines.append(line)
        return subprocess.CompletedProcess(line, 1 if (tmp_path / "broken").exists() else 0)

    monkeypatch.setattr(bridge, "cache_directory", lambda: tmp_path / "cache")
    monkeypatch.setattr(bridge, "MAKERS", {})
    monkeypatch.setattr(bridge, "AVR_LIBC", tmp_path)
    monkeypatch.setattr(bridge.subprocess, "run", run)  # type: ignore[attr-defined]
    return lines


def test_a_board_that_plays_is_not_flashed(flashed: list[list[str]], port: Pty, capsys: Said) -> None:
    table = SerialPort(port.device)
    try:
        assert cli.main(["bridge", "flash", "--device", port.device]) == 2
    finally:
        table.close()
    assert f"{port.device} is in use by another program" in capsys.readouterr().err
    assert flashed == []


def test_what_is_no_serial_port_is_not_flashed(flashed: list[list[str]], capsys: Said, tmp_path: Path) -> None:
    for device, words in (("/dev/null", "is no serial port"), (str(tmp_path / "none"), "there is no port")):
        assert cli.main(["bridge", "flash", "--device", device]) == 2
        assert words in capsys.readouterr().err
    assert flashed == []


def test_after_flashing_the_next_line_names_the_same_port(
    flashed: list[list[str]], port: Pty, capsys: Said, tmp_path: Path
) -> None:
    assert cli.main(["bridge", "flash", "--device", port.device]) == 0
    assert f"now: uno-attack bridge hello --device {port.device}\n" in capsys.readouterr().out
    configured = tmp_path / "my table.toml"
    configured.write_text(f'[serial]\ndevice = "{port.device}"\n')
    assert cli.main(["bridge", "flash", "--config", str(configured)]) == 0
    assert f"now: uno-attack bridge hello --config '{configured}'\n" in capsys.readouterr().out
    assert [line[0] for line in flashed] == ["avrdude", "avrdude"]


@pytest.mark.parametrize(
    ("board", "advice"), [("nano", "Try --board nano-old"), ("nano-old", "Try --board nano\n"), ("uno", "Is it an Uno")]
)
def test_another_board_is_named_where_that_makes_sense(
    board: str, advice: str, flashed: list[list[str]], port: Pty, capsys: Said, tmp_path: Path
) -> None:
    (tmp_path / "broken").touch()
    assert cli.main(["bridge", "flash", "--board", board, "--device", port.device]) == 2
    said = capsys.readouterr().err
    assert "avrdude could not write it" in said
    assert advice in said


@pytest.mark.slow
def test_flash_builds_from_and_in_folders_with_a_space_and_says_the_line(
    capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = tmp_path / "My Games" / "uno" / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    before = sorted(sources.rglob("*"))
    monkeypatch.setattr("firmware_bridge.headers.FIRMWARE", sources)
    monkeypatch.setattr(bridge, "cache_directory", lambda: tmp_path / "my cache")
    words = ["bridge", "flash", "--dry-run", "--board", "nano-old", "--device", "/dev/ttyUSB0"]
    assert cli.main(words) == 0, capsys.readouterr().err
    (built,) = (tmp_path / "my cache").rglob("firmware.hex")
    assert built.read_text().startswith(":")
    line = f"avrdude -p atmega328p -c arduino -P /dev/ttyUSB0 -b 57600 -D -U 'flash:w:{built}:i'"
    assert line in capsys.readouterr().out
    assert sorted(sources.rglob("*")) == before
