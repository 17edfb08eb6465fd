"""The life of the thread that brings the edges, on a stand-in for lgpio with lgpio's own thread; lines looked over."""

from __future__ import annotations

import os
import struct
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hardware import edges
from hardware.edges import EdgeThread, edge_thread
from hardware.header import Header, HeaderError
from tests.hardware.kernel import Kernel
from tests.patience import DEADLINE

# What lgpio 0.2 does when imported: its pipe in LG_WD, that directory entered, the pipe opened by a relative name.
# This one can also be told to end, by a message of chip 254.
LGPIO = """
import os, struct, threading

BOTH_EDGES = 3

class error(Exception):
    pass

os.chdir(os.environ["LG_WD"])
os.mkfifo(".lgd-nfy0")
WRITER = os.open(".lgd-nfy0", os.O_RDWR | os.O_NONBLOCK)

class Thread(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self._file = open(".lgd-nfy0", "rb")
        self.callbacks = []
        self.start()

    def run(self):
        chip = None
        while chip != 254:
            at, chip, line, level, flags, padding = struct.unpack("QBBBBI", self._file.read(16))
            for each in self.callbacks:
                if each[:2] == (chip, line):
                    each[3](chip, line, level, at)

_notify_thread = Thread()

def callback(handle, line, edge, func):
    _notify_thread.callbacks.append((handle >> 16, line, edge, func))

def gpiochip_open(number):
    raise error("can not open gpiochip")
"""


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EdgeThread]:
    """The stand-in, imported as the real one is, from a working directory of its own."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "lgpio.py").write_text(LGPIO)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(str(tmp_path / "library"))
    monkeypatch.setattr(edges, "_loaded", [])
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delenv("LG_WD", raising=False)
    made = edge_thread()
    yield made
    with suppress(BlockingIOError):
        os.write(made.lgpio.WRITER, struct.pack("QBBBBI", 0, 254, 0, 0, 0, 0))
    made.lgpio._notify_thread.join(DEADLINE)
    made.lgpio._notify_thread._file.close()
    os.close(made.lgpio.WRITER)
    os.close(made._pipe)
    sys.modules.pop("lgpio", None)


def answered(thread: EdgeThread) -> bool:
    """Whether it answers."""
    event = threading.Event()
    thread.tick(event.set)
    return event.wait(DEADLINE)


def edge(thread: EdgeThread, callback: Callable[..., None]) -> None:
    """An edge on line 7 of chip 0, as lgpio's C part writes it."""
    thread.lgpio.callback(0, 7, thread.lgpio.BOTH_EDGES, callback)
    os.write(thread.lgpio.WRITER, struct.pack("QBBBBI", 1, 0, 7, 1, 0, 0))


def test_importing_it_leaves_nothing_behind(lgpio: EdgeThread, tmp_path: Path) -> None:
    assert Path.cwd() == tmp_path / "here"
    assert list(Path.cwd().iterdir()) == []
    assert "LG_WD" not in os.environ
    assert not list(tmp_path.rglob(".lgd-nfy*"))
    assert edge_thread() is lgpio
    assert answered(lgpio)


def test_a_living_thread_answers_and_its_edges_go_on(lgpio: EdgeThread) -> None:
    assert lgpio.alive()
    came = threading.Event()
    edge(lgpio, lambda *_: came.set())
    assert came.wait(DEADLINE)
    assert answered(lgpio)
    assert lgpio.alive()


