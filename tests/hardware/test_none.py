"""The backend without a launcher: it announces itself, denies every press and moves nothing."""

from __future__ import annotations

import pytest

from hardware.backends import UNDRIVEN, open_backend
from hardware.ports import (
    Certainty,
    HardwareEvent,
    LampState,
    LauncherState,
    LauncherStatus,
    NotPressable,
    ShotEnd,
    ShotEnded,
    ShotOrder,
)


def test_it_says_what_it_is() -> None:
    backend = open_backend("none")
    assert (backend.name, backend.announcement) == ("none", "none: no launcher; people type how many cards came")
    assert "none" in UNDRIVEN


def test_it_takes_no_orders_and_every_order_has_an_end() -> None:
    events: list[HardwareEvent] = []
    backend = open_backend("none")
    backend.start(events.append)
    denial = backend.launcher.denial()
    assert denial is not None
    assert denial.reason == "wrong-source"
    assert "type how many" in denial.text
    backend.launcher.begin_shot(ShotOrder(4, 3, 0.0))
    assert events == [ShotEnded(4, 0, Certainty.EXACT, ShotEnd.VOID, denial.text)]
    with pytest.raises(NotPressable, match="no button"):
        backend.button.press()
    assert len(events) == 1


def test_there_is_nothing_to_stop_to_clear_or_to_count() -> None:
    backend = open_backend("none")
    backend.start(lambda _: None)
    backend.launcher.halt("a test")
    backend.launcher.loaded(80)
    backend.signals.lamp(LampState.PRESS_NOW)
    assert backend.launcher.clear_fault() is None
    assert backend.launcher.status() == LauncherStatus(LauncherState.READY, None, None)
    with pytest.raises(ValueError, match="-1 cards"):
        backend.launcher.loaded(-1)
    backend.close()
    backend.close()
    assert backend.launcher.status().state is LauncherState.CLOSED


def test_it_is_started_once() -> None:
    backend = open_backend("none")
    with pytest.raises(RuntimeError, match="has not been started"):
        _ = backend.launcher
    backend.start(lambda _: None)
    with pytest.raises(RuntimeError, match="started once"):
        backend.start(lambda _: None)
    backend.close()
    closed = open_backend("none")
    closed.close()
    with pytest.raises(RuntimeError, match="started once"):
        closed.start(lambda _: None)
