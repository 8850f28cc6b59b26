"""Naming a leader, or calling sides balanced, at a level that holds for all sides together."""

from __future__ import annotations

from collections.abc import Sequence

from simcore.stats.bounded import bounded_mean

Interval = tuple[float, float]


def simultaneous_confidence(confidence: float, sides: int) -> float:
    """Return the level at which `sides` intervals all hold together with `confidence` (Bonferroni).

    The union bound needs no independence, which win rates of one game never have; it is also time-uniform if
    the intervals are. 1 - 0.05 / 2 = 0.975 for two sides at 95 %.
    """
    return 1.0 - (1.0 - confidence) / max(sides, 1)


def leader(intervals: Sequence[Interval]) -> int | None:
    """Return the index of the side whose interval lies above every other one, or None: not decided.

    Parameters
    ----------
    intervals : sequence of (low, high)   One a side, each at `simultaneous_confidence`.

    With probability >= the simultaneous level a side that is named has the strictly highest rate. None never
    means "equal": see `balanced`. A lone side leads nobody, hence None.
    """
    if len(intervals) < 2:
        return None
    best = max(range(len(intervals)), key=lambda side: intervals[side][0])
    others = max(high for side, (_, high) in enumerate(intervals) if side != best)
    return best if intervals[best][0] > others else None


def leader_of_two(
    units: int, difference: int, difference_squares: int, most: int, confidence: float
) -> tuple[int | None, float, float]:
    """Return who leads of exactly two sides, with the interval of the lead itself; sharper than `leader`.

    Parameters
    ----------
    units : int                            Deals (games, without rotation).
    difference, difference_squares : int   Sum and sum of squares over units of first side minus second side.
    most : int                             Largest difference of one unit: rotation * 60 in 60ths of a win.
    confidence : float                     In (0, 1); a single statement is made, so nothing is divided.

    Returns
    -------
    side, low, high : int or None, float, float   0, 1 or None (undecided); interval of the lead per game in
                                                  [-1, 1].

    Two sides need one comparison, not two intervals: ties and games nobody won count as zero lead, and
    whatever one side wins at the other's expense is seen once. Low > 0 names the first side, high < 0 the
    second.
    """
    low, high = bounded_mean(difference, difference_squares, units, confidence, least=-most, most=most)
    side = 0 if low > 0.0 else 1 if high < 0.0 else None
    return side, low / most, high / most


def balanced(intervals: Sequence[Interval], margin: float) -> bool | None:
    """Return whether every side is within `margin` of an equal share 1 / k; None stands for undecided.

    Parameters
    ----------
    intervals : sequence of (low, high)   One a side, each at `simultaneous_confidence`.
    margin : float                        Allowed distance from 1 / k, as a share.

    True where all intervals lie inside the margin, False where one lies wholly outside, else None. No index
    is computed: the largest gap of observed rates is biased away from balance in small runs, this verdict is
    not.
    """
    equal = 1.0 / max(len(intervals), 1)
    if any(low > equal + margin or high < equal - margin for low, high in intervals):
        return False
    if all(low >= equal - margin and high <= equal + margin for low, high in intervals):
        return True
    return None
