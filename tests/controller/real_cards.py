"""What the tests of tables with real cards have in common: people, a start card, shots, and what is told of them."""

from __future__ import annotations

from typing import Any

from controller.table.messages import Answer, Who
from tests.controller.stand import HOST, Stand, facts

NAMES = ("Ann", "Bo", "Cy")


def real_cards(stand: Stand, *names: str, start: str = "red 5", **game: Any) -> list[Who]:
    """People with a phone each, at a game with real cards; Cy deals, `start` is turned up: the first one begins."""
    phones = []
    for seat, name in enumerate(names or NAMES):
        stand.do(Who(name), do="sit", name=name)
        phones.append(Who(name, seats=frozenset({seat})))
    stand.do(HOST, do="start", physical=True, **game)
    stand.do(HOST, do="dealer", seat=len(phones) - 1)
    if start:
        stand.do(HOST, do="start-card", card=start)
    return phones


def shoot(stand: Stand) -> None:
    """The button is pressed and the shot comes to its end."""
    stand.pass_time(1.5)
    stand.press()
    assert stand.state.shot is not None, stand.events()[-1]
    stand.until(lambda: stand.state.shot is None)


def refusal(stand: Stand, who: Who, **body: object) -> Answer:
    """What a command is refused with; nothing comes of it."""
    before = stand.told_state()
    answer = stand.tell(who, **body)
    assert answer is not None
    assert not answer["ok"], answer
    assert stand.told_state() == before
    return answer


def hand(stand: Stand, seat: int) -> int:
    return int(stand.table()["seats"][seat]["hand"])


def last_event(stand: Stand, kind: str) -> dict[str, Any]:
    return [event for event in stand.events() if event["e"] == kind][-1]


def same_after_a_restart(stand: Stand, moment: str) -> Stand:
    """The table started again; all that is shown is as it was."""
    before, shown = facts(stand.state), stand.table()
    again = stand.again()
    after = facts(again.state)
    assert {**after, "epoch": 0} == {**before, "epoch": 0}, moment
    now = again.table()
    assert now["launcher"]["hopper"] == shown["launcher"]["hopper"]
    for table in (now, shown):
        del table["launcher"]  # it has rested meanwhile
        for seat in table["seats"]:
            del seat["connected"]  # nobody is yet
    assert now == shown
    return again
