"""Wilson's score interval for a share whose number of games was fixed before the run."""

from __future__ import annotations

import math


def wilson(successes: float, n: int, confidence: float) -> tuple[float, float]:
    """Return the two-sided Wilson interval of a share, for ONE look at a planned number of games.

    Parameters
    ----------
    successes : float   0 <= successes <= n. Shared wins count as fractions; the variance of a share is then
                        overstated, never understated.
    n : int             Independent observations, >= 0. With rotation these are deals, not games.
    confidence : float  In (0, 1).

    Returns
    -------
    low, high : float   0 <= low <= successes / n <= high <= 1. Exactly 0 at no success and exactly 1 at n of
                        n, where the other end is z^2 / (n + z^2) away. (0, 1) when n is 0.

    The coverage is approximate at any n, and lost altogether when the same run is looked at again and again:
    use `sequence` there.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    The two ends solve (1 + w) x^2 - (2 p + w) x + p^2 = 0 with w = z^2 / n; the upper one is a sum of
    positive terms, the lower one comes from the product of both, so neither suffers cancellation.

    >>> [round(end, 4) for end in wilson(0, 50, 0.95)]
    [0.0, 0.0713]
    """
    if n <= 0:
        return 0.0, 1.0
    # 20 ms on first use, which `balance --help` need not pay.
    from statistics import NormalDist

    z = -NormalDist().inv_cdf((1.0 - confidence) / 2.0)
    share = successes / n
    w = z * z / n
    spread = math.sqrt(w * (share * (1.0 - share) + 0.25 * w))
    high = (share + 0.5 * w + spread) / (1.0 + w)
    low = share * share / ((1.0 + w) * high) if successes > 0 else 0.0
    if successes >= n:
        return min(low, 1.0), 1.0
    return min(low, share), min(max(high, share), 1.0)
