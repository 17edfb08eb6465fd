"""Lamp patterns, buzzer cues and the order in which cues are heard, on a virtual clock."""

from __future__ import annotations

import logging
import re
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.clock import VirtualClock
from hardware.cues import BEEPS, LONGEST, STEPS, TICK, TICKS, Buzzer, Cues, Sound
from hardware.pins import PinMap
from hardware.ports import Cue, LampState
from hardware.sensors import BEAM_BLOCKED, JAMMED, LID_OPEN, STOP_PRESSED
from hardware.signals import BLINKS, OTHER_BLINKS, RISING, Lamp, Mute, Panel, Together, pattern
from tests.hardware.world import virtual

DOCUMENT = Path(__file__).parents[2] / "docs" / "sound-and-light.md"


class Line:
    """An output and when it changed."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.changes: list[tuple[float, bool]] = [(clock.now(), False)]

    def __call__(self, high: bool) -> None:
        if high is not self.high:
            self.changes.append((self._clock.now(), high))

    @property
    def high(self) -> bool:
        return self.changes[-1][1]

    def pulses(self) -> list[float]:
        """How long it was high, each time."""
        return [off - on for (on, high), (off, _) in pairwise(self.changes) if high]

    def starts(self) -> list[float]:
        """When it went high."""
        return [at for at, high in self.changes if high]


class Bench:
    """A buzzer's cues on a virtual clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.line = Line(self.clock)
        self.cues = Cues(self.clock, "buzzer", Buzzer(self.line))
        self.cues.start()

    def cue(self, cue: Cue, step: int = 0) -> float:
        self.cues.cue(cue, step)
        self.clock.advance(0)
        return self.clock.now()

    def run(self, seconds: float) -> None:
        self.clock.advance(seconds)


@pytest.mark.parametrize("cue", BEEPS)
def test_every_cue_beeps_by_its_pattern_and_ends_quiet(cue: Cue) -> None:
    bench = Bench()
    bench.cue(cue)
    bench.run(5)
    assert bench.line.pulses() == pytest.approx(BEEPS[cue][::2])
    assert not bench.line.high
    assert [worker.deadline for worker in bench.clock._workers] == [None], "nobody wakes up for silence"


@pytest.mark.parametrize("step", range(STEPS + 1))
def test_the_suspense_ticks_until_another_cue(step: int) -> None:
    bench = Bench()
    bench.cue(Cue.PRESSED, step)
    bench.run(3)
    starts = bench.line.starts()
    assert [after - before for before, after in pairwise(starts)] == pytest.approx([TICKS[step]] * (len(starts) - 1))
    assert bench.line.pulses() == pytest.approx([TICK] * len(bench.line.pulses()))
    began = bench.cue(Cue.FIRING)
    bench.run(2)
    assert bench.line.starts()[-1] == pytest.approx(began)
    assert bench.line.pulses()[-1] == pytest.approx(BEEPS[Cue.FIRING][0])


def test_the_steps_of_a_suspense_rise_and_there_are_no_more_than_five() -> None:
    assert list(TICKS[1:]) == sorted(TICKS[1:], reverse=True)
    assert list(RISING) == sorted(RISING, reverse=True)
    bench, other = Bench(), Bench()
    bench.cue(Cue.PRESSED, STEPS)
    other.cue(Cue.PRESSED, STEPS + 7)
    bench.run(2)
    other.run(2)
    assert bench.line.changes == other.line.changes
    assert pattern(LampState.PRESSED, STEPS) == pattern(LampState.PRESSED, STEPS + 7)


def test_a_suspense_that_nothing_ends_ends_by_itself() -> None:
    bench = Bench()
    bench.cue(Cue.PRESSED)
    bench.run(LONGEST + 1)
    ticks = len(bench.line.starts())
    bench.run(60)
    assert len(bench.line.starts()) == ticks
    assert not bench.line.high


