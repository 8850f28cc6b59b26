"""How often `balance check` is wrong, how often it sees what moved, and how many games it takes for that.

``python -m benchmarks.gate`` takes three minutes of processor time, ``--full`` (2,000 re-recordings) 36. It prints:

* for a coin of 50 % that was recorded under the default margin and has moved by so many points since: how often a check
  of it says pass, fail, or is undecided at the end of the default budget, with a bound on how often it is right; the
  mean number of games until then; and how many a test of a fixed number of games needs to be right as often with the
  same chance of error, if the shift is known beforehand, which it never is;
* false alarms: a duel is recorded and checked again, unchanged, with new seeds each time, through the engine. An alarm
  is a run in which ANY number fails. 5 % are promised, 4 % designed for;
* real games: a rule of each of the five is changed after recording; how often a check says so, and how often it does
  of the same games unchanged.

Bounds are exact (Clopper-Pearson), at 99 %.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.coverage import upper_bound
from benchmarks.rerecorded import alarms, seen
from simcore import baseline
from simcore.baseline import MARGIN, Recorded, games_for
from simcore.blocks import CONFIDENCE
from simcore.cases import BUDGET
from simcore.checks import Shift
from simcore.measures import Sums
from simcore.stats.looks import looks
from simcore.stats.simultaneous import simultaneous_confidence

SHIFTS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 5.0)  # points; the margin plus one among them
CHECKS = 25  # of one duel
SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"
CHANGED = (
    ("hate-to-kill-you/film-duel", ("rules.hits_to_win", "4")),
    ("as-you-wish/four-players", ("rules.poison_limit", "4")),
    ("field-guide/four-players", ("rules.fight_reading", "translator")),
    ("grimoire-shuffle/four-players", ("rules.trophies", "3")),
    ("adventure-book/two-players", ("rules.moves", "1")),
)
"""Scenarios and a change that moves a number of theirs far beyond the margin."""


@dataclass(frozen=True)
class Coin:
    """A measure of a coin; its tally is the sums of what was tossed."""

    is_share: bool = True

    def sums(self, tally: Any) -> Sums:
        """Return the sums."""
        return Sums(tally.games, tally.heads, tally.heads, 1, 1)


@dataclass(frozen=True)
class Tossed:
    """How often a coin was tossed, and came up heads."""

    games: int
    heads: int


def coin(shift: float, confidence: float, random: np.random.Generator) -> tuple[str, int]:
    """Return the verdict on a coin that has moved by so many points, and after how many games."""
    n = games_for(MARGIN, 1)
    heads = int(random.binomial(n, 0.5))
    recorded = baseline.with_margin(Recorded("coin", "share", "", Sums(n, heads, heads, 1, 1), 0.0), MARGIN)
    check: Any = Shift(recorded, Coin())  # type: ignore[arg-type]
    tossed = Tossed(0, 0)
    for games in looks(1, limit=BUDGET * n):
        fresh = int(random.binomial(games - tossed.games, 0.5 + shift / 100))
        tossed = Tossed(games, tossed.heads + fresh)
        verdict = check.judge(tossed, confidence).verdict
        if verdict != "undecided":
            return str(verdict), games
    return "undecided", tossed.games


def fixed(shift: float, power: float, confidence: float) -> float:
    """Return the games of a fixed-sample z test that is right about a shift with this power; infinite if none is."""
    z, recorded = NormalDist().inv_cdf, games_for(MARGIN, 1)
    level = z(0.5 + confidence / 2)
    if shift == 0:  # the interval lies within the margin, on both sides
        error = MARGIN / (level + z(0.5 + power / 2))
    elif shift < MARGIN:  # the further end is as good as certain to lie inside
        error = (MARGIN - shift) / (level + z(power))
    elif shift == MARGIN:
        return math.inf
    else:  # the interval leaves out zero, and the estimate lies beyond the margin
        error = min(shift / (level + z(power)), (shift - MARGIN) / z(power))
    room = (error / baseline.COIN) ** 2 - 1 / recorded
    return 1 / room if room > 0 else math.inf


def rows(trials: int, checks: int, seed: int) -> Iterator[str]:
    """Yield a line for each shift."""
    confidence = simultaneous_confidence(CONFIDENCE, checks)
    for shift in SHIFTS:
        random = np.random.default_rng([seed, checks, int(100 * shift)])
        results = [coin(shift, confidence, random) for _ in range(trials)]
        verdicts = Counter(verdict for verdict, _ in results)
        right = verdicts["pass" if shift < MARGIN else "fail"]
        least = 1 - upper_bound(trials - right, trials) if right else 0.0
        games = sum(games for _, games in results) / trials
        power = min(max(right / trials, 0.5), 1 - 0.5 / trials)
        needed = fixed(shift, power, confidence)
        told = f"{needed:12,.0f}" if math.isfinite(needed) else f"{'never':>12}"
        shares = " ".join(f"{verdicts[name] / trials:9.3f}" for name in ("pass", "fail", "undecided"))
        settled = f"{least:9.3f}" if needed < math.inf else f"{'-':>9}"
        yield f"{checks:6} {shift:6.2f} {shares} {settled} {games:12,.0f} {told}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="2,000 re-recordings and 500 coins, not 100 and 200")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    trials = 500 if chosen.full else 200
    print(f"Margin {MARGIN} points, {games_for(MARGIN, 1):,} games recorded, at most {BUDGET} times as many played")
    heads = "".join(f"{name:>10}" for name in ("pass", "fail", "undecided", "right >="))
    print(f"checks  shift{heads} {'games':>12} {'fixed':>12}")
    for checks in (CHECKS, 100 * CHECKS):
        for line in rows(trials, checks, chosen.seed):
            print(line, flush=True)
    times = 2000 if chosen.full else 100
    wrong = alarms(times, chosen.jobs, chosen.seed)
    print(f"False alarms: {wrong} of {times:,} unchanged re-recordings, at most {upper_bound(wrong, times):.2%} (99 %)")
    each = 100 if chosen.full else 10
    for name, change in CHANGED:
        found = seen(SCENARIOS / f"{name}.yaml", change, each, chosen.jobs, chosen.seed)
        wrong = seen(SCENARIOS / f"{name}.yaml", None, each, chosen.jobs, chosen.seed)
        least = 1 - upper_bound(each - found, each)
        print(
            f"{name} with {'='.join(change)}: seen in {found} of {each} checks, at least {least:.1%} (99 %); "
            f"unchanged, {wrong} alarms in {each}, at most {upper_bound(wrong, each):.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
