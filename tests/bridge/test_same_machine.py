"""The firmware's shot machine and counter beside the ones of `hardware`, step by step: they must not be told apart."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.headers import FIRMWARE, HEADERS
from firmware_bridge.messages import CERTAINTIES, ENDS, NO_HOPPER, Cause, Output, Phase, Trouble, cause_text
from hardware import shot_machine
from hardware.counter import BeamCounter, CardTime
from hardware.ports import Certainty, ShotEnd
from hardware.settings import BOUNDS, LauncherSettings, SettingsError
from hardware.shot_machine import Drive, Inputs, Shot
from tests.bridge.core import NEVER, CCardTime, CCounter, CSeen, CSettings, CShot, c_settings

pytestmark = pytest.mark.slow

NEAR = 3e-6  # seconds: a number of the one is a whole number of microseconds, of the other one it is not
FIGURES = ("rest_ms", "first_card_ms", "jam_ms", "card_ms", "arming_ms", "brake_ms", "retract_ms", "kick_after_ms")
MORE = ("kick_ms", "settle_ms", "spin_up_ms", "pace_ms", "stop_lag_ms", "light_cards", "light_ms", "max_on_ms")
CAUSES = {cause: cause_text(cause) for cause in range(256)}
SEEDS = st.integers(0, 2**32 - 1)


def some_settings(chance: Random) -> LauncherSettings:
    """Figures that are allowed, most of them near their defaults."""
    while True:
        figures = {}
        for name in (*FIGURES, *MORE, "max_on_base_ms", "max_on_card_ms"):
            low, high = BOUNDS[name]
            if chance.random() < 0.5:
                figures[name] = chance.randint(low, min(high, max(low + 1, 4 * getattr(LauncherSettings(), name))))
        try:
            return LauncherSettings(most_cards=1, **figures)
        except SettingsError:
            continue


class Both:
    """One shot in both machines. Times are whole microseconds, but for a step at the deadline that each sets itself."""

    def __init__(self, core: Any, figures: LauncherSettings, cards: int, hopper: int | None, timed: bool) -> None:
        self.core, self.figures, self.c_figures = core, figures, c_settings(figures)
        self.now = 1_000_001
        self.mine: Shot = shot_machine.pressed(cards, self.now / 1e6, self.now / 1e6, hopper, timed)
        self.theirs = CShot()
        core.shot_press(self.theirs, cards, self.now, self.now, -1 if hopper is None else hopper, timed)
        self.cards = 0
        self.blocked_since: int | None = None
        self.last_change = self.now
        self.refusal, self.left = Cause.NONE, NEVER
        self.compare()

    def step(self, at_deadline: bool) -> bool:
        """One step of each; False when nothing was due."""
        mine_at, theirs_at = self.now / 1e6, self.now
        if at_deadline and self.mine.deadline is not None and self.mine.deadline >= mine_at:
            mine_at, theirs_at = self.mine.deadline, self.theirs.deadline
            self.now = theirs_at
        blocked = self.blocked_since
        seen = Inputs(
            self.cards,
            None if blocked is None else blocked / 1e6,
            self.last_change / 1e6,
            cause_text(self.refusal),
            float("inf") if self.left == NEVER else self.left / 1e6,
        )
        theirs_seen = CSeen(blocked or 0, self.last_change, self.left, self.cards, blocked is not None, self.refusal)
        before = self.mine
        self.mine = shot_machine.step(self.figures, before, mine_at, seen)
        moved = self.core.shot_step(self.c_figures, self.theirs, theirs_at, theirs_seen)
        self.compare()
        assert moved == (self.mine.phase is not before.phase)
        return bool(moved)

    def stop(self, kind: str) -> None:
        """Stop both, or cut them short."""
        theirs = {"stop": self.core.shot_stop, "cut_short": self.core.shot_cut_short}[kind]
        cause = Cause.FAULT + Trouble.LID_OPEN
        before = self.mine
        self.mine = getattr(shot_machine, kind)(self.figures, before, self.now / 1e6, cause_text(cause))
        moved = theirs(self.c_figures, self.theirs, self.now, cause)
        assert moved == (self.mine is not before)
        self.compare()

    def compare(self) -> None:
        """Everything people, pins and timers see of the two."""
        mine, theirs = self.mine, self.theirs
        drive = next(drive for drive in Drive if drive_bits(drive) == theirs.drive)
        assert (
            mine.phase, mine.drive, mine.end, mine.cause, mine.retried, mine.kicked, mine.guess, mine.wanted,
        ) == (
            Phase(theirs.phase).name.lower(), drive, ENDS[theirs.end], CAUSES[theirs.cause], theirs.retried,
            theirs.kicked, theirs.guess, theirs.wanted,
        )  # fmt: skip
        assert mine.since == pytest.approx(theirs.since / 1e6, abs=NEAR)
        if mine.deadline is None:
            assert theirs.deadline == NEVER
        else:
            assert mine.deadline == pytest.approx(theirs.deadline / 1e6, abs=NEAR)


def drive_bits(drive: Drive) -> int:
    """As the firmware writes it."""
    enable, in1, in2 = drive.value
    return Output.ENABLE * enable | Output.IN1 * in1 | Output.IN2 * in2


def play(core: Any, seed: int) -> set[str]:
    """One shot in which anything may happen at any time; the phases it went through."""
    chance = Random(seed)
    hopper = None if chance.random() < 0.4 else chance.randint(0, 20)
    both = Both(core, some_settings(chance), chance.choice([0, 1, 2, 3, 5, 14, 108]), hopper, chance.random() < 0.2)
    if chance.random() < 0.1:
        both.refusal = Cause.REFUSED
    if chance.random() < 0.2:
        both.left = chance.randint(100_000, 3_000_000)
    phases = {str(both.mine.phase)}
    for _ in range(60):
        if both.mine.over:
            break
        move = chance.random()
        if move < 0.5:
            both.step(at_deadline=True)
        else:
            both.now += chance.choice([1, 7, 997, 12_347, 43_013, 90_007, 350_003])
            if move < 0.75:
                both.blocked_since = both.now if both.blocked_since is None else None
                both.cards += both.blocked_since is None and chance.random() < 0.8
                both.last_change = both.now
            elif move < 0.77:
                both.stop("stop")
            elif move < 0.78:
                both.stop("cut_short")
            both.step(at_deadline=False)
        while both.step(at_deadline=False):
            phases.add(str(both.mine.phase))
        phases.add(str(both.mine.phase))
    return phases


@settings(max_examples=1500, derandomize=True)
@given(seed=SEEDS)
def test_the_shot_machines_are_the_same(core: Any, seed: int) -> None:
    play(core, seed)


def test_what_happens_there_goes_through_every_phase(core: Any) -> None:
    seen = set().union(*(play(core, seed) for seed in range(400)))
    assert seen == {str(phase) for phase in shot_machine.Phase} - {"ready"}


def test_every_number_stands_for_the_same(core: Any) -> None:
    del core
    assert [phase.name.lower() for phase in Phase] == [str(phase) for phase in shot_machine.Phase]
    assert tuple(ShotEnd) == ENDS
    assert tuple(Certainty) == CERTAINTIES
    assert NO_HOPPER > 0x7FFF


class BothCounters:
    """One beam counter of each, over shots that share what was learned of a card's time."""

    def __init__(self, core: Any, card_ms: int, gap: tuple[int, int] | None) -> None:
        self.core = core
        self.share = None if gap is None else gap[0] / gap[1]
        self.my_card, self.their_card = CardTime(card_ms), CCardTime()
        core.card_time_start(self.their_card, card_ms)
        self.now = 1_000_001
        self.begin()

    def begin(self) -> None:
        """A new shot."""
        self.mine = BeamCounter(self.my_card, self.now / 1e6, self.share)
        self.theirs = CCounter()
        self.core.counter_start(self.theirs, self.their_card, self.now, self.share or 0.0)

    def do(self, what: str, *more: bool) -> None:
        """The same to both."""
        timed = what != "stuck"
        getattr(self.mine, what)(*((self.now / 1e6, *more) if timed else ()))
        getattr(self.core, f"counter_{what}")(self.theirs, *((self.now, *more) if timed else ()))
        # A block of more than a hundred cards is no cards, and a byte holds no more.
        assert min(100, self.mine.cards) == min(100, self.theirs.cards)
        assert self.mine.certainty is CERTAINTIES[self.theirs.sure]
        assert (self.mine.blocked_since is not None) == self.theirs.blocked
        if self.mine.blocked_since is not None:
            assert self.mine.blocked_since == pytest.approx(self.theirs.blocked_since / 1e6, abs=NEAR)
        assert self.mine.last_change == pytest.approx(self.theirs.last_change / 1e6, abs=NEAR)
        card, their = self.my_card, self.their_card
        assert card.known == their.known
        learned = (card.seconds * 1e6, card.least, card.most, card.spread)
        assert learned == pytest.approx((their.time, their.least, their.most, their.spread), rel=1e-5)


