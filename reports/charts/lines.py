"""Lines with bands: how estimates go along an axis, and how they settled as games were added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter, NullLocator

from reports.charts.style import INK, colour, house_style, new_figure, nothing, percent_axis
from reports.model import Report
from reports.model.looks import Look
from reports.text import shorten, shorten_all

MOST_DOTS = 24  # points of a curve; of more, the line alone is drawn


def curves(
    series: Sequence[tuple[str, Sequence[tuple[float, float | None, float | None, float | None]]]],
    ticks: Sequence[str] | None,
    label: str,
    is_share: bool,
    what: str = "",
    wanted: tuple[float, str] | None = None,
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
    what : str
        What all curves show, where their names do not say it.
    wanted : (value, text) or None
        A line across.
    """
    with house_style():
        figure, axes = new_figure(wide, 3.2 if wide or len(series) == 1 else 2.9 + 0.2 * len(series))
        for number, (name, found) in enumerate(series, 1):
            _draw_curve(axes, name, found, colour(number))
        if ticks is not None:
            axes.set_xticks(range(len(ticks)), shorten_all(ticks, 14 if wide else 8))
        else:
            whole = all(float(x).is_integer() for _, found in series for x, _, _, _ in found)
            axes.xaxis.set_major_locator(MaxNLocator(10 if wide else 5, integer=whole))
        axes.set_xlabel(label)
        axes.grid(axis="y")
        if is_share:
            percent_axis(axes, "y")
        axes.set_ylabel(shorten(what, 40))
        _name_curves(figure, axes, series, wide)
        if wanted is not None:
            _draw_wanted(axes, *wanted)
        return figure


def _draw_curve(
    axes: Axes, name: str, found: Sequence[tuple[float, float | None, float | None, float | None]], tone: str
) -> None:
    known = [(x, y) for x, y, _, _ in found if y is not None]
    ranged = [(x, low, high) for x, _, low, high in found if low is not None and high is not None]
    xs, lows, highs = ([each[i] for each in ranged] for i in range(3))
    axes.fill_between(xs, lows, highs, color=tone, alpha=0.18, linewidth=0, label="band")
    marker = "o" if len(known) <= MOST_DOTS else ""
    places, estimates = [x for x, _ in known], [y for _, y in known]
    axes.plot(places, estimates, color=tone, marker=marker, markersize=4.5, linewidth=1.8, label=name)


def _draw_wanted(axes: Axes, value: float, text: str) -> None:
    """Draw a line across, with its name at the right end where no curve has one."""
    axes.axhline(value, color=INK, linewidth=1, linestyle=(0, (4, 3)), label="_wanted")
    if not axes.texts:
        axes.text(1.01, value, text, color=INK, fontsize=9, va="center", transform=axes.get_yaxis_transform())


def _name_curves(figure: Figure, axes: Axes, series: Sequence[tuple[str, Sequence[Any]]], wide: bool) -> None:
    """Name one curve on its axis, several at their right ends, or below the figure where there is no room for that."""
    names = shorten_all([name for name, _ in series], 24 if wide else 40)
    if len(series) == 1:
        axes.set_ylabel(names[0])
    elif wide:
        last = [next((y for _, y, _, _ in reversed(found) if y is not None), None) for _, found in series]
        ends = [(y, name, colour(i)) for i, (y, name) in enumerate(zip(last, names, strict=True), 1) if y is not None]
        _label_ends(axes, ends)
    else:
        figure.legend(axes.lines, names, loc="outside lower left", frameon=False, fontsize=9)


def convergence(report: Report, wide: bool = True) -> Figure:
    """Draw how the shares and their intervals settled as games were added."""
    with house_style():
        figure, axes = new_figure(wide, 3.2)
        if not report.looks:
            return nothing(figure, axes)
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
        percent_axis(axes, "y")
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
