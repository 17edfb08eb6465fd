"""Looking at real GPIO lines from outside: levels of free ones, holders of the others, and nobody is disturbed."""

from __future__ import annotations

import pytest

from tests.kernel.stand import Guest

pytestmark = [pytest.mark.slow, pytest.mark.kernel]


def test_levels_of_lines_that_nobody_holds(guest: Guest) -> None:
    levels = guest.scene("looking_on")["alone"]["levels"]
    assert (levels["enable"], levels["in1"]) == ("low  off", "low  off")
    assert levels["in2"] == "high on", "an output that stands high without a holder is seen"
    assert levels["button"].split()[0] in ("high", "low")
    assert len(levels) == 11


def test_lines_that_a_table_holds_are_told_with_their_holder_and_left_alone(guest: Guest) -> None:
    seen = guest.scene("looking_on")
    levels = seen["beside"]["levels"]
    for name in ("in1", "in2", "enable", "lamp", "lid", "beam", "button"):
        assert levels[name].startswith("held by "), levels
    assert not levels["buzzer"].startswith("held")
    assert seen["undisturbed"]
    assert seen["afterwards"] == {}


def test_what_the_doctor_says_of_them(guest: Guest) -> None:
    seen = guest.scene("looking_on")
    alone = {check: (result, reason) for check, result, reason in seen["alone"]["findings"]}
    assert alone["chip"] == ("ok", "pinctrl-bcm2711 is gpiochip1")
    assert alone["lines"] == ("ok", "nobody holds any of the 7 lines that are wired")
    assert alone["kernel"][0] == "ok"
    assert alone["persist-outputs"][0] == "warn"  # this kernel does not say
    beside = [reason for check, _, reason in seen["beside"]["findings"] if check == "lines"]
    assert len(beside) == 7
    assert any(reason.startswith("enable (GPIO 22) is held") and "(process " in reason for reason in beside)
