"""A launcher's figures worked out from the traces of its shots. Pure: nothing is shot and nothing is kept here."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from controller.calibration import CalibrationError, Figure

ALIKE: Final = 0.3  # a card's time may differ by so much from the middle one; else it is a pair, a scrap, or half stuck
STRANGE: Final = 0.2  # of the single cards may be so: more, and the machine is not fit to be measured
LEAST_CARDS: Final = 6
LEAST_GAPS: Final = 8
LIGHT_CARDS: Final = 30  # from so many cards down the pile may press less
LEAST_LIGHT: Final = 6
NOTICEABLE_MS: Final = 8  # a light pile that delays its last card by less than this is none
MARGIN: Final = 1.1  # on the slowest card, for the pace that is still honest


@dataclass(frozen=True, slots=True)
class Trace:
    """One shot: when the motor was told to go forward and to stop, and every block of the beam (from, until); seconds.

    `left` is how many cards the pile held before it, None = nobody said.
    """

    forward_at: float
    stopped_at: float
    blocks: tuple[tuple[float, float], ...]
    left: int | None = None


def work_out(singles: Sequence[Trace], bursts: Sequence[Trace], light: Sequence[Trace] = ()) -> dict[str, Figure]:
    """The figures of shots of one card, of several, and of several from a light pile. Raises `CalibrationError`."""
    card = _card_time(singles)
    gaps = [gap for trace in bursts for gap, _ in _gaps(trace, card)]
    if len(gaps) < LEAST_GAPS:
        raise CalibrationError(
            f"only {len(gaps)} of {LEAST_GAPS} needed gaps between two single cards were seen: cards come in pairs or "
            "not at all. Fan the pile, see that it is dry and straight, and calibrate again"
        )
    # The first shot begins where the one before this calibration has left the pile; all others after a pull back.
    starts = [trace.blocks[0][0] - trace.forward_at for trace in singles[1:] if trace.blocks]
    alone = [end - start for trace in (*singles, *bursts) for start, end in trace.blocks if _alike(start, end, card)]
    found = {
        "card_ms": _figure(statistics.mean(alone), alone),
        "spin_up_ms": _figure(statistics.median(starts), starts),
        "pace_ms": _figure(statistics.mean(gaps), gaps),
        "interval_ms": _figure(max(gaps) * MARGIN, gaps),
    }
    lag = _stop_lag([*singles, *bursts], gaps, card)
    if lag is not None:
        found["stop_lag_ms"] = lag
    return found | (_light_pile(light, card, statistics.mean(gaps)) if light else {})


def _card_time(singles: Sequence[Trace]) -> float:
    """The time of one card at the beam: the middle one of those that are alike."""
    times = [end - start for trace in singles for start, end in trace.blocks[:1]]
    if len(times) < LEAST_CARDS:
        raise CalibrationError(f"only {len(times)} single cards were seen, {LEAST_CARDS} are needed: calibrate again")
    middle = statistics.median(times)
    alike = [time for time in times if abs(time - middle) <= ALIKE * middle]
    if len(times) - len(alike) > STRANGE * len(times):
        raise CalibrationError(
            f"the cards' times at the beam differ too much ({min(times) * 1000:.0f} to {max(times) * 1000:.0f} ms): "
            "see that the beam is fixed and looks at the middle of the slot, fan the pile, and calibrate again"
        )
    return statistics.median(alike)


def _alike(start: float, end: float, card: float) -> bool:
    return abs(end - start - card) <= ALIKE * card


def _gaps(trace: Trace, card: float) -> list[tuple[float, int]]:
    """(from front to front, how many cards had left before the second) of cards that came one by one under power."""
    found = []
    for number, (one, other) in enumerate(pairwise(trace.blocks), start=1):
        if _alike(*one, card) and _alike(*other, card) and other[0] <= trace.stopped_at:
            found.append((other[0] - one[0], number))
    return found


def _stop_lag(traces: Sequence[Trace], gaps: Sequence[float], card: float) -> Figure | None:
    """How long the motor still feeds cards when it was told to stop: as if it had run on at full pace for so long.

    A shot that is counted ends when its last card has passed. What was then left of the way to the next card is as long
    as a gap is beyond a card: where a share of the shots brings one more, the lag is what so large a share of the gaps
    falls short of. None: no card ever came late, so that the lag is too short to be seen.
    """
    late = sum(any(start > trace.stopped_at for start, _ in trace.blocks) for trace in traces)
    if not late:
        return None
    beyond = sorted(gap - card for gap in gaps)
    share = late / len(traces)
    place = min(len(beyond) - 1, round(share * len(beyond)))
    low, high = beyond[0], beyond[-1]
    return _figure(max(0.0, beyond[place]), [low, high])


def _light_pile(light: Sequence[Trace], card: float, pace: float) -> dict[str, Figure]:
    """How much later the last card of a light pile comes; those before it in between (`LauncherSettings.late_ms`)."""
    pairs = []  # (how light the pile was: 0..1, how late the card came)
    for trace in light:
        for gap, before in _gaps(trace, card):
            left = (trace.left or 0) - before
            if 0 < left < LIGHT_CARDS:
                pairs.append((1 - (left - 1) / LIGHT_CARDS, gap - pace))
    if len(pairs) < LEAST_LIGHT:
        raise CalibrationError(
            f"only {len(pairs)} of {LEAST_LIGHT} needed gaps of a light pile were seen: put more than 6 and fewer than "
            f"{LIGHT_CARDS} cards in, and say how many with --light"
        )
    late = sum(share * delay for share, delay in pairs) / sum(share * share for share, _ in pairs)
    delays = [delay for _, delay in pairs]
    if late * 1000 < NOTICEABLE_MS:
        return {"light_cards": _figure(0, delays), "light_ms": _figure(0, delays)}
    return {"light_cards": Figure(LIGHT_CARDS, LIGHT_CARDS, LIGHT_CARDS, len(pairs)), "light_ms": _figure(late, delays)}


def _figure(seconds: float, measured: Sequence[float]) -> Figure:
    return Figure(
        round(seconds * 1000), round(min(measured) * 1000, 1), round(max(measured) * 1000, 1), len(measured)
    )  # fmt: skip
