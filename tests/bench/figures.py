"""What the benches share: percentiles, and lines that a person can read beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample that `share` of all samples do not exceed (nearest rank)."""
    ranked = sorted(samples)
    return ranked[min(len(ranked) - 1, max(0, round(share * len(ranked)) - 1))]


def line(label: str, figure: str, note: str = "") -> None:
    """Print one figure under its label."""
    print(f"  {label:<46} {figure:<16} {note}".rstrip(), flush=True)


def latency(label: str, seconds: Sequence[float], baseline: Sequence[float] | None = None) -> None:
    """Print p50, p99 and the worst of `seconds` in milliseconds, and how many times those of `baseline` they are."""
    p50, p99 = quantile(seconds, 0.5), quantile(seconds, 0.99)
    times = ""
    if baseline is not None:
        times = f"  ×{p50 / quantile(baseline, 0.5):.2f} at p50, ×{p99 / quantile(baseline, 0.99):.2f} at p99"
    figures = f"p50 {p50 * 1e3:8.3f} ms  p99 {p99 * 1e3:8.3f} ms  worst {max(seconds) * 1e3:8.3f} ms"
    line(label, figures, f"({len(seconds)} samples){times}")


def ratio(label: str, ratios: Sequence[float], aim: str) -> None:
    """Print the median of ratios measured pair by pair, with their spread."""
    spread = f"{min(ratios):.3f} to {max(ratios):.3f} over {len(ratios)} pairs"
    line(label, f"{median(ratios):8.3f}", f"({spread}; aim: {aim})")
