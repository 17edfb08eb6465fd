"""A whole position on one line of text, and back: for logs, errors, `--show` and tests.

`1 attack digital Ann:r5rH,Bo:g1g2 phase=play turn=0 discards=r5 pile=b1b2g9`: version, rules (the preset and what is
set on top), table, every player with the hand, then `name=value` for whatever is not as in a fresh round. A card is two
characters: colour (r y g b) and rank (0-9, s skip, r reverse, d draw-two, h hit-1, H hit-2, a discard-all, t
trade-hands), or `w` and w 4 H a f x c for the wilds in the order of their ranks; `??` is an unknown card. `redacted` is
what one seat may know of a position: other hands, the pile and a challenge's evidence are unknown cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import quote, unquote

from .cards import COLOURS, FIRST_WILD, KINDS, NO_COLOUR, RANK_OF, UNKNOWN
from .matches import MatchError, MatchSettings, MatchState, RoundResult, check_settings, new_match
from .options import BY_NAME, PRESETS, OptionError, Value, resolve, shown
from .position import Chain, Debt, Position, Shot, next_seats

VERSION = "1"
_RANKS = "0123456789srdhHat"
_WILDS = "w4Hafxc"
_PHASES = ("before", "start", "play", "count", "round-over", "match-over")


class LineError(ValueError):
    """A line that is no position: says which part and why."""


def card_code(card: int) -> str:
    """Two characters for a kind."""
    if card == UNKNOWN:
        return "??"
    if card >= FIRST_WILD:
        return "w" + _WILDS[card - FIRST_WILD]
    return COLOURS[(card - 1) // len(_RANKS)][0] + _RANKS[RANK_OF[card]]


_CODES = {card_code(card): card for card in range(KINDS)}


def cards_code(cards: Iterable[int]) -> str:
    """Cards one after the other; `-` for none."""
    return "".join(map(card_code, cards)) or "-"


def _cards(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    codes = [text[at : at + 2] for at in range(0, len(text), 2)]
    for code in codes:
        if code not in _CODES:
            raise LineError(f"'{code}' in '{text}' is no card")
    return tuple(_CODES[code] for code in codes)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise LineError(f"'{text}' is no whole number") from error


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(_number(part) for part in text.split(",") if part)


def _list(numbers: Iterable[int]) -> str:
    return ",".join(str(number) for number in numbers)


def _value(text: str, like: Value) -> Value:
    if text.startswith("["):
        return tuple(part for part in text[1:-1].split("+") if part)
    if isinstance(like, bool):
        return text == "true"
    return _number(text) if isinstance(like, int) else unquote(text)


def _rules_code(pos: Position) -> str:
    parts = [pos.rules.preset]
    for name, value in pos.rules.changed.items():
        text = "[" + "+".join(value) + "]" if isinstance(value, tuple) else quote(shown(value), safe="")
        parts.append(f"{name}={text}")
    return ",".join(parts)


def _debt_code(debt: Debt) -> str:
    flags = "".join(flag for flag, on in zip("clo", (debt.card, debt.loses, debt.own), strict=True) if on)
    return f"{debt.seat}:{debt.units}:{debt.until}:{debt.why}:{flags}:{debt.limits}"


def _debt(text: str) -> Debt:
    parts = text.split(":")
    if len(parts) != 6:
        raise LineError(f"'{text}' says no debt")
    seat, units, until, why, flags, limits = parts
    return Debt(_number(seat), _number(units), until, why, "c" in flags, "l" in flags, "o" in flags, _number(limits))


def _chain_code(chain: Chain) -> str:
    flags = "".join(
        flag
        for flag, on in zip(
            "h4gac", (chain.hits, chain.four, chain.guilty, chain.answered, chain.accepted), strict=True
        )
        if on
    )
    return f"{chain.cards}:{flags}:{chain.first}:{cards_code(chain.evidence)}"


def _chain(text: str) -> Chain:
    parts = text.split(":")
    if len(parts) != 4:
        raise LineError(f"'{text}' says no live penalty")
    cards, flags, first, evidence = parts
    return Chain(
        "h" in flags,
        _number(cards),
        "4" in flags,
        _number(first),
        "g" in flags,
        "a" in flags,
        _cards(evidence),
        "c" in flags,
    )


def _seat_and_cards(text: str) -> tuple[int, tuple[int, ...]]:
    seat, colon, cards = text.partition(":")
    if not colon:
        raise LineError(f"'{text}' is not SEAT:CARDS")
    return _number(seat), _cards(cards)


def _result_code(result: RoundResult) -> str:
    return ":".join(
        (str(result.number), str(result.dealer), str(result.winner), str(result.loser), _list(result.points),
         _list(result.scores))
    )  # fmt: skip


def _result(text: str) -> RoundResult:
    parts = text.split(":")
    if len(parts) != 6:
        raise LineError(f"'{text}' says no round")
    number, dealer, winner, loser = map(_number, parts[:4])
    return RoundResult(number, dealer, winner, loser, _numbers(parts[4]), _numbers(parts[5]))


def _settings_code(settings: MatchSettings) -> str:
    teams = "/".join(_list(team) for team in settings.teams)
    flags = ("f" if settings.forfeits else "") + ("p" if settings.partners else "")
    parts = (settings.format, settings.target, settings.rounds, teams, flags, settings.rotation, settings.cycles)
    return ":".join(map(str, parts)) + ":" + quote(settings.forfeit_text, safe="")


def _settings(text: str) -> MatchSettings:
    parts = text.split(":")
    if len(parts) != 8:
        raise LineError(f"'{text}' says no match")
    form, target, rounds, teams, flags, rotation, cycles, forfeit = parts
    return MatchSettings(
        form, _number(target), _number(rounds), tuple(_numbers(team) for team in teams.split("/") if team),
        "f" in flags, unquote(forfeit), rotation, _number(cycles), "p" in flags,
    )  # fmt: skip


_MATCH_LISTS = ("scores", "chips", "marks", "lost", "winners")
_MATCH_NUMBERS = ("number", "eliminated", "left")
_INTEGERS = ("dealer", "inside", "turn", "step", "colour", "limits", "resume", "naming", "slap", "silence", "called",
             "exposed", "idle")  # fmt: skip
_FLAGS = ("begun", "must_play", "low_told")


def write(pos: Position) -> str:
    """`pos` on one line. `read` gives the same position again."""
    fresh = Position(pos.rules, pos.players, pos.settings, new_match(len(pos.players)), pos.physical)
    hands = ",".join(
        f"{quote(name, safe='')}:{cards_code(sorted(hand))}" for name, hand in zip(pos.players, pos.hands, strict=True)
    )
    parts = [VERSION, _rules_code(pos), "physical" if pos.physical else "digital", hands]

    def add(name: str, value: str) -> None:
        parts.append(f"{name}={value}")

    add("phase", _PHASES[pos.phase])
    if pos.settings != MatchSettings():
        add("match", _settings_code(pos.settings))
    for name in _INTEGERS:
        if getattr(pos, name) != getattr(fresh, name):
            add(name, str(getattr(pos, name)))
    for name in _FLAGS:
        if getattr(pos, name):
            add(name, "yes")
    for name, text in _optional(pos, fresh):
        add(name, text)
    return " ".join(parts)


def _optional(pos: Position, fresh: Position) -> Iterable[tuple[str, str]]:
    """What a position need not have."""
    if pos.seating != fresh.seating:
        yield "seating", _list(pos.seating)
    for name in ("pile", "discards"):
        if getattr(pos, name):
            yield name, cards_code(getattr(pos, name))
    if pos.drawn is not None:
        yield "drawn", cards_code(pos.drawn)
    if pos.debts:
        yield "owes", ";".join(map(_debt_code, pos.debts))
    if pos.chain is not None:
        yield "chain", _chain_code(pos.chain)
    if pos.race is not None:
        yield "race", f"{pos.race[0]}:{cards_code(pos.race[1])}"
    if pos.shot is not None:
        yield "shot", f"{pos.shot.seat}:{cards_code(pos.shot.came)}"
    if pos.out:
        yield "out", _list(pos.out)
    if pos.emptied:
        yield "emptied", _list(pos.emptied)
    if pos.counted != fresh.counted:
        yield "counted", _list(pos.counted)
    yield from _match_parts(pos.match, fresh.match)


def _match_parts(match: MatchState, fresh: MatchState) -> Iterable[tuple[str, str]]:
    for name in _MATCH_LISTS:
        if getattr(match, name) != getattr(fresh, name):
            yield name, _list(getattr(match, name))
    for name in _MATCH_NUMBERS:
        if getattr(match, name):
            yield name, str(getattr(match, name))
    if match.over:
        yield "over", "yes"
    if match.rounds:
        yield "rounds", ";".join(map(_result_code, match.rounds))


def read(text: str) -> Position:
    """The position a line says. Raises `LineError`. What is wrong with the position itself is `defects`' to say."""
    parts = text.split()
    if len(parts) < 4 or parts[0] != VERSION:
        raise LineError(f"a position begins with '{VERSION}', rules, table and hands")
    if parts[2] not in ("digital", "physical"):
        raise LineError(f"a table is digital or physical, not '{parts[2]}'")
    said: dict[str, str] = {}
    for part in parts[4:]:
        name, equals, value = part.partition("=")
        if not equals or name in said or name not in _KNOWN:
            raise LineError(f"'{part}' is not known, or said twice")
        said[name] = value
    players, hands = _players(parts[3])
    settings = _settings(said["match"]) if "match" in said else MatchSettings()
    pos = _empty(parts[1], players, settings, parts[2] == "physical")
    _fill(pos, said)
    for seat, hand in enumerate(hands):
        pos.hands[seat] = bytearray(hand)
    pos.mood = pos.find_mood()
    return pos


