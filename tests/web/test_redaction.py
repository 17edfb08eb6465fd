"""No hand, planned shot, seed, token, code or evidence of another reaches anybody: looked for in the bytes sent.

And the search itself is tried: whatever is leaked on purpose is found.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.rules import views
from controller.rules.actions import Play
from controller.rules.cards import NAME_OF
from controller.rules.casewriting import Dispute, write_case
from controller.rules.chance import Dice
from controller.rules.options import PRESETS, OptionError, resolve
from controller.rules.position import PLAY, Position
from controller.table import picture
from controller.table.messages import Refuse
from controller.table.publication import Pictures
from tests.controller.stand import Stand, always
from tests.loops import run
from tests.rules.players import new_game, offers
from tests.web.leaks import CARDS, CODES, SEED, House, Leak, evening, overhear
from web_companion.companion import Companion

OPTIONS: tuple[dict[str, object], ...] = (
    {}, {"seven": "swap-hands", "zero": "rotate-hands"}, {"jump_in": "identical"}, {"challenge": True},
)  # fmt: skip


def game(place: Path, seed: int, preset: str, physical: bool, steps: int, options: dict[str, object]) -> House:
    """One game by chance; its randomness and its place on disk are its own."""
    try:
        resolve(preset, options)
    except OptionError:
        options = {}  # not every preset goes with every option
    own = place / f"{preset}-{physical}-{seed}-{len(list(place.iterdir()))}"
    own.mkdir()
    with pytest.MonkeyPatch.context() as monkeypatch:
        return run(
            evening(own, monkeypatch, Random(seed), preset, physical=physical, steps=steps, options=options,
                    inside=listening)
        )  # fmt: skip


class _Terminal(logging.Handler):
    """What `play` prints of the log."""

    def __init__(self, house: House) -> None:
        super().__init__(logging.WARNING)
        self._house = house

    def emit(self, record: logging.LogRecord) -> None:
        self._house.printed.append(record.getMessage())


def listening(house: House) -> None:
    logging.getLogger().addHandler(_Terminal(house))


@pytest.fixture(autouse=True)
def handlers() -> Any:
    before = list(logging.getLogger().handlers)
    yield
    logging.getLogger().handlers[:] = before


def hold(place: Path, examples: int, steps: int) -> None:
    """Random games, in which nothing of another's is found."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(st.integers(0, 2**32), st.sampled_from(sorted(PRESETS)), st.booleans(), st.sampled_from(OPTIONS))
    def holds(seed: int, preset: str, physical: bool, options: dict[str, object]) -> None:
        game(place, seed, preset, physical, steps, options)

    holds()


@pytest.mark.slow
def test_nothing_of_anothers_is_sent(tmp_path: Path) -> None:
    hold(tmp_path, 10, 40)


@pytest.mark.slow
def test_nothing_of_anothers_is_sent_in_many_games(tmp_path: Path) -> None:
    hold(tmp_path, 60, 60)


