"""The texts of a page: of each language's catalogue only the entries that the page's own scripts can ask for.

Together they are a third of what a phone would load at first, and a seat never says a word of the host's page. What a
script can ask for is seen in it: a key stands in it whole, or begins a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_START = re.compile(rb'<link rel="modulepreload" href="/a/-/(js/[a-z]+\.js)">')
_IMPORT = re.compile(rb'(?:\bfrom|\bimport\(?) ?"\./([a-z]+\.js)"')
_KEY = re.compile(rb'"([a-z]+\.[A-Za-z0-9.-]+)"')
_FAMILY = re.compile(rb"`([a-z]+\.[A-Za-z0-9.-]*)\$\{")
_ENTRY = re.compile(rb'^"([^"]+)": .*,$', re.MULTILINE)
_TEXTS = "texts/"


def page_texts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The catalogues of every page as files, `texts/play/en.js`; `files`: all files of the pages by name,
    scripts without comments and indentation.
    """
    found = {}
    for name, content in files.items():
        start = _START.search(content) if name.endswith(".html") else None
        if start is None:
            continue
        script = start[1].decode()
        keys, families = asked_for(files[each] for each in reached(files, script))
        page = script.removeprefix("js/").removesuffix(".js")
        for catalogue in (each for each in files if each.startswith(_TEXTS)):
            language = catalogue.removeprefix(_TEXTS)
            found[f"{_TEXTS}{page}/{language}"] = _only(files[catalogue], keys, families)
    return found


def reached(files: Mapping[str, bytes], script: str) -> set[str]:
    """The names of a script and of all that it imports."""
    todo, seen = [script, "js/start.js"], set[str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [f"js/{each.decode()}" for each in _IMPORT.findall(files[name])]
    return seen


def asked_for(scripts: Iterable[bytes]) -> tuple[set[bytes], tuple[bytes, ...]]:
    """Keys that scripts name, and beginnings of keys that they put together from data."""
    text = b"\n".join(scripts)
    return set(_KEY.findall(text)), tuple(set(_FAMILY.findall(text)))


def _only(catalogue: bytes, keys: set[bytes], families: tuple[bytes, ...]) -> bytes:
    def kept(entry: re.Match[bytes]) -> bytes:
        return entry[0] if entry[1] in keys or entry[1].startswith(families) else b""

    return re.sub(rb"\n\n+", b"\n", _ENTRY.sub(kept, catalogue))