def test_whoever_fails_on_its_sign_of_life_ends_nothing(lgpio: EdgeThread, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("a mistake")

    lgpio.tick(fail)
    assert answered(lgpio)
    assert "a mistake" in caplog.text
    assert lgpio.alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_an_exception_has_ended_is_dead(lgpio: EdgeThread) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a mistake")

    edge(lgpio, fail)
    lgpio.lgpio._notify_thread.join(DEADLINE)
    assert not lgpio.alive()
    for _ in range(5000):  # more than the pipe takes: nobody reads, and nobody waits either
        lgpio.tick(lambda: None)
    assert not lgpio.alive()


def test_a_thread_that_hangs_is_as_good_as_dead_until_it_comes_back(
    lgpio: EdgeThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("hardware.edges.time.monotonic", lambda: now[0])
    stuck, free = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        stuck.set()
        free.wait(DEADLINE)

    edge(lgpio, hang)
    assert stuck.wait(DEADLINE)
    assert lgpio.alive()  # and asked
    now[0] += edges.PATIENCE - 0.01
    assert lgpio.alive()
    now[0] += 0.02
    assert not lgpio.alive()
    free.set()
    assert answered(lgpio)
    assert lgpio.alive()


# --- the header -------------------------------------------------------------------------------------------------------

PINS = {"enable": 22, "in1": 17, "lid": 6}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    (tmp_path / "dev").mkdir()
    (tmp_path / "lock").mkdir()
    made = Kernel(tmp_path / "dev")
    monkeypatch.setattr("hardware.chips.fcntl.ioctl", made.ioctl)
    monkeypatch.setattr("hardware.lock.PLACES", (tmp_path / "lock",))
    monkeypatch.setattr("hardware.header.find_chip", lambda label: find(label, made.devices))
    return made


def find(label: str, devices: Path) -> Any:
    from hardware.chips import find_chip

    return find_chip(label, devices)


def opened(monkeypatch: pytest.MonkeyPatch, label: str = "auto") -> Header:
    """A header whose last step, opening the chip with lgpio, is left out."""
    monkeypatch.setattr(Header, "_open", lambda self, chip: types.SimpleNamespace(close=lambda: None, chip=chip))
    return Header(label)


def test_the_chip_is_locked_while_it_is_open(
    lgpio: EdgeThread, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.chip(4, "pinctrl-rp1")
    first, second = opened(monkeypatch), opened(monkeypatch)
    assert first.open(PINS).chip.number == 4
    assert first.label == "pinctrl-rp1"
    with pytest.raises(HeaderError, match=f"the pins are in use by process {os.getpid()} "):
        second.open(PINS)
    first.close()
    first.close()
    second.open(PINS)
    second.close()


def test_a_pin_that_is_held_is_named_with_its_holder_before_any_is_claimed(
    lgpio: EdgeThread, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = kernel.chip(0, "pinctrl-bcm2711")
    simulated.held |= {22: "gpioset", 6: "", 2: "somebody else's"}
    monkeypatch.setattr("hardware.header.holders", lambda chip, line: [os.getpid()] if line == 22 else [])
    header = opened(monkeypatch)
    with pytest.raises(
        HeaderError, match=r"(?s)enable \(GPIO 22\) by 'gpioset', process \d+ \(.*python.*\), lid \(GPIO 6\)"
    ):
        header.open(PINS)
    assert simulated.low == []
    simulated.held.clear()
    header.open(PINS)  # the lock had been given back
    header.close()


def test_pins_that_the_chip_does_not_have_are_named(
    lgpio: EdgeThread, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.chip(0, "small", 16)
    header = opened(monkeypatch, "small")
    with pytest.raises(HeaderError, match=r"has only 16 lines: enable \(GPIO 22\), in1 \(GPIO 17\) are not there"):
        header.open(PINS)


def test_what_lgpio_cannot_open_is_said(lgpio: EdgeThread, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.chip(0, "pinctrl-rp1")
    header = Header()
    monkeypatch.setattr(Header, "_open", lambda self, chip: lgpio.lgpio.gpiochip_open(chip.number))
    with pytest.raises(HeaderError, match="can not open gpiochip"):
        header.open(PINS)


def test_without_a_chip_it_says_so(lgpio: EdgeThread, kernel: Kernel) -> None:
    with pytest.raises(HeaderError, match=r"no GPIO chip with a Raspberry Pi's header; there are: none at all"):
        Header().open(PINS)
