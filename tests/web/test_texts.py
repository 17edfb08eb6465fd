"""The catalogues: in every language no key too few and none too many; a text for every reason, event and fault there
is; each script in its own characters, in the words of the glossary.
"""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from controller.rules.cards import RANKS, SKIP
from controller.rules.explain import LANGUAGES
from controller.rules.matches import FORMATS
from controller.rules.options import PRESETS
from controller.rules.refusals import REASONS
from hardware.sensors import JAMMED
from hardware.twin_faults import FAULTS
from tests.web.catalogues import CHINESE, catalogue, glossary, scripts, wrong_characters
from web_companion.assets import PAGES, Assets

ROOT = Path(__file__).parents[2]
WHOLE_FAMILIES = {  # keys put together from data: exactly these
    "rank.": RANKS[SKIP:],
    "preset.": PRESETS,
    "format.": [*FORMATS, *(f"{name}.sub" for name in FORMATS)],
}


def reasons_given() -> set[str]:
    """Every reason the table or the web gives, beside those of the rules."""
    found: set[str] = set()
    for folder in ("controller/table", "web_companion"):
        for path in (ROOT / folder).glob("*.py"):
            found |= set(re.findall(r'\b(?:Refuse|refused)\(\s*(?:\d+, )?"([a-z-]+)"', path.read_text()))
    return found


def fault_codes() -> set[str]:
    """Every code a fault of a launcher is made with."""
    codes = {JAMMED}
    for folder in ("hardware", "firmware_bridge", "controller"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fault":
                    first = node.args[0]
                    if isinstance(first, ast.Constant):
                        codes.add(str(first.value))
    return codes


def said_by_the_server() -> set[str]:
    """Keys of what the server says in English, so that English has no text for it here."""
    keys = {f"fault.{code}" for code in fault_codes()} - catalogue("en").keys()
    keys |= {f"twin.fault.{fault.name}" for fault in FAULTS}
    return keys | {f"twin.of.{fault.amount.of}" for fault in FAULTS if fault.amount}


def test_every_language_is_offered_and_has_its_files() -> None:
    offered = re.findall(r'\["([a-zA-Z-]+)", "[^"]+"\]', (PAGES / "js" / "language.js").read_text())
    assert offered == list(LANGUAGES)
    assert {path.stem for path in (PAGES / "texts").iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("language", CHINESE)
def test_no_key_is_missing_and_none_is_left_over(language: str) -> None:
    own = catalogue(language).keys()
    wanted = catalogue("en").keys() | said_by_the_server()
    assert (wanted - own, own - wanted) == (set(), set())


@pytest.mark.parametrize("language", CHINESE)
def test_the_same_is_filled_in_in_every_language(language: str) -> None:
    for key, forms in catalogue(language).items():
        assert len(forms) == 1, f"{key}: Chinese has one form for every number"
        assert fields(forms) == fields(catalogue("en").get(key, forms)), key


def fields(forms: tuple[str, ...]) -> set[str]:
    """What is filled in in any of the forms of a text."""
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name is not None}


@pytest.mark.parametrize("language", CHINESE)
def test_each_script_is_written_in_its_own_characters(language: str) -> None:
    for key, forms in catalogue(language).items():
        assert wrong_characters("".join(forms), language) == set(), key


def test_the_check_of_scripts_finds_the_other_script() -> None:
    assert wrong_characters("摸牌，发牌机里", "zh-Hant") == set("发机里")
    assert wrong_characters("抽牌，發牌器裡", "zh-Hans") == set("發裡")


def test_traditional_is_not_simplified_in_other_characters() -> None:
    """Players in Hong Kong and Taiwan say other words for these."""
    for key in ("play.draw", "host.launcher", "host.halt", "rank.wild", "host.save", "host.undo", "setup.partners.yes"):
        simplified, traditional = catalogue("zh-Hans")[key][0], catalogue("zh-Hant")[key][0]
        assert not set(simplified) >= set(traditional), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_keep_to_the_words_of_the_glossary(language: str) -> None:
    for words, keys in glossary() if language in CHINESE else []:
        for key in keys:
            assert words[language] in catalogue(language)[key][0], (key, words["en"])
    assert len(glossary()) >= 40
    assert all(all(words.values()) and keys for words, keys in glossary())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words(language: str) -> None:
    wanted = {f"refused.{reason}" for reason in {*REASONS, *reasons_given()}}
    assert wanted - catalogue(language).keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_words_or_says_nothing(language: str) -> None:
    sentences = (PAGES / "js" / "sentences.js").read_text()
    silent = set(re.findall(r'"([a-z-]+)"', sentences[sentences.index("const SILENT") :].partition("\n")[0]))
    made = (ROOT / "controller" / "rules" / "views.py").read_text()
    events = set(re.findall(r'"e": "([a-z-]+)"', made)) | set(re.findall(r'\be\.[A-Z]\w+: "([a-z-]+)"', made))
    for path in (ROOT / "controller" / "table").glob("*.py"):
        events |= set(re.findall(r'\.tell\(\s*"([a-z-]+)"', path.read_text()))
    assert len(events) > 40
    said = {key.removeprefix("said.").partition(".")[0] for key in catalogue(language) if key.startswith("said.")}
    assert events - said - silent == set()


@pytest.mark.parametrize(("family", "names"), WHOLE_FAMILIES.items(), ids=str)
def test_a_family_of_keys_is_whole(family: str, names: list[str]) -> None:
    assert {key.removeprefix(family) for key in catalogue("en") if key.startswith(family)} == set(names)


def test_every_key_that_is_asked_for_exists() -> None:
    asked = set(re.findall(r'\b(?:t|maybe)\("([^"]+)"', scripts()))
    assert len(asked) > 100
    assert asked - catalogue("en").keys() == set()


def test_every_key_is_asked_for() -> None:
    text = scripts()
    families = set(re.findall(r"\b(?:t|maybe)\(`([^`$]+)\$\{", text))
    asked = set(re.findall(r'"([a-z]+\.[a-zA-Z0-9.-]+)"', text))
    unused = {key for key in catalogue("en").keys() - asked if not any(key.startswith(family) for family in families)}
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


def test_every_page_gets_the_texts_of_its_own_scripts_and_no_others() -> None:
    assets = Assets()
    served: dict[str, set[str]] = {}
    for page in (path for path in PAGES.glob("*.html")):
        script = re.findall(r'modulepreload" href="/a/-/js/([a-z]+)\.js"', page.read_text())[0]
        for language in LANGUAGES:
            file = assets.get(f"texts/{script}/{language}.js")
            assert file is not None, (script, language)
            keys = re.findall(r'^"([^"]+)":', file.plain.decode(), flags=re.MULTILINE)
            served.setdefault(language, set()).update(keys)
            if script == "play":
                assert "play.hand" in keys
                assert not any(key.startswith(("service.", "tally.")) for key in keys)
    assert {language: catalogue(language).keys() - keys for language, keys in served.items()} == {
        language: set() for language in LANGUAGES
    }
