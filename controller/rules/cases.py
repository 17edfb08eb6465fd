"""Case files: a few moves of a game and what must be true. Reads them, plays them, and says where one does not hold.

The steps' language is `casesteps`; here are the head of a file, the position it makes, and the runner behind
`uno-attack case`.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .cards import COLOUR_OF, NAME_OF, NO_COLOUR, RANK_OF, UNKNOWN, CardError, parse_card, parse_colour
from .casesteps import CaseError, play_step
from .decks import with_deck
from .game import Game
from .line import write
from .matches import MatchError, MatchSettings
from .notation import describe
from .options import OptionError, RuleSet, resolve
from .places import line_of_problem
from .position import PLAY, START, Position, next_seats
from .refusals import Refused
from .rotation import sitting
from .rounds import deal_hands, settle, turn_up
from .taking import pass_turn, settle_debts

HEAD = (
    "title", "preset", "rules", "players", "table", "top", "colour", "turn", "direction", "dealer", "hands", "pile",
    "discards", "scores", "match", "steps",
)  # fmt: skip
_MATCH_KINDS: tuple[tuple[str, type], ...] = (
    ("format", str), ("target", int), ("rounds", int), ("forfeits", bool), ("rotation", str), ("cycles", int),
    ("partners", bool),
)  # fmt: skip
MATCH = (*(key for key, _ in _MATCH_KINDS), "teams")


class CaseChance:
    """Chance in a case file: nothing is shuffled, and a start card put back lies directly below `pile`."""

    def __init__(self, rest: int) -> None:
        self._rest = rest

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Leave `cards` as they are."""

    def below(self, bound: int) -> int:
        """As many cards lie above it as are left of `pile`."""
        return max(0, bound - 1 - self._rest)


@dataclass
class Case:
    """A case file that was read: its title, the game at its beginning, its steps and its chance."""

    title: str
    game: Game
    steps: list[str]
    chance: CaseChance


@dataclass
class Outcome:
    """How a case file went. `step` counts from 1; 0: it could not be read."""

    file: str
    title: str
    ok: bool
    readable: bool = True
    step: int = 0
    text: str = ""
    problem: str = ""
    position: list[str] = field(default_factory=list)
    shown: list[tuple[str, list[str]]] = field(default_factory=list)


def _known(what: str, key: str, known: Sequence[str]) -> None:
    if key not in known:
        near = get_close_matches(key, known, n=1)
        meant = f", did you mean '{near[0]}'?" if near else f"; known are {', '.join(known)}"
        raise CaseError(f"{what} '{key}' is not known{meant}")


def _cards(where: str, texts: object) -> list[int]:
    """Cards as a case file lists them, `x3` behind one repeats it."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise CaseError(f"{where}: must be a list of cards")
    cards: list[int] = []
    for text in texts:
        name, _, times = text.rpartition(" x")
        if not times.isdigit() or not name:
            name, times = text, "1"
        try:
            cards += [parse_card(name)] * int(times)
        except CardError as error:
            raise CaseError(f"{where}: {error}") from error
    return cards


def _seat(data: dict[str, Any], key: str, players: list[str]) -> int:
    if data[key] not in players:
        raise CaseError(f"{key} = {data[key]!r}: there is no such player; they are {', '.join(players)}")
    return players.index(data[key])


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise CaseError(f"[{key}] must be a table")
    return table


def _text(data: dict[str, Any], key: str, default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise CaseError(f"{key} = {value!r}: must be a text in quotes")
    return value


def _players(data: dict[str, Any]) -> list[str]:
    players = data.get("players")
    if not isinstance(players, list) or len(players) < 2 or not all(isinstance(name, str) and name for name in players):
        raise CaseError("players = [...] is needed: two names at least, in seat order")
    if len(set(players)) != len(players) or "table" in players:
        raise CaseError("players: every name once, and none of them 'table'")
    return players


def _settings(data: dict[str, Any], players: list[str]) -> MatchSettings:
    table = _table(data, "match")
    for key in table:
        _known("[match] entry", key, MATCH)
    teams = tuple(tuple(_seat({"teams": name}, "teams", players) for name in team) for team in table.get("teams", []))
    values = {key: value for key, value in table.items() if key != "teams"}
    for key, kind in _MATCH_KINDS:
        if key in values and type(values[key]) is not kind:
            raise CaseError(f"[match] {key} = {values[key]!r}: must be {kind.__name__}")
    if "rotation" in values:
        values.setdefault("target", 0)
    return replace(MatchSettings(teams=teams), **values)


def read_case(text: str, beside: Path | None = None) -> Case:
    """The case a text says; a deck of one's own is found `beside` it first.

    Raises `CaseError`, naming the line where TOML knows one, else the entry.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"not TOML: {error}") from error
    for key in data:
        _known("entry", key, HEAD)
    players = _players(data)
    try:
        rules = resolve(_text(data, "preset", "attack"), with_deck(_table(data, "rules"), beside))
        settings = _settings(data, players)
        physical = _physical(data)
        game = Game(rules, players, settings, physical)
    except (OptionError, MatchError) as error:
        raise CaseError(str(error)) from error
    chance = _set_up(game.position, data, players, rules)
    game.position.mood = game.position.find_mood()
    steps = data.get("steps", [])
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise CaseError("steps must be a list of texts")
    return Case(_text(data, "title", ""), Game.at(game.position), steps, chance)


