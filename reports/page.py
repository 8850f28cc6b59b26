"""What is told of an analysis of several runs: words, tables and figures, laid out by others."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from reports.text import clean


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
class Data:
    """What was counted, for other programs: rows by the names of their columns; what a row lacks is not known."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]


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
class Trace:
    """A game of the analysis, with the command that tells it move by move."""

    label: str
    command: str


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
    data: Data
    method: tuple[str, ...]
    command: str
    digests: tuple[tuple[str, str], ...]
    resolved: Mapping[str, Any]
    listings: tuple[Listing, ...] = ()
    traces: tuple[Trace, ...] = ()


def of_scenario(
    answer: Mapping[str, Any],
    kind: str,
    about: str,
    headline: str,
    sentences: Iterable[str],
    tables: Iterable[Table],
    pictures: Iterable[Picture],
    data: Data,
    method: Iterable[str],
    listings: Iterable[Listing] = (),
) -> Page:
    """Return the page of an analysis of one scenario: what differs is given, what all have is added."""
    digests = {"inputs": "Digest of the inputs", "sources": "Digest of the program"}
    return Page(
        kind=kind,
        title=clean(answer["label"] or answer["scenario"]),
        subtitle=f"{answer['game']} · {about}",
        headline=headline,
        sentences=tuple(sentences),
        tables=tuple(tables),
        pictures=tuple(pictures),
        data=data,
        method=tuple(method),
        command=answer["command"],
        digests=tuple((said, answer["digest"][name]) for name, said in digests.items() if name in answer["digest"]),
        resolved={"The scenario": answer["resolved"]},
        listings=tuple(listings),
        traces=(Trace("Its first game, move by move", trace_command(answer)),),
    )


def trace_command(answer: Mapping[str, Any], changed: bool = True, variant: bool = False) -> str:
    """Return the command that tells the first game of an analysis.

    `changed`: with the values that the command sets; `variant`: of its second scenario.
    """
    words = shlex.split(answer["command"])
    changes = [word for i, word in enumerate(words) if changed and "--set" in (word, *words[i - 1 : i])]
    names = list(takewhile(lambda word: not word.startswith("-"), words[2:]))
    return shlex.join(
        ["balance", "trace", names[-1 if variant else 0], *changes, "--seed", f"{answer['seed']}", "--game", "0"]
    )
