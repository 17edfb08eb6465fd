"""The debouncer alone: a press at its first contact, one for each push, whatever the contact does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import Debouncer

LOCKOUT = 0.03


def run(debouncer: Debouncer, edges: list[tuple[float, bool]], until: float) -> list[tuple[str, float]]:
    """Feed edges in order, settling when due; what was reported and when."""
    found: list[tuple[str, float]] = []
    level = debouncer.down
    for at, down in [*edges, (until, None)]:
        while debouncer.due is not None and debouncer.due < at:
            due = debouncer.due
            if debouncer.settle(due, level):
                found.append(("released", due))
        if down is None:
            break
        level = down
        if debouncer.edge(at, down):
            found.append(("pressed", at))
    return found


def test_a_clean_press() -> None:
    found = run(Debouncer(LOCKOUT), [(1.0, True), (1.1, False)], 2.0)
    assert found == [("pressed", 1.0), ("released", 1.1 + LOCKOUT)]


def test_a_press_needs_no_timer() -> None:
    debouncer = Debouncer(LOCKOUT)
    assert debouncer.edge(1.0, True)
    assert debouncer.due is None


def test_bouncing_both_ways_is_one_press() -> None:
    edges = [(1.0, True), (1.001, False), (1.002, True), (1.1, False), (1.101, True), (1.102, False)]
    assert [what for what, _ in run(Debouncer(LOCKOUT), edges, 2.0)] == ["pressed", "released"]


def test_chatter_while_held_is_no_press() -> None:
    edges = [(1.0, True), (1.5, False), (1.5001, True), (1.8, False), (1.801, True), (2.0, False)]
    assert [what for what, _ in run(Debouncer(LOCKOUT), edges, 3.0)] == ["pressed", "released"]


def test_a_release_at_the_bound_of_the_lockout() -> None:
    debouncer = Debouncer(LOCKOUT)
    debouncer.edge(1.0, True)
    debouncer.edge(1.1, False)
    assert not debouncer.settle(1.1 + LOCKOUT - 0.001, False)
    assert debouncer.due == 1.1 + LOCKOUT
    assert debouncer.settle(1.1 + LOCKOUT, False)
    assert not debouncer.settle(5.0, False)


def test_a_lost_edge_up_does_not_lock_the_button_for_ever() -> None:
    debouncer = Debouncer(LOCKOUT)
    assert debouncer.edge(1.0, True)
    assert debouncer.edge(2.0, True)


def test_a_button_held_at_the_start_is_not_a_press() -> None:
    debouncer = Debouncer(LOCKOUT, down=True)
    debouncer.due = 1.0
    assert run(debouncer, [(2.0, False), (3.0, True)], 4.0) == [("released", 2.0 + LOCKOUT), ("pressed", 3.0)]


bounce = st.lists(st.floats(0.0001, 0.005), max_size=8)


@given(st.lists(st.tuples(bounce, st.floats(0.05, 1), bounce, st.floats(0.05, 1)), max_size=10))
def test_as_many_presses_as_pushes(pushes: list[tuple[list[float], float, list[float], float]]) -> None:
    at, edges, pushed = 1.0, list[tuple[float, bool]](), list[float]()
    for down_bounces, held, up_bounces, pause in pushes:
        pushed.append(at)
        for bounces, level, still in ((down_bounces, True, held), (up_bounces, False, pause)):
            edges.append((at, level))
            for gap in bounces:
                for bounced in (not level, level):
                    at += gap
                    edges.append((at, bounced))
            at += still
    found = run(Debouncer(LOCKOUT), edges, at + 1)
    assert [when for what, when in found if what == "pressed"] == pushed
    assert [what for what, _ in found] == ["pressed", "released"] * len(pushes)
