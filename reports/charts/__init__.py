"""One function per figure (matplotlib, imported late), in the house style.

Figures are made without pyplot, so that none stays alive after its last use and no window system is asked
for. Every function returns a figure that is wide (desktop, PNG) or narrow (telephone).

    style      colours, fonts, sizes, and what several figures need
    dots       win rates, seats, differences: dot and whisker
    bars       reasons, the funnel of stages, the tornado
    cells      the heat map of a matrix
    durations  the histogram with percentile marks, the survival curve
    lines      sweeps and ladders with bands, convergence
    files      PNG, and SVG for a page
"""

from __future__ import annotations

import os
from collections.abc import Callable

os.environ.pop("MPLBACKEND", None)  # no window is opened, and one that is unknown here would be an error

from matplotlib.figure import Figure

from reports.charts.bars import end_reasons, funnel, tornado
from reports.charts.cells import heat_map
from reports.charts.dots import differences, seat_advantage, win_rates
from reports.charts.durations import duration_histogram, survival
from reports.charts.files import add_title, save_png, to_svg
from reports.charts.lines import convergence, curves
from reports.model import Report

__all__ = [
    "add_title",
    "convergence",
    "curves",
    "differences",
    "duration_histogram",
    "end_reasons",
    "figures",
    "funnel",
    "heat_map",
    "save_png",
    "seat_advantage",
    "survival",
    "to_svg",
    "tornado",
    "win_rates",
]

Chart = Callable[..., Figure]


def figures(report: Report) -> dict[str, Chart]:
    """Return the figures that have something to show for this run, by name, in page order."""
    available: dict[str, tuple[Chart, bool]] = {
        "win_rates": (win_rates, report.games > 0),
        "duration_histogram": (duration_histogram, report.histogram is not None),
        "survival": (survival, report.histogram is not None and len(report.histogram.counts) > 1),
        "end_reasons": (end_reasons, len(report.reasons) > 1),
        "funnel": (funnel, report.stages is not None and report.games > 0),
        "seat_advantage": (seat_advantage, bool(report.seats.rows)),
        "convergence": (convergence, any(len(looks) > 1 for looks in report.looks.values())),
    }
    return {name: draw for name, (draw, has_data) in available.items() if has_data}
