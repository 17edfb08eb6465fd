"""What the launcher depends on besides its own loop: edges that arrive, whoever follows it, signs of life."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest

from hardware.launcher import MotorLauncher
from hardware.pins import PinMap
from hardware.ports import Certainty, Fault, LauncherState, ShotEnd
from hardware.sensors import EDGES_DEAD
from hardware.watchdog import Follower
from tests.hardware.world import World

Make = Callable[..., World]
GONE = Fault("gone", "it has gone", "get it back")


def deaf(world: World, alive: bool = False) -> None:
    """The thread that brings the edges dies (or is back)."""
    world.backend.factory.edges_alive = alive


# --- edges ------------------------------------------------------------------------------------------------------------


def test_edges_that_die_in_mid_shot_stop_the_motor_at_the_next_look(world: World) -> None:
    shot = world.begin(5, suspense=0.0)
    world.until(lambda: world.progress(shot) == [1])
    deaf(world)
    died = world.clock.now()
    ended = world.end_of(shot)
    assert (ended.end, ended.certainty) == (ShotEnd.STOPPED, Certainty.UNKNOWN)
    assert world.launcher.status().fault == EDGES_DEAD
    assert world.pulses("enable")[0][1] <= died + MotorLauncher.HEARTBEAT
    assert not world.level("enable")


@pytest.mark.parametrize("cards", [0, 3])
def test_edges_that_die_during_the_suspense_make_the_shot_void_at_its_reveal(world: World, cards: int) -> None:
    shot = world.begin(cards)
    world.run(0.3)
    deaf(world)
    world.run(0.3)
    assert world.ends(shot) == []
    assert world.end_of(shot).end is ShotEnd.VOID
    assert world.trace["enable"] == []
    assert world.launcher.status().fault == EDGES_DEAD


def test_a_press_is_denied_once_the_edges_are_dead(world: World) -> None:
    deaf(world)
    assert world.launcher.status().state is LauncherState.READY  # nobody has looked
    denial = world.launcher.denial()
    assert denial is not None
    assert (denial.reason, denial.text) == ("fault", EDGES_DEAD.cause)
    world.run(0)
    assert world.states() == [LauncherState.FAULT]


def test_the_fault_stays_until_the_edges_are_back_and_somebody_clears_it(world: World) -> None:
    deaf(world)
    world.launcher.denial()
    assert world.launcher.clear_fault() == EDGES_DEAD
    deaf(world, alive=True)
    assert world.launcher.denial() is not None
    assert world.launcher.clear_fault() is None
    assert world.shoot(2).cards == 2


def test_no_other_fault_is_cleared_while_the_edges_are_dead(world: World) -> None:
    world.launcher.halt("a test")
    deaf(world)
    assert world.launcher.clear_fault() == EDGES_DEAD


# --- signs of life ----------------------------------------------------------------------------------------------------


def ask(world: World) -> list[str]:
    """Who gives a sign of life when asked."""
    alive: list[str] = []
    for name, tick in world.backend.ticks().items():
        tick(partial(alive.append, name))
    world.run(0)
    return sorted(alive)


def test_every_thread_gives_a_sign_of_life_and_none_that_is_dead(world: World) -> None:
    assert ask(world) == ["edge thread", "launcher thread"]
    world.clock.freeze("launcher")  # type: ignore[attr-defined]
    assert ask(world) == ["edge thread"]
    world.clock.freeze("launcher", frozen=False)  # type: ignore[attr-defined]
    deaf(world)
    world.until(lambda: world.launcher.status().fault is None, limit=0.1)
    assert ask(world) == ["launcher thread"]
    assert world.launcher.status().fault == EDGES_DEAD  # asking lets it look


def test_a_frozen_launcher_answers_when_it_comes_back(world: World) -> None:
    alive: list[str] = []
    world.clock.freeze("launcher")  # type: ignore[attr-defined]
    world.backend.ticks()["launcher thread"](partial(alive.append, "late"))
    world.run(10)
    assert alive == []
    world.clock.freeze("launcher", frozen=False)  # type: ignore[attr-defined]
    world.run(0)
    assert alive == ["late"]


# --- the alive output -------------------------------------------------------------------------------------------------


@pytest.fixture
def wired(make_world: Make) -> World:
    """A world with an alive output, on record."""
    made = make_world(pins=dataclasses.replace(PinMap(), alive=25))
    made.watch("alive")
    return made


def test_the_wave_begins_before_enable_rises_and_never_rests_while_the_motor_is_on(wired: World) -> None:
    wired.shoot(9)
    wired.run(5)
    wave, enable = wired.trace["alive"], wired.trace["enable"]
    assert [high for _, high in wave] == [True, False] * (len(wave) // 2)
    (on, _), (off, _) = enable
    assert wave[0][0] == on
    edges = [at for at, _ in wave if at <= off]
    assert max(later - earlier for earlier, later in pairwise([*edges, off])) <= 0.0501
    assert not wired.level("alive")
    assert max(at for at, _ in wave) <= off


def test_the_wave_is_up_at_the_moment_enable_rises(wired: World) -> None:
    seen: list[bool] = []
    change = wired.pin("enable")._change_state

    def changed(value: float) -> bool:
        if value:
            seen.append(wired.level("alive"))
        return bool(change(value))

    wired.pin("enable")._change_state = changed
    wired.shoot(2)
    assert seen == [True]


def test_the_wave_stands_still_when_the_launchers_thread_hangs(wired: World) -> None:
    shot = wired.begin(9, suspense=0.0)
    wired.until(lambda: bool(wired.progress(shot)))
    wired.clock.freeze("launcher")  # type: ignore[attr-defined]
    hung = wired.clock.now()
    wired.run(3)
    assert max(at for at, _ in wired.trace["alive"]) <= hung


def test_a_dry_shot_and_an_idle_machine_show_no_wave(wired: World) -> None:
    wired.shoot(0)
    wired.run(60)
    assert wired.trace["alive"] == []


# --- followers --------------------------------------------------------------------------------------------------------


class Watcher:
    """A follower that goes away on demand, with all it was told."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.told: list[tuple[float, bool, bool]] = []  # when, motor on, enable high at that moment
        self.gone_after = 1_000_000
        self.fails = False

    def __call__(self, on: bool) -> Fault | None:
        self.told.append((self.world.clock.now(), on, self.world.level("enable")))
        if self.fails:
            raise OSError("no such device")
        return GONE if on and len(self.told) > self.gone_after else None


