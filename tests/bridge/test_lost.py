"""A controller that is lost, has forgotten, or is not one of ours: what is still kept, and what people are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.frames import PROTOCOL, Decoder, Frame, encode
from firmware_bridge.headers import limits_crc
from firmware_bridge.messages import ANSWER, HERE, WHO, Board, Hello, Kind, Reset, Result, State, Status
from firmware_bridge.port import Heard, Lost, PortError
from hardware.clock import VirtualClock
from hardware.gpio import BackendError
from hardware.pins import PinMap
from hardware.ports import Certainty, Fault, LauncherChanged, LauncherState, ShotEnd
from hardware.settings import LauncherSettings
from tests.bridge.world import DEVICE, BridgeWorld, ChipBackend

Make = Callable[..., BridgeWorld]
Answers = Callable[[Frame], bytes]
FLASH = f"uno-attack bridge flash --device {DEVICE}"


def hello(frame: Frame, version: int = PROTOCOL, limits: int | None = None, here: bytes = HERE) -> bytes:
    """The answer to HELLO."""
    said = Hello(here, 1, 0, Board.HOST, 31, Reset.POWER, limits_crc() if limits is None else limits, 0, 1000)
    return encode(Frame(Kind.HELLO | ANSWER, frame.sequence, b"\0" + said.pack(), version))


def result(frame: Frame, number: int) -> bytes:
    """Every other answer."""
    status = Status(State.CONFIGURED | State.ARMED, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000)
    return encode(Frame(frame.kind | ANSWER, frame.sequence, bytes((number,)) + status.pack()))


def refusing(kind: Kind, number: int) -> Answers:
    """One of ours that answers everything as it should, but for one question."""
    return lambda frame: (
        hello(frame) if frame.kind == Kind.HELLO else result(frame, number if frame.kind == kind else Result.OK)
    )


def silent(frame: Frame) -> bytes:
    """Nobody."""
    del frame
    return b""


class Stranger:
    """A port with somebody else at its other end."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._decoder = Decoder()
        self._held = b""
        self._heard: Heard | None = None
        self.frames: list[Frame] = []

    def read(self, seconds: float) -> bytes:
        """See `firmware_bridge.port.Port`."""
        del seconds
        data, self._held = self._held, b""
        return data

    def write(self, data: bytes) -> None:
        """See `firmware_bridge.port.Port`."""
        for frame in self._decoder.feed(data):
            self.frames.append(frame)
            said = self._answers(frame)
            if said and self._heard is not None:
                self._heard(said)
            else:
                self._held += said

    def listen(self, heard: Heard, lost: Lost) -> None:
        """See `firmware_bridge.port.Port`."""
        del lost
        self._heard = heard

    def close(self) -> None:
        """See `firmware_bridge.port.Port`."""


def latched(world: BridgeWorld) -> Fault:
    fault = world.launcher.status().fault
    assert fault is not None
    return fault


def use_up(world: BridgeWorld) -> None:
    """Shoot until the motor must cool down."""
    while (denial := world.launcher.denial()) is None or "cool down" not in denial.text:
        world.ready()
        world.shoot(14)
        world.run(0.5)


