"""One function per figure, and the house style in one place.

Figures are made without pyplot, so that none stays alive after its last use and no window system is asked
for. Every function takes a `Report` and returns a figure that is wide (desktop, PNG) or narrow (telephone).
Styling passes through matplotlib's global settings for the length of one call: do not draw from threads.
"""

from __future__ import annotations

import html
import io
import math
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib.style
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from reports.difference import Difference
from reports.lengths import Bin, Histogram, Mark
from reports.model import Look, Report
from reports.text import Share, percent, shorten_all

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
# A scale never spans less than this, so that noise does not look like a landslide.
LEAST_SPAN = 0.10


@contextmanager
def _house_style(salt: str = "balance") -> Iterator[None]:
    """Apply the house style over matplotlib's defaults, whatever the user's own settings are."""
    with matplotlib.style.context(["default", STYLE | {"svg.hashsalt": salt, "font.sans-serif": _fonts()}]):
        yield


def _fonts() -> list[str]:
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in FALLBACK_FONTS if name in installed)]


def _figure(wide: bool, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDE if wide else NARROW, height), layout="constrained")
    return figure, figure.add_subplot()


def _percent_axis(axis_of: Axes, which: str) -> None:
    axis = axis_of.xaxis if which == "x" else axis_of.yaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.10g} %"))
    axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


def colour(side: int) -> str:
    """Return the colour of a side, counted from 1."""
    return PALETTE[(side - 1) % len(PALETTE)]


# ---------------------------------------------------------------- dots and whiskers


def win_rates(report: Report, wide: bool = True) -> Figure:
    """Draw every side's share of the wins as a dot with its interval."""
    rows = [(side.name, side.share) for side in report.sides]
    with _house_style():
        return _dots(rows, [colour(side.side) for side in report.sides], report.even, wide)


def seat_advantage(report: Report, wide: bool = True) -> Figure:
    """Draw the share of wins of every chair as a dot with its interval."""
    with _house_style():
        return _dots(report.seats.rows, [INK] * len(report.seats.rows), report.seats.even, wide)


def _dots(rows: Sequence[tuple[str, Share]], colours: Sequence[str], even: float | None, wide: bool) -> Figure:
    figure, axes = _figure(wide, 0.75 + (0.42 if wide else 0.52) * max(1, len(rows)))
    for y, ((_, share), tone) in enumerate(zip(rows, colours, strict=True)):
        if share.rate is None or share.low is None or share.high is None:
            continue
        axes.plot([share.low, share.high], [y, y], color=tone, linewidth=2.4, solid_capstyle="butt", label="whisker")
        axes.plot([share.low, share.high], [y, y], "|", color=tone, markersize=9, markeredgewidth=2)
        axes.plot([share.rate], [y], "o", color=tone, markersize=8, markeredgecolor=PAPER, label="dot")
    _label_rows(axes, [name for name, _ in rows], [share.phrase for _, share in rows], wide)
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
    _percent_axis(axes, "x")
    return figure


def _label_rows(axes: Axes, names: Sequence[str], values: Sequence[str], wide: bool) -> None:
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
    with _house_style():
        figure, axes = _figure(wide, 0.75 + (0.34 if wide else 0.5) * max(1, len(rows)))
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
        _label_rows(axes, [row.label for row in rows], values, wide)
        axes.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 3)), zorder=0)
        axes.set_xticks(
            [-_squeezed(30), -_squeezed(3), 0, _squeezed(3), _squeezed(30)], ["", "less", "same", "more", ""]
        )
        axes.set_xlim(-_squeezed(60), _squeezed(60))
        axes.set_ylim(len(rows) - 0.4, -0.75 if not wide else -0.6)
        return figure


