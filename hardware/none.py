"""The backend of a table without a launcher: nothing is driven and nothing is sensed; people type what came.

Typed counts are commands and go to the table; nothing of them passes here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.ports import (
    Certainty,
    Cue,
    Denial,
    Fault,
    LampState,
    Launcher,
    LauncherState,
    LauncherStatus,
    Listener,
    NotPressable,
    Reading,
    ShotEnd,
    ShotEnded,
    ShotOrder,
    Signals,
    Tick,
    UnoButton,
)

NO_ORDERS: Final = Denial("wrong-source", "there is no launcher here: type how many cards came")


class NoLauncher:
    """A launcher that is not there: it denies every press and knows of no cards."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.closed = False

    def denial(self) -> Denial | None:
        """Always `wrong-source`."""
        return NO_ORDERS

    def begin_shot(self, order: ShotOrder) -> None:
        """Nobody asks after a denial; an order all the same ends as void."""
        self._listener(ShotEnded(order.shot, 0, Certainty.EXACT, ShotEnd.VOID, NO_ORDERS.text))

    def halt(self, cause: str) -> None:
        """There is nothing to stop, so nothing that a person would have to clear."""

    def clear_fault(self) -> Fault | None:
        """There is none."""
        return None

    def loaded(self, cards: int) -> None:
        """Nobody counts here; the table keeps count of what people type. Raises `ValueError` below 0."""
        if cards < 0:
            raise ValueError(f"{cards} cards cannot be loaded")

    def status(self) -> LauncherStatus:
        """Always ready, with nothing known."""
        return LauncherStatus(LauncherState.CLOSED if self.closed else LauncherState.READY, None, None)


class NoButton:
    """A button that is not there."""

    def press(self) -> None:
        """Always raises `NotPressable`."""
        raise NotPressable("there is no button here: type how many cards came")


class NoSignals:
    """A lamp and a buzzer that are not there."""

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """Nothing is shown."""

    def cue(self, cue: Cue, step: int = 0) -> None:
        """Nothing is heard."""


class NoneBackend:
    """No launcher at all. See `hardware.ports.Backend`."""

    name = "none"
    announcement = "none: no launcher; people type how many cards came"

    def __init__(self) -> None:
        self._launcher: NoLauncher | None = None
        self._closed = False

    @property
    def launcher(self) -> Launcher:
        """What stands for the launcher, from `start` on."""
        if self._launcher is None:
            raise RuntimeError("the none backend has not been started")
        return self._launcher

    @property
    def button(self) -> UnoButton:
        """No button."""
        return NoButton()

    @property
    def signals(self) -> Signals:
        """No lamp."""
        return NoSignals()

    def ticks(self) -> Mapping[str, Tick]:
        """No threads."""
        return {}

    def reading(self) -> Reading | None:
        """No inputs."""
        return None

    def start(self, listener: Listener) -> None:
        """See `hardware.ports.Backend`."""
        if self._launcher is not None or self._closed:
            raise RuntimeError("the none backend can be started once")
        self._launcher = NoLauncher(listener)

    def close(self) -> None:
        """Nothing is open."""
        self._closed = True
        if self._launcher is not None:
            self._launcher.closed = True
