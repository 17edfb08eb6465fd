"""`kill -9` of the real process between any two inputs, and it is the same game again: position, hands, scores."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx
import pytest

from .process import Phone, Process, View


def game_of(state: View) -> View:
    """What must be the same after the restart: all of the view but what is the machine's and the connection's, and the
    offer to take a tap back, which lasts ten seconds and no longer than the process."""
    table = {key: value for key, value in state["table"].items() if key not in ("launcher", "takeBack")}
    table["seats"] = [{key: value for key, value in seat.items() if key != "connected"} for seat in table["seats"]]
    return {"table": table, "mine": state["mine"]}


def one_move(phone: Phone, rng: Random) -> None:
    """Whatever the table lets this phone's seat do; nothing when it is somebody else's turn."""
    mine = phone.state["mine"][0]
    seat, may = mine["seat"], mine["may"]
    if mine["moves"]:
        move = rng.choice(mine["moves"])
        choices = {"colour": rng.choice(move["colours"])} if move["colours"] else {}
        if move["targets"]:
            choices["target"] = rng.choice(move["targets"])
        if move["keepLeast"]:
            choices["keep"] = move["keep"][: move["keepLeast"]]
        assert phone.ask("play", seat=seat, card=move["card"], **choices)["ok"]
    elif may["colour"]:
        assert phone.ask("colour", seat=seat, colour="red")["ok"]
    elif may["hit"]:
        phone.ask("press", seat=seat)
    elif may["pass"]:
        assert phone.ask("pass", seat=seat)["ok"]


@pytest.mark.slow
def test_killed_between_inputs_it_is_the_same_game_again(tmp_path: Path) -> None:
    rng = Random(4)
    process = Process(tmp_path)
    ann, bo = Phone(process, "Ann"), Phone(process, "Bo")
    ann.see()
    bo.see()
    headers = {"origin": process.url, "cookie": ann.cookie}
    assert httpx.post(f"{process.url}/api/v1/host", json={}, headers=headers).status_code == 200
    assert ann.ask("start", preset="attack")["ok"]
    for _ in range(5):
        for _ in range(rng.randrange(2, 9)):
            for phone in (ann, bo):
                phone.ask("nothing")  # refused; but whatever happened before it has been told by then
                if phone.state["table"]["phase"] == "playing":
                    one_move(phone, rng)
        for phone in (ann, bo):
            phone.ask("nothing")
            phone.settle()
        before = [game_of(phone.state) for phone in (ann, bo)]
        process.kill()
        process = Process(tmp_path)
        for phone, then in zip((ann, bo), before, strict=True):
            phone.connect(process)
            assert game_of(phone.see()) == then
            assert phone.state["table"]["due"]["what"] != "shot-count"
    with process:
        ann.hang_up()
        bo.hang_up()
