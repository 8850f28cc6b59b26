"""The tables of the page of a run, by the section they stand in."""

from __future__ import annotations

from collections.abc import Sequence

from reports.lengths import METRIC_STATISTICS, STATISTICS, Statistics
from reports.model.ends import Part, StageTable
from reports.model.metrics import ByPlayer
from reports.model.seats import Seats
from reports.model.sides import Side
from reports.model.worth import AmountTable, WorthTable
from reports.page import Table
from reports.text import NOTHING


def wins(sides: Sequence[Side], confidence: str) -> Table:
    """Return the wins of every side; the Wilson range only where the planned number was played."""
    fixed = any(side.wilson for side in sides)
    head = ("Side", "Share of wins", f"{confidence} range", "range, all sides at once")
    rows = (
        (
            *(side.name, side.share.percent, side.share.interval, side.simultaneous.interval),
            *([side.wilson.interval if side.wilson else NOTHING] if fixed else []),
            *(f"{side.wins:,}", f"{side.shared:,}"),
        )
        for side in sides
    )
    last = ("Won alone", "Shared")
    return Table("Wins of every side", (*head, *(["Wilson range"] if fixed else []), *last), tuple(rows))


def chairs(seats: Seats, confidence: str) -> Table:
    """Return the wins of every seat."""
    rows = tuple((name, share.percent, share.interval) for name, share in seats.rows)
    return Table("Wins of every seat, whoever sits there", ("Seat", "Share of wins", f"{confidence} range"), rows)


def parts(caption: str, head: str, found: Sequence[Part], unit: str = "Games") -> Table:
    """Return the parts of a whole."""
    return Table(caption, (head, unit, "Share"), tuple((p.name, f"{p.games:,}", p.percent) for p in found))


def stages(found: StageTable) -> Table:
    """Return how far games get."""
    return Table("Stages of the game", ("Stage", *found.head), found.rows)


def statistics(caption: str, head: str, columns: Sequence[str], found: Sequence[Statistics]) -> Table:
    """Return statistics; the range of the mean stands behind it."""
    at = columns.index("mean") + 1
    heads = (head, *columns[:at], "mean, range", *columns[at:])
    rows = tuple((row.label, *row.cells[:at], row.interval, *row.cells[at:]) for row in found)
    return Table(caption, heads, rows)


def durations(found: Sequence[Statistics]) -> Table:
    """Return how long games last."""
    return statistics("Length of a game", "Measure", STATISTICS, found)


def metrics(found: Sequence[Statistics]) -> Table:
    """Return all statistics of all metrics."""
    return statistics("Metrics of the game", "Metric", METRIC_STATISTICS, found)


def by_player(found: ByPlayer) -> Table:
    """Return the means of metrics that are counted for each player, players side by side."""
    return Table("Averages of the players", ("Metric", *found.players), found.rows)


def worth(found: WorthTable, confidence: str) -> Table:
    """Return the components of a kind; the range for all at once only where there are several."""
    several = len(found.rows) > 1
    head = (found.head, "Times", "Share of wins", f"{confidence} range", *(["range, all at once"] if several else []))
    rows = (
        (
            *(row.name, f"{row.times:,}", row.share.percent, row.share.interval),
            *([row.simultaneous.interval] if several else []),
        )
        for row in found.rows
    )
    return Table(found.title, head, tuple(rows))


def amounts(found: AmountTable, confidence: str) -> Table:
    """Return what each component brought."""
    rows = tuple((name, f"{times:,}", *cells) for name, times, *cells in found.rows)
    return Table(found.title, ("Used", "Times", "Average", f"{confidence} range", "range, all at once"), rows)
