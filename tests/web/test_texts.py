"""The catalogue: no key too few, none too many, and a text for every reason the rules and the table may give."""

from __future__ import annotations

import re

from controller.rules.refusals import REASONS
from web_companion.assets import PAGES

OF_THE_TABLE = (
    "paused", "firing", "fault", "not-host", "not-your-seat", "table-closed", "too-fast", "bad-command", "no-game",
    "table-full", "name-taken", "no-bots", "shot-count", "game-on", "no-orders", "not-paused", "no-twin",
    "bad-fault", "busy", "real-cards-only", "no-deal", "no-count",
)  # fmt: skip
OF_THE_WEB = (
    "bad-name", "wrong-code", "too-many-guesses", "too-many", "too-big", "not-joined", "foreign-host", "foreign-origin",
)  # fmt: skip


def catalogue() -> set[str]:
    text = (PAGES / "texts" / "en.js").read_text()
    keys = re.findall(r'^  "([^"]+)":', text, flags=re.MULTILINE)
    assert len(keys) == len(set(keys))
    return set(keys)


def scripts() -> str:
    return "\n".join(path.read_text() for path in sorted((PAGES / "js").glob("*.js")))


def test_every_reason_has_words() -> None:
    wanted = {f"refused.{reason}" for reason in (*REASONS, *OF_THE_TABLE, *OF_THE_WEB)}
    assert wanted - catalogue() == set()


def test_every_key_that_is_asked_for_exists() -> None:
    asked = set(re.findall(r'\b(?:t|maybe)\("([^"]+)"', scripts()))
    assert len(asked) > 100
    assert asked - catalogue() == set()


def test_every_key_is_asked_for() -> None:
    text = scripts()
    families = set(re.findall(r"\b(?:t|maybe)\(`([^`$]+)\$\{", text))
    asked = set(re.findall(r'"([a-z]+\.[a-zA-Z0-9.-]+)"', text))
    unused = {key for key in catalogue() - asked if not any(key.startswith(family) for family in families)}
    assert unused == set()


def test_no_page_has_words_of_its_own() -> None:
    for path in (PAGES / "js").glob("*.js"):
        literals = re.findall(r'h\("[a-z0-9]+", \{[^{}]*\}, "([^"]+)"', path.read_text())
        assert [literal for literal in literals if re.search(r"[A-Za-z]{2}", literal)] == [], path.name


def test_no_page_has_inline_script_or_style() -> None:
    for path in PAGES.glob("*.html"):
        text = path.read_text()
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=|javascript:", text) == [], path.name
        assert re.findall(r"""(?:src|href)="(?!/a/-/)""", text) == [], path.name


def test_the_keyed_update_stays_small() -> None:
    assert len((PAGES / "js" / "view.js").read_text().splitlines()) <= 150
