"""The house style, in one place: colours, fonts, sizes, and what several figures need.

Styling passes through matplotlib's global settings for the length of one call: do not draw from threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import matplotlib.style
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.text import shorten_all

INK, MUTED, GRID, PAPER = "#1f2328", "#59636e", "#d5dae0", "#ffffff"
# Okabe and Ito (2008), in an order that keeps neighbours apart; yellow is left out, it vanishes on white.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
CSS_NAMES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    colour: f"c{i}" for i, colour in enumerate(PALETTE, start=1)
}
STYLE = {
    "font.family": ["sans-serif"],
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,  # a name may contain dollar signs
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": False,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "svg.fonttype": "none",  # text stays text: any script, selectable, read aloud
}
# Tried in this order for characters that DejaVu Sans, which comes with matplotlib, does not have.
FALLBACK_FONTS = (
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans Symbols2",
    "Noto Sans Symbols",
    "Arial Unicode MS",
)
WIDE, NARROW = 7.2, 3.4  # inches


@contextmanager
def house_style(salt: str = "balance") -> Iterator[None]:
    """Apply the house style over matplotlib's defaults, whatever the user's own settings are."""
    with matplotlib.style.context(["default", STYLE | {"svg.hashsalt": salt, "font.sans-serif": _fonts()}]):
        yield


def _fonts() -> list[str]:
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in FALLBACK_FONTS if name in installed)]


def new_figure(wide: bool, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure of house width and so many inches of height, and its axes."""
    figure = Figure(figsize=(WIDE if wide else NARROW, height), layout="constrained")
    return figure, figure.add_subplot()


def percent_axis(axis_of: Axes, which: str) -> None:
    """Mark an axis of shares in per cent."""
    axis = axis_of.xaxis if which == "x" else axis_of.yaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.10g} %"))
    axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


def colour(side: int) -> str:
    """Return the colour of a side, counted from 1."""
    return PALETTE[(side - 1) % len(PALETTE)]


def label_rows(axes: Axes, names: Sequence[str], values: Sequence[str], wide: bool) -> None:
    """Write name and value of each row: beside the row when wide, above it when narrow."""
    axes.tick_params(axis="y", length=0)
    if wide:
        axes.set_yticks(range(len(names)), shorten_all(names, 34), color=INK, fontsize=10)
        for y, value in enumerate(values):
            axes.text(1.02, y, value, va="center_baseline", transform=axes.get_yaxis_transform(), label="value")
        return
    axes.set_yticks([])
    place = axes.get_yaxis_transform()
    room = max(17, 36 - max(map(len, values), default=0))
    for y, (name, value) in enumerate(zip(shorten_all(names, room), values, strict=True)):
        axes.text(0, y - 0.27, name, va="bottom", fontsize=9, transform=place)
        axes.text(1, y - 0.27, value, va="bottom", ha="right", fontsize=9, transform=place, label="value")


def nothing(figure: Figure, axes: Axes) -> Figure:
    """Say that there is nothing to see."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, "no games to draw", ha="center", va="center", color=MUTED)
    return figure
