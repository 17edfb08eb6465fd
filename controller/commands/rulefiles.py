"""Rule files: a preset and what a table changes, in TOML. Reads one and finds everything that is wrong with it.

```toml
preset = "classic"
deck = "ours.toml"          # a deck of our own, found beside this file
[rules]
uno_penalty = 4
[match]
format = "own-points"
target = 100
```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import get_type_hints

from controller.rules.decks import with_deck
from controller.rules.matches import FORMATS, MatchError, MatchSettings, check_settings
from controller.rules.options import BY_NAME, PRESETS, OptionError, RuleSet, resolve
from controller.rules.places import line_of, line_of_word

HEAD = ("preset", "deck", "rules", "match")
MATCH = {
    name: kind for name, kind in get_type_hints(MatchSettings).items() if name != "teams" and kind in (str, int, bool)
}
_ROOMY: dict[str, object] = {"hand_size": 1, "decks": 20}
"""What leaves room for any one option, so that it is judged by itself."""


@dataclass(frozen=True)
class Problem:
    """What is wrong, and on which line (0: it cannot be told)."""

    line: int
    text: str


@dataclass(frozen=True)
class RuleFile:
    """A rule file that was read. `rules` is None when something is wrong, and then there are `problems`."""

    path: Path
    rules: RuleSet | None
    match: Mapping[str, object]
    problems: tuple[Problem, ...]
    readable: bool = True


def read(path: Path) -> RuleFile:
    """Read and judge the file at `path`; nothing is raised for what stands in it."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        return _unreadable(path, Problem(0, f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        return _unreadable(path, Problem(0, f"is not UTF-8 text: {error.reason}"))
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+)", str(error))
        return _unreadable(path, Problem(int(at[1]) if at else 0, f"is not TOML: {error}"))
    judge = _Judge(path, text)
    rules = judge.rules(data)
    match = judge.match(data.get("match", {}), rules)
    problems = tuple(sorted(judge.problems, key=lambda problem: problem.line))
    return RuleFile(path, None if problems else rules, match, problems)


def _unreadable(path: Path, problem: Problem) -> RuleFile:
    return RuleFile(path, None, {}, (problem,), readable=False)


def nearest(word: str, known: tuple[str, ...]) -> str:
    """What may have been meant, as the end of a sentence."""
    near = get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known)}"


class _Judge:
    """Collects what is wrong with one file."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text
        self.problems: list[Problem] = []

    def _wrong(self, table: str, key: str, text: str) -> None:
        line = line_of(self._text, table, key) or line_of(self._text, key)
        quoted = re.search(r"'([\w-]+)' is not possible here", text)
        if quoted:
            line = line_of_word(self._text, line, quoted[1])
        self.problems.append(Problem(line, text))

    def rules(self, data: Mapping[str, object]) -> RuleSet | None:
        """The rule set, as far as it can be made."""
        for key in data:
            if key not in HEAD:
                self._wrong("", key, f"there is no entry '{key}'; {nearest(key, HEAD)}")
        preset = data.get("preset", "attack")
        if not isinstance(preset, str) or preset not in PRESETS:
            self._wrong("", "preset", f"there is no preset {preset!r}; {nearest(str(preset), tuple(PRESETS))}")
            preset = "attack"
        options = data.get("rules", {})
        if not isinstance(options, dict):
            self._wrong("", "rules", "rules is a table: write [rules] on a line of its own")
            options = {}
        chosen = self._with_deck(data, options)
        places = {name: "" if name == "deck" and "deck" in data else "rules" for name in chosen}
        right = {name: value for name, value in chosen.items() if self._one(preset, name, value, places[name])}
        try:
            return resolve(preset, right)
        except OptionError as error:
            together = next((name for name in ("hand_size", "players", "decks", "deck") if name in options), "")
            self._wrong("rules", together, str(error))
            return None

    def _with_deck(self, data: Mapping[str, object], options: Mapping[str, object]) -> dict[str, object]:
        """The options, with files of decks found beside the rule file."""
        found = dict(options)
        if "deck" in data:
            if "deck" in options:
                self._wrong("", "deck", "the deck is named twice: above, and in [rules]")
            found["deck"] = data["deck"]
        return with_deck(found, self._path.parent)

    def _one(self, preset: str, name: str, value: object, table: str) -> bool:
        """Whether one option, set in `table`, is right by itself."""
        if name not in BY_NAME:
            self._wrong(table, name, f"there is no option '{name}'; {nearest(name, tuple(BY_NAME))}")
            return False
        try:
            resolve(preset, {**_ROOMY, name: value})
        except OptionError as error:
            self._wrong(table, name, str(error))
            return False
        return True

    def match(self, table: object, rules: RuleSet | None) -> Mapping[str, object]:
        """The match, as far as it can be judged without knowing who plays."""
        if not isinstance(table, dict):
            self._wrong("", "match", "match is a table: write [match] on a line of its own")
            return {}
        right: dict[str, object] = {}
        for name, value in table.items():
            kind = MATCH.get(name)
            if kind is None:
                self._wrong("match", name, f"there is no match setting '{name}'; {nearest(name, tuple(MATCH))}")
            elif type(value) is not kind:
                words = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
                self._wrong("match", name, f"match {name} = {value!r}: must be {words[kind]}")
            elif name == "format" and value not in FORMATS:
                self._wrong("match", name, f"there is no match format '{value}'; {nearest(str(value), FORMATS)}")
            else:
                right[name] = value
        error = _match_error(right, rules)
        if error:
            named = next((name for name in right if name in error), "")
            self._wrong("match", named, error)
        return right


def _match_error(settings: Mapping[str, object], rules: RuleSet | None) -> str:
    """Why no number of players could play this match; empty when some could."""
    error = ""
    for players in range(rules.least_players, rules.most_players + 1) if rules else (2, 4, 8):
        try:
            check_settings(MatchSettings(**settings), players)  # type: ignore[arg-type]  # checked one by one
        except MatchError as wrong:
            error = error or str(wrong)
        else:
            return ""
    return error
