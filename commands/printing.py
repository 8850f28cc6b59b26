"""Answers on the screen, and in the directory of an analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.arguments import JsonOption
from commands.playing import Work
from commands.screen import say, screen

CsvOption = Annotated[bool, typer.Option("--csv", help="Print the answer as CSV.")]
MarkdownOption = Annotated[bool, typer.Option("--md", help="Print the answer as Markdown.")]


@dataclass(frozen=True)
class Printed:
    """How an answer is printed: text by default, or the one format that was chosen."""

    json_: JsonOption = False
    csv: CsvOption = False
    md: MarkdownOption = False

    def __post_init__(self) -> None:
        from simcore.errors import InputError

        if len(self._chosen) > 1:
            raise InputError.of(" ".join(f"--{kind}" for kind in self._chosen), "choose one of them")

    @property
    def _chosen(self) -> list[str]:
        return [kind for kind, wanted in (("json", self.json_), ("csv", self.csv), ("md", self.md)) if wanted]

    @property
    def kind(self) -> str:
        """``json``, ``csv``, ``md``, or "" for text."""
        return next(iter(self._chosen), "")


@dataclass(frozen=True)
class Written(Printed):
    """How an answer is printed, and the directory where it is written."""

    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Directory for report.html, plots and Parquet.")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier directory.")] = False

    def directory(self, file: str) -> Any:
        """Return the directory of an analysis that is kept in `file`, None if none is wanted."""
        from simcore.rundir import RunDirectory

        return RunDirectory(self.output, self.force, file) if self.output else None

    def analyse(self, play: Callable[[], Any], words: Any, file: str, work: Work) -> None:
        """Play an analysis, print it, write its directory if one is wanted, and exit by how it ended.

        `words` is the module that puts it into words, `file` where it is kept.
        """
        directory = self.directory(file)
        try:
            answer = play()
            work.hide()
            print_analysis(answer, words, self.kind)
            if directory and answer["games"]:
                write_analysis(directory, file, answer, words)
        finally:
            if directory:
                directory.abandon()
        if directory:
            say_where(directory.path, answer["games"])
        raise typer.Exit(work.code)


def print_analysis(answer: Any, words: Any, kind: str) -> None:
    """Print an analysis in the wanted format; `words` is the module that puts it into words."""
    from reports import analysis

    print(analysis.formatted(answer, words.page(answer), kind, **screen()), end="", flush=True)


def write_analysis(directory: Any, file: str, answer: Any, words: Any) -> None:
    """Write the directory of an analysis: its numbers, report.html, plots and table."""
    from reports import analysis
    from simcore import results

    with results.machine_faults(str(directory.path)):
        (directory.work / file).write_text(results.to_json(answer), encoding="utf-8", newline="\n")
        analysis.write(directory.work, words.page(answer))
    directory.finish()


def say_where(directory: Path, games: int) -> None:
    """Say what was written."""
    say(f"wrote {directory / 'report.html'}" if games else "no game was finished, so nothing is written")
