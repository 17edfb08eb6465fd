"""The options of a table as data: one table of what there is feeds validation, presets, pages and documents.

`resolve` turns a preset and what is set on top of it into a `RuleSet`, which the engine reads. There is no other place
where a preset's name decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cached_property

from .cards import RANKS
from .decks import Deck, DeckError, deck
from .fits import FIRST_LAST, HOUSE_RANKS, last_table, plain_table
from .records import record

REVISION = 1
"""Raised whenever a later version of the rules would tell an old game otherwise."""

Value = str | int | bool | tuple[str, ...]
YES_NO = "yes-no"
UNITS = "units"
WHOLE = "whole"
LIST = "list"
PLAYERS = "players"
DECK = "deck"
CHOICE = "choice"
LAST_CARD = "last-card"

DEFENCES = (
    "draw-two", "wild-draw-four", "skip", "reverse", "draw-two-pair", "hit-1", "hit-2", "wild-hit-4",
    "wild-attack-attack",
)  # fmt: skip


class OptionError(ValueError):
    """An option that is unknown, has an impossible value, or contradicts another; says which and what it should be."""


@record
class Option:
    """One option: its `kind` of value, the `choices` where it has a list of them, its value under `attack`.

    Numbers go from `least` to `most`.
    """

    name: str
    kind: str
    default: Value
    section: str
    text: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 999


def _choice(name: str, default: str, section: str, text: str, *choices: str) -> Option:
    return Option(name, CHOICE, default, section, text, choices)


OPTIONS: tuple[Option, ...] = (
    Option("deck", DECK, "attack-1998", "1", "which cards are played with"),
    Option("decks", WHOLE, 1, "2", "how many decks are shuffled together", least=1, most=20),
    _choice("draw_from", "launcher", "4", "cards come out of the launcher, or from a pile", "launcher", "pile"),
    Option("players", PLAYERS, "2-9", "2", "how few and how many may play"),
    Option("hand_size", WHOLE, 7, "3", "cards dealt to each player", least=1),
    _choice("next_dealer", "winner", "3", "who deals the next round", "winner", "loser"),
    _choice("first_player", "left-of-dealer", "3", "who begins", "left-of-dealer", "dealer"),
    _choice("start_direction", "clockwise", "3", "which way play goes at first", "clockwise", "counterclockwise"),
    _choice("start_reverse", "dealer", "3", "who begins when a reverse is turned up", "dealer", "right-of-dealer"),
    _choice(
        "start_wild", "first-player-names", "3", "what a wild turned up at the start does",
        "first-player-names", "left-of-dealer-names", "put-back",
    ),
    Option("voluntary_draw", YES_NO, True, "4", "a player holding a playable card may take one all the same"),
    _choice(
        "after_draw", "play", "4", "what may be played after taking cards because nothing fitted",
        "end", "play", "play-number", "race-number", "until-playable",
    ),
    _choice("after_voluntary_draw", "end", "4", "the same, after cards taken by choice", "same", "end"),
    Option("last_card", LAST_CARD, ("trade-hands",), "2", "cards that may be the last: any, numbers, or all but these"),
    Option("uno_penalty", UNITS, 2, "6", "units for being caught without a call"),
    _choice(
        "catch_window", "next-begins", "6", "how long a player without a call can be caught",
        "next-begins", "next-plays", "while-one-card",
    ),
    Option("swap_owes_call", YES_NO, False, "6", "a hand that came down to one card by a swap must be called too"),
    Option("false_uno_penalty", UNITS, 0, "6", "units for a wrong call; 0: the call is refused"),
    Option("false_catch_penalty", UNITS, 0, "6", "units for a wrong catch; 0: the catch is refused"),
    _choice(
        "wild_four", "any-time", "5", "when a wild draw four may be played",
        "any-time", "no-colour", "no-match", "no-other",
    ),
    Option("challenge", YES_NO, False, "5", "a wild draw four may be challenged, and so bluffed"),
    Option("challenge_guilty", UNITS, 4, "5", "units for a bluff that is challenged"),
    Option("challenge_innocent", UNITS, 6, "5", "units for a challenge that was wrong"),
    _choice("guilty_next", "plays", "5", "what a challenger who was right does next", "plays", "skipped"),
    Option("defend", LIST, (), "6", "which cards answer a penalty and pass it on", DEFENCES),
    _choice("after_chain", "match", "6", "what may follow a penalty that could be answered", "match", "colour-only"),
    Option("wild_after_draw", YES_NO, True, "6", "a wild may follow a draw card that has been paid for"),
    _choice("two_player_reverse", "skip", "5", "what a reverse does with two players", "skip", "plain"),
    _choice("sets", "off", "6", "several cards may be played together", "off", "identical", "rank"),
    _choice("set_effects", "each", "6", "every card of a set counts, or the set as one card", "each", "once"),
    _choice(
        "jump_in", "off", "6", "the very same card may be played out of turn", "off", "numbers", "coloured", "identical"
    ),
    _choice("zero", "plain", "6", "what a zero does", "plain", "rotate-hands"),
    _choice("red_zero", "plain", "6", "what a red zero does", "plain", "draw-ten"),
    _choice("seven", "plain", "6", "what a seven does", "plain", "swap-hands"),
    _choice("two", "plain", "6", "what a two does", "plain", "silence"),
    _choice("nine", "plain", "6", "what a nine does", "plain", "slap"),
    _choice("misplay", "reject", "6", "a card that does not fit is refused, or costs two units", "reject", "penalty"),
    Option("advice_penalty", UNITS, 0, "6", "units for giving advice; 0: off"),
    _choice("hit_fire", "until-fire", "5", "how long a hit-fire lasts", "until-fire", "until-colour"),
    _choice("attack_attack_next", "second", "5", "who plays after an attack-attack", "second", "next"),
    Option("reload_below", WHOLE, 20, "8", "the table is told when fewer cards than this are left in the hopper"),
    _choice("tracking", "all", "9", "at a physical table: name every card, or those with an effect", "all", "effects"),
)  # fmt: skip
BY_NAME: dict[str, Option] = {option.name: option for option in OPTIONS}

_CLASSIC: dict[str, Value] = {
    "deck": "classic-108", "draw_from": "pile", "players": "2-10", "start_reverse": "right-of-dealer",
    "after_voluntary_draw": "same", "last_card": "any", "false_uno_penalty": 2, "false_catch_penalty": 2,
    "wild_four": "no-colour", "challenge": True,
}  # fmt: skip
_STACK: dict[str, Value] = {
    "deck": "classic-108", "draw_from": "pile", "players": "2-8", "start_reverse": "right-of-dealer",
    "after_draw": "race-number", "after_voluntary_draw": "same", "last_card": "numbers",
    "catch_window": "while-one-card", "defend": ("draw-two", "wild-draw-four", "skip", "reverse"),
    "after_chain": "colour-only", "two_player_reverse": "plain", "sets": "identical", "set_effects": "once",
}  # fmt: skip
_SHEET: dict[str, Value] = {"after_draw": "end", "advice_penalty": 4}

PRESETS: dict[str, dict[str, Value]] = {
    "attack": {},
    "attack-sheet": _SHEET,
    "extreme": {**_SHEET, "deck": "extreme-2012"},
    "attack-2015": {**_SHEET, "deck": "attack-2015"},
    "mega-hit": {
        **_SHEET, "deck": "mega-hit", "defend": ("hit-1", "hit-2", "wild-attack-attack"), "attack_attack_next": "next",
    },
    "classic": _CLASSIC,
    "classic-dealer-first": {
        **_CLASSIC, "first_player": "dealer", "start_reverse": "dealer", "start_direction": "counterclockwise",
    },
    "classic-clockwise": {**_CLASSIC, "first_player": "dealer", "start_reverse": "dealer", "guilty_next": "skipped"},
    "classic-strict": {
        **_CLASSIC, "wild_four": "no-match", "defend": ("draw-two", "wild-draw-four", "draw-two-pair"), "sets": "rank",
        "jump_in": "coloured", "voluntary_draw": False, "false_catch_penalty": 0,
    },
    "stack": _STACK,
    "killer": {
        **_STACK, "after_draw": "until-playable", "jump_in": "identical", "zero": "rotate-hands",
        "red_zero": "draw-ten", "two": "silence", "nine": "slap",
    },
}  # fmt: skip
"""What each preset sets differently from `attack`, whose values are the options' defaults (rules §2)."""


