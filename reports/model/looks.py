"""How the shares settled as games were added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reports.tables import Tables, rows_of
from reports.text import Share


@dataclass(frozen=True)
class Look:
    """The share of one side after so many games."""

    games: int
    share: Share


def read(tables: Tables, decimals: Mapping[int, int]) -> dict[int, tuple[Look, ...]]:
    """Return the looks at each side; `decimals` says how precisely its share is written."""
    series: dict[int, list[Look]] = {side: [] for side in decimals}
    rows = sorted(rows_of(tables, "looks"), key=lambda row: (row["side"], row["games"]))
    for row in rows:
        if row["rate"] is not None:
            series[row["side"]].append(Look(int(row["games"]), Share.of(row, decimals[row["side"]])))
    return {side: tuple(looks) for side, looks in series.items() if looks}
