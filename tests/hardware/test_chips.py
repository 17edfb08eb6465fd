"""GPIO chips by label, who holds a line, claiming low, on a simulated kernel; the lock that names its holder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.chips import Chip, ChipError, LineHeld, find_chip, holders, no_chips, stays_driven
from hardware.lock import ChipLock, LockError, holder_of, lock_path
from hardware.safe_off import afterwards, kill, make_low
from tests.hardware.kernel import Kernel


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel(tmp_path)
    monkeypatch.setattr("hardware.chips.fcntl.ioctl", made.ioctl)
    return made


# --- chips ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
@pytest.mark.parametrize("number", [0, 4, 10, 15])
def test_the_header_is_found_by_its_label_whatever_its_number(kernel: Kernel, label: str, number: int) -> None:
    kernel.chip(1, "raspberrypi-exp-gpio", 8)
    kernel.chip(11, "gpio-brcmstb@107d508500", 32)
    kernel.chip(number, label)
    found = find_chip(directory=kernel.devices)
    assert (found.number, found.label, found.lines) == (number, label, 54)
    assert find_chip("raspberrypi-exp-gpio", kernel.devices).number == 1


def test_a_second_name_of_a_chip_is_no_second_chip(kernel: Kernel) -> None:
    kernel.chip(0, "pinctrl-rp1")
    (kernel.devices / "gpiochip4").symlink_to("gpiochip0")
    assert find_chip(directory=kernel.devices).number == 0


def test_what_is_not_there_is_said_with_what_is(kernel: Kernel) -> None:
    with pytest.raises(ChipError, match=r"there are: none at all\. Is this a Raspberry Pi\?"):
        find_chip(directory=kernel.devices)
    assert no_chips(kernel.devices)
    kernel.chip(0, "gpio-mockup")
    kernel.chip(10, "i2c-expander", 8)
    there = r"there are: gpiochip0 \[gpio-mockup\], gpiochip10 \[i2c-expander\]"
    with pytest.raises(ChipError, match=rf"no GPIO chip with a Raspberry Pi's header; {there}\. Is this"):
        find_chip(directory=kernel.devices)
    with pytest.raises(ChipError, match=rf"no GPIO chip labelled 'gpio-sim'; {there}\. Set \[launcher\] chip"):
        find_chip("gpio-sim", kernel.devices)
    assert not no_chips(kernel.devices)


def test_two_chips_of_one_label_are_not_chosen_from(kernel: Kernel) -> None:
    kernel.chip(0, "twice")
    kernel.chip(1, "twice")
    with pytest.raises(ChipError, match=r"more than one GPIO chip labelled 'twice'; there are: gpiochip0"):
        find_chip("twice", kernel.devices)


def test_a_chip_that_cannot_be_opened_is_named_with_the_remedy(kernel: Kernel) -> None:
    (kernel.devices / "gpiochip0").touch()  # no chip: the kernel refuses, as it does without permission
    with pytest.raises(ChipError, match=r"there are: gpiochip0 \(Inappropriate .*\)\. Is your user in the group gpio"):
        find_chip(directory=kernel.devices)


def test_a_line_is_claimed_low_and_nobody_else_gets_it(kernel: Kernel) -> None:
    simulated = kernel.chip(0, "pinctrl-rp1")
    chip = Chip(kernel.devices / "gpiochip0")
    assert not chip.line(22).used
    chip.claim_low(22)
    assert simulated.low == [22]
    assert chip.line(22) == (True, "uno-attack safe-off", True)
    with pytest.raises(LineHeld, match="held by uno-attack safe-off"):
        chip.claim_low(22)
    with pytest.raises(ChipError, match="line 54 of gpiochip0: Invalid argument"):
        chip.line(54)
    chip.close()
    chip.close()


def test_whoever_holds_a_line_is_found_by_its_open_files(tmp_path: Path) -> None:
    for pid, chip, lines in (("12", "gpiochip0", (17, 22)), ("13", "gpiochip1", (22,)), ("14", "gpiochip0", (2,))):
        (tmp_path / pid / "fd").mkdir(parents=True)
        (tmp_path / pid / "fdinfo").mkdir()
        (tmp_path / pid / "fd" / "5").symlink_to("anon_inode:gpio-line")
        (tmp_path / pid / "fd" / "6").symlink_to("/dev/null")
        text = "".join(f"gpio-line:\t{line}\n" for line in lines)
        (tmp_path / pid / "fdinfo" / "5").write_text(f"pos:\t0\ngpio-chip:\t{chip}\n{text}")
    (tmp_path / "15").mkdir()  # somebody else's: we may not look
    (tmp_path / "self").mkdir()
    assert holders("gpiochip0", 22, tmp_path) == [12]
    assert holders("gpiochip0", 2, tmp_path) == [14]
    assert holders("gpiochip1", 17, tmp_path) == []


@pytest.mark.parametrize(("said", "kept"), [("Y\n", True), ("N\n", False), (None, None)])
def test_what_becomes_of_an_output_is_the_kernels_to_say(tmp_path: Path, said: str | None, kept: bool | None) -> None:
    for driver in ("pinctrl_bcm2835", "pinctrl_rp1"):
        (tmp_path / driver / "parameters").mkdir(parents=True)
        if said is not None:
            (tmp_path / driver / "parameters" / "persist_gpio_outputs").write_text(said)
    assert stays_driven("pinctrl-bcm2711", tmp_path) is kept
    assert stays_driven("pinctrl-rp1", tmp_path) is kept
    assert stays_driven("gpio-sim.0", tmp_path) is None
    assert "does not say" in afterwards("gpio-sim.0")


# --- making low -------------------------------------------------------------------------------------------------------

OUTPUTS = {"enable": 22, "in1": 17, "in2": 27}


def test_one_line_that_cannot_be_had_keeps_no_other_waiting(kernel: Kernel) -> None:
    simulated = kernel.chip(0, "pinctrl-rp1")
    simulated.held[22] = "lg"
    simulated.refuses.add(17)
    said: list[str] = []
    assert make_low(Chip(kernel.devices / "gpiochip0"), OUTPUTS, said.append) == ["enable", "in1"]
    assert simulated.low == [27]
    assert said == [
        "in2 (GPIO 27): low",
        "enable (GPIO 22): NOT low: it is held by lg",
        "in1 (GPIO 17): NOT low: line 17 of gpiochip0 cannot be had: Operation not permitted",
    ]


def test_a_line_whose_holder_is_just_ending_is_waited_for(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = kernel.chip(0, "pinctrl-rp1")
    simulated.held[22] = "lg"
    monkeypatch.setattr("hardware.safe_off.time.sleep", lambda _: simulated.held.pop(22, None))
    said: list[str] = []
    assert make_low(Chip(kernel.devices / "gpiochip0"), OUTPUTS, said.append, patience=10) == []
    assert simulated.low == [17, 27, 22]
    assert said == ["in1 (GPIO 17): low", "in2 (GPIO 27): low", "enable (GPIO 22): low"]


def test_a_process_is_ended_and_gone() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert kill(process.pid)
    process.communicate()
    assert process.returncode == -9
    assert kill(process.pid)  # not there any more


# --- the lock ---------------------------------------------------------------------------------------------------------


def test_a_second_process_is_told_who_holds_the_pins(tmp_path: Path) -> None:
    lock = ChipLock("pinctrl-rp1", tmp_path)
    holder = holder_of("pinctrl-rp1", tmp_path)
    assert holder is not None
    assert holder.pid == os.getpid()
    assert holder.command == " ".join(sys.orig_argv)
    with pytest.raises(LockError, match=rf"the pins are in use by process {os.getpid()} \(.*python.*\) since 2"):
        ChipLock("pinctrl-rp1", tmp_path)
    ChipLock("another", tmp_path).release()
    lock.release()
    lock.release()
    assert holder_of("pinctrl-rp1", tmp_path) is None
    ChipLock("pinctrl-rp1", tmp_path).release()


def test_what_a_dead_process_left_is_no_obstacle(tmp_path: Path) -> None:
    code = f"""
