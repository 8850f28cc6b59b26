"""Streaming exact counts of outcome rows. Memory does not grow with the number of games; adding is merging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.contract import ABSENT, COMMON_COLUMNS, EXPOSURES, MASK_WORDS, Game
from simcore.jit import kernel
from simcore.masks import lowest
from simcore.match import Match

WHOLE_WIN = 60
"""A win in the units of shared wins: 60 divides by 1 to 6 winners."""

_WIDTH = 1024  # values counted in arrays; rarer and larger ones go to a Counter
_ABSENT = int(ABSENT)
WINNERS = COMMON_COLUMNS.index("winners")


@kernel
def count_rows(
    matrix: Any,
    columns: Any,
    share: Any,
    histogram: Any,
    winners: Any,
    deal_squares: Any,
    products: Any,
    absent: Any,
    rare: Any,
) -> int:
    """Count a block of whole deals; return how many values went to `rare`.

    Parameters
    ----------
    matrix : (G, C') int32
        Outcome rows; G is a multiple of the rotations.
    columns : (rotations, C) int64
        Where column c of the tally stands in a row of each rotation.
    share : (rotations, masks, E) int64
        What each side gets of a win, in 60ths, for each mask of winners; see `Layout`.
    histogram (C, W), winners (rotations, masks), deal_squares (C,), products (E, E), absent (C,) : int64, added to
    rare : (G * C, 2) int64
        Written: (column, value) of values outside ``0 .. W - 1``.
    """
    rotations, n_columns = columns.shape
    n_entries = share.shape[2]
    gains = np.zeros(n_entries, np.int64)
    n_rare = 0
    for deal in range(matrix.shape[0] // rotations):
        first = deal * rotations
        gains[:] = 0
        for r in range(rotations):
            mask = matrix[first + r, WINNERS]
            winners[r, mask] += 1
            for e in range(n_entries):
                gains[e] += share[r, mask, e]
        for e in range(n_entries):
            for f in range(n_entries):
                products[e, f] += gains[e] * gains[f]
        for c in range(n_columns):
            total = np.int64(0)
            for r in range(rotations):
                value = np.int64(matrix[first + r, columns[r, c]])
                if value == _ABSENT:
                    absent[c] += 1
                    continue
                total += value
                if 0 <= value < histogram.shape[1]:
                    histogram[c, value] += 1
                else:
                    rare[n_rare, 0] = c
                    rare[n_rare, 1] = value
                    n_rare += 1
            deal_squares[c] += total * total
    return n_rare


SUMS = ("times", "gain", "times_squared", "times_gain", "gain_squared")
"""Sums over deals for each exposed component: n, g, n^2, n g, g^2, n the seats it was with, g their wins in 60ths."""


@kernel
def count_exposed(
    matrix: Any, rotations: int, start: int, gains: Any, wanted: Any, numbers: Any, deal: Any, sums: Any
) -> None:
    """Count how often the seats won that were dealt, held or played each of E components.

    Parameters
    ----------
    matrix : (G, C') int32
        Outcome rows of whole deals.
    start : int
        Where the exposure masks stand in a row.
    gains : (masks, S) int64
        What each seat gets of a win, in 60ths, for each mask of winners.
    wanted : (3, MASK_WORDS) int64
        Bits that are counted of each exposure.
    numbers : (32 * MASK_WORDS,) int64
        Which component a bit is.
    deal : (E, 2) int64
        Work space; zeros, and left so.
    sums : (E, 5) int64
        Added to; see `SUMS`.
    """
    words = wanted.shape[1]
    for first in range(0, matrix.shape[0], rotations):
        for g in range(first, first + rotations):
            mask = matrix[g, WINNERS]
            for seat in range(gains.shape[1]):
                for word in range(words):
                    left = 0
                    for exposure in range(wanted.shape[0]):
                        place = start + (seat * wanted.shape[0] + exposure) * words + word
                        left |= np.int64(matrix[g, place]) & wanted[exposure, word]
                    while left:
                        component = numbers[32 * word + lowest(left)]
                        left &= left - 1
                        deal[component, 0] += 1
                        deal[component, 1] += gains[mask, seat]
        for component in range(sums.shape[0]):
            times = deal[component, 0]
            if times:
                gain = deal[component, 1]
                sums[component, 0] += times
                sums[component, 1] += gain
                sums[component, 2] += times * times
                sums[component, 3] += times * gain
                sums[component, 4] += gain * gain
                deal[component, 0] = 0
                deal[component, 1] = 0


@dataclass(frozen=True)
class ExposedLayout:
    """The maps that `count_exposed` takes."""

    start: int
    gains: Any
    wanted: Any
    numbers: Any

    @classmethod
    def of(cls, game: Game, match: Match) -> ExposedLayout:
        """Return the maps for a match."""
        sides = game.sides(match.n_seats)
        gains = np.zeros((1 << len(sides), match.n_seats), np.int64)
        for mask in range(1, 1 << len(sides)):
            won = [side for side in range(len(sides)) if mask >> side & 1]
            for side in won:
                gains[mask, list(sides[side])] = WHOLE_WIN // len(won)
        wanted = np.zeros((len(EXPOSURES), MASK_WORDS), np.int64)
        numbers = np.zeros(32 * MASK_WORDS, np.int64)
        for number, exposed in enumerate(match.exposed):
            wanted[EXPOSURES.index(exposed.exposure), exposed.bit // 32] |= 1 << exposed.bit % 32
            numbers[exposed.bit] = number
        fields: Mapping[str, Any] = game.outcome.fields or {}
        return cls(fields["exposed"][1] // 4, gains, wanted, numbers)


@dataclass(frozen=True)
class Layout:
    """How the rows of a match are counted: names of the columns, and the maps that `count_rows` takes.

    `share` has the sides of the listed players first, then, where players rotate, the sides as seated: the chairs.
    """

    names: tuple[str, ...]
    columns: Any
    share: Any
    n_sides: int
    exposed: ExposedLayout

    @classmethod
    def of(cls, game: Game, match: Match) -> Layout:
        """Return the layout for a match. Sides and seats are those of the listed players, whatever the rotation."""
        rotations, n = match.rotations, match.n_seats
        sides = game.sides(n)
        side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
        names: list[str] = []
        columns: list[list[int]] = [[] for _ in rotations]
        offset = 0
        for name in game.outcome.names or ():
            field = game.outcome[name]
            width = field.itemsize // 4
            if name == "exposed":
                break
            if len(field.shape) > 1:  # counted apart: see `Tally.amount_sums`
                offset += width
                continue
            for part in range(min(width, n) if field.shape else 1):
                names.append(f"{name}.{part + 1}" if field.shape else name)
                for r, rotation in enumerate(rotations):
                    columns[r].append(offset + (rotation.index(part) if field.shape else 0))
            offset += width
        chairs = len(sides) if len(rotations) > 1 else 0
        share = np.zeros((len(rotations), 1 << len(sides), len(sides) + chairs), np.int64)
        for r, rotation in enumerate(rotations):
            for mask in range(1, 1 << len(sides)):
                won = [side for side in range(len(sides)) if mask >> side & 1]
                for side in won:
                    share[r, mask, side_of[rotation[sides[side][0]]]] = WHOLE_WIN // len(won)
                    if chairs:
                        share[r, mask, len(sides) + side] = WHOLE_WIN // len(won)
        exposed = ExposedLayout.of(game, match)
        return cls(tuple(names), np.array(columns, np.int64), share, len(sides), exposed)


def _whole(numbers: Any) -> Any:
    """Return an array of whole numbers of any size as lists of Python's."""
    return [_whole(part) for part in numbers] if numbers.ndim > 1 else [int(number) for number in numbers]


class Tally:
    """Exact counts of the games of a match.

    Attributes
    ----------
    games : int
    winners : (rotations, masks) int64
        Games by mask of winning sides, as seated in that rotation.
    examples : dict of int
        For each number of rounds the first game that took so many.
    """

    def __init__(self, layout: Layout) -> None:
        rotations, n_columns = layout.columns.shape
        masks = layout.share.shape[1]
        self.layout = layout
        self.games = 0
        self.winners = np.zeros((rotations, masks), np.int64)
        self._histogram = np.zeros((n_columns, _WIDTH), np.int64)
        self._rare: Counter[tuple[int, int]] = Counter()
        self._absent = np.zeros(n_columns, np.int64)
        self._deal_squares = [0] * n_columns
        self._products = np.zeros((layout.share.shape[2],) * 2, object)
        self.examples: dict[int, int] = {}
        self._exposed = np.zeros((len(layout.exposed.numbers), len(SUMS)), object)
        self._amounts: dict[str, Any] = {}

    @property
    def rotations(self) -> int:
        """Games of a deal."""
        return int(self.winners.shape[0])

    @property
    def deals(self) -> int:
        """Deals counted, each in all rotations."""
        return self.games // self.rotations

    def count(self, rows: Any, first: int) -> None:
        """Add the outcome rows (G,) of whole deals, the games from index `first` on."""
        layout = self.layout
        n_columns = layout.columns.shape[1]
        matrix = rows.view(np.int32).reshape(len(rows), -1)
        squares = np.zeros(n_columns, np.int64)
        products = np.zeros(self._products.shape, np.int64)
        rare = np.zeros((len(rows) * n_columns, 2), np.int64)
        n_rare = count_rows(
            matrix,
            layout.columns,
            layout.share,
            self._histogram,
            self.winners,
            squares,
            products,
            self._absent,
            rare,
        )
        self._count_exposed(matrix)
        self._count_amounts(rows)
        self.games += len(rows)
        self._rare.update((int(c), int(value)) for c, value in rare[:n_rare])
        self._add_sums(squares.tolist(), products)
        rounds, places = np.unique(rows["rounds"], return_index=True)
        self._add_examples(zip(rounds.tolist(), (places + first).tolist(), strict=True))

    def _count_exposed(self, matrix: Any) -> None:
        exposed = self.layout.exposed
        if exposed.wanted.any():
            sums = np.zeros(self._exposed.shape, np.int64)
            deal = np.zeros((len(sums), 2), np.int64)
            maps = (exposed.gains, exposed.wanted, exposed.numbers)
            count_exposed(matrix, self.rotations, exposed.start, *maps, deal, sums)
            self._exposed = self._exposed + sums.astype(object)

    def _count_amounts(self, rows: Any) -> None:
        """Add what components brought, in the metrics that have a number of uses and a sum for each of them."""
        for name in rows.dtype.names:
            if len(rows.dtype[name].shape) == 2 and name != "exposed":
                each = rows[name].astype(np.int64)
                times, gain = np.moveaxis(each.reshape(-1, self.rotations, *each.shape[1:]).sum(axis=1), -1, 0)
                sums = [x.sum(axis=0) for x in (times, gain, times * times, times * gain, gain * gain)]
                self._add_amounts(name, np.array(sums).T.astype(object))

    def _add_amounts(self, name: str, sums: Any) -> None:
        self._amounts[name] = self._amounts[name] + sums if name in self._amounts else sums

    def add(self, other: Tally) -> None:
        """Add another tally of the same match."""
        self.games += other.games
        self.winners += other.winners
        self._histogram += other._histogram
        self._absent += other._absent
        self._exposed = self._exposed + other._exposed
        for name, sums in other._amounts.items():
            self._add_amounts(name, sums)
        self._rare.update(other._rare)
        self._add_sums(other._deal_squares, other._products)
        self._add_examples(other.examples.items())

    def saved(self) -> dict[str, Any]:
        """Return all counts as plain data (strict JSON); what is zero is left out."""
        columns = {name: self.histogram(name) for name in self.layout.names}
        return {
            "games": self.games,
            "winners": self.winners.tolist(),
            "histogram": {name: found for name, found in columns.items() if found},
            "absent": self._absent.tolist(),
            "deal_squares": self._deal_squares,
            "products": _whole(self._products),
            "examples": sorted(self.examples.items()),
            "exposed": [[i, *_whole(sums)] for i, sums in enumerate(self._exposed) if any(sums)],
            "amounts": {name: _whole(sums) for name, sums in sorted(self._amounts.items())},
        }

    @classmethod
    def restored(cls, layout: Layout, saved: Mapping[str, Any]) -> Tally:
        """Return the tally of a match that was `saved`."""
        tally = cls(layout)
        tally.games = saved["games"]
        tally.winners += np.array(saved["winners"], np.int64)
        tally._absent += np.array(saved["absent"], np.int64)
        tally._add_sums(saved["deal_squares"], np.array(saved["products"], object))
        tally.examples = dict(saved["examples"])
        for name, found in saved["histogram"].items():
            column = layout.names.index(name)
            for value, games in found:
                if 0 <= value < _WIDTH:
                    tally._histogram[column, value] = games
                else:
                    tally._rare[column, value] = games
        for number, *sums in saved["exposed"]:
            tally._exposed[number] = sums
        tally._amounts = {name: np.array(sums, object) for name, sums in saved["amounts"].items()}
        return tally

    def _add_examples(self, found: Iterable[tuple[int, int]]) -> None:
        for rounds, index in found:
            self.examples[rounds] = min(index, self.examples.get(rounds, index))

    def _add_sums(self, squares: list[int], products: Any) -> None:
        self._deal_squares = [a + b for a, b in zip(self._deal_squares, squares, strict=True)]
        self._products = self._products + products.astype(object)

    def histogram(self, name: str) -> list[tuple[int, int]]:
        """Return the (value, games) pairs of a column, ascending; games where it is absent are left out."""
        column = self.layout.names.index(name)
        counts = self._histogram[column]
        bins = Counter({int(value): int(counts[value]) for value in np.flatnonzero(counts)})
        for (c, value), games in self._rare.items():
            if c == column:
                bins[value] += games
        return sorted(bins.items())

    def absent(self, name: str) -> int:
        """Return in how many games a metric did not apply."""
        return int(self._absent[self.layout.names.index(name)])

    def deal_sums(self, name: str) -> tuple[int, int]:
        """Return the sum and the sum of squares over deals of a column, added up over the rotations of the deal."""
        total = sum(value * games for value, games in self.histogram(name))
        return total, self._deal_squares[self.layout.names.index(name)]

    def share_sums(self, side: int) -> tuple[int, int]:
        """Return the sum and the sum of squares over deals of what a side won, in 60ths; `n_sides` + i is chair i."""
        total = int((self.winners * self.layout.share[:, :, side]).sum())
        return total, int(self._products[side, side])

    def exposed_sums(self, number: int) -> dict[str, int]:
        """Return the sums over deals of exposed component `number`, by the names in `SUMS`."""
        return dict(zip(SUMS, map(int, self._exposed[number]), strict=True))

    def amount_sums(self, name: str, number: int) -> tuple[int, ...]:
        """Return the sums over deals, as named in `SUMS`, of a component's uses and of what they came to."""
        return tuple(map(int, self._amounts[name][number])) if name in self._amounts else (0,) * len(SUMS)

    def lead_sums(self, first: int, second: int) -> tuple[int, int]:
        """Return the sum and the sum of squares over deals of first side minus second side, in 60ths."""
        products = self._products
        squares = products[first, first] + products[second, second] - 2 * products[first, second]
        return self.share_sums(first)[0] - self.share_sums(second)[0], int(squares)

    def won(self) -> Iterator[tuple[int, int]]:
        """Yield (sole wins, games shared with others) of each side."""
        masks = np.arange(self.winners.shape[1])
        sole = np.array([bin(mask).count("1") == 1 for mask in masks])
        for side in range(self.layout.n_sides):
            counted = self.winners * (self.layout.share[:, :, side] > 0)
            alone = int(counted[:, sole].sum())
            yield alone, int(counted.sum()) - alone
