"""Who plays, how long, and how it went so far."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from commands.ending import SIGNALS, UNDECIDED
from commands.screen import say


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


CORES = _cores()


class Backend(StrEnum):
    """How work is fanned out."""

    threads = "threads"
    processes = "processes"
    dask = "dask"


ENGINES: dict[Backend, Literal["threading", "loky", "dask"]] = {
    Backend.threads: "threading",
    Backend.processes: "loky",
    Backend.dask: "dask",
}
"""What joblib calls them."""

TimeOption = Annotated[
    float | None, typer.Option(metavar="SECONDS", min=0.001, help="Start no new work after this time.")
]


@dataclass(frozen=True)
class Crew:
    """Who plays, how long at most, and who is told what goes on."""

    max_time: TimeOption = None
    jobs: Annotated[int, typer.Option(metavar="N", min=1, max=1024, help="Threads or processes.")] = CORES
    backend: Annotated[Backend, typer.Option(help="Threads, processes, or a Dask cluster.")] = Backend.threads
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Scheduler of the Dask cluster: tcp://10.0.0.1:8786.")
    ] = None
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Tell what goes on, line by line.")] = False
    log_file: Annotated[
        Path | None, typer.Option("--log-file", metavar="FILE", help="Append what goes on to a file.")
    ] = None
    log_json: Annotated[bool, typer.Option("--log-json", help="Tell it as JSON, one object a line.")] = False

    def __post_init__(self) -> None:
        from simcore.errors import InputError

        if (self.backend is Backend.dask) != bool(self.scheduler):
            missing = "--backend dask" if self.scheduler else "--scheduler ADDRESS"
            raise InputError.of("--scheduler" if self.scheduler else "--backend dask", f"expected {missing} with it")
        if self.log_json and not (self.verbose or self.log_file):
            raise InputError.of("--log-json", "expected -v or --log-file FILE with it")

    def begin(self, block_deals: int | None = None) -> Work:
        """Begin to tell what goes on to whom it is to be told; return the work, whose time runs from now on."""
        from simcore import logs

        logs.listen(self.verbose, self.log_file, self.log_json)
        return Work(self, block_deals)

    def words(self) -> list[str]:
        """Return the words of a command line that has the same crew."""
        engine = {
            Backend.threads: [],
            Backend.processes: ["--backend", "processes"],
            Backend.dask: ["--backend", "dask", "--scheduler", self.scheduler or ""],
        }[self.backend]
        return [*engine, *(["--jobs", str(self.jobs)] if self.jobs != CORES else [])]


class Work:
    """The runs of one command: the time they have, and the exit code so far.

    Parameters
    ----------
    crew : Crew
    block_deals : int, optional
        For tests: no result depends on it.
    """

    def __init__(self, crew: Crew, block_deals: int | None = None) -> None:
        self.crew, self.block_deals = crew, block_deals
        self.code = 0
        self._started = time.monotonic()
        self._shows = False

    @property
    def seconds(self) -> float:
        """The time since the work began."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float | None:
        """The seconds left, None if there is no limit."""
        return None if self.crew.max_time is None else max(self.crew.max_time - self.seconds, 0.001)

    def stops(self) -> bool:
        """Tell whether no further run is started, as the time is up or the user wants to stop; ask where one is due.

        Time that is up has left something out, which the exit code says.
        """
        if self.crew.max_time is not None and self.seconds > self.crew.max_time:
            self.code = max(self.code, UNDECIDED)
            return True
        return self.code >= 128

    def show(self, done: int, of: int, what: str = "runs") -> None:
        """Say on a terminal how many runs are done."""
        if sys.stderr.isatty():
            self._shows = True
            print(f"\r\x1b[K{done:,} of {of:,} {what} done", end="", file=sys.stderr, flush=True)

    def hide(self) -> None:
        """Take away what `show` said."""
        if self._shows:
            self._shows = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def play(
        self,
        scenarios: Sequence[Any],
        question: Any,
        games: int | None = None,
        budget: int | None = None,
        sharers: int = 1,
        answer: Callable[[Any, int], str] | None = None,
        recorder: Any = None,
        before: Any = None,
        is_goal: bool = True,
    ) -> Any:
        """Play what is asked of some scenarios; return the run.

        Parameters
        ----------
        games, budget : int or None
            Exactly so many games; else until the question is answered. At most `budget` either way.
        sharers : int
            Runs that share the time left, this being the first of them.
        answer : function, optional
            Puts a first answer into words for the terminal, in so many columns.
        recorder : Recorder, optional
            Writes down what is played; it may go on with an earlier run.
        before : Run, optional
            An earlier run of the same question, which is played on.
        is_goal : bool
            Whether a budget that ends before the question is answered leaves the command short of what it was asked.
        """
        import strategies
        from reports.progress import Progress, reached
        from simcore import blocks
        from simcore.streams import aside

        plan = blocks.Plan(
            games=games,
            budget=budget,
            max_time=None if self.left is None else self.left / sharers,
            jobs=self.crew.jobs,
            backend=ENGINES[self.crew.backend],
            scheduler=self.crew.scheduler or "",
            block_deals=self.block_deals or blocks.BLOCK_DEALS,
        )
        for scenario in scenarios:
            rehearse(scenario)
        received = SIGNALS.hold()
        with Progress(sys.stderr, answer or reached(question)) as progress:
            watch = blocks.Watch(progress.look, progress.update, interrupted=lambda: bool(received))
            if recorder:
                watch.rows, watch.finished = recorder.rows, recorder.finished
            with named_games(scenarios[0]), aside():
                start = blocks.Start(before.tally, before.looks, before.seconds) if before else None
                start = recorder.start if recorder else start
                self._note_start(scenarios, question, plan, start)
                played = blocks.answer(question, strategies, plan, watch, say, start)
        self.code = max(self.code, _code(played, received, games))
        return self.ended(played) if is_goal else played

    def ended(self, played: Any) -> Any:
        """Take a run for a part of the answer, which is short of its goal if the budget ended it; return it."""
        if played.reason == "budget":
            self.code = max(self.code, UNDECIDED)
        return played

    def _note_start(self, scenarios: Sequence[Any], question: Any, plan: Any, start: Any) -> None:
        """Note what is played: a command may play one scenario after another."""
        from simcore import logs

        target, unit = (question.target, question.unit) if plan.games is None else (plan.games, "games")
        logs.note(
            "start",
            scenario=" and ".join(scenario.command for scenario in scenarios),
            seed=scenarios[0].match.seed,
            games=start.tally.games if start else 0,
            target=target,
            unit=unit,
            budget=plan.budget,
            max_time=plan.max_time,
            backend=self.crew.backend.value,
            jobs=plan.jobs,
        )

    def odds(
        self,
        scenario: Any,
        games: int | None = None,
        budget: int | None = None,
        **options: Any,
    ) -> Any:
        """Play one scenario for its odds; with games and a precision of its own, until the first of both."""
        games, budget = within(scenario.precision, games, budget)
        return self.play([scenario], odds_of(scenario), games, budget, **options)

    def followed(
        self,
        scenario: Any,
        followed: int,
        acted: int,
        games: int | None = None,
        budget: int | None = None,
        sharers: int = 1,
        is_goal: bool = True,
    ) -> Any:
        """Play one scenario for its odds, and see how its first games go."""
        from simcore import blocks, course

        precision = scenario.precision or blocks.Plan.precision
        question = course.Followed(scenario.match, precision, followed, acted)
        return self.play([scenario], question, games, budget, sharers, is_goal=is_goal)

    def entrant(self, name: str, load: Callable[[], Any], span: Callable[[Any], Any]) -> Any:
        """Return a scenario as one that races for its odds, stage after stage; the last one is for `ended`."""
        from simcore.race import Entrant

        def play(games: int, before: Any) -> Any:
            return self.odds(load(), budget=games, before=before, is_goal=False)

        return Entrant(name, play, span)