def test_quiet_ends_a_suspense_in_the_middle_of_a_tick_and_nothing_else() -> None:
    bench = Bench()
    bench.cue(Cue.PRESSED)
    bench.run(0.01)
    bench.cue(Cue.QUIET)
    assert not bench.line.high
    bench.run(3)
    assert len(bench.line.starts()) == 1
    bench.cue(Cue.DRY)
    bench.cue(Cue.QUIET)
    bench.run(3)
    assert bench.line.pulses()[1:] == pytest.approx(BEEPS[Cue.DRY][::2])


def test_press_now_waits_until_the_last_cue_was_heard_but_for_a_suspense() -> None:
    bench = Bench()
    bench.cue(Cue.DRY)
    bench.cue(Cue.PRESS_NOW)
    bench.run(3)
    assert bench.line.pulses() == pytest.approx([*BEEPS[Cue.DRY][::2], *BEEPS[Cue.PRESS_NOW]])
    bench.cue(Cue.PRESSED)
    bench.run(0.1)
    bench.cue(Cue.PRESS_NOW)
    bench.run(3)
    assert bench.line.pulses()[-2:] == pytest.approx([TICK, BEEPS[Cue.PRESS_NOW][0]])


def test_what_waits_is_forgotten_when_something_else_comes() -> None:
    bench = Bench()
    bench.cue(Cue.DRY)
    bench.cue(Cue.PRESS_NOW)
    bench.cue(Cue.FAULT)
    bench.run(5)
    assert bench.line.pulses()[-3:] == pytest.approx(BEEPS[Cue.FAULT][::2])


def test_stopped_it_is_quiet_whatever_it_was_saying_and_takes_nothing_more() -> None:
    bench = Bench()
    bench.cue(Cue.FIRING)
    bench.cue(Cue.PRESS_NOW)
    bench.cues.stop()
    assert not bench.line.high
    changes = len(bench.line.changes)
    bench.cue(Cue.FAULT)
    bench.run(5)
    assert len(bench.line.changes) == changes


def test_a_buzzer_that_fails_says_so_once_and_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    clock, calls = VirtualClock(), []

    def broken(high: bool) -> None:
        calls.append(high)
        raise OSError("no such line")

    cues = Cues(clock, "buzzer", Buzzer(broken))
    cues.start()
    for _ in range(5):
        cues.cue(Cue.FAULT)
        clock.advance(3)
    assert len(calls) <= 2
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        "buzzer: failed; nothing is heard from now on"
    ]
    cues.stop()


def test_a_cue_returns_at_once_however_long_the_voice_takes() -> None:
    clock = VirtualClock()
    heard: list[Cue] = []

    def voice(cue: Cue, step: int) -> Sound:
        heard.append(cue)
        yield 1e9

    cues = Cues(clock, "voice", voice)
    cues.start()
    for cue in (Cue.PRESSED, Cue.FIRING, Cue.PRESS_NOW):
        cues.cue(cue)
    assert heard == [], "nothing happens in the caller's thread"
    clock.advance(0)
    assert heard == [Cue.PRESSED, Cue.FIRING]


# --- the lamp ------------------------------------------------------------------------------------------------------


def blinks(seen: list[tuple[float, bool]]) -> list[int]:
    """How many blinks come between two pauses."""
    counts, starts = [0], [at for at, high in seen if high]
    for before, after in pairwise([*starts, float("inf")]):
        counts[-1] += 1
        if after - before > 1:
            counts.append(0)
    return [count for count in counts if count]


@pytest.mark.parametrize(("code", "times"), [*BLINKS.items(), ("watchdog", OTHER_BLINKS), ("", OTHER_BLINKS)])
def test_a_fault_blinks_as_often_as_its_code_says(code: str, times: int) -> None:
    clock = VirtualClock()
    line = Line(clock)
    lamp = Lamp(clock, line)
    lamp.start()
    lamp.lamp(LampState.FAULT, 0, code)
    clock.advance(30)
    counted = blinks(line.changes)
    assert len(counted) > 5
    assert set(counted[:-1]) == {times}
    lamp.stop()
    assert not line.high


def test_the_codes_of_the_sensors_are_told_apart_and_none_looks_like_a_turn() -> None:
    codes = [LID_OPEN.code, JAMMED, BEAM_BLOCKED.code, STOP_PRESSED.code, "halted"]
    times = [BLINKS[code] for code in codes] + [OTHER_BLINKS]
    assert len(set(times)) == len(times)
    assert min(times) > 1


