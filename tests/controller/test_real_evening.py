"""Whole evenings with real cards, played at random by one phone: whatever is offered is accepted, and comes back."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from controller.rules.cards import NAME_OF
from controller.table.messages import Who
from tests.controller.conftest import MakeStand
from tests.controller.real_cards import NAMES
from tests.controller.stand import HOST, SETTINGS, Stand, facts

EVERYBODY = Who("tablet", seats=frozenset({0, 1, 2}))
PRESETS = ("attack", "attack-2015", "mega-hit", "extreme", "classic", "stack", "killer", "classic-strict")


class Evening:
    """One phone for three players: it does what the table offers, picked by a seed."""

    def __init__(self, stand: Stand, chance: random.Random, **game: Any) -> None:
        self.stand = stand
        self.chance = chance
        self.rounds = 0
        for name in NAMES:
            stand.do(Who("tablet"), do="sit", name=name)
        stand.do(HOST, do="start", physical=True, **game)

    def step(self) -> None:
        """One command, or one mistake that is put right."""
        table = self.stand.table()
        if table["phase"] == "match-over":
            self.stand.do(HOST, do="rematch")
        elif table["phase"] == "round-over":
            self.stand.do(EVERYBODY, do="next")
        elif table["phase"] == "start":
            self.turn_up()
        elif table["phase"] == "counting":
            self.count(table)
        elif self.chance.random() < 0.04:
            self.put_right(table)
        else:
            self.play(table)

    def turn_up(self) -> None:
        self.rounds += 1
        self.stand.do(HOST, do="dealer", seat=self.chance.randrange(3))
        self.stand.do(HOST, do="start-card", card=self.left_in_the_deck(1)[0])

    def count(self, table: dict[str, Any]) -> None:
        seat = self.chance.choice(table["toCount"])
        if self.chance.random() < 0.5:
            self.stand.do(EVERYBODY, do="points", seat=seat, points=self.chance.randrange(200))
        else:
            cards = self.left_in_the_deck(table["seats"][seat]["hand"])
            self.stand.do(EVERYBODY, do="count", seat=seat, cards=cards)

    def left_in_the_deck(self, number: int) -> list[str]:
        left = self.stand.game.position.remaining()
        cards = [NAME_OF[kind] for kind, count in enumerate(left) for _ in range(count)]
        return self.chance.sample(cards, min(number, len(cards)))

    def put_right(self, table: dict[str, Any]) -> None:
        seat = self.chance.randrange(3)
        body: dict[str, Any] = self.chance.choice([
            {"do": "undo"}, {"do": "set-hand", "seat": seat, "count": self.chance.randint(1, 9)},
            {"do": "set-turn", "seat": seat}, {"do": "set-direction", "step": self.chance.choice((1, -1))},
            {"do": "set-colour", "colour": "green"}, {"do": "correct", "cards": self.chance.randint(0, 5)},
            {"do": "correct", "cards": 2, "seat": seat}, {"do": "reload", "cards": 30},
        ])  # fmt: skip
        answer = self.stand.tell(HOST, **body)
        assert answer is not None
        allowed = ("nothing-to-undo", "nothing-to-correct", "wrong-source")
        assert answer["ok"] or answer["reason"] in allowed, (body, answer)

    def play(self, table: dict[str, Any]) -> None:
        due = table["due"]
        if due["what"] == "reload":
            self.stand.do(HOST, do="reload")
        elif due["what"] == "slap":
            self.stand.do(HOST, do="last", target=self.chance.choice(table["slap"]))
        else:
            self.act(self.stand.view(0, 1, 2)["mine"][due["seat"]], due)

    def act(self, mine: dict[str, Any], due: dict[str, Any]) -> None:
        seat, may = mine["seat"], mine["may"]
        offers: list[dict[str, Any]] = [self.card(move) for move in mine["moves"]] * (self.chance.random() < 0.8)
        if not offers and (may["hit"] or due["what"] == "hit"):
            offers = [{"do": "hit", "cards": self.chance.choice((0, 0, 1, 2, 3, 5))}]
            if due.get("units") == "until-colour":
                offers += [{"do": "done"}]
        if not offers:
            offers = [{"do": verb} for verb in ("draw", "pass", "accept") if may[verb]]
        if may["challenge"]:
            offers += [{"do": "challenge", "verdict": verdict} for verdict in ("guilty", "innocent")]
        if may["colour"]:
            offers = [{"do": "colour", "colour": "blue"}]
        if not offers:  # nothing but a card can be played
            offers = [self.card(move) for move in mine["moves"]]
        if not offers:
            self.stuck(due)
            return
        if may["uno"] and self.chance.random() < 0.3:
            self.stand.do(EVERYBODY, do="uno", seat=seat)
        self.stand.do(EVERYBODY, seat=seat, **self.chance.choice(offers))

    def stuck(self, due: dict[str, Any]) -> None:
        """The hopper is empty by the count, and nobody owes: it is filled before anybody hits by choice."""
        answer = self.stand.tell(EVERYBODY, do="hit", seat=due["seat"], cards=1)
        assert answer is not None
        assert answer["reason"] == "hopper-empty", (answer, due, self.stand.table())
        self.stand.do(HOST, do="reload")

    def card(self, move: dict[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"do": "play", "card": move["card"]}
        if move["colours"]:
            body["colour"] = self.chance.choice(move["colours"])
        if move["targets"]:
            body["target"] = self.chance.choice(move["targets"])
        if not move["alone"]:
            body["set"] = move["mates"][:1]
        return body


@pytest.mark.parametrize("preset", PRESETS)
def test_an_evening(make_stand: MakeStand, preset: str) -> None:
    stand = make_stand(machine="none", settings=replace(SETTINGS, button="none", typed=True, grace=0.0))
    chance = random.Random(f"evening {preset}")
    tracking = chance.choice(("all", "effects"))
    evening = Evening(stand, chance, preset=preset, options={"tracking": tracking}, match={"target": 300})
    for number in range(300):
        evening.step()
        if number % 40 == 39:
            assert facts(stand.folded()) == facts(stand.state)
        if number % 150 == 149:
            evening.stand = stand = stand.again()
    assert evening.rounds > 3
    stand.close()