import os
from pathlib import Path
from hardware.lock import ChipLock
lock = ChipLock("gpio-sim/0", Path({str(tmp_path)!r}))
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == -9
    assert json.loads(lock_path("gpio-sim/0", tmp_path).read_text())["pid"]
    assert holder_of("gpio-sim/0", tmp_path) is None
    ChipLock("gpio-sim/0", tmp_path).release()


def test_a_file_that_lies_is_not_believed(tmp_path: Path) -> None:
    lock = ChipLock("x", tmp_path)
    for lie in ('{"pid": 1, "command": "init", "since": "ever"}', "[", "17"):
        lock_path("x", tmp_path).write_text(lie)
        holder = holder_of("x", tmp_path)
        assert holder is not None
        assert holder.pid == os.getpid()
        assert holder.since == "an unknown time"
    lock.release()


def test_a_lock_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(LockError, match=r"uno-attack-x\.lock cannot be opened: No such file or directory"):
        ChipLock("x", tmp_path / "nowhere")
    (tmp_path / "uno-attack-y.lock").symlink_to(tmp_path / "target")
    with pytest.raises(LockError, match="cannot be opened"):
        ChipLock("y", tmp_path)
    assert not (tmp_path / "target").exists()


def test_every_user_may_take_a_lock_that_another_has_made(tmp_path: Path) -> None:
    ChipLock("x", tmp_path).release()
    assert lock_path("x", tmp_path).stat().st_mode & 0o777 == 0o666
