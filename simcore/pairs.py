"""Exact streaming sums of two matches that play the same deals. Adding is merging, as in `tally`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.contract import ABSENT, COMMON_COLUMNS
from simcore.jit import kernel
from simcore.tally import Layout

_ABSENT = int(ABSENT)
_WINNERS = COMMON_COLUMNS.index("winners")
_REASON = COMMON_COLUMNS.index("reason")
SUMS = ("deals", "a", "aa", "b", "bb", "d", "dd")


@kernel
def count_pairs(
    one: Any, other: Any, columns: Any, other_columns: Any, share: Any, other_share: Any, n_sides: int, sums: Any
) -> None:
    """Add the sums of whole deals of two matches to `sums`.

    Parameters
    ----------
    one, other : (G, C') int32
        Outcome rows of the same games; G is a multiple of the rotations.
    columns, other_columns : (rotations, C) int64
        Where each compared column stands in a row of each rotation.
    share, other_share : (rotations, masks, E) int64
        What each side gets of a win, in 60ths; the first `n_sides` entries are compared.
    sums : (n_sides + 1 + C, 7) int64
        For each side, for unfinished games and for each column: `SUMS` of the totals of a deal over its rotations, in
        the first match (a), in the second (b) and of the second minus the first (d). A deal in which a column is absent
        anywhere is left out of that column.
    """
    rotations, n_columns = columns.shape
    for deal in range(one.shape[0] // rotations):
        first = deal * rotations
        for q in range(n_sides + 1 + n_columns):
            a = np.int64(0)
            b = np.int64(0)
            absent = False
            for r in range(rotations):
                mine, theirs = one[first + r], other[first + r]
                if q < n_sides:
                    a += share[r, mine[_WINNERS], q]
                    b += other_share[r, theirs[_WINNERS], q]
                elif q == n_sides:
                    a += mine[_REASON] == 0
                    b += theirs[_REASON] == 0
                else:
                    x = mine[columns[r, q - n_sides - 1]]
                    y = theirs[other_columns[r, q - n_sides - 1]]
                    absent = absent or x == _ABSENT or y == _ABSENT
                    a += x
                    b += y
            if not absent:
                row = sums[q]
                row[0] += 1
                row[1] += a
                row[2] += a * a
                row[3] += b
                row[4] += b * b
                row[5] += b - a
                row[6] += (b - a) * (b - a)


class PairTally:
    """Exact sums of paired games; adding is merging.

    Attributes
    ----------
    games : int
        Games of each match.
    sums : (n_sides + 1 + C, 7) object array of int
        See `count_pairs`.
    """

    def __init__(self, layouts: tuple[Layout, Layout], names: Sequence[str]) -> None:
        self.games = 0
        self.names = tuple(names)
        self.n_sides = layouts[0].n_sides
        self.rotations = len(layouts[0].columns)
        self._layouts = layouts
        self._columns = [layout.columns[:, [layout.names.index(name) for name in names]] for layout in layouts]
        self.sums: Any = np.zeros((self.n_sides + 1 + len(self.names), len(SUMS)), object)

    @property
    def deals(self) -> int:
        """Deals counted, each in all rotations."""
        return self.games // self.rotations

    def count(self, rows: Sequence[Any]) -> None:
        """Add the outcome rows (G,) of the same whole deals in both matches."""
        sums = np.zeros(self.sums.shape, np.int64)
        one, other = (found.view(np.int32).reshape(len(found), -1) for found in rows)
        columns, shares = self._columns, [layout.share for layout in self._layouts]
        count_pairs(one, other, columns[0], columns[1], shares[0], shares[1], self.n_sides, sums)
        self.games += len(one)
        self.sums = self.sums + sums.astype(object)

    def add(self, part: PairTally) -> None:
        """Add the sums of another tally of the same matches."""
        self.games += part.games
        self.sums = self.sums + part.sums