@dataclass(frozen=True)
class RuleSet:
    """All options of one table, resolved; a field an option. Built by `resolve` only."""

    preset: str
    deck: str
    decks: int
    draw_from: str
    players: str
    hand_size: int
    next_dealer: str
    first_player: str
    start_direction: str
    start_reverse: str
    start_wild: str
    voluntary_draw: bool
    after_draw: str
    after_voluntary_draw: str
    last_card: str | tuple[str, ...]
    uno_penalty: int
    catch_window: str
    swap_owes_call: bool
    false_uno_penalty: int
    false_catch_penalty: int
    wild_four: str
    challenge: bool
    challenge_guilty: int
    challenge_innocent: int
    guilty_next: str
    defend: tuple[str, ...]
    after_chain: str
    wild_after_draw: bool
    two_player_reverse: str
    sets: str
    set_effects: str
    jump_in: str
    zero: str
    red_zero: str
    seven: str
    two: str
    nine: str
    misplay: str
    advice_penalty: int
    hit_fire: str
    attack_attack_next: str
    reload_below: int
    tracking: str

    @cached_property
    def options(self) -> dict[str, Value]:
        """Every option by name with its value."""
        return {name: value for name, value in asdict(self).items() if name != "preset"}

    @cached_property
    def changed(self) -> dict[str, Value]:
        """The options that differ from the preset's own values."""
        own = {**{option.name: option.default for option in OPTIONS}, **PRESETS[self.preset]}
        return {name: value for name, value in self.options.items() if value != own[name]}

    @cached_property
    def cards(self) -> Deck:
        """The deck played with (one of them, when several are shuffled together)."""
        return deck(self.deck)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many of each kind are in the game, all decks together."""
        return tuple(count * self.decks for count in self.cards.counts)

    @cached_property
    def deck_order(self) -> tuple[int, ...]:
        """All cards of the game in deck order, copies together (casefile: deck order)."""
        return tuple(card for card in dict.fromkeys(self.cards.cards) for _ in range(self.counts[card]))

    @cached_property
    def may_be_last(self) -> bytes:
        """By kind: 1 when the card may be the last one played (`last_card`)."""
        return last_table(self.last_card)

    @cached_property
    def any_last(self) -> bool:
        """Whether every card may be the last."""
        return self.last_card == "any"

    @cached_property
    def plain(self) -> bytes:
        """By kind: 1 when playing the card does nothing but show it."""
        busy = (rank for rank, names in HOUSE_RANKS.items() if any(getattr(self, name) != "plain" for name in names))
        return plain_table(frozenset(busy))

    @cached_property
    def swift(self) -> bool:
        """Whether the short way through `apply` serves this table: no penalty can be answered, taking cards is free."""
        return (
            self.launcher
            and not self.defend
            and not self.challenge
            and self.wild_four == "any-time"
            and self.voluntary_draw
            and self.after_draw in ("play", "end")
            and self.wild_after_draw
            and self.catch_window == "next-begins"
            and self.hit_fire == "until-fire"
        )

    @cached_property
    def launcher(self) -> bool:
        """Whether units are hits of the launcher."""
        return self.draw_from == "launcher"

    @cached_property
    def least_players(self) -> int:
        """How few may play."""
        return int(self.players.partition("-")[0])

    @cached_property
    def most_players(self) -> int:
        """How many may play."""
        return int(self.players.partition("-")[2])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)


def shown(value: Value) -> str:
    """An option's value as people write it."""
    return _shown(value)


