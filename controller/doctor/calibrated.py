"""Whether this launcher has been measured, and with the wiring it has now."""

from __future__ import annotations

from collections.abc import Iterator

from controller import calibration
from controller.config import launcher_settings
from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System

NAME = "calibration"
MEASURE = "uno-attack calibrate: some two minutes, and 40 cards"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """What is kept, and whether it holds."""
    config = patient.config
    try:
        kept = calibration.load(patient.data, patient.backend)
        if kept is not None:
            plain = launcher_settings(config)
            wiring = calibration.wiring_of(config.backend, config.chip, patient.pins, plain)
            calibration.apply(kept, wiring, config.launcher, plain)
    except calibration.CalibrationError as error:
        yield Finding(NAME, Result.FAIL, str(error), "uno-attack calibrate, or uno-attack calibrate --forget")
        return
    if kept is not None:
        yield Finding(NAME, Result.OK, f"measured on {kept.date}")
    elif patient.drives:
        yield Finding(NAME, Result.WARN, "this launcher has not been measured: counts may be wrong", MEASURE)
    else:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"the backend {patient.backend!r} goes by its defaults")
