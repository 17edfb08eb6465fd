"""This machine's own sounds: the files, players that work, hang or fail, and that nobody waits for any of them."""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
import wave
from array import array
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.clock import RealClock, VirtualClock
from hardware.cues import STEPS, TICKS
from hardware.ports import Cue, LampState
from hardware.sounds import (
    LOUDEST,
    NOTES,
    PATIENCE,
    RATE,
    Process,
    Speaker,
    players_there,
    samples_of,
    seconds_of,
    start_player,
)
from tests.hardware.players import FakePlayers
from tests.patience import DEADLINE

HEARD = (*NOTES, Cue.PRESSED)


class Bench:
    """A speaker on a virtual clock."""

    def __init__(self, place: Path, players: FakePlayers, names: tuple[str, ...] = ("pw-play", "aplay")) -> None:
        self.clock = players.clock
        self.place = place / "sounds"
        self.players = players
        self.speaker = Speaker(self.clock, names, self.place, run=players.run)
        self.speaker.start()

    def cue(self, cue: Cue, step: int = 0, seconds: float = 0.0) -> None:
        self.speaker.cue(cue, step)
        self.clock.advance(seconds)

    def log(self) -> list[str]:
        return [what for _, what in self.players.log]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("cue", HEARD)
def test_a_sound_is_a_file_that_can_be_played(cue: Cue, tmp_path: Path) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock()))
    bench.cue(cue)
    (path,) = bench.place.iterdir()
    with wave.open(str(path), "rb") as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        samples = array("h", sound.readframes(sound.getnframes()))
    assert len(samples) / RATE == pytest.approx(seconds_of(cue), abs=0.26)
    assert LOUDEST * 0.7 * 0.5 < max(samples) <= LOUDEST * 0.7
    assert abs(sum(samples) / len(samples)) < 200, "it swings about the middle"
    assert abs(samples[0]) < 100, "no click"
    assert abs(samples[-1]) < 1500
    bench.speaker.stop()


def crossings(cue: Cue, step: int) -> int:
    """How often the first tick swings upwards: its pitch."""
    samples = samples_of(cue, step)[: int(0.03 * RATE)]
    return sum(before < 0 <= after for before, after in pairwise(samples))


def test_a_rising_suspense_is_higher_and_quicker_with_every_step() -> None:
    pitches = [crossings(Cue.PRESSED, step) for step in range(1, STEPS + 1)]
    assert pitches == sorted(set(pitches))
    for step in range(STEPS + 1):
        samples, between = samples_of(Cue.PRESSED, step), int(0.03 * RATE) + int((TICKS[step] - 0.03) * RATE)
        assert samples[:between] == samples[between : 2 * between], "the same tick again"


def test_volume_is_how_loud_it_is() -> None:
    assert max(samples_of(Cue.FAULT, volume=100)) == pytest.approx(2 * max(samples_of(Cue.FAULT, volume=50)), rel=0.01)
    assert set(samples_of(Cue.FAULT, volume=0)) == {0}


def test_a_cue_is_played_to_its_end_by_the_first_player(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock()))
    bench.cue(Cue.FIRING, seconds=5)
    bench.cue(Cue.DRY, seconds=5)
    assert bench.log() == ["pw-play firing-0-70-1.wav", "pw-play dry-0-70-1.wav"]
    assert not any(process.killed for process in bench.players.started)


def test_a_file_is_made_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock()))
    bench.cue(Cue.FIRING, seconds=5)
    (path,) = bench.place.iterdir()
    path.write_bytes(b"mine")
    bench.cue(Cue.FIRING, seconds=5)
    assert path.read_bytes() == b"mine"
    assert len(bench.players.started) == 2


def test_another_cue_cuts_the_player_short_and_that_is_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock(), hang=["pw-play"]))
    bench.cue(Cue.PRESSED, 3, seconds=0.7)
    bench.cue(Cue.DRY)
    assert bench.log() == ["pw-play pressed-3-70-1.wav", "killed", "pw-play dry-0-70-1.wav"]
    assert warnings(caplog) == []


def test_a_player_that_hangs_is_killed_and_the_next_one_is_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock(), hang=["pw-play"]))
    began = bench.clock.now()
    bench.cue(Cue.FIRING, seconds=10)
    assert bench.log() == ["pw-play firing-0-70-1.wav", "killed", "aplay firing-0-70-1.wav"]
    assert bench.players.log[1][0] - began == pytest.approx(seconds_of(Cue.FIRING) + PATIENCE)
    assert len(warnings(caplog)) == 1
    assert "pw-play cannot play sounds: it hung and was killed" in warnings(caplog)[0]
    bench.cue(Cue.DRY, seconds=5)
    assert bench.log()[-1] == "aplay dry-0-70-1.wav"


