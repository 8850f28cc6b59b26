"""One sentence with the numbers, and one heading, for every figure of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.lengths import Histogram
from reports.model.ends import Part, StageTable
from reports.model.seats import Seats
from reports.model.sides import Side
from reports.text import clean, count, shorten


def captions(
    summary: Mapping[str, Any],
    sides: Sequence[Side],
    seats: Seats,
    histogram: Histogram | None,
    reasons: Sequence[Part],
    stages: StageTable | None,
) -> dict[str, str]:
    """Return one sentence with the numbers for every figure: caption and alternative text in one."""
    shares = "; ".join(f"{side.short} {side.share.phrase}" for side in sides)
    length = histogram.caption if histogram else ""
    chairs = "; ".join(f"{name} {share.phrase}" for name, share in seats.rows)
    ends = "; ".join(f"{part.name} {part.percent}" for part in reasons)
    passed = "; ".join(f"{step.name} {step.phrase}" for step in stages.steps) if stages else ""
    going = histogram.going_caption if histogram else ""
    added = f"Share of wins and its range as games were added, up to {count(summary['games'], 'game')}"
    return {
        "win_rates": f"Share of wins with its range: {shares}.",
        "duration_histogram": f"Share of games by length{length}.",
        "survival": f"Share of games that still go on{going}.",
        "funnel": f"Share of all games that get through each stage, of those that reach it (pale): {passed}.",
        "end_reasons": f"Why games end: {ends}.",
        "seat_advantage": f"Share of wins by chair, whoever sits in it: {chairs}.",
        "convergence": f"{added}. Last values: {shares}.",
    }


def titles(summary: Mapping[str, Any]) -> dict[str, str]:
    """Return a heading for every figure that leaves the page: what it shows, of which run."""
    run = f"{shorten(clean(summary['labels']['scenario']), 34)}, {count(summary['games'], 'game')}"
    subjects = {
        "win_rates": "who wins",
        "duration_histogram": "how long games last",
        "survival": "how many games go on",
        "end_reasons": "why games end",
        "funnel": "how far games get",
        "seat_advantage": "what the seat is worth",
        "convergence": "how the shares settled",
    }
    return {name: f"{run}: {subject}" for name, subject in subjects.items()}
