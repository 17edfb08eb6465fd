"""The simulated toy at the other end of the watched pins."""

from __future__ import annotations

import threading

from hardware.backends import open_backend
from hardware.clock import RealClock, VirtualClock
from hardware.pins import PinMap
from hardware.ports import Certainty, HardwareEvent, ShotSeen
from hardware.sensors import BEAM_BLOCKED
from hardware.settings import LauncherSettings
from hardware.watch_twin import WatchTwinBackend

SETTINGS = LauncherSettings()


def toy_shots(seed: int, presses: int) -> list[int]:
    clock = VirtualClock()
    backend = WatchTwinBackend(clock, SETTINGS, PinMap(), seed=seed)
    events: list[HardwareEvent] = []
    backend.start(events.append)
    for _ in range(presses):
        backend.button.press()
        clock.advance(8.0)
    backend.close()
    return [each.cards for each in events if isinstance(each, ShotSeen)]


def test_every_press_of_the_toy_is_one_shot_and_some_are_dry() -> None:
    shots = toy_shots(seed=3, presses=60)
    assert len(shots) == 60
    assert {0} < set(shots) <= set(range(10))
    assert 10 < sum(cards > 0 for cards in shots) < 40
    assert shots == toy_shots(seed=3, presses=60)
    assert shots != toy_shots(seed=4, presses=60)


def test_the_toy_takes_no_notice_of_a_finger_while_it_is_busy() -> None:
    clock = VirtualClock()
    backend = WatchTwinBackend(clock, SETTINGS, PinMap(), seed=3)
    events: list[HardwareEvent] = []
    backend.start(events.append)
    for _ in range(3):
        backend.button.press()
        clock.advance(0.2)
    clock.advance(10)
    assert len([each for each in events if isinstance(each, ShotSeen)]) == 1
    backend.close()


def test_the_toy_can_be_made_to_shoot_and_a_hand_to_stay() -> None:
    clock = VirtualClock()
    backend = WatchTwinBackend(clock, SETTINGS, PinMap(), seed=3)
    events: list[HardwareEvent] = []
    backend.start(events.append)
    backend.toy.shoot(7)
    clock.advance(5)
    backend.toy.hand(4)
    clock.advance(2)
    assert [each for each in events if isinstance(each, ShotSeen)] == [ShotSeen(7, Certainty.EXACT)]
    assert backend.launcher.status().fault == BEAM_BLOCKED
    clock.advance(5)
    assert backend.launcher.status().fault is None
    backend.close()


def test_in_real_time_through_its_own_threads() -> None:
    backend = open_backend("watch-twin", LauncherSettings(burst_pause_ms=200), clock=RealClock(), seed=3)
    assert isinstance(backend, WatchTwinBackend)
    heard = threading.Event()
    shots: list[ShotSeen] = []

    def hear(event: HardwareEvent) -> None:
        if isinstance(event, ShotSeen):
            shots.append(event)
            heard.set()

    backend.start(hear)
    backend.toy.shoot(4)
    assert heard.wait(30)
    backend.close()
    assert [shot.cards for shot in shots] == [4]
