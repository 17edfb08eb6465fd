"""The udev rules that are shipped: every line is one that udev understands."""

from __future__ import annotations

import re

from firmware_bridge.headers import FIRMWARE

RULES = FIRMWARE.parent / "60-uno-attack-bridge.rules"
PAIR = r'[A-Z_]+(\{\w+\})?(==|!=|=|\+=)"[^"]*"'


def test_every_line_is_a_rule_and_every_goto_has_its_label() -> None:
    lines = [line for line in RULES.read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(rf"{PAIR}(, {PAIR})*", line) for line in lines)
    text = "\n".join(lines)
    assert set(re.findall(r'GOTO="(\w+)"', text)) == set(re.findall(r'LABEL="(\w+)"', text))
    assert {"ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"} <= set(re.findall(r"ENV\{(\w+)\}", text))
