"""`uno-attack count`: runs a deck through the launcher and says how many cards it has, and how many are missing."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol

from controller import counting
from controller.commands import CommandError
from controller.commands.shooting import (
    SURE,
    CannotFire,
    OwnLauncher,
    add_launcher_arguments,
    configuration,
    confirm,
    own_launcher,
    running_table,
    service_of,
    told,
    told_rested,
)
from controller.config import Config
from controller.control import Client
from controller.counting import IN_A_SHOT, DeckCount, Step
from hardware.ports import Certainty

_POLL: Final = 0.2  # seconds between two looks at the running table


class Counts(Protocol):
    """A count that goes on by itself until it is done or in trouble, wherever its launcher is."""

    def state(self) -> DeckCount | None:
        """Where it is, a moment after the last time; None: somebody ended it."""

    def trouble(self) -> str:
        """What is wrong with the launcher, and what to do."""

    def go(self) -> None:
        """A person has put the launcher right: go on. Raises `CannotFire`."""

    def empty(self) -> None:
        """A person looked: the machine is empty."""

    def end(self) -> None:
        """Stop counting."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--preset", metavar="NAME", help="the deck of these rules (default: those that are configured)")
    which.add_argument("--deck", metavar="NAME", help="this deck")
    which.add_argument("--cards", type=int, metavar="N", help="a deck of so many cards")
    add_launcher_arguments(parser)
    parser.epilog = (
        "Put the whole deck in and close the lid first. A deck of 112 takes a minute or two: the motor cools down in "
        "between. Exit code: 0 every card came, beyond doubt; 1 another number, or a doubt; 2 it could not be done."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count; returns the exit code. Raises `CommandError`."""
    config = configuration(arguments)
    deck = deck_size(arguments, config)
    client = running_table(arguments)
    if client is None:
        with own_launcher(arguments, config, hopper=deck) as launcher:
            if config.backend != "twin":
                launcher.loaded(deck)  # it holds no more: when so many have come and no more come, it is empty
            return carry_on(OwnCount(launcher, deck), input)
    with client:
        confirm(str(service_of(client)["backend"]), arguments.yes)
        told_rested(client, do="count-deck", cards=deck)
        return carry_on(TableCount(client), input)


def deck_size(arguments: argparse.Namespace, config: Config) -> int:
    """How many cards the deck should have. Raises `CommandError`."""
    from controller.rules.decks import DeckError
    from controller.rules.options import OptionError, resolve

    if arguments.cards is not None:
        if not 1 <= arguments.cards <= 1000:
            raise CommandError(f"a deck has 1 to 1000 cards, not {arguments.cards}")
        return int(arguments.cards)
    try:
        if arguments.deck is not None:
            rules = resolve("attack", {"deck": arguments.deck})
        elif arguments.preset is not None:
            rules = resolve(arguments.preset)
        else:
            rules = resolve(config.preset, config.options)
    except (OptionError, DeckError) as error:
        raise CommandError(str(error)) from error
    return sum(rules.counts)


def carry_on(counts: Counts, ask: Callable[[str], str]) -> int:
    """Show how far it is, ask where a person must look, until the count is over; returns the exit code."""
    shown = -1
    while True:
        count = counts.state()
        if count is None:
            print("somebody else ended the count")
            return 1
        if count.counted != shown:
            print(f"{count.counted} of {count.deck}", flush=True)
            shown = count.counted
        if count.step is Step.DONE:
            return _result(count)
        if count.step is Step.FIRING:
            continue
        if not sys.stdin.isatty():
            counts.end()
            print("no card came any more, and nobody is here to look whether the machine is empty or a card is stuck")
            return _result(count) or 1
        if not _ask(counts, ask):
            return _result(count) or 1


def _ask(counts: Counts, ask: Callable[[str], str]) -> bool:
    """Have a person look into the machine; False when they want to stop."""
    trouble = counts.trouble()
    try:
        answer = ask(f"{trouble or 'No card came'}. Look into the machine.\n  e: it is empty, g: it is free again, "
                     "go on, q: stop > ").strip().lower()  # fmt: skip
    except EOFError:
        answer = "q"
    try:
        if answer == "e":
            counts.empty()
        elif answer == "g":
            counts.go()
        elif answer == "q":
            counts.end()
            return False
        else:
            print("e, g or q, please")
    except CannotFire as problem:
        print(f"it does not fire: {problem}")
    return True


def _result(count: DeckCount) -> int:
    shots = "1 shot" if count.shots == 1 else f"{count.shots} shots"
    print(f"counted: {SURE[count.certainty]} {count.counted} of {count.deck} cards, in {shots}")
    if count.missing > 0:
        print(f"missing: {count.missing}{'' if count.certainty is Certainty.EXACT else ' at the most'}")
    elif count.missing < 0:
        print(f"too many: {-count.missing}")
    elif count.complete:
        print("the deck is complete")
    return 0 if count.complete else 1


class TableCount:
    """The count of the running table."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._firing = False

    def state(self) -> DeckCount | None:
        """See `Counts`."""
        if self._firing:
            time.sleep(_POLL)
        found = service_of(self._client)["count"]
        count = None if found is None else counting.from_json(found)
        self._firing = count is not None and count.step is Step.FIRING
        return count

    def trouble(self) -> str:
        """See `Counts`."""
        fault = service_of(self._client)["fault"]
        return "" if fault is None else f"{fault['cause']} {fault['remedy']}".rstrip(".")

    def go(self) -> None:
        """See `Counts`."""
        try:
            if service_of(self._client)["fault"] is not None:
                told(self._client, do="clear-fault")
            told(self._client, do="count-go")
        except CommandError as error:
            raise CannotFire(str(error)) from error

    def empty(self) -> None:
        """See `Counts`."""
        told(self._client, do="count-empty")

    def end(self) -> None:
        """See `Counts`."""
        told(self._client, do="count-end")


class OwnCount:
    """A count with a launcher of our own: each look makes the next shot."""

    def __init__(self, launcher: OwnLauncher, deck: int) -> None:
        self._launcher = launcher
        self._count: DeckCount | None = counting.begin(deck)
        self._begun = False
        self._trouble = ""

    def state(self) -> DeckCount | None:
        """See `Counts`."""
        count = self._count
        if count is None or count.step is not Step.FIRING:
            return count
        if not self._begun:
            self._begun = True
            return count
        try:
            shot = self._launcher.fire(IN_A_SHOT)
        except CannotFire as problem:
            self._trouble = str(problem)
            self._count = counting.denied(count)
        else:
            self._trouble = shot.cause
            self._count = counting.ended(count, shot.cards, shot.certainty, shot.end)
        return self._count

    def trouble(self) -> str:
        """See `Counts`."""
        return self._trouble

    def go(self) -> None:
        """See `Counts`."""
        self._launcher.clear()
        if self._count is not None:
            self._count = counting.go(self._count)

    def empty(self) -> None:
        """See `Counts`."""
        if self._count is not None:
            self._count = counting.empty(self._count)

    def end(self) -> None:
        """See `Counts`."""
        self._count = None