def _nearest(word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"it is one of {', '.join(known)}"


def _words(option: Option, value: object, known: tuple[str, ...]) -> tuple[str, ...]:
    """A list of words; a word alone is the list of one."""
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise OptionError(f"option {option.name} = {_shown(value)}: must be a list of words")
    for item in value:
        if item not in known:
            raise OptionError(f"option {option.name}: '{item}' is not possible here; {_nearest(item, known)}")
    return tuple(value)


def _checked(option: Option, value: object) -> Value:
    """`value` in the form the rules use. Raises `OptionError`."""
    if option.kind == YES_NO:
        if not isinstance(value, bool):
            raise OptionError(f"option {option.name} = {_shown(value)}: must be true or false")
        return value
    if option.kind in (UNITS, WHOLE):
        least, most = option.least, option.most
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise OptionError(f"option {option.name} = {_shown(value)}: must be a whole number from {least} to {most}")
        return value
    if option.kind == LIST:
        return _words(option, value, option.choices)
    if option.kind == LAST_CARD:
        if isinstance(value, str):
            return value if value in FIRST_LAST else _words(option, value, (*RANKS, *FIRST_LAST))
        return _words(option, value, RANKS)
    if not isinstance(value, str):
        raise OptionError(f"option {option.name} = {_shown(value)}: must be a text in quotes")
    if option.kind == PLAYERS:
        found = re.fullmatch(r"(\d{1,3})-(\d{1,3})", value)
        if not found or not 2 <= int(found[1]) <= int(found[2]):
            raise OptionError(f'option players = "{value}": must be least-most, like "2-9", with 2 at least')
    elif option.kind == DECK:
        try:
            deck(value)
        except DeckError as error:
            raise OptionError(f"option deck: {error}") from error
    elif value not in option.choices:
        raise OptionError(f"option {option.name} = {value} is not possible; {_nearest(value, option.choices)}")
    return value


def resolve(preset: str = "attack", overrides: Mapping[str, object] | None = None) -> RuleSet:
    """The rule set of `preset` with `overrides` on top. Raises `OptionError`: what is wrong, what was meant."""
    if preset not in PRESETS:
        raise OptionError(f"there is no preset '{preset}'; {_nearest(preset, tuple(PRESETS))}")
    values: dict[str, Value] = {**{option.name: option.default for option in OPTIONS}, **PRESETS[preset]}
    for name, value in (overrides or {}).items():
        if name not in BY_NAME:
            raise OptionError(f"there is no option '{name}'; {_nearest(name, tuple(BY_NAME))}")
        values[name] = _checked(BY_NAME[name], value)
    rules = RuleSet(preset=preset, **values)  # type: ignore[arg-type]  # checked one by one by `_checked`
    require_hands(rules, rules.least_players)
    return rules


def require_hands(rules: RuleSet, players: int) -> None:
    """Raises `OptionError` when the hands of `players` players leave no card to begin with (rules §2)."""
    total = len(rules.deck_order)
    if rules.hand_size * players > total - 1:
        raise OptionError(
            f"option hand_size = {rules.hand_size}: {players} players would take {rules.hand_size * players} cards, "
            f"and there are {total}; at most {(total - 1) // players} each, or more decks"
        )
