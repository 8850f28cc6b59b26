"""Shares as bars, and what one step of a number does."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.charts.style import INK, MUTED, PALETTE, house_style, label_rows, new_figure, percent_axis
from reports.model import Report
from reports.text import percent


def end_reasons(report: Report, wide: bool = True, most: int = 10) -> Figure:
    """Draw the share of games that ended for each reason; rare reasons beyond `most` are added up."""
    parts = [(part.name, part.rate, part.percent) for part in report.reasons]
    if len(parts) > most:
        rest = sum(rate for _, rate, _ in parts[most - 1 :])
        parts = [*parts[: most - 1], (f"{len(parts) - most + 1} other reasons", rest, percent(rest))]
    with house_style():
        return _bars(parts, wide)[0]


def funnel(report: Report, wide: bool = True) -> Figure:
    """Draw the share of all games that reach each stage (pale) and get through it."""
    steps = report.stages.steps if report.stages else ()
    with house_style():
        figure, axes = _bars([(step.name, step.through, step.phrase) for step in steps], wide)
        reached = [step.reached for step in steps]
        axes.barh(
            range(len(steps)), reached, height=0.62 if wide else 0.36, color=PALETTE[0], alpha=0.25, label="reached"
        )
        return figure


def _bars(rows: Sequence[tuple[str, float, str]], wide: bool) -> tuple[Figure, Axes]:
    figure, axes = new_figure(wide, 0.45 + (0.36 if wide else 0.5) * max(1, len(rows)))
    axes.barh(range(len(rows)), [share for _, share, _ in rows], height=0.62 if wide else 0.36, color=PALETTE[0])
    label_rows(axes, [name for name, _, _ in rows], [text for _, _, text in rows], wide)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.75 if not wide else -0.5)
    axes.grid(axis="x")
    percent_axis(axes, "x")
    return figure, axes


def tornado(
    rows: Sequence[tuple[str, Sequence[tuple[str, float, float, float, bool]]]], is_share: bool, wide: bool = True
) -> Figure:
    """Draw what one step of each number does, down and up, with ranges.

    Parameters
    ----------
    rows : sequence of (name, sequence of (value, difference, low, high, whether it is named an effect))
    """
    with house_style():
        figure, axes = new_figure(wide, 0.9 + (0.4 if wide else 0.55) * max(1, len(rows)))
        for y, (_, steps) in enumerate(rows):
            for i, (_, middle, low, high, named) in enumerate(steps):
                tone = PALETTE[i % 2] if named else PALETTE[-1]
                at = y + (i - (len(steps) - 1) / 2) * 0.3
                axes.barh([at], [middle], height=0.26, color=tone, alpha=0.85 if named else 0.4)
                axes.plot([low, high], [at, at], color=INK, linewidth=1, label="whisker")
        values = [", ".join(value for value, *_ in steps) for _, steps in rows]
        label_rows(axes, [name for name, _ in rows], values, wide)
        axes.axvline(0, color=MUTED, linewidth=1)
        axes.set_ylim(len(rows) - 0.4, -0.75 if not wide else -0.6)
        axes.grid(axis="x")
        if is_share:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:+.3g}" if value else "0"))
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.set_xlabel("points" if is_share else "")
        return figure