def _players(text: str) -> tuple[tuple[str, ...], list[tuple[int, ...]]]:
    names, hands = [], []
    for part in text.split(","):
        name, colon, cards = part.partition(":")
        if not colon:
            raise LineError(f"'{part}' is not NAME:CARDS")
        names.append(unquote(name))
        hands.append(_cards(cards))
    return tuple(names), hands


def _empty(rules: str, players: tuple[str, ...], settings: MatchSettings, physical: bool) -> Position:
    preset, *changes = rules.split(",")
    options: dict[str, object] = {}
    for change in changes:
        name, _, value = change.partition("=")
        default = PRESETS.get(preset, {}).get(name, BY_NAME[name].default if name in BY_NAME else "")
        options[name] = _value(value, default)
    try:
        resolved = resolve(preset, options)
        check_settings(settings, len(players))
    except (OptionError, MatchError) as error:
        raise LineError(str(error)) from error
    return Position(resolved, players, settings, new_match(len(players)), physical)


def _fill(pos: Position, said: dict[str, str]) -> None:
    if said.get("phase", "") not in _PHASES:
        raise LineError(f"phase= is one of {', '.join(_PHASES)}")
    pos.phase = _PHASES.index(said["phase"])
    for name in _INTEGERS:
        if name in said:
            setattr(pos, name, _number(said[name]))
    for name in _FLAGS:
        setattr(pos, name, name in said)
    for name, parse in _PARTS.items():
        if name in said:
            setattr(pos, _FIELDS.get(name, name), parse(said[name]))
    known = {name: _numbers(said[name]) for name in _MATCH_LISTS if name in said}
    numbers = {name: _number(said[name]) for name in _MATCH_NUMBERS if name in said}
    match = replace(pos.match, over="over" in said, **known)  # type: ignore[arg-type]  # names of tuples of numbers
    match = replace(match, **numbers)  # type: ignore[arg-type]  # names of numbers
    if "rounds" in said:
        match = replace(match, rounds=tuple(_result(part) for part in said["rounds"].split(";")))
    pos.match = match
    if sorted(pos.seating) != list(range(len(pos.players))) or pos.step not in (1, -1):
        raise LineError("seating= names every seat once; step= is 1 or -1")
    if not 0 <= pos.colour <= NO_COLOUR:
        raise LineError(f"colour= is a number from 0 to {NO_COLOUR}")
    pos.after = next_seats(pos.seating, pos.inside, pos.step)
    pos.show_top(pos.colour, RANK_OF[pos.top], pos.limits)


