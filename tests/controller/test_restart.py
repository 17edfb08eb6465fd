"""The table after a restart: the same position between any two inputs, and the question a lost shot leaves."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal import DATABASE, Journal, JournalError
from controller.rules.options import REVISION
from controller.table.messages import Who
from controller.table.recovery import recover
from tests.controller.conftest import MakeStand
from tests.controller.stand import HOST, SETTINGS, Stand, always, facts

QUICK = replace(SETTINGS, grace=0.2, think=0.05, suspense=0.1)

PLAYER = """
import sys
from pathlib import Path
from dataclasses import replace
from tests.controller.stand import HOST, SETTINGS, Stand

stand = Stand(Path(sys.argv[1]), settings=replace(SETTINGS, grace=0.0, think=0.0, suspense=0.0), seed="killed")
for _ in range(3):
    stand.do(HOST, do="add-bot")
stand.do(HOST, do="start")
while True:
    stand.pass_time(0.05, 0.05)
    game = stand.game
    print(len(game.entries), game.position.digest(), flush=True)
"""


def bots_at(stand: Stand, number: int = 3) -> None:
    for _ in range(number):
        stand.do(HOST, do="add-bot")


def test_the_rows_on_disk_tell_the_table_as_it_is_after_every_input(make_stand: MakeStand) -> None:
    stand = make_stand(settings=QUICK)
    checked = 0
    steps: list[dict[str, object]] = [
        {"do": "sit", "name": "Ann"}, {"do": "add-bot"}, {"do": "add-bot"}, {"do": "add-bot", "name": "Zed"},
        {"do": "rename", "seat": 1, "name": "Robbie"}, {"do": "remove", "seat": 2}, {"do": "close-table"},
        {"do": "give", "seat": 0, "session": "tablet"}, {"do": "start", "options": {"hand_size": 4}},
        {"do": "pause"}, {"do": "resume"}, {"do": "stand", "seat": 0}, {"do": "halt"}, {"do": "clear-fault"},
    ]  # fmt: skip
    for body in steps:
        stand.do(HOST, **body)
        assert facts(stand.folded()) == facts(stand.state), body
    while stand.game.position.match.number < 5:
        stand.pass_time(0.02, 0.02)
        if stand.game.position.phase == 4 and stand.state.shot is None:
            stand.tell(HOST, do="next")
        if len(stand.game.entries) != checked:
            checked = len(stand.game.entries)
            assert facts(stand.folded()) == facts(stand.state)
        assert stand.clock.now() < 5000
    assert checked > 60


def test_undo_and_corrections_come_back_as_they_were(make_stand: MakeStand) -> None:
    stand = make_stand(settings=QUICK, profile=always(3))
    bots_at(stand)
    stand.do(HOST, do="start")
    stand.until(lambda: stand.state.shots >= 3)
    stand.until(lambda: stand.state.shot is None)
    stand.do(HOST, do="pause")
    stand.do(HOST, do="correct", cards=1)
    assert facts(stand.folded()) == facts(stand.state)
    for _ in range(3):
        stand.do(HOST, do="undo")
        assert facts(stand.folded()) == facts(stand.state)
    drawn = stand.state.drawn
    again = stand.again()
    assert again.game.position.digest() == stand.game.position.digest()
    assert again.state.drawn == drawn, "what chance gave is used up, undone or not"
    again.close()


def test_started_again_it_is_the_same_table_in_a_new_epoch_with_the_same_odds_and_machine(
    make_stand: MakeStand,
) -> None:
    stand = make_stand(settings=QUICK)
    bots_at(stand)
    stand.do(HOST, do="start")
    stand.until(lambda: stand.state.shots >= 5)
    stand.until(lambda: stand.state.shot is None)
    again = stand.again(hopper=50)
    before, after = facts(stand.state), facts(again.state)
    assert after.pop("epoch") != before.pop("epoch")
    assert after == before
    assert again.core.ground.odds.state == stand.core.ground.odds.state
    assert again.backend.launcher.status().hopper == stand.state.hopper
    assert again.published[-1][1].epoch > stand.published[-1][1].epoch
    again.close()


def test_the_same_seed_gives_the_same_evening_and_another_seed_another(make_stand: MakeStand) -> None:
    def evening(seed: str) -> list[str]:
        stand = make_stand(settings=QUICK, seed=seed)
        bots_at(stand)
        stand.do(HOST, do="start")
        stand.until(lambda: len(stand.game.entries) >= 30)
        return [entry.digest for entry in stand.game.entries[:30]]

    one, same, other = evening("one"), evening("one"), evening("other")
    assert one == same
    assert one != other


def test_after_a_restart_chance_goes_on_and_does_not_begin_again(make_stand: MakeStand) -> None:
    whole = make_stand(settings=QUICK, seed="steady", profile=always(2))
    cut = make_stand(settings=QUICK, seed="steady", profile=always(2))
    for stand in (whole, cut):
        bots_at(stand, 2)
        stand.do(HOST, do="start")
        stand.do(HOST, do="pause")
    cut = cut.again()
    for stand in (whole, cut):
        stand.do(HOST, do="end")
        stand.do(HOST, do="start")
        stand.do(HOST, do="pause")
    assert whole.game.position.digest() == cut.game.position.digest()
    cut.close()


def in_mid_shot(make_stand: MakeStand) -> tuple[Stand, int]:
    """A table whose power was cut while cards came out, started again."""
    stand = make_stand(profile=always(5))
    for name in ("Ann", "Bo"):
        stand.do(Who(name), do="sit", name=name)
    stand.do(HOST, do="start")
    seat = stand.game.presser()
    assert seat is not None
    stand.press()
    stand.until(lambda: stand.state.shot is not None and stand.state.shot.came >= 2)
    digest = stand.game.position.digest()
    again = stand.again()
    assert again.game.position.digest() == digest
    return again, seat


def test_a_shot_cut_short_by_the_power_is_asked_for(make_stand: MakeStand) -> None:
    stand, seat = in_mid_shot(make_stand)
    other = 1 - seat
    phones = [Who("Ann", seats=frozenset({0})), Who("Bo", seats=frozenset({1}))]
    assert stand.table()["due"] == {"seat": seat, "what": "shot-count"}
    held = len(stand.game.position.hands[seat])
    assert stand.refused(phones[seat], do="press", seat=seat) == "shot-count"
    assert stand.refused(HOST, do="undo") == "shot-count"
    assert stand.refused(phones[other], do="shot-was", cards=3) == "not-your-seat"
    assert stand.refused(phones[seat], do="shot-was", cards=-1) == "bad-command"
    assert stand.refused(phones[seat], do="shot-was") == "bad-command"
    stand.do(phones[seat], do="shot-was", cards=3)
    assert len(stand.game.position.hands[seat]) == held + 3
    assert stand.state.shot is None
    assert facts(stand.folded()) == facts(stand.state)
    assert stand.refused(HOST, do="shot-was", cards=3) == "nothing-to-correct"
    stand.close()


def test_the_question_survives_another_restart_and_the_host_may_answer(make_stand: MakeStand) -> None:
    stand, seat = in_mid_shot(make_stand)
    again = stand.again()
    assert again.table()["due"] == {"seat": seat, "what": "shot-count"}
    again.do(HOST, do="shot-was", cards=0)
    assert again.table()["due"]["what"] != "shot-count"
    again.close()


def test_rules_that_tell_an_old_game_otherwise_take_it_up_before_that_and_say_so(make_stand: MakeStand) -> None:
    stand = make_stand(settings=QUICK)
    bots_at(stand)
    stand.do(HOST, do="start")
    stand.until(lambda: len(stand.game.entries) >= 8 and stand.state.shot is None)
    stand.do(HOST, do="pause")
    kept = stand.game.entries[4].digest
    stand.close()
    with sqlite3.connect(stand.place / DATABASE) as database:
        number, body = database.execute("SELECT id, body FROM rows WHERE kind = 'entry' LIMIT 1 OFFSET 5").fetchone()
        digest = stand.game.entries[5].digest
        database.execute("UPDATE rows SET body = ? WHERE id = ?", (body.replace(digest, "0" * 16), number))
    database.close()
    again = stand.again()
    assert again.game.position.digest() == kept
    notice = next(event for event in again.events() if event["e"] == "notice")
    assert notice == {"e": "notice", "code": "other-rules", "recorded": REVISION, "revision": REVISION, "row": number}
    again.do(HOST, do="resume")
    again.until(lambda: len(again.game.entries) >= 9 and again.state.shot is None)
    again.do(HOST, do="pause")
    third = again.again()
    assert facts(third.state) == {**facts(again.state), "epoch": third.state.epoch}, "what is played from there counts"
    third.close()


def test_a_row_of_an_unknown_kind_is_named(make_stand: MakeStand) -> None:
    stand = make_stand()
    stand.do(HOST, do="add-bot")
    stand.close()
    with sqlite3.connect(stand.place / DATABASE) as database:
        database.execute("UPDATE rows SET kind = 'riddle' WHERE kind = 'sit'")
    database.close()
    journal = Journal(stand.place)
    with pytest.raises(JournalError, match=r"row \d+ .*riddle"):
        recover(journal, None)
    journal.close()


@pytest.mark.parametrize("moment", [25, 60])
def test_killed_in_the_middle_of_a_game_the_same_position_comes_back(tmp_path: Path, moment: int) -> None:
    told: list[tuple[int, str]] = []
    with subprocess.Popen([sys.executable, "-c", PLAYER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        deadline = time.monotonic() + 60
        while not told or told[-1][0] < moment:
            assert time.monotonic() < deadline, "the game is too slow"
            number, digest = player.stdout.readline().split()
            told.append((int(number), digest))
        player.kill()
        rest = [line.split() for line in player.stdout.read().splitlines()]
        told.extend((int(line[0]), line[1]) for line in rest if len(line) == 2 and len(line[1]) == 16)
    journal = Journal(tmp_path)
    game = recover(journal, None).state.game
    journal.close()
    assert game is not None
    last, digest = told[-1]
    assert len(game.entries) >= last
    assert game.entries[last - 1].digest == digest
    assert game.position.digest() == game.entries[-1].digest