def odd(chance: Random, low: float, high: float) -> int:
    """So many microseconds; odd, so that it never is just one of the limits, where two kinds of numbers may differ."""
    return int(chance.uniform(low, high)) | 1


def count(core: Any, seed: int, two_beams: bool) -> None:
    """Shots with cards, pairs, pieces, sparks, stuck ones and hands."""
    chance = Random(seed)
    card_ms = chance.choice([43, 43, 30, 77, 150])
    time = card_ms * 1000 * chance.uniform(0.85, 1.3)
    counters = BothCounters(core, card_ms, (25, 87) if two_beams else None)
    lag = time * 25 / 87
    for _ in range(chance.randint(1, 12)):
        counters.begin()
        for _ in range(chance.randint(1, 14)):
            counters.now += odd(chance, *chance.choice([(0.2 * time, 3 * time), (0.5 * time, time), (500, 5000)]))
            kind = chance.random()
            long = time * chance.uniform(0.95, 1.05)
            if kind < 0.12:
                long *= chance.uniform(1.1, 2.2)
            elif kind < 0.2:
                long *= chance.uniform(0.02, 0.9)
            one_pass(counters, chance, odd(chance, long, long + 2), odd(chance, 0.97 * lag, 1.03 * lag), two_beams)
            if chance.random() < 0.03:
                counters.do("block")
                counters.do("stuck")
                counters.now += odd(chance, time, 9 * time)
                counters.do("clear", chance.random() < 0.5)


