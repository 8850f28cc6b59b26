"""Checks of balance numbers: that one has not moved since it was recorded, or lies where it is expected.

A check says pass, fail or undecided after any number of games; a run goes on until all of its checks are decided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from simcore.baseline import Recorded
from simcore.blocks import StopReason
from simcore.expect import Expectation
from simcore.match import Match
from simcore.measures import Bound, Measure, Sums
from simcore.player import Player
from simcore.stats.looks import FIRST
from simcore.stats.shift import amount_shift, share_rules_out, share_shift
from simcore.tally import Layout, Tally

METHOD = (
    "anytime-valid: product of the bounded-mean mixtures of both samples for shares, of Gaussian ones (asymptotic) for "
    "amounts; Bonferroni over all checks of the invocation that rest on chance"
)

AFTER_FAILURE, LEAST_AFTER_FAILURE = 4, 20_000
"""A run ends at so many times the games of its first failure, and not before so many games."""

Verdict = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True)
class Judged:
    """What a check says after some games.

    `low` and `high` are the range it is known to lie in: of a recorded number the shift, else what is expected. All in
    the unit of what is checked, shares in [0, 1]; None where nothing is known.
    """

    verdict: Verdict
    games: int
    low: float | None = None
    high: float | None = None

    def narrowed(self, low: float, high: float) -> tuple[float | None, float | None]:
        """Return what remains of a later range; ranges hold at all looks at once, so both do together."""
        least, most = max(low, _or(self.low, -math.inf)), min(high, _or(self.high, math.inf))
        return finite(least), finite(most)


def _or(value: float | None, missing: float) -> float:
    return missing if value is None else value


def finite(value: float) -> float | None:
    """Return a number, None if it is none or infinite."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Shift:
    """Check that a recorded number has not moved by more than its margin, either way.

    pass: the range of the shift lies within the margin. fail: it leaves out "no shift", and the observed shift is
    beyond the margin. Else undecided.
    """

    recorded: Recorded
    measure: Measure

    @property
    def name(self) -> str:
        """What is checked."""
        return self.recorded.name

    def judge(self, tally: Tally, confidence: float) -> Judged:
        """Return the verdict so far; the range, which takes longer to find, only with a verdict."""
        sums = self.measure.sums(tally)
        shift = abs(sums.mean - self.recorded.sums.mean)
        margin = self.recorded.margin
        # the range is as long to both sides: what decides is whether it reaches the nearer margin, or zero
        if not self._rules_out(sums, shift if shift > margin else margin - shift, confidence):
            return Judged("undecided", tally.games)
        _, low, high = self.interval(tally, confidence)
        return Judged("fail" if shift > margin else "pass", tally.games, finite(low), finite(high))

    def _rules_out(self, sums: Sums, distance: float, confidence: float) -> bool:
        base = self.recorded.sample()
        if self.measure.is_share:
            return share_rules_out(base, sums.sample(0), distance, confidence)
        low, high = amount_shift(base, sums.sample(1), confidence, sums.rotations)
        return high - low < 2 * distance

    def interval(self, tally: Tally, confidence: float) -> tuple[float, float, float]:
        """Return (shift, low, high)."""
        sums = self.measure.sums(tally)
        base = self.recorded.sample()
        if self.measure.is_share:
            low, high = share_shift(base, sums.sample(0), confidence)
        else:
            low, high = amount_shift(base, sums.sample(1), confidence, sums.rotations)
        return sums.mean - self.recorded.sums.mean, low, high


@dataclass(frozen=True)
class Claim:
    """Check that a number lies in the range that the scenario expects.

    pass: its interval lies within the range. fail: it lies outside. Else undecided.
    """

    expected: Expectation
    bound: Bound

    @property
    def name(self) -> str:
        """What is checked: the expectation, and of a percentile the share that it is about."""
        name, measure = self.expected.name, self.bound.measure
        return f"{name}: {measure.name}" if measure.kind == "tail" else name

    def judge(self, tally: Tally, confidence: float) -> Judged:
        """Return the verdict so far."""
        return self.said(self.bound.measure.sums(tally), tally.games, confidence)

    def said(self, sums: Sums, games: int, confidence: float) -> Judged:
        """Return the verdict from the sums of so many games."""
        _, low, high = self.bound.measure.interval(sums, confidence)
        verdict: Verdict = "undecided"
        if low >= self.bound.low and high <= self.bound.high:
            verdict = "pass"
        elif high < self.bound.low or low > self.bound.high:
            verdict = "fail"
        return Judged(verdict, games, finite(low), finite(high))


Check = Shift | Claim


@dataclass(frozen=True)
class Look:
    """How many checks are still open at a look."""

    games: int
    open: int


@dataclass
class Watched:
    """Plays a match until every check is decided; a `blocks.Question`.

    A verdict stands once it is reached, as the intervals hold at all looks at once; `settled` has them by name.
    """

    match: Match
    checks: tuple[Check, ...]
    confidence: float
    settled: dict[str, Judged] = field(default_factory=dict)
    first = FIRST
    target = 0.0
    unit = "open checks"

    @property
    def matches(self) -> tuple[Match, ...]:
        """The one match."""
        return (self.match,)

    def tally(self, players: Sequence[Player]) -> Tally:
        """Return empty counts."""
        return Tally(Layout.of(players[0].game, self.match))

    def count(self, tally: Tally, rows: Sequence[Any], first: int) -> None:
        """Add the rows of whole deals."""
        tally.count(rows[0], first)

    def look(self, tally: Tally) -> Look:
        """Judge every check that is open."""
        for check in self.checks:
            if check.name not in self.settled:
                judged = check.judge(tally, self.confidence)
                if judged.verdict != "undecided":
                    self.settled[check.name] = judged
        return Look(tally.games, len(self.checks) - len(self.settled))

    def enough(self, look: Look) -> StopReason | None:
        """Stop once everything is decided, or soon after something failed: what else moved shows by then."""
        failed = [judged.games for judged in self.settled.values() if judged.verdict == "fail"]
        over = bool(failed) and look.games >= max(min(failed) * AFTER_FAILURE, LEAST_AFTER_FAILURE)
        return "decided" if over or not look.open else None

    def reached(self, look: Look) -> float:
        """Return how many checks are open."""
        return float(look.open)
