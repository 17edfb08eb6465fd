"""`uno-attack safe-off` on a simulated kernel: what it says, what it ends, its exit codes, and without a chip."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from controller import cli
from hardware import chips, safe_off
from hardware.gpio import BackendError
from tests.hardware.kernel import Kernel, SimulatedChip


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel(tmp_path)
    monkeypatch.setattr("hardware.chips.fcntl.ioctl", made.ioctl)
    monkeypatch.setattr("hardware.lock.PLACES", (tmp_path,))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for function in (chips.find_chip, chips.no_chips):
        monkeypatch.setattr(chips, function.__name__, partial(function, directory=tmp_path))
    return made


@pytest.fixture
def chip(kernel: Kernel) -> SimulatedChip:
    return kernel.chip(0, "pinctrl-rp1")


def configured(place: Path, text: str) -> str:
    """A configuration file."""
    path = place / "uno-attack.toml"
    path.write_text(text)
    return str(path)


def test_every_output_is_made_low_enable_first(chip: SimulatedChip, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["safe-off"]) == 0
    assert chip.low == [22, 17, 27, 23]
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["enable (GPIO 22): low", "in1 (GPIO 17): low"]
    assert said[-1].startswith("gpiochip0 [pinctrl-rp1]: ")


def test_the_configured_pins_and_chip_are_taken(
    kernel: Kernel, chip: SimulatedChip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = kernel.chip(1, "gpio-sim")
    monkeypatch.setenv("UNO_ATTACK_PINS_BUZZER", "24")
    monkeypatch.setenv("UNO_ATTACK_WEB_LISTEN", "nonsense")  # no matter of ours
    text = '[launcher]\nchip = "gpio-sim"\n[pins]\nenable = 12\nlamp = "none"\nalive = 25\n[rules]\npreset = 17\n'
    assert cli.main(["safe-off", "--config", configured(tmp_path, text)]) == 0
    assert (chip.low, other.low) == ([], [12, 17, 27, 24, 25])


def test_a_held_line_is_named_and_the_others_are_low(chip: SimulatedChip, capsys: pytest.CaptureFixture[str]) -> None:
    chip.held[22] = "lg"
    assert cli.main(["safe-off"]) == 1
    assert chip.low == [17, 27, 23]
    said = capsys.readouterr()
    assert "enable (GPIO 22): NOT low: it is held by lg" in said.out
    assert "safe-off --kill" in said.err


def test_whoever_holds_a_line_is_ended_when_asked(
    chip: SimulatedChip, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    chip.held |= {22: "lg", 17: "lg"}

    def kill(pid: int) -> bool:
        assert pid == holder.pid
        chip.held.clear()  # as the kernel does
        return really_kill(pid)

    really_kill = safe_off.kill
    monkeypatch.setattr("hardware.safe_off.holders", lambda name, line: [holder.pid] if line in chip.held else [])
    monkeypatch.setattr("hardware.safe_off.kill", kill)
    assert cli.main(["safe-off"]) == 1
    assert f"enable, in1: held by process {holder.pid} (" in capsys.readouterr().out
    chip.low.clear()
    chip.held = {22: "lg", 17: "lg"}
    assert cli.main(["safe-off", "--kill"]) == 0
    assert f"process {holder.pid}: ended" in capsys.readouterr().out
    assert chip.low == [22, 17, 27, 23]
    holder.communicate()
    assert holder.returncode == -9


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pins]\nenable = 3\n", r"[pins] enable: 3 is pulled up while the Pi boots"),
        ("[pins\n", "cannot be read"),
        ("pins = 3\n", "[launcher] and [pins] are sections"),
        ("[launcher]\nchip = 4\n", "[launcher] chip is a text"),
        ('[launcher]\nchip = "rp1"\n', "no GPIO chip labelled 'rp1'; there are: gpiochip0 [pinctrl-rp1]"),
    ],
)
def test_what_cannot_be_known_is_said_and_nothing_is_touched(
    chip: SimulatedChip, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    assert cli.main(["safe-off", "--config", configured(tmp_path, text)]) == 2
    assert message in capsys.readouterr().err
    assert chip.low == []


def test_without_a_chip_it_fails_unless_that_is_expected(
    kernel: Kernel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ["--config", configured(tmp_path, '[launcher]\nbackend = "gpio"\n')]
    assert cli.main(["safe-off", *named]) == 2
    assert "no GPIO chip with a Raspberry Pi's header" in capsys.readouterr().err
    assert cli.main(["safe-off", "--if-present", *named]) == 0
    assert capsys.readouterr().out == "nothing to make low: this machine has no GPIO chip\n"


def test_where_no_pins_are_driven_others_are_left_alone_when_asked(
    chip: SimulatedChip, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["safe-off", "--if-present"]) == 0
    assert capsys.readouterr().out == "nothing to make low: the backend 'twin' drives no pins here\n"
    assert chip.low == []


def test_behind_a_serial_port_it_says_who_stops_the_motor(
    kernel: Kernel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has made nothing low, so it is no success; but neither does anybody look for a chip."""
    named = ["--config", configured(tmp_path, '[launcher]\nbackend = "serial"\n')]
    assert cli.main(["safe-off", *named]) == 2
    said = capsys.readouterr().err
    assert "its controller switches it off by itself" in said
    assert "uno-attack halt" in said
    assert "GPIO" not in said
    pins = kernel.chip(0, "pinctrl-rp1")
    assert cli.main(["safe-off", *named]) == 0
    assert pins.low == [22, 17, 27, 23]
    assert "its controller switches it off by itself" in capsys.readouterr().out
    assert cli.main(["safe-off", "--if-present", *named]) == 0


def test_it_starts_without_the_parts_of_a_table() -> None:
    code = "import sys; from controller import cli; cli.main(['safe-off', '--if-present']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"gpiozero", "lgpio", "asyncio", "fastapi", "controller.rules", "controller.table"} & set(loaded)


def test_a_table_is_told_its_chip_and_where_its_guardian_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, object] = {}

    def open_backend(name: str, *_: object, **options: object) -> None:
        told.update(name=name, **options)
        raise BackendError("no pins here")

    monkeypatch.setattr("controller.commands.play.open_backend", open_backend)
    monkeypatch.setenv("UNO_ATTACK_LAUNCHER_CHIP", "gpio-sim")
    assert cli.main(["play", "--backend", "gpio", "--data", str(tmp_path)]) == 2
    assert (told["name"], told["chip"], told["guardian_log"]) == ("gpio", "gpio-sim", tmp_path / "guardian.log")
