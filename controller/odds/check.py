"""Expected against seen: whether a launcher does what a profile says, and in plain words what it does instead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from controller.odds.profiles import OddsProfile
from controller.odds.records import Press, Record
from controller.odds.statistics import Z, chi_square, chi_square_of_trials, least_trials, normal_tails, wilson

RARE = 0.01  # what happens by chance less often than that is told as a fault of the launcher
LEAST_SHOTS = 20  # before anything is said of cards asked for and cards given
LEAST_MATTERS = 0.05  # cards a shot: less than that is nobody's concern, however sure it is


@dataclass(frozen=True, slots=True)
class Bar:
    """One class of a histogram: how large its share should be, seen how often in how many, and where it may lie."""

    label: str
    expected: float
    seen: int
    of: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Classes, expected and seen. `test`: chi-square, degrees of freedom, p-value; None: too few to say.

    `total`: presses or fires it is made of.
    """

    bars: tuple[Bar, ...]
    total: int
    test: tuple[float, int, float] | None

    @property
    def unlikely(self) -> bool:
        """Whether chance alone hardly does that."""
        return self.test is not None and self.test[2] < RARE


@dataclass(frozen=True, slots=True)
class Delivery:
    """Cards that came beyond those asked for, a shot: the mean, where it lies, and how likely chance alone does that.

    `right`: shots that brought what was asked for.
    """

    shots: int
    right: int
    more: float
    low: float
    high: float
    chance: float


@dataclass(slots=True)
class Report:
    """What there is to say of a record. `agrees`: None: too few presses to say."""

    profile: OddsProfile
    presses: int = 0
    fires: int = 0
    low: float = 0.0
    high: float = 1.0
    least: int = 0
    chance: float = 1.0  # of firing so much less or more often, were the profile right
    longest_dry: int = 0
    firing: Histogram | None = None  # of the first, second, ... press since the last fire
    cards: Histogram | None = None
    mean_cards: float | None = None
    delivery: Delivery | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    agrees: bool | None = None
    sentences: list[str] = field(default_factory=list)


def check(record: Record, profile: OddsProfile) -> Report:
    """Judge a record by what `profile` says."""
    known = [press for press in record.presses if press.came is not None]
    fires = sum(bool(press.came) for press in known)
    report = Report(profile, len(known), fires, *wilson(fires, len(known)), left_out=record.left_out)
    _Judge(report, record.presses).judge()
    return report


