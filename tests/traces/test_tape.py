"""Recorded shots played back under the code of real pins: the same edges at the same moments, so the same counts."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.backends import open_backend
from hardware.clock import RealClock, VirtualClock
from hardware.gpio import BackendError
from hardware.ports import ButtonPressed, Certainty, HardwareEvent, ShotEnd, ShotEnded, ShotOrder
from hardware.tape import TapeBackend, play_back
from hardware.traces import Change, Recorder, Trace, TracedShot, read
from tests.faults.room import room
from tests.loops import run
from tests.traces.made import FILES, HERE, PINS, record


@pytest.mark.parametrize("name", FILES)
def test_what_was_recorded_comes_out_again(name: str) -> None:
    trace = read(HERE / name)
    played = list(play_back(trace))
    assert len(played) == len(trace.shots)
    for shot, ended in played:
        assert (ended.cards, ended.certainty, ended.end) == (shot.cards, shot.certainty, shot.end)


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_the_files_is_counted_wrong_and_called_exact(name: str) -> None:
    for shot, ended in play_back(read(HERE / name)):
        assert ended.certainty is not Certainty.EXACT or ended.cards == shot.counted


def test_the_files_have_all_kinds_of_ends() -> None:
    ends = {shot.end for name in FILES for shot in read(HERE / name).shots}
    assert {ShotEnd.DONE, ShotEnd.JAMMED, ShotEnd.STOPPED} <= ends
    assert any(shot.pulses == 2 for shot in read(HERE / "mishaps.jsonl").shots)


class Played:
    """A tape on a virtual clock."""

    def __init__(self, trace: Trace) -> None:
        self.clock = VirtualClock()
        self.heard: list[HardwareEvent] = []
        self.backend = TapeBackend(self.clock, trace)
        self.recorder = Recorder()
        self.backend.tap = self.recorder.hear
        self.backend.start(self.heard.append)
        self._shots = 0

    def shoot(self, cards: int) -> ShotEnded:
        """Order a shot and wait for its end."""
        self._shots += 1
        self.clock.advance(61)
        self.recorder.begin()
        self.backend.launcher.begin_shot(ShotOrder(self._shots, cards, self.clock.now()))
        self.clock.advance_until(lambda: self._end() is not None, 30)
        ended = self._end()
        assert ended is not None
        return ended

    def _end(self) -> ShotEnded | None:
        return next((each for each in self.heard if isinstance(each, ShotEnded) and each.shot == self._shots), None)


def test_the_inputs_change_at_the_recorded_moments() -> None:
    trace = record(PINS, 6, shots=3)
    played = Played(trace)
    for shot in trace.shots:
        ended = played.shoot(shot.wanted)
        again = played.recorder.finish(shot.wanted, ended, played.clock.now())
        assert again is not None
        was, now = inputs_of(shot), inputs_of(again)
        assert [each[:2] for each in now] == [each[:2] for each in was]
        assert [each[2] for each in now] == pytest.approx([each[2] for each in was], abs=0.01)
    played.backend.close()


def inputs_of(shot: TracedShot) -> list[tuple[str, str, float]]:
    return [(change.what, change.state, change.at_ms) for change in shot.changes if change.what != "motor"]


def test_a_shot_asks_for_what_was_asked_for_then_and_a_dry_one_for_nothing() -> None:
    trace = record(PINS, 6, shots=2, doubles=0.0)
    played = Played(trace)
    dry = played.shoot(0)
    assert (dry.cards, dry.end) == (0, ShotEnd.DONE)
    for shot in trace.shots:
        assert played.shoot(14).cards == shot.counted
    played.backend.close()


def test_when_the_tape_is_over_the_machine_is_empty() -> None:
    played = Played(record(PINS, 6, shots=1))
    assert played.shoot(3).end is ShotEnd.DONE
    for _ in range(2):
        over = played.shoot(3)
        assert (over.cards, over.end) == (0, ShotEnd.EMPTY)
        assert played.backend.launcher.status().fault is None
        played.backend.launcher.loaded(112)  # nobody can put cards onto a tape
    played.backend.close()


def test_a_second_try_goes_on_with_the_same_shot() -> None:
    trace = read(HERE / "mishaps.jsonl")
    retried = next(number for number, shot in enumerate(trace.shots) if shot.pulses == 2)
    played = Played(replace(trace, shots=trace.shots[retried : retried + 2]))
    for shot in trace.shots[retried : retried + 2]:
        ended = played.shoot(shot.wanted)
        assert (ended.cards, ended.end) == (shot.cards, shot.end)
        played.clock.advance(1)
        played.backend.launcher.clear_fault()
    played.backend.close()


def test_an_input_left_as_it_was_is_put_right_for_the_next_shot() -> None:
    """A trace ends with its shot: a hand in the exit, or an open lid, is taken away by nobody."""
    ordinary = record(PINS, 6, shots=1, doubles=0.0).shots[0]
    begun = Change(0.0, "motor", "forward")
    opened = TracedShot(
        3, (begun, Change(20.0, "lid", "open"), Change(20.0, "motor", "off")), 90.0, 0, Certainty.EXACT, ShotEnd.STOPPED
    )
    played = Played(replace(record(PINS, 6, shots=1), shots=(opened, ordinary)))
    assert played.shoot(3).end is ShotEnd.STOPPED
    played.clock.advance(1)
    assert played.backend.launcher.clear_fault() is None
    assert played.shoot(3).cards == ordinary.counted
    played.backend.close()


def test_what_was_there_before_the_motor_is_there_when_it_begins() -> None:
    """A stop pressed just before: the launcher learns of it as of any edge."""
    pressed = TracedShot(
        3, (Change(-5.0, "stop", "pressed"), Change(0.0, "motor", "forward")), 90.0, 0, Certainty.EXACT, ShotEnd.STOPPED
    )
    played = Played(replace(record(PINS, 6, shots=1), shots=(pressed,)))
    ended = played.shoot(3)
    assert (ended.end, ended.cards) == (ShotEnd.STOPPED, 0)
    played.backend.close()


def test_a_game_is_played_with_a_recorded_machine_until_it_is_empty(tmp_path: Path) -> None:
    trace = record(PINS, 6, shots=3, doubles=0.0)

    async def evening() -> None:
        async with room(tmp_path, lambda clock: TapeBackend(clock, trace)) as here:
            for shot in trace.shots:
                here.backend.button.press()
                await here.until(lambda: here.launcher()["shot"] is not None)
                await here.until(lambda: here.launcher()["shot"] is None and here.launcher()["state"] == "ready")
                assert here.launcher()["last"]["cards"] == shot.counted
            here.backend.button.press()
            await here.until(lambda: here.picture()["due"]["what"] == "reload")

    run(evening())


def test_its_button_can_be_pressed() -> None:
    played = Played(record(PINS, 6, shots=1))
    played.backend.button.press()
    played.backend.button.press()  # the finger is still down
    played.clock.advance(1)
    played.backend.button.press()
    played.clock.advance(1)
    assert sum(isinstance(each, ButtonPressed) for each in played.heard) == 2
    played.backend.close()


def test_closing_leaves_every_output_low() -> None:
    played = Played(record(PINS, 6, shots=1))
    played.backend.launcher.begin_shot(ShotOrder(1, 9, played.clock.now()))
    played.clock.advance(0.2)
    pins = [played.backend.factory.pin(pin) for pin in (PINS.enable, PINS.in1, PINS.in2)]
    assert any(pin.state for pin in pins)
    played.backend.close()
    assert not any(pin.state for pin in pins)


def test_real_time() -> None:
    heard: list[HardwareEvent] = []
    trace = record(PINS, 6, shots=1, doubles=0.0)
    clock = RealClock()
    backend = TapeBackend(clock, trace)
    ended = threading.Event()

    def listen(event: HardwareEvent) -> None:
        heard.append(event)
        if isinstance(event, ShotEnded):
            ended.set()

    backend.start(listen)
    backend.launcher.begin_shot(ShotOrder(1, 3, clock.now()))
    assert ended.wait(20)
    backend.close()
    shot = next(each for each in heard if isinstance(each, ShotEnded))
    assert (shot.cards, shot.end) == (trace.shots[0].counted, ShotEnd.DONE)


def test_it_is_opened_by_its_name_with_a_file_and_says_what_it_is(tmp_path: Path) -> None:
    backend = open_backend("tape", clock=VirtualClock(), tape=HERE / "two-beams.jsonl")
    assert backend.announcement.startswith("tape: 25 recorded shots of ")
    assert "nothing real will move" in backend.announcement
    with pytest.raises(BackendError, match="tape: there is nothing to play back: name a recorded file"):
        open_backend("tape")
    with pytest.raises(BackendError, match=r"tape: .*gone cannot be read"):
        open_backend("tape", tape=tmp_path / "gone")
