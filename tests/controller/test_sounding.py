"""What of a table is to be heard on this machine, as configured: with a program in the place of a player."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from controller.commands.configuring import cache_directory
from controller.commands.sounding import Sounding
from controller.config import SoundSection
from hardware.ports import Cue, LampState
from tests.patience import DEADLINE


class Lamp:
    """The backend's own signals."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        self.told.append((state, step, fault))

    def cue(self, cue: Cue, step: int = 0) -> None:
        self.told.append(cue)


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the only player of this machine writes down what it was asked to play."""
    heard, player = tmp_path / "heard", tmp_path / "bin" / "aplay"
    player.parent.mkdir()
    player.write_text(f'#!/bin/sh\necho "$2" > {heard}.new; mv {heard}.new {heard}\n')
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{player.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CACHE_DIRECTORY", raising=False)
    return heard


def test_the_loudspeaker_is_heard_beside_the_backends_own_signals(tmp_path: Path, heard: Path) -> None:
    sounding, lamp = Sounding(SoundSection(player="aplay", volume=40)), Lamp()
    signals = sounding.join(lamp)
    try:
        signals.lamp(LampState.PRESSED, 2)
        signals.cue(Cue.PRESS_NOW)
        limit, pause = time.monotonic() + DEADLINE, threading.Event()
        while not heard.exists() and time.monotonic() < limit:
            pause.wait(0.02)
    finally:
        sounding.stop()
    assert lamp.told == [(LampState.PRESSED, 2, ""), Cue.PRESS_NOW]
    assert heard.read_text().strip() == str(tmp_path / "cache" / "uno-attack" / "sounds" / "press-now-0-40-1.wav")


@pytest.mark.parametrize("sound", [SoundSection(player="none"), SoundSection(player="aplay", volume=0)])
def test_without_a_player_or_any_volume_the_backends_own_signals_are_all(sound: SoundSection) -> None:
    lamp = Lamp()
    sounding = Sounding(sound)
    assert sounding.join(lamp) is lamp
    sounding.stop()


def test_a_service_keeps_its_sounds_where_systemd_has_made_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CACHE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somebody/cache")
    assert cache_directory() == Path("/somebody/cache/uno-attack")
    monkeypatch.setenv("CACHE_DIRECTORY", "/var/cache/uno-attack:/var/cache/more")
    assert cache_directory() == Path("/var/cache/uno-attack")


def test_switched_off_nothing_is_heard_and_the_lamp_goes_on(heard: Path) -> None:
    sounding, lamp = Sounding(SoundSection(on=False, player="aplay")), Lamp()
    signals = sounding.join(lamp)
    signals.cue(Cue.FAULT)
    signals.lamp(LampState.FAULT, 0, "jammed")
    sounding.stop()
    assert lamp.told == [(LampState.FAULT, 0, "jammed")]
    assert not heard.exists()
