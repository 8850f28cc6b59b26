"""The page of an analysis in every format: terminal, JSON, CSV, Markdown, HTML, plots and Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reports import machine
from reports.page import Page, Table
from reports.text import shorten

WIDEST = 34  # characters of a row's name on a terminal
FAIR, HEAD, LEAST = 28, 17, 12  # to what names, heads, and names at last, are cut where there is no room


def formatted(answer: Mapping[str, Any], page: Page, kind: str, **screen: Any) -> str:
    """Return an answer as ``json``, ``csv`` or ``md``, else as text for a terminal."""
    if kind == "json":
        return machine.to_json(answer)
    if kind == "csv":
        return to_csv(page)
    return to_markdown(page) if kind == "md" else to_terminal(page, **screen)


def to_csv(page: Page) -> str:
    """Return what was counted as CSV; an empty cell is a value that is not known."""
    return machine.rows_to_csv(page.data.columns, page.data.rows)


def to_markdown(page: Page) -> str:
    """Return headline, sentences, tables and command as Markdown."""
    blocks = [f"## {machine.escape(page.title)}", f"**{machine.escape(page.headline)}**"]
    blocks += [machine.escape(text) for text in page.sentences]
    for table in page.tables:
        blocks += [f"### {machine.escape(table.caption)}", machine.table(table.head, table.rows)]
        blocks += [machine.escape(table.note)] if table.note else []
    for listing in page.listings:
        blocks += [f"### {machine.escape(listing.caption)}", machine.fenced("\n".join(listing.lines))]
    return (
        "\n\n".join(block for block in [*blocks, machine.fenced(page.command) if page.command else ""] if block) + "\n"
    )


def to_terminal(page: Page, width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return the page as text, at most `width` columns wide."""
    from reports import terminal

    screen = terminal.Screen(width, colour, ascii)
    screen.line(page.title, "bold")
    screen.line(page.subtitle, "dim")
    screen.line("")
    screen.line(page.headline, "bold")
    for table in page.tables:
        if not table.most:
            continue
        screen.line("")
        _show_table(screen, table)
    if page.sentences:
        screen.line("")
    for text in page.sentences:
        screen.line(text)
    for listing in page.listings:
        screen.show_listing(listing.caption, listing.lines)
    if page.command:
        screen.show_command("Again", page.command)
    return screen.text()


def _show_table(screen: Any, table: Table) -> None:
    from reports import terminal

    rows = [[screen.say(cell) for cell in row] for row in table.rows[: table.most]]
    shown, heads, room = _layout(table, rows, screen.width)
    grid = terminal.new_table([*heads, ""])
    for i, row in enumerate(rows):
        style = "dim" if i in table.quiet else ""
        line = [screen.say(shorten(row[0], min(room, 2 * WIDEST))), *(row[j] for j in shown[1:]), ""]
        grid.add_row(*(terminal.plain(cell, style) for cell in line))
    screen.print(grid)
    left = len(table.rows) - len(rows)
    if left:
        screen.line(f"and {left} more rows, in --csv, --json and the page", "dim")
    if table.note:
        screen.line(table.note, "dim")


def _layout(table: Table, rows: Sequence[Sequence[str]], width: int) -> tuple[list[int], list[str], int]:
    """Return which columns are shown, their heads, and the room for the names of rows."""
    cells = [max(map(len, column)) for column in zip(*rows, strict=True)] or [0] * len(table.head)
    least = [max(n, min(len(head), HEAD)) for n, head in zip(cells, table.head, strict=True)]
    least[0] = min(least[0], FAIR)
    shown = list(range(len(table.head)))
    for i in table.narrow:
        if sum(2 + least[j] for j in shown) > width:
            shown.remove(i)
    floor = [min(least[i], max(cells[i], LEAST)) for i in shown]
    heads = _fitted([table.head[i] for i in shown], floor, width)
    beside = sum(2 + max(len(head), cells[i]) for head, i in zip(heads[1:], shown[1:], strict=True))
    return shown, heads, max(LEAST, min(cells[0], width - beside - 2))


def _fitted(heads: Sequence[str], least: Sequence[int], width: int) -> list[str]:
    """Return the heads of columns, the longest ones cut until a table is at most `width` wide."""
    rooms = [max(len(head), n) for head, n in zip(heads, least, strict=True)]
    while sum(2 + room for room in rooms) > width:
        i = max(range(len(rooms)), key=lambda i: rooms[i] - least[i])
        if rooms[i] <= least[i]:
            break
        rooms[i] -= 1
    return [shorten(head, room) for head, room in zip(heads, rooms, strict=True)]


def write(directory: Path, page: Page) -> None:
    """Write `report.html`, `plots/*.png` and `tables/*.parquet` into a directory."""
    from reports import charts, html
    from simcore import results

    plots, tables = directory / "plots", directory / "tables"
    for folder in (plots, tables):
        folder.mkdir(parents=True, exist_ok=True)
    table = machine.rows_to_frame(page.data.columns, page.data.rows)
    results.write_table(tables / f"{page.kind}.parquet", table)
    for picture in page.pictures:
        figure = picture.draw(wide=True)
        charts.add_title(figure, page.headline)
        charts.save_png(figure, plots / f"{picture.name}.png")
    html.replace(directory / "report.html", html.render_page(page))