def _physical(data: dict[str, Any]) -> bool:
    table = _text(data, "table", "digital")
    _known("table", table, ("digital", "physical"))
    return table == "physical"


def _set_up(pos: Position, data: dict[str, Any], players: list[str], rules: RuleSet) -> CaseChance:
    """Make `pos` the position the head of the file describes."""
    pos.dealer = _seat(data, "dealer", players) if "dealer" in data else len(players) - 1
    pos.match = replace(pos.match, number=1, scores=_scores(data, players))
    if pos.settings.rotation:
        pos.seating = sitting(pos.settings.rotation, 1).tables[0]
    pos.begin_round((1 << len(players)) - 1)
    hands = _table(data, "hands")
    for name in hands:
        _known("[hands] player", name, players)
        pos.hands[players.index(name)] = bytearray(_cards(f"[hands] {name}", hands[name]))
    pile = _cards("pile", data.get("pile", []))
    under = _cards("discards", data.get("discards", []))
    top = _cards("top", [data["top"]]) if "top" in data else []
    rest = _rest_of_deck(rules, [*(card for hand in pos.hands for card in hand), *pile, *under, *top])
    unknown = sum(hand.count(UNKNOWN) for hand in pos.hands)
    if pos.physical:
        if unknown > len(rest):
            raise CaseError(f"[hands]: {unknown} unknown cards, and the deck has only {len(rest)} that are not named")
        rest = [UNKNOWN] * (len(rest) - unknown)
    elif unknown:
        raise CaseError("[hands]: unknown cards are for physical tables")
    pos.pile = bytearray([*rest[::-1], *pile[::-1]])
    deal_hands(pos, rules.hand_size)
    chance = CaseChance(min(len(rest), len(pos.pile)))
    _face_up(pos, data, players, under, top, chance)
    return chance


def _scores(data: dict[str, Any], players: list[str]) -> tuple[int, ...]:
    scores = _table(data, "scores")
    for name, score in scores.items():
        _known("[scores] player", name, players)
        if type(score) is not int:
            raise CaseError(f"[scores] {name} = {score!r}: must be a whole number")
    return tuple(scores.get(name, 0) for name in players)


def _rest_of_deck(rules: RuleSet, named: list[int]) -> list[int]:
    """What is left of the deck, in deck order, without the cards that are named."""
    left = list(rules.counts)
    for card in named:
        if card == UNKNOWN:
            continue
        left[card] -= 1
        if left[card] < 0:
            held = rules.counts[card]
            problem = f"'{NAME_OF[card]}' is named more often than the deck {rules.deck} holds it ({held})"
            raise CaseError(f"{problem}: take one away, or play with more decks")
    rest = []
    for card in dict.fromkeys(rules.deck_order):
        rest += [card] * left[card]
    return rest


