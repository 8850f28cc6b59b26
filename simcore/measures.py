"""What checks are about: every share, duration and metric of a tally, as sums over deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simcore.expect import DURATIONS, ENDS, Expectation, amount_names, share_names
from simcore.scenario import Scenario
from simcore.stats.bounded import bounded_mean
from simcore.stats.clusters import amount_interval, quotient_interval, share_interval
from simcore.stats.looks import FIRST
from simcore.stats.shift import Sample
from simcore.tally import WHOLE_WIN, Tally

Interval = tuple[float, float]


@dataclass(frozen=True)
class Sums:
    """Sums of a quantity over deals, and what they are in.

    Parameters
    ----------
    deals, total, squares : int
        Number of deals, sum and sum of squares of a deal's total over its games.
    scale : int
        What a deal's total is divided by for the value per game. A share's total is at most that.
    rotations : int
        Games of a deal.
    absent : int
        Games to which a metric does not apply; they count as 0.
    """

    deals: int
    total: int
    squares: int
    scale: int
    rotations: int
    absent: int = 0

    @property
    def mean(self) -> float:
        """Value per game."""
        return self.total / self.deals / self.scale if self.deals else math.nan

    @property
    def spread(self) -> float:
        """How much single games differ, as a standard deviation, if the games of a deal are as different as others."""
        return math.sqrt(self.sample(0).variance * self.rotations)

    def sample(self, unseen: int) -> Sample:
        """Return the values per game; `unseen` is added to the squared deviations, in the unit of the sums."""
        if not self.deals:
            return Sample(0, 0.0, 0.0)
        deviations = (self.deals * self.squares - self.total * self.total) / self.deals + unseen
        return Sample(self.deals, self.mean, deviations / self.scale**2)


@dataclass(frozen=True)
class Measure:
    """Something that is counted; names and numbers only, as it travels to other processes.

    Parameters
    ----------
    name : str
        ``side.1``, ``unfinished``, ``rounds``, ``hits.2``.
    kind : str
        ``side`` (in the order of the tally: sides, then chairs), ``lead`` (side `index` less side `other`), ``end``,
        ``tail`` (share of games in which `column` is at most `limit`) or ``amount``.
    unit : int
        What one is in the sums of an amount: 60 (seconds) for a minute.
    signed : bool
        Whether an amount may be negative.
    """

    name: str
    kind: Literal["side", "lead", "end", "tail", "amount"]
    index: int = 0
    other: int = 0
    column: str = ""
    limit: int = 0
    unit: int = 1
    signed: bool = False

    @property
    def is_share(self) -> bool:
        """Whether it is a share of games, in [0, 1], or a difference of two."""
        return self.kind != "amount"

    def sums(self, tally: Tally) -> Sums:
        """Return its sums. Where a metric does not apply to a game, the game counts as 0."""
        rotations = tally.rotations
        absent = tally.absent(self.column) if self.column else 0
        if self.kind == "side":
            total, squares = tally.share_sums(self.index)
            return Sums(tally.deals, total, squares, WHOLE_WIN * rotations, rotations)
        if self.kind == "lead":
            total, squares = tally.lead_sums(self.index, self.other)
            return Sums(tally.deals, total, squares, WHOLE_WIN * rotations, rotations)
        if self.kind == "amount":
            total, squares = tally.deal_sums(self.column)
            return Sums(tally.deals, total, squares, rotations * self.unit, rotations, absent)
        games = self._ended(tally) if self.kind == "end" else self._within(tally)
        # counted by game: the square of a deal's total is at most the rotations times the total
        return Sums(tally.deals, games, games * rotations, rotations, rotations, absent)

    def _ended(self, tally: Tally) -> int:
        unfinished = dict(tally.histogram("reason")).get(0, 0)
        if self.name == "unfinished":
            return unfinished
        if self.name == "nobody":
            return int(tally.winners[:, 0].sum()) - unfinished
        return int(sum(tally.winners[:, mask].sum() for mask in range(tally.winners.shape[1]) if mask.bit_count() > 1))

    def _within(self, tally: Tally) -> int:
        return sum(games for value, games in tally.histogram(self.column) if value <= self.limit)

    def interval(self, sums: Sums, confidence: float) -> tuple[float, float, float]:
        """Return (value, low, high) per game, anytime-valid; of a metric over the games to which it applies."""
        deals, rotations, scale = sums.deals - sums.absent, sums.rotations, sums.scale
        if deals <= 0 or (sums.absent and rotations > 1):
            return math.nan, -math.inf, math.inf
        if self.kind == "lead":
            low, high = bounded_mean(sums.total, sums.squares, deals, confidence, -scale, scale)
            return sums.mean, low / scale, high / scale
        if self.kind == "amount":
            return self._amount(sums, confidence)
        whole = WHOLE_WIN if self.kind == "side" else 1
        low, high = share_interval(deals, sums.total, sums.squares, rotations, confidence, whole)
        return sums.total / deals / scale, low, high

    def _amount(self, found: Sums, confidence: float) -> tuple[float, float, float]:
        if found.absent:
            present = found.deals - found.absent
            sums = (present, found.total, present, found.total, found.squares)
            value, low, high = quotient_interval(found.deals, sums, 1, confidence, FIRST)
            return value / self.unit, low / self.unit, high / self.unit
        least = -math.inf if self.signed else 0.0
        low, high = amount_interval(found.deals, found.total, found.squares, found.rotations, confidence, FIRST, least)
        return found.mean, low / self.unit, high / self.unit


def measures(scenario: Scenario) -> dict[str, Measure]:
    """Return everything that is counted of a scenario, by name, shares first."""
    n, rotated = len(scenario.entries), len(scenario.match.rotations) > 1
    found: dict[str, Measure] = {}
    for index, name in enumerate(share_names(scenario.game, n, rotated)):
        found[name] = Measure(name, "end" if name in ENDS else "side", index)
    signed = {metric.name for metric in scenario.game.metrics if metric.signed}
    for name in amount_names(scenario.game, n):
        column, unit = ("seconds", 60) if name == "minutes" else (name, 1)
        is_signed = name not in DURATIONS and name.split(".")[0] in signed
        found[name] = Measure(name, "amount", column=column, unit=unit, signed=is_signed)
    return found


@dataclass(frozen=True)
class Bound:
    """A measure and the range in which it is to lie."""

    measure: Measure
    low: float
    high: float


def bounds(expected: Expectation, known: dict[str, Measure]) -> Sequence[Bound]:
    """Return what an expectation claims of shares and means.

    A claim about a percentile is one about a share: the p90 is at most 25 exactly if at least 90 % of games are at
    most 25; it is at least 20 exactly if fewer than 90 % are below 20.
    """
    measure = known[expected.quantity]
    if expected.other:
        other = known[expected.other]
        return [Bound(Measure(expected.name, "lead", measure.index, other.index), expected.low, expected.high)]
    if expected.percent is None:
        return [Bound(measure, expected.low, expected.high)]
    share = expected.percent / 100
    found = []
    if expected.high < math.inf:
        limit = math.floor(expected.high * measure.unit)
        found.append(Bound(_tail(measure, f"{measure.name} <= {expected.high:g}", limit), share, math.inf))
    if expected.low > -math.inf:
        limit = math.ceil(expected.low * measure.unit) - 1
        found.append(Bound(_tail(measure, f"{measure.name} < {expected.low:g}", limit), -math.inf, share))
    return found


def _tail(measure: Measure, name: str, limit: int) -> Measure:
    return Measure(name, "tail", column=measure.column, limit=limit)
