"""A profile of odds, what it promises in the long run, and the odds of a launcher as they go on."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from controller.odds.errors import OddsError
from controller.odds.rhythms import Rhythm
from controller.odds.sizes import Sizes


class OddsState(TypedDict):
    """What a profile remembers between presses, fit for JSON.

    `profile` is the profile's key. `presses` is counted since the last fire (and not beyond where that makes a
    difference), or, for a fixed list, since the list was begun.
    """

    profile: str
    presses: int


@dataclass(frozen=True)
class OddsProfile:
    """One way a launcher may behave: when it fires, and how many cards then.

    `sizes[i]` holds for a fire on press `i + 1` since the last one; the last entry holds for all later presses too.
    `pauses`: share of presses, dry or not, that keep their secret longer. `rising`: sound and light of the suspense
    rise with every press since the last fire. `edition`: tells one making of a table of one's own from the next.
    """

    name: str
    summary: str
    rhythm: Rhythm
    sizes: tuple[Sizes, ...]
    pauses: float = 0.0
    rising: bool = False
    edition: str = ""

    @property
    def key(self) -> str:
        """What the journal knows this profile by: a table that was changed is another one."""
        return f"{self.name}#{self.edition}" if self.edition else self.name

    def start(self) -> OddsState:
        """The state of a launcher just switched on."""
        return {"profile": self.key, "presses": 0}

    def next(self, state: OddsState, rng: random.Random) -> tuple[int, OddsState]:
        """One press: (cards, 0 = dry; the state after it)."""
        cards, presses = self.press(state["presses"], rng)
        return cards, {"profile": self.key, "presses": presses}

    def press(self, presses: int, rng: random.Random) -> tuple[int, int]:
        """`next` with nothing but the number of presses as its state, for those who play a million."""
        fired_on, presses = self.rhythm.press(presses, rng)
        return (self.sizes_on(fired_on).draw(rng) if fired_on else 0), presses

    def restarted(self, state: OddsState) -> OddsState:
        """The state after power-on or after the lid was closed."""
        return {"profile": self.key, "presses": self.rhythm.restarted(state["presses"])}

    def state_from(self, data: Mapping[str, object] | None) -> OddsState:
        """The state that was journalled as `data`; None, or another profile's state, gives a launcher just switched on.

        Raises `OddsError` for what no profile can have written.
        """
        if data is None:
            return self.start()
        key, presses = data.get("profile"), data.get("presses")
        if not isinstance(key, str) or not isinstance(presses, int) or isinstance(presses, bool) or len(data) != 2:
            raise OddsError(f"a state of the odds has a profile and a number of presses, not {dict(data)!r}")
        if key != self.key:
            return self.start()
        if not self.rhythm.valid(presses):
            raise OddsError(f"{presses} presses cannot be a state of the odds profile {self.name!r}")
        return {"profile": key, "presses": presses}

    @property
    def fire_rate(self) -> float:
        """Share of all presses that fire, in the long run."""
        return 1 / self.rhythm.mean_wait

    @property
    def cards_per_fire(self) -> float:
        """Mean cards of a press that fires."""
        return sum(cards * share for cards, share in self.cards_shares.items())

    @property
    def cards_per_press(self) -> float:
        """Mean cards of any press, dry ones counted."""
        return self.fire_rate * self.cards_per_fire

    @property
    def cards_shares(self) -> Mapping[int, float]:
        """Share of all fires that bring each number of cards, by rising number; they add up to 1."""
        shares: dict[int, float] = {}
        for press, share in enumerate(self.rhythm.shares, start=1):
            for cards, of_press in self.sizes_on(press).shares.items():
                shares[cards] = shares.get(cards, 0.0) + share * of_press
        return {cards: shares[cards] for cards in sorted(shares)}

    @property
    def longest_dry_run(self) -> int | None:
        """The most presses in a row that can bring nothing; None: there is no most."""
        longest = self.rhythm.longest_wait
        return None if longest is None else longest - 1

    @property
    def max_cards(self) -> int:
        """The largest shot."""
        return max(sizes.largest for sizes in self.sizes)

    def nothing_in(self, presses: int) -> float:
        """How often so many presses in a row all stay dry, wherever the launcher stands."""
        mean = self.rhythm.mean_wait
        return max(0.0, (mean - sum(self.rhythm.outlasts(press) for press in range(presses))) / mean)

    @property
    def presses_to_fire(self) -> float:
        """Presses it takes until it fires, in the mean, wherever the launcher stands."""
        return (self.rhythm.mean_square_wait / self.rhythm.mean_wait + 1) / 2

    def describe(self) -> str:
        """One line for people: what is to be expected."""
        longest = self.longest_dry_run
        some = f"at most {longest} dry in a row" if longest else "none dry"
        dry = "no end to a dry run" if longest is None else some
        return (
            f"{self.name}: {self.summary}; fires on {self.fire_rate:.1%} of presses, "
            f"{self.cards_per_press:.2f} cards a press, {dry}, at most {self.max_cards} cards"
        )

    def sizes_on(self, press: int) -> Sizes:
        """How many cards a fire on this press since the last one brings."""
        return self.sizes[min(press, len(self.sizes)) - 1]


class Odds:
    """A launcher's odds as they go on, press after press."""

    def __init__(self, profile: OddsProfile, rng: random.Random, state: Mapping[str, object] | None = None) -> None:
        """Go on from a journalled `state`, or begin as just switched on. Raises `OddsError` for a broken state."""
        self.profile = profile
        self._rng = rng
        self._presses = profile.state_from(state)["presses"]

    @property
    def state(self) -> OddsState:
        """The state to journal: with it, and the same chance, the same shots follow."""
        return {"profile": self.profile.key, "presses": self._presses}

    @property
    def step(self) -> int:
        """How far a rising suspense has come with the next press, as all could have counted; 0: it does not rise."""
        return self.profile.rhythm.since(self._presses) if self.profile.rising else 0

    def pause(self) -> bool:
        """Whether the next press makes a fake pause; drawn before the press, so that it knows nothing of the cards."""
        return self.profile.pauses > 0 and self._rng.random() < self.profile.pauses

    def press(self) -> int:
        """One press: how many cards it brings; 0 = dry."""
        cards, self._presses = self.profile.press(self._presses, self._rng)
        return cards

    def restarted(self) -> None:
        """The launcher was switched on, or its lid closed."""
        self._presses = self.profile.rhythm.restarted(self._presses)
