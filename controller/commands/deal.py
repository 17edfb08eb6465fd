"""`uno-attack deal`: real cards dealt by the launcher, seat after seat, with a person at the terminal.

Through the table when one runs, so that its pages show the same; else with the launcher itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from controller import dealing
from controller.commands import CommandError
from controller.commands.shooting import (
    CannotFire,
    OwnLauncher,
    add_launcher_arguments,
    configuration,
    confirm,
    own_launcher,
    running_table,
    service_of,
    told,
)
from controller.config import Config
from controller.control import Client
from controller.dealing import MOST_EACH, Deal, Step

_POLL: Final = 0.1  # seconds between two looks at the running table
_KEYS: Final = "Enter: fire, a number: so many are held, s: leave it so, q: stop"


class Deals(Protocol):
    """A deal that can be carried on, wherever its launcher is. `seat` is the place in the deal that is meant."""

    def state(self) -> Deal | None:
        """Where it is; None: somebody ended it."""

    def trouble(self) -> str:
        """What is wrong with the launcher, and what to do; empty when nothing is."""

    def clear(self) -> None:
        """A person says it is right again. Raises `CannotFire`."""

    def go(self, seat: int) -> None:
        """Fire at the seat. Raises `CannotFire`."""

    def said(self, seat: int, cards: int) -> None:
        """The seat holds `cards` cards."""

    def skip(self, seat: int) -> None:
        """Leave the seat as it is."""

    def end(self) -> None:
        """Stop dealing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("-n", type=int, metavar="CARDS", help="how many each (default: the hand size of the rules)")
    parser.add_argument(
        "--to", metavar="NAMES", help="who is dealt to, in order, as Ann,Bo,Cy (default: who sits at the running table)"
    )
    add_launcher_arguments(parser)
    parser.epilog = (
        "Exit code: 0 everybody has so many, 1 somebody was left with others or it was stopped, 2 it could not be "
        "done. The host can do the same from the page /service."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Deal; returns the exit code. Raises `CommandError`."""
    if not sys.stdin.isatty():
        raise CommandError("somebody has to see the hands: run this in a terminal, or deal from the page /service")
    if arguments.n is not None and not 1 <= arguments.n <= MOST_EACH:
        raise CommandError(f"a hand has 1 to {MOST_EACH} cards, not {arguments.n}")
    client = running_table(arguments)
    if client is None:
        return _by_ourselves(arguments, configuration(arguments))
    with client:
        if arguments.to is not None:
            raise CommandError("a table runs here: it deals to those who sit at it, so leave --to out")
        confirm(str(service_of(client)["backend"]), arguments.yes)
        told(client, do="deal", cards=arguments.n)
        return carry_on(TableDeal(client), input)


def _by_ourselves(arguments: argparse.Namespace, config: Config) -> int:
    from controller.rules.options import resolve

    if arguments.to is None:
        raise CommandError("no table is running here: say who is dealt to, as in --to Ann,Bo,Cy")
    names = [name.strip() for name in arguments.to.split(",")]
    if not all(names) or len(set(names)) < len(names):
        raise CommandError(f"--to is a list of different names, as Ann,Bo,Cy, not {arguments.to!r}")
    cards = arguments.n or resolve(config.preset, config.options).hand_size
    with own_launcher(arguments, config) as launcher:
        return carry_on(OwnDeal(launcher, names, cards), input)


def carry_on(deals: Deals, ask: Callable[[str], str]) -> int:
    """Prompt, and do what the answers say, until the deal is over; returns the exit code."""
    while True:
        deal = deals.state()
        if deal is None:
            print("somebody else ended the deal")
            return 1
        if deal.step is Step.DONE:
            return _summary(deal)
        if deal.step is Step.FIRING:
            time.sleep(_POLL)
            continue
        try:
            answer = ask(f"{prompt(deal, deals.trouble())}\n  {_KEYS} > ").strip().lower()
        except EOFError:
            answer = "q"
        if answer == "q":
            deals.end()
            print("stopped")
            return 1
        try:
            _do(deals, deal, answer)
        except CannotFire as problem:
            print(f"it does not fire: {problem}")


def _do(deals: Deals, deal: Deal, answer: str) -> None:
    if answer == "s":
        deals.skip(deal.seat)
    elif answer.isdecimal() and int(answer) <= MOST_EACH:
        deals.said(deal.seat, int(answer))
    elif answer:
        print(f"{answer!r} is neither a number up to {MOST_EACH} nor s nor q")
    elif deal.step is Step.COUNT:
        print("first count the hand: type how many cards it has")
    else:
        if deals.trouble():
            deals.clear()
        deals.go(deal.seat)


def prompt(deal: Deal, trouble: str) -> str:
    """What the person at the terminal is to do, in words."""
    name, held = deal.names[deal.seat], deal.hands[deal.seat]
    passed = ""
    if deal.passed:
        passed = f"{_cards(deal.passed)} too many: {deal.names[deal.seat - 1]} gives {name} {deal.passed}. "
    if trouble:
        passed = f"{trouble}. {passed}"
    if deal.step is Step.COUNT:
        return f"{passed}Nobody is sure what came for {name}, {held} or so: count the hand."
    if not deal.missing:
        return f"{passed}{name} has enough."
    if deal.step is Step.TROUBLE:
        return f"{passed}{name} holds {held}, and {_cards(deal.missing)} are missing. Put the launcher right."
    return f"{passed}{name}: hold your hands at the slot, {_cards(deal.missing)} come."


def _summary(deal: Deal) -> int:
    for name, held in zip(deal.names, deal.hands, strict=True):
        print(f"{name}: {_cards(held)}")
    if deal.back:
        print(f"{deal.names[-1]} puts {_cards(deal.back)} back into the machine")
    return 0 if all(held == deal.want for held in deal.hands) else 1


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


class TableDeal:
    """The deal of the running table."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def state(self) -> Deal | None:
        """See `Deals`."""
        found = service_of(self._client)["dealing"]
        return None if found is None else dealing.from_json(found)

    def trouble(self) -> str:
        """See `Deals`."""
        fault = service_of(self._client)["fault"]
        return "" if fault is None else f"{fault['cause']} {fault['remedy']}".rstrip(".")

    def clear(self) -> None:
        """See `Deals`."""
        self._try(do="clear-fault")

    def go(self, seat: int) -> None:
        """See `Deals`."""
        self._try(do="deal-go", seat=seat)

    def said(self, seat: int, cards: int) -> None:
        """See `Deals`."""
        self._try(do="deal-said", seat=seat, cards=cards)

    def skip(self, seat: int) -> None:
        """See `Deals`."""
        self._try(do="deal-skip", seat=seat)

    def end(self) -> None:
        """See `Deals`."""
        told(self._client, do="deal-end")

    def _try(self, **request: object) -> None:
        try:
            told(self._client, **request)
        except CommandError as error:
            raise CannotFire(str(error)) from error


class OwnDeal:
    """A deal with a launcher of our own: each `go` returns when its shots are over."""

    def __init__(self, launcher: OwnLauncher, names: Sequence[str], cards: int) -> None:
        """Raises `CommandError` for what cannot be dealt."""
        self._launcher = launcher
        self._trouble = ""
        try:
            self._deal: Deal | None = dealing.begin(names, cards)
        except ValueError as error:
            raise CommandError(str(error)) from error

    def state(self) -> Deal | None:
        """See `Deals`."""
        return self._deal

    def trouble(self) -> str:
        """See `Deals`."""
        return self._trouble

    def clear(self) -> None:
        """See `Deals`."""
        self._launcher.clear()
        self._trouble = ""

    def go(self, seat: int) -> None:
        """See `Deals`."""
        deal = dealing.go(self._on)
        while deal.step is Step.FIRING:
            try:
                shot = self._launcher.fire(deal.order)
            except CannotFire as problem:
                self._trouble = str(problem)
                deal = dealing.denied(deal)
            else:
                self._trouble = shot.cause if shot.end.value in ("jammed", "stopped") else ""
                deal = dealing.ended(deal, shot.cards, shot.certainty, shot.end)
        self._deal = deal

    def said(self, seat: int, cards: int) -> None:
        """See `Deals`."""
        self._deal = dealing.said(self._on, cards)

    def skip(self, seat: int) -> None:
        """See `Deals`."""
        self._deal = dealing.skip(self._on)

    def end(self) -> None:
        """See `Deals`."""
        self._deal = None

    @property
    def _on(self) -> Deal:
        if self._deal is None:
            raise CommandError("the deal was ended")
        return self._deal
