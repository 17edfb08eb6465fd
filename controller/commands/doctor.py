"""`uno-attack doctor`: looks at this machine and says what would keep a table from working. See `controller.doctor`."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from controller import config
from controller.commands.configuring import add_config_argument, data_directory, find
from controller.doctor.examination import examine, worst
from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import System
from hardware.backends import READY
from hardware.pins import PinMap

WIDTH = 100
MARKS = {Result.OK: "ok", Result.WARN: "warn", Result.FAIL: "FAIL", Result.NOT_APPLICABLE: "-"}
COLOURS = {Result.OK: "32", Result.WARN: "33", Result.FAIL: "31;1", Result.NOT_APPLICABLE: "2"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--backend", choices=READY, help="examine for this launcher, whatever is configured")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where tables are kept (default: {data_directory()})")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_config_argument(parser)
    parser.epilog = (
        "Exit code: 0 nothing fails, 1 something does, 2 it could not be done. Only what the launcher needs can fail. "
        "What to do about each: docs/hardware.md"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, system: System | None = None) -> int:
    """Examine and print; returns the exit code."""
    patient = patient_of(arguments.config, arguments.backend, arguments.data or data_directory())
    findings = []
    for finding in examine(system or System(), patient):
        findings.append(finding)
        if not arguments.json:
            print("\n".join(lines_of(finding, sys.stdout.isatty())), flush=True)
    if arguments.json:
        print(json.dumps(as_json(patient, findings), indent=2, ensure_ascii=False))
    else:
        print(summary(patient, findings))
    return 1 if worst(findings) is Result.FAIL else 0


def patient_of(named: Path | None, backend: str | None, data: Path) -> Patient:
    """What is to be examined. A wrong configuration is a finding; a named one that is not there, a `CommandError`."""
    path = find(named)
    try:
        loaded = config.load(path, overrides={("launcher", "backend"): backend} if backend else None)
    except config.ConfigError as error:
        default = replace(config.Config(source=path), backend=backend or config.Config().backend)
        return Patient(default, data, problem=str(error))
    return Patient(loaded, data, pins=PinMap.from_mapping(loaded.pins))


def lines_of(finding: Finding, coloured: bool) -> list[str]:
    """A finding as it stands in the terminal: what, how, why; and below it what to do."""
    mark = f"{MARKS[finding.result]:<5}"
    if coloured:
        mark = f"\x1b[{COLOURS[finding.result]}m{mark}\x1b[0m"
    indent = " " * 22
    reason = textwrap.wrap(finding.reason, WIDTH - len(indent), break_on_hyphens=False) or [""]
    lines = [f"{mark} {finding.check:<16}{reason[0]}", *(indent + line for line in reason[1:])]
    if finding.remedy and finding.result in (Result.WARN, Result.FAIL):
        remedy = textwrap.wrap(finding.remedy, WIDTH - len(indent) - 2, break_on_hyphens=False)
        lines += [f"{indent}→ {remedy[0]}", *(f"{indent}  {line}" for line in remedy[1:])]
    return lines


def summary(patient: Patient, findings: Sequence[Finding]) -> str:
    """One line at the end."""
    counts = {result: sum(finding.result is result for finding in findings) for result in Result}
    fails, warns = counts[Result.FAIL], counts[Result.WARN]
    if fails:
        return f"\n{fails} to put right before the backend {patient.backend!r} will work"
    if warns:
        return f"\nthe backend {patient.backend!r} will work; {warns} worth a look"
    return f"\nall is well for the backend {patient.backend!r}"


def as_json(patient: Patient, findings: list[Finding]) -> dict[str, object]:
    """What `--json` prints."""
    return {
        "backend": patient.backend,
        "result": worst(findings),
        "findings": [asdict(finding) for finding in findings],
    }
