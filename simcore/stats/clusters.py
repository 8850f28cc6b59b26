"""Intervals for rotated runs, where the unit of analysis is one deal played in all R rotations.

The R games of a deal share their luck, so they are not independent. Durations of one deal resemble each
other: counting games as independent makes the interval too narrow by sqrt(1 + (R - 1) c), c the correlation
within a deal; at R = 2 and c = 1 a nominal 95 % covers 83 % (2 Phi(1.96 / sqrt 2) - 1), and 82 % was measured
for durations. Wins of one deal tend to cancel, as whoever gets the good cards wins; there the same mistake
makes intervals too wide. Deals themselves are independent, so everything here counts deals. A deal that is
not finished in all rotations is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from simcore.stats.bounded import bounded_mean
from simcore.stats.mean import mean_interval
from simcore.stats.sequence import mean_sequence

WHOLE_WIN = 60


def share_interval(
    deals: int, total: int, total_squares: int, rotation: int, confidence: float, whole: int = WHOLE_WIN
) -> tuple[float, float]:
    """Return the anytime-valid interval of a share per game (win rate, unfinished rate) from sums over deals.

    Parameters
    ----------
    deals : int                  Deals finished in all rotations; none gives (0, 1).
    total, total_squares : int   Sum and sum of squares over deals of the deal's total, which lies in
                                 [0, rotation * whole]: the games of the deal added up.
    rotation : int               Games per deal, >= 1; fixed before the run.
    confidence : float           In (0, 1).
    whole : int                  What a game counts at most: 60 for wins in 60ths, 1 for plain counts.

    Returns
    -------
    low, high : float            0 <= low <= total / (deals * rotation * whole) <= high <= 1.

    Without rotation this is `mean_sequence`, which treats every game as a coin. With rotation it is
    `bounded_mean`, which sees how far the luck of a deal cancels: a coin-flip bound on the deal's average
    would charge R times the games even where deals do not matter. The choice depends on `rotation` alone,
    never on the data.
    """
    if rotation == 1:
        return mean_sequence(total / whole, deals, confidence)
    most = rotation * whole
    low, high = bounded_mean(total, total_squares, deals, confidence, least=0, most=most)
    return low / most, high / most


def ratio_interval(
    deals: int,
    sums: Sequence[int],
    rotation: int,
    confidence: float,
    burn_in: int = 1000,
) -> tuple[float, float, float]:
    """Return (ratio, low, high) of two sums over deals: wins of those who had something over how often it was had.

    Parameters
    ----------
    deals, rotation, confidence, burn_in   As for `amount_interval`.
    sums : sequence of 5 int              n, g, n^2, n g, g^2: sums over deals; a deal has n cases that gained g
                                          together, g <= 60 n.

    The ratio R = sum g / sum n is judged by the deals' residuals g - R n, whose mean is 0 (delta method; Cochran 1977,
    "Sampling Techniques", 6.3), in the asymptotic sequence of `amount_interval`. Shares, so cut to [0, 1]; nothing
    had at all gives (0, 0, 1). Where nobody who had it ever won, or everybody did, all residuals are 0: as in
    `mean_interval` more deals are counted that are off by as much as a deal can be, a win in every rotation: four, as
    with one the range would be shorter than that of Clopper and Pearson, who look once.
    """
    if not sums[0]:
        return 0.0, 0.0, 1.0
    farthest = 4 * (WHOLE_WIN * rotation) ** 2
    middle, low, high = quotient_interval(deals, sums, rotation, confidence, burn_in, WHOLE_WIN, farthest)
    return middle, max(0.0, low), min(1.0, high)


def quotient_interval(
    deals: int,
    sums: Sequence[int],
    rotation: int,
    confidence: float,
    burn_in: int = 1000,
    whole: int = 1,
    unseen: int = 0,
) -> tuple[float, float, float]:
    """Return (ratio, low, high) of two sums over deals, as `ratio_interval` does for shares; g in parts of `whole`.

    `unseen` is added to the sum of squared residuals. Nothing had at all gives (0, -inf, inf).
    """
    times, gain, times_squared, times_gain, gain_squared = sums
    if not times:
        return 0.0, -math.inf, math.inf
    ratio = gain / times
    squares = max(gain_squared - 2 * ratio * times_gain + ratio * ratio * times_squared, 0.0)
    start = max(burn_in // rotation, 1)
    low, high = mean_interval(0, math.ceil(squares) + unseen, deals, confidence, start)
    unit = times / deals * whole
    middle = ratio / whole
    return middle, middle + low / unit, middle + high / unit


def amount_interval(
    deals: int,
    total: int,
    total_squares: int,
    rotation: int,
    confidence: float,
    burn_in: int = 1000,
    least: float = -math.inf,
) -> tuple[float, float]:
    """Return the asymptotic interval of a mean per game (turns, minutes, metrics) from the sums over deals.

    Parameters
    ----------
    deals, rotation, confidence   As for `share_interval`.
    total, total_squares : int    Sum and sum of squares over deals of the deal's total over its games.
    burn_in : int                 GAMES at the first look; turned into deals here.
    least : float                 Smallest value of one game by the rules (0 for durations).

    Returns
    -------
    low, high : float             Per game, around total / (deals * rotation); (least, inf) below two deals.
    """
    start = max(burn_in // rotation, 1)
    low, high = mean_interval(total, total_squares, deals, confidence, start, least * rotation)
    return low / rotation, high / rotation
