"""The clocks: order and repeatability of the virtual one, promptness and quiet of the real one's workers."""

from __future__ import annotations

import threading
import time

import pytest

from hardware.clock import RealClock, VirtualClock


def test_virtual_time_runs_what_is_due_in_order() -> None:
    clock = VirtualClock(100.0)
    log: list[tuple[str, object, float]] = []

    def ticking(item: str | None) -> float | None:
        log.append(("tick", item, clock.now()))
        return clock.now() + 1

    def echo(item: str | None) -> float | None:
        log.append(("echo", item, clock.now()))
        return None

    ticker, echoer = clock.worker("ticker", ticking), clock.worker("echoer", echo)
    ticker.start()
    echoer.start()
    echoer.post("second")
    ticker.post("third")
    log.clear()
    clock.advance(2.5)
    assert log == [
        ("echo", "second", 100.0),
        ("tick", "third", 100.0),
        ("tick", None, 101.0),
        ("tick", None, 102.0),
    ]
    assert clock.now() == 102.5


def test_a_virtual_worker_that_stops_handles_what_was_posted_before_and_nothing_after() -> None:
    clock = VirtualClock()
    seen: list[int | None] = []

    def handle(item: int | None) -> float | None:
        seen.append(item)
        return clock.now() + 1

    worker = clock.worker("w", handle)
    worker.start()
    worker.post(1)
    worker.stop()
    worker.post(2)
    worker.stop()
    clock.advance(10)
    assert seen == [None, 1]


def test_a_frozen_worker_does_nothing_until_it_is_let_go() -> None:
    clock = VirtualClock()
    seen: list[int | None] = []

    def handle(item: int | None) -> None:
        seen.append(item)

    worker = clock.worker("w", handle)
    worker.start()
    clock.freeze("w")
    worker.post(1)
    clock.advance(5)
    assert seen == [None]
    clock.freeze("w", False)
    clock.advance(0)
    assert seen == [None, 1]
    with pytest.raises(KeyError, match="nobody"):
        clock.freeze("nobody")


def test_a_handler_that_never_lets_time_go_on_is_found_out() -> None:
    clock = VirtualClock()
    clock.STUCK = 50  # type: ignore[misc]  # the same with less patience
    clock.worker("spinner", lambda _: clock.now()).start()
    with pytest.raises(RuntimeError, match="spinner never lets time go on"):
        clock.advance(1)
    with pytest.raises(AssertionError, match="not done after 0 virtual seconds"):
        VirtualClock().advance_until(lambda: False, 0)


@pytest.mark.parametrize("punctual", [False, True])
def test_a_real_worker_wakes_for_items_and_deadlines_and_never_too_early(punctual: bool) -> None:
    clock = RealClock()
    seen: list[tuple[object, float]] = []
    done = threading.Event()
    due: list[float] = []  # from the item on: the thread may come to its first turn late

    def handle(item: str | None) -> float | None:
        seen.append((item, clock.now()))
        if item is not None:
            due.append(clock.now() + 0.05)
        elif due and clock.now() >= due[0]:
            done.set()
            return None
        return due[0] if due else None

    worker = clock.worker("w", handle, punctual)
    worker.start()
    worker.post("a")
    assert done.wait(10)
    worker.stop()
    assert [item for item, _ in seen] == [None, "a", None]
    assert seen[-1][1] >= due[0]


def test_a_real_worker_outlives_a_handler_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[int] = []
    done = threading.Event()

    def handle(item: int | None) -> None:
        if item == 1:
            raise ValueError("a mistake")
        if item == 2:
            seen.append(item)
            done.set()

    worker = RealClock().worker("w", handle)
    worker.start()
    worker.post(1)
    worker.post(2)
    assert done.wait(10)
    worker.stop()
    worker.stop()
    assert seen == [2]
    assert "a mistake" in caplog.text


def test_a_real_worker_may_stop_itself_and_one_never_started_may_be_stopped() -> None:
    ended = threading.Event()

    def handle(item: int | None) -> None:
        if item is not None:
            worker.stop()
            ended.set()

    worker = RealClock().worker("w", handle)
    worker.stop()
    worker.start()
    worker.post(1)
    assert ended.wait(10)


def test_the_real_clock_is_the_monotonic_one() -> None:
    before = time.monotonic()
    assert before <= RealClock().now() <= time.monotonic()
