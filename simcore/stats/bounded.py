"""Anytime-valid interval for the mean of bounded values that uses how little they vary.

Two users: deals played in all rotations, where luck of the deal cancels, and paired differences on common
random numbers, most of which are zero. Treating either as coin flips would throw that gain away.
"""

from __future__ import annotations

import math

from simcore.stats.roots import crossing

_BETS = 14
_FAVOURED = 5


def _bets() -> tuple[tuple[float, float, float], ...]:
    """Return (lambda, cost, log weight) of the mixture: lambda = 1/2, 1/4, ..., most weight at 1/64."""
    weights = [(1.0 + abs(k - _FAVOURED)) ** -1.5 for k in range(_BETS)]
    sizes = [0.5 ** (k + 1) for k in range(_BETS)]
    return tuple(
        (size, -math.log1p(-size) - size, math.log(weight / sum(weights)))
        for size, weight in zip(sizes, weights, strict=True)
    )


_MIXTURE = _bets()


def bounded_mean(
    total: int, total_squares: int, n: int, confidence: float, least: int = 0, most: int = 1
) -> tuple[float, float]:
    """Return a confidence sequence for the mean of values in [least, most], from their exact sums.

    Parameters
    ----------
    total, total_squares : int   Sum and sum of squares of n independent integers with a common mean.
    n : int                      Number of values so far; may be looked at, stopped at or extended at will.
    confidence : float           In (0, 1).
    least, most : int            What a value can be by the rules, not what was seen; least < most.

    Returns
    -------
    low, high : float            least <= low <= total / n <= high <= most, in the unit of the values; never
                                 of zero width. (least, most) when n is 0.

    Method, with values scaled to [0, 1], d = distance of m from the average and S2 = sum of squared
    deviations from the average: the interval is all m with
    sum_k w_k exp(l_k n d - c(l_k) (S2 + n d^2)) < 2 / alpha, where c(l) = -log(1-l) - l.

    * Valid at any n: exp(l y - c(l) y^2) <= 1 + l y for y >= -1 and 0 <= l < 1, since (log(1+x) - x) / x^2
      grows with x > -1 and l y >= -l. With y = X - m, and with y = m - X, its expectation at mean m is <= 1,
      so products and mixtures fixed before the run are supermartingales; Ville's inequality at alpha / 2 for
      either side. No estimate of the variance is plugged in: S2 + n d^2 is the exact sum of squares around m.
    * An interval, symmetric but for clipping: each exponent grows with d on [0, 1] where l <= 1/2, because
      then 2 c(l) <= l.
    * The l are 1/2, 1/4, ..., 1/16384 with most weight where a variance sum near 3e4 wants it (1e5 even
      wins).

    Longer arm in percentage points at 95 %, `mean_sequence` on the same values for comparison:

    =======================================  =====  =====  =====  =====
    values                                    1000    1e4    1e5    1e6
    variance 0.25 (coin)          coin        6.19   1.57   0.51  0.178
    variance 0.25 (coin)          bounded     6.41   1.77   0.49  0.169
    variance 0.02, average 0.5    coin        6.19   1.57   0.51  0.178
    variance 0.02, average 0.5    bounded     2.24   0.57   0.16  0.044
    no variation at all           bounded     1.47   0.15   0.015 0.0015
    =======================================  =====  =====  =====  =====

    Sources: Fan, Grama and Liu, "Exponential inequalities for martingales with applications", EJP 20 (2015),
    lemma 4.1; Howard et al., Ann. Statist. 49 (2021), theorem 4, here with m itself as the predictable
    centre.
    """
    if n <= 0:
        return float(least), float(most)
    width = most - least
    # Integer arithmetic up to one correctly rounded division: no cancellation at any n.
    deviations = (n * total_squares - total * total) / (n * width * width)
    reach = width * _reach(deviations, n, 2.0 / (1.0 - confidence))
    mean = total / n
    return max(mean - reach, float(least)), min(mean + reach, float(most))


def bounded_evidence(total: int, total_squares: int, n: int, mean: float, least: int = 0, most: int = 1) -> float:
    """Return an e-value against `mean` being the mean: at most 1 on average where it is, at any stopping time.

    Parameters as for `bounded_mean`. It is the average of the two one-sided mixtures whose level sets are that
    interval, so that a mean is outside it at level alpha only if its e-value is at least 1 / alpha.
    """
    if n <= 0:
        return 1.0
    width = most - least
    gap = (total / n - mean) / width
    around = (n * total_squares - total * total) / (n * width * width) + n * gap * gap
    log_average = _log_average(*(_log_mixture(n * signed, around) for signed in (gap, -gap)))
    return math.exp(log_average) if log_average < 700 else math.inf


def log_evidence(deviations: float, n: int, distance: float) -> float:
    """Return the log of the evidence against a mean that lies `distance` from the average, on whichever side.

    `deviations` is the sum of squared deviations from the average of n >= 3 values in [0, 1]. The evidence is the
    average of the mixtures of `bounded_mean` for both sides: at the true mean a supermartingale that starts at 1, and
    least where the distance is 0.
    """
    around = deviations + n * distance * distance
    return _log_average(_log_mixture(n * distance, around), _log_mixture(-n * distance, around))


def _log_average(one: float, other: float) -> float:
    """Return the log of the average of two numbers whose logs are given."""
    top = max(one, other)
    return top + math.log(0.5 * (math.exp(one - top) + math.exp(other - top)))


def _log_mixture(excess: float, around: float) -> float:
    exponents = [weight + size * excess - cost * around for size, cost, weight in _MIXTURE]
    top = max(exponents)
    return top + math.log(sum(math.exp(exponent - top) for exponent in exponents))


def _reach(deviations: float, n: int, bar: float) -> float:
    """Return the distance, at most 1, at which the mixture reaches `bar`."""
    threshold = math.log(bar)

    def excess(distance: float) -> float:
        return _log_mixture(n * distance, deviations + n * distance * distance) - threshold

    effort = 2.0 * threshold + 4.0
    return crossing(excess, math.sqrt(effort * deviations) / n + effort / n, 1.0, -threshold)
