"""The largest shots of the odds, at the launcher: its limits hold, and it never ends up denying every press."""

from __future__ import annotations

import random

import pytest

from controller.odds import Odds, profile
from hardware.ports import Certainty, ShotEnd
from hardware.settings import DUTY_WINDOW_MS, MAX_ON_LIMIT_MS, LauncherSettings
from tests.hardware.world import World, virtual


def motor_time(world: World) -> list[tuple[float, float]]:
    return world.pulses("enable")


def longest_in_a_minute(pulses: list[tuple[float, float]]) -> float:
    """Seconds the motor was on in the worst minute; one that ends with a pulse is the worst near it."""
    window = DUTY_WINDOW_MS / 1000
    return max(sum(max(0.0, min(off, end) - max(on, end - window)) for on, off in pulses) for _, end in pulses)


@pytest.mark.parametrize(("name", "presses"), [("fixed-20", 12), ("extreme", 30)])
def test_pressed_again_and_again_as_soon_as_it_may_be(name: str, presses: int) -> None:
    odds = Odds(profile(name), random.Random(21))
    settings = LauncherSettings(most_cards=odds.profile.max_cards)
    world = virtual(settings=settings, hopper=5000)
    brought = []
    for _ in range(presses):
        cards = odds.press()
        ended = world.shoot(cards)
        brought.append(cards)
        assert ended.end is ShotEnd.DONE
        assert ended.certainty is not Certainty.UNKNOWN
        assert ended.cards >= cards, "no shot is cut short by the minute's budget"
        world.until(lambda: world.launcher.denial() is None, limit=61)
    assert 20 in brought
    pulses = motor_time(world)
    assert all(off - on <= MAX_ON_LIMIT_MS / 1000 + 1e-6 for on, off in pulses)
    assert longest_in_a_minute(pulses) <= settings.duty_ms / 1000 + 1e-6
    world.close()
