"""The language of a case file's steps: actions `NAME: VERB ...`, refusals ` ! REASON`, facts `? WORD ...`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from . import actions as a
from .actions import Action
from .cards import COLOURS, NAME_OF, CardError, names, parse_card, parse_colour
from .chance import Chance
from .game import Game
from .matches import side_of
from .plays import playable
from .position import COUNT, MATCH_OVER, PLAY, Position
from .refusals import REASONS, Refused


class CaseError(ValueError):
    """A case file, or a step of it, that cannot be read: says what is wrong and what was probably meant."""


def play_step(game: Game, step: str, chance: Chance) -> str:
    """Do one step: empty when it held, else what was expected and what is. Raises `CaseError`."""
    text = step.strip()
    if text.startswith("?"):
        return _fact(game, text[1:].strip())
    said, bang, reason = text.partition(" ! ")
    reason = reason.strip()
    if bang and reason not in REASONS:
        near = get_close_matches(reason, REASONS, n=1)
        raise CaseError(f"there is no reason '{reason}'" + (f", did you mean '{near[0]}'?" if near else ""))
    who = _Names(game.position.players, strangers=reason == "no-such-player")
    action = _action(said.strip(), who)
    if who.stranger:
        return ""  # the first of all reasons, whatever else stands against the action
    before = game.position.copy() if bang else None
    try:
        game.apply(action, chance)
    except Refused as error:
        if before is not None and game.position.state() != before.state():
            return "was refused, but the position changed"
        if not bang:
            return f"expected to be accepted, is refused: {error}"
        return "" if error.refusal.reason == reason else f"expected the refusal {reason}, is refused: {error}"
    return f"expected the refusal {reason}, is accepted" if bang else ""


class _Names:
    """The names in a step: the `players`; where `strangers` are expected any other name too, and `stranger` is set."""

    def __init__(self, players: Sequence[str], strangers: bool = False) -> None:
        self._players = players
        self._strangers = strangers
        self.stranger = False

    def seat(self, name: str) -> int:
        """The seat of that name; of a stranger one that there is not. Raises `CaseError`."""
        if name in self._players:
            return self._players.index(name)
        if self._strangers and name:
            self.stranger = True
            return len(self._players)
        near = get_close_matches(name, self._players, n=1)
        raise CaseError(f"there is no player '{name}'" + (f", did you mean '{near[0]}'?" if near else ""))


def _seat(pos: Position, name: str) -> int:
    return _Names(pos.players).seat(name)


def _card(text: str) -> int:
    try:
        return parse_card(text)
    except CardError as error:
        raise CaseError(str(error)) from error


def _cards(text: str) -> tuple[int, ...]:
    """`red 5, wild x2`: cards with commas between, `xN` repeats one."""
    cards: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = re.fullmatch(r"(.*?) x(\d+)", part)
        cards += [_card(found[1] if found else part)] * (int(found[2]) if found else 1)
    return tuple(cards)


def _colour(text: str) -> int:
    try:
        return parse_colour(text)
    except CardError as error:
        raise CaseError(str(error)) from error


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text):
        raise CaseError(f"a number is expected, not '{text}'")
    return int(text)


def parse_action(text: str, pos: Position) -> Action:
    """The action a step says, without its ` ! REASON`. Raises `CaseError`."""
    return _action(text, _Names(pos.players))


def _action(text: str, who: _Names) -> Action:
    name, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        raise CaseError(f"'{text}' is neither 'NAME: VERB ...' nor '? WORD ...'")
    verb, _, more = rest.strip().partition(" ")
    if name.strip() == "table":
        return _table_action(verb, more.strip(), who)
    seat = who.seat(name.strip())
    if verb not in _VERBS:
        near = get_close_matches(verb, _VERBS, n=1)
        raise CaseError(f"there is no verb '{verb}'" + (f", did you mean '{near[0]}'?" if near else ""))
    return _VERBS[verb](who, seat, more.strip())


_PLAY = re.compile(
    r"(?P<cards>.+?)"
    r"(?: as (?P<colour>\w+))?"
    r"(?: (?:with|on) (?P<target>.+?))?"
    r"(?: as (?P<colour_after>\w+))?"
    r"(?: keep (?P<keep>.+?))?"
    r"(?: and (?P<went>\d+))?"
)


def _play(who: _Names, seat: int, text: str) -> Action:
    found = _PLAY.fullmatch(text)
    if not found:
        raise CaseError(f"'play {text}' cannot be read")
    cards = _cards(found["cards"])
    colour = found["colour"] or found["colour_after"]
    return a.Play(
        seat,
        cards[0],
        _colour(colour) if colour else -1,
        who.seat(found["target"]) if found["target"] else -1,
        cards[1:],
        _cards(found["keep"]) if found["keep"] else (),
        int(found["went"] or 0),
    )


def _hit(who: _Names, seat: int, text: str) -> Action:
    found = re.fullmatch(r"(by choice )?-> (\d+)", text)
    if not found:
        raise CaseError(f"'hit {text}': a hit is written 'hit -> 3' or 'hit by choice -> 3'")
    return a.Hit(seat, int(found[2]), bool(found[1]))


def _draw(who: _Names, seat: int, text: str) -> Action:
    if text not in ("", "by choice"):
        raise CaseError(f"'draw {text}': a draw is written 'draw' or 'draw by choice'")
    return a.Draw(seat, bool(text))


def _challenge(who: _Names, seat: int, text: str) -> Action:
    if text not in ("", "-> guilty", "-> innocent"):
        raise CaseError(f"'challenge {text}': a challenge is written 'challenge' or 'challenge -> guilty'")
    return a.Challenge(seat, text.removeprefix("-> "))


def _alone(make: Callable[[int], Action], word: str) -> Callable[[_Names, int, str], Action]:
    def parse(who: _Names, seat: int, text: str) -> Action:
        if text:
            raise CaseError(f"'{word}' stands alone; '{text}' behind it cannot be read")
        return make(seat)

    return parse


_VERBS: dict[str, Callable[[_Names, int, str], Action]] = {
    "play": _play,
    "hit": _hit,
    "draw": _draw,
    "done": _alone(a.Done, "done"),
    "pass": _alone(a.Pass, "pass"),
    "colour": lambda who, seat, text: a.NameColour(seat, _colour(text)),
    "uno": _alone(a.Call, "uno"),
    "catch": lambda who, seat, text: a.Catch(seat, who.seat(text)),
    "accept": _alone(a.Accept, "accept"),
    "challenge": _challenge,
    "slap": _alone(a.Slap, "slap"),
    "report": lambda who, seat, text: a.Report(seat, who.seat(text)),
}


def _table_action(verb: str, text: str, who: _Names) -> Action:
    words = text.split()
    if verb == "set" and len(words) >= 2:
        return _table_set(words, who)
    if verb == "count" and words:
        name, _, cards = text.partition(" ")
        return a.Count(who.seat(name), _cards(cards))
    if verb == "correct" and len(words) == 2:
        return a.Correct(_number(words[1]), who.seat(words[0]))
    if verb == "points" and len(words) == 2:
        return a.Points(who.seat(words[0]), _number(words[1]))
    if verb == "start" and words:
        return a.Start(_card(text))
    if (verb, len(words)) in _TABLE:
        return _TABLE[verb, len(words)](who, text)
    near = get_close_matches(verb, ("set", "count", "correct", "points", "start", *(v for v, _ in _TABLE)), n=1)
    raise CaseError(f"'table: {verb} {text}' cannot be read" + (f", did you mean '{near[0]}'?" if near else ""))


_TABLE: dict[tuple[str, int], Callable[[_Names, str], Action]] = {
    ("last", 1): lambda who, text: a.LastSlap(who.seat(text)),
    ("advice", 1): lambda who, text: a.Advice(who.seat(text)),
    ("reload", 0): lambda who, text: a.Reload(),
    ("reload", 1): lambda who, text: a.Reload(_number(text)),
    ("dealer", 1): lambda who, text: a.Dealer(who.seat(text)),
    ("leave", 1): lambda who, text: a.Leave(who.seat(text)),
    ("return", 1): lambda who, text: a.Return(who.seat(text)),
    ("end", 0): lambda who, text: a.EndMatch(),
    ("correct", 1): lambda who, text: a.Correct(_number(text)),
    ("undo", 0): lambda who, text: a.Undo(),
    ("next", 0): lambda who, text: a.Next(),
}


def _table_set(words: list[str], who: _Names) -> Action:
    what, first = words[0], words[1]
    if what == "hand" and len(words) == 3:
        return a.SetHand(who.seat(first), _number(words[2]))
    if what == "score" and len(words) == 3:
        return a.SetScore(who.seat(first), _number(words[2]))
    if what == "turn" and len(words) == 2:
        return a.SetTurn(who.seat(first))
    if what == "colour" and len(words) == 2:
        return a.SetColour(_colour(first))
    if what == "direction" and first in ("clockwise", "counterclockwise") and len(words) == 2:
        return a.SetDirection(1 if first == "clockwise" else -1)
    raise CaseError(f"'table: set {' '.join(words)}' cannot be read; it sets hand, score, turn, direction or colour")


def _fact(game: Game, text: str) -> str:
    word, _, rest = text.partition(" ")
    if word.endswith(":"):
        word, rest = word[:-1], ": " + rest
    if word not in _FACTS:
        near = get_close_matches(word, _FACTS, n=1)
        raise CaseError(f"there is no fact '? {word}'" + (f", did you mean '? {near[0]}'?" if near else ""))
    return _FACTS[word](game, rest.strip())


def _is(expected: object, found: object) -> str:
    return "" if expected == found else f"expected {expected}, is {found}"


def _name(pos: Position, seat: int) -> str:
    return pos.players[seat] if 0 <= seat < len(pos.players) else "nobody"


def _turn(game: Game, text: str) -> str:
    pos = game.position
    _seat(pos, text)
    return _is(text, _name(pos, pos.turn) if pos.phase == PLAY else "nobody")


def _colour_is(game: Game, text: str) -> str:
    if text != "?":
        _colour(text)
    colour = game.position.colour
    return _is(text, COLOURS[colour] if colour < len(COLOURS) else "?")


def _hand(game: Game, text: str) -> str:
    pos = game.position
    name, colon, listed = text.partition(":")
    if colon:
        hand = pos.hands[_seat(pos, name.strip())]
        expected = _cards(listed)
        same = Counter(expected) == Counter(hand)
        return "" if same else f"expected {', '.join(names(sorted(expected)))}, is {', '.join(names(sorted(hand)))}"
    name, _, count = text.rpartition(" ")
    return _is(_number(count), len(pos.hands[_seat(pos, name)]))


def _owed(game: Game, text: str) -> str:
    name, _, units = text.rpartition(" ")
    owed = game.position.owed(_seat(game.position, name))
    return _is(units, str(owed))


def _playable(game: Game, text: str) -> str:
    name, colon, listed = text.partition(":")
    if not colon:
        raise CaseError("'? playable' is written '? playable Ann: red 5, wild'")
    seat = _seat(game.position, name.strip())
    expected = sorted(set(_cards(listed)))
    found = [] if seat < 0 else playable(game.position, seat)
    shown = [", ".join(NAME_OF[card] for card in cards) or "nothing" for cards in (expected, found)]
    return _is(*shown)


def _may(game: Game, text: str) -> str:
    wanted = not text.startswith("not ")
    name, _, rest = text.removeprefix("not ").partition(" ")
    action = parse_action(f"{name}: {rest}", game.position)
    refusal = game.check(action)
    if (refusal is None) == wanted:
        return ""
    return (
        "expected to be refused, would be accepted" if not wanted else f"expected to be accepted, is refused: {refusal}"
    )


def _out(game: Game, text: str) -> str:
    pos = game.position
    return (
        "" if pos.gone_out(_seat(pos, text)) else f"expected {text} out, is holding {len(pos.hands[_seat(pos, text)])}"
    )


def _round(game: Game, text: str) -> str:
    if text != "over":
        raise CaseError("the fact is written '? round over'")
    return "" if game.position.phase >= COUNT else "expected the round over, it goes on"


def _match(game: Game, text: str) -> str:
    if text != "over":
        raise CaseError("the fact is written '? match over'")
    return "" if game.position.phase == MATCH_OVER else "expected the match over, it goes on"


def _winner(game: Game, text: str) -> str:
    pos = game.position
    _seat(pos, text)
    if pos.phase == MATCH_OVER:
        winners = pos.match.winners
    elif pos.phase > COUNT and pos.match.rounds and pos.match.rounds[-1].winner >= 0:
        winners = _side(pos, pos.match.rounds[-1].winner)
    else:
        winners = _side(pos, pos.out[0]) if pos.phase == COUNT and pos.out else pos.out[:1]
    won = [_name(pos, seat) for seat in winners]
    return "" if text in won else f"expected {text}, is {', '.join(won) or 'nobody'}"


def _side(pos: Position, winner: int) -> tuple[int, ...]:
    teams = (pos.seating[::2], pos.seating[1::2]) if pos.settings.partners else pos.settings.teams
    return side_of(teams, winner)


def _of_match(field: str) -> Callable[[Game, str], str]:
    def fact(game: Game, text: str) -> str:
        name, _, number = text.rpartition(" ")
        values: tuple[int, ...] = getattr(game.position.match, field)
        return _is(_number(number), values[_seat(game.position, name)])

    return fact


def _eliminated(game: Game, text: str) -> str:
    pos = game.position
    return "" if pos.match.eliminated >> _seat(pos, text) & 1 else f"expected {text} out of the match, is still in"


def _waiting(game: Game, text: str) -> str:
    if text != "reload":
        raise CaseError("the fact is written '? waiting reload'")
    return "" if game.position.waits_for_reload() else "expected the game to wait for the hopper, it does not"


_FACTS: dict[str, Callable[[Game, str], str]] = {
    "turn": _turn,
    "direction": lambda game, text: _is(text, "clockwise" if game.position.step > 0 else "counterclockwise"),
    "colour": _colour_is,
    "top": lambda game, text: _is(NAME_OF[_card(text)], NAME_OF[game.position.top]),
    "hand": _hand,
    "owed": _owed,
    "playable": _playable,
    "pile": lambda game, text: _is(_number(text), len(game.position.pile)),
    "discards": lambda game, text: _is(_number(text), len(game.position.discards)),
    "may": _may,
    "out": _out,
    "round": _round,
    "match": _match,
    "winner": _winner,
    "score": _of_match("scores"),
    "chips": _of_match("chips"),
    "marks": _of_match("marks"),
    "eliminated": _eliminated,
    "waiting": _waiting,
}
