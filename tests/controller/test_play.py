"""`uno-attack play` as a process: what it prints, how it ends, and what it says when it cannot start."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import termios
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.cli import main
from tests.patience import DEADLINE, ENVIRONMENT


class Playing:
    """A running `uno-attack play`, with what it has printed so far."""

    def __init__(self, data: Path, *arguments: str, stdin: int = subprocess.DEVNULL, nohup: bool = False) -> None:
        hangup = "--ignore-signal=HUP" if nohup else "--default-signal=HUP"  # whatever these tests were started with
        command = ["env", hangup, sys.executable, "-m", "controller.cli", "play", "--listen", "127.0.0.1:0"]
        command += ["--data", str(data)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("UNO_ATTACK_")}
        self.process = subprocess.Popen(
            [*command, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**environment, **ENVIRONMENT, "XDG_CONFIG_HOME": str(data.parent)},
        )  # fmt: skip
        self.printed = ""

    def wait_for(self, words: str) -> str:
        """The line printed that begins with `words`."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + DEADLINE
        while (found := re.search(rf"^{words}.*$", self.printed, re.MULTILINE)) is None or not self._line_ended(found):
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, left))
            assert ready, f"no line {words!r} in time: {self.printed}"
            read = os.read(self.process.stdout.fileno(), 65536)
            assert read, f"it ended without a line {words!r}: {self.printed}"
            self.printed += read.decode()
        return found[0]

    def _line_ended(self, found: re.Match[str]) -> bool:
        return found.end() < len(self.printed)

    def health(self) -> dict[str, object]:
        url = self.wait_for("ready ").removeprefix("ready ")
        with urllib.request.urlopen(f"{url}/healthz", timeout=DEADLINE) as answer:
            health: dict[str, object] = json.load(answer)
        return health

    def ended(self) -> int:
        """Its exit code; what it printed last is kept too."""
        rest, _ = self.process.communicate(timeout=DEADLINE)
        self.printed += rest.decode()
        return self.process.returncode


@contextmanager
def playing(data: Path, *arguments: str, stdin: int = subprocess.DEVNULL, nohup: bool = False) -> Iterator[Playing]:
    table = Playing(data, *arguments, stdin=stdin, nohup=nohup)
    try:
        yield table
    finally:
        if table.process.poll() is None:
            table.process.kill()
        table.process.communicate()


def test_it_says_what_it_is_where_it_is_and_ends_cleanly(tmp_path: Path) -> None:
    with playing(tmp_path / "data", "--bots", "2", "--seed", "a seed nobody guesses") as table:
        ready = table.wait_for("ready ")
        assert table.printed.startswith("twin: a simulated launcher on mock pins; nothing real will move\n")
        phones = table.wait_for("phones: ")
        assert re.fullmatch(r"phones: http://127\.0\.0\.1:\d+/#\w+", phones)
        assert "\n(no code to scan: only this machine reaches that" in table.printed
        assert "█" not in table.printed
        assert re.fullmatch(r"host code: [\w-]{8,}", table.wait_for("host code: "))
        port = ready.rpartition(":")[2]
        assert f"\nhost: http://localhost:{port}/host needs no code on this machine\n" in table.printed
        assert re.fullmatch(r"ready http://127\.0\.0\.1:\d+", ready)
        assert table.health()["ok"]
        assert "nobody guesses" not in table.printed
        table.process.send_signal(signal.SIGTERM)
        assert table.ended() == 0
        assert "Traceback" not in table.printed


def test_phones_get_a_code_to_scan_where_they_can_reach_the_table(tmp_path: Path) -> None:
    with playing(tmp_path / "data", "--listen", "0.0.0.0:0") as table:
        table.wait_for("ready ")
        assert "█" in table.printed
        assert "only this machine" not in table.printed


def test_codes_and_seats_outlive_a_kill_and_the_epoch_does_not(tmp_path: Path) -> None:
    seen = []
    for _ in range(2):
        with playing(tmp_path / "data", "--bots", "3") as table:
            health = table.health()
            code = table.wait_for("phones: ").partition("#")[2]
            seen.append((code, table.wait_for("host code: "), health["epoch"]))
            table.process.kill()
            assert table.ended() == -signal.SIGKILL
    assert seen[0][:2] == seen[1][:2]
    assert int(str(seen[1][2])) > int(str(seen[0][2]))


def test_a_second_table_on_the_same_data_is_refused_and_disturbs_nothing(tmp_path: Path) -> None:
    with playing(tmp_path / "data") as first:
        first.wait_for("ready ")
        with playing(tmp_path / "data") as second:
            assert second.ended() == 2
            assert f"in use by process {first.process.pid}" in second.printed
            assert "Traceback" not in second.printed
        assert first.health()["ok"]


