"""Numbers in the figures of analyses are those of the tables beside them, as far as a table shows them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import report_kinds
from reports import compared, explained, laddered, matrixed, sensitive, swept, tuned, weighed
from reports.charts.style import PALETTE
from reports.page import Page, Picture, Table

WORDS: dict[str, tuple[Callable[[Any], Page], str]] = {
    "compare": (compared.page, "comparison"),
    "matrix": (matrixed.page, "matrix"),
    "sweep": (swept.page, "sweep"),
    "grid": (swept.page, "sweep"),
    "sensitivity": (sensitive.page, "sensitivity"),
    "components": (weighed.page, "components"),
    "explain": (explained.page, "explain"),
    "ladder": (laddered.page, "ladder"),
    "tune": (tuned.page, "tune"),
}
GRID = ["--over", "seats.1.strategy=greedy,patient", "--over", "rules.hits_to_win=3,5", "--games", "240", "--seed", "7"]


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Any, Page]]:
    """Return what plays an analysis of a kind, once, and returns its answer and its page."""

    @cache
    def played(kind: str) -> tuple[Any, Page]:
        folder = tmp_path_factory.mktemp(kind)
        if kind == "grid":
            made = report_kinds.written(folder, ["sweep", "hate-to-kill-you/film-duel", *GRID, "-o", "grid"])
        else:
            made = report_kinds.write(kind, "as-you-wish" if kind == "components" else "hate-to-kill-you", folder)
        words, name = WORDS[kind]
        answer = json.loads((made / f"{name}.json").read_text(encoding="utf-8"))
        return answer, words(answer)

    return played


def drawn(page: Page) -> Iterator[tuple[Picture, Figure]]:
    """Yield every figure of a page, wide and narrow."""
    assert page.pictures
    for picture in page.pictures:
        for wide in (True, False):
            yield picture, picture.draw(wide)


def is_told(value: float, cell: str, is_share: bool) -> bool:
    """Tell whether a number of a figure is that of a cell, as it is rounded there."""
    found = re.fullmatch(r"([<>]?)([+-]?[\d,]+(?:\.(\d+))?)(?: %| points)?\*?", cell)
    assert found, cell
    number, half = float(found[2].replace(",", "")), 0.5 * 10.0 ** -len(found[3] or "")
    shown = value * (100 if is_share else 1)
    if found[1]:
        return shown < number if found[1] == "<" else shown > number
    return abs(shown - number) <= half * (1 + 1e-9)


def are_told(values: Any, cells: list[str], is_share: bool) -> bool:
    """Tell whether all numbers of a part of a figure are those of some cells; a range is one cell."""
    texts = [text for cell in cells for text in cell.split(" to ")]
    return len(values) == len(texts) and all(map(is_told, values, texts, [is_share] * len(texts)))


def x_values(figure: Figure, label: str) -> list[list[float]]:
    """Return the x values of the lines with this label."""
    return [np.asarray(line.get_xdata(), float).tolist() for line in figure.axes[0].lines if line.get_label() == label]


def values_beside(figure: Figure) -> list[str]:
    """Return the texts beside the rows of a figure."""
    return [text.get_text() for text in figure.axes[0].texts if text.get_label() == "value"]


def table_of(page: Page, caption: str) -> Table:
    """Return the table with this caption."""
    return next(table for table in page.tables if table.caption == caption)


def column(table: Table, head: str, beside: int = 0) -> list[str]:
    """Return the cells of a column, or of one that stands `beside` it."""
    return [row[table.head.index(head) + beside] for row in table.rows]


def test_differences_stand_where_the_table_says(analysis: Any) -> None:
    answer, page = analysis("compare")
    table = page.tables[0]
    spans = {row[0]: row for row in table.rows}
    effects = {row["quantity"]: row for row in answer["effects"]}
    assert len(spans) <= len(effects)
    for picture, figure in drawn(page):
        told = [row for row in picture.data[0].rows if row.span is not None][:24]
        dots, whiskers, beside = x_values(figure, "dot"), x_values(figure, "whisker"), values_beside(figure)
        assert len(told) == len(dots) == len(whiskers) == len(beside) > 5
        for row, [dot], ends, text in zip(told, dots, whiskers, beside, strict=True):
            cells = spans[row.label]
            middle, low, high = row.span
            # every row has a scale of its own: one is the longer arm of the range
            unit = max(high - middle, middle - low) or 1.0
            assert are_told([unit * math.sinh(x) for x in (dot, *ends)], [cells[3], cells[4]], row.is_share)
            assert text.removesuffix(" points") == cells[3].removesuffix("*")
            assert ends[0] <= dot <= ends[1]


def test_cells_of_the_heat_map_have_number_and_colour_of_the_table(analysis: Any) -> None:
    _, page = analysis("matrix")
    rows = [row[1:] for row in table_of(page, "Share of the wins").rows]
    for _, figure in drawn(page):
        texts = {tuple(map(round, text.get_position())): text.get_text() for text in figure.axes[0].texts}
        assert len(texts) == sum(map(len, rows)) >= 4
        for patch in figure.axes[0].patches:
            assert isinstance(patch, Rectangle)
            x, y = round(patch.get_x() + 0.48), round(patch.get_y() + 0.46)
            sign = 1 if to_hex(patch.get_facecolor()) == PALETTE[0] else -1
            value = 0.5 + sign * patch.get_alpha() / 0.75 / 2
            assert is_told(value, rows[y][x], True)
            assert is_told(value, texts[x, y], True)


@pytest.mark.parametrize("kind", ["sensitivity", "components"])
def test_bars_and_whiskers_of_a_tornado_are_those_of_the_table(kind: str, analysis: Any) -> None:
    _, page = analysis(kind)
    found = 0
    for picture, figure in drawn(page):
        steps, is_share = picture.data
        bars = [patch.get_width() for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
        whiskers = x_values(figure, "whisker")
        names = [(name, step[0].partition(": ")[0]) for name, each in steps for step in each]
        assert len(bars) == len(whiskers) == len(names)
        for (name, value), bar, ends in zip(names, bars, whiskers, strict=True):
            cells = tornado_cells(page, kind, picture.name, name, value)
            assert are_told([bar, *ends], cells, is_share), (name, cells)
            found += 1
    assert found > 8


def tornado_cells(page: Page, kind: str, chart: str, name: str, value: str) -> list[str]:
    """Return the cells of (difference, range) that belong to a bar."""
    if kind == "sensitivity":
        rows = [row for row in page.tables[0].rows if row[0].startswith(f"{name} ") and row[0].endswith(f" {value}")]
    elif chart.startswith("knock-out"):
        rows = [row for table in page.tables if "blanked" in table.head for row in table.rows]
        rows = [row for row in rows if row[0] == name]
    else:
        rows = [row for table in page.tables if table.caption.endswith(f": {chart}") for row in table.rows]
        rows = [row for row in rows if row[0] == name]
    assert len(rows) == 1
    return [rows[0][1], rows[0][2]]


def test_curves_of_a_sweep_are_the_columns_of_its_table(analysis: Any) -> None:
    _, page = analysis("sweep")
    table = page.tables[0]
    for picture, figure in drawn(page):
        is_share = picture.data[3]
        for line, (name, _) in zip(named_lines(figure), picture.data[0], strict=True):
            assert are_told(line.get_ydata(), column(table, name), is_share)
            assert are_told(line.get_xdata(), [row[0] for row in table.rows], False)
        heads = [name for name, _ in picture.data[0] if name != "minutes"]
        check_bands(figure, [column(table, name, 1) for name in heads], is_share)


def test_a_target_is_a_line_across_the_picture_of_its_quantity(analysis: Any) -> None:
    for name in ("sweep", "grid"):
        answer, _ = analysis(name)
        found = {"quantity": "rounds", "value": 12.5, "nearest": None, "possible": []}
        page = swept.page({**answer, "target": found})
        crossed = {
            picture.name: (list(line.get_ydata()), "what was wanted: rounds = 12.5." in picture.caption)
            for picture, figure in drawn(page)
            for line in figure.axes[0].lines
            if line.get_label() == "_wanted"
        }
        assert crossed == {"rounds": ([12.5, 12.5], True)}


def test_curves_of_a_grid_are_the_rows_of_its_table(analysis: Any) -> None:
    _, page = analysis("grid")
    table = page.tables[0]
    names = {picture.name for picture in page.pictures}
    assert names == {"side-1", "side-2", "rounds", "minutes"}
    for picture, figure in drawn(page):
        lines = named_lines(figure)
        assert [label for label, _ in picture.data[0]] == ["greedy", "patient"]
        for line, (label, _) in zip(lines, picture.data[0], strict=True):
            cells = dict(zip([row[0] for row in table.rows], column(table, picture.data[4]), strict=True))
            own = {place: cell for place, cell in cells.items() if place.startswith(f"{label}, ")}
            assert [f"{label}, {x:g}" for x in line.get_xdata()] == list(own)
            assert are_told(line.get_ydata(), list(own.values()), picture.data[3])


def test_curves_of_a_ladder_are_the_columns_of_its_tables(analysis: Any) -> None:
    _, page = analysis("ladder")
    wins, course = table_of(page, "Who wins"), table_of(page, "How games go")
    assert [picture.name for picture in page.pictures] == ["shares", "rounds", "changes-of-the-leader"]
    for picture, figure in drawn(page):
        lines = named_lines(figure)
        if picture.name == "shares":
            heads = [name.removeprefix("wins of ") for name, _ in picture.data[0]]
            assert all(
                are_told(line.get_ydata(), column(wins, head), True) for line, head in zip(lines, heads, strict=True)
            )
            check_bands(figure, [column(wins, head, 1) for head in heads], True)
        elif picture.name == "rounds":
            assert are_told(lines[0].get_ydata(), column(course, "rounds"), False)
        else:
            assert are_told(lines[0].get_ydata(), column(course, "lead changes"), False)
            check_bands(figure, [column(course, "lead changes", 1)], False)


def test_curves_of_a_search_are_the_columns_of_its_table(analysis: Any) -> None:
    _, page = analysis("tune")
    table = table_of(page, "The search")
    for _, figure in drawn(page):
        for line, head in zip(named_lines(figure), ("best", "mean"), strict=True):
            assert are_told(line.get_ydata(), column(table, head), True)
            assert are_told(line.get_xdata(), column(table, "generation"), False)


def test_curves_of_a_lead_end_where_the_answer_and_the_caption_say(analysis: Any) -> None:
    answer, page = analysis("explain")
    leads = {row["game"]: [lead[1] for lead in row["leads"]] for row in answer["explained"]}
    games = column(page.tables[0], "game")
    for picture, figure in drawn(page):
        lines = named_lines(figure)
        ends = re.findall(r"\(game (\d+)\): ends at ([+-][\d.]+\d)", picture.caption)
        assert len(ends) == len(lines)
        for line, (game, end) in zip(lines, ends, strict=True):
            assert game in games
            assert line.get_ydata().tolist() == leads[int(game)]
            assert is_told(line.get_ydata()[-1], end, False)


def named_lines(figure: Figure) -> list[Any]:
    """Return the curves of a figure, without the dots beside their names."""
    return [line for line in figure.axes[0].lines if not str(line.get_label()).startswith("_")]


def check_bands(figure: Figure, ranges: list[list[str]], is_share: bool) -> None:
    """Check that the bands of a figure lie where some columns of ranges say."""
    bands = [band for band in figure.axes[0].collections if band.get_label() == "band"]
    for band, cells in zip(bands, ranges, strict=False):
        corners: dict[float, list[float]] = {}
        for x, y in band.get_paths()[0].vertices:
            corners.setdefault(x, []).append(y)
        assert len(corners) == len(cells)
        for x, cell in zip(sorted(corners), cells, strict=True):
            assert are_told([min(corners[x]), max(corners[x])], [cell], is_share)
