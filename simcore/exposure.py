"""How those fare who were dealt, held or played a component, against those in the same chair who were not.

Every deal is taken apart by stratum: the rotation, the seat, and, where more of a kind comes to who plays longer, how
many of the kind the seat had. Within a stratum the players are the same, and so is the exposure; the contrast is pooled
over strata as in a regression with an intercept for each. A deal in all rotations is the unit of its error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.blocks import CONFIDENCE, StopReason
from simcore.contract import EXPOSURES, MASK_WORDS, Game
from simcore.jit import kernel
from simcore.match import Match
from simcore.player import Player
from simcore.stats.clusters import quotient_interval
from simcore.stats.looks import FIRST, first_look
from simcore.stats.simultaneous import simultaneous_confidence
from simcore.tally import WHOLE_WIN, WINNERS, ExposedLayout

MOST = 32
"""Strata by number: who had `MOST` - 1 of a kind or more are together."""

SCALE = 64
"""One in the units of centred exposures."""


@kernel
def count_contrasts(
    matrix: Any,
    rotations: int,
    start: int,
    gains: Any,
    lines: Any,
    adjusted: Any,
    usual: Any,
    centres: Any,
    work: Any,
    deal: Any,
    everybody: Any,
    having: Any,
    moments: Any,
) -> None:
    """Add the sums of whole deals.

    Parameters
    ----------
    matrix : (G, C') int32
        Outcome rows; G is a multiple of the rotations.
    start : int
        Where the exposure masks stand in a row.
    gains : (masks, S) int64
        What each seat gets of a win, in 60ths, for each mask of winners.
    lines : (L, 3) int64
        Place of the word within a seat's masks, bit, and group of each line: a component and one exposure.
    adjusted : (K,) int64
        For each group, 1 where seats are compared that had as many of it.
    usual : (L, R, S, M) int8, centres : (K, R, S, M) int8
        Fixed numbers near the share of those who had it (in 64ths) and near their win share (in 60ths).
    work : (L + K,) int64, deal : (L, 2) int64
        Work space; `deal` is zeros, and left so.
    everybody : (K, R, S, M, 2) int64, having : (L, R, S, M, 2) int64, added to
        Seats and their wins, in 60ths: all of a stratum, and those who had the component.
    moments : (L, 5) int64, added to
        Sums over deals of y, x, y^2, y x, x^2: y the squared centred exposure, x centred exposure times centred win.
    """
    n_lines, n_groups = lines.shape[0], adjusted.shape[0]
    width = 3 * 4
    for first in range(0, matrix.shape[0], rotations):
        for r in range(rotations):
            row = matrix[first + r]
            mask = row[WINNERS]
            for seat in range(gains.shape[1]):
                gain = gains[mask, seat]
                for k in range(n_groups):
                    work[n_lines + k] = 0
                for i in range(n_lines):
                    word = np.int64(row[start + seat * width + lines[i, 0]])
                    work[i] = word >> lines[i, 1] & 1
                    work[n_lines + lines[i, 2]] += work[i]
                for k in range(n_groups):
                    number = min(work[n_lines + k], MOST - 1) if adjusted[k] else 0
                    work[n_lines + k] = number
                    everybody[k, r, seat, number, 0] += 1
                    everybody[k, r, seat, number, 1] += gain
                for i in range(n_lines):
                    k = lines[i, 2]
                    number = work[n_lines + k]
                    if work[i]:
                        having[i, r, seat, number, 0] += 1
                        having[i, r, seat, number, 1] += gain
                    off = SCALE * work[i] - np.int64(usual[i, r, seat, number])
                    deal[i, 0] += off * off
                    deal[i, 1] += off * (gain - np.int64(centres[k, r, seat, number]))
        for i in range(n_lines):
            y, x = deal[i, 0], deal[i, 1]
            moments[i, 0] += y
            moments[i, 1] += x
            moments[i, 2] += y * y
            moments[i, 3] += y * x
            moments[i, 4] += x * x
            deal[i, 0] = 0
            deal[i, 1] = 0


@dataclass(frozen=True)
class Line:
    """A component and one exposure: `number` is its position in `Match.exposed`, `exposure` one in `EXPOSURES`."""

    number: int
    exposure: int


@dataclass(frozen=True)
class Contrast:
    """How those with a component fared against those without, in the same chair and with as many of the kind.

    `with_it` and `without` are plain shares of all such seats; `difference` is the adjusted one, None where nobody or
    everybody had it in every stratum: there is nothing to compare then.
    """

    line: Line
    times: int
    with_it: float | None
    without: float | None
    difference: float | None
    low: float | None
    high: float | None

    @property
    def arm(self) -> float:
        """Half the width of the interval; inf where nothing is known."""
        return (self.high - self.low) / 2 if self.low is not None and self.high is not None else math.inf


@dataclass(frozen=True)
class Look:
    """The answer at one look."""

    games: int
    contrasts: tuple[Contrast, ...]


@dataclass(frozen=True)
class Contrasts:
    """How the components of a match fare, until every contrast that can be made is known to `precision` points.

    Parameters
    ----------
    match : Match
    lines : tuple of Line
    layout : (start, gains, lines, adjusted)
        Maps of `count_contrasts`.
    usual, centres : arrays of int8
        See `count_contrasts`; they only sharpen the interval.
    precision : float
        In points.
    """

    match: Match
    lines: tuple[Line, ...]
    layout: tuple[Any, ...]
    usual: Any
    centres: Any
    precision: float
    unit = "points"

    @property
    def matches(self) -> tuple[Match, ...]:
        """The one match."""
        return (self.match,)

    @property
    def first(self) -> int:
        """Games at which luck alone cannot decide."""
        return first_look(self.precision / 100, CONFIDENCE, len(self.match.rotations))

    @property
    def target(self) -> float:
        """The arm that every interval may have, in points."""
        return self.precision

    @property
    def joint(self) -> float:
        """The level of each interval at which all hold together."""
        return simultaneous_confidence(CONFIDENCE, len(self.lines))

    def tally(self, players: Sequence[Player]) -> ContrastTally:
        """Return empty sums."""
        return ContrastTally(self.centres.shape, len(self.lines))

    def count(self, tally: ContrastTally, rows: Sequence[Any], first: int) -> None:
        """Add the rows of whole deals."""
        tally.count(rows[0], self)

    def look(self, tally: ContrastTally) -> Look:
        """Return every contrast so far."""
        return Look(tally.games, tuple(contrasts(tally, self, self.joint)))

    def enough(self, look: Look) -> StopReason | None:
        """Stop when every contrast that can be made is known well enough."""
        return "precision" if self.reached(look) <= self.precision else None

    def reached(self, look: Look) -> float:
        """Return the longest arm, in points."""
        return 100 * max((each.arm for each in look.contrasts if each.difference is not None), default=0.0)


class ContrastTally:
    """Exact sums of exposures; adding is merging. `everybody`, `having`, `moments`: see `count_contrasts`."""

    def __init__(self, shape: tuple[int, ...], n_lines: int) -> None:
        self.games = 0
        self.rotations = shape[1]
        self.everybody: Any = np.zeros((*shape, 2), np.int64)
        self.having: Any = np.zeros((n_lines, *shape[1:], 2), np.int64)
        self.moments: Any = np.zeros((n_lines, 5), object)

    @property
    def deals(self) -> int:
        """Deals counted, each in all rotations."""
        return self.games // self.rotations

    def count(self, rows: Any, asked: Contrasts) -> None:
        """Add the outcome rows (G,) of whole deals."""
        start, gains, lines, adjusted = asked.layout
        matrix = rows.view(np.int32).reshape(len(rows), -1)
        moments = np.zeros(self.moments.shape, np.int64)
        work = np.zeros(len(lines) + len(adjusted), np.int64)
        deal = np.zeros((len(lines), 2), np.int64)
        maps = (start, gains, lines, adjusted, asked.usual, asked.centres, work, deal)
        count_contrasts(matrix, self.rotations, *maps, self.everybody, self.having, moments)
        self.games += len(rows)
        self.moments = self.moments + moments.astype(object)

    def add(self, other: ContrastTally) -> None:
        """Add the sums of another tally of the same question."""
        self.games += other.games
        self.everybody += other.everybody
        self.having += other.having
        self.moments = self.moments + other.moments


def question(game: Game, match: Match, loader: Any, precision: float, pilot: int = FIRST) -> Contrasts | None:
    """Return what is asked of the components of a match; None if the game does not tell who had what.

    The first `pilot` games say what is usual, so that the sums can be centred while they are made, and which of the
    exposures occur at all.
    """
    if not match.exposed:
        return None
    games = -(-pilot // len(match.rotations)) * len(match.rotations)
    rows = Player(match, loader).play(0, games)
    told = {kind: _exposures(match, rows["exposed"], kind) for kind in dict.fromkeys(e.kind for e in match.exposed)}
    lines = tuple(
        Line(number, exposure)
        for exposure in range(len(EXPOSURES))
        for number, each in enumerate(match.exposed)
        if exposure in told[each.kind] or exposure == EXPOSURES.index(each.exposure)
    )
    if not lines:
        return None
    layout = _layout(game, match, lines)
    shape = (len(layout[3]), len(match.rotations), match.n_seats, MOST)
    plain = np.zeros((len(lines), *shape[1:]), np.int8)
    asked = Contrasts(match, lines, layout, plain, np.zeros(shape, np.int8), precision)
    tally = asked.tally([])
    asked.count(tally, [rows], 0)
    groups = layout[2][:, 2]
    usual = _means(tally.having[..., 0], tally.everybody[groups][..., 0], SCALE)
    centres = _means(tally.everybody[..., 1], tally.everybody[..., 0], 1)
    return Contrasts(match, lines, layout, usual, centres, precision)


def _exposures(match: Match, masks: Any, kind: str) -> list[int]:
    """Return the exposures of a kind that occur, and say something else than one before: (G, S, 3, words) masks."""
    bits = np.zeros(masks.shape[-1], np.uint32)
    for each in match.exposed:
        if each.kind == kind:
            bits[each.bit // 32] |= np.uint32(1 << each.bit % 32)
    found: list[int] = []
    for exposure in range(len(EXPOSURES)):
        mine = masks[:, :, exposure] & bits
        if mine.any() and not any(np.array_equal(mine, masks[:, :, other] & bits) for other in found):
            found.append(exposure)
    return found


def _layout(game: Game, match: Match, lines: Sequence[Line]) -> tuple[Any, ...]:
    groups: dict[tuple[str, int], int] = {}
    adjusted: list[int] = []
    table = np.zeros((len(lines), 3), np.int64)
    for i, line in enumerate(lines):
        each = match.exposed[line.number]
        key = (each.kind, line.exposure)
        if key not in groups:
            groups[key] = len(groups)
            adjusted.append(int(each.drawn or line.exposure > 0))
        table[i] = (line.exposure * MASK_WORDS + each.bit // 32, each.bit % 32, groups[key])
    exposed = ExposedLayout.of(game, match)
    return exposed.start, exposed.gains, table, np.array(adjusted, np.int64)


def _means(sums: Any, numbers: Any, scale: int) -> Any:
    """Return scale * sums / numbers, rounded; where a stratum is empty, that of the seat over all of its strata."""
    whole = np.broadcast_to(sums.sum(axis=-1, keepdims=True), sums.shape)
    everybody = np.broadcast_to(numbers.sum(axis=-1, keepdims=True), numbers.shape)
    top = np.where(numbers > 0, sums, whole) * scale
    return np.rint(top / np.maximum(np.where(numbers > 0, numbers, everybody), 1)).astype(np.int8)


def contrasts(tally: ContrastTally, asked: Contrasts, confidence: float) -> Iterator[Contrast]:
    """Yield every contrast with its interval.

    The difference is sum_h c_h / sum_h v_h over strata h: c the covariance of having it and winning, v the variance
    of having it, both times the number of seats. Its error is that of the ratio of two sums over deals (delta method),
    in the asymptotic sequence of durations.
    """
    groups = asked.layout[2][:, 2]
    for i, line in enumerate(asked.lines):
        everybody, having = tally.everybody[groups[i]], tally.having[i]
        n, g = (everybody[..., part].astype(float) for part in (0, 1))
        d, dg = (having[..., part].astype(float) for part in (0, 1))
        times = int(d.sum())
        rest = int(n.sum()) - times
        with_it = float(dg.sum()) / times / WHOLE_WIN if times else None
        without = float(g.sum() - dg.sum()) / rest / WHOLE_WIN if rest else None
        per = np.maximum(n, 1.0)
        spread = float((d - d * d / per).sum())
        if spread <= 0.0 or times == 0 or rest == 0:
            yield Contrast(line, times, with_it, without, None, None, None)
            continue
        difference = float((dg - d * g / per).sum()) / spread / WHOLE_WIN
        sums = tuple(int(value) for value in tally.moments[i])
        unseen = (SCALE * WHOLE_WIN) ** 2  # one deal more in which somebody with it wins against what is usual
        middle, low, high = quotient_interval(tally.deals, sums, tally.rotations, confidence, FIRST, 1, unseen)
        unit = SCALE / WHOLE_WIN
        ends = (difference + unit * (low - middle), difference + unit * (high - middle))
        known = all(math.isfinite(end) for end in ends)
        cut = (max(ends[0], -1.0), min(ends[1], 1.0)) if known else (None, None)
        yield Contrast(line, times, with_it, without, difference, *cut)
