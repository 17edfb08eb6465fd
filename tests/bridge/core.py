"""The firmware's portable core, built for this computer and called as it is."""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from firmware_bridge.headers import FIRMWARE
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


class CCard(ctypes.Structure):
    """`CardTime` of counter.h."""


class CCounter(ctypes.Structure):
    """`Counter` of counter.h."""


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
    kinds: dict[str, tuple[Any, ...]] = {
        "host_new": (bridge, byte, byte),
        "host_outputs": (byte, bridge),
        "bridge_edge": (None, bridge, moment, byte),
        "bridge_hear": (None, bridge, moment, byte),
        "bridge_tick": (None, bridge, moment, byte),
        "bridge_say": (ctypes.c_int16, bridge),
        "host_pressed": (None, shot, byte, moment, moment, ctypes.c_int16, flag),
        "shot_step": (flag, settings, shot, moment, seen),
        "shot_stop": (flag, settings, shot, moment, byte),
        "shot_cut_short": (flag, settings, shot, moment, byte),
    }
    for name, (result, *arguments) in kinds.items():
        function = getattr(core, name)
        function.restype, function.argtypes = result, arguments
    return core