@pytest.mark.parametrize("broken", [{"fail": {"pw-play": 1, "aplay": 1}}, {"missing": ["pw-play", "aplay"]}])
def test_with_no_player_left_it_is_said_once_and_then_there_is_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: dict[str, dict[str, int]]
) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock(), **broken))  # type: ignore[arg-type]
    for _ in range(10):
        bench.cue(Cue.FAULT, seconds=5)
    assert bench.log() == ["pw-play fault-0-70-1.wav", "aplay fault-0-70-1.wav"]
    said = warnings(caplog)
    assert len(said) == 3, "one line for each player, and one that there is none left"
    assert "try it by hand: pw-play " in said[0]
    assert said[2] == "speaker: no program is left that plays sounds; nothing is heard from now on"


def test_a_player_that_had_failed_before_it_was_cut_short_is_not_asked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock(), fail={"pw-play": 1}))
    bench.cue(Cue.PRESSED, seconds=0.7)
    bench.cue(Cue.FIRING, seconds=5)
    assert bench.log() == ["pw-play pressed-0-70-1.wav", "aplay firing-0-70-1.wav"]
    assert "it ended with 1" in warnings(caplog)[0]


def test_where_nothing_can_be_kept_it_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "sounds").write_text("in the way")
    bench = Bench(tmp_path, FakePlayers(VirtualClock()))
    for _ in range(3):
        bench.cue(Cue.FAULT, seconds=5)
    assert bench.log() == []
    assert len(warnings(caplog)) == 1
    assert f"sounds cannot be kept in {bench.place}" in warnings(caplog)[0]


def test_stopped_its_player_is_killed(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock(), hang=["pw-play"]))
    bench.cue(Cue.PRESSED)
    bench.speaker.stop()
    assert bench.log()[-1] == "killed"
    bench.cue(Cue.FAULT)
    assert bench.log()[-1] == "killed"


def test_it_has_no_lamp(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FakePlayers(VirtualClock()))
    bench.speaker.lamp(LampState.FAULT, 0, "lid-open")
    bench.clock.advance(5)
    assert bench.log() == []


def test_which_players_are_asked() -> None:
    def only(*there: str) -> list[str]:
        return players_there("auto", lambda name: f"/usr/bin/{name}" if name in there else None)

    assert only("aplay", "pw-play") == ["pw-play", "aplay"]
    assert only("aplay") == ["aplay"]
    assert only() == []
    assert players_there("none") == []
    assert players_there("aplay", lambda name: None) == ["aplay"], "one that is named is tried, and missed aloud"


# --- real processes ------------------------------------------------------------------------------------------------


def script(place: Path, name: str, text: str) -> None:
    path = place / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of programs that comes before all others."""
    place = tmp_path / "bin"
    place.mkdir()
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    return place


class Watched:
    """Starts real players and keeps them."""

    def __init__(self) -> None:
        self.started: list[Process] = []
        self.news = threading.Event()

    def run(self, command: Sequence[str]) -> Process:
        process = start_player(command)
        self.started.append(process)
        self.news.set()
        return process


def until(done: threading.Event) -> None:
    assert done.wait(DEADLINE)


def gone(started: list[Process]) -> None:
    """Nothing is left of any of them, nor of what they had started."""
    limit, pause = time.monotonic() + DEADLINE, threading.Event()
    for process in started:
        with suppress(ProcessLookupError):
            while time.monotonic() < limit:
                os.killpg(process.pid, 0)  # type: ignore[attr-defined]  # they are real ones here
                pause.wait(0.01)
            pytest.fail("something of a player is left")


def test_a_real_player_that_hangs_and_hears_no_signal_is_killed_by_the_next_cue(tmp_path: Path, programs: Path) -> None:
    script(programs, "aplay", "trap '' TERM INT HUP; while :; do sleep 60; done")
    watched = Watched()
    speaker = Speaker(RealClock(), ["aplay"], tmp_path / "sounds", run=watched.run)
    speaker.start()
    speaker.cue(Cue.PRESSED, 2)
    until(watched.news)
    hanging = watched.started[0]
    assert hanging.poll() is None
    watched.news.clear()
    speaker.cue(Cue.FIRING)
    until(watched.news)
    assert hanging.poll() == -9
    speaker.stop()
    assert watched.started[1].poll() == -9
    gone(watched.started)


def test_a_real_player_that_fails_is_told_and_its_file_is_the_one_named(
    tmp_path: Path, programs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    heard = tmp_path / "heard"
    script(programs, "pw-play", "exit 3")
    script(programs, "aplay", f'echo "$@" > {heard}.new; mv {heard}.new {heard}')
    watched = Watched()
    speaker = Speaker(RealClock(), ["pw-play", "aplay"], tmp_path / "sounds", run=watched.run)
    speaker.start()
    speaker.cue(Cue.PRESS_NOW)
    limit = time.monotonic() + DEADLINE
    while not heard.exists() and time.monotonic() < limit:
        watched.news.wait(0.05)
    speaker.stop()
    path = tmp_path / "sounds" / "press-now-0-70-1.wav"
    assert heard.read_text() == f"-q {path}\n"
    assert warnings(caplog) == [f"pw-play cannot play sounds: it ended with 3; try it by hand: pw-play {path}"]
