"""What players had and how often they won, and what each thing brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.text import Share, clean, decimals_for


@dataclass(frozen=True)
class Worth:
    """One component: how often it was with a player, and their share of the wins."""

    name: str
    times: int
    share: Share
    simultaneous: Share


@dataclass(frozen=True)
class WorthTable:
    """Components of one kind, the strongest first."""

    title: str
    head: str
    rows: tuple[Worth, ...]
    even: float | None


@dataclass(frozen=True)
class AmountTable:
    """What components brought a time they were used, the most first: name, times, value, two ranges."""

    title: str
    rows: tuple[tuple[str, int, str, str, str], ...]


def components(summary: Mapping[str, Any]) -> tuple[WorthTable, ...]:
    """Group the components by kind, in the order of the game; the strongest of each kind first."""
    found = summary.get("exposed") or []
    sides = len(summary["sides"])
    tables = []
    for kind in dict.fromkeys(row["kind"] for row in found):
        rows = [row for row in found if row["kind"] == kind]
        decimals = decimals_for((row["low"], row["high"]) for row in rows)
        worth = [
            Worth(
                name=clean(row["label"]),
                times=int(row["times"]),
                share=Share.of(row, decimals),
                simultaneous=Share.of({"rate": row["rate"], **row["simultaneous"]}, decimals),
            )
            for row in rows
        ]
        worth.sort(key=lambda each: -(each.share.rate or 0))
        had = clean(rows[0]["exposure"])
        head = {"dealt": "Players who were dealt it", "held": "Players who held it at the end"}
        title = clean(kind if had == "dealt" else f"{kind} {had}")
        tables.append(
            WorthTable(
                title=f"{title[:1].upper()}{title[1:]}",
                head=head.get(had, "Players who played it"),
                rows=tuple(worth),
                even=1 / sides if sides > 1 else None,
            )
        )
    return tuple(tables)


def amounts(summary: Mapping[str, Any]) -> tuple[AmountTable, ...]:
    """Return a table for each metric that is counted by component."""
    found = summary.get("amounts") or []
    tables = []
    for metric in dict.fromkeys(row["metric"] for row in found):
        rows = sorted((row for row in found if row["metric"] == metric), key=lambda row: -row["value"])
        cells = tuple(
            (
                clean(row["label"]),
                int(row["times"]),
                f"{row['value']:.2f}",
                _between(row),
                _between(row["simultaneous"]),
            )
            for row in rows
        )
        tables.append(AmountTable(clean(metric).replace("_", " ").capitalize(), cells))
    return tuple(tables)


def _between(row: Mapping[str, Any]) -> str:
    return "" if row["low"] is None or row["high"] is None else f"{row['low']:.2f} to {row['high']:.2f}"


def sentence(tables: Sequence[WorthTable]) -> str:
    """Say what certainly wins more or less than an even share, all of a kind taken together."""
    told = []
    for table in tables:
        if table.even is None:
            continue
        above = [row for row in table.rows if (row.simultaneous.low or 0) > table.even]
        below = [row for row in reversed(table.rows) if row.simultaneous.high is not None]
        below = [row for row in below if (row.simultaneous.high or 0) < (table.even or 0)]
        parts = [_named(above, "more"), _named(below, "less")]
        if any(parts):
            told.append(f"{table.title}: {'; '.join(part for part in parts if part)}.")
    return " ".join(told)


def _named(rows: Sequence[Worth], which: str, most: int = 3) -> str:
    if not rows:
        return ""
    names = ", ".join(f"{row.name} {row.share.percent}" for row in rows[:most])
    rest = f" and {len(rows) - most} others" if len(rows) > most else ""
    return f"{which} than an even share {names}{rest}"
