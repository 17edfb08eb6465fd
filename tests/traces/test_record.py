"""`uno-attack record`: a file of counted shots, and what the counter makes of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import main
from controller.commands.record import Score, _Counting, _Over, report, score
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.ports import Certainty, ShotEnd, ShotEnded
from hardware.tape import TapeBackend, play_back
from hardware.traces import read
from tests.controller.disk import no_room_beyond
from tests.traces.made import HERE, record


def run(*arguments: object) -> int:
    return main(["record", *map(str, arguments)])


def test_shots_of_the_twin_are_recorded_and_counted_by_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.jsonl"
    machine = ("--backend", "twin", "--data", tmp_path / "data")
    assert run(file, "--shots", 2, "--cards", 2, "--note", "on a desk", *machine) == 0
    said = capsys.readouterr().out
    assert "1 of 2: asked for 2, the beam saw exactly 2" in said
    assert "2 shots of 4 cards are in" in said
    trace = read(file)
    assert (trace.backend, trace.note) == ("twin", "on a desk")
    assert [(shot.wanted, shot.counted, shot.end) for shot in trace.shots] == [(2, 2, ShotEnd.DONE)] * 2
    assert [(ended.cards, ended.certainty) for _, ended in play_back(trace)] == [(2, Certainty.EXACT)] * 2
    assert run(file, *machine) == 2
    assert "there is a file" in capsys.readouterr().err
    assert read(file) == trace


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--shots", "0"), "--shots is a number from 1 to 5000, not 0"),
        (("--cards", "99"), "--cards is a number from 1 to "),
        (("--note", "x" * 201), "--note is one line of up to 200 characters"),
        (("--backend", "tape"), "a tape is recorded already"),
        (("--backend", "gpio"), "somebody has to count the cards"),
        (("--backend", "none"), "somebody has to count the cards"),
        (("--score",), "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    file = tmp_path / "mine.jsonl"
    assert run(file, "--data", tmp_path / "data", *arguments) == 2
    assert told in capsys.readouterr().err
    assert not file.exists()


def test_a_full_disk_is_said_and_leaves_no_half_of_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    machine = ("--cards", 1, "--backend", "twin", "--data", tmp_path / "data")
    with no_room_beyond(64):  # enough for the lock, too little for a head
        assert run(first, "--shots", 1, *machine) == 2
    told = capsys.readouterr().err
    assert (told.count("\n"), "first.jsonl cannot be written: " in told, "Make room" in told) == (1, True, True)
    assert not first.exists()
    assert run(first, "--shots", 1, *machine) == 0
    with no_room_beyond(first.stat().st_size + 100):
        assert run(second, "--shots", 3, *machine) == 2
    assert "what was recorded before is kept" in capsys.readouterr().err
    assert len(read(second).shots) < 3  # it can be read: no line is half there


def test_the_score_says_how_well_a_file_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(HERE / "mishaps.jsonl", "--score") == 0
    said = capsys.readouterr().out
    assert "25 counted shots, played back:" in said
    assert "exact" in said


def test_a_wrong_count_that_was_called_exact_is_named_and_is_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (HERE / "one-beam.jsonl").read_text(encoding="utf-8").splitlines()
    shot = json.loads(lines[7])
    shot["counted"] += 1
    file = tmp_path / "wrong.jsonl"
    file.write_text("\n".join([*lines[:7], json.dumps(shot), *lines[8:]]) + "\n", encoding="utf-8")
    assert run(file, "--score") == 1
    assert f"shot 7: {shot['counted']} cards, counted exactly {shot['counted'] - 1}" in capsys.readouterr().out


def test_a_score_counts_what_somebody_counted() -> None:
    found = Score()
    shot = record(PinMap(), 1, shots=1).shots[0]
    for counted, cards, certainty in (
        (3, 3, Certainty.EXACT), (3, 2, Certainty.EXACT), (3, 2, Certainty.AT_LEAST), (3, 4, Certainty.AT_LEAST),
        (3, 3, Certainty.UNKNOWN), (None, 9, Certainty.EXACT),
    ):  # fmt: skip
        told = shot.__class__(3, shot.changes, shot.lasted_ms, cards, certainty, ShotEnd.DONE, counted)
        found.add(1, told, ShotEnded(1, cards, certainty, ShotEnd.DONE))
    assert found.shots == 5
    assert found.right == {Certainty.EXACT: 1, Certainty.AT_LEAST: 1, Certainty.UNKNOWN: 1}
    assert found.wrong == {Certainty.EXACT: 1, Certainty.AT_LEAST: 1, Certainty.UNKNOWN: 0}
    assert [ended.cards for _, _, ended in found.misses] == [2, 2, 4]


def test_a_trace_that_nobody_counted_is_compared_with_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    trace = record(PinMap(), 1, shots=1)
    shot = trace.shots[0]
    bare = shot.__class__(shot.wanted, shot.changes, shot.lasted_ms, shot.cards, shot.certainty, shot.end)
    bare_trace = trace.__class__("gpio", trace.pins, trace.settings, (bare,))
    assert report(bare_trace) == 0
    assert "nobody has counted" in capsys.readouterr().out
    assert score(play_back(bare_trace)).shots == 0


def answers(*said: str) -> Iterator[str]:
    return iter(said)


def counting(*said: str) -> _Counting:
    replies = answers(*said)

    def ask(question: str) -> str:
        return next(replies)

    trace = record(PinMap(), 1, shots=1)
    return _Counting(TapeBackend(VirtualClock(), trace), ask)


def test_a_person_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert counting("").after(5) == 5
    assert counting(" 6 ").after(5) == 6
    assert counting("-").after(5) is None
    assert counting("six", "-3", "999", "6").after(5) == 6
    assert "'six' is no number of cards" in capsys.readouterr().out
    with pytest.raises(_Over):
        counting("Q").after(5)
