"""Which of many effects to name, so that few of those named are none."""

from __future__ import annotations

from collections.abc import Sequence


def discoveries(e_values: Sequence[float], rate: float) -> list[bool]:
    """Return which hypotheses of no effect e-BH rejects.

    Parameters
    ----------
    e_values : sequence of float
        Evidence against each hypothesis: non-negative, with a mean of at most 1 where it is true; inf is allowed.
    rate : float
        Expected share of true hypotheses among those rejected, in (0, 1).

    Returns
    -------
    list of bool

    The k largest are rejected for the largest k at which the k-th is at least m / (k `rate`), m their number. It
    needs no independence, and e-values of a process may be taken at any stopping time, so shared base runs and early
    stops are allowed. Source: Wang and Ramdas, "False discovery rate control with e-values", JRSS B 84 (2022),
    theorem 2.

    >>> discoveries([100.0, 30.0, 1.0, 0.2], 0.1)
    [True, True, False, False]
    """
    m = len(e_values)
    order = sorted(range(m), key=lambda i: -e_values[i])
    reached = [k for k, i in enumerate(order, 1) if e_values[i] * k * rate >= m]
    named = set(order[: max(reached, default=0)])
    return [i in named for i in range(m)]
