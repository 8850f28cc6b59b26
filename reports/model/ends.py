"""How games end: by who wins, by why, and how far they got before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reports.text import Share, clean, percent


@dataclass(frozen=True)
class Part:
    """One part of a whole: a way to end, a source of numbers."""

    name: str
    games: int
    rate: float
    percent: str


@dataclass(frozen=True)
class Step:
    """One stage of a funnel: shares of all games that reach it and get through."""

    name: str
    reached: float
    through: float

    @property
    def phrase(self) -> str:
        """Both shares in words."""
        return f"{percent(self.through)} of {percent(self.reached)}"


@dataclass(frozen=True)
class StageTable:
    """How far games get: a row for each stage, with `head` over its cells; and what stopped them."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]
    causes: tuple[Part, ...]


def parts(counts: Iterable[tuple[str, int]], total: int) -> tuple[Part, ...]:
    """Return the parts of a whole that are there at all."""
    return tuple(Part(name, games, games / total, percent(games / total)) for name, games in counts if games and total)


def results(summary: Mapping[str, Any]) -> tuple[Part, ...]:
    """Split all games, without gaps, by how they were decided."""
    alone = sum(side["wins"] for side in summary["sides"])
    counts = [
        ("won by one side" if len(summary["sides"]) > 1 else "won by the table", alone),
        ("tied", summary["tied"]),
        (f"won by {nobody(summary)}", summary["nobody"]),
        ("unfinished", summary["unfinished"]["games"]),
    ]
    return parts(counts, summary["games"])


def nobody(summary: Mapping[str, Any]) -> str:
    """Return what a game calls the winner where no side wins."""
    return clean(summary["labels"].get("nobody") or "nobody")


def unfinished(summary: Mapping[str, Any]) -> str:
    """Say how many games reach the round limit, or at most could."""
    share = Share.of(summary["unfinished"])
    if not summary["games"] or share.high is None:
        return ""
    if summary["unfinished"]["games"]:
        return f"{share.phrase} of games reach the round limit and count for nobody."
    return f"Every game finished; the unfinished share is at most {_at_most(share.high)}."


def _at_most(share: float) -> str:
    """Round an upper bound up to one digit, so that it stays an upper bound and never reads 0."""
    if share <= 0:
        return percent(0.0)
    digits = max(0, -math.floor(math.log10(100 * share)))
    return f"{math.ceil(round(100 * share * 10**digits, 9)) / 10**digits:.{digits}f} %"


def reasons(summary: Mapping[str, Any]) -> tuple[Part, ...]:
    """Split all games by why they ended, the most frequent reason first."""
    counts = [(clean(name), int(games)) for name, games in summary["reasons"].items()]
    missing = summary["games"] - sum(games for _, games in counts)
    if missing > 0:
        known = missing == summary["unfinished"]["games"]
        counts.append(("unfinished" if known else "no reason recorded", missing))
    return parts(sorted(counts, key=lambda item: (-item[1], item[0])), summary["games"])


def stages(summary: Mapping[str, Any]) -> StageTable | None:
    """Tell how many games reach each stage and get through, as games and as a share of those that reach it."""
    found = summary.get("stages") or []
    if not found:
        return None
    passed, others = (list(found[0][key]) for key in ("passed", "others"))
    rows, steps = [], []
    for stage in found:
        reached = int(stage["reached"])
        through = sum(stage["passed"].values())
        if summary["games"]:
            steps.append(Step(clean(stage["label"]), reached / summary["games"], through / summary["games"]))
        shares = [percent(stage["passed"][name] / reached) if reached else "–" for name in passed]
        means = [f"{stage['others'][name]:.1f}" if reached else "–" for name in others]
        rows.append((clean(stage["label"]), f"{reached:,}", f"{through:,}", *shares, *means))
    causes = [(clean(name), int(times)) for stage in found for name, times in stage["failed"].items()]
    head = ("reached", "through", *map(clean, passed), *map(clean, others))
    total = sum(times for _, times in causes)
    return StageTable(head, tuple(rows), tuple(steps), parts(sorted(causes, key=lambda item: -item[1]), total))
