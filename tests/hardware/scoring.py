"""How well the counter counts: the simulated machine's truth against it, over thousands of shots in virtual time.

The machine, the shot machine and the counter are the real ones; only pins, threads and the clock are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import Final

from hardware.counter import BeamCounter, CardTime
from hardware.ports import Certainty, ShotEnd
from hardware.settings import LauncherSettings
from hardware.shot_machine import Drive, Inputs, Phase, pressed, step
from hardware.twin_physics import Machine, Physics

CLOSE: Final = 0.85  # pairs that cover more of each other are counted apart: one beam cannot know
SCORED: Final = Physics(interval_ms=(81.0, 99.0), card_jitter=0.05, double_share=0.05, overlap=(0.1, 1.0))
"""A card every 90 ms, 10 % more or less, each 43 ms at the beam, 5 % more or less; one in twenty brings another."""
HOPPER: Final = 112
APART: Final = 2.0  # seconds from one shot to the next


@dataclass(slots=True)
class Tally:
    """Shots of one kind: how many, and what was said of them."""

    shots: int = 0
    exact: int = 0  # right, and called exact
    wrong: int = 0  # wrong, and called exact
    false_least: int = 0  # called "at least" more than there were

    def add(self, truth: int, cards: int, certainty: Certainty) -> None:
        """One more shot."""
        self.shots += 1
        if certainty is Certainty.EXACT:
            self.exact += cards == truth
            self.wrong += cards != truth
        elif certainty is Certainty.AT_LEAST:
            self.false_least += cards > truth

    @property
    def exact_share(self) -> float:
        """Of all shots."""
        return self.exact / self.shots if self.shots else 1.0

    @property
    def wrong_share(self) -> float:
        """Of all shots."""
        return self.wrong / self.shots if self.shots else 0.0


@dataclass(slots=True)
class Score:
    """`apart` are the shots with a pair closer than `CLOSE`, `plain` all others."""

    plain: Tally = field(default_factory=Tally)
    apart: Tally = field(default_factory=Tally)
    jams: int = 0  # shots that ended as a jam though nothing was stuck


class Stand:
    """A machine with a counter at its exit, on a clock of its own that stands still between two events."""

    def __init__(
        self, physics: Physics, beams: int, seed: int, settings: LauncherSettings | None = None, now: float = 1000.0
    ) -> None:
        self.settings = settings or LauncherSettings()
        self.machine = Machine(physics, Random(seed), HOPPER, now)
        self.card = CardTime(self.settings.card_ms)
        self._gap = self.settings.beam_gap_mm / self.settings.card_mm if beams == 2 else None
        self._now = now
        self._blocked = [False, False]
        self._counter = BeamCounter(self.card, now, self._gap)

    def shoot(self, wanted: int) -> tuple[int, int, Certainty, ShotEnd]:
        """One shot: the cards that came out, those counted, how surely, and how it ended."""
        machine, settings = self.machine, self.settings
        machine.hopper, before = HOPPER, machine.out
        counter = self._counter = BeamCounter(self.card, self._now, self._gap)
        shot = pressed(wanted, self._now, self._now, HOPPER)
        reverse = False
        while not shot.over:
            after = step(settings, shot, self._now, Inputs(counter.cards, counter.blocked_since, counter.last_change))
            if after is not shot:
                if after.drive is not shot.drive:
                    machine.drive(*after.drive.value)
                    reverse = after.drive is Drive.REVERSE
                if after.phase is Phase.CLEARING or after.end is ShotEnd.JAMMED:
                    counter.stuck()
                shot = after
                continue
            self._pass_time(shot.deadline, reverse)
        if counter.blocked_since is not None:
            counter.doubt(Certainty.AT_LEAST)
        truth, ended = machine.out - before, self._now
        while self._now < ended + APART:
            self._pass_time(ended + APART, reverse=False)
        return truth, counter.cards, counter.certainty, shot.end

    def _pass_time(self, until: float | None, reverse: bool) -> None:
        due = self.machine.next_event()
        times = [at for at in (due, until) if at is not None]
        self._now = min(times)
        self.machine.run(self._now)
        counter = self._counter
        tell = (
            (counter.block, lambda at: counter.clear(at, reverse)),
            (counter.block2, counter.clear2),
        )
        for beam, blocked in enumerate((self.machine.blocked, self.machine.blocked2)):
            if blocked is not self._blocked[beam]:
                self._blocked[beam] = blocked
                tell[beam][0 if blocked else 1](self._now)


def score(
    shots: int,
    physics: Physics = SCORED,
    beams: int = 1,
    seed: int = 1,
    settings: LauncherSettings | None = None,
    cells: Callable[[int], float] = lambda _: 1.0,
) -> Score:
    """The score of so many shots of one to nine cards, as many as the measured odds bring.

    `cells`: how strong the cells are at each shot, as a share of full strength.
    """
    stand, chance, found = Stand(physics, beams, seed, settings), Random(seed + 1), Score()
    for shot in range(shots):
        stand.machine.cells = cells(shot)
        stand.machine.closest = 0.0
        wanted = chance.randint(1, 3) + chance.randint(0, 3) + chance.randint(0, 3)
        truth, cards, certainty, end = stand.shoot(wanted)
        tally = found.apart if stand.machine.closest > CLOSE else found.plain
        tally.add(truth, cards, certainty)
        found.jams += end is ShotEnd.JAMMED
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """One machine of the grid: a card's time at the beam, the gap behind it, flicker, and an error of calibration."""

    card_ms: float
    gap_ms: float
    flicker_ms: float  # at one card in five; 0 = none
    error: float  # the calibrated time of a card is so much longer than the true one

    @property
    def physics(self) -> Physics:
        """The machine."""
        interval = self.card_ms + self.gap_ms
        return replace(
            SCORED,
            card_ms=self.card_ms,
            interval_ms=(0.9 * interval, 1.1 * interval),
            flicker_share=0.2 if self.flicker_ms else 0.0,
            flicker_ms=self.flicker_ms,
        )

    @property
    def settings(self) -> LauncherSettings:
        """What we think of the machine."""
        return LauncherSettings(card_ms=round(self.card_ms * (1 + self.error)))

    def __str__(self) -> str:
        flicker = f"flicker of {self.flicker_ms:g} ms" if self.flicker_ms else "no flicker"
        return (
            f"card {self.card_ms:g} ms, gap {self.gap_ms:g} ms, {flicker}, calibrated {self.settings.card_ms} ms "
            f"({self.error:+.0%})"
        )


CARD_MS: Final = (20.0, 43.0, 80.0)
GAP_MS: Final = (15.0, 30.0, 60.0)
FLICKERS_MS: Final = (0.0, 2.0, 5.0)
ERRORS: Final = (-0.1, 0.0, 0.1)


def grid() -> Iterator[Cell]:
    """Every machine of the grid."""
    return (Cell(*each) for each in product(CARD_MS, GAP_MS, FLICKERS_MS, ERRORS))
