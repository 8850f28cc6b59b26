"""A run as text for a terminal: 80 columns, with or without colour, with or without Unicode.

The caller decides on colour (a terminal, and no `NO_COLOR`) and on ASCII (the encoding of the output);
nothing here looks at the environment.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import model
from reports.model import Report
from reports.model.sides import Side
from reports.tables import Tables
from reports.text import command_lines, count, in_ascii, shorten, shorten_all

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

COLOURS = ("blue", "yellow", "green", "magenta", "red", "cyan")
HELD = "\ue000"  # a blank at which no line may end: rich also breaks at a no-break space
BAR = 16  # cells of the longest bar
MOST_WORTH = 16  # components of a kind that a terminal lists


@dataclass(frozen=True)
class Glyphs:
    """The characters that pictures are made of; `levels` rise from empty to full."""

    full: str
    half: str
    levels: str
    axis: str


UNICODE = Glyphs("█", "▌", " ▁▂▃▄▅▆▇█", "─")
ASCII = Glyphs("#", "", " .:#", "-")


def render(
    summary: Mapping[str, Any],
    tables: Tables,
    width: int = 80,
    colour: bool = False,
    ascii: bool = False,
) -> str:
    """Return the answer of a run as text, at most `width` columns wide.

    Only an argument of a command that is itself longer than a line is left whole, so that it can be pasted.
    """
    report = model.build(summary, tables)
    screen = Screen(width, colour, ascii)
    screen.show_title(report)
    if report.games:
        screen.show_sides(report)
    screen.show_facts(report)
    if report.games:
        screen.show_stages(report)
        screen.show_worth(report)
    screen.show_commands(report)
    return screen.text()


class Screen:
    """Collects the output of one report; `say` spells every text in the wanted character set."""

    def __init__(self, width: int, colour: bool, ascii: bool) -> None:
        self.width = max(40, width)
        self.ascii = ascii
        self.glyphs = ASCII if ascii else UNICODE
        self.buffer = io.StringIO()
        self.console = _console(self.buffer, self.width, colour)

    def say(self, text: str) -> str:
        """Spell `text` with what the terminal has."""
        return in_ascii(text) if self.ascii else text

    def print(self, *parts: RenderableType) -> None:
        """Add tables or texts."""
        for part in parts:
            self.console.print(part)

    def line(self, text: str, style: str = "") -> None:
        """Add a paragraph."""
        self.console.print(plain(self.say(text), style))

    def long_line(self, text: str, style: str = "") -> None:
        """Add a line that stays one, however long: for what is searched by line."""
        self.console.print(plain(self.say(text), style), soft_wrap=True)

    def text(self) -> str:
        """Return all that was added."""
        # Shortening leaves an ellipsis behind, ours and that of rich.
        lines = self.buffer.getvalue().replace(HELD, " ").splitlines()
        return "".join(self.say(line.rstrip()) + "\n" for line in lines)

    def show_title(self, report: Report) -> None:
        """Say what was played and what came out."""
        self.line(report.title, "bold")
        self.line(f"{report.subtitle} · {_games(report)}", "dim")
        self.line("")
        self.line(report.headline, "bold")
        self.line("")

    def show_sides(self, report: Report) -> None:
        """Print one line per side: share, interval, wins, and a bar on a scale from 0."""
        ties = any(side.shared for side in report.sides)
        head = ["wins", f"{report.confidence} range", *(["alone", "shared"] if ties else ["games won"])]
        rows = [_numbers(side, ties) for side in report.sides]
        taken = sum(2 + max(map(len, column)) for column in zip(head, *rows, strict=True))
        longest = max(side.share.rate or 0 for side in report.sides)
        table = new_table(["Side", *head, ""])
        names, cells = self.names(report, self.width - taken)
        for name, side, row in zip(names, report.sides, rows, strict=True):
            bar = self.bar((side.share.rate or 0) / longest if longest else 0, cells)
            numbers = [plain(self.say(cell)) for cell in row]
            table.add_row(plain(name), *numbers, plain(bar, _colour(side.side)))
        self.print(table)
        self.line("")

    def show_stages(self, report: Report) -> None:
        """Print how many games reach each stage and get through, and what stopped the others."""
        if report.stages is None:
            return
        for head, rows in (
            (("Stage", *report.stages.head), report.stages.rows),
            (("Stopped by", "times", "share"), [(p.name, f"{p.games:,}", p.percent) for p in report.stages.causes]),
        ):
            if rows:
                self.line("")
                table = new_table([self.say(cell) for cell in head])
                taken = sum(
                    2 + max(map(len, column)) for column in zip(head[1:], *(row[1:] for row in rows), strict=True)
                )
                for name, *cells in rows:
                    table.add_row(plain(_fit(self.say(name), self.width - taken)), *map(plain, map(self.say, cells)))
                self.print(table)

    def show_worth(self, report: Report) -> None:
        """Print a table for each short kind of components; long lists are for the page."""
        for kind in report.worth:
            if len(kind.rows) > MOST_WORTH:
                continue
            self.line("")
            table = new_table([self.say(kind.title), "wins", f"{report.confidence} range", ""])
            longest = max(row.share.rate or 0 for row in kind.rows)
            for row in kind.rows:
                bar = self.bar((row.share.rate or 0) / longest if longest else 0, BAR // 2)
                cells = (_fit(self.say(row.name), 36), row.share.percent, self.say(row.share.interval))
                table.add_row(*map(plain, cells), plain(bar, "blue"))
            self.print(table)
            if kind.even is not None:
                self.line(f"An even share is {100 * kind.even:.1f} %.")

    def names(self, report: Report, free: int) -> tuple[list[str], int]:
        """Share the free cells between names and bar; return the names that fit and the length of the bar."""
        names = [side.name for side in report.sides]
        bar = min(BAR, free - 2 - min(24, max(map(len, names))))
        bar = bar if bar >= BAR // 3 else 0
        room = max(10, free - 2 - bar)
        return [_fit(self.say(name), room) for name in shorten_all(names, room)], bar

    def bar(self, part: float, cells: int) -> str:
        """Draw a bar of `part` of `cells` cells, to half a cell where the character set allows."""
        halves = round(2 * cells * part)
        return self.glyphs.full * (halves // 2) + (self.glyphs.half if halves % 2 else "")

    def show_facts(self, report: Report) -> None:
        """Print ends, length, seats, stop, provenance and notes as labelled paragraphs."""
        grid = _grid()
        for label, text in _facts(report):
            grid.add_row(plain(label), plain(self.say(text)))
            if label == "Length" and report.histogram:
                grid.add_row(plain(""), plain(self.histogram(report), "blue"))
                rest = report.histogram.left_out(has_unfinished_bar=False)
                if rest:
                    grid.add_row(plain(""), plain(self.say(f"({rest})"), "dim"))
        self.print(grid)

    def show_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Print labelled paragraphs."""
        grid = _grid()
        for label, text in pairs:
            grid.add_row(plain(label), plain(self.say(text)))
        self.print(grid)

    def histogram(self, report: Report) -> str:
        """Draw the length of games as a two-line sparkline with its scale below."""
        assert report.histogram is not None
        bins = report.histogram.bins(max(10, self.width - 24))
        stretch = max(1, min(3, (self.width - 24) // len(bins)))
        rows = spark([b.games for b in bins for _ in range(stretch)], self.glyphs.levels, 2)
        first, last = str(bins[0].first), str(bins[-1].last)
        axis = self.glyphs.axis * (stretch * len(bins) - len(first) - len(last) - 2)
        scale = f"{first} {axis} {last}" if first != last else first
        return "\n".join([*rows, self.say(f"{scale} {report.histogram.measure}")])

    def show_commands(self, report: Report) -> None:
        """Print the commands that repeat the run and replay single games."""
        commands = [("Again", report.command)] if report.command else []
        if report.traces:
            games = ", ".join(f"{trace.game} ({trace.label})" for trace in report.traces[1:])
            commands.append(
                (
                    f"See {report.traces[0].label}" + (f"; also {games}" if games else ""),
                    report.traces[0].command,
                )
            )
        for label, command in commands:
            self.show_command(label, command)

    def show_listing(self, label: str, lines: Sequence[str]) -> None:
        """Print lines that can be pasted."""
        self.line("")
        self.line(label, "cyan")
        for line in lines:
            self.console.print(plain("  " + self.say(line)), soft_wrap=True)

    def show_command(self, label: str, command: str) -> None:
        """Print a command that can be pasted."""
        self.line("")
        self.line(label, "cyan")
        for line in command_lines(self.say(command), self.width - 2):
            self.console.print(plain("  " + line), soft_wrap=True)


def spark(counts: Sequence[int], levels: str, rows: int) -> list[str]:
    """Draw `counts` as columns, `rows` lines high, top line first; whatever happened at all is visible."""
    steps = len(levels) - 1
    top = max(counts, default=0)
    heights = [max(1, round(rows * steps * n / top)) if n else 0 for n in counts]
    return [
        "".join(levels[min(steps, max(0, height - row * steps))] for height in heights).rstrip()
        for row in reversed(range(rows))
    ]


def _facts(report: Report) -> list[tuple[str, str]]:
    leader = report.leader if report.games else ""
    ends = [f"{part.name} {part.percent}" for part in report.ends]
    whole = len(report.ends) == 1 and report.ends[0].name == "won by one side"
    reasons = " · ".join(f"{part.name} {part.percent}" for part in report.reasons)
    chairs = report.seats.sentence if len(report.sides) > 1 or report.seats.rows else ""
    facts = [
        ("Leader", leader),
        ("Worth", report.worth_said if report.games else ""),
        ("Ends", report.unfinished if whole else " · ".join(ends)),
        ("Shared", report.sharing),
        ("Reasons", reasons),
        ("Length", report.length),
        ("Time", report.table_time),
        ("Seats", chairs if report.games else ""),
        ("Games", report.stop + (f" {report.speed[0].upper()}{report.speed[1:]}." if report.speed else "")),
        ("", report.after_stop),
        ("Data", report.provenance),
        *(("Note", note) for note in report.notes),
    ]
    return [(label, text) for label, text in facts if text]


def _games(report: Report) -> str:
    return count(report.games, "game")


def _numbers(side: Side, ties: bool) -> list[str]:
    shared = [f"{side.shared:,}"] if ties else []
    return [side.share.percent, side.share.interval, f"{side.wins:,}", *shared]


def _grid() -> Table:
    """Return a table of labels and paragraphs."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2), expand=False)
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column(ratio=1)
    return grid


def _fit(text: str, cells: int) -> str:
    """Shorten until `text` fits in so many cells: some characters take two."""
    from rich.cells import cell_len

    room = cells
    while cell_len(text) > cells:
        room -= 1
        text = shorten(text, room)
    return text


def _colour(side: int) -> str:
    return COLOURS[(side - 1) % len(COLOURS)]


def plain(text: str, style: str = "") -> RenderableType:
    """Return text that is never read as markup."""
    from rich.text import Text

    return Text(text.replace(" %", f"{HELD}%"), style=style)


def new_table(head: Sequence[str]) -> Table:
    """Return a table without lines: text to the left, numbers to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for i, name in enumerate(head):
        table.add_column(name, justify="left" if i in (0, len(head) - 1) else "right", no_wrap=True)
    return table


def _console(buffer: io.StringIO, width: int, colour: bool) -> Console:
    from rich.console import Console

    return Console(
        file=buffer,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
