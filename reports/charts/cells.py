"""Shares as coloured cells."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports.charts.style import INK, PALETTE, house_style, new_figure
from reports.text import percent, shorten_all


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], wide: bool = True
) -> Figure:
    """Draw shares as coloured cells with their numbers: blue above a half, orange below."""
    with house_style():
        figure, axes = new_figure(wide, 1.1 + (0.5 if wide else 0.42) * max(1, len(rows)))
        for y, line in enumerate(values):
            for x, value in enumerate(line):
                tone = PALETTE[0] if (value or 0) >= 0.5 else PALETTE[1]
                strength = 0.0 if value is None else min(1.0, abs(value - 0.5) * 2) * 0.75
                axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=tone, alpha=strength, linewidth=0))
                axes.text(x, y, percent(value, 0), ha="center", va="center", fontsize=9 if wide else 7.5)
        axes.set_xticks(range(len(columns)), shorten_all(columns, 12 if wide else 7), color=INK, fontsize=9)
        axes.set_yticks(range(len(rows)), shorten_all(rows, 20 if wide else 10), color=INK, fontsize=9)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.spines[:].set_visible(False)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        return figure
