"""Estimates as dots, their ranges as whiskers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.figure import Figure

from reports.charts.style import INK, MUTED, PALETTE, PAPER, colour, house_style, label_rows, new_figure, percent_axis
from reports.difference import Difference
from reports.model import Report
from reports.text import Share, percent

# A scale never spans less than this, so that noise does not look like a landslide.
LEAST_SPAN = 0.10


def win_rates(report: Report, wide: bool = True) -> Figure:
    """Draw every side's share of the wins as a dot with its interval."""
    rows = [(side.name, side.share) for side in report.sides]
    with house_style():
        return _dots(rows, [colour(side.side) for side in report.sides], report.even, wide)


def seat_advantage(report: Report, wide: bool = True) -> Figure:
    """Draw the share of wins of every chair as a dot with its interval."""
    with house_style():
        return _dots(report.seats.rows, [INK] * len(report.seats.rows), report.seats.even, wide)


def _dots(rows: Sequence[tuple[str, Share]], colours: Sequence[str], even: float | None, wide: bool) -> Figure:
    figure, axes = new_figure(wide, 0.75 + (0.42 if wide else 0.52) * max(1, len(rows)))
    for y, ((_, share), tone) in enumerate(zip(rows, colours, strict=True)):
        if share.rate is None or share.low is None or share.high is None:
            continue
        axes.plot([share.low, share.high], [y, y], color=tone, linewidth=2.4, solid_capstyle="butt", label="whisker")
        axes.plot([share.low, share.high], [y, y], "|", color=tone, markersize=9, markeredgewidth=2)
        axes.plot([share.rate], [y], "o", color=tone, markersize=8, markeredgecolor=PAPER, label="dot")
    label_rows(axes, [name for name, _ in rows], [share.phrase for _, share in rows], wide)
    if even is not None:
        axes.axvline(even, color=MUTED, linewidth=1, linestyle=(0, (3, 3)), zorder=0)
        axes.text(
            even,
            1.0,
            f"even share {percent(even)}",
            color=MUTED,
            fontsize=8.5,
            ha="center",
            va="bottom",
            transform=axes.get_xaxis_transform(),
        )
    axes.set_xlim(*_span([share for _, share in rows], even))
    axes.set_ylim(len(rows) - 0.4, -0.75 if not wide else -0.6)
    axes.grid(axis="x")
    percent_axis(axes, "x")
    return figure


def _span(shares: Sequence[Share], even: float | None) -> tuple[float, float]:
    ends = [end for share in shares for end in (share.low, share.high) if end is not None]
    ends += [] if even is None else [even]
    if not ends:
        return 0.0, 1.0
    low, high = min(ends), max(ends)
    missing = max(0.0, LEAST_SPAN - (high - low)) / 2
    margin = 0.06 * (high - low + 2 * missing)
    return max(-0.01, low - missing - margin), min(1.01, high + missing + margin)


def differences(told: Difference, wide: bool = True, most: int = 24) -> Figure:
    """Draw the largest differences as dots with intervals.

    Rows have different units, so each is drawn on its own scale: one is the longer arm of its interval. Where the
    whisker leaves out zero, the difference is more than luck.
    """
    rows = [row for row in told.rows if row.span is not None][:most]
    with house_style():
        figure, axes = new_figure(wide, 0.75 + (0.34 if wide else 0.5) * max(1, len(rows)))
        for y, row in enumerate(rows):
            assert row.span is not None
            middle, low, high = row.span
            unit = max(high - middle, middle - low) or 1.0
            tone = PALETTE[0] if row.differs else PALETTE[-1]
            ends = [_squeezed(low / unit), _squeezed(high / unit)]
            axes.plot(ends, [y, y], color=tone, linewidth=2.4, solid_capstyle="butt", label="whisker")
            axes.plot(
                [_squeezed(middle / unit)], [y], "o", color=tone, markersize=7, markeredgecolor=PAPER, label="dot"
            )
        values = [f"{row.difference}{' points' if row.is_share else ''}" for row in rows]
        label_rows(axes, [row.label for row in rows], values, wide)
        axes.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 3)), zorder=0)
        axes.set_xticks(
            [-_squeezed(30), -_squeezed(3), 0, _squeezed(3), _squeezed(30)], ["", "less", "same", "more", ""]
        )
        axes.set_xlim(-_squeezed(60), _squeezed(60))
        axes.set_ylim(len(rows) - 0.4, -0.75 if not wide else -0.6)
        return figure


def _squeezed(value: float) -> float:
    """Return a value on a scale that is linear near zero and logarithmic beyond."""
    return math.asinh(value)
