"""The real firmware on a simulated ATmega328P: tight times in virtual time, and its link at the pace of the clock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.backend import SerialBackend
from firmware_bridge.frames import PROTOCOL, Frame
from firmware_bridge.headers import config
from firmware_bridge.messages import (
    DEAD_MAN_MS,
    NO_HOPPER,
    WHO,
    Board,
    End,
    Ended,
    Fire,
    Kind,
    Latched,
    Reset,
    Result,
    State,
    Sure,
    Switch,
    Trouble,
    Wired,
)
from hardware.clock import RealClock
from hardware.counter import RECENT
from hardware.gpio import BackendError
from hardware.ports import ButtonPressed, ButtonReleased, Certainty, LampState, LauncherState, ShotEnd
from hardware.settings import LauncherSettings
from tests.bridge.simulator import BEAM, BUTTON, BUZZER, ENABLE, IN1, IN2, LAMP, LED, LID, STOP, Host, Simulator
from tests.hardware import test_contract_port
from tests.hardware.world import Port

pytestmark = pytest.mark.slow

WIRED = Wired.BEAM | Wired.STOP
OUTPUTS = (ENABLE, IN1, IN2, LAMP, BUZZER)
DEAD_MAN = (DEAD_MAN_MS + 100) / 1000  # seconds: the motor is off within


# --- in virtual time -----------------------------------------------------------------------------------------------


@pytest.fixture
def host(chip: Simulator) -> Host:
    """A host whose controller is armed, its fault of an open line cleared."""
    host = begin_again(chip)
    assert chip.answers(Kind.ARM)[-1][0] == Result.OK
    return host


def fire(host: Host, shot: int, cards: int, milliseconds: float = 20) -> None:
    host.ask(Kind.FIRE, Fire(shot, cards, 4000, 8000, 100).pack(), milliseconds)


def ends(chip: Simulator) -> list[Ended]:
    return [event for event in chip.events() if isinstance(event, Ended)]


def test_every_output_is_low_before_anything_else(chip: Simulator) -> None:
    chip.run(1000)
    assert [edge for edge in chip.edges if edge[0] != LED] == []
    assert not any(chip.level(pin) for pin in OUTPUTS)
    (hello,) = chip.hellos()
    assert (hello.board, hello.reset) == (Board.ATMEGA328P, Reset.POWER)
    assert chip.heard[0][0] < 0.01


def test_a_shot_of_three_is_counted_by_the_firmware(host: Host) -> None:
    chip = host.chip
    fire(host, 17, 3)
    host.run(1500)
    (ended,) = ends(chip)
    assert (ended.shot, ended.cards, ended.sure, ended.end) == (17, 3, Sure.EXACT, End.DONE)
    assert chip.tell("out") == "3"
    ((on, off),) = chip.pulses(ENABLE)
    assert off - on <= LauncherSettings().on_ms(3) / 1000
    assert ended.motor_ms == pytest.approx((off - on) * 1000, abs=2)
    assert len(chip.pulses(IN2)) == 1  # braking and pulling back
    assert not any(chip.level(pin) for pin in OUTPUTS)


def test_two_runs_are_the_same(simulated: Path, tmp_path: Path) -> None:
    def run() -> object:
        with Simulator(simulated, tmp_path) as chip:
            host = Host(chip)
            chip.run(20)
            host.ask(Kind.HELLO, WHO)
            host.ask(Kind.CONFIG, config(LauncherSettings(), WIRED))
            host.ask(Kind.ARM, Switch(1).pack())
            fire(host, 1, 3)
            host.run(1000)
            return chip.edges, chip.heard

    assert run() == run()


def test_fire_repeated_fires_once(host: Host) -> None:
    chip = host.chip
    fire(host, 5, 1)
    for _ in range(5):
        chip.send(Frame(Kind.FIRE, host.sequence, Fire(5, 1, 4000, 8000, 100).pack()))  # as a retry
        host.run(100)
    host.run(1000)
    for _ in range(3):
        fire(host, 5, 1)  # as a new question
        host.run(500)
    assert len(chip.pulses(ENABLE)) == 1
    assert chip.tell("out") == "1"
    assert {result for result, _ in chip.answers(Kind.FIRE)} == {Result.OK}
    assert chip.answers(Kind.FIRE)[-1][1].cards == 1


@pytest.mark.parametrize("pin", [LID, STOP])
def test_lid_and_stop_cut_the_motor_at_once(host: Host, pin: str) -> None:
    chip = host.chip
    fire(host, 1, 8)
    chip.run(150)
    assert chip.level(ENABLE)
    at = chip.now()
    chip.set(pin, True)
    chip.run(5)
    ((_, off),) = chip.pulses(ENABLE)
    assert off - at < 0.0001  # an interrupt: the loop is not waited for
    host.run(500)
    (ended,) = ends(chip)
    assert ended.end == End.STOPPED
    assert ended.cards == int(chip.tell("out"))
    fire(host, 2, 1)
    assert chip.answers(Kind.FIRE)[-1][0] == Result.FAULT
    host.ask(Kind.RESET_FAULT)
    assert chip.answers(Kind.RESET_FAULT)[-1][0] == Result.STANDING
    chip.set(pin, False)
    host.ask(Kind.RESET_FAULT)
    assert chip.answers(Kind.RESET_FAULT)[-1][0] == Result.OK
    host.run(500)
    fire(host, 3, 1)
    assert chip.answers(Kind.FIRE)[-1][0] == Result.OK


def test_a_lid_that_only_bounced_open_stops_the_shot_all_the_same(host: Host) -> None:
    chip = host.chip
    fire(host, 1, 8)
    chip.run(150)
    chip.set(LID, True)
    chip.run(0.02)
    chip.set(LID, False)
    host.run(1500)
    assert ends(chip)[0].end == End.STOPPED
    assert len(chip.pulses(ENABLE)) == 1


def test_a_jam_is_tried_again_once(host: Host) -> None:
    chip = host.chip
    chip.tell("jam soft")
    fire(host, 1, 2)
    host.run(3000)
    (ended,) = ends(chip)
    assert (ended.cards, ended.sure, ended.end) == (2, Sure.AT_LEAST, End.DONE)
    assert len(chip.pulses(ENABLE)) == 2


def test_a_jam_that_stays_is_told_and_never_tried_a_third_time(host: Host) -> None:
    chip = host.chip
    chip.tell("jam hard")
    fire(host, 1, 2)
    host.run(5000)
    (ended,) = ends(chip)
    assert ended.end == End.JAMMED
    assert [event.trouble for event in chip.events() if isinstance(event, Latched)] == [Trouble.JAMMED]
    assert len(chip.pulses(IN2)) == 1
    assert sum(off - on for on, off in chip.pulses(ENABLE)) <= LauncherSettings().on_ms(2) / 1000
    host.ask(Kind.RESET_FAULT)
    assert chip.answers(Kind.RESET_FAULT)[-1][0] == Result.STANDING
    chip.tell("free")
    host.run(50)
    host.ask(Kind.RESET_FAULT)
    assert chip.answers(Kind.RESET_FAULT)[-1][0] == Result.OK


def test_an_empty_machine_stops_within_the_shots_motor_time(host: Host) -> None:
    chip = host.chip
    chip.tell("hopper 0")
    host.ask(Kind.FIRE, Fire(1, 14, 4000, 8000, NO_HOPPER).pack())
    host.run(6000)
    assert ends(chip)[0].end == End.JAMMED  # it cannot be told apart here
    assert sum(off - on for on, off in chip.pulses(ENABLE)) <= LauncherSettings().on_ms(14) / 1000


@pytest.mark.parametrize("quiet", [0, 50, 137, 260])
def test_a_host_that_falls_silent_in_mid_shot_stops_the_motor(host: Host, quiet: int) -> None:
    """Whenever in the shot: within 500 ms of its last word, in simulated time."""
    chip = host.chip
    fire(host, 1, 14)
    if quiet:
        host.run(quiet)
    host.ask(Kind.PING, milliseconds=5)
    last_word = chip.now()
    chip.run(1000)
    ((_, off),) = chip.pulses(ENABLE)
    assert (DEAD_MAN_MS - 10) / 1000 <= off - last_word <= DEAD_MAN
    host.ask(Kind.STATUS)
    status = chip.answers(Kind.STATUS)[-1][1]
    assert status.trouble == Trouble.HOST_LOST
    assert not status.state & (State.ARMED | State.MOTOR)
    fire(host, 2, 1)
    assert chip.answers(Kind.FIRE)[-1][0] in (Result.DISARMED, Result.FAULT)


def test_limits_of_the_host_are_kept_on_top_of_its_own(host: Host) -> None:
    host.ask(Kind.FIRE, Fire(1, 14, 300, 8000, 100).pack())
    host.run(1500)
    ((on, off),) = host.chip.pulses(ENABLE)
    assert off - on <= 0.3
    figures = LauncherSettings(most_cards=1)
    host.ask(Kind.CONFIG, config(figures, WIRED))
    host.ask(Kind.ARM, Switch(1).pack())
    host.ask(Kind.FIRE, Fire(2, 14, 4000, figures.reserve_ms, 100).pack())
    host.run(1500)
    (_, (on, off)) = host.chip.pulses(ENABLE)
    assert 0.3 < off - on <= figures.reserve_ms / 1000
    host.ask(Kind.FIRE, Fire(3, 1, 4000, figures.reserve_ms - 1, 100).pack())
    assert host.chip.answers(Kind.FIRE)[-1][0] == Result.COOLING  # refused, and not a shot that brings no card
    host.run(1500)
    assert len(host.chip.pulses(ENABLE)) == 2


def test_rest_and_the_minutes_budget_are_kept_by_the_chip_alone(host: Host) -> None:
    chip = host.chip
    chip.tell("hopper 10000")
    for shot in range(1, 200):
        fire(host, shot, 14, milliseconds=5)
        chip.send(Frame(Kind.PING, 0))
        host.run(80)
    results = {result for result, _ in chip.answers(Kind.FIRE)}
    assert {Result.OK, Result.FIRING, Result.RESTING, Result.COOLING} <= results
    pulses = chip.pulses(ENABLE)
    assert sum(off - on for on, off in pulses) <= LauncherSettings().duty_ms / 1000
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(pulses)]
    assert min(gaps) >= LauncherSettings().rest_ms / 1000
    host.ask(Kind.STATUS)
    status = chip.answers(Kind.STATUS)[-1][1]
    assert status.state & State.COOLING
    assert 0 < status.rest_ms <= 61_000


def begin_again(chip: Simulator) -> Host:
    """A new host, after the controller has started, or started anew."""
    chip.run(20)
    host = Host(chip)
    host.ask(Kind.HELLO, WHO)
    host.ask(Kind.CONFIG, config(LauncherSettings(), WIRED))
    host.ask(Kind.ARM, Switch(1).pack())
    return host


def used_ms(host: Host) -> int:
    host.ask(Kind.STATUS)
    return host.chip.answers(Kind.STATUS)[-1][1].used_ms


def test_the_minutes_budget_outlives_every_reset(host: Host) -> None:
    """Opening the port resets: a new host, which knows nothing, must not get a new minute."""
    chip = host.chip
    chip.tell("hopper 10000")
    for shot in range(9):
        fire(host, shot, 14)
        host.run(2500)
        chip.tell("reset")
        host = begin_again(chip)
    pulses = chip.pulses(ENABLE)
    assert pulses[-1][1] - pulses[0][0] < 60
    assert 4 < sum(off - on for on, off in pulses) <= LauncherSettings().duty_ms / 1000
    assert chip.answers(Kind.FIRE)[-1][0] == Result.COOLING
    host.run(61_000)
    assert used_ms(host) == 0
    fire(host, 100, 14)
    assert chip.answers(Kind.FIRE)[-1][0] == Result.OK


def test_a_shot_cut_by_a_reset_counts_with_all_it_was_permitted(host: Host) -> None:
    fire(host, 1, 14)
    host.run(200)
    host.chip.tell("reset")
    host = begin_again(host.chip)
    ((on, off),) = host.chip.pulses(ENABLE)
    assert off - on < 0.5
    assert LauncherSettings().on_ms(14) - 2 <= used_ms(host) <= LauncherSettings().on_ms(14) + 2


def test_without_power_the_budget_is_forgotten(host: Host) -> None:
    fire(host, 1, 14)
    host.run(2500)
    assert used_ms(host) > 1000
    host.chip.tell("power")
    host = begin_again(host.chip)
    assert used_ms(host) == 0
    fire(host, 1, 1)
    assert host.chip.answers(Kind.FIRE)[-1][0] == Result.OK


@pytest.mark.parametrize("milliseconds", [0.02, 0.05, 0.5, 1.5, 5])
def test_a_port_opened_as_soon_as_there_is_power_finds_a_whole_minute(chip: Simulator, milliseconds: float) -> None:
    chip.run(milliseconds)
    chip.tell("reset")
    assert used_ms(begin_again(chip)) == 0


def test_after_a_reset_that_spoilt_its_memory_the_minute_counts_as_used_up(host: Host) -> None:
    host.chip.tell("dip")
    host = begin_again(host.chip)
    fire(host, 1, 1)
    result, status = host.chip.answers(Kind.FIRE)[-1]
    assert result == Result.COOLING
    assert 55_000 < status.rest_ms <= 61_000
    host.run(61_000)
    fire(host, 2, 1)
    assert host.chip.answers(Kind.FIRE)[-1][0] == Result.OK


def test_the_loop_is_not_late_for_all_it_remembers_of_cards(host: Host) -> None:
    """The dearest thing it does with the motor on: a card in two pieces, after as many cards as it can remember."""
    chip = host.chip

    def passes(milliseconds: float) -> None:
        chip.set(BEAM, False)
        chip.run(milliseconds)
        chip.set(BEAM, True)

    for card in range(RECENT + 1):
        passes(42 + card % 9 / 4)
        host.run(60)
    chip.tell("hopper 0")
    fire(host, 1, 14)
    host.run(100)
    passes(25)
    chip.run(1)
    passes(17)
    host.run(100)
    assert chip.level(ENABLE)
    host.ask(Kind.STATUS)
    status = chip.answers(Kind.STATUS)[-1][1]
    assert (status.trouble, status.cards) == (Trouble.NONE, 1)


def test_a_reset_in_mid_shot_lets_the_motor_go_and_says_hello(host: Host) -> None:
    chip = host.chip
    fire(host, 1, 14)
    chip.run(200)
    at = chip.now()
    chip.tell("reset")
    chip.run(50)
    ((_, off),) = chip.pulses(ENABLE)
    assert off - at < 0.001
    hello = chip.hellos()[-1]
    assert (hello.reset, hello.config_crc) == (Reset.BUTTON, 0)
    fire(host, 2, 1)  # nobody has said HELLO: it does not listen
    assert len(chip.pulses(ENABLE)) == 1


def test_a_loop_that_hangs_is_cut_by_the_interrupt_and_then_by_the_watchdog(host: Host) -> None:
    chip = host.chip
    fire(host, 1, 14)
    chip.run(200)
    at = chip.now()
    chip.tell("hang")
    chip.run(2000)
    ((_, off),) = chip.pulses(ENABLE)
    assert off - at <= 0.06
    # The program is broken for good; the watchdog starts it again and again, and every start is alive.
    resets = [hello.reset for hello in chip.hellos()[2:]]
    assert resets, "the watchdog did not bite"
    assert set(resets) == {Reset.WATCHDOG}


def test_corrupted_bytes_are_dropped_and_asked_for_again(host: Host) -> None:
    chip = host.chip
    chip.tell("noise in 37")
    for _ in range(50):
        host.ask(Kind.STATUS, milliseconds=8)
        host.sequence -= 1  # what was lost is asked again; what was heard is answered again
        host.ask(Kind.STATUS, milliseconds=8)
    chip.tell("noise in 0")
    assert 10 < len(chip.answers(Kind.STATUS)) < 90
    assert {result for result, _ in chip.answers(Kind.STATUS)} == {Result.OK}
    host.ask(Kind.HELLO, WHO)
    host.ask(Kind.RESET_FAULT)
    host.ask(Kind.ARM, Switch(1).pack())
    fire(host, 1, 2)
    host.run(1000)
    assert ends(chip)[0].cards == 2


def test_another_version_is_answered_hello_and_nothing_else(chip: Simulator) -> None:
    chip.run(20)
    for kind, payload in ((Kind.HELLO, WHO), (Kind.STOP, b""), (Kind.STATUS, b"")):
        chip.send(Frame(kind, 1, payload, version=PROTOCOL + 1))
        chip.run(20)
    assert len(chip.hellos()) == 2
    assert len(chip.heard) == 2


def test_figures_out_of_bounds_are_refused_and_change_nothing(host: Host) -> None:
    chip = host.chip
    good = config(LauncherSettings(), WIRED)
    for at in range(1, len(good), 2):
        host.ask(Kind.CONFIG, good[:at] + b"\xff\xff" + good[at + 2 :], milliseconds=25)
        assert chip.answers(Kind.CONFIG)[-1][0] == Result.FIGURE
    host.ask(Kind.CONFIG, good[:-1])
    assert chip.answers(Kind.CONFIG)[-1][0] == Result.LENGTH
    host.ask(Kind.STATUS)
    assert chip.answers(Kind.STATUS)[-1][1].state & State.ARMED


def test_the_light_says_how_it_stands(chip: Simulator) -> None:
    """Flashes between two pauses; steady while armed."""

    def flashes(seconds: float) -> int:
        begun = chip.now()
        chip.run(seconds * 1000)
        return len([at for on, at in ((on, on) for on, _ in chip.pulses(LED)) if at >= begun])

    chip.run(1000)
    assert flashes(1.8) == 1  # waits for its host
    host = Host(chip)
    host.ask(Kind.HELLO, WHO)
    host.ask(Kind.CONFIG, config(LauncherSettings(), WIRED))
    host.ask(Kind.ARM, Switch(1).pack())
    host.run(100)
    assert chip.level(LED)
    chip.run(1000)  # the host is silent
    assert flashes(8 * 0.4 + 1.4) == 8


def test_the_stack_has_room(host: Host, simulated: Path) -> None:
    """RAM that was never written in all of a busy life; and what the build said of its size."""
    chip = host.chip
    for pin in (LID, STOP, BEAM, BUTTON):
        chip.set(pin, True)
        chip.run(1)
        chip.set(pin, False)
        chip.run(1)
    chip.set(BEAM, True)
    chip.set(BUTTON, True)
    host.ask(Kind.CONFIG, config(LauncherSettings(), WIRED))
    host.ask(Kind.RESET_FAULT)
    host.ask(Kind.ARM, Switch(1).pack())
    fire(host, 9, 14)
    host.run(4000)
    left = int(chip.tell("stack"))
    assert left >= 200, f"only {left} bytes of RAM between variables and stack"
    said = (simulated / "said").read_text()
    assert "Program:" in said
    assert "bytes of stack" in said


# --- at the pace of the clock, over a port --------------------------------------------------------------------------


def backend(chip: Simulator) -> SerialBackend:
    return SerialBackend(RealClock(), LauncherSettings(), str(chip.port), WIRED, buzzer=True)


@pytest.fixture
def open_port(paced: Simulator) -> Iterator[Callable[[], Port]]:
    """Opens the backend on the chip's port; closed afterwards."""
    ports: list[Port] = []

    def opened() -> Port:
        ports.append(Port(RealClock(), LauncherSettings(), backend(paced)))
        return ports[-1]

    yield opened
    for each in ports:
        each.close()


