"""The `gpio` backend on real Linux GPIO: lgpio, gpiozero's factory, the kernel's character device, its edges.

The chip is the kernel's simulated one, in a guest. Scenes are played there (`tests/kernel/guest`) and judged here.
"""

from __future__ import annotations

import pytest

from hardware.pins import PinMap
from tests.kernel.stand import Facts, Guest

pytestmark = [pytest.mark.slow, pytest.mark.kernel]

PINS = PinMap()
LOW = {"enable": False, "in1": False, "in2": False}
OUTPUTS = [str(pin) for pin in (PINS.enable, PINS.in1, PINS.in2, PINS.lamp)]
INPUTS = [str(pin) for pin in (PINS.button, PINS.lid, PINS.beam)]


def changes(told: list[Facts], *names: str) -> list[tuple[str, bool]]:
    """What the machine saw, without the times."""
    return [(each["what"], each["value"]) for each in told if each["what"] in names]


def at(told: list[Facts], what: str, value: object) -> float:
    """When the machine first saw this."""
    return next(float(each["at"]) for each in told if (each["what"], each["value"]) == (what, value))


def test_the_chip_is_found_by_its_label_and_no_other_is_touched(guest: Guest) -> None:
    seen = guest.scene("chip_by_label")
    assert seen["header"] == "gpiochip1"  # whatever gpiozero takes a Pi 4's to be
    assert seen["held of decoy"] == {}
    assert seen["held"].keys() == {*OUTPUTS, *INPUTS}
    assert all(seen["held"][line] == {"holder": "lg", "output": True, "high": False} for line in OUTPUTS)
    assert all(not seen["held"][line]["output"] for line in INPUTS)


def test_closed_it_gives_every_line_back_low(guest: Guest) -> None:
    seen = guest.scene("chip_by_label")
    assert seen["held afterwards"] == {}
    assert seen["levels"] == LOW


def test_lgpio_leaves_nothing_in_the_working_directory(guest: Guest) -> None:
    assert guest.scene("chip_by_label")["left here"] == []


def test_a_whole_shot(guest: Guest) -> None:
    seen = guest.scene("whole_shot")
    ended = {key: seen["ended"][key] for key in ("shot", "cards", "certainty", "end")}
    assert ended == {"shot": 1, "cards": 3, "certainty": "exact", "end": "done"}
    assert changes(seen["machine"], "enable", "in1", "in2", "beam") == [
        ("enable", True),
        ("in1", True),
        *[("beam", False), ("beam", True)] * 3,
        ("in2", True),  # brake: both high
        ("in1", False),  # back a little, to pull in the next card
        ("enable", False),
        ("in2", False),
    ]


def test_a_press_and_its_release_are_heard_once(guest: Guest) -> None:
    heard = [each["event"] for each in guest.scene("whole_shot")["heard"]]
    assert heard.count("ButtonPressed") == heard.count("ButtonReleased") == 1
    assert [each for each in heard if each == "ShotProgress"] == ["ShotProgress"] * 3


def test_edges_bear_the_kernels_time_of_them(guest: Guest) -> None:
    seen = guest.scene("whole_shot")
    pressed = next(each["at"] for each in seen["heard"] if each["event"] == "ButtonPressed")
    # The kernel's stamp: made while the machine pushed the button, before it could even say that it had.
    assert pressed < at(seen["machine"], "button", False)
    assert at(seen["machine"], "button", False) - pressed < 0.01


def test_the_lid_opened_in_mid_shot_stops_the_motor_at_once(guest: Guest) -> None:
    seen = guest.scene("lid_opened")
    assert (seen["ended"]["end"], seen["ended"]["cause"]) == ("stopped", "the lid is open")
    told = seen["machine"]
    # launcher.md asks for 10 ms on a Pi, which is some times faster than the guest.
    assert at(told, "enable", False) - at(told, "lid", True) < 0.05
    assert changes(told, "enable", "in1", "in2")[-2:] == [("enable", False), ("in1", False)]


def test_the_card_that_was_leaving_is_counted(guest: Guest) -> None:
    seen = guest.scene("lid_opened")
    assert changes(seen["machine"], "beam").count(("beam", False)) == seen["ended"]["cards"] == 2


def test_an_open_lid_is_a_fault_until_it_is_closed(guest: Guest) -> None:
    seen = guest.scene("lid_opened")
    assert (seen["status"]["state"], seen["status"]["fault"]["code"]) == ("fault", "lid-open")
    assert seen["still stands"] == "lid-open"
    assert seen["after closing"] is None


def test_an_exception_in_a_callback_ends_no_input(guest: Guest) -> None:
    seen = guest.scene("exception_in_a_callback")
    assert seen["presses"] == 2  # the button's second edge came, though the first one failed
    assert (seen["ended"]["cards"], seen["ended"]["end"]) == (2, "done")  # the beam's
    assert seen["fault"]["fault"]["code"] == "lid-open"  # the lid's


def test_edges_that_come_no_more_stop_the_motor(guest: Guest) -> None:
    seen = guest.scene("dead_edges")
    # What a callback that raises does to lgpio where nobody catches it: without this the tests above could not fail.
    assert "RuntimeError: nobody catches this" in seen["said"]
    assert (seen["fault"]["fault"]["code"], seen["ended"]["end"]) == ("edges-dead", "stopped")
    assert seen["ended"]["certainty"] == "unknown"
    assert seen["off after"] < 0.5
    assert seen["code"] == 0


def test_from_a_press_to_the_motor(guest: Guest) -> None:
    seconds = sorted(guest.scene("press_to_motor")["seconds"])
    assert len(seconds) == 10
    print(f"button's edge to enable: median {seconds[5] * 1000:.1f} ms, longest {seconds[-1] * 1000:.1f} ms")


def test_a_second_table_is_refused_by_the_name_of_the_first(guest: Guest) -> None:
    seen = guest.scene("second_process")
    refusal = seen["told"][-1]["refused"]
    assert seen["code"] == 3
    assert f"in use by process {seen['first']} (" in refusal
    assert "tests.kernel.guest.shooter" in refusal
    assert (seen["ended"]["cards"], seen["ended"]["end"]) == (1, "done")  # the first one was not disturbed


def test_a_line_that_another_program_holds_is_refused_by_its_name(guest: Guest) -> None:
    seen = guest.scene("pin_in_use")
    refusal = seen["told"][-1]["refused"]
    assert seen["code"] == 3
    assert f"beam (GPIO {PINS.beam}) by 'lg', process {seen['other']} (" in refusal
    assert "tests.kernel.guest.holder" in refusal
    assert seen["held"].keys() == {str(PINS.beam)}  # and nothing was claimed
