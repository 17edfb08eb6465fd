"""The firmware's portable core, built for this computer and called as it is."""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from firmware_bridge.headers import FIRMWARE
from hardware.counter import RECENT
from hardware.settings import BOUNDS, LauncherSettings

NEVER = 2**63 - 1


class CSettings(ctypes.Structure):
    """`Settings` of core.h."""

    _fields_ = [(name, ctypes.c_uint16) for name in BOUNDS]


class CShot(ctypes.Structure):
    """`Shot` of machine.h."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("since", "reveal_at", "deadline", "pulse_from", "most", "spent")),
        ("hopper", ctypes.c_int16),
        *((name, ctypes.c_uint8) for name in ("phase", "wanted", "drive", "guess", "end", "cause")),
        *((name, ctypes.c_bool) for name in ("retried", "kicked", "timed")),
    ]


class CSeen(ctypes.Structure):
    """`Seen` of machine.h."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("blocked_since", "last_change", "motor_left")),
        ("cards", ctypes.c_uint8),
        ("blocked", ctypes.c_bool),
        ("refusal", ctypes.c_uint8),
    ]


class CCardTime(ctypes.Structure):
    """`CardTime` of counter.h."""

    _fields_ = [
        ("recent", ctypes.c_uint32 * RECENT),
        ("first", ctypes.c_uint8),
        ("count", ctypes.c_uint8),
        ("known", ctypes.c_bool),
        *((name, ctypes.c_float) for name in ("calibrated", "time", "least", "most", "spread")),
    ]


class CSecond(ctypes.Structure):
    """`Second` of counter.h."""

    _fields_ = [("at", ctypes.c_int64), ("there", ctypes.c_bool)]


class CPast(ctypes.Structure):
    """`PastBlock` of counter.h."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("start", "end")),
        ("front2", CSecond),
        *((name, ctypes.c_uint8) for name in ("cards", "sure")),
        ("there", ctypes.c_bool),
    ]


class CCounter(ctypes.Structure):
    """`Counter` of counter.h."""

    _fields_ = [
        ("card", ctypes.POINTER(CCardTime)),
        ("gap", ctypes.c_float),
        *((name, ctypes.c_int64) for name in ("blocked_since", "last_change")),
        ("front2", CSecond),
        ("free2", CSecond),
        ("past", CPast),
        *((name, ctypes.c_float) for name in ("pair_least", "pair_most")),
        *((name, ctypes.c_uint8) for name in ("cards", "sure", "pairs", "singles")),
        *((name, ctypes.c_bool) for name in ("blocked", "left2", "is_stuck")),
    ]


def c_settings(settings: LauncherSettings) -> CSettings:
    """The same figures for C."""
    return CSettings(*(getattr(settings, each.name) for each in fields(settings) if each.name in BOUNDS))


def make(target: str, build: Path) -> str:
    """`make` one of the firmware's targets into `build`; what it said."""
    done = subprocess.run(
        ["make", "-C", str(FIRMWARE), f"BUILD={build}", target], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def load(library: Path) -> Any:
    """The core as a library of functions."""
    core = ctypes.CDLL(str(library))
    moment, byte, flag = ctypes.c_int64, ctypes.c_uint8, ctypes.c_bool
    bridge, shot, settings, seen = ctypes.c_void_p, *map(ctypes.POINTER, (CShot, CSettings, CSeen))
    card, counter = map(ctypes.POINTER, (CCardTime, CCounter))
    kinds: dict[str, tuple[Any, ...]] = {
        "host_new": (bridge, byte, byte, ctypes.c_uint16),
        "bridge_used_ms": (ctypes.c_uint16, bridge),
        "host_outputs": (byte, bridge),
        "host_size": (ctypes.c_size_t, ctypes.c_char_p),
        "bridge_edge": (None, bridge, moment, byte),
        "bridge_hear": (None, bridge, moment, byte),
        "bridge_tick": (None, bridge, moment, byte),
        "bridge_say": (ctypes.c_int16, bridge),
        "shot_press": (None, shot, byte, moment, moment, ctypes.c_int16, flag),
        "shot_step": (flag, settings, shot, moment, seen),
        "shot_stop": (flag, settings, shot, moment, byte),
        "shot_cut_short": (flag, settings, shot, moment, byte),
        "frame_byte": (flag, ctypes.c_void_p, byte),
        "frame_write": (byte, ctypes.c_void_p, byte, byte, ctypes.c_char_p, byte),
        "card_time_start": (None, card, ctypes.c_uint16),
        "counter_start": (None, counter, card, moment, ctypes.c_float),
        "counter_block": (None, counter, moment),
        "counter_clear": (None, counter, moment, flag),
        "counter_block2": (None, counter, moment),
        "counter_clear2": (None, counter, moment),
        "counter_stuck": (None, counter),
        "counter_doubt": (None, counter, byte),
    }
    for name, (result, *arguments) in kinds.items():
        function = getattr(core, name)
        function.restype, function.argtypes = result, arguments
    return core