def curves(
    series: Sequence[tuple[str, Sequence[tuple[float, float | None, float | None, float | None]]]],
    ticks: Sequence[str] | None,
    label: str,
    is_share: bool,
    wide: bool = True,
) -> Figure:
    """Draw how estimates go along an axis, with the bands of their ranges.

    Parameters
    ----------
    series : sequence of (name, sequence of (x, estimate, low, high))
    ticks : sequence of str, or None
        Names of the places 0, 1, ... on the axis; None where x is a number.
    label : str
        Of the axis.
    """
    with _house_style():
        figure, axes = _figure(wide, 3.2)
        for number, (name, found) in enumerate(series, 1):
            known = [(x, y) for x, y, _, _ in found if y is not None]
            tone = colour(number)
            xs, ys = [x for x, _ in known], [y for _, y in known]
            axes.plot(xs, ys, "o-", color=tone, markersize=4.5, linewidth=1.8, label=name)
            ranged = [(x, low, high) for x, _, low, high in found if low is not None and high is not None]
            columns = [[each[i] for each in ranged] for i in range(3)]
            axes.fill_between(columns[0], columns[1], columns[2], color=tone, alpha=0.18, linewidth=0)
        if ticks is not None:
            axes.set_xticks(range(len(ticks)), shorten_all(ticks, 14 if wide else 8))
        else:
            whole = all(float(x).is_integer() for _, found in series for x, _, _, _ in found)
            axes.xaxis.set_major_locator(MaxNLocator(10 if wide else 5, integer=whole))
        if len(series) == 1:
            axes.set_ylabel(series[0][0])
        axes.set_xlabel(label)
        axes.grid(axis="y")
        if is_share:
            _percent_axis(axes, "y")
        if len(series) > 1:
            axes.legend(frameon=False, fontsize=9, loc="best")
        return figure


def tornado(
    rows: Sequence[tuple[str, Sequence[tuple[str, float, float, float, bool]]]], is_share: bool, wide: bool = True
) -> Figure:
    """Draw what one step of each number does, down and up, with ranges.

    Parameters
    ----------
    rows : sequence of (name, sequence of (value, difference, low, high, whether it is named an effect))
    """
    with _house_style():
        figure, axes = _figure(wide, 0.9 + (0.4 if wide else 0.55) * max(1, len(rows)))
        for y, (_, steps) in enumerate(rows):
            for i, (_, middle, low, high, named) in enumerate(steps):
                tone = PALETTE[i % 2] if named else PALETTE[-1]
                at = y + (i - (len(steps) - 1) / 2) * 0.3
                axes.barh([at], [middle], height=0.26, color=tone, alpha=0.85 if named else 0.4)
                axes.plot([low, high], [at, at], color=INK, linewidth=1, label="whisker")
        values = [", ".join(value for value, *_ in steps) for _, steps in rows]
        _label_rows(axes, [name for name, _ in rows], values, wide)
        axes.axvline(0, color=MUTED, linewidth=1)
        axes.set_ylim(len(rows) - 0.4, -0.75 if not wide else -0.6)
        axes.grid(axis="x")
        if is_share:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:+.3g}"))
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.set_xlabel("points" if is_share else "")
        return figure


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], wide: bool = True
) -> Figure:
    """Draw shares as coloured cells with their numbers: blue above a half, orange below."""
    with _house_style():
        figure, axes = _figure(wide, 1.1 + (0.5 if wide else 0.42) * max(1, len(rows)))
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


def _squeezed(value: float) -> float:
    """Return a value on a scale that is linear near zero and logarithmic beyond."""
    return math.asinh(value)


# ---------------------------------------------------------------- bars


def end_reasons(report: Report, wide: bool = True, most: int = 10) -> Figure:
    """Draw the share of games that ended for each reason; rare reasons beyond `most` are added up."""
    parts = [(part.name, part.rate, part.percent) for part in report.reasons]
    if len(parts) > most:
        rest = sum(rate for _, rate, _ in parts[most - 1 :])
        parts = [*parts[: most - 1], (f"{len(parts) - most + 1} other reasons", rest, percent(rest))]
    with _house_style():
        return _bars(parts, wide)[0]


def funnel(report: Report, wide: bool = True) -> Figure:
    """Draw the share of all games that reach each stage (pale) and get through it."""
    steps = report.stages.steps if report.stages else ()
    with _house_style():
        figure, axes = _bars([(step.name, step.through, step.phrase) for step in steps], wide)
        reached = [step.reached for step in steps]
        axes.barh(
            range(len(steps)), reached, height=0.62 if wide else 0.36, color=PALETTE[0], alpha=0.25, label="reached"
        )
        return figure


def _bars(rows: Sequence[tuple[str, float, str]], wide: bool) -> tuple[Figure, Axes]:
    figure, axes = _figure(wide, 0.45 + (0.36 if wide else 0.5) * max(1, len(rows)))
    axes.barh(range(len(rows)), [share for _, share, _ in rows], height=0.62 if wide else 0.36, color=PALETTE[0])
    _label_rows(axes, [name for name, _, _ in rows], [text for _, _, text in rows], wide)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.75 if not wide else -0.5)
    axes.grid(axis="x")
    _percent_axis(axes, "x")
    return figure, axes


