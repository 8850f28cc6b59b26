"""What a change changes, told: a headline, a table with the largest effects first, a picture; in every format."""

from __future__ import annotations

import csv
import io
import math
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports import machine
from reports.text import NOTHING, clean, percent, quantity, shorten

COLUMNS = ("quantity", "label", "kind", "base", "variant", "difference", "low", "high", "differs", "saved", "deals")
MOST_CHANGES = 8  # changes that are listed one by one


@dataclass(frozen=True)
class Row:
    """One thing that was counted. `span` is (difference, low, high), `size` in units of how much games differ."""

    label: str
    base: str
    variant: str
    difference: str
    interval: str
    joint: str
    differs: bool
    saved: str
    is_share: bool
    span: tuple[float, float, float] | None


@dataclass(frozen=True)
class Difference:
    """A comparison in words."""

    title: str
    subtitle: str
    headline: str
    changes: tuple[str, ...]
    rows: tuple[Row, ...]
    summary: str
    saved: str
    stop: str
    method: tuple[str, ...]
    commands: tuple[str, str]
    seed: int
    games: int


def build(answer: Mapping[str, Any]) -> Difference:
    """Put a comparison (`simcore.comparison.summary`) into words."""
    rows = tuple(_row(row) for row in answer["effects"])
    primary = next(row for row in answer["effects"] if row["quantity"] == answer["primary"]["quantity"])
    named = [answer[part]["label"] or answer[part]["scenario"] for part in ("base", "variant")]
    same = answer["base"]["scenario"] == answer["variant"]["scenario"]
    changes = tuple(_changes(answer["changed"]))
    return Difference(
        title=clean(f"{named[0]}, changed" if same else f"{named[1]} against {named[0]}"),
        subtitle=f"{answer['game']} · {answer['games']:,} games each, on the same deals",
        headline=_headline(answer, primary),
        changes=changes or ("nothing: the two are the same",),
        rows=rows,
        summary=_summary(answer["effects"]),
        saved=_saved(primary),
        stop=_stop(answer),
        method=tuple(_method(answer)),
        commands=(
            shlex.join(["balance", "odds", answer["base"]["scenario"], "--seed", str(answer["seed"])]),
            answer["command"],
        ),
        seed=answer["seed"],
        games=answer["games"],
    )


def _label(row: Mapping[str, Any]) -> str:
    name, _, part = row["quantity"].partition(".")
    words = name.replace("_", " ")
    who = clean(row["label"] or part)
    if name == "side":
        return f"wins of {who}"
    return f"{words}, {who}" if who else {"unfinished": "unfinished games"}.get(words, words)


def _row(row: Mapping[str, Any]) -> Row:
    is_share = row["kind"] == "share"
    span = (row["difference"], row["low"], row["high"])
    decimals = _decimals(row, is_share)
    joint = row["simultaneous"]
    return Row(
        label=_label(row),
        base=_value(row["base"], is_share),
        variant=_value(row["variant"], is_share),
        difference=_signed(row["difference"], is_share, decimals),
        interval=_interval(row["low"], row["high"], is_share, decimals),
        joint=_interval(joint["low"], joint["high"], is_share, decimals),
        differs=row["differs"],
        saved=_factor(row["saved"]),
        is_share=is_share,
        span=None if None in span else span,
    )


def _decimals(row: Mapping[str, Any], is_share: bool) -> int:
    """Return so many decimals that the width of the interval shows."""
    if row["low"] is None or row["high"] is None:
        return 2
    width = (row["high"] - row["low"]) * (100 if is_share else 1)
    return min(max(1, 1 - math.floor(math.log10(width))), 4) if 0 < width < 1 else 1


def _value(value: float | None, is_share: bool) -> str:
    return percent(value) if is_share else quantity(value)


def _signed(value: float | None, is_share: bool, decimals: int) -> str:
    if value is None:
        return NOTHING
    return "0" if value == 0 else f"{value * (100 if is_share else 1):+.{decimals}f}"


def _interval(low: float | None, high: float | None, is_share: bool, decimals: int) -> str:
    if low is None or high is None:
        return NOTHING
    return f"{_signed(low, is_share, decimals)} to {_signed(high, is_share, decimals)}"


def _factor(saved: float | None) -> str:
    return NOTHING if saved is None else f"{saved:,.1f}" if saved < 100 else f"{saved:,.0f}"