def one_pass(counters: BothCounters, chance: Random, long: int, lag: int, two_beams: bool) -> None:
    """Something passes: its edges at both beams in the order of their times, perhaps with a flicker in between."""
    start = counters.now
    backwards = chance.random() < 0.05
    edges: list[tuple[int, Callable[[], None]]] = []
    for begin, block, clear in ((0, "block", "clear"), (lag, "block2", "clear2")):
        if begin and (not two_beams or chance.random() < 0.1):
            continue
        more = (backwards,) if clear == "clear" else ()
        edges.append((start + begin, partial(counters.do, block)))
        if chance.random() < 0.15:
            at = start + begin + odd(chance, 0, long)
            edges.append((at, partial(counters.do, clear, *more)))
            edges.append((at + odd(chance, 300, 6000), partial(counters.do, block)))
        edges.append((start + begin + long, partial(counters.do, clear, *more)))
    for at, happen in sorted(edges, key=lambda edge: edge[0]):
        counters.now = max(counters.now, at)
        happen()


@settings(max_examples=400, derandomize=True)
@given(seed=SEEDS)
@pytest.mark.parametrize("two_beams", [False, True])
def test_the_counters_are_the_same(core: Any, seed: int, two_beams: bool) -> None:
    count(core, seed, two_beams)


@pytest.mark.parametrize("name", HEADERS)
def test_the_headers_are_made_from_what_the_host_goes_by(name: str) -> None:
    made = (FIRMWARE / name).read_text()
    assert made == HEADERS[name](), "type: python -m firmware_bridge.headers"


def test_the_structures_are_as_large_as_in_c(core: Any) -> None:
    for kind in (CSettings, CShot, CSeen, CCardTime, CCounter):
        assert core.host_size(kind.__name__[1:].encode()) == ctypes.sizeof(kind), kind