_PARTS: dict[str, Callable[[str], object]] = {
    "seating": _numbers,
    "pile": lambda text: bytearray(_cards(text)),
    "discards": lambda text: bytearray(_cards(text)),
    "drawn": _cards,
    "owes": lambda text: [_debt(part) for part in text.split(";")],
    "chain": _chain,
    "race": _seat_and_cards,
    "shot": lambda text: Shot(*_seat_and_cards(text)),
    "out": _numbers,
    "emptied": _numbers,
    "counted": _numbers,
}
_FIELDS = {"owes": "debts"}
_KNOWN = {
    "phase", "match", "over", "rounds", *_INTEGERS, *_FLAGS, *_PARTS, *_MATCH_LISTS, *_MATCH_NUMBERS,
}  # fmt: skip


def redacted(pos: Position, seat: int | None) -> Position:
    """`pos` as `seat` (None: a spectator) may know it: what it may not see are unknown cards."""
    seen = pos.copy()
    for other, hand in enumerate(pos.hands):
        if other != seat:
            seen.hands[other] = bytearray(len(hand))
    seen.pile = bytearray(len(pos.pile))

    def hide(owner: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards if owner == seat else (UNKNOWN,) * len(cards)

    if pos.drawn is not None:
        seen.drawn = hide(pos.turn, pos.drawn)
    if pos.race is not None:
        seen.race = (pos.race[0], hide(pos.race[0], pos.race[1]))
    if pos.shot is not None:
        seen.shot = Shot(pos.shot.seat, hide(pos.shot.seat, pos.shot.came))
    if pos.chain is not None:
        evidence = hide(pos.chain.first, pos.chain.evidence)
        seen.chain = Chain(
            pos.chain.hits, pos.chain.cards, pos.chain.four, pos.chain.first,
            pos.chain.guilty and pos.chain.first == seat, pos.chain.answered, evidence, pos.chain.accepted,
        )  # fmt: skip
    seen.mood = seen.find_mood()
    return seen
