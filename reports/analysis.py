"""The page of an analysis in every format: terminal, JSON, CSV, Markdown, HTML and plots."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports import machine
from reports.page import Page, Table
from reports.text import shorten

WIDEST = 34  # characters of a row's name on a terminal


def formatted(answer: Mapping[str, Any], page: Page, csv: str, kind: str, **screen: Any) -> str:
    """Return an answer as ``json``, ``csv`` or ``md``, else as text for a terminal."""
    if kind == "json":
        return machine.to_json(answer)
    if kind == "csv":
        return csv
    return to_markdown(page) if kind == "md" else to_terminal(page, **screen)


def to_markdown(page: Page) -> str:
    """Return headline, sentences, tables and command as Markdown."""
    blocks = [f"## {machine.escape(page.title)}", f"**{machine.escape(page.headline)}**"]
    blocks += [machine.escape(text) for text in page.sentences]
    for table in page.tables:
        blocks += [f"### {machine.escape(table.caption)}", machine.table(table.head, table.rows)]
        blocks += [machine.escape(table.note)] if table.note else []
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
    screen.line("")
    for text in page.sentences:
        screen.line(text)
    if page.command:
        screen.show_command("Again", page.command)
    return screen.text()


def _show_table(screen: Any, table: Table) -> None:
    from reports import terminal

    shown = [i for i in range(len(table.head)) if i not in table.narrow]
    grid = terminal.new_table([table.head[i] for i in shown] + [""])
    rows = [[screen.say(row[i]) for i in shown] for row in table.rows[: table.most]]
    head = [table.head[i] for i in shown]
    taken = sum(2 + max(map(len, column)) for column in zip(head, *rows, strict=True))
    longest = max((len(row[0]) for row in rows), default=0)
    room = max(12, longest - max(0, taken - screen.width))
    for i, row in enumerate(rows):
        style = "dim" if i in table.quiet else ""
        cells = [screen.say(shorten(row[0], min(room, 2 * WIDEST))), *row[1:], ""]
        grid.add_row(*(terminal.plain(cell, style) for cell in cells))
    screen.print(grid)
    left = len(table.rows) - len(rows)
    if left:
        screen.line(f"and {left} more rows, in --csv, --json and the page", "dim")
    if table.note:
        screen.line(table.note, "dim")


def write(directory: Path, page: Page) -> None:
    """Write `report.html` and `plots/*.png` into a directory."""
    from reports import charts, html

    plots = directory / "plots"
    plots.mkdir(parents=True, exist_ok=True)
    for picture in page.pictures:
        figure = picture.draw(wide=True)
        charts.add_title(figure, page.headline)
        charts.save_png(figure, plots / f"{picture.name}.png")
    html.replace(directory / "report.html", html.render_page(page))
