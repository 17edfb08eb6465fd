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