def duration_histogram(report: Report, wide: bool = True) -> Figure:
    """Draw how long games last, with the percentiles that the text names."""
    with _house_style():
        figure, axes = _figure(wide, 3.0)
        histogram = report.histogram
        if histogram is None:
            return _nothing(figure, axes)
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
        _percent_axis(axes, "y")
        return figure


def survival(report: Report, wide: bool = True) -> Figure:
    """Draw the share of games that still go on after each round (or turn)."""
    with _house_style():
        figure, axes = _figure(wide, 2.6)
        histogram = report.histogram
        if histogram is None:
            return _nothing(figure, axes)
        first, last = histogram.counts[0][0], histogram.last_drawn
        drawn = [(value, share) for value, share in histogram.going if value <= last]
        start = max(0, first - 1)
        axes.step([start, *(v for v, _ in drawn)], [1, *(s for _, s in drawn)], where="post", color=PALETTE[0])
        axes.set_xlabel(f"{histogram.label} played")
        axes.set_xlim(start, max(last, start + 3))
        axes.set_ylim(0, 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(10 if wide else 5, integer=True, steps=[1, 2, 5, 10]))
        axes.grid(axis="both")
        _percent_axis(axes, "y")
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


def _nothing(figure: Figure, axes: Axes) -> Figure:
    axes.set_axis_off()
    axes.text(0.5, 0.5, "no games to draw", ha="center", va="center", color=MUTED)
    return figure


# ---------------------------------------------------------------- convergence


def convergence(report: Report, wide: bool = True) -> Figure:
    """Draw how the shares and their intervals settled as games were added."""
    with _house_style():
        figure, axes = _figure(wide, 3.2)
        if not report.looks:
            return _nothing(figure, axes)
        names = shorten_all([side.name for side in report.sides], 24 if wide else 12)
        ends: list[tuple[float, str, str]] = []
        alpha = 0.18 if len(names) <= 3 else 0.08
        for side, name in zip(report.sides, names, strict=True):
            looks = report.looks.get(side.side, ())
            if looks:
                _draw_looks(axes, looks, colour(side.side), alpha)
                ends.append((looks[-1].share.rate or 0.0, f"{name} {looks[-1].share.percent}", colour(side.side)))
        games = sorted({look.games for looks in report.looks.values() for look in looks})
        _games_axis(axes, games, wide)
        _label_ends(axes, ends)
        axes.grid(axis="both")
        _percent_axis(axes, "y")
        return figure


def _draw_looks(axes: Axes, looks: Sequence[Look], tone: str, alpha: float) -> None:
    games = [look.games for look in looks]
    rates = [look.share.rate or 0.0 for look in looks]
    low = [look.share.low if look.share.low is not None else rate for look, rate in zip(looks, rates, strict=True)]
    high = [look.share.high if look.share.high is not None else rate for look, rate in zip(looks, rates, strict=True)]
    if len(looks) == 1:
        axes.plot([games[0]] * 2, [low[0], high[0]], color=tone, linewidth=2.4)
    axes.fill_between(games, low, high, color=tone, alpha=alpha, linewidth=0)
    axes.plot(games, rates, color=tone, linewidth=1.8, marker="o", markersize=3.5, label="rates")


