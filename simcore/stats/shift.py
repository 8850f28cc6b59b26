"""How far a mean has moved between two independent samples: a recorded one, and one that is still growing.

The evidence of both samples is multiplied, and a shift is ruled out only if no pair of means that far apart is left. So
the noise of the recorded sample counts: as the root of a sum of squares, where two intervals would plainly add up.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from simcore.stats.bounded import log_evidence
from simcore.stats.looks import FIRST
from simcore.stats.roots import crossing

_SPLITS = 8
_NARROWINGS = 16
_SLACK = 0.01
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


class Sample(NamedTuple):
    """n independent values with a common mean: their average, and the sum of squared deviations from it."""

    n: int
    mean: float
    deviations: float

    @property
    def variance(self) -> float:
        """Variance of one value."""
        return self.deviations / max(self.n - 1, 1)


def share_shift(base: Sample, now: Sample, confidence: float) -> tuple[float, float]:
    """Return a confidence sequence for the mean of `now` less the mean of `base`.

    Parameters
    ----------
    base, now : Sample    Independent of each other, values in [0, 1]. `base` is looked at once, `now` at any time.
    confidence : float    In (0, 1): the chance that the true shift is inside at ALL looks at once.

    Returns
    -------
    low, high : float     -1 <= low <= observed shift <= high <= 1; (-1, 1) while either is empty.

    Method: at the true means the evidence of each sample (`bounded.log_evidence`, which counts both sides) is, at any
    n, the value of a supermartingale that starts at 1; for independent samples so is the product, and by Ville's
    inequality it ever reaches 1 / alpha with probability <= alpha. A shift is outside if the product is reached at
    every pair of means it could come from. The least is found where neither mean lies beyond its average: elsewhere
    both gaps are larger, and evidence grows with the gap.
    """
    if not base.n or not now.n:
        return -1.0, 1.0
    bar = -math.log(1.0 - confidence)
    effort = 2.0 * bar + 8.0
    guess = math.sqrt(effort * (base.deviations / base.n**2 + now.deviations / now.n**2))
    guess += effort * (1.0 / base.n + 1.0 / now.n)
    reach = crossing(lambda distance: _joint(base, now, distance) - bar, guess, 2.0, -bar)
    shift = now.mean - base.mean
    return max(shift - reach, -1.0), min(shift + reach, 1.0)


def share_rules_out(base: Sample, now: Sample, distance: float, confidence: float) -> bool:
    """Return whether `share_shift` leaves out the shifts that lie `distance` from the observed one; much quicker."""
    bar = -math.log(1.0 - confidence)
    return bool(base.n and now.n and distance > 0.0) and _joint(base, now, distance) >= bar


def _joint(base: Sample, now: Sample, distance: float) -> float:
    """Return the smallest log evidence against two means whose gaps to the averages add up to `distance`."""

    def against(part: float) -> float:
        one = log_evidence(now.deviations, now.n, part * distance)
        return one + log_evidence(base.deviations, base.n, (1.0 - part) * distance)

    values = [against(i / _SPLITS) for i in range(_SPLITS + 1)]
    best = values.index(min(values))
    low, high = max(best - 1, 0) / _SPLITS, min(best + 1, _SPLITS) / _SPLITS
    found = values[best]
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = against(left), against(right)
    for _ in range(_NARROWINGS):
        found = min(found, at_left, at_right)
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = against(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = against(right)
    # between bets the evidence is concave by a trifle, so that the search may end beside the minimum
    return found - _SLACK


def amount_shift(base: Sample, now: Sample, confidence: float, rotation: int = 1) -> tuple[float, float]:
    """Return an ASYMPTOTIC confidence sequence for the mean of `now` less the mean of `base`, of unbounded values.

    Parameters
    ----------
    base, now : Sample    Independent of each other; `deviations` as in `mean_interval` with one unit added, so that
                          equal values do not read as certainty. `base` is looked at once, `now` at any look from
                          `FIRST` games on.
    confidence : float    In (0, 1).
    rotation : int        Games of each value.

    Returns
    -------
    low, high : float     (-inf, inf) while either sample has fewer than `FIRST` games.

    It is the product, as in `share_shift`, of the Gaussian mixtures of `mean_interval`: their logs are
    a d^2 - log(1 + x) / 2 with a = n x / (2 v (1 + x)), and the smallest sum at gaps that add up to d is
    d^2 / (1 / a + 1 / b) less both logarithms. The constant of `base` makes its interval narrowest at its own n.
    """
    start = max(FIRST // rotation, 2)
    if base.n < start or now.n < start:
        return -math.inf, math.inf
    bar = -math.log(1.0 - confidence)
    best = _best_constant(bar)
    burn_in = start * math.log(start) if start > 2 else start
    ratios = []
    for sample, x in ((base, best), (now, best * now.n / burn_in)):
        bar += 0.5 * math.log1p(x)
        ratios.append(2.0 * sample.variance / sample.n * (1.0 + x) / x)
    reach = math.sqrt(bar * sum(ratios))
    shift = now.mean - base.mean
    return shift - reach, shift + reach


def _best_constant(bar: float) -> float:
    """Return n rho^2 at which the Gaussian mixture is narrowest: x = log(1 + x) + 2 `bar`, a contraction."""
    x = floor = max(2.0 * bar, 1.0)
    for _ in range(30):
        x = floor + math.log1p(x)
    return x
