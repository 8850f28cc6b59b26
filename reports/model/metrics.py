"""What a game counts besides wins and lengths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports import lengths
from reports.lengths import Statistics
from reports.model.sides import Side
from reports.text import NOTHING, clean, count


@dataclass(frozen=True)
class ByPlayer:
    """Means of the metrics that are counted for each player: players side by side."""

    players: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read(summary: Mapping[str, Any], sides: Sequence[Side]) -> tuple[Statistics, ...]:
    """Return a row for each metric that a picture or table of stages does not show."""
    metrics = _shown(summary)
    rows = []
    for name, values in metrics.items():
        absent = int(values.get("absent") or 0)
        label = _label(name, metrics, sides) + (f" (not in {count(absent, 'game')})" if absent else "")
        rows.append(lengths.statistics_row(name, label, values, lengths.METRIC_STATISTICS))
    return tuple(rows)


def by_player(summary: Mapping[str, Any], sides: Sequence[Side]) -> ByPlayer | None:
    """Return the means of the metrics that every player has; None where there is one player or none has any."""
    metrics = _shown(summary)
    bases = list(dict.fromkeys(base for base, number in map(_split, metrics) if number))
    numbers = list(dict.fromkeys(number for _, number in map(_split, metrics) if number))
    rows = tuple(
        (clean(base).replace("_", " "), *(_mean(metrics.get(f"{base}.{number}")) for number in numbers))
        for base in bases
    )
    return ByPlayer(tuple(_player(number, len(numbers), sides) for number in numbers), rows) if numbers[1:] else None


def _mean(values: Mapping[str, Any] | None) -> str:
    return NOTHING if values is None else lengths.fine(values["mean"])


def _shown(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    in_stages = {name for stage in summary.get("stages") or () for name in stage["metrics"]}
    return {
        name: values
        for name, values in summary["metrics"].items()
        if name not in in_stages and not _never(values, summary["games"])
    }


def _never(values: Mapping[str, Any], games: int) -> bool:
    """Return whether a metric applies to no game, such as that of a chapter that the book does not have."""
    return bool(games) and values.get("absent") == games


def _split(name: str) -> tuple[str, str]:
    """Return name and player of a metric, an empty player where it has none."""
    base, _, number = name.rpartition(".")
    return (base, number) if base and number.isdigit() else (name, "")


def _label(name: str, all_names: Iterable[str], sides: Sequence[Side]) -> str:
    """Return `hits, Inigo Montoya` for `hits.2`; players of a team keep their number."""
    base, number = _split(name)
    words = clean(base).replace("_", " ")
    if not number:
        return words
    return f"{words}, {_player(number, sum(_split(other)[0] == base for other in all_names), sides)}"


def _player(number: str, players: int, sides: Sequence[Side]) -> str:
    alone = {str(side.side): side.short for side in sides} if players == len(sides) else {}
    return alone.get(number, f"player {number}")
