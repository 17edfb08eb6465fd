"""Odds in words, as lines of a terminal, as data, and as the tables of `docs/odds.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from controller.odds import PROFILES, OddsProfile, pictures
from controller.odds.check import Histogram, Report
from controller.odds.statistics import CONFIDENCE
from hardware.settings import LauncherSettings

_BLOCK = "<!-- generated: {0} -->.*?<!-- end: {0} -->"


def figures(profile: OddsProfile) -> dict[str, object]:
    """All that is to be expected of a profile, as data."""
    return {
        "profile": profile.name,
        "summary": profile.summary,
        "fire_rate": profile.fire_rate,
        "cards_per_fire": profile.cards_per_fire,
        "cards_per_press": profile.cards_per_press,
        "longest_dry_run": profile.longest_dry_run,
        "most_cards": profile.max_cards,
        "hit_two_brings_nothing": profile.nothing_in(2),
        "presses_to_fire": profile.presses_to_fire,
        "pauses": profile.pauses,
        "rising": profile.rising,
        "chances": list(profile.rhythm.hazards),
        "shares_of_fires": list(profile.rhythm.shares),
        "cards": {str(cards): share for cards, share in profile.cards_shares.items()},
    }


def in_words(profile: OddsProfile) -> Iterator[str]:
    """A profile in words, then its figures."""
    yield f"{profile.name}: {profile.summary}."
    yield ""
    yield from (f"- {sentence}" for sentence in _sentences(profile))
    yield ""
    yield "press since the last fire, chance of firing, share of all fires"
    for (label, _, chance), share in zip(pictures.fires(profile), profile.rhythm.shares, strict=False):
        yield f"  {label:>11}  {chance:>6}  {_per_cent(share)}"
    yield ""
    yield "cards of a fire"
    for label, _, shown in pictures.cards(profile):
        if shown:
            yield f"  {label:>11}  {shown:>6}"


def _sentences(profile: OddsProfile) -> Iterator[str]:
    yield (
        f"A press fires in {_per_cent(profile.fire_rate)} of cases and brings {profile.cards_per_fire:.2f} cards then: "
        f"{profile.cards_per_press:.2f} cards a press."
    )
    longest = profile.longest_dry_run
    if longest is None:
        yield "A dry run has no end: however long nothing has come, the next press may be dry, too."
    elif longest:
        yield f"After {longest} dry presses in a row the next one fires for certain."
    else:
        yield "No press is dry."
    yield (
        f"A hit-2 brings nothing in {_per_cent(profile.nothing_in(2))} of cases; "
        f"a hit-fire takes {profile.presses_to_fire:.2f} presses in the mean."
    )
    seconds = LauncherSettings().on_ms(profile.max_cards) / 1000
    yield f"The largest shot has {profile.max_cards} cards; the motor may run {seconds:.1f} s for it."
    if profile.pauses:
        yield f"{_per_cent(profile.pauses)} of presses, dry or not, keep their secret longer."
    if profile.rising:
        yield "Sound and light of the suspense rise with every dry press."


def report_lines(title: str, report: Report, width: int, plain: bool = False) -> Iterator[str]:
    """A report as lines of a terminal: the verdict first, then what it rests on."""
    yield f"{title}, against {report.profile.name}"
    yield from (f"  {sentence}" for sentence in report.sentences)
    yield ""
    left_out = ", ".join(f"{count} {why}" for why, count in sorted(report.left_out.items()))
    yield f"  presses   {report.presses}{f' (left out: {left_out})' if left_out else ''}"
    if not report.presses:
        return
    yield (
        f"  fires     {_per_cent(report.fires / report.presses)} "
        f"({_per_cent(report.low)} to {_per_cent(report.high)}), expected {_per_cent(report.profile.fire_rate)}; "
        f"{_chance(report.chance)}"
    )
    if report.mean_cards is not None:
        yield f"  cards     {report.mean_cards:.2f} a fire, expected {report.profile.cards_per_fire:.2f}"
    delivery = report.delivery
    if delivery is not None:
        yield (
            f"  given     {delivery.more:+.2f} cards a shot beyond those asked for ({delivery.low:+.2f} to "
            f"{delivery.high:+.2f}); {delivery.right} of {delivery.shots} shots right"
        )
    if report.firing is not None and report.firing.total:
        yield from _histogram("fires, by the press since the last one", report.firing, width, plain)
    if report.cards is not None and report.cards.total:
        yield from _histogram("cards of a fire", report.cards, width, plain)
    stroke = pictures.PLAIN_MARK if plain else pictures.MARK
    yield ""
    yield f"  Bars: seen; {stroke}: expected; in brackets, where the share lies with {CONFIDENCE:.0%} confidence."


def report_data(title: str, report: Report) -> dict[str, object]:
    """A report as data."""
    return {**asdict(report), "title": title, "profile": report.profile.name, "expected": figures(report.profile)}


def table() -> str:
    """The profiles of `docs/odds.md`, as Markdown."""
    head = ("profile", "what it is", "fires on", "cards a fire", "cards a press", "longest dry run", "most cards",
            "a hit-2 brings nothing", "a hit-fire takes")  # fmt: skip
    lines = [head, tuple("---" for _ in head)]
    for each in PROFILES.values():
        longest = "no end" if each.longest_dry_run is None else str(each.longest_dry_run)
        lines.append((
            f"`{each.name}`", each.summary, _per_cent(each.fire_rate), f"{each.cards_per_fire:.2f}",
            f"{each.cards_per_press:.2f}", longest, str(each.max_cards), _per_cent(each.nothing_in(2)),
            f"{each.presses_to_fire:.2f} presses",
        ))  # fmt: skip
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def picture(profile: OddsProfile) -> Path:
    """Where a profile's picture lies, beside `docs/odds.md`."""
    return Path("img") / f"odds-{profile.name}.svg"


def filled(text: str) -> str:
    """`docs/odds.md` with its generated parts renewed. Raises `ValueError` when one has no markers."""
    drawn = "\n\n".join(f"![{each.describe()}]({picture(each)})" for each in PROFILES.values())
    for name, made in {"profiles": table(), "pictures": drawn}.items():
        found = re.findall(_BLOCK.format(name), text, flags=re.DOTALL)
        if len(found) != 1:
            raise ValueError(f"the markers '<!-- generated: {name} -->' and '<!-- end: {name} -->' must be there once")
        text = text.replace(found[0], f"<!-- generated: {name} -->\n\n{made}\n\n<!-- end: {name} -->")
    return text


def _histogram(name: str, histogram: Histogram, width: int, plain: bool) -> Iterator[str]:
    test = histogram.test
    sure = "too few for chi-square" if test is None else f"chi-square {test[0]:.1f} ({test[1]}), {_chance(test[2])}"
    yield ""
    yield f"  {name}; {sure}"
    highest = max(max(each.share, each.expected) for each in histogram.bars)
    room = max(8, width - 59)
    for each in histogram.bars:
        drawn = pictures.bar(each.share / highest, room, each.expected / highest, plain)
        yield (
            f"  {each.label:>4}  {drawn}  {each.seen:>5} of {each.of:<5} {_per_cent(each.share):>7} "
            f"({_per_cent(each.low)} to {_per_cent(each.high)})"
        )


def _chance(chance: float) -> str:
    return "p < 0.001" if chance < 0.001 else f"p = {chance:.3f}"


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"
