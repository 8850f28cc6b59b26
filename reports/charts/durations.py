"""How long games last."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reports.charts.style import INK, PALETTE, house_style, new_figure, nothing, percent_axis
from reports.lengths import Bin, Histogram, Mark
from reports.model import Report
from reports.text import percent


def duration_histogram(report: Report, wide: bool = True) -> Figure:
    """Draw how long games last, with the percentiles that the text names."""
    with house_style():
        figure, axes = new_figure(wide, 3.0)
        histogram = report.histogram
        if histogram is None:
            return nothing(figure, axes)
        bins = histogram.bins(60 if wide else 36)
        axes.bar(
            [(b.first + b.last) / 2 for b in bins],
            [b.games / histogram.games for b in bins],
            width=[(b.last - b.first + 1) * 0.88 for b in bins],
            color=PALETTE[0],
        )
        last = bins[-1].last
        if histogram.draws_unfinished:
            last = max(last, histogram.limit)
            _draw_unfinished(axes, histogram, bins[-1])
        _mark_percentiles(axes, histogram.marks)
        rest = histogram.left_out(histogram.draws_unfinished)
        axes.set_xlabel(histogram.label + (f" ({rest})" if rest and wide else ""))
        axes.set_xlim(bins[0].first - 0.8, max(last, bins[0].first + 3) + 0.8)
        axes.xaxis.set_major_locator(MaxNLocator(10 if wide else 5, integer=True, steps=[1, 2, 5, 10]))
        axes.grid(axis="y")
        percent_axis(axes, "y")
        return figure


def survival(report: Report, wide: bool = True) -> Figure:
    """Draw the share of games that still go on after each round (or turn)."""
    with house_style():
        figure, axes = new_figure(wide, 2.6)
        histogram = report.histogram
        if histogram is None:
            return nothing(figure, axes)
        first, last = histogram.counts[0][0], histogram.last_drawn
        drawn = [(value, share) for value, share in histogram.going if value <= last]
        start = max(0, first - 1)
        axes.step([start, *(v for v, _ in drawn)], [1, *(s for _, s in drawn)], where="post", color=PALETTE[0])
        axes.set_xlabel(f"{histogram.label} played")
        axes.set_xlim(start, max(last, start + 3))
        axes.set_ylim(0, 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(10 if wide else 5, integer=True, steps=[1, 2, 5, 10]))
        axes.grid(axis="both")
        percent_axis(axes, "y")
        return figure


def _draw_unfinished(axes: Axes, histogram: Histogram, last: Bin) -> None:
    """Stack the unfinished games at the round limit, in grey: they would have lasted longer."""
    width = last.last - last.first + 1
    centre = (last.first + last.last) / 2 if histogram.limit <= last.last else float(histogram.limit)
    base = last.games / histogram.games if histogram.limit <= last.last else 0.0
    height = histogram.unfinished / histogram.games
    axes.bar([centre], [height], bottom=[base], width=width * 0.88, color=PALETTE[-1])
    axes.annotate(
        f"{percent(height)} unfinished",
        (centre - 0.6 * width, base + height),
        va="top",
        ha="right",
        fontsize=9,
    )


def _mark_percentiles(axes: Axes, marks: Sequence[Mark]) -> None:
    """Draw each percentile as a line; the middle one is labelled a row higher, so that labels never meet."""
    outward = {"p05": "right", "p50": "center", "p95": "left"}
    for mark in marks:
        middle = mark.name == "p50"
        axes.axvline(
            mark.value,
            color=INK,
            linewidth=1.6 if middle else 1,
            linestyle="-" if middle else (0, (4, 3)),
            label=mark.name,
        )
        axes.annotate(
            mark.label,
            (mark.value, 1),
            xycoords=axes.get_xaxis_transform(),
            xytext=(0, 17 if middle else 3),
            textcoords="offset points",
            ha=outward[mark.name],
            va="bottom",
            fontsize=9,
            fontweight="bold" if middle else "normal",
            annotation_clip=False,
        )
