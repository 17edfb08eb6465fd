"""Scenes of looking on: the doctor and the pin table beside a table that runs, and with nobody there."""

from __future__ import annotations

from pathlib import Path

from controller.commands.pins import live
from controller.config import Config
from controller.doctor.examination import examine
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.pins import PinMap
from tests.kernel.guest.diary import Facts
from tests.kernel.guest.stage import Stage, held_lines

EVERYTHING = PinMap(beam2=20, stop=26, buzzer=24, alive=25)


def looking_on(stage: Stage) -> Facts:
    """Levels of lines that nobody holds, then of those a table holds, and what the doctor says of both."""
    stage.header.pull(EVERYTHING.in2, True)  # an output that something drives
    alone = _looked(stage)
    stage.header.pull(EVERYTHING.in2, False)
    with stage.table():
        before = held_lines(stage.header)
        beside = _looked(stage)
        after = held_lines(stage.header)
    return {"alone": alone, "beside": beside, "undisturbed": before == after, "afterwards": held_lines(stage.header)}


def _looked(stage: Stage) -> Facts:
    system = System()
    patient = Patient(Config(backend="gpio"), Path("/"), pins=stage.pins)
    checks = ("chip", "lines", "kernel", "persist-outputs")
    return {
        "levels": {name: level.words(name) for name, level in live(system, "auto", EVERYTHING).items()},
        "findings": [
            (each.check, each.result, each.reason) for each in examine(system, patient) if each.check in checks
        ],
    }


SCENES = (looking_on,)