# --- what was used of the minute ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("reason", [Reset.POWER, Reset.BUTTON])
def test_a_controller_that_starts_anew_is_no_cooler(make_world: Make, reason: Reset) -> None:
    world = make_world(hopper=10_000)
    use_up(world)
    before = world.backend.reading()
    world.backend.chip.reset(reason)
    world.run(0.1)
    assert latched(world).code == "controller-restarted"
    world.until(lambda: world.launcher.clear_fault() is None)
    world.run(0.5)
    assert world.launcher.status().state is LauncherState.COOLING
    told = [each.event for each in world.seen if isinstance(each.event, LauncherChanged)][-1]
    denial = world.launcher.denial()
    reading = world.backend.reading()
    assert denial is not None
    assert denial.seconds is not None
    assert "must cool down" in denial.text
    assert reading is not None
    assert reading.motor is not None
    assert before is not None
    assert before.motor is not None
    assert reading.motor.used >= before.motor.used - 0.01
    ready_at = world.clock.now() + denial.seconds
    assert told.state is LauncherState.COOLING
    assert told.until == pytest.approx(ready_at)
    assert reading.motor.ready_at == pytest.approx(ready_at)
    ended = world.shoot(14)  # a press whose reveal comes all the same: both ends refuse it
    assert (ended.end, ended.cards, ended.certainty) == (ShotEnd.VOID, 0, Certainty.EXACT)
    assert "must cool down" in ended.cause
    world.until(lambda: world.states()[-1] is LauncherState.READY, limit=70)
    assert world.clock.now() == pytest.approx(ready_at, abs=0.01)
    assert world.shoot(14).cards == 14
    pulses = world.pulses("enable")
    for _, end in pulses:
        assert sum(max(0.0, off - max(on, end - 60)) for on, off in pulses) <= world.settings.duty_ms / 1000


def test_the_minute_is_kept_over_any_number_of_new_hosts(make_world: Make) -> None:
    """Each opens the port, which resets the controller."""
    world = make_world(hopper=10_000)
    for _ in range(9):
        world.shoot(14)
        world.backend.unplug()
        world.backend.plugged = True
        world.launcher._motor.clear()  # type: ignore[attr-defined]  # as of a host that has just started
        world.until(lambda: world.launcher.clear_fault() is None)
        world.run(0.5)
    pulses = world.pulses("enable")
    assert pulses[-1][1] - pulses[0][0] < 60
    assert 4.0 < sum(off - on for on, off in pulses) <= world.settings.duty_ms / 1000


def test_a_shot_cut_by_a_reset_counts_with_all_it_was_permitted(make_world: Make) -> None:
    world = make_world()
    shot = world.begin(14, suspense=0.0)
    world.until(lambda: bool(world.progress(shot)))
    world.backend.chip.reset(Reset.WATCHDOG)
    world.until(lambda: world.launcher.clear_fault() is None)
    world.run(0.5)
    status = world.launcher._status  # type: ignore[attr-defined]
    assert status.used_ms == pytest.approx(world.settings.on_ms(14), abs=2)


# --- who is at the port ---------------------------------------------------------------------------------------------


def test_nothing_but_hello_is_written_to_what_takes_its_place(world: BridgeWorld) -> None:
    stranger = Stranger(silent)
    world.backend.instead = lambda: stranger
    world.backend.unplug()
    world.backend.plugged = True
    world.until(lambda: bool(stranger.frames))
    world.launcher.halt("somebody said stop")
    world.launcher.clear_fault()
    world.run(1)
    world.close()
    assert {(frame.kind, frame.payload) for frame in stranger.frames} == {(Kind.HELLO, WHO)}


def held() -> Stranger:
    raise PortError(f"{DEVICE} is in use by another program: end that first (sudo fuser -v {DEVICE} names it)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("there", "cause", "remedy"),
    [
        (lambda: Stranger(lambda frame: hello(frame, limits=0xBEEF)), "goes by other figures", FLASH),
        (lambda: Stranger(lambda frame: hello(frame, version=PROTOCOL + 1)), "newer: protocol", FLASH),
        (lambda: Stranger(lambda frame: hello(frame, here=b"WHO?")), "not as a launcher's controller", "right port"),
        (lambda: Stranger(silent), "does not answer as a launcher's controller does", FLASH),
        (lambda: Stranger(refusing(Kind.CONFIG, 77)), "result 77, unknown to this program", FLASH),
        (held, "is in use by another program: end that first", "clear the fault"),
    ],
)
def test_why_it_cannot_be_had_back_is_said_with_what_mends_it(
    make_world: Make, there: Callable[[], Stranger], cause: str, remedy: str
) -> None:
    world = make_world()
    world.backend.unplug()
    world.run(0.1)
    assert latched(world).code == "link-lost"
    world.backend.plugged = True
    world.backend.instead = there
    world.until(lambda: cause in latched(world).cause, limit=20)
    assert remedy in latched(world).remedy
    assert world.launcher.clear_fault() == latched(world)
    denial = world.launcher.denial()
    assert denial is not None
    assert cause in denial.text
    assert [each.event.fault for each in world.seen if isinstance(each.event, LauncherChanged)][-1] == latched(world)
    told = len(world.seen)
    world.run(30)
    assert len(world.seen) == told  # the same again is not told again
    world.backend.instead = None
    world.until(lambda: world.launcher.clear_fault() is None, limit=20)
    world.ready()
    assert world.shoot(2).cards == 2