def _hand_in_table(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = views.public

    def leaky(pos: Position) -> views.View:
        return {**plain(pos), "next": [NAME_OF[card] for card in pos.hands[-1]]}

    monkeypatch.setattr(views, "public", leaky)


def _next_of_the_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = views.private

    def leaky(pos: Position, seat: int) -> views.View:
        return {**plain(pos, seat), "peek": [NAME_OF[card] for card in pos.pile[-3:]]}

    monkeypatch.setattr(views, "private", leaky)


def _taken_cards_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = views.event

    def leaky(item: Any, pos: Position, seat: int | None) -> views.View:
        return plain(item, pos, getattr(item, "seat", seat))

    monkeypatch.setattr(views, "event", leaky)


def _hand_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Refuse.by_rules

    def leaky(refusal: Any, **more: object) -> Refuse:
        holders = [hand for house in _HOUSES for hand in house.stand.game.position.hands]
        return plain(refusal, **more, held=" ".join(NAME_OF[card] for hand in holders for card in hand))

    monkeypatch.setattr(Refuse, "by_rules", leaky)


def _token_in_the_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Companion.welcome

    def leaky(companion: Companion, session: Any) -> dict[str, object]:
        kept = [token for token, each in companion.sessions._by_hash.items() if each is not session]
        return {**plain(companion, session), "sessions": kept}

    monkeypatch.setattr(Companion, "welcome", leaky)


def _codes_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = picture.Painter.paint

    def leaky(painter: picture.Painter, ground: Any) -> Any:
        pictures = plain(painter, ground)
        table = json.loads(pictures.table)
        table["codes"] = [seat.code for seat in ground.state.seats]
        return Pictures(json.dumps(table), pictures.mine, pictures.open, pictures.codes, pictures.owners)

    monkeypatch.setattr(picture.Painter, "paint", leaky)


def _seed_in_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.web.leaks import Door

    plain = Door.service
    monkeypatch.setattr(Door, "service", lambda door: {**plain(door), "chance": door.stand.state.seed})


def _hand_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = views.public

    def leaky(pos: Position) -> views.View:
        logging.getLogger("controller.table").warning("%s", [NAME_OF[card] for card in pos.hands[-1]])
        return plain(pos)

    monkeypatch.setattr(views, "public", leaky)


_HOUSES: list[House] = []


@pytest.mark.parametrize(
    "leak",
    [
        _hand_in_table, _next_of_the_pile, _taken_cards_for_all, _hand_in_a_refusal, _token_in_the_greeting,
        _codes_for_all, _seed_in_the_service, _hand_in_the_log,
    ],
    ids=lambda leak: leak.__name__.strip("_"),
)  # fmt: skip
def test_what_is_leaked_on_purpose_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    def begin(house: House) -> None:
        _HOUSES[:] = [house]
        listening(house)

    leak(monkeypatch)
    with pytest.raises(Leak):
        run(evening(tmp_path, monkeypatch, Random(7), "attack", steps=60, inside=begin))


def test_a_host_cannot_ask_his_way_through_anothers_hand(tmp_path: Path) -> None:
    async def evening() -> set[str]:
        house = House(Stand(tmp_path, seed=SEED))
        try:
            ann, _ = house.join("Ann", host=True), house.join("Bo")
            house.say(ann, {"do": "start", "preset": "attack"})
            house.say(ann, {"do": "set-turn", "seat": 1})
            told = set()
            for card in sorted(CARDS):
                house.say(ann, {"do": "why", "seat": 1, "about": {"do": "play", "card": card}})
                told.add(json.dumps({**json.loads(ann.texts[-1]), "id": ""}))
            return told
        finally:
            house.close()
            house.stand.close()

    told = run(evening())
    assert len(told) == 1, told


PROBES: tuple[dict[str, object], ...] = ({}, {"colour": "red"}, {"target": 0}, {"colour": "red", "target": 9})


@pytest.mark.parametrize("preset", ["attack", "classic", "mega-hit"])
@pytest.mark.parametrize("after", [{}, {"do": "draw", "seat": 1}], ids=["in turn", "having drawn"])
def test_a_host_who_plays_for_another_is_not_told_what_is_there(
    tmp_path: Path, preset: str, after: dict[str, object]
) -> None:
    """Whatever is refused is refused alike, the card being there or not: what is played, everybody sees."""

    async def evening() -> tuple[set[str], set[bool]]:
        house = House(Stand(tmp_path, seed=SEED))
        try:
            ann, _ = house.join("Ann", host=True), house.join("Bo")
            house.say(ann, {"do": "start", "preset": preset})
            house.say(ann, {"do": "set-turn", "seat": 1})
            if after:
                house.say(ann, after)
            game = house.stand.game
            told, held = set(), set()
            for card in CARDS:
                for more in PROBES:
                    before = len(game.entries)
                    house.say(ann, {"do": "play", "seat": 1, "card": card, **more})
                    if len(game.entries) > before:
                        house.say(ann, {"do": "undo"})
                        continue
                    told.add(json.dumps({**json.loads(ann.texts[-1]), "id": ""}))
                    held.add(card in {NAME_OF[each] for each in game.position.hands[1]})
            return told, held
        finally:
            house.close()
            house.stand.close()

    told, held = run(evening())
    assert held == {True, False}
    assert len(told) == 1, told


def test_whose_turn_it_is_a_host_is_told_whomever_he_plays_for(tmp_path: Path) -> None:
    async def evening() -> list[str]:
        house = House(Stand(tmp_path, seed=SEED))
        try:
            ann, _ = house.join("Ann", host=True), house.join("Bo")
            house.say(ann, {"do": "start", "preset": "attack"})
            house.say(ann, {"do": "set-turn", "seat": 0})
            house.say(ann, {"do": "play", "seat": 1, "card": "red 5"})
            return ann.texts
        finally:
            house.close()
            house.stand.close()

    assert json.loads(run(evening())[-1])["reason"] == "not-your-turn"


@pytest.mark.parametrize("lagging", [False, True], ids=["comes back", "lags behind"])
def test_a_seat_that_is_numbered_anew_is_shown_no_hand_of_before(tmp_path: Path, lagging: bool) -> None:
    """Ann stands up after the game, Bo has her number now; and is still owed what was published while she had it."""

    async def evening() -> tuple[list[str], set[str]]:
        house = House(Stand(tmp_path, seed=SEED))
        try:
            ann, bo, _ = house.join("Ann", host=True), house.join("Bo"), house.join("Cy")
            house.say(ann, {"do": "start", "preset": "attack"})
            await house.drained()
            seen = house.door.current()
            if not lagging:
                house.close()
            hand = {NAME_OF[card] for card in house.stand.game.position.hands[0]}
            hand -= {NAME_OF[card] for card in house.stand.game.position.hands[1]}
            bo.texts.clear()
            for command in ({"do": "set-score", "seat": 0, "score": 3}, {"do": "end"}, {"do": "stand", "seat": 0}):
                house.say(ann, command)  # nothing has a chance to be sent in between
            assert house.door.seats_of(bo.session.id) == {0}
            if not lagging:
                house.open(bo, seen.epoch, seen.version - 1)
            await house.drained()
            return bo.texts, hand
        finally:
            house.close()
            house.stand.close()

    texts, hand = run(evening())
    assert len([text for text in texts if '"t":"state"' in text]) >= 3
    assert {
        card for text in texts for mine in json.loads(text).get("mine", []) for card in mine["hand"]
    } & hand == set()


@pytest.mark.parametrize("seed", range(12))
def test_a_case_file_is_the_same_whatever_the_others_hold(seed: int) -> None:
    rng = Random(seed)
    played = new_game("attack", 4, rng)
    for _ in range(rng.randrange(30)):
        if played.position.phase == PLAY:
            played.apply(rng.choice(offers(played.position, rng)), Dice(rng))
    position = played.position
    asker = next(seat for seat in position.seats_inside() if seat != position.turn)
    action = Play(asker, position.hands[asker][0])
    refused = played.check(action)
    assert refused is not None
    other = position.copy()
    hidden = [card for seat, hand in enumerate(other.hands) if seat != asker for card in hand] + list(other.pile)
    rng.shuffle(hidden)
    for seat, hand in enumerate(other.hands):
        if seat != asker:
            hand[:] = bytes(hidden.pop() for _ in hand)
    other.pile[:] = bytes(hidden)
    assert other.digest() != position.digest()
    texts = [write_case(Dispute([], now, action, refused), frozenset({asker})) for now in (position, other)]
    assert texts[0] == texts[1]


def before_the_reveal(place: Path, cards: int) -> list[list[str]]:
    """All that every role is sent from the press to the reveal, of a shot that will bring `cards`."""

    async def watch() -> list[list[str]]:
        house = House(Stand(place, profile=always(cards), seed=SEED))
        patched = pytest.MonkeyPatch()
        try:
            overhear(house, patched)
            ann, _, onlooker = house.join("Ann", host=True), house.join("Bo"), house.join()
            house.say(ann, {"do": "start", "preset": "attack"})
            house.door.pass_time(2.0)
            await house.settle()
            begun = [len(viewer.texts) for viewer in house.viewers]
            due = house.stand.game.presser()
            house.say(ann, {"do": "press", "seat": due})
            for _ in range(6):  # 0.6 of the 0.7 seconds of suspense
                house.door.pass_time(0.1)
                house.say(onlooker, {"do": "nothing"})
                house.say(ann, {"do": "undo"})
                await house.get(ann)
                await house.settle()
            assert house.stand.state.shot is not None
            assert house.stand.state.shot.cards == cards
            return [viewer.texts[at:] for viewer, at in zip(house.viewers, begun, strict=True)]
        finally:
            patched.undo()
            house.close()
            house.stand.close()

    place.mkdir()
    return [[_without_names(text) for text in texts] for texts in run(watch())]


def _without_names(text: str) -> str:
    """The text without what is drawn by lot for every table: ids of sessions, codes of seats."""
    data = json.loads(text) if text.startswith("{") else {}
    for field in ("codes", "you"):
        data.pop(field, None)
    return json.dumps(data) if data else text


def test_nothing_sent_before_the_reveal_depends_on_what_will_come(tmp_path: Path) -> None:
    dry, three, nine = (before_the_reveal(tmp_path / str(cards), cards) for cards in (0, 3, 9))
    assert any(dry)
    assert dry == three == nine


def test_a_plan_that_is_told_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = picture._launcher

    def leaky(ground: Any) -> dict[str, object]:
        shot = ground.state.shot
        return {**plain(ground), "soon": None if shot is None else shot.cards}

    monkeypatch.setattr(picture, "_launcher", leaky)
    assert before_the_reveal(tmp_path / "dry", 0) != before_the_reveal(tmp_path / "nine", 9)
    assert CODES.host not in str(before_the_reveal(tmp_path / "three", 3))
