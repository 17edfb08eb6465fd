"""The tables that are kept: may one be taken up, and is nothing in the way of the socket it listens on."""

from __future__ import annotations

from collections.abc import Iterator

from controller.control import ControlError, refuse_obstacle
from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from controller.journal import JournalError, table_rows
from controller.table.recovery import fold

NAME = "journal"
REMEDY = "mend it as it says: `play` would refuse this directory, too; a copy of the data made before can be put back"


def look(system: System, patient: Patient) -> Iterator[Finding]:
    """What a start would come to; nothing is written, and a table that runs is not disturbed."""
    try:
        refuse_obstacle(patient.data)
        rows = table_rows(patient.data)
        fold(rows or ())
    except (ControlError, JournalError) as error:
        yield Finding(NAME, Result.FAIL, str(error), REMEDY)
        return
    if rows is None:
        yield Finding(NAME, Result.NOT_APPLICABLE, f"no table is kept in {patient.data} yet")
    else:
        yield Finding(NAME, Result.OK, f"the table in {patient.data} can be taken up")