class _Judge:
    """Fills in one report."""

    def __init__(self, report: Report, presses: Sequence[Press]) -> None:
        self._report = report
        self._profile = report.profile
        self._presses = presses
        self._against: list[str] = []

    def judge(self) -> None:
        report, rate = self._report, self._profile.fire_rate
        report.least = math.ceil(10 / min(rate, 1 - rate)) if rate < 1 else 10
        report.firing = self._walk()
        report.cards = self._cards()
        report.delivery = self._deliver()
        if report.presses < report.least:
            least = f"it takes at least {report.least} to judge how often it fires"
            report.sentences = [f"Too few presses to say: {report.presses}, and {least}."]
            return
        self._say_how_often()
        self._say_which_cards()
        strange = self._say_what_never_comes()
        self._say_what_was_given()
        report.agrees = not self._against
        seen = f"it fires on {_per_cent(report.fires / report.presses)} of presses"
        nothing = f"Nothing speaks against the profile: {seen}, and {self._profile.name} says {_per_cent(rate)}."
        report.sentences = self._against or [nothing]
        self._add_remarks(strange)

    def _walk(self) -> Histogram:
        """Through the presses, each with how likely it was to fire.

        Given how long nothing has come, a press knows nothing of those before it: so what the fires exceed their
        chances by has a known spread, wherever a record begins or has a hole.
        """
        report, hazards, anywhere = self._report, self._profile.rhythm.hazards, self._chances_anywhere()
        tried, fired = [0] * len(hazards), [0] * len(hazards)
        since, known, beyond, spread, dry = 0, False, 0.0, 0.0, 0
        for press in self._presses:
            since += 1
            place = min(since, len(hazards)) - 1
            if press.came is not None:
                chance = (hazards if known else anywhere)[place]
                beyond += bool(press.came) - chance
                spread += chance * (1 - chance)
                tried[place] += known
                fired[place] += known and bool(press.came)
                dry = 0 if press.came else dry + 1
                report.longest_dry = max(report.longest_dry, dry)
            brought = press.came if press.ordered is None else press.ordered
            if brought is None:
                since, known, dry = 0, False, 0  # nobody knows where it stands now
            elif brought:
                since, known = 0, True
        if spread > 0:
            report.chance = normal_tails(beyond / math.sqrt(spread))
        elif abs(beyond) > 0.5:
            report.chance = 0.0
        self._beyond = beyond
        return self._firing(tried, fired)

    def _firing(self, tried: Sequence[int], fired: Sequence[int]) -> Histogram:
        hazards = self._profile.rhythm.hazards
        labels = [str(press) for press in range(1, len(hazards) + 1)]
        if self._profile.longest_dry_run is None or self._report.longest_dry > self._profile.longest_dry_run:
            labels[-1] += "+"
        bars = tuple(_bar(*each) for each in zip(labels, hazards, fired, tried, strict=True))
        return Histogram(bars, sum(tried), chi_square_of_trials(list(zip(tried, hazards, fired, strict=True))))

    def _chances_anywhere(self) -> list[float]:
        """Chances of the first, second, ... press of a launcher that nobody knows anything of, while all stay dry."""
        rhythm = self._profile.rhythm
        left = [rhythm.outlasts(press) for press in range(len(rhythm.hazards))]
        to_come = [rhythm.mean_wait - sum(left[:press]) for press in range(len(left))]
        return [min(1.0, now / after) for now, after in zip(left, to_come, strict=True)]

    def _cards(self) -> Histogram:
        """Of counts that are sure."""
        counts = [press.came for press in self._presses if press.came and press.exact]
        self._report.mean_cards = fmean(counts) if counts else None
        shares = dict(self._profile.cards_shares)
        for cards in range(1, max((*shares, *counts)) + 1):
            shares.setdefault(cards, 0.0)
        seen = Counter(counts)
        sizes, total = sorted(shares), len(counts)
        bars = tuple(_bar(str(each), shares[each], seen[each], total) for each in sizes)
        return Histogram(bars, total, chi_square([total * shares[each] for each in sizes], [seen[n] for n in sizes]))

    def _deliver(self) -> Delivery | None:
        exact = (press for press in self._presses if press.ordered and press.exact)
        more = [press.came - (press.ordered or 0) for press in exact if press.came is not None]
        if len(more) < LEAST_SHOTS:
            return None
        mean, error = fmean(more), stdev(more) / math.sqrt(len(more))
        chance = normal_tails(mean / error) if error else float(mean == 0)
        return Delivery(len(more), more.count(0), mean, mean - Z * error, mean + Z * error, chance)

    def _say_how_often(self) -> None:
        report = self._report
        seen, said = _per_cent(report.fires / report.presses), _per_cent(self._profile.fire_rate)
        if report.chance < RARE:
            how = "more" if self._beyond > 0 else "less"
            self._against.append(
                f"Your launcher fires {how} often than the profile says: on {seen} of presses instead of {said}."
            )
        elif report.firing is not None and report.firing.unlikely:
            self._against.append(
                f"Your launcher fires as often as the profile says ({seen} of presses), but not when it says: look at "
                "the presses since the last fire."
            )

    def _say_which_cards(self) -> None:
        cards, mean = self._report.cards, self._report.mean_cards
        if cards is None or mean is None or not cards.unlikely:
            return
        said = self._profile.cards_per_fire
        if abs(mean - said) < 0.1:
            self._against.append("Your launcher's shots have other sizes than the profile says, though as many cards.")
        else:
            how = "larger" if mean > said else "smaller"
            self._against.append(
                f"Your launcher's shots are {how} than the profile says: {mean:.1f} cards instead of {said:.1f}."
            )

    def _say_what_never_comes(self) -> list[str]:
        """Sizes that the profile has no chance of: against it, or in words where the odds had ordered what they may.

        Then it is the machine that gave something else, which `_say_what_was_given` judges.
        """
        shares = self._profile.cards_shares
        shots = [press for press in self._presses if press.came and press.exact and not shares.get(press.came)]
        if not shots:
            return []
        sizes = sorted(Counter(press.came for press in shots if press.came is not None).items())
        listed = ", ".join(f"{size} ({times})" for size, times in sizes)
        said = f"Shots came of as many cards as the profile never has (in brackets how often): {listed}."
        if all(press.ordered and shares.get(press.ordered) for press in shots):
            return [said]
        self._against.append(said)
        return []

    def _say_what_was_given(self) -> None:
        delivery = self._report.delivery
        if delivery is not None and abs(delivery.more) >= LEAST_MATTERS and delivery.chance < RARE:
            how = "more" if delivery.more > 0 else "fewer"
            self._against.append(
                f"Your launcher gives {how} cards than asked for: {delivery.more:+.1f} a shot "
                f"({delivery.low:+.1f} to {delivery.high:+.1f})."
            )

    def _add_remarks(self, strange: Sequence[str]) -> None:
        report, longest = self._report, self._profile.longest_dry_run
        report.sentences = [*report.sentences, *strange]
        if longest is not None and report.longest_dry > longest:
            report.sentences.append(
                f"{report.longest_dry} presses in a row were dry, and the profile has {longest} at most."
            )
        strays = sum(press.ordered == 0 and bool(press.came) for press in self._presses)
        if strays:
            report.sentences.append(f"Cards came with {_times(strays)} that should have been dry.")
        missed = sum(bool(press.ordered) and press.came == 0 for press in self._presses)
        if missed:
            report.sentences.append(f"Nothing came with {_times(missed)} that should have fired.")
        if report.cards is not None and report.cards.test is None:
            least = least_trials([bar.expected for bar in report.cards.bars])
            if least is not None and report.fires:
                report.sentences.append(
                    f"Too few fires to say anything of their cards: {report.cards.total}, and it takes {least}."
                )


def _bar(label: str, share: float, seen: int, of: int) -> Bar:
    return Bar(label, share, seen, of, seen / of if of else 0.0, *wilson(seen, of))


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _times(presses: int) -> str:
    return f"{presses} press{'es' if presses > 1 else ''}"
