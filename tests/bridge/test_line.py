"""The two ends over lines that split, delay, double and lose: every order ends once, and nothing is fired twice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from firmware_bridge.frames import Decoder, Frame, encode
from firmware_bridge.headers import limits_crc
from firmware_bridge.link import HELLO_TRIES, Answer, Link
from firmware_bridge.messages import ANSWER, HERE, TRIES, Board, Event, Hello, Kind, Level, Reset, Result, Status, Told
from hardware.ports import Certainty, ShotEnd
from tests.bridge.chip import Wire
from tests.bridge.world import BridgeWorld

Make = Callable[..., BridgeWorld]
Pieces = list[tuple[float, bytes]]


def one_by_one(data: bytes) -> Pieces:
    """Each byte for itself, at 115200 baud."""
    return [(number * 87e-6, bytes((byte,))) for number, byte in enumerate(data, start=1)]


def slow(data: bytes) -> Pieces:
    """Half of what a retry waits for."""
    return [(0.02, data)]


def doubling(data: bytes) -> Pieces:
    """Everything twice."""
    return [(0.001, data), (0.0015, data)]


def losing(share: float, seed: int) -> Wire:
    """So much of what is sent never arrives."""
    chance = Random(seed)
    return lambda data: [] if chance.random() < share else [(0.001, data)]


def biting(share: float, seed: int) -> Wire:
    """So many of the bytes have a bit flipped."""
    chance = Random(seed)
    return lambda data: [
        (0.001, bytes(byte ^ (1 << chance.randrange(8)) if chance.random() < share else byte for byte in data))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("wire", [one_by_one, slow, doubling])
def test_a_line_that_only_takes_its_time_or_repeats_itself_changes_nothing(make_world: Make, wire: Wire) -> None:
    world = make_world(wires=(wire, wire))
    for cards in (3, 0, 1, 5):
        world.ready()
        ended = world.shoot(cards, suspense=0.1)
        assert (ended.cards, ended.certainty, ended.end) == (cards, Certainty.EXACT, ShotEnd.DONE)
    assert world.twin.out == 9
    assert len(world.pulses("enable")) == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spoil", [losing, biting])
def test_a_line_that_loses_a_fifth_fires_nothing_twice(
    make_world: Make, spoil: Callable[[float, int], Wire], seed: int
) -> None:
    share = 0.2 if spoil is losing else 0.01
    calm = [True]

    def at_first_calm(wire: Wire) -> Wire:
        return lambda data: [(0.001, data)] if calm[0] else wire(data)

    wires = (at_first_calm(spoil(share, seed)), at_first_calm(spoil(share, seed + 100)))
    world = make_world(wires=wires)
    world.ready()
    calm[0] = False
    orders = 0
    for _ in range(12):
        world.until(lambda: world.launcher.denial() is None or world.launcher.status().fault is not None, limit=30)
        if world.launcher.status().fault is not None:
            world.until(lambda: world.launcher.clear_fault() is None, limit=60)
            continue
        shot, before = world.begin(2, suspense=0.0), len(world.pulses("enable"))
        orders += 1
        ended = world.end_of(shot)
        world.run(1.0)
        assert world.ends(shot) == [ended]
        assert len(world.pulses("enable")) <= before + 1
        if ended.end is ShotEnd.DONE and ended.certainty is Certainty.EXACT:
            assert ended.cards == 2
        assert world.level("enable") is False
    assert orders > 3
    assert world.twin.out <= 2 * orders


class End:
    """A far end by hand: what was sent to it, and what it says."""

    def __init__(self) -> None:
        self.decoder = Decoder()
        self.frames: list[Frame] = []
        self.events: list[Event] = []
        self.link = Link(self.take, self.events.append)

    def take(self, data: bytes) -> None:
        self.frames += self.decoder.feed(data)

    def greet(self) -> None:
        hello = Hello(HERE, 1, 0, Board.HOST, 31, Reset.POWER, limits_crc(), 0, 1000)
        self.link.hello(0.0, lambda answer: None)
        (frame,) = self.frames
        self.link.hear(0.0, encode(Frame(frame.kind | ANSWER, frame.sequence, b"\0" + hello.pack())))
        self.frames.clear()

    def answer(self, now: float, frame: Frame, result: Result = Result.OK) -> None:
        status = Status(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000)
        payload = bytes((result,)) + status.pack()
        self.link.hear(now, encode(Frame(frame.kind | ANSWER, frame.sequence, payload)))


def test_one_question_at_a_time_in_their_order() -> None:
    end, answers = End(), []

    def done(answer: Answer) -> None:
        answers.append(answer.result)

    for kind in (Kind.STATUS, Kind.PING, Kind.ARM):
        end.link.ask(0.0, kind, b"\1" if kind is Kind.ARM else b"", done)
    assert [frame.kind for frame in end.frames] == [Kind.STATUS]
    end.answer(0.01, end.frames[0])
    end.answer(0.01, end.frames[0])  # its double: nobody waits for it any more
    assert [frame.kind for frame in end.frames] == [Kind.STATUS, Kind.PING]
    end.answer(0.02, end.frames[1], Result.FAULT)
    assert [frame.kind for frame in end.frames] == [Kind.STATUS, Kind.PING, Kind.ARM]
    assert answers == [Result.OK, Result.FAULT]
    assert len({frame.sequence for frame in end.frames}) == 3


def test_a_question_is_asked_again_and_then_the_link_has_failed() -> None:
    end = End()
    end.greet()
    end.link.ask(0.0, Kind.PING)
    now = 0.0
    while not end.link.failure:
        deadline = end.link.deadline
        assert deadline is not None
        now = deadline
        end.link.tick(now - 0.001)
        end.link.tick(now)
    assert len(end.frames) == TRIES
    assert len(set(end.frames)) == 1
    assert now == pytest.approx(0.4)
    assert "no answer to PING, asked 5 times" in end.link.failure
    end.link.ask(now, Kind.PING)
    end.link.shout(Kind.STOP)
    assert len(end.frames) == TRIES  # nothing is said on it any more


def test_hello_is_patient_for_a_board_that_starts() -> None:
    end = End()
    end.link.hello(0.0, lambda answer: None)
    now = 0.0
    while not end.link.failure:
        now = end.link.deadline or now
        end.link.tick(now)
    assert len(end.frames) == HELLO_TRIES
    assert now == pytest.approx(5.0)


def test_stop_goes_past_whatever_waits() -> None:
    end = End()
    end.greet()
    end.link.ask(0.0, Kind.STATUS)
    end.link.ask(0.0, Kind.PING)
    end.link.shout(Kind.STOP)
    assert [frame.kind for frame in end.frames] == [Kind.STATUS, Kind.STOP]


def test_nothing_but_hello_is_said_to_whoever_has_not_answered_it() -> None:
    end = End()
    end.link.shout(Kind.STOP)
    end.link.hello(0.0, lambda answer: None)
    end.link.shout(Kind.STOP)
    end.link.hear(0.0, encode(Frame(Kind.HELLO | ANSWER, 1, bytes(18))))  # an answer, and not one of ours
    end.link.shout(Kind.STOP)
    assert [frame.kind for frame in end.frames] == [Kind.HELLO]


def test_an_event_is_taken_once_and_acknowledged_each_time() -> None:
    end = End()
    event = Level(Told.LEVEL, 5, 1, 0)
    wire = encode(Frame(Kind.EVENT, 7, event.pack()))
    end.link.hear(0.0, wire + wire)
    assert end.events == [event]
    assert end.frames == [Frame(Kind.EVENT | ANSWER, 7)] * 2
    end.link.hear(0.0, encode(Frame(Kind.EVENT, 8, bytes((99, 0, 0, 0, 0)))))  # of a kind to come
    assert end.events == [event]
    assert end.frames[-1] == Frame(Kind.EVENT | ANSWER, 8)
    assert not end.link.failure


def test_sequences_go_round_without_the_one_of_a_start() -> None:
    end = End()
    for _ in range(600):
        end.link.ask(0.0, Kind.PING)
        end.answer(0.0, end.frames[-1])
    assert {frame.sequence for frame in end.frames} == set(range(1, 256))


def test_a_port_that_takes_nothing_fails_the_link() -> None:
    def refuse(data: bytes) -> None:
        raise OSError("gone")

    link = Link(refuse, lambda event: None)
    link.ask(0.0, Kind.PING)
    assert link.failure == "gone"
