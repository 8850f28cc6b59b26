"""How long games last: the sentences, the percentiles, and the histogram that pictures draw.

Unfinished games count as ending at the round limit; whatever that makes false is not said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from reports.tables import Tables, rows_of
from reports.text import NOTHING, count, percent, quantity, spell_minutes, spell_range

STATISTICS = ("mean", "sd", "min", "p05", "p25", "p50", "p75", "p90", "p95", "max")
METRIC_STATISTICS = ("mean", "sd", "min", "p50", "max")
MEASURE_NAMES = {
    "rounds": "Rounds",
    "turns": "Turns",
    "decisions": "Decisions",
    "minutes": "Minutes (estimate)",
}
# Beyond this share of games a tail is counted, not drawn: one endless game must not flatten the picture.
DRAWN_SHARE = 0.995


@dataclass(frozen=True)
class Mark:
    """One percentile to point at in a histogram."""

    name: str
    value: float
    label: str


@dataclass(frozen=True)
class Bin:
    """Games that lasted from `first` to `last`, both included."""

    first: int
    last: int
    games: int


@dataclass(frozen=True)
class Histogram:
    """Finished games by how long they lasted, unfinished ones apart, and the percentiles worth naming."""

    measure: str
    label: str
    unit: str
    counts: tuple[tuple[int, int], ...]
    unfinished: int
    limit: int
    games: int
    marks: tuple[Mark, ...]

    @property
    def last_drawn(self) -> int:
        """The largest value to draw; fewer than one finished game in 200 lies beyond."""
        enough = DRAWN_SHARE * sum(games for _, games in self.counts)
        so_far = accumulate(games for _, games in self.counts)
        value = next(v for (v, _), seen in zip(self.counts, so_far, strict=True) if seen >= enough)
        longest = self.counts[-1][0]
        return longest if longest - value <= max(2, 0.2 * value) else value

    @property
    def draws_unfinished(self) -> bool:
        """Whether the round limit is near enough to draw the unfinished games at it."""
        return self.unfinished > 0 and self.limit - self.last_drawn <= max(2, 0.2 * self.last_drawn)

    def left_out(self, has_unfinished_bar: bool) -> str:
        """Say which games a picture leaves out; empty when there are none."""
        last = self.last_drawn
        beyond = sum(games for value, games in self.counts if value > last)
        clauses = []
        if beyond:
            clauses.append(f"{percent(beyond / self.games)} beyond {self.unit} {last}, up to {self.counts[-1][0]}")
        if self.unfinished and not has_unfinished_bar:
            clauses.append(f"{percent(self.unfinished / self.games)} unfinished at {self.unit} {self.limit}")
        return "not drawn: " + ", ".join(clauses) if clauses else ""

    @property
    def caption(self) -> str:
        """What the picture says: percentiles, unfinished games, and what is left out."""
        marks = ", ".join(mark.label for mark in self.marks)
        drawn = f"; {percent(self.unfinished / self.games)} unfinished at {self.unit} {self.limit}"
        rest = self.left_out(self.draws_unfinished)
        return f" in {self.measure}: {marks}{drawn if self.draws_unfinished else ''}{rest and f' ({rest})'}"

    @property
    def going(self) -> tuple[tuple[int, float], ...]:
        """Rounds (or turns) at which games end, and the share of all games that go on after each."""
        ended = accumulate(games for _, games in self.counts)
        return tuple((value, 1 - n / self.games) for (value, _), n in zip(self.counts, ended, strict=True))

    @property
    def going_caption(self) -> str:
        """After which round (or turn) fewer than a half, a tenth and a hundredth of all games still go on."""
        parts = []
        for share in (0.5, 0.1, 0.01):
            reached = next((value for value, rest in self.going if rest < share), None)
            if reached is not None:
                parts.append(f"fewer than {percent(share, 0)} after {self.unit} {reached}")
        return f" after each {self.unit}" + (f": {', '.join(parts)}" if parts else "")

    def bins(self, limit: int) -> tuple[Bin, ...]:
        """Return at most `limit` bins of equal width that cover what is drawn."""
        if not self.counts:
            return ()
        first, last = self.counts[0][0], self.last_drawn
        step = -(-(last - first + 1) // limit)
        games = [0] * -(-(last - first + 1) // step)
        for value, n in self.counts:
            if value <= last:
                games[(value - first) // step] += n
        starts = range(first, last + 1, step)
        return tuple(Bin(start, min(start + step - 1, last), n) for start, n in zip(starts, games, strict=True))


@dataclass(frozen=True)
class Statistics:
    """One row of a table of statistics; `cells` follow the column names of that table."""

    name: str
    label: str
    interval: str
    cells: tuple[str, ...]


def _main_measure(summary: Mapping[str, Any]) -> tuple[str, str]:
    """Return the measure a reader thinks in and its unit: rounds, or turns where a game has no rounds."""
    return ("rounds", "round") if (summary["rounds"]["max"] or 0) > 1 else ("turns", "turn")


def _reached(summary: Mapping[str, Any], fraction: float) -> bool:
    """Whether a percentile is one of finished games: unfinished games count as reaching the limit."""
    return (summary["unfinished"]["rate"] or 0) <= 1 - fraction


def half_end_by(summary: Mapping[str, Any]) -> str:
    """Return the clause of a headline: by when half the games end; empty without games."""
    measure, unit = _main_measure(summary)
    values = summary[measure]
    if values["p50"] is None:
        return ""
    if not _reached(summary, 0.5):
        return "fewer than half the games finish"
    if values["min"] == values["max"]:
        return f"every game lasts {count(int(values['max']), unit)}"
    return f"half the games end by {unit} {quantity(values['p50'])}"


def sentence(summary: Mapping[str, Any]) -> str:
    """Return the sentence on half, most, the shortest and the longest games; empty without games."""
    measure, unit = _main_measure(summary)
    values = summary[measure]
    first = half_end_by(summary)
    if not first or values["min"] == values["max"]:
        return first and first[0].upper() + first[1:] + "."
    clauses = [first]
    if _reached(summary, 0.95):
        clauses.append(f"19 in 20 by {unit} {quantity(values['p95'])}")
    clauses.append(f"the shortest takes {quantity(values['min'])}, the longest {quantity(values['max'])}")
    text = "; ".join(clauses)
    return text[0].upper() + text[1:] + "."


def table_time(summary: Mapping[str, Any]) -> str:
    """Return the sentence on minutes at the table; empty where too many games are unfinished to tell."""
    values = summary["minutes"]
    if values["p50"] is None or values["max"] <= 0 or not _reached(summary, 0.75):
        return ""
    low, middle, high = (spell_minutes(values[name]) for name in ("p25", "p50", "p75"))
    if low == high:
        return f"About {middle} at the table (an estimate)."
    return f"About {middle} at the table; half the games take {spell_range(low, high)} (an estimate)."


def histogram(summary: Mapping[str, Any], tables: Tables) -> Histogram | None:
    """Return what there is to draw of the main measure; None when no game finished."""
    measure, unit = _main_measure(summary)
    rows = [row for row in rows_of(tables, "durations") if row["measure"] == measure]
    counts = {int(row["value"]): int(row["games"]) for row in rows}
    games, limit = sum(counts.values()), max(counts, default=0)
    unfinished = summary["unfinished"]["games"]
    # Unfinished games are those at the limit; were they elsewhere, they could not be told from the others.
    unfinished = unfinished if unfinished <= counts.get(limit, 0) else 0
    counts[limit] = counts.get(limit, 0) - unfinished
    finished = tuple(sorted((value, n) for value, n in counts.items() if n))
    if not finished:
        return None
    marks = _marks(summary, measure, unit)
    return Histogram(measure, MEASURE_NAMES[measure], unit, finished, unfinished, limit, games, marks)


def _marks(summary: Mapping[str, Any], measure: str, unit: str) -> tuple[Mark, ...]:
    values = summary[measure]
    if values["min"] == values["max"]:
        return (Mark("p50", values["p50"], f"all at {unit} {quantity(values['p50'])}"),)
    words = (("p05", 0.05, "5 % by"), ("p50", 0.5, "half by"), ("p95", 0.95, "95 % by"))
    return tuple(
        Mark(name, values[name], f"{word} {unit} {quantity(values[name])}")
        for name, fraction, word in words
        if values[name] is not None and _reached(summary, fraction)
    )


def statistics_row(name: str, label: str, values: Mapping[str, Any], columns: Sequence[str]) -> Statistics:
    """Return one row of a table with the given columns."""
    interval = NOTHING
    if values.get("low") is not None and values.get("high") is not None:
        interval = f"{fine(values['low'])} to {fine(values['high'])}"
    spell = _tenths if name == "minutes" else quantity
    cells = (fine(values[column]) if column in ("mean", "sd") else spell(values[column]) for column in columns)
    return Statistics(name, label, interval, tuple(cells))


def _tenths(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.1f}"


def fine(value: float | None) -> str:
    """Return a mean or spread: always with decimals, so that a column of them lines up."""
    return NOTHING if value is None else f"{value:,.2f}"