def odds_of(scenario: Any) -> Any:
    """Return the question who wins how often, to the precision that a scenario wants."""
    from simcore import blocks

    return blocks.Odds(scenario.match, scenario.precision or blocks.Plan.precision)


def _code(played: Any, received: Sequence[int], games: int | None) -> int:
    """Say how a run ended, return the exit code that says it."""
    if played.fault:
        say(f"{played.fault}; {played.tally.games:,} finished games count")
        return int(played.fault.exit_code)
    if played.reason == "interrupted":
        say(f"interrupted; {played.tally.games:,} finished games count")
        return 128 + received[0]
    return UNDECIDED if played.reason == "max-time" and played.tally.games < (games or math.inf) else 0


def within(precision: float | None, games: int | None, budget: int | None) -> tuple[int | None, int | None]:
    """Return (games, budget): with a precision wanted, the games asked for are the most that are played."""
    if precision is None or games is None:
        return games, budget
    return None, games if budget is None else min(games, budget)


def part(budget: int | None, runs: int) -> int | None:
    """Return the games of one of several runs that share a budget."""
    return None if budget is None else max(budget // max(runs, 1), 1)


def whole_deals(games: int | None, scenario: Any) -> int | None:
    """Return so many games, rounded up to deals that are played in all rotations."""
    rotations = len(scenario.match.rotations)
    return None if games is None else -(-games // rotations) * rotations


def rehearse(scenario: Any) -> None:
    """Check a scenario's own code on some positions before it is compiled and trusted."""
    import strategies
    from simcore import rehearsal

    rehearsal.rehearse(scenario.match, strategies, scenario.inputs, say, scenario.n_reasons)


def player(scenario: Any) -> Any:
    """Return the player of a scenario whose own code was checked."""
    import strategies
    from simcore.player import Player
    from simcore.streams import aside

    with named_games(scenario), aside():
        return Player(scenario.match, strategies, say)


def rehearsed(scenario: Any) -> Any:
    """Return the player of a scenario, its own code checked first."""
    rehearse(scenario)
    return player(scenario)


@contextmanager
def named_games(scenario: Any) -> Iterator[None]:
    """Name the scenario in the error of a game, which knows only its seed and number."""
    from simcore.errors import GameError

    try:
        yield
    except GameError as error:
        raise type(error)(error.message, scenario.command, error.seed, error.game, error.turn) from None
