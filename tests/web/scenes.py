"""Tables worth looking at: the states the pages are tried and photographed in."""

from __future__ import annotations

from tests.web.fake_table import View, launcher, mine, move, seat, table_view

NAMES = ("Ann", "Bo", "Cyrus", "Daniela", "Emil", "Fatima", "Gustav", "Hannelore", "小明")
COLOURS = ("red", "yellow", "green", "blue")
SYMBOLS = ("skip", "reverse", "hit-2", "discard-all", "trade-hands")
WILDS = ("wild", "wild-all-hit", "wild-hit-fire", "wild-attack-attack", "wild-hit-4")


def seats(count: int, **first: object) -> list[View]:
    """Seats with hands of different sizes; every third one is a bot."""
    hands = (7, 3, 12, 1, 9, 24, 5, 2, 8)
    scores = (139, 60, 240, 0, 88, 412, 20, 7, 154)
    return [
        seat(
            number,
            NAMES[number],
            **{
                "hand": hands[number],
                "score": scores[number],
                "kind": "bot" if number % 3 == 2 else "person",
                **(first if number == 0 else {}),
            },
        )
        for number in range(count)
    ]


def big_hand(count: int) -> list[str]:
    """`count` cards of every sort, in an order of no meaning."""
    deck = [f"{colour} {rank}" for colour in COLOURS for rank in (*map(str, range(1, 10)), *SYMBOLS)]
    deck = [*deck, *WILDS, *deck]
    return [deck[(place * 37) % len(deck)] for place in range(count)]


def my_turn(hand: list[str], players: int = 4, **more: object) -> tuple[View, View]:
    """It is seat 0's turn; what matches red 5 is lit."""
    moves = []
    for card in dict.fromkeys(hand):
        if card.startswith(("red", "wild")) or card.endswith(" 5"):
            targets = list(range(1, players)) if "trade" in card else None
            sweep = [other for other in hand if other.startswith("red ") and other != card]
            keep = sweep if card.endswith("discard-all") else None
            moves.append(move(card, targets=targets, keep=keep))
    table = table_view(seats(players, hand=len(hand)), **more)
    return table, mine(0, hand, moves, hit=True, uno=len(hand) <= 2)


def owing(units: object = 2, button: str = "page", **machine: object) -> tuple[View, View]:
    """Seat 0 owes hits."""
    table = table_view(
        seats(4, owed=units),
        due={"seat": 0, "what": "hit", "units": units, "why": "hit-2", "answerable": False},
        top="red hit-2",
        launcher=launcher(button=button, **machine),
    )
    return table, mine(0, big_hand(7), hit=True)


def round_over(players: int = 4) -> View:
    """The second round is over; seat 0 won it."""
    table = table_view(seats(players), phase="round-over", turn=None, due={"seat": None, "what": "next"}, round=2)
    table["rounds"] = [
        {"round": 1, "winner": 2, "points": [0, 0, 240, *[0] * 6][:players], "scores": [0] * players},
        {"round": 2, "winner": 0, "points": [139, *[0] * 8][:players], "scores": [0] * players},
    ]
    return table


def real(players: int = 4, /, **more: object) -> View:
    """A table with real cards."""
    table = table_view(seats(players), physical=True, tracking="all", toCount=None, counted=None)
    return {**table, "launcher": launcher(typed=False, correctable=False, unowned=None), **more}


UNKNOWN = ["?"] * 7


def naming(**more: object) -> tuple[View, View]:
    """Seat 0 lays a real card."""
    cards = [f"red {rank}" for rank in (*range(1, 10), "skip", "reverse", "hit-2", "discard-all")]
    moves = [move(card) for card in (*cards, "blue 5", "green 5", "wild", "wild-hit-fire", "wild-all-hit")]
    return real(**more), mine(0, UNKNOWN, moves, hit=True)


def judging() -> tuple[View, View]:
    """A wild draw four against seat 0."""
    table = real(due={"seat": 0, "what": "challenge", "units": 4}, top="wild-draw-four",
                 rules={"preset": "classic", "changed": {}})  # fmt: skip
    return table, mine(0, UNKNOWN, challenge=True, accept=True, draw=True)


def typing() -> tuple[View, View]:
    """Seat 0 hits a launcher that nobody counts."""
    machine = launcher(backend="none", button="none", typed=True, hopper=None,
                       last={"seat": 0, "cards": 2, "certainty": "exact"}, correctable=True)  # fmt: skip
    table = real(due={"seat": 0, "what": "hit", "units": 2}, launcher=machine)
    table["seats"][0]["owed"] = 2
    return table, mine(0, UNKNOWN, hit=True)


def counting() -> tuple[View, View]:
    """The hands are counted."""
    table = real(
        phase="counting", turn=None, due={"seat": 0, "what": "count"}, toCount=[0, 2], counted=[None, 31, None, 0]
    )
    return table, mine(0, UNKNOWN)


def answering() -> tuple[View, View]:
    """Seat 0 may answer a penalty in place of taking it."""
    due = {"seat": 0, "what": "draw", "units": 4, "answerable": True}
    table = table_view(seats(4, owed=4), due=due, top="red draw-two", launcherTable=False,
                       rules={"preset": "stack", "changed": {}}, silence=2)  # fmt: skip
    hand = ["red draw-two", "blue draw-two", "blue 4", "green 9", "wild", "red 3", "yellow 3", "yellow 8"]
    return table, mine(0, hand, [move("red draw-two"), move("blue draw-two")], draw=True, report=[1, 2])
