"""What is told of an analysis of several runs: words, tables and figures, laid out by others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of text; the first cell names the row. Rows in `quiet` may be luck. A terminal shows `most` of them."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    quiet: frozenset[int] = frozenset()
    note: str = ""
    most: int = 1000
    narrow: tuple[int, ...] = ()
    """Columns that a terminal leaves out as long as the others are too wide for it, the first one first."""


@dataclass(frozen=True)
class Picture:
    """A figure: a function of `charts`, called late because matplotlib is, and what it takes besides `wide`."""

    name: str
    caption: str
    chart: str
    data: tuple[Any, ...]

    def draw(self, wide: bool = True) -> Any:
        """Return the figure."""
        from reports import charts

        return getattr(charts, self.chart)(*self.data, wide=wide)


@dataclass(frozen=True)
class Listing:
    """Lines to be copied as they are: commands, or YAML."""

    caption: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """Everything that is told of an analysis."""

    kind: str
    title: str
    subtitle: str
    headline: str
    sentences: tuple[str, ...]
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...]
    method: tuple[str, ...]
    command: str
    digests: tuple[tuple[str, str], ...]
    resolved: Mapping[str, Any]
    listings: tuple[Listing, ...] = ()


def first_of(words: Sequence[str], most: int) -> str:
    """Return a list of names as a sentence part, cut after `most`."""
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
