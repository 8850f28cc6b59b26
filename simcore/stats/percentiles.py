"""Exact summaries of a histogram: mean, standard deviation, extremes and percentiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Bin = tuple[float, int]


@dataclass(frozen=True)
class Summary:
    """Moments and extremes of `n` observations; `sd` divides by n - 1, and is 0 for a single observation."""

    n: int
    mean: float
    sd: float
    min: float
    max: float


def summarize(histogram: Iterable[Bin]) -> Summary | None:
    """Return the summary of (value, count) bins in any order, or None where there is no observation.

    Values are finite ints or floats. They are brought to a common denominator (a power of two for floats) and
    summed as integers, so mean and variance are rounded once, and equal values give a deviation of exactly 0.
    An sd of 0 at n = 1 says that one observation shows no spread, not that there is none.
    """
    bins = [(value, count) for value, count in histogram if count > 0]
    if not bins:
        return None
    ratios = [(value.as_integer_ratio(), count) for value, count in bins]
    scale = math.lcm(*(below for (_, below), _ in ratios))
    wholes = [(above * (scale // below), count) for (above, below), count in ratios]
    n = sum(count for _, count in wholes)
    total = sum(whole * count for whole, count in wholes)
    squares = sum(whole * whole * count for whole, count in wholes)
    variance = (n * squares - total * total) / (n * (n - 1) * scale * scale) if n > 1 else 0.0
    values = [value for value, _ in bins]
    return Summary(n=n, mean=total / (n * scale), sd=math.sqrt(variance), min=min(values), max=max(values))


def percentile(histogram: Sequence[Bin], percent: int) -> float | None:
    """Return the smallest value t with P(X <= t) >= percent / 100, or None where there is no observation.

    Parameters
    ----------
    histogram : sequence of (value, count)   Sorted by value.
    percent : int                            0 to 100, whole, so that the comparison is exact; 0 gives the
                                             smallest.

    Always a value that occurred, never an interpolation. Where games are cut off at a cap, a percentile that
    equals the cap means "at least".

    >>> percentile([(3, 5), (4, 5)], 50), percentile([(3, 5), (4, 5)], 51)
    (3, 4)
    """
    n = sum(count for _, count in histogram)
    seen = 0
    for value, count in histogram:
        seen += count
        if count > 0 and 100 * seen >= percent * n:
            return value
    return None
