"""A real table behind the real server's parts, all that reaches its phones, and what of it they had no right to see.

Whoever may know a card is worked out here anew, from the position and from the raw events of the rules; the views that
are on trial have no part in it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Route

from controller.rules import events as e
from controller.rules.cards import NAME_OF, UNKNOWN
from controller.rules.game import Game
from controller.table.messages import Answer, Asker, Command, Presence
from controller.table.publication import Publication
from tests.controller.stand import Stand
from web_companion.app import build_app
from web_companion.codes import Codes
from web_companion.companion import Companion
from web_companion.door import MemoryStore
from web_companion.hub import Connection
from web_companion.sessions import COOKIE, Session, Sessions

SEED = "the-seed-of-this-table"
CODES = Codes("K7M4Q", "HOST-CODE")
CARDS = frozenset(NAME_OF) - {NAME_OF[UNKNOWN]}
_COLOURED = re.compile("|".join(sorted((re.escape(name) for name in CARDS if " " in name), key=len, reverse=True)))
_STAND_INS = re.compile(r"pile = .*?\\n|\[hands\]\\n(?:\w[^=]*? = \[.*?\]\\n)*")
_NOT_OF_HANDS = frozenset({"rules", "because", "match", "settings"})  # ranks stand there as values of options


class Leak(AssertionError):
    """Somebody was sent what is another's."""


