"""How often `balance compare` sees a difference where there is none, and how many games pairing saves.

``python -m benchmarks.compare [--repetitions 2000] [--first 0] [--jobs 2]`` prints two tables. Under the null the red
die of the duel has its faces in another order: every game may change, no chance does. Each repetition has its own seed,
from `first` on, is judged at every look, and stops by itself; it errs if it stops as decided. About six minutes.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import strategies
from benchmarks.coverage import upper_bound
from simcore import blocks, comparison, scenario
from simcore.blocks import Plan, Watch

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"
NULL = "hate-to-kill-you/film-duel"
AT_RANDOM = [("seats.1.strategy", "random"), ("seats.2.strategy", "random")]
SHUFFLED = ("components.red.faces", "[0, 1, 0, 2, 0, 2]")
MARGIN = 2.0  # points: repetitions end soon, and are many
PAIRS = (
    ("hate-to-kill-you/film-duel", "components.feint.rank=4"),
    ("hate-to-kill-you/film-duel", "components.thibault-defense.rank=7"),
    ("hate-to-kill-you/film-duel", "rules.hits_to_win=6"),
    ("as-you-wish/four-players", "rules.poison_limit=4"),
)
GAMES = 40_000


def load(name: str, changes: list[tuple[str, str]], seed: int) -> Any:
    """Return a shipped scenario with changes."""
    return scenario.load(SCENARIOS / f"{name}.yaml", strategies, name, changes, [("seed", str(seed))])


def null(repetitions: int, first: int, jobs: int) -> None:
    """Print how many repetitions err: in what decides, and in any row at the level for all rows."""
    errors = families = games = 0
    both = load(NULL, AT_RANDOM, 0), load(NULL, [*AT_RANDOM, SHUFFLED], 0)
    for seed in range(first, first + repetitions):
        base, variant = (replace(each, match=replace(each.match, seed=seed)) for each in both)
        asked = comparison.question(base, variant, None, MARGIN)
        run = blocks.answer(asked, strategies, Plan(jobs=jobs), Watch())
        answer = comparison.summary(base, variant, asked, run, [])
        errors += run.reason == "decided"
        families += any(row["differs"] for row in answer["effects"])
        games += answer["games"]
    print(f"no true difference, {repetitions} repetitions of {games // repetitions:,} games on average; promised: 5 %")
    for what, count in (("decided", errors), ("any row differs", families)):
        bound = upper_bound(count, repetitions)
        print(f"  {what:16} {count / repetitions:8.4f}   99 % bound {bound:.4f}")


def pairing() -> None:
    """Print how many times as many games independent deals would need."""
    print("\npairing saves games: variance of independent deals over that of the same deals, share of side 1")
    for name, change in PAIRS:
        path, _, value = change.partition("=")
        base, variant = load(name, [], 1), load(name, [(path, value)], 1)
        asked = comparison.question(base, variant, None, None)
        games = GAMES // len(base.match.rotations) * len(base.match.rotations)
        run = blocks.answer(asked, strategies, Plan(games=games, jobs=os.cpu_count() or 1), Watch())
        found = comparison.effect(run.tally, asked.primary, blocks.CONFIDENCE)
        print(f"  {name} --set {change}: {found.saved:.1f} ({100 * (found.difference or 0):+.2f} points)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first repetition")
    parser.add_argument("--jobs", type=int, default=1)
    words = parser.parse_args()
    if not words.first:
        pairing()
        print()
    null(words.repetitions, words.first, words.jobs)


if __name__ == "__main__":
    main()