def test_what_stood_before_the_link_was_lost_stands_again_when_it_is_back(world: BridgeWorld) -> None:
    world.launcher.halt("somebody said stop")
    world.backend.unplug()
    world.until(lambda: "there is no port" in latched(world).cause)
    world.backend.plugged = True
    world.until(lambda: latched(world).code == "halted")
    world.until(lambda: world.launcher.clear_fault() is None)
    world.ready()


def test_clearing_that_comes_too_late_arms_nothing_later(world: BridgeWorld) -> None:
    world.launcher.halt("somebody said stop")
    world.run(0.1)
    assert world.launcher.clear_fault() is None
    world.backend.unplug()  # before the loop has seen either
    world.backend.plugged = True
    world.run(5)
    assert latched(world).code == "link-lost"
    assert not world.launcher._status.state & State.ARMED  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "number", "words"),
    [
        (Kind.CONFIG, 77, ["the figures of [launcher]", "result 77, unknown to this program"]),
        (Kind.CONFIG, Result.FIGURE, ["the figures of [launcher]", "a figure is out of the controller's bounds"]),
    ],
)
def test_a_refusal_at_the_start_is_said_in_words(core: Any, kind: Kind, number: int, words: list[str]) -> None:
    backend = ChipBackend(core, VirtualClock(), LauncherSettings(), PinMap())
    backend.instead = lambda: Stranger(refusing(kind, number))
    with pytest.raises(BackendError) as refused:
        backend.start(lambda event: None)
    assert all(word in str(refused.value) for word in (*words, FLASH)), refused.value
    backend.close()


def test_one_that_will_not_be_armed_is_a_fault_in_words(core: Any) -> None:
    backend = ChipBackend(core, VirtualClock(), LauncherSettings(), PinMap())
    backend.instead = lambda: Stranger(refusing(Kind.ARM, 77))
    backend.start(lambda event: None)
    fault = backend.launcher.status().fault
    assert fault is not None
    assert "refuses to be armed: result 77, unknown to this program" in fault.cause
    assert FLASH in fault.remedy
    backend.close()


# --- how often it is looked for ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_that_greets_and_then_fails_is_looked_for_less_and_less_often(make_world: Make) -> None:
    world = make_world()

    def wrong(frame: Frame) -> bytes:
        if frame.kind == Kind.PING:
            return encode(Frame(frame.kind | ANSWER, frame.sequence, b"\0\0"))
        return refusing(Kind.PING, 0)(frame)

    world.backend.instead = lambda: Stranger(wrong)
    world.run(15)  # until now the link has stood
    world.backend.unplug()
    world.backend.plugged = True
    lost = world.clock.now()
    world.run(60)
    tried = [at - lost for at in world.backend.opened if at >= lost]
    assert tried[0] == pytest.approx(0.5, abs=0.1)
    assert len(tried) <= 10
    world.backend.instead = None
    world.run(30)  # one that stands for a while is as good as ever
    lost = world.clock.now()
    world.backend.unplug()
    world.backend.plugged = True
    world.run(1)
    assert [at - lost for at in world.backend.opened if at >= lost] == [pytest.approx(0.5, abs=0.1)]