class Door:
    """The table as the web companion uses it, under a virtual clock."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self._listeners: list[Callable[[Publication], None]] = []
        self._told = len(stand.published)

    def submit(self, who: Asker, command: Mapping[str, object], answer: Callable[[Answer], None]) -> None:
        self.stand.core.handle(Command(who, command, answer), self.stand.clock.now())
        self.run()

    def run(self) -> None:
        """Handle all that has come in, and pass on what was published."""
        self.stand.run()
        while self._told < len(self.stand.published):
            publication = self.stand.published[self._told][1]
            self._told += 1
            for listener in list(self._listeners):
                listener(publication)

    def pass_time(self, seconds: float) -> None:
        self.stand.pass_time(seconds, 0.1)
        self.run()

    def subscribe(self, listener: Callable[[Publication], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def current(self) -> Publication:
        return self.stand.published[max(self._told - 1, 0)][1]

    def since(self, epoch: int, version: int) -> Sequence[Publication] | None:
        current = self.current()
        if epoch != current.epoch or version > current.version:
            return None
        return [
            each for _, each in self.stand.published[: self._told] if each.epoch == epoch and each.version > version
        ]

    def seats_of(self, session: str) -> frozenset[int]:
        return self.stand.state.seats_of(session)

    def left_by(self, session: str) -> frozenset[int]:
        return self.stand.state.left_by(session)

    def waits(self, session: str) -> bool:
        return self.stand.state.waits(session)

    def has_place(self, session: str) -> bool:
        return self.stand.state.has_place(session)

    def take_chair(self, name: str) -> bool:
        return False

    def presence(self, seats: frozenset[int]) -> None:
        self.stand.core.handle(Presence(seats), self.stand.clock.now())
        self.stand.run()

    def service(self) -> dict[str, object]:
        return self.stand.core.service(self.stand.backend.reading())

    def failure(self) -> str | None:
        return None


class Viewer:
    """A phone with a page open, and all that it was sent. It is its own pipe."""

    def __init__(self, token: str, session: Session) -> None:
        self.token = token
        self.session = session
        self.texts: list[str] = []
        self.seats: set[int] = set()  # every seat it ever held
        self.said: set[str] = set()  # cards it named itself
        self._checked = 0

    async def send_text(self, data: str) -> None:
        self.texts.append(data)

    def unchecked(self) -> list[str]:
        """What came since this was asked for the last time."""
        fresh = self.texts[self._checked :]
        self._checked = len(self.texts)
        return fresh


class House:
    """A table, its phones and what each of them may know."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.door = Door(stand)
        self.sessions = Sessions(MemoryStore())
        self.app: FastAPI = build_app(self.door, self.sessions, CODES, lambda: "http://192.168.1.7:8080", {"uno.local"})
        self.companion: Companion = self.app.state.companion
        self.viewers: list[Viewer] = []
        self.public: set[str] = set()
        self.known: dict[int, set[str]] = {}
        self.printed: list[str] = []  # what the maker's terminal shows
        self._tasks: list[asyncio.Task[None]] = []
        self._count = 0

    def join(self, name: str = "", host: bool = False) -> Viewer:
        """A phone joins, sits down under `name` or watches, and opens a page."""
        token, session = self.sessions.create()
        session.host = host
        viewer = Viewer(token, session)
        self.viewers.append(viewer)
        if name:
            self.say(viewer, {"do": "sit", "name": name})
        self.open(viewer)
        return viewer

    def open(self, viewer: Viewer, epoch: int = -1, version: int = -1) -> None:
        """It opens a page, which has seen this version."""
        connection = Connection(viewer, viewer.session, self.door, "play")
        self.companion.hub.join(connection, epoch, version)
        self._tasks.append(asyncio.get_running_loop().create_task(connection.write()))

    def say(self, viewer: Viewer, command: Mapping[str, object]) -> None:
        """It gives a command; the answer is one of the texts it is sent."""
        self._count += 1
        named = {found for found in _strings(command) if found in CARDS}
        viewer.said |= named
        if viewer.session.host and isinstance(seat := command.get("seat"), int):
            self.known.setdefault(seat, set()).update(named)  # said for that seat, which may ask what was refused to it
        message = {"t": "do", "id": f"c{self._count}", **command}
        self.companion.commands.give(
            viewer.session, message, lambda reply: viewer.texts.append(json.dumps(reply)), "192.168.1.50"
        )

    async def get(self, viewer: Viewer | None) -> None:
        """It asks for everything that can be asked for."""
        cookies = {COOKIE: viewer.token} if viewer else {}
        stranger = viewer or Viewer("", Session(""))
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://uno.local", cookies=cookies) as client:
            for path in sorted(
                {
                    route.path
                    for route in _routes(self.app.routes)
                    if "GET" in (route.methods or ()) and "{" not in route.path
                }
            ):
                answer = await client.get(path)
                assert answer.status_code < 500, path
                if path != "/api/v1/rules":  # printed rules: they were written before anybody held a card
                    stranger.texts.append(f"{answer.headers} {answer.text}" if path.startswith("/api") else answer.text)
                    stranger.texts.append(answer.text)
        if viewer is None:
            self.examine(stranger, stranger.unchecked())

    async def settle(self) -> None:
        """All that waits for a page is sent, and looked into."""
        await self.drained()
        self.learn()
        for viewer in self.viewers:
            self.examine(viewer, viewer.unchecked())
        for line in self.printed:
            self.examine_words(line, allowed=self.public, secrets=self._secrets(None), whose="the terminal")
        self.printed.clear()

    async def drained(self) -> None:
        """All that waits for a page is sent."""
        self.door.run()
        for _ in range(60):
            await asyncio.sleep(0)

    def learn(self) -> None:
        """What can be seen on the table, and what each seat holds now."""
        game = self.stand.state.game
        if game is None:
            return
        position = game.position
        self.public |= {NAME_OF[card] for card in position.discards}
        for seat, hand in enumerate(position.hands):
            self.known.setdefault(seat, set()).update(NAME_OF[card] for card in hand)
        for viewer in self.viewers:
            viewer.seats |= self.door.seats_of(viewer.session.id)

    def note(self, happened: Sequence[e.Event]) -> None:
        """What the rules say has happened: who may know of it, by the rules of the table."""
        for event in happened:
            if isinstance(event, e.Played):
                self._all_know(*event.cards, *event.swept)
            elif isinstance(event, e.Misplayed | e.Counted):
                self._all_know(*event.cards)
            elif isinstance(event, e.Turned):
                self._all_know(event.card)
            elif isinstance(event, e.Dealt):
                self._all_know(*(card for one in event.drawn for _, card in one))
            elif isinstance(event, e.Took | e.Gave):
                self.known.setdefault(event.seat, set()).update(NAME_OF[card] for card in event.cards)
            elif isinstance(event, e.Challenged):
                self.known.setdefault(event.seat, set()).update(NAME_OF[card] for card in event.hand)
        self.learn()

    def _all_know(self, *cards: int) -> None:
        self.public |= {NAME_OF[card] for card in cards}

    def examine(self, viewer: Viewer, texts: Sequence[str]) -> None:
        """Raises `Leak` when any text holds what is another's."""
        allowed = self.public | viewer.said
        for seat in viewer.seats:
            allowed |= self.known.get(seat, set())
        secrets = self._secrets(viewer)
        game = self.stand.state.game
        if game is not None and game.position.physical:
            texts = [_without_moves(text) for text in texts]
        for text in map(_without_stand_ins, texts):
            self.examine_words(text, allowed, secrets, viewer.session.name or "somebody")
            with suppress(ValueError):
                for found in _strings(json.loads(text)):
                    if found in CARDS and found not in allowed:
                        raise Leak(f"{found} reaches {viewer.session.name}: {text}")
                    if found in secrets:
                        raise Leak(f"the secret {found} reaches {viewer.session.name}: {text}")

    def examine_words(self, text: str, allowed: set[str], secrets: set[str], whose: str) -> None:
        """Cards with a colour anywhere in `text`, and whatever is long enough not to stand there by chance."""
        for found in _COLOURED.findall(text):
            if found not in allowed:
                raise Leak(f"{found} reaches {whose}: {text}")
        for secret in secrets:
            if len(secret) > 5 and secret in text:
                raise Leak(f"the secret {secret} reaches {whose}: {text}")

    def _secrets(self, viewer: Viewer | None) -> set[str]:
        """What `viewer` must never be sent, whatever was played: the seed, tokens as they are and as they are kept,
        codes."""
        found = {self.stand.state.seed, CODES.host}
        for each in self.viewers:
            found.add(each.token)
        found |= set(self.sessions._by_hash)  # what the store holds of tokens
        if viewer is None or viewer.session.id == "":
            found.add(CODES.join)
        if viewer is None or not viewer.session.host:
            own = viewer.seats if viewer else set()
            found |= {each.code for seat, each in enumerate(self.stand.state.seats) if each.code and seat not in own}
        return found

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()


