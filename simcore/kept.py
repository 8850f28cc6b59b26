"""Kept games: one row a game, a Parquet file for each block of them; written as games come, and counted again.

Whoever counts them scans them lazily, in the streaming engine of polars: they may be larger than memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore import frames
from simcore.errors import ResultsError
from simcore.results import game_table, make_lasting, write_table
from simcore.scenario import Scenario
from simcore.tally import WHOLE_WIN

if TYPE_CHECKING:
    import polars as pl

GAMES = "games"
"""Folder of the kept games in a run directory."""


class Shards:
    """Kept rows as Parquet, one file for each block of games; the last one is short until more games come.

    Parameters
    ----------
    games : int
        So many are there already; whatever lies behind them is removed.

    Raises
    ------
    ResultsError
        If some of them are not.
    """

    def __init__(self, folder: Path, scenario: Scenario, block: int, games: int = 0) -> None:
        self.folder, self.scenario, self.block = folder, scenario, block
        self._first = games // block * block
        self._tables: list[Any] = []
        self._held = 0
        self._unsaved = False
        self._passing: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {self._file(first) for first in range(0, games, block)}
        for file in set(files(folder)) - wanted:
            file.unlink()
        there = numbered(folder) if games else 0
        if there < games:
            raise ResultsError(f"{folder}: kept games are missing from game {there:,} on; --force starts anew")
        if games > self._first:
            self._hold(self._head(games - self._first))

    def _file(self, first: int) -> Path:
        return self.folder / f"games-{first:012}.parquet"

    def _head(self, games: int) -> Any:
        """Return the first games of the last, short file."""
        pl = frames.polars()

        file = self._file(self._first)
        with readable(file):
            table = pl.read_parquet(file, glob=False)
        self._unsaved = len(table) > games  # what lies behind them may never come again
        return table.head(games)

    def add(self, first: int, rows: Any) -> None:
        """Take the rows of the games from `first` on; they arrive in order."""
        pl = frames.polars()

        self._hold(game_table(self.scenario, first, rows))
        self._unsaved = True
        while self._held >= self.block:
            joined = pl.concat(self._tables)
            self._write(joined.head(self.block))
            self._first += self.block
            rest = joined.slice(self.block)
            self._tables, self._held = [rest] if len(rest) else [], len(rest)
            self._unsaved = bool(self._held)

    def flush(self) -> None:
        """Write the games that no file has yet, and wait until all files outlive the machine."""
        pl = frames.polars()

        if self._unsaved:
            self._write(pl.concat(self._tables))
            self._unsaved = False
        for file in self._passing:
            make_lasting(file)
        if self._passing:
            make_lasting(self.folder)
        self._passing = []

    def _hold(self, table: Any) -> None:
        self._tables.append(table)
        self._held += len(table)

    def _write(self, table: Any) -> None:
        file = self._file(self._first)
        write_table(file, table.rechunk())
        self._passing.append(file)


def files(folder: Path) -> list[Path]:
    """Return the files of kept games, in the order of the games."""
    return sorted(folder.glob("games-*.parquet"))


def scan(folder: Path) -> Any:
    """Return the kept games as a lazy table; `file` says where each lies."""
    pl = frames.polars()

    return pl.scan_parquet(files(folder), include_file_paths="file", glob=False)


def numbered(folder: Path) -> int:
    """Return how many games lie in the files without a gap, counted from game 0.

    Raises
    ------
    ResultsError
        If a file cannot be read.
    """
    pl = frames.polars()

    found = scan(folder).group_by("file").agg(pl.len(), first=pl.col("game").min(), last=pl.col("game").max())
    games = 0
    with readable(folder):
        for length, first, last in found.drop("file").sort("first").collect(engine="streaming").iter_rows():
            if first != games or last - first + 1 != length:
                break
            games += length
    return games


def recount(folder: Path, answer: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> int:
    """Count the kept games of a finished run again, and return how many there are.

    Parameters
    ----------
    answer, tables : summary and tables of the run

    Raises
    ------
    ResultsError
        If they are not those of the answer: the first number that differs is named.
    """
    games = numbered(folder) if files(folder) else 0
    if games != answer["games"]:
        raise ResultsError(f"{folder}: holds {games:,} games without a gap, not the {answer['games']:,} of the answer")
    with readable(folder):
        for name, wanted in _histograms(tables).items():
            _compare(folder, name, wanted, _counted(folder, name))
        for side in tables["sides"].iter_rows(named=True):
            name = f"won.{side['side']}"
            _compare(folder, name, {key: side[key] for key in ("wins", "shared", "rate")}, _won(_counted(folder, name)))
    return games


def _histograms(tables: Mapping[str, pl.DataFrame]) -> dict[str, dict[Any, int]]:
    """Return (games by value) of every column that the tables of a run count."""
    found: dict[str, dict[Any, int]] = defaultdict(dict)
    for measure, value, games in tables["durations"].iter_rows():
        minutes = measure == "minutes"
        found["seconds" if minutes else measure][round(value * 60) if minutes else value] = games
    for metric, value, games in tables["metrics"].iter_rows():
        found[metric][value] = games
    found["reason"] = dict(tables["reasons"].iter_rows())
    return found


def _counted(folder: Path, name: str) -> dict[Any, int]:
    """Return (games by value) of a column; a metric has none where it does not apply."""
    found = scan(folder).group_by(name).len().collect(engine="streaming")
    return {value: games for value, games in found.iter_rows() if value is not None}


def _won(shares: Mapping[float, int]) -> dict[str, float]:
    """Return from (games by share of the win) what the table of sides says."""
    total = sum(round(WHOLE_WIN * share) * games for share, games in shares.items())
    return {
        "wins": shares.get(1.0, 0),
        "shared": sum(games for share, games in shares.items() if 0 < share < 1),
        "rate": total / (WHOLE_WIN * sum(shares.values())),
    }


def _compare(folder: Path, name: str, wanted: Mapping[Any, float], found: Mapping[Any, float]) -> None:
    for value in sorted(wanted.keys() | found.keys(), key=str):
        if wanted.get(value, 0) != found.get(value, 0):
            raise ResultsError(
                f"{folder}: the kept games are not those of the answer: of {name}, {value} is "
                f"{found.get(value, 0):,} in them and {wanted.get(value, 0):,} in the answer"
            )


@contextmanager
def readable(place: Path) -> Iterator[None]:
    """Turn files of kept games that cannot be read into a `ResultsError`."""
    pl = frames.polars()

    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = " ".join(str(error).split())[:120]
        raise ResultsError(f"{place}: the kept games cannot be read: {reason}; --force starts anew") from None
