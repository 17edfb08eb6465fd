"""`uno-attack odds list|show|plot|check|markdown`: how a launcher fires, and whether a real one does.

What a profile promises is `controller.odds.profiles`' to say, judging a record is `check`'s, drawing `pictures`' and
wording `oddsbook`'s; here they are asked and printed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands import CommandError, oddsbook
from controller.commands.configuring import add_config_argument, data_directory, load
from controller.config import Config
from controller.odds import PROFILES, OddsError, OddsProfile, own_profiles, pictures, profile
from controller.odds.check import check
from controller.odds.records import KINDS, Record, from_counts, from_rows

if TYPE_CHECKING:
    Parts = argparse._SubParsersAction[argparse.ArgumentParser]

_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.epilog = "Exit code: 0 done, 1 the launcher does otherwise, 2 it could not be done. In full: docs/odds.md"
    parts = parser.add_subparsers(dest="part", required=True, metavar="list|show|plot|check|markdown")

    lists = _part(parts, "list", "the profiles, a line each")
    lists.set_defaults(run=run_list)

    shows = _part(parts, "show", "a profile in words and figures")
    _add_profile(shows)
    shows.add_argument("--json", action="store_true", help="print it as JSON")
    shows.set_defaults(run=run_show)

    plots = _part(parts, "plot", "a picture of a profile: which press fires, and how many cards come")
    _add_profile(plots)
    plots.add_argument("--svg", type=Path, metavar="FILE", help="draw it into this file")
    plots.set_defaults(run=run_plot)

    checks = _part(parts, "check", "does a launcher do what its profile says")
    checks.description = (
        "Expected against seen: from the tables kept in the data directory, also while one of them runs, or from a "
        "file of counts: a line for each press, how many cards came (0: none, ?: not known), or how many were asked "
        "for and how many came (3 4); # begins a comment."
    )
    _add_profile(checks, "what it should do (default: the profile that ordered the shots; of others, the chosen one)")
    source = checks.add_mutually_exclusive_group()
    source.add_argument("--data", type=Path, metavar="DIR", help=f"where tables are kept (default: {data_directory()})")
    source.add_argument("--file", type=Path, metavar="FILE", help="a file of counts")
    checks.add_argument("--last", type=int, metavar="N", help="only the last N presses, as after a repair")
    checks.add_argument("--json", action="store_true", help="print it as JSON")
    checks.set_defaults(run=run_check)

    tables = _part(parts, "markdown", "the figures of docs/odds.md")
    tables.add_argument("--write", type=Path, metavar="FILE", help="put them into this file, and draw its pictures")
    tables.set_defaults(run=run_markdown)


def run_list(arguments: argparse.Namespace) -> int:
    """Print the profiles."""
    config = load(arguments.config)
    for each in (*PROFILES.values(), profile("fixed-7"), *own_profiles(config.odds_tables).values()):
        chosen = "*" if each.name == config.odds.profile else " "
        print(f"{chosen} {each.describe()}")
    print("\nfixed-N: N from 1 to 20. The configuration chooses ([odds] profile), and may have tables of its own.")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print a profile."""
    shown = _profile(arguments.profile, load(arguments.config))
    if arguments.json:
        print(json.dumps(oddsbook.figures(shown), indent=2))
    else:
        print("\n".join(oddsbook.in_words(shown)))
    return 0