def _without_moves(text: str) -> str:
    """Without what may be laid: where the cards are real, that is any card that may be in somebody's hand."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    for mine in [*data.get("mine", []), *data.get("others", [])] if isinstance(data, dict) else []:
        mine["moves"] = []
    return json.dumps(data)


def _without_stand_ins(text: str) -> str:
    """Without the hands and the pile of a case file: they are made up, which has a test of its own."""
    return _STAND_INS.sub("", text) if '"case":' in text else text


def _routes(routes: Sequence[Any]) -> Iterator[Route]:
    for route in routes:
        if isinstance(route, Route):
            yield route
        elif hasattr(route, "routes"):
            yield from _routes(route.routes)


def _strings(data: object) -> Iterator[str]:
    """Every text in `data`, names of fields too, but for the values of options."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for name, value in data.items():
            yield str(name)
            if name not in _NOT_OF_HANDS:
                yield from _strings(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from _strings(value)


def overhear(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on `house` is told what the rules themselves say has happened."""
    plain = Game.apply

    def apply(game: Game, *about: Any) -> Any:
        happened = plain(game, *about)
        if game is house.stand.state.game:
            house.note(happened)
        return happened

    monkeypatch.setattr(Game, "apply", apply)


def deal(house: House, preset: str, physical: bool, options: Mapping[str, object]) -> None:
    """The host begins."""
    host = next(viewer for viewer in house.viewers if viewer.session.host)
    house.say(host, {"do": "start", "preset": preset, "physical": physical, "options": dict(options)})
    game = house.stand.state.game
    assert game is not None, host.texts[-1]
    if physical:
        house.say(host, {"do": "start-card", "card": "red 5"})


def anything(house: House, rng: Random) -> tuple[Viewer, dict[str, object]]:
    """Somebody's next command: mostly one their page offers, sometimes nonsense, sometimes the host's."""
    viewer = rng.choice(house.viewers)
    seats = sorted(house.door.seats_of(viewer.session.id))
    frame = json.loads(house.door.current().frame(frozenset(seats), viewer.session.host))
    due = frame["table"]["due"] or {}
    for other in house.viewers:  # whoever is due is asked more often than the others
        if due.get("seat") in house.door.seats_of(other.session.id) and rng.random() < 0.7:
            viewer, seats = other, sorted(house.door.seats_of(other.session.id))
            frame = json.loads(house.door.current().frame(frozenset(seats), other.session.host))
    offers = [offer for mine in frame["mine"] for offer in _offers(mine, rng)]
    if viewer.session.host and rng.random() < 0.25:
        return viewer, rng.choice(_of_the_host(frame, rng))
    if offers and rng.random() < 0.85:
        return viewer, rng.choice(offers)
    return viewer, rng.choice(_nonsense(house, seats, rng))


def _offers(mine: dict[str, Any], rng: Random) -> Iterator[dict[str, object]]:
    seat, may = mine["seat"], mine["may"]
    for move in mine["moves"]:
        command: dict[str, object] = {"do": "play", "seat": seat, "card": move["card"]}
        if move["colours"]:
            command["colour"] = rng.choice(move["colours"])
        if move["targets"]:
            command["target"] = rng.choice(move["targets"])
        if move["keep"]:
            command["keep"] = rng.sample(move["keep"], rng.randint(move["keepLeast"], len(move["keep"])))
        if move["mates"] and rng.random() < 0.5:
            command["set"] = move["mates"]
        yield command
    if may["hit"]:
        yield {"do": "press", "seat": seat}
    for verb in ("draw", "pass", "uno", "accept", "challenge", "slap"):
        if may[verb]:
            yield {
                "do": verb,
                "seat": seat,
                **({"verdict": "guilty"} if verb == "challenge" and rng.random() < 0.3 else {}),
            }
    if may["colour"]:
        yield {"do": "colour", "seat": seat, "colour": rng.choice(("red", "blue"))}
    for verb in ("catch", "report"):
        for target in may[verb]:
            yield {"do": verb, "seat": seat, "target": target}


def _of_the_host(frame: dict[str, Any], rng: Random) -> list[dict[str, object]]:
    seat = rng.randrange(len(frame["table"]["seats"]))
    return [
        {"do": "undo", "reason": "mistapped"}, {"do": "correct", "cards": rng.randrange(4)}, {"do": "pause"},
        {"do": "resume"}, {"do": "resume"}, {"do": "service-shot", "cards": 2}, {"do": "next"}, {"do": "reload"},
        {"do": "set-hand", "seat": seat, "count": 5}, {"do": "set-turn", "seat": seat}, {"do": "clear-fault"},
        {"do": "set-colour", "colour": "green"}, {"do": "set-score", "seat": seat, "score": 7}, {"do": "halt"},
        {"do": "shot-was", "cards": 1}, {"do": "shot-was", "cards": 1}, {"do": "press", "seat": seat},
        {"do": "rename", "seat": seat, "name": f"Somebody {seat}"}, {"do": "case", "seat": seat},
    ]  # fmt: skip


def _nonsense(house: House, seats: Sequence[int], rng: Random) -> list[dict[str, object]]:
    others = len(house.stand.state.seats)
    own = rng.choice(seats) if seats else rng.randrange(others)
    hands = house.stand.game.position.hands
    held = [NAME_OF[card] for card in hands[own]] if own < len(hands) and seats else []
    card = rng.choice(held) if held else "wild"
    about = {"do": "play", "card": card}
    return [
        {"do": "play", "seat": own, "card": card}, {"do": "play", "seat": rng.randrange(others), "card": card},
        {"do": "play", "seat": own, "card": card, "colour": "red", "set": held[:3]}, {"do": "uno", "seat": own},
        {"do": "catch", "seat": own, "target": rng.randrange(others)}, {"do": "take-back", "seat": own},
        {"do": "why", "seat": own, "about": about}, {"do": "why", "seat": rng.randrange(others), "about": about},
        {"do": "case", "seat": own}, {"do": "case", "seat": rng.randrange(others)}, {"do": "challenge", "seat": own},
        {"do": "press", "seat": rng.randrange(others)}, {"do": "draw", "seat": own}, {"do": "nothing"},
        {"do": "sit", "name": "Zoe"}, {"do": "claim", "seat": rng.randrange(others), "code": "0000"},
    ]  # fmt: skip


async def evening(
    place: Path, monkeypatch: pytest.MonkeyPatch, rng: Random, preset: str, *, physical: bool = False, steps: int = 40,
    options: Mapping[str, object] | None = None, inside: Callable[[House], None] = lambda house: None,
) -> House:  # fmt: skip
    """A game by chance at which everything that is sent is looked into. Raises `Leak`."""
    house = House(Stand(place, seed=SEED, hopper=400))
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_raise_later)
    try:
        overhear(house, monkeypatch)
        house.join("Ann", host=True)
        house.join("Bo")
        both = house.join("Cy")
        house.say(both, {"do": "sit", "name": "Di"})  # a parent for a child
        if not physical:
            house.say(house.viewers[0], {"do": "add-bot"})
        house.join()
        deal(house, preset, physical, options or {})
        house.learn()
        inside(house)
        await house.settle()
        for step in range(steps):
            viewer, command = anything(house, rng)
            house.say(viewer, command)
            house.door.pass_time(rng.choice((0.1, 0.8, 2.5)) if house.stand.core.ground.shooting else 0.1)
            await house.settle()
            if step % 10 == 9:  # a phone comes back, and some ask for all there is
                back = rng.choice(house.viewers)
                current = house.door.current()
                house.open(back, current.epoch, current.version - rng.randrange(8))
                await house.get(rng.choice([*house.viewers, None]))
                await house.settle()
    finally:
        house.close()
        house.stand.close()
    return house


def _raise_later(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    problem = context.get("exception")
    raise problem if problem is not None else AssertionError(context["message"])
