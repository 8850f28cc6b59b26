"""Games worth a look: typical, shortest and longest ones, the biggest swings of the lead, each ready for a trace."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from simcore import jit
from simcore.blocks import Run
from simcore.course import KEPT, CourseTally, Follower, means
from simcore.results import side_labels
from simcore.scenario import Scenario
from simcore.stats.percentiles import percentile
from simcore.tally import Layout

SCHEMA = "balance.explain/1"
FILE = "explain.json"
"""What holds the answer in a directory."""

GAMES = 2000
"""Games looked at where nothing else is asked for."""

KINDS = ("typical", "shortest", "longest", "swing", "comeback", "closest", "changes")


def chosen(tally: CourseTally, most: int) -> Iterator[tuple[str, int]]:
    """Yield (kind, index) of the games worth a look, at most so many of each kind, and each game once."""
    taken: set[int] = set()
    histogram = tally.odds.histogram("rounds")
    median = percentile(histogram, 50)
    by_rounds = sorted(tally.odds.examples, key=lambda rounds: (abs(rounds - (median or 0)), rounds))
    games = {"typical": [tally.odds.examples[rounds] for rounds in by_rounds]}
    for kind in KINDS[1:]:
        games[kind] = [index for _, index in tally.tops.get(kind, [])]
    for kind in KINDS:
        left = most
        for index in games[kind]:
            if left and index not in taken:
                taken.add(index)
                left -= 1
                yield kind, index


def told(scenario: Scenario, follower: Follower, kind: str, index: int) -> dict[str, Any]:
    """Return what is said of a game: who won, how long it took, and who led when."""
    row, seen = follower.leads(index)
    course = follower.course(index)
    layout = Layout.of(scenario.game, scenario.match)
    rotation = index % len(scenario.match.rotations)
    shares = layout.share[rotation, int(row["winners"][0]), : layout.n_sides]
    return {
        "kind": kind,
        "game": index,
        "rounds": int(row["rounds"][0]),
        "turns": int(row["turns"][0]),
        "winners": [side + 1 for side in range(layout.n_sides) if shares[side]],
        "reason": scenario.game.reasons(scenario.edition.model)[int(row["reason"][0])],
        "unfinished": not row["reason"][0],
        "lead_changes": course.changes,
        "swing": course.swing,
        "margin": course.margin,
        "behind": course.behind,
        "leads": [[int(rounds), *(round(lead, 6) for lead in leads)] for rounds, *leads in seen],
        "command": shlex.join(
            ["balance", "trace", *scenario.arguments, "--seed", str(scenario.match.seed), "--game", str(index)]
        ),
    }


def answer(
    scenario: Scenario, run: Run, games: list[dict[str, Any]], words: Sequence[str], seconds: float
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON)."""
    tally = run.tally
    rounds = tally.odds.histogram("rounds")
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "sides": side_labels(scenario),
        "nobody": scenario.game.nobody,
        "explained": games,
        "course": means(tally),
        "rounds": {f"p{p:02}": percentile(rounds, p) for p in (5, 50, 95)},
        "most_kept": KEPT,
        "seed": scenario.match.seed,
        "games": tally.games,
        "stop": run.reason,
        "resolved": scenario.resolved,
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "command": shlex.join(["balance", "explain", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }
