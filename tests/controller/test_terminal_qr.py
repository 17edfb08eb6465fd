"""The QR code of the terminal: the same modules whatever colours the terminal has."""

from __future__ import annotations

import re

import segno

from controller.commands.terminal_qr import qr_text

ADDRESS = "http://192.168.178.42:8080/#k7m2q9"
BLACK, WHITE = "16", "231"


def test_every_module_has_its_own_colour_and_none_is_left_to_the_terminal() -> None:
    shown: list[list[int]] = []
    for line in qr_text(ADDRESS).splitlines():
        assert line.endswith("\x1b[0m"), "the terminal's own colours come back at the end of the line"
        upper, lower, colours = [], [], None
        for escape, block in re.findall(r"\x1b\[([\d;]+)m|(.)", line.removesuffix("\x1b[0m")):
            if escape:
                found = re.fullmatch(rf"38;5;({BLACK}|{WHITE});48;5;({BLACK}|{WHITE})", escape)
                assert found is not None
                colours = found.groups()
            else:
                assert block == "▀"
                assert colours is not None
                upper.append(int(colours[0] == BLACK))
                lower.append(int(colours[1] == BLACK))
        shown += [upper, lower]
    wanted = [list(row) for row in segno.make(ADDRESS, error="m", micro=False).matrix_iter(border=4)]
    assert shown[: len(wanted)] == wanted
    assert all(not any(row) for row in shown[len(wanted) :]), "what is added below is quiet too"
