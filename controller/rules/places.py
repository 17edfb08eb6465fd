"""On which line of a TOML text an entry stands, for messages: the standard library's reader does not keep that."""

from __future__ import annotations

import re

_HEADER = re.compile(r"""\s*\[\[?\s*(?P<table>[^\]]+?)\s*\]\]?\s*(#.*)?""")


def line_of(text: str, table: str, key: str = "") -> int:
    """The line, counted from 1, on which `table` (empty: what stands before any) sets `key`; without a key its header.

    0 when it cannot be told.
    """
    inside = table == ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.fullmatch(line)
        if header:
            inside = _plain(header["table"]) == table
            if inside and not key:
                return number
        elif (inside and key and _sets(line, key)) or (table and _sets(line, f"{table}.{key}" if key else table)):
            return number
    return line_of(text, table) if table and key else 0


def line_of_word(text: str, line: int, word: str) -> int:
    """The line on which `word` stands in quotes, from `line` on, where its entry begins; `line` when it is nowhere."""
    for number, content in enumerate(text.splitlines()[max(0, line - 1) :], start=max(1, line)):
        if re.search(rf"""["']{re.escape(word)}["']""", content):
            return number
    return line


def line_of_problem(text: str, problem: str) -> int:
    """The line that a problem is about, told by the option or the first quoted word that it names; 0 when by none.

    What is named too often is wrong where it is named last. A problem that tells its own line needs none.
    """
    if "(at line" in problem:
        return 0
    option = re.search(r"option (\w+)", problem)
    if option:
        return line_of(text, "rules", option[1])
    quoted = re.search(r"'([^']+)'", problem)
    if not quoted:
        return 0
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if _names(line, quoted[1])]
    return lines[-1 if "more often" in problem else 0] if lines else 0


def _names(line: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line) is not None


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _sets(line: str, key: str) -> bool:
    name, equals, _ = line.partition("=")
    return bool(equals) and _plain(name.strip()) == key
