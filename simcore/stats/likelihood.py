"""Log likelihood ratios of mixtures of coins, to full precision from one game to 1e10; used by `sequence`."""

from __future__ import annotations

import math

CENTRED = 2000.0
_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


def log_flat(wins: float, losses: float) -> float:
    """Return the log likelihood ratio of the Beta(1/2, 1/2) mixture against the coin wins / n."""
    n = wins + losses
    shift = sum(count * math.log1p(0.5 / count) for count in (wins, losses) if count > 0.0)
    shift -= n * math.log1p(1.0 / n)
    rest = stirling_rest(wins + 0.5) + stirling_rest(losses + 0.5) - stirling_rest(n + 1.0)
    return shift - 0.5 * math.log1p(n) + _HALF_LOG_2PI + rest - math.log(math.pi)


def log_centred(wins: float, losses: float, mean: float, rest: float, shift: float) -> float:
    """Return the log likelihood ratio of Beta(2000 m, 2000 (1-m)) against the coin m = `mean` = 1 - `rest`.

    `shift` is how far that lies below wins / n. The terms without m, stirling_rest(2000) -
    stirling_rest(2000 + n), are left to the caller, who evaluates many m.
    Written around the divergence of the posterior mean: the plain difference of log gammas loses ten digits
    at n = 1e10, where neighbouring totals must still be told apart.
    """
    n = wins + losses
    size = CENTRED + n
    a, b = CENTRED * mean, CENTRED * rest
    centre, centre_rest = (a + wins) / size, (b + losses) / size
    spread = math.log(CENTRED * mean * rest / (size * centre * centre_rest))
    return (
        size * divergence(centre, centre_rest, mean, rest, n * shift / size)
        + 0.5 * spread
        + (stirling_rest(a + wins) - stirling_rest(a))
        + (stirling_rest(b + losses) - stirling_rest(b))
    )


def divergence(p: float, p_rest: float, q: float, q_rest: float, difference: float) -> float:
    """Return the Kullback-Leibler divergence of coin p from coin q, where p - q = `difference` > 0.

    The complements 1 - p and 1 - q come as arguments, since a subtraction would lose them near 1.
    """
    tail = p_rest * math.log1p(-difference / q_rest) if p_rest > 0.0 else 0.0
    return p * math.log1p(difference / q) + tail


def stirling_rest(x: float) -> float:
    """Return log gamma(x) minus Stirling's (x - 1/2) log x - x + log(2 pi) / 2, for x > 0, to 1e-12."""
    if x < 10.0:
        return math.lgamma(x) - (x - 0.5) * math.log(x) + x - _HALF_LOG_2PI
    square = 1.0 / (x * x)
    return (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x