def _games_axis(axes: Axes, games: Sequence[int], wide: bool) -> None:
    axes.set_xscale("log")
    first, last = games[0], games[-1]
    round_counts = [step * 10**power for power in range(13) for step in (1, 2, 5)]
    ticks = [n for n in round_counts if first <= n <= last]
    most = 7 if wide else 4
    if len(ticks) > most:
        ticks = [n for n in ticks if str(n)[0] == "1"]
    ticks = ticks[:: -(-len(ticks) // most)] if len(ticks) > 1 else sorted({first, last})
    axes.xaxis.set_major_locator(NullLocator())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axes.set_xlim(first / 1.15, last * 1.15)
    axes.set_xlabel("Games played (logarithmic scale)" if wide else "Games played (log scale)")


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Name each line at its right end, with a dot in its colour; names that would overlap are moved apart."""
    low, high = axes.get_ylim()
    places = spread([rate for rate, _, _ in ends], 0.08 * (high - low))
    beside = axes.get_yaxis_transform()
    for place, (_, name, tone) in zip(places, ends, strict=True):
        axes.plot([1.025], [place], "o", color=tone, markersize=5, transform=beside, clip_on=False)
        axes.annotate(
            name,
            (1.025, place),
            xycoords=beside,
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            annotation_clip=False,
        )
    axes.set_ylim(low, high)


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Move `places` apart until neighbours are `gap` apart, each as near to its own place as that allows."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: list[list[int]] = []
    for i in order:
        groups.append([i])
        while len(groups) > 1 and _bottom(places, groups[-1], gap) < _bottom(places, groups[-2], gap) + gap * len(
            groups[-2]
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    moved = [0.0] * len(places)
    for group in groups:
        for k, i in enumerate(group):
            moved[i] = _bottom(places, group, gap) + k * gap
    return moved


def _bottom(places: Sequence[float], group: Sequence[int], gap: float) -> float:
    return sum(places[i] for i in group) / len(group) - gap * (len(group) - 1) / 2


# ---------------------------------------------------------------- which figures, and files

Chart = Callable[..., Figure]


def figures(report: Report) -> dict[str, Chart]:
    """Return the figures that have something to show for this run, by name, in page order."""
    available: dict[str, tuple[Chart, bool]] = {
        "win_rates": (win_rates, report.games > 0),
        "duration_histogram": (duration_histogram, report.histogram is not None),
        "survival": (survival, report.histogram is not None and len(report.histogram.counts) > 1),
        "end_reasons": (end_reasons, bool(report.reasons)),
        "funnel": (funnel, report.stages is not None and report.games > 0),
        "seat_advantage": (seat_advantage, bool(report.seats.rows)),
        "convergence": (convergence, bool(report.looks)),
    }
    return {name: draw for name, (draw, has_data) in available.items() if has_data}


def add_title(figure: Figure, title: str) -> None:
    """Put a heading on a figure that will be seen without the page around it."""
    with _house_style():
        figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")


def save_png(figure: Figure, path: Path) -> None:
    """Write `figure` at twice screen resolution: to a temporary name first, then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with _house_style(), _without_glyph_warnings():
            figure.savefig(temporary, format="png", dpi=200, facecolor=PAPER, metadata={"Software": None})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def to_svg(figure: Figure, name: str, labelled_by: str = "") -> str:
    """Return `figure` as an `<svg>` element to put into a page.

    Parameters
    ----------
    figure : Figure
        Made by a function of this module.
    name : str
        Prefix of every id in it, so that several figures can share a page.
    labelled_by : str
        Id of the element that says in words what the figure shows; without it the figure is decoration.

    Notes
    -----
    House colours become CSS variables (`--ink`, `--c1`, ...) with themselves as fallback: the page decides on
    light and dark, and a figure taken out of the page still has its colours.
    """
    buffer = io.StringIO()
    with _house_style(name), _without_glyph_warnings():
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    drawing = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", buffer.getvalue(), flags=re.DOTALL)
    # Only tags are rewritten: matplotlib escapes angle brackets in text, so no name can look like one.
    body = re.sub(r"<[^<>]+>", lambda tag: _page_tag(tag[0], name), drawing[drawing.index("<svg") :])
    return _open_tag(body, labelled_by) + body[body.index(">") + 1 :]


def _page_tag(tag: str, prefix: str) -> str:
    """Make one tag fit for a page: unique ids, house colours as variables, the page's font."""
    tag = re.sub(r'\bid="', f'id="{prefix}-', tag)
    tag = re.sub(r'(url\(|href=")#', rf"\g<1>#{prefix}-", tag)
    tag = re.sub(r"font-family: [^;\"]*;? ?", "", tag)
    tag = re.sub(r"(font: (?:\w+ )*[\d.]+px) [^;\"]*", r"\1 system-ui, sans-serif", tag)  # matplotlib before 3.10
    return re.sub(r"#[0-9a-f]{6}\b", lambda hex_: _variable(hex_[0]), tag) if "style=" in tag else tag


def _variable(hex_colour: str) -> str:
    name = CSS_NAMES.get(hex_colour)
    return f"var(--{name}, {hex_colour})" if name else hex_colour


def _open_tag(svg: str, labelled_by: str) -> str:
    box = re.search(r'viewBox="([^"]+)"', svg)
    role = f'role="img" aria-labelledby="{html.escape(labelled_by)}"' if labelled_by else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {role} '
        f'viewBox="{box[1] if box else ""}" font-family="system-ui, \'DejaVu Sans\', sans-serif" '
        'stroke-linejoin="round" stroke-linecap="butt">'
    )


@contextmanager
def _without_glyph_warnings() -> Iterator[None]:
    """Stay silent: a character no font has is a box in a PNG and stays itself in an SVG."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield
