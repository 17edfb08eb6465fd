"""The `serial` backend: a launcher driven by a microcontroller. See `hardware.ports.Backend`."""

from __future__ import annotations

import atexit
from collections.abc import Mapping

from firmware_bridge.identity import NotOurs
from firmware_bridge.launcher import SerialLauncher
from firmware_bridge.messages import Output, Wired
from firmware_bridge.port import Opener, SerialPort
from hardware.clock import Clock
from hardware.gpio import BackendError, RealButton
from hardware.ports import Launcher, Listener, Reading, Signals, Tick, UnoButton
from hardware.settings import LauncherSettings
from hardware.signals import Panel


class SerialBackend:
    """A launcher, its button and its signals at the other end of a serial line."""

    name = "serial"

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        device: str,
        wired: Wired = Wired.BEAM,
        buzzer: bool = False,
        open_port: Opener = SerialPort,
    ) -> None:
        """Opens nothing yet."""
        self._clock = clock
        self._settings = settings
        self._device = device
        self._wired = wired
        self._buzzer = buzzer
        self._open_port = open_port
        self._launcher: SerialLauncher | None = None
        self._panel: Panel | None = None
        self._closed = False

    @property
    def announcement(self) -> str:
        """What it is."""
        return f"serial: the real launcher behind {self._device}; keep hair and fingers away, its motor will move"

    @property
    def launcher(self) -> Launcher:
        """The launcher; there is one from `start` on."""
        return self._started()

    @property
    def button(self) -> UnoButton:
        """The UNO button."""
        return RealButton()

    @property
    def signals(self) -> Signals:
        """Lamp and buzzer, from `start` on."""
        self._started()
        assert self._panel is not None
        return self._panel

    def ticks(self) -> Mapping[str, Tick]:
        """See `hardware.ports.Backend`. A port's thread that dies is found out by the silence, within half a second."""
        return {"launcher thread": self._started().tick}

    def reading(self) -> Reading | None:
        """See `hardware.ports.Backend`."""
        return None if self._launcher is None or self._closed else self._launcher.reading()

    def start(self, listener: Listener) -> None:
        """See `hardware.ports.Backend`. Raises `BackendError` for a port that is not there, in use, or not ours."""
        if self._launcher is not None or self._closed:
            raise RuntimeError("the serial backend can be started once")
        launcher = SerialLauncher(self._clock, self._settings, self._wired, self._device, self._open_port, listener)
        try:
            launcher.start()
        except (OSError, NotOurs) as problem:
            raise BackendError(f"serial: {problem}") from problem
        self._launcher = launcher
        atexit.register(self.close)
        buzzer = (lambda on: launcher.show(Output.BUZZER, on)) if self._buzzer else None
        self._panel = Panel(self._clock, lambda lit: launcher.show(Output.LAMP, lit), buzzer)
        self._panel.start()

    def close(self) -> None:
        """See `hardware.ports.Backend`. The motor first, the port last."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._launcher is not None:
                self._launcher.close()
        finally:
            if self._panel is not None:
                self._panel.stop()
            atexit.unregister(self.close)

    def _started(self) -> SerialLauncher:
        if self._launcher is None:
            raise RuntimeError("the serial backend has not been started")
        return self._launcher
