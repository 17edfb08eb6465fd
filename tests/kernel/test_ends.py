"""Programs that end in the middle of a shot, by their own will or not, and the guardian beside them.

gpio-sim, as it comes, resets a line when its holder is gone: the motor would stop by itself, and that would prove
nothing. The stand's is changed to go on driving it, as kernels of the Raspberry Pi do (`tests/kernel/build`), and the
first test makes sure of that. So a line that is low after a kill was made low, and by nobody but the guardian.
"""

from __future__ import annotations

import pytest

from hardware.pins import PinMap
from tests.kernel.stand import Facts, Guest

pytestmark = [pytest.mark.slow, pytest.mark.kernel]

PINS = PinMap()
LOW = {"enable": False, "in1": False, "in2": False}
HIGH = {"holder": "lg", "output": True, "high": True}


def test_the_stand_goes_on_driving_a_line_whose_holder_was_killed(guest: Guest) -> None:
    seen = guest.scene("killed_without_guardian")
    assert seen["held"] == {str(PINS.enable): HIGH}
    assert seen["held afterwards"] == {}
    assert seen["high"]
    assert not seen["high at last"]  # and one that was claimed low stays low


def all_low(seen: Facts) -> None:
    """The motor was on, and is off; nobody holds anything."""
    assert seen["held before"][str(PINS.enable)] == seen["held before"][str(PINS.in1)] == HIGH
    assert seen["levels"] == LOW
    assert seen["held"] == {}


def test_sigterm_in_mid_shot_ends_it_in_order(guest: Guest) -> None:
    seen = guest.scene("sigterm")
    all_low(seen)
    assert seen["off after"] < 0.25
    assert seen["code"] == 128 + 15


def test_sigterm_leaves_the_guardian_nothing_to_do(guest: Guest) -> None:
    seen = guest.scene("sigterm")
    assert (seen["guardian"], seen["said"]) == ("", "")


def made_low(seen: Facts) -> None:
    """The guardian says that it claimed every output low, enable first; on the terminal and in its log."""
    assert seen["said"] == seen["guardian"]
    said = [line.partition(": ")[2] for line in seen["guardian"].splitlines()]
    assert said[1:5] == [f"{name} (GPIO {getattr(PINS, name)}): low" for name in ("enable", "in1", "in2", "lamp")]


def test_a_table_killed_in_mid_shot_is_made_safe_by_its_guardian(guest: Guest) -> None:
    seen = guest.scene("sigkill")
    all_low(seen)
    made_low(seen)
    assert seen["code"] == -9
    assert seen["off after"] < 0.25


def test_frozen_in_mid_shot_the_guardian_kills_it_and_stops_the_motor(guest: Guest) -> None:
    seen = guest.scene("sigstop")
    all_low(seen)
    made_low(seen)
    assert "no tick for 500 ms" in seen["guardian"]
    assert seen["code"] == -9  # it was only frozen: the guardian had to kill it to get at its lines
    assert seen["off after"] < 0.75  # 500 ms of silence, and what it takes to act


def test_safe_off_names_who_holds_a_line_and_ends_him_only_when_told_to(guest: Guest) -> None:
    seen = guest.scene("safe_off")
    code, _, said = seen["refused"]
    assert code == 1
    assert any(f"process {seen['other']}" in each["line"] for each in said)
    assert seen["held in between"] == {str(PINS.enable): HIGH}
    code, _, said = seen["done"]
    assert code == 0
    assert {"line": f"enable (GPIO {PINS.enable}): low"} in said
    assert seen["other's end"] == -9
    assert seen["levels"] == LOW
    assert seen["held"] == {}