def test_the_lamp_changes_its_pattern_when_another_fault_comes() -> None:
    clock = VirtualClock()
    line = Line(clock)
    lamp = Lamp(clock, line)
    lamp.start()
    lamp.lamp(LampState.FAULT, 0, JAMMED)
    clock.advance(1)
    lamp.lamp(LampState.FAULT, 0, LID_OPEN.code)
    clock.advance(0.5)
    started = clock.now()
    clock.advance(20)
    assert set(blinks([each for each in line.changes if each[0] > started])[1:-1]) == {BLINKS[LID_OPEN.code]}


@pytest.mark.parametrize("step", range(STEPS + 1))
def test_the_lamp_blinks_quicker_with_every_step(step: int) -> None:
    clock = VirtualClock()
    line = Line(clock)
    lamp = Lamp(clock, line)
    lamp.start()
    lamp.lamp(LampState.PRESSED, step)
    clock.advance(4)
    expected = RISING[step - 1] if step else 0.08
    assert line.pulses() == pytest.approx([expected] * len(line.pulses()))
    assert len(line.pulses()) > 5


def test_a_panel_without_a_buzzer_takes_cues_all_the_same() -> None:
    clock = VirtualClock()
    line = Line(clock)
    panel = Panel(clock, line, None)
    panel.start()
    panel.cue(Cue.FAULT)
    panel.lamp(LampState.FIRING)
    assert line.high
    panel.stop()
    assert not line.high


def test_several_signals_as_one_and_without_sound() -> None:
    benches = [Bench(), Bench()]
    panels = [Panel(bench.clock, bench.line, bench.line) for bench in benches]
    for panel in panels:
        panel.start()
    both = Together(*panels)
    both.lamp(LampState.FIRING)
    assert [bench.line.high for bench in benches] == [True, True]
    both.lamp(LampState.OFF)
    both.cue(Cue.FIRING)
    for bench in benches:
        bench.run(0)
    assert [bench.line.high for bench in benches] == [True, True]
    for bench in benches:
        bench.run(2)
    Mute(both).cue(Cue.FIRING)
    for bench in benches:
        bench.run(0)
    assert [bench.line.high for bench in benches] == [False, False]


# --- on the twin's pins --------------------------------------------------------------------------------------------


def test_the_buzzer_of_the_pin_map_is_heard_and_low_when_all_is_closed() -> None:
    world = virtual(pins=PinMap(buzzer=24))
    world.backend.signals.cue(Cue.FAULT)
    world.run(0.1)
    assert world.level("buzzer")
    pin = world.pin("buzzer")
    assert repr(pin) == "GPIO24"
    world.close()
    assert [bool(state.state) for state in pin.states][-1] is False


def test_without_a_buzzer_its_pin_is_not_claimed() -> None:
    quiet = virtual(pins=PinMap())
    quiet.backend.signals.cue(Cue.FAULT)
    quiet.run(1)
    assert not any(repr(pin) == "GPIO24" for pin in quiet.backend.factory.pins.values())
    quiet.close()


@pytest.mark.parametrize("cards", [0, 3])
def test_the_launcher_itself_makes_no_sound_and_lights_no_lamp(cards: int) -> None:
    world = virtual(pins=PinMap(buzzer=24))
    world.shoot(cards, suspense=0.7)
    assert not any(state.state for name in ("buzzer", "lamp") for state in world.pin(name).states)
    world.close()


# --- the document --------------------------------------------------------------------------------------------------


def test_the_document_tells_every_code_with_its_number() -> None:
    text = DOCUMENT.read_text()
    told = {code: int(number) for number, codes in re.findall(r"(?m)^\| (\d) \| (.*?) \|", text)
            for code in re.findall(r"`([a-z-]+)`", codes)}  # fmt: skip
    assert {code: told.get(code) for code in BLINKS} == BLINKS
    assert re.search(rf"(?m)^\| {OTHER_BLINKS} \| anything else", text)
