"""What of a table is to be heard on this machine, as configured: its buzzer, its loudspeaker, or nothing."""

from __future__ import annotations

from controller.commands.configuring import cache_directory
from controller.config import SoundSection
from hardware.clock import RealClock
from hardware.ports import Signals
from hardware.signals import Mute, Together
from hardware.sounds import Speaker, players_there


class Sounding:
    """The loudspeaker of a running table, where there is one."""

    def __init__(self, sound: SoundSection) -> None:
        self._sound = sound
        players = players_there(sound.player) if sound.on and sound.volume else []
        directory = cache_directory() / "sounds"
        self._speaker = Speaker(RealClock(), players, directory, sound.volume) if players else None

    def join(self, signals: Signals) -> Signals:
        """The backend's lamp and buzzer, with all that is to be heard and no more; the loudspeaker begins."""
        if not self._sound.on:
            return Mute(signals)
        if self._speaker is None:
            return signals
        self._speaker.start()
        return Together(signals, self._speaker)

    def stop(self) -> None:
        """Quiet."""
        if self._speaker is not None:
            self._speaker.stop()