def run_plot(arguments: argparse.Namespace) -> int:
    """Draw a profile."""
    drawn = _profile(arguments.profile, load(arguments.config))
    if arguments.svg is not None:
        _write(arguments.svg, pictures.svg(drawn))
        print(f"drawn into {arguments.svg}")
        return 0
    width, plain = _terminal()
    print(f"{drawn.name}: {drawn.summary}")
    print("\nchance of firing, by the press since the last fire")
    print("\n".join(pictures.rows(pictures.fires(drawn), width, pictures.CERTAIN, plain)))
    print("\ncards of a fire")
    columns = pictures.cards(drawn)
    print("\n".join(pictures.rows(columns, width, pictures.highest(columns), plain)))
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Judge what was seen; 1 when it speaks against a profile."""
    config = load(arguments.config)
    if arguments.last is not None and arguments.last < 1:
        raise CommandError(f"--last is a number of presses, 1 or more, not {arguments.last}")
    reports = [(title, check(record, expected)) for title, record, expected in _records(arguments, config)]
    if arguments.json:
        print(json.dumps([oddsbook.report_data(title, report) for title, report in reports], indent=2))
    else:
        width, plain = _terminal()
        print("\n\n".join("\n".join(oddsbook.report_lines(title, report, width, plain)) for title, report in reports))
    return int(any(report.agrees is False for _, report in reports))


def run_markdown(arguments: argparse.Namespace) -> int:
    """Print the generated parts of `docs/odds.md`, or renew them in their place."""
    if arguments.write is None:
        print(oddsbook.table())
        return 0
    try:
        text = arguments.write.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{arguments.write} cannot be read: {error.strerror}") from error
    try:
        _write(arguments.write, oddsbook.filled(text))
    except ValueError as error:
        raise CommandError(f"{arguments.write}: {error}") from error
    for each in PROFILES.values():
        _write(arguments.write.parent / oddsbook.picture(each), pictures.svg(each))
    print(f"renewed in {arguments.write}, with {len(PROFILES)} pictures")
    return 0


def _part(parts: Parts, name: str, summary: str) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
    add_config_argument(part)
    return part


def _add_profile(part: argparse.ArgumentParser, text: str = "default: the one the configuration chooses") -> None:
    part.add_argument("profile", nargs="?", metavar="PROFILE", help=text)


def _profile(name: str | None, config: Config) -> OddsProfile:
    """The profile called `name`, or the chosen one. Raises `CommandError`."""
    try:
        return profile(name or config.odds.profile, own_profiles(config.odds_tables))
    except OddsError as error:
        raise CommandError(str(error)) from error


def _records(arguments: argparse.Namespace, config: Config) -> list[tuple[str, Record, OddsProfile]]:
    """What there is to judge, each with a title and what it should be like. Raises `CommandError`."""
    chosen = _profile(arguments.profile, config)
    if arguments.file is not None:
        found = [(f"{arguments.file}", _counts(arguments.file), chosen)]
    else:
        found = _of_tables(arguments, config, chosen)
    if arguments.last is not None:
        for _, record, _ in found:
            record.presses, record.left_out = record.presses[-arguments.last :], {}
    return found


def _counts(path: Path) -> Record:
    try:
        record = from_counts(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text: {error.reason}") from error
    except OddsError as error:
        raise CommandError(f"{path}, {error}") from error
    if not record.presses:
        raise CommandError(f"{path} has no press in it: write how many cards came with each, a line for each")
    return record


def _of_tables(
    arguments: argparse.Namespace, config: Config, chosen: OddsProfile
) -> list[tuple[str, Record, OddsProfile]]:
    from controller.journal import JournalError, stored_rows

    directory = arguments.data or data_directory()
    try:
        records = from_rows(stored_rows(directory, KINDS))
    except (JournalError, OddsError) as error:
        raise CommandError(str(error)) from error
    known = {each.key: each for each in (*PROFILES.values(), *own_profiles(config.odds_tables).values())}
    found = []
    for record in records:
        if not record.profile:
            found.append(("shots that were seen or typed", record, chosen))
            continue
        expected = known.get(record.profile) or _fixed(record.profile)
        if arguments.profile is not None and (expected is None or expected.key != chosen.key):
            continue
        if expected is None:
            print(f"left out: shots by the table of odds {record.profile}, which is not in the configuration as it was")
        else:
            found.append((f"shots ordered by {expected.name}", record, expected))
    if not found:
        raise CommandError(f"no shot to judge in {directory}: play first, or name a file of counts with --file")
    return found


def _fixed(name: str) -> OddsProfile | None:
    try:
        return profile(name)
    except OddsError:
        return None


def _terminal() -> tuple[int, bool]:
    """(how wide it is, whether it has only ASCII)."""
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    try:
        pictures.BLOCKS.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return width, True
    return width, False


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
