"""`uno-attack rules list|show|check|markdown`: what rules there are, in words, and whether a rule file is right.

The words are `controller.rules.explain`'s, reading a rule file is `rulefiles`' and the tables of `docs/rules.md` are
`rulebook`'s; here they are printed.
"""

from __future__ import annotations

import argparse
import json
import textwrap
import tomllib
from collections.abc import Sequence
from pathlib import Path

from controller.commands import CommandError
from controller.rules.explain import SHEETS, Line, Section, differences, english, explain
from controller.rules.options import PRESETS, OptionError, RuleSet, resolve, shown

WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.epilog = (
        "Exit code: 0 done, 1 a rule file is wrong, 2 it could not be done. What an option is: docs/rules.md"
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="list|show|check|markdown")

    lists = parts.add_parser("list", help="the presets, a line each", description="The presets, a line each.")
    lists.add_argument("--json", action="store_true", help="print them as JSON")
    lists.set_defaults(run=run_list)

    shows = parts.add_parser(
        "show", help="a rule set in words", description="A whole rule set in words, or what differs from another.",
        epilog="Values: yes or no, numbers, words; lists with commas between: --set defend=draw-two,skip",
    )  # fmt: skip
    shows.add_argument("preset", metavar="PRESET", help="a preset (see `rules list`) or a rule file")
    shows.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="OPTION=VALUE", help="an option on top of it"
    )
    shows.add_argument("--against", metavar="OTHER", help="another preset or rule file: show only what differs")
    shows.add_argument("--json", action="store_true", help="print it as JSON")
    shows.set_defaults(run=run_show)

    checks = parts.add_parser(
        "check", help="is a rule file right", description="Name everything that is wrong with a rule file, by line.",
        epilog="Exit code: 0 all are right, 1 one is not, 2 one cannot be read.",
    )  # fmt: skip
    checks.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a TOML file: preset, deck, [rules], [match]"
    )
    checks.add_argument("--json", action="store_true", help="print what is wrong as JSON")
    checks.set_defaults(run=run_check)

    tables = parts.add_parser(
        "markdown", help="the tables of docs/rules.md", description="The generated tables of docs/rules.md."
    )
    tables.add_argument("--write", type=Path, metavar="FILE", help="put them into this file, between its markers")
    tables.set_defaults(run=run_markdown)


def run_list(arguments: argparse.Namespace) -> int:
    """Print the presets."""
    texts = english()
    rows = [
        {
            "preset": preset,
            "deck": resolve(preset).deck,
            "players": resolve(preset).players,
            "sheet": texts[f"sheet.{SHEETS[preset]}"],
            "for": texts[f"preset.{preset}"],
        }
        for preset in PRESETS
    ]
    if arguments.json:
        _print_json(rows)
        return 0
    for row in rows:
        print(f"{row['preset']:<21}{row['deck']:<14}{row['sheet']}: {row['for']}")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print a rule set in words, or what differs. Raises `CommandError`."""
    rules = named_rules(arguments.preset, changes(arguments.changes))
    if arguments.against is None:
        sections = explain(rules)
        if arguments.json:
            options = {name: shown(value) for name, value in rules.options.items()}
            _print_json({"preset": rules.preset, "options": options, "sections": [_section(each) for each in sections]})
        else:
            print("\n".join(in_words(sections)))
        return 0
    other = named_rules(arguments.against, {})
    pairs = differences(rules, other)
    if arguments.json:
        _print_json(
            [
                {"option": one.option, arguments.preset: one.value, arguments.against: two.value}
                for mine, theirs in pairs
                for one, two in zip(mine.lines, theirs.lines, strict=True)
            ]
        )
    else:
        print("\n".join(side_by_side(pairs, arguments.preset, arguments.against)))
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Check rule files; 0: all are right, 1: one is not, 2: one cannot be read."""
    from controller.commands import rulefiles

    files = [rulefiles.read(path) for path in arguments.files]
    if arguments.json:
        _print_json(
            [
                {"file": str(file.path), "ok": not file.problems, "problems": [vars(each) for each in file.problems]}
                for file in files
            ]
        )
    for file in files if not arguments.json else ():
        if file.rules is not None:
            changed = ", ".join(f"{name} = {shown(value)}" for name, value in file.rules.changed.items())
            print(f"ok {file.path}: {file.rules.preset}{f' with {changed}' if changed else ''}")
        for problem in file.problems:
            line = f", line {problem.line}" if problem.line else ""
            print(f"{file.path}{line}: {problem.text}")
    if not all(file.readable for file in files):
        return 2
    return 1 if any(file.problems for file in files) else 0


def run_markdown(arguments: argparse.Namespace) -> int:
    """Print the generated tables, or write them into a document. Raises `CommandError`."""
    from controller.commands import rulebook

    if arguments.write is None:
        print("\n\n".join(rulebook.blocks().values()))
        return 0
    try:
        text = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(rulebook.filled(text), encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise CommandError(f"{arguments.write}: {error}") from error
    return 0


def named_rules(name: str, overrides: dict[str, object]) -> RuleSet:
    """The rules of a preset, or of a rule file when `name` ends in `.toml`. Raises `CommandError`."""
    options: dict[str, object] = {}
    preset = name
    if name.endswith(".toml"):
        from controller.commands import rulefiles

        file = rulefiles.read(Path(name))
        if file.rules is None:
            first = file.problems[0]
            raise CommandError(f"{name}, line {first.line}: {first.text}; `rules check {name}` names all problems")
        preset, options = file.rules.preset, dict(file.rules.changed)
    try:
        return resolve(preset, {**options, **overrides})
    except OptionError as error:
        raise CommandError(str(error)) from error


def changes(texts: Sequence[str]) -> dict[str, object]:
    """Options as they are given on the command line. Raises `CommandError`."""
    found: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--set {text}: it is written OPTION=VALUE, like uno_penalty=4")
        found[name.strip()] = _value(name.strip(), value.strip())
    return found


def _value(name: str, text: str) -> object:
    """A value as people write it: yes, 4, launcher, draw-two,skip; or as TOML writes it."""
    if text in ("yes", "no"):
        return text == "yes"
    try:
        read: object = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        read = text
    if isinstance(read, str) and (name == "defend" or (name == "last_card" and read not in ("any", "numbers"))):
        return [word.strip() for word in text.split(",") if word.strip()]
    return read


def in_words(sections: Sequence[Section]) -> list[str]:
    """Sections as text: titles, and sentences under them."""
    lines: list[str] = []
    for section in sections:
        lines += ["", section.title] if lines else [section.title]
        for line in section.lines:
            lines += _wrapped("  - ", line.text)
    return lines


def side_by_side(pairs: Sequence[tuple[Section, Section]], one: str, other: str) -> list[str]:
    """What differs, option by option, with whose sentence it is."""
    if not pairs:
        return [f"{one} and {other} say the same."]
    wide = max(len(one), len(other)) + 2
    lines: list[str] = []
    for mine, theirs in pairs:
        lines += ["", mine.title] if lines else [mine.title]
        for left, right in zip(mine.lines, theirs.lines, strict=True):
            lines.append(f"  {left.option}")
            lines += _wrapped(f"    {f'{one}:':<{wide}}", left.text) + _wrapped(
                f"    {f'{other}:':<{wide}}", right.text
            )
    return lines


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _section(section: Section) -> dict[str, object]:
    def line(each: Line) -> dict[str, str]:
        return {"key": each.key, "option": each.option, "value": each.value, "text": each.text}

    return {"key": section.key, "title": section.title, "lines": [line(each) for each in section.lines]}


def _print_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
