"""What a game counts besides wins and lengths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reports import lengths
from reports.lengths import Statistics
from reports.model.sides import Side
from reports.text import clean, count


def read(summary: Mapping[str, Any], sides: Sequence[Side]) -> tuple[Statistics, ...]:
    """Return a row for each metric that a picture or table of stages does not show."""
    in_stages = {name for stage in summary.get("stages") or () for name in stage["metrics"]}
    metrics: Mapping[str, Mapping[str, Any]] = {
        name: values
        for name, values in summary["metrics"].items()
        if name not in in_stages and not _never(values, summary["games"])
    }
    rows = []
    for name, values in metrics.items():
        absent = int(values.get("absent") or 0)
        label = _metric_label(name, metrics, sides) + (f" (not in {count(absent, 'game')})" if absent else "")
        rows.append(lengths.statistics_row(name, label, values, lengths.METRIC_STATISTICS))
    return tuple(rows)


def _never(values: Mapping[str, Any], games: int) -> bool:
    """Return whether a metric applies to no game, such as that of a chapter that the book does not have."""
    return bool(games) and values.get("absent") == games


def _metric_label(name: str, all_names: Iterable[str], sides: Sequence[Side]) -> str:
    """Return `hits, Inigo Montoya` for `hits.2`; players of a team keep their number."""
    base, _, number = name.rpartition(".")
    if not base or not number.isdigit():
        return clean(name).replace("_", " ")
    players = sum(other.rpartition(".")[0] == base for other in all_names)
    alone = {str(side.side): side.short for side in sides} if players == len(sides) else {}
    return f"{clean(base).replace('_', ' ')}, {alone.get(number, f'player {number}')}"
