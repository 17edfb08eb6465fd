"""The texts of the pages, and the glossary, read as tests read them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from controller.rules.explain import LANGUAGES
from web_companion.assets import PAGES

CHINESE = {"zh-Hans": "gb2312", "zh-Hant": "big5"}
"""Each Chinese script with the set of characters that it is written in, and that has few of the other's."""

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"

# Big5 has these as rare characters of their own; in our texts they would be Simplified ones.
WRONG_IN_TRADITIONAL = "万么于体几后听庄机离种胜触里"


def scripts() -> str:
    """All scripts of the pages."""
    return "\n".join(path.read_text() for path in sorted((PAGES / "js").glob("*.js")))


@cache
def catalogue(language: str) -> dict[str, tuple[str, ...]]:
    """The texts of a language by key, each in all its forms."""
    text = (PAGES / "texts" / f"{language}.js").read_text()
    body = text[text.index("export default {") + len("export default {") : text.rindex("}")]
    found: dict[str, tuple[str, ...]] = {}
    for line in body.splitlines():
        if not line.strip() or line.strip().startswith("//"):
            continue
        entry = re.fullmatch(r'  ("[^"]+"): (.+),', line)
        assert entry, f"{language}: one entry a line: {line}"
        key = json.loads(entry[1])
        value = json.loads(re.sub(r"\b(one|other):", r'"\1":', entry[2]) if entry[2].startswith("{") else entry[2])
        assert key not in found, f"{language}: {key} twice"
        found[key] = tuple(value.values()) if isinstance(value, dict) else (value,)
    return found


def wrong_characters(text: str, language: str) -> set[str]:
    """The characters of `text` that do not belong to the script of `language`."""
    wrong = {each for each in text if not _has(each, CHINESE[language])}
    return wrong | (set(text) & set(WRONG_IN_TRADITIONAL) if language == "zh-Hant" else set())


def _has(character: str, codec: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def glossary() -> list[tuple[dict[str, str], list[str]]]:
    """The terms: each in every language, and the keys of the texts that are held to it."""
    rows = [line.strip("|").split("|") for line in GLOSSARY.read_text().splitlines() if line.startswith("| ")]
    names = dict(zip(LANGUAGES, (0, 1, 2), strict=True))
    return [
        ({language: row[place].strip() for language, place in names.items()}, re.findall(r"`([^`]+)`", row[5]))
        for row in rows[1:]
    ]