@pytest.fixture
def watcher(world: World) -> Watcher:
    made = Watcher(world)
    followers: list[Follower] = [made]
    world.backend._launcher._watchdog._followers = followers  # type: ignore[union-attr]
    return made


def test_a_follower_hears_of_the_motor_before_it_is_on_and_after_it_is_off(world: World, watcher: Watcher) -> None:
    world.shoot(3)
    on, off = world.pulses("enable")[0]
    first, *between, last = watcher.told
    assert first == (on, True, False)
    assert all(told and high for _, told, high in between)
    assert last == (off, False, False)
    times = [at for at, *_ in watcher.told]
    assert max(later - earlier for earlier, later in pairwise(times)) <= MotorLauncher.HEARTBEAT
    heard = len(watcher.told)
    world.run(60)
    assert len(watcher.told) == heard  # nothing while idle


def test_without_a_follower_the_motor_does_not_start(world: World, watcher: Watcher) -> None:
    watcher.gone_after = 0
    ended = world.shoot(3)
    assert ended.end is ShotEnd.STOPPED
    assert world.trace["enable"] == []
    assert world.launcher.status().fault == GONE


def test_a_follower_that_goes_in_mid_shot_stops_the_motor_at_once(world: World, watcher: Watcher) -> None:
    watcher.gone_after = 2
    ended = world.shoot(5)
    assert (ended.end, ended.cause) == (ShotEnd.STOPPED, GONE.cause)
    assert world.launcher.status().fault == GONE
    assert world.pulses("enable")[0][1] <= watcher.told[2][0]


def test_a_follower_that_fails_stops_the_motor_too(
    world: World, watcher: Watcher, caplog: pytest.LogCaptureFixture
) -> None:
    watcher.fails = True
    world.shoot(3)
    fault = world.launcher.status().fault
    assert fault is not None
    assert (fault.code, fault.cause) == ("watcher-failed", "what watches the motor failed: no such device")
    assert world.trace["enable"] == []
    assert "a follower failed" in caplog.text
