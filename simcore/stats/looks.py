"""The fixed list of game counts at which a run may stop, and the yardstick it is judged by there."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simcore.stats.clusters import share_interval

FIRST = 1000
GROWTH = 1.2


def looks(rotation: int, first: int = FIRST, growth: float = GROWTH, limit: int | None = None) -> Iterator[int]:
    """Yield the looks of a run: game counts that grow geometrically, whatever blocks, jobs or speed are.

    Parameters
    ----------
    rotation : int        Games per deal, >= 1; every look is a multiple of it: only whole deals are judged.
    first : int           First look, >= 1, rounded up to a multiple.
    growth : float        Ratio of neighbouring looks, > 1; looks are at least one deal apart. The intervals
                          are anytime-valid, so more looks cost work but no confidence; 1.2 overshoots by 10 %
                          on average.
    limit : int or None   Planned number of games, a multiple of `rotation`: the last look, exactly, and the
                          only one where it is below `first`. None: no end.

    >>> list(looks(rotation=2, first=100, growth=1.5, limit=400))
    [100, 150, 226, 340, 400]
    """
    look = _rounded_up(first, rotation)
    while limit is None or look < limit:
        yield look
        look = max(_rounded_up(math.ceil(look * growth), rotation), look + rotation)
    yield limit


def first_look(precision: float, confidence: float, rotation: int = 1) -> int:
    """Return a first look at which a side that won every game so far cannot end the run at once.

    `FIRST`, halved while unanimous games alone would already meet `precision` (the longer arm of the
    interval, as a share: 0.005 for half a percentage point). A pure function of the question, so the same run
    has the same looks.

    >>> first_look(0.005, 0.95)
    1000
    """
    games = FIRST
    while games > rotation and _unanimous_arm(games // rotation, rotation, confidence) <= precision:
        games //= 2
    return _rounded_up(max(games, 1), rotation)


def longer_arm(low: float, estimate: float, high: float) -> float:
    """Return the distance that "precision" means: from the estimate to the further end of its interval."""
    return max(estimate - low, high - estimate)


def _unanimous_arm(deals: int, rotation: int, confidence: float) -> float:
    """Return the arm of the interval where one side won all games of `deals` deals."""
    wins = deals * rotation
    low, _ = share_interval(deals, wins, wins * rotation, rotation, confidence, whole=1)
    return 1.0 - low


def _rounded_up(games: int, rotation: int) -> int:
    """Return the smallest multiple of `rotation` that is at least `games`."""
    return -(-games // rotation) * rotation
