"""The same answer for other programs: strict JSON, rows as CSV or for Parquet, Markdown for a review comment."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reports import lengths, model
from reports.tables import Tables

SIDE_COLUMNS = ("side", "label", "wins", "shared", "rate", "low", "high")


def to_json(summary: Mapping[str, Any]) -> str:
    """Return the summary as strict JSON: keys in their order, no NaN, UTF-8 text, one trailing newline.

    Raises
    ------
    ValueError
        If a number is not finite: a result without a value must be null.
    """
    text = json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False)
    # Half a surrogate pair cannot be written as UTF-8; inside JSON it can only stand in a string.
    return re.sub("[\ud800-\udfff]", "\ufffd", text) + "\n"


def to_csv(summary: Mapping[str, Any]) -> str:
    """Return the table of sides as CSV; a share without games is an empty cell."""
    return rows_to_csv(SIDE_COLUMNS, summary["sides"])


def rows_to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; what is None or missing is an empty cell."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(cells, rows))
    return re.sub("[\ud800-\udfff]", "\ufffd", buffer.getvalue())


def rows_to_frame(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a polars table; what is missing is null. A column of more than one type is text."""
    from simcore import frames

    pl = frames.polars()
    return pl.DataFrame([pl.Series(name, _of_one_type([row.get(name) for row in rows])) for name in columns])


def _of_one_type(values: Sequence[Any]) -> Sequence[Any]:
    types = {type(value) for value in values} - {type(None)}
    if len(types) < 2:
        return values
    convert = float if types == {int, float} else word
    return [None if value is None else convert(value) for value in values]


def word(value: Any) -> str:
    """Return a value as it stands in a scenario."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for a spreadsheet, which takes a text that starts like a formula for one."""
    return {key: _cell(value) if isinstance(value, str) else value for key, value in row.items()}


def _cell(text: str) -> str:
    text = re.sub("[\0-\x1f\x7f-\x9f]", " ", text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def to_markdown(summary: Mapping[str, Any], tables: Tables | None = None) -> str:
    """Return headline, tables and the command to repeat the run as Markdown."""
    report = model.build(summary, tables or {})
    blocks = [
        f"## {escape(report.title)}",
        f"**{escape(report.headline)}**",
        table(
            ("Side", "Wins", f"{report.confidence} interval", "Won alone", "Shared"),
            ((s.name, s.share.percent, s.share.interval, f"{s.wins:,}", f"{s.shared:,}") for s in report.sides),
        ),
        escape(report.leader),
        escape(report.worth_said),
        table(("How games end", "Games", "Share"), ((p.name, f"{p.games:,}", p.percent) for p in report.ends)),
        table(("Reason", "Games", "Share"), ((p.name, f"{p.games:,}", p.percent) for p in report.reasons)),
        table(("Length", *lengths.STATISTICS), ((row.label, *row.cells) for row in report.durations)),
        " ".join(escape(text) for text in (report.length, report.table_time) if text),
        escape(report.seats.sentence),
        escape(" ".join(filter(None, (report.stop, report.after_stop)))),
        escape(report.provenance),
        "\n".join(f"- {escape(note)}" for note in report.notes),
        fenced(report.command) if report.command else "",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape(text: str) -> str:
    """Keep Markdown and HTML from reading anything into a text."""
    harmless = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~$#])", r"\\\1", harmless)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown, nothing without rows."""
    body = [" | ".join(escape(cell) for cell in row) for row in rows]
    if not body:
        return ""
    rule = " | ".join([":--", *["--:"] * (len(head) - 1)])
    return "\n".join(f"| {line} |" for line in [" | ".join(head), rule, *body])


def fenced(code: str) -> str:
    """Return a code block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{code}\n{fence}"
