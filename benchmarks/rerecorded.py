"""A scenario that is recorded and checked again, unchanged, with new seeds: how often that raises an alarm.

Part of `benchmarks.gate`; in a file of its own, since processes can't fetch functions of the program itself.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import joblib

import strategies
from simcore import baseline, scenario
from simcore.baseline import Recorded, games_for
from simcore.blocks import CONFIDENCE, Plan, Watch, answer
from simcore.cases import BUDGET
from simcore.checks import Shift, Watched
from simcore.measures import Sums, measures
from simcore.stats.simultaneous import simultaneous_confidence

COARSE = 5.0  # points: the margin of re-recordings, so that few games do
DUEL = """\
game: hate-to-kill-you
seats: [{strategy: random, character: inigo}, {strategy: random, character: rugen}]
rotate: true
seed: 1
"""


def alarms(times: int, jobs: int, seed: int) -> int:
    """Return how many of so many unchanged re-recordings raise an alarm, `jobs` processes at work."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "duel.yaml"
        file.write_text(DUEL, encoding="utf-8")
        seeds = [2 * (seed * times + trial) for trial in range(times)]
        return sum(joblib.Parallel(n_jobs=jobs)(joblib.delayed(alarm)(file, first) for first in seeds))


def seen(file: Path, change: tuple[str, str] | None, times: int, jobs: int, seed: int) -> int:
    """Return in how many of so many checks of a scenario, changed or not, any number fails."""
    seeds = [2 * (seed * times + trial) for trial in range(times)]
    return sum(joblib.Parallel(n_jobs=jobs)(joblib.delayed(alarm)(file, first, change) for first in seeds))


def alarm(file: Path, seed: int, change: tuple[str, str] | None = None) -> bool:
    """Return whether any number fails of a scenario recorded with one seed and checked, or changed, with the next."""
    found, checked = load(file), load(file, change)
    known = measures(found)
    games = games_for(COARSE, len(found.match.rotations))
    confidence = simultaneous_confidence(CONFIDENCE, len(known))
    then, now = replace(found.match, seed=seed), replace(checked.match, seed=seed + 1)
    recorded = _play(Watched(then, (), confidence), Plan(games=games)).tally
    numbers = [_recorded(name, measure.sums(recorded), measure.is_share) for name, measure in known.items()]
    question = Watched(now, tuple(Shift(each, known[each.name]) for each in numbers), confidence)
    _play(question, Plan(budget=BUDGET * games))
    return any(judged.verdict == "fail" for judged in question.settled.values())


@cache
def load(file: Path, change: tuple[str, str] | None = None) -> scenario.Scenario:
    """Return a scenario, with a change if there is one; read once."""
    return scenario.load(file, strategies, overrides=[change] if change else [])


def _play(question: Watched, plan: Plan) -> Any:
    return answer(question, strategies, plan, Watch())


def _recorded(name: str, sums: Sums, is_share: bool) -> Recorded:
    kind = "share" if is_share else "amount"
    return baseline.with_margin(Recorded(name, kind, "", sums, 0.0), COARSE)