def _face_up(
    pos: Position, data: dict[str, Any], players: list[str], under: list[int], top: list[int], chance: CaseChance
) -> None:
    way = _text(data, "direction", pos.rules.start_direction)
    _known("direction", way, ("clockwise", "counterclockwise"))
    if (pos.step > 0) != (way == "clockwise"):
        pos.turn_round()
    if not top:
        _start_card(pos, data, players, under, chance)
        return
    pos.phase = PLAY
    pos.discards = bytearray([*under, *top])
    colour = COLOUR_OF[top[0]]
    if "colour" in data:
        try:
            colour = parse_colour(_text(data, "colour", ""))
        except CardError as error:
            raise CaseError(str(error)) from error
    elif colour == NO_COLOUR and top[0] != UNKNOWN:
        raise CaseError(f"a {NAME_OF[top[0]]} on top needs colour = ...")
    pos.show_top(colour, RANK_OF[top[0]])
    left = next_seats(pos.seating, pos.inside, 1)[pos.dealer]
    first = pos.dealer if pos.rules.first_player == "dealer" else left
    pass_turn(pos, _seat(data, "turn", players) if "turn" in data else first)


def _start_card(pos: Position, data: dict[str, Any], players: list[str], under: list[int], chance: CaseChance) -> None:
    """Turned from the pile, in the direction that is said; `turn` says who plays once it has done what it does."""
    if "colour" in data or under:
        raise CaseError("colour and discards go with a top card")
    if pos.physical:
        if "turn" in data:
            raise CaseError("turn goes with a top card at a physical table: the start card says who plays first")
        pos.phase = START
        return
    if not pos.pile:
        raise CaseError("no card is left to be turned up: all are in the hands")
    turn_up(pos, chance, [])
    if "turn" in data:
        seat = _seat(data, "turn", players)
        if pos.debts:
            pos.resume = seat
        else:
            pass_turn(pos, seat)
    settle_debts(pos, [])
    settle(pos, [])


def run_case(file: str, text: str, show: bool = False) -> Outcome:
    """Play one case file."""
    try:
        case = read_case(text, Path(file).parent)
    except CaseError as error:
        line = line_of_problem(text, str(error))
        return Outcome(file, "", ok=False, readable=False, problem=f"line {line}: {error}" if line else str(error))
    outcome = Outcome(file, case.title or Path(file).name, ok=True)
    for number, step in enumerate(case.steps, 1):
        try:
            problem = play_step(case.game, step, case.chance)
        except CaseError as error:
            return replace(outcome, ok=False, readable=False, step=number, text=step, problem=str(error))
        except Refused as error:
            problem = f"refused: {error}"
        position = [*describe(case.game.position), write(case.game.position)]
        if show:
            outcome.shown.append((step, position))
        if problem:
            return replace(outcome, ok=False, step=number, text=step, problem=problem, position=position)
    return outcome


def run_files(paths: Sequence[str], as_json: bool = False, show: bool = False) -> int:
    """Play case files and print how they went; a directory stands for the `*.toml` files in it.

    0: all hold; 1: one does not; 2: one cannot be read, or there is none.
    """
    if not paths:
        sys.stderr.write("no case files: name some, or a directory of *.toml files\n")
        return 2
    outcomes = []
    for path in (found for named in paths for found in _files_of(named)):
        if Path(path).is_dir():
            outcomes.append(Outcome(path, "", ok=False, readable=False, problem="no case files (*.toml) in it"))
            continue
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            outcomes.append(Outcome(path, "", ok=False, readable=False, problem=f"cannot be read: {error}"))
            continue
        outcomes.append(run_case(path, text, show))
    if as_json:
        json.dump([vars(outcome) for outcome in outcomes], sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        for outcome in outcomes:
            _print(outcome)
    if not all(outcome.readable for outcome in outcomes):
        return 2
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _files_of(path: str) -> list[str]:
    """The case files of a directory, itself when there is none; any other path is one file."""
    if not Path(path).is_dir():
        return [path]
    return sorted(str(found) for found in Path(path).glob("*.toml") if not found.is_dir()) or [path]


def _print(outcome: Outcome) -> None:
    out = sys.stdout.write
    for step, position in outcome.shown:
        out(f"    {step}\n")
        for line in position:
            out(f"        {line}\n")
    if outcome.ok:
        out(f"ok {outcome.file}: {outcome.title}\n")
        return
    where = f" step {outcome.step}: {outcome.text}" if outcome.step else ""
    word = "FAILS" if outcome.readable else "CANNOT BE READ"
    out(f"{word} {outcome.file}{where}\n    {outcome.problem}\n")
    for line in outcome.position:
        out(f"    {line}\n")
