"""Anytime-valid interval for the mean of [0, 1]-valued outcomes: wins, and shares of shared wins."""

from __future__ import annotations

import math

from simcore.stats.likelihood import CENTRED, divergence, log_centred, log_flat, stirling_rest
from simcore.stats.roots import crossing

_WEIGHT = 0.8
_DEEPEST = 600.0
_LOG_WEIGHT = math.log(_WEIGHT)
_LOG_REST = math.log(1.0 - _WEIGHT)


def mean_sequence(total: float, n: int, confidence: float) -> tuple[float, float]:
    """Return a confidence sequence: with probability >= `confidence` it holds the mean at ALL n at once.

    Parameters
    ----------
    total : float       Sum of n independent outcomes in [0, 1] with a common mean, 0 <= total <= n.
    n : int             Number of outcomes so far; may be looked at, stopped at or extended at will.
    confidence : float  In (0, 1).

    Returns
    -------
    low, high : float   0 <= low <= total / n <= high <= 1; low is 0 exactly when total is 0, high is 1 when
                        total is n; (0, 1) when n is 0. Swapping total for n - total mirrors the interval.

    Method: the interval is {m : M(m) < 1 / alpha}, where M(m) is the likelihood ratio of a mixture of coins q
    against the coin m, M(m) = E_q[(q/m)^total ((1-q)/(1-m))^(n-total)].

    * Valid for coins and for shares: x -> (q/m)^x ((1-q)/(1-m))^(1-x) is exponential, hence convex, and so
      lies on [0, 1] below its chord (1-x) (1-q)/(1-m) + x q/m, whose expectation at mean m is (1-q) + q = 1.
      So each q, and any mixture fixed before the run, gives a non-negative supermartingale that starts at 1,
      and by Ville's inequality it ever reaches 1/alpha with probability <= alpha. For coins the chord is met
      exactly; for shares strictly between 0 and 1 the interval is conservative.
    * Mixture: 0.8 Beta(2000 m, 2000 (1-m)), centred on the value in question and narrow (Robbins' normal
      mixture for coins; the two-sided beta-binomial bound of Howard et al.), plus 0.2 Beta(1/2, 1/2), which
      serves short runs and rare events. It does not depend on the planned number of games, since runs get
      extended.
    * An interval, not just a set: M <= 1 at total / n, and log M is convex in m for either part unless total
      or n - total lies strictly between 0 and 1 (psi' is convex, so psi'(x) - psi'(x + t) <= t / x^2 for t >=
      1). For 0 < total < 1 the centred part only grows with m; the lower end leaves it out, which errs
      outwards.

    Longer arm in percentage points at 95 % (fixed n: Wald; Beta(1/2, 1/2) or centred alone for comparison):

    ======================  =====  =====  =====  =====    =====  =====  ======  ======
    rate                     0.5                           0.01                  0
    games                     100    1e4    1e5    1e6      1e4    1e5     1e4     1e5
    fixed n, one look         9.8   0.98   0.31  0.098     0.20  0.062       -       -
    Beta(1/2, 1/2)           16.2   1.98   0.67  0.225     0.45  0.139   0.082  0.0093
    centred 1000             32.2   1.52   0.52  0.180     0.33  0.106   0.039  0.0031
    centred 10000            46.5   1.83   0.48  0.164     0.42  0.098   0.098  0.0039
    this mixture             18.2   1.57   0.51  0.178     0.34  0.105   0.050  0.0035
    ======================  =====  =====  =====  =====    =====  =====  ======  ======

    Sources: Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist.
    41 (1970); Lai, "On confidence sequences", Ann. Statist. 4 (1976); Howard, Ramdas, McAuliffe and Sekhon,
    "Time-uniform, nonparametric, nonasymptotic confidence sequences", Ann. Statist. 49 (2021).
    """
    if n <= 0:
        return 0.0, 1.0
    # A sum of floats may stray over the edge by its rounding.
    total = min(max(total, 0.0), float(n))
    low, _ = _lower_end(total, n - total, confidence)
    _, arm = _lower_end(n - total, total, confidence)
    return low, min(total / n + arm, 1.0)


def _lower_end(wins: float, losses: float, confidence: float) -> tuple[float, float]:
    """Return the smallest mean that is not rejected, and how far below the average it lies.

    The upper end is the mirror image: the same distance for losses and wins exchanged.
    """
    if wins <= 0.0:
        return 0.0, 0.0
    n = wins + losses
    share = wins / n
    threshold = -math.log1p(-confidence)
    constant = _LOG_REST + log_flat(wins, losses) - threshold
    ends = _LOG_WEIGHT + stirling_rest(CENTRED) - stirling_rest(CENTRED + n) - threshold

    def excess(drop: float) -> float:
        mean, shift = share * math.exp(-drop), -share * math.expm1(-drop)
        rest = losses / n + shift
        flat = constant + n * divergence(share, losses / n, mean, rest, shift)
        if wins < 1.0:
            return flat
        centred = ends + log_centred(wins, losses, mean, rest, shift)
        top, other = (centred, flat) if centred > flat else (flat, centred)
        return top + math.log1p(math.exp(other - top))

    # Searched on the scale drop = log(share / mean), where the function is close to a parabola or a line.
    effort = 2.0 * threshold + math.log1p(n)
    step = math.sqrt(losses / n * effort / wins) + effort / wins
    drop = crossing(excess, step, _DEEPEST, -threshold)
    return share * math.exp(-drop), -share * math.expm1(-drop)