def test_ctrl_c_while_it_is_still_starting_ends_quietly(tmp_path: Path) -> None:
    """The signal comes in the middle of an import: the first seconds of a small machine are spent in those."""
    program = (
        "import os, signal, sys\n"
        "from controller.cli import main\n"
        "class Meanwhile:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == sys.argv[1]:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Meanwhile())\n"
        "sys.exit(main(['play', '--listen', '127.0.0.1:0', '--data', sys.argv[2]]))\n"
    )
    for moment in ("controller.commands.play", "hardware.twin", "web_companion.server", "web_companion.app"):
        ended = subprocess.run(
            [sys.executable, "-c", program, moment, str(tmp_path / "data")],
            capture_output=True, text=True, timeout=DEADLINE, check=False,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (130, ""), moment


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with playing(tmp_path / "data", "--listen", f"127.0.0.1:{port}") as table:
            assert table.ended() == 2
            assert f"port {port}" in table.printed
            assert "--listen" in table.printed
            assert "Traceback" not in table.printed


def test_bad_configurations_and_arguments_start_nothing(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[odds]\nprofil = 'measured'\n")
    for arguments, said in (
        (("--config", str(wrong)), "did you mean 'profile'"),
        (("--config", str(tmp_path / "none.toml")), "no configuration file"),
        (("--backend", "twinn"), "twinn"),
        (("--listen", "nowhere"), "ADDRESS:PORT"),
        (("--bots", "12"), "--bots"),
    ):
        with playing(tmp_path / "data", *arguments) as table:
            assert table.ended() == 2, arguments
            assert said in table.printed
            assert "Traceback" not in table.printed
    assert not (tmp_path / "data").exists()


def test_when_its_terminal_is_closed_it_ends_in_order(tmp_path: Path) -> None:
    ours, its = pty.openpty()
    with playing(tmp_path / "data", stdin=its) as table:
        table.wait_for("ready ")
        os.close(its)
        os.close(ours)
        table.process.send_signal(signal.SIGHUP)
        assert table.ended() == 0
        assert "the table is closed" in table.printed
        assert "Traceback" not in table.printed


def test_started_with_nohup_it_outlives_its_terminal(tmp_path: Path) -> None:
    with playing(tmp_path / "data", nohup=True) as table:
        table.wait_for("ready ")
        table.process.send_signal(signal.SIGHUP)
        assert table.health()["ok"]
        table.process.send_signal(signal.SIGTERM)
        assert table.ended() == 0


def test_keys_of_the_terminal_press_and_end_and_leave_the_terminal_as_it_was(tmp_path: Path) -> None:
    ours, its = pty.openpty()
    before = termios.tcgetattr(its)
    with playing(tmp_path / "data", stdin=its) as table:
        table.wait_for("ready ")
        before_press = table.health()["version"]
        os.write(ours, b" ")
        deadline = time.monotonic() + DEADLINE
        while table.health()["version"] == before_press:  # a press without a game is refused, and said to be
            assert time.monotonic() < deadline, "the space key pressed nothing"
        assert "no game is on" in table.wait_for("the button does nothing now: ")
        os.write(ours, b"q")
        assert table.ended() == 0
    assert termios.tcgetattr(its) == before
    os.close(ours)
    os.close(its)


@pytest.mark.parametrize(("backend", "said"), [
    ("none", "none: no launcher; people type how many cards came\n"),
    ("watch-twin", "watch-twin: a simulated toy that is only watched, on mock pins; nothing real will move\n"),
])  # fmt: skip
def test_backends_that_take_no_orders_are_announced(tmp_path: Path, backend: str, said: str) -> None:
    with playing(tmp_path / "data", "--backend", backend) as table:
        assert table.health()["ok"]
        assert table.printed.startswith(said)
        table.process.send_signal(signal.SIGTERM)
        assert table.ended() == 0
        assert "Traceback" not in table.printed


def test_the_space_key_has_no_button_to_press_without_a_launcher(tmp_path: Path) -> None:
    ours, its = pty.openpty()
    with playing(tmp_path / "data", "--backend", "none", stdin=its) as table:
        table.wait_for("ready ")
        os.write(ours, b" ")
        assert table.wait_for("there is no button here") == "there is no button here: type how many cards came"
        os.write(ours, b"q")
        assert table.ended() == 0
    os.close(ours)
    os.close(its)


def test_an_unknown_argument_is_answered_with_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--nope"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: uno-attack play [-h]")
    assert said.endswith("uno-attack play: error: unrecognized arguments: --nope\n")
