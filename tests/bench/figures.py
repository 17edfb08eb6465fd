"""What the benches share: percentiles, and lines that a person can read beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample that `share` of all samples do not exceed (nearest rank)."""
    ranked = sorted(samples)
    return ranked[min(len(ranked) - 1, max(0, round(share * len(ranked)) - 1))]


def latency_line(label: str, seconds: Sequence[float], baseline: Sequence[float] | None = None) -> str:
    """`label` with p50, p99 and the worst of `seconds` in milliseconds, and how many times those of `baseline`."""
    p50, p99, worst = quantile(seconds, 0.5), quantile(seconds, 0.99), max(seconds)
    line = f"  {label:<46} p50 {p50 * 1e3:8.3f} ms   p99 {p99 * 1e3:8.3f} ms   worst {worst * 1e3:8.3f} ms   n {len(seconds)}"
    if baseline is not None:
        line += f"   ×{p50 / quantile(baseline, 0.5):.2f} at p50, ×{p99 / quantile(baseline, 0.99):.2f} at p99"
    return line


def ratio_line(label: str, ratios: Sequence[float], aim: str) -> str:
    """The median of ratios measured pair by pair, with their spread."""
    return f"  {label:<46} {median(ratios):.3f}   ({min(ratios):.3f} to {max(ratios):.3f} over {len(ratios)} pairs; aim: {aim})"
