"""One bracketing solver for the ends of intervals, so that no method brings its own loop."""

from __future__ import annotations

import math
from collections.abc import Callable

_TOLERANCE = 1e-12
_SECANTS = 12
_MAX_STEPS = 200


def crossing(excess: Callable[[float], float], step: float, end: float, at_zero: float) -> float:
    """Return the first distance in (0, `end`] at which `excess` reaches zero, or `end` where it does not.

    Parameters
    ----------
    excess : callable    Function of a distance >= 0: negative at 0, and >= 0 from the crossing on.
    step : float         First guess of the answer, > 0. A poor guess costs time, not accuracy.
    end : float          Largest distance that makes sense.
    at_zero : float      A negative number not far from ``excess(0)``; it only steers the search.

    Returns
    -------
    float                On the far side of the crossing (``excess >= 0``), so that intervals err outwards;
    relative
                         accuracy 1e-12.
    """
    inside, below = 0.0, at_zero
    outside = min(step, end)
    above = excess(outside)
    while above < 0.0:
        if outside >= end:
            return end
        inside, below = outside, above
        outside = min(2.0 * outside, end)
        above = excess(outside)
    return _narrowed(excess, inside, below, outside, above)


def _narrowed(excess: Callable[[float], float], inside: float, below: float, outside: float, above: float) -> float:
    """Shrink a bracket by the Illinois variant of false position and return its outer end.

    The secant runs on the squared distance, in which a log likelihood ratio is nearly straight; that halves
    the number of steps. Ends still open after a dozen secants are halved at every other step.

    Source: Dowell and Jarratt, "A modified regula falsi method", BIT 11 (1971).
    """
    last_inside = None
    for count in range(_MAX_STEPS):
        if outside - inside <= _TOLERANCE * outside:
            break
        if count >= _SECANTS and count % 2 == 0:
            middle = 0.5 * (inside + outside)
        else:
            squared = inside * inside
            middle = math.sqrt(squared + (outside * outside - squared) * (below / (below - above)))
            # Half a tolerance away from either end, or the last digits would be crept up to one by one.
            margin = 0.5 * _TOLERANCE * outside
            middle = min(max(middle, inside + margin), outside - margin)
        value = excess(middle)
        is_inside = value < 0.0
        if is_inside:
            inside, below = middle, value
            above = 0.5 * above if last_inside is True else above
        else:
            outside, above = middle, value
            below = 0.5 * below if last_inside is False else below
        last_inside = is_inside
    return outside
