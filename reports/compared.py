"""A comparison in every format: terminal, JSON, CSV, Markdown, page and plot."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports import difference, machine
from reports.text import shorten

COLUMNS = ("quantity", "label", "kind", "base", "variant", "difference", "low", "high", "differs", "saved", "deals")


def formatted(answer: Mapping[str, Any], json_: bool, csv_: bool, md: bool, **screen: Any) -> str:
    """Return the answer as JSON, CSV or Markdown, else as text for a terminal."""
    if json_:
        return machine.to_json(answer)
    if csv_:
        return to_csv(answer)
    return to_markdown(answer) if md else to_terminal(answer, **screen)


def to_csv(answer: Mapping[str, Any]) -> str:
    """Return one line for each quantity; an empty cell is a value that is not known."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(machine.cells, answer["effects"]))
    return buffer.getvalue()


def to_markdown(answer: Mapping[str, Any]) -> str:
    """Return headline, table and command as Markdown."""
    told = difference.build(answer)
    head = ("", "Base", "Variant", "Difference", "Range", "Differs", "Saved by pairing")
    rows = [
        (row.label, row.base, row.variant, row.difference, row.interval, "yes" if row.differs else "no", row.saved)
        for row in told.rows
    ]
    blocks = [
        f"## {machine.escape(told.title)}",
        f"**{machine.escape(told.headline)}**",
        "\n".join(f"- {machine.escape(change)}" for change in told.changes),
        machine.table(head, rows),
        *(machine.escape(text) for text in (told.summary, told.saved, told.stop)),
        machine.fenced(told.commands[1]) if told.commands[1] else "",
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def to_terminal(answer: Mapping[str, Any], width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return the answer as text, at most `width` columns wide; rows that may be luck are dim."""
    from reports import terminal

    told = difference.build(answer)
    screen = terminal.Screen(width, colour, ascii)
    screen.line(told.title, "bold")
    screen.line(told.subtitle, "dim")
    screen.line("")
    screen.line(told.headline, "bold")
    screen.line("")
    table = terminal.new_table(["", "base", "variant", "difference", "95 % range", ""])
    room = width - 54
    for row in told.rows:
        cells = (row.base, row.variant, row.difference, row.interval, "*" if row.differs else "")
        style = "" if row.differs else "dim"
        label = screen.say(shorten(row.label, max(room, 16)))
        table.add_row(*(terminal.plain(screen.say(cell), style) for cell in (label, *cells)))
    screen.print(table)
    screen.line("* differs beyond luck, all rows taken together; shares in points", "dim")
    screen.line("")
    screen.show_pairs(
        [
            ("Changed", "; ".join(told.changes)),
            ("Result", told.summary),
            ("Pairing", told.saved),
            ("Games", told.stop),
        ]
    )
    if told.commands[1]:
        screen.show_command("Again", told.commands[1])
    return screen.text()


def write(directory: Path, answer: Mapping[str, Any]) -> None:
    """Write `report.html` and `plots/differences.png` into a directory."""
    from reports import charts, html

    told = difference.build(answer)
    plots = directory / "plots"
    plots.mkdir(parents=True, exist_ok=True)
    figure = charts.differences(told)
    charts.add_title(figure, told.headline)
    charts.save_png(figure, plots / "differences.png")
    html.replace(directory / "report.html", html.render_difference(told, answer))