def _headline(answer: Mapping[str, Any], primary: Mapping[str, Any]) -> str:
    row = _row(primary)
    unit = " points" if row.is_share else ""
    what = row.label[:1].upper() + row.label[1:]
    numbers = f"{row.variant} instead of {row.base} ({row.difference}{unit}, {row.interval})"
    margin = answer["primary"]["margin"] * (100 if row.is_share else 1)
    verdict = answer["primary"]["verdict"]
    if not answer["games"]:
        return "No game was played."
    if verdict == "equal":
        if not primary["difference"] and not answer["changed"]:
            return "The two are the same, and so is every game."
        return f"{what}: no difference of {margin:g}{unit} or more; {numbers}."
    if verdict == "undecided":
        return f"{what}: not decided; {numbers}."
    return f"{what}: {verdict}, {numbers}."


def _changes(changed: list[Mapping[str, Any]]) -> Iterator[str]:
    for change in changed[:MOST_CHANGES]:
        sides = [NOTHING if change[part] is None else shorten(clean(change[part]), 60) for part in ("base", "variant")]
        yield clean(f"{change['path']}: {sides[0]} -> {sides[1]}")
    if len(changed) > MOST_CHANGES:
        yield f"and {len(changed) - MOST_CHANGES} more"


def _summary(effects: list[Mapping[str, Any]]) -> str:
    different = [_label(row) for row in effects if row["differs"]]
    if not different:
        return f"Of {len(effects)} things counted, none differs beyond what luck explains."
    names = ", ".join(different[:3]) + (", ..." if len(different) > 3 else "")
    verb = "differs" if len(different) == 1 else "differ"
    return f"Of {len(effects)} things counted, {len(different)} {verb} beyond what luck explains: {names}."


def _saved(primary: Mapping[str, Any]) -> str:
    saved = primary["saved"]
    if saved is None:
        return "The paired games do not differ at all, so that pairing saves all games."
    return f"Playing the same deals saves games: without, {_factor(saved)} times as many would be needed."


def _stop(answer: Mapping[str, Any]) -> str:
    games = f"{answer['games']:,} games of each"
    stop = answer["stop"]
    label = " The middle value may lean a little towards what happened to be seen; the range allows for that."
    why = {
        "games": f"Played {games}, as asked for.",
        "decided": f"Stopped after {games}, when the sign of the difference was certain.{label}",
        "equal": f"Stopped after {games}, when any difference was within the margin.{label}",
        "max-time": f"Stopped by the time limit after {games}.",
        "interrupted": f"Interrupted after {games}.",
    }
    return why[stop["reason"]]


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    level = f"{100 * answer['interval']['confidence']:g} %"
    yield (
        "Both scenarios play the same deals: what the change does not touch stays equal, game by game, and cancels. "
        "A difference is the variant minus the base, per game."
    )
    yield f"A range is a {level} interval that holds at every moment of the run; that of a mean does so for long runs."
    yield (
        f"Something is said to differ only if its range at the level for all {len(answer['effects'])} rows together "
        "leaves out zero. Rows are sorted by size: the difference over how much single games differ."
    )
    yield "These numbers describe these strategies: players who adapt to the change may answer it."


# -- formats --------------------------------------------------------------------------------------------------------


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
    writer.writerows(answer["effects"])
    return buffer.getvalue()


def to_markdown(answer: Mapping[str, Any]) -> str:
    """Return headline, table and command as Markdown."""
    told = build(answer)
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
        machine.fenced(told.commands[1]),
    ]
    return "\n\n".join(blocks) + "\n"


def to_terminal(answer: Mapping[str, Any], width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return the answer as text, at most `width` columns wide; rows that may be luck are dim."""
    from reports import terminal

    told = build(answer)
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
    screen.show_command("Again", told.commands[1])
    return screen.text()


def write(directory: Path, answer: Mapping[str, Any]) -> None:
    """Write `comparison.json`, `report.html` and `plots/differences.png` into a directory."""
    from reports import charts, html
    from simcore import comparison

    told = build(answer)
    plots = directory / "plots"
    plots.mkdir(parents=True, exist_ok=True)
    html.replace(directory / comparison.FILE, machine.to_json(answer))
    figure = charts.differences(told)
    charts.add_title(figure, told.headline)
    charts.save_png(figure, plots / "differences.png")
    html.replace(directory / "report.html", html.render_difference(told, answer))
