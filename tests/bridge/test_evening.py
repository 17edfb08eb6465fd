"""`uno-attack play --backend serial --device ...`: a whole game against the firmware on a simulated chip."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.bridge.simulator import ENABLE, Simulator
from tests.end_to_end.process import Phone, Process, View
from tests.end_to_end.test_kill import one_move

pytestmark = pytest.mark.slow

SETTINGS = """
[table]
bot_ms = 0
grace_ms = 0
[odds]
profile = "fixed-1"
suspense_ms = 50
[launcher]
rest_ms = 100
[rules]
hand_size = 3
"""
A_MOMENT = 0.5  # seconds
A_GAME = 240.0  # seconds at the most: every shot takes its time, as at a real machine


class Player(Phone):
    """A phone whose player presses the real button with a finger."""

    def __init__(self, process: Process, name: str, chip: Simulator) -> None:
        super().__init__(process, name)
        self._chip = chip
        self.presses = 0

    def ask(self, do: str, **fields: object) -> View:
        """As a phone does, but for the press."""
        if do != "press":
            return super().ask(do, **fields)
        self.presses += 1
        self._chip.tell("press 70")
        return {"ok": True}

    def wait(self) -> None:
        """Until something has happened, or for a moment: a press while the launcher rests is nobody's."""
        with suppress(TimeoutError):
            message: View = json.loads(self.socket.recv(A_MOMENT))
            if message["t"] == "state":
                self.state = message


def test_a_whole_game(paced: Simulator, tmp_path: Path) -> None:
    paced.tell("hopper 10000")  # nobody here can put cards in
    rng = Random(6)
    shots: list[View] = []
    faults: list[str] = []
    end = time.monotonic() + A_GAME
    words = ("--bots", "1", "--backend", "serial", "--device", str(paced.port))
    with Process(tmp_path, 0, *words, settings=SETTINGS) as process:
        ann = Player(process, "Ann", paced).take_hosting(process)
        ann.see()
        assert ann.state["table"]["launcher"]["backend"] == "serial"
        assert ann.ask("start", preset="attack")["ok"]
        while ann.state["table"]["phase"] not in ("round-over", "match-over"):
            assert time.monotonic() < end, ann.state["table"]
            ann.wait()
            launcher = ann.state["table"]["launcher"]
            if launcher["fault"] is not None:  # a busy computer is a host that is not heard: people go on
                faults.append(launcher["fault"]["code"])
                assert len(faults) < 5, faults
                ann.ask("clear-fault")
            if launcher["last"] is not None and shots[-1:] != [launcher["last"]]:
                shots.append(launcher["last"])
            mine = ann.state["mine"][0]
            if mine["may"]["uno"] and len(mine["hand"]) == 2 and mine["moves"]:
                ann.ask("uno", seat=mine["seat"])
            if ann.state["table"]["phase"] == "playing":
                with suppress(AssertionError):  # refused: the finger was quicker, and the table has moved on
                    one_move(ann, rng)
        ann.hang_up()
        assert "the table is closed" in process.stop()
    assert ann.presses > 0
    assert any(shot["cards"] > 0 for shot in shots)
    assert {shot["certainty"] for shot in shots} == {"exact"} or faults
    assert int(paced.tell("out")) >= sum(shot["cards"] for shot in shots)
    assert not paced.level(ENABLE)