port = test_contract_port.port
globals().update({name: test for name, test in vars(test_contract_port).items() if name.startswith("test_")})


def test_cards_lid_button_and_lamp_of_the_real_firmware(paced: Simulator, port: Port) -> None:
    ended = port.shoot(3)
    assert (ended.cards, ended.certainty, ended.end) == (3, Certainty.EXACT, ShotEnd.DONE)
    assert paced.tell("out") == "3"
    port.seen.clear()
    paced.tell("press 70")
    port.until(lambda: any(isinstance(seen.event, ButtonReleased) for seen in port.seen))
    assert [type(seen.event) for seen in port.seen if isinstance(seen.event, ButtonPressed | ButtonReleased)] == [
        ButtonPressed,
        ButtonReleased,
    ]
    port._backend.signals.lamp(LampState.PRESS_NOW)
    port.until(lambda: paced.level(LAMP))
    port.ready()
    shot = port.begin(8, suspense=0.0)
    port.until(lambda: len(port.progress(shot)) > 1)
    paced.set(LID, True)
    assert port.end_of(shot).end is ShotEnd.STOPPED
    assert port.launcher.status().state is LauncherState.FAULT
    port.close()
    assert not any(paced.level(pin) for pin in OUTPUTS[:3])


def test_unplugged_in_mid_shot_and_plugged_in_again_it_comes_back_disarmed(paced: Simulator, port: Port) -> None:
    shot = port.begin(14, suspense=0.0)
    port.until(lambda: len(port.progress(shot)) > 1)
    paced.tell("unplug")
    unplugged = paced.now()
    ended = port.end_of(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert ended.cards == port.progress(shot)[-1]
    port.until(lambda: not paced.level(ENABLE))
    assert paced.pulses(ENABLE)[-1][1] <= unplugged + DEAD_MAN
    fault = port.launcher.status().fault
    assert fault is not None
    assert fault.code in ("link-lost", "port-refused")
    assert port.launcher.clear_fault() is not None  # not before it is heard again
    paced.tell("plug")
    port.until(lambda: port.launcher.clear_fault() is None)
    port.ready()
    assert port.shoot(2).cards == 2


def test_a_reset_in_mid_shot_is_a_fault_and_the_count_unknown(paced: Simulator, port: Port) -> None:
    shot = port.begin(14, suspense=0.0)
    port.until(lambda: len(port.progress(shot)) > 0)
    paced.tell("reset")
    ended = port.end_of(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    fault = port.launcher.status().fault
    assert fault is not None
    assert fault.code == "controller-restarted"
    assert not paced.level(ENABLE)
    port.until(lambda: port.launcher.clear_fault() is None)
    port.ready()
    assert port.shoot(1).cards == 1


def test_a_line_that_flips_bits_loses_no_shot(paced: Simulator, port: Port) -> None:
    paced.tell("noise in 211")
    paced.tell("noise out 307")
    for _ in range(3):
        ended = port.shoot(2)
        assert (ended.cards, ended.end) == (2, ShotEnd.DONE)
        port.ready()
    assert paced.tell("out") == "6"


HOST = """
import sys
from firmware_bridge.backend import SerialBackend
from hardware.clock import RealClock
from hardware.ports import ShotOrder, ShotProgress
from hardware.settings import LauncherSettings
def listen(event):
    if isinstance(event, ShotProgress):
        print("card", flush=True)
backend = SerialBackend(RealClock(), LauncherSettings(), sys.argv[1])
backend.start(listen)
backend.launcher.begin_shot(ShotOrder(1, 14, 0.0))
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_host_killed_or_frozen_in_mid_shot_stops_the_motor(paced: Simulator, number: signal.Signals) -> None:
    words = [sys.executable, "-c", HOST, str(paced.port)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "card\n"
        os.kill(process.pid, number)
        killed = paced.now()
        while paced.level(ENABLE):
            assert paced.now() < killed + 5
        os.kill(process.pid, signal.SIGKILL)
    ((_, off),) = paced.pulses(ENABLE)
    assert off <= killed + DEAD_MAN


# --- what is refused ------------------------------------------------------------------------------------------------


def test_a_port_in_use_is_refused(paced: Simulator, port: Port) -> None:
    del port  # it holds the port
    with pytest.raises(BackendError, match="is in use by another program"):
        backend(paced).start(lambda event: None)
