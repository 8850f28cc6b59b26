"""How often the intervals miss the truth when a run is watched: a larger version of the null tests.

``python -m benchmarks.coverage [--streams 2000] [--seed 1]`` prints one line per method and case: the share
of streams whose interval left out the true value at ANY look, with the exact (Clopper-Pearson) upper 99 %
bound of that share. Anytime-valid methods must stay below alpha. Wilson is there to show what peeking costs,
and rare long games to show where the asymptotic interval of a mean needs a longer burn-in. About a minute.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from simcore.stats.clusters import amount_interval, share_interval
from simcore.stats.looks import looks
from simcore.stats.mean import mean_interval
from simcore.stats.sequence import mean_sequence
from simcore.stats.wilson import wilson

Interval = tuple[float, float]
Counts = NDArray[np.int64]
GAMES = 10_000
LIMIT = 100_000
CHUNK = 250


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    method: str
    case: str
    alpha: float
    first: int
    looks: int
    streams: int
    misses: int

    def __str__(self) -> str:
        """Return the line as printed."""
        missed, bound = self.misses / self.streams, upper_bound(self.misses, self.streams)
        mark = "" if bound <= self.alpha else "  misses too often" if missed > self.alpha else "  not settled"
        schedule = f"{self.alpha:6.3f} {self.first:6d} {self.looks:6d}"
        return f"{self.method:<18} {self.case:<30} {schedule} {missed:8.4f} {bound:8.4f}{mark}"


def upper_bound(misses: int, streams: int, confidence: float = 0.99) -> float:
    """Return the rate at which `misses` or fewer of `streams` have probability 1 - `confidence`, exactly."""
    low, high = misses / streams, 1.0
    while high - low > 1e-6:
        rate = 0.5 * (low + high)
        low, high = (rate, high) if binomial_cdf(misses, streams, rate) > 1 - confidence else (low, rate)
    return high


def binomial_cdf(k: int, n: int, rate: float) -> float:
    """Return P(X <= k) for X binomial(n, rate), 0 < rate < 1."""
    logs = (
        math.lgamma(n + 1)
        - math.lgamma(i + 1)
        - math.lgamma(n - i + 1)
        + i * math.log(rate)
        + (n - i) * math.log1p(-rate)
        for i in range(k + 1)
    )
    return math.fsum(math.exp(value) for value in logs)


def accepted_range(
    method: Callable[[float, int, float], Interval], rate: float, confidence: float
) -> tuple[Counts, Counts]:
    """Return the smallest and largest totals of n = 1..GAMES games whose interval holds `rate`.

    Both ends grow by at most a few from one n to the next, so they are walked rather than searched.
    """
    least, most = np.zeros(GAMES, np.int64), np.zeros(GAMES, np.int64)
    low_total, high_total = 0, 0
    for n in range(1, GAMES + 1):
        while low_total < n and method(low_total, n, confidence)[1] < rate:
            low_total += 1
        high_total = max(high_total, low_total)
        while high_total < n and method(high_total + 1, n, confidence)[0] <= rate:
            high_total += 1
        least[n - 1], most[n - 1] = low_total, high_total
    return least, most


def watched_coins(rate: float, alpha: float, streams: int, seed: int) -> Iterator[Row]:
    """Yield rows for coins that are looked at after EVERY game, from the first one on."""
    methods: dict[str, Callable[[float, int, float], Interval]] = {
        "sequence": mean_sequence,
        "wilson": wilson,
    }
    ranges = {name: accepted_range(method, rate, 1 - alpha) for name, method in methods.items()}
    misses = dict.fromkeys(methods, 0)
    rng = np.random.default_rng(seed)
    for start in range(0, streams, CHUNK):
        size = min(CHUNK, streams - start)
        totals = np.cumsum(rng.random((size, GAMES)) < rate, axis=1, dtype=np.int64)
        for name, (least, most) in ranges.items():
            misses[name] += int(((totals < least) | (totals > most)).any(axis=1).sum())
    for name in methods:
        yield Row(name, f"coin {rate}", alpha, 1, GAMES, streams, misses[name])


@dataclass(frozen=True)
class Case:
    """Integer values with their chances, and the interval whose mean they have."""

    method: str
    name: str
    values: tuple[int, ...]
    chances: tuple[float, ...]
    interval: Callable[[int, int, int, float, int], Interval]
    first: int = 100

    @property
    def mean(self) -> float:
        """Return the true mean of the values."""
        return float(np.dot(self.values, self.chances))


def watched_sums(case: Case, alpha: float, streams: int, seed: int) -> Row:
    """Return the row of a case whose streams are looked at as a run is, from `first` units on."""
    rng = np.random.default_rng(seed)
    values = np.array(case.values, dtype=np.int64)
    seen = np.zeros((streams, len(values)), dtype=np.int64)
    missed = np.zeros(streams, dtype=bool)
    schedule = list(looks(1, case.first, limit=LIMIT))
    for before, n in zip(chain([0], schedule), schedule, strict=False):
        seen += rng.multinomial(n - before, case.chances, size=streams)
        for stream in np.flatnonzero(~missed):
            total, squares = int(seen[stream] @ values), int(seen[stream] @ (values * values))
            low, high = case.interval(n, total, squares, 1 - alpha, case.first)
            missed[stream] = not low <= case.mean <= high
    return Row(case.method, case.name, alpha, case.first, len(schedule), streams, int(missed.sum()))


def shares(n: int, total: int, squares: int, confidence: float, _: int) -> Interval:
    """Return the interval of wins in 60ths, without rotation."""
    low, high = share_interval(n, total, squares, 1, confidence)
    return 60 * low, 60 * high


def deal_shares(n: int, total: int, squares: int, confidence: float, _: int) -> Interval:
    """Return the interval of deal totals in 60ths, two rotations."""
    low, high = share_interval(n, total, squares, 2, confidence)
    return 120 * low, 120 * high


def deal_lengths(n: int, total: int, squares: int, confidence: float, first: int) -> Interval:
    """Return the interval of the length of both games of a deal."""
    low, high = amount_interval(n, total, squares, 2, confidence, burn_in=2 * first)
    return 2 * low, 2 * high


def lengths(n: int, total: int, squares: int, confidence: float, first: int) -> Interval:
    """Return the interval of a length, without rotation."""
    return mean_interval(total, squares, n, confidence, burn_in=first)


GEOMETRIC = tuple(0.8**k for k in range(60))
GEOMETRIC_CHANCES = tuple(chance / sum(GEOMETRIC) for chance in GEOMETRIC)
CASES = (
    Case("sequence", "shared wins, mean 1/3", (0, 20, 30, 60), (0.6, 0.05, 1 / 15, 17 / 60), shares),
    Case("clusters, bounded", "two rotations, luck cancels", (0, 60, 120), (0.05, 0.9, 0.05), deal_shares),
    Case("clusters, bounded", "two rotations, independent", (0, 60, 120), (0.25, 0.5, 0.25), deal_shares),
    Case("clusters, bounded", "two rotations, luck adds up", (0, 60, 120), (0.45, 0.1, 0.45), deal_shares),
    Case("clusters, bounded", "two rotations, rare wins", (0, 60, 120), (0.985, 0.01, 0.005), deal_shares),
    Case("mean", "lengths 3 or 4", (3, 4), (0.5, 0.5), lengths),
    Case("mean", "geometric lengths", tuple(range(1, 61)), GEOMETRIC_CHANCES, lengths),
    Case("mean", "geometric lengths", tuple(range(1, 61)), GEOMETRIC_CHANCES, lengths, 1000),
    Case("mean", "1 % of games 30 times as long", (5, 150), (0.99, 0.01), lengths),
    Case("mean", "1 % of games 30 times as long", (5, 150), (0.99, 0.01), lengths, 1000),
    Case("mean", "1 % of games 30 times as long", (5, 150), (0.99, 0.01), lengths, 10_000),
    Case("clusters, mean", "both games equally long", (6, 10, 24), (0.4, 0.5, 0.1), deal_lengths),
    Case("clusters, mean", "both games equally long", (6, 10, 24), (0.4, 0.5, 0.1), deal_lengths, 1000),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(f"{'method':<18} {'case':<30} {'alpha':>6} {'first':>6} {'looks':>6} {'missed':>8} {'at most':>8}")
    for alpha in (0.05, 0.01):
        for rate in (0.5, 0.1, 0.01):
            for row in watched_coins(rate, alpha, chosen.streams, chosen.seed):
                print(row, flush=True)
        for case in CASES:
            print(watched_sums(case, alpha, chosen.streams, chosen.seed), flush=True)


if __name__ == "__main__":
    main()
