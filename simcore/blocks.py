"""Answers a question: fixed blocks of games fanned out with joblib, judged at fixed looks, stopped by one rule.

A `Question` says which matches are played, how their games are counted and when that is enough: the odds of one match
here, the difference of two in `comparison`.

No result depends on blocks, tasks, jobs or speed: games are numbered, a look is a game count, and only the longest
finished prefix of the numbering counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Protocol

from simcore import jit
from simcore.errors import MachineError
from simcore.match import Match
from simcore.player import Player
from simcore.stats.clusters import share_interval
from simcore.stats.looks import first_look, longer_arm, looks
from simcore.tally import WHOLE_WIN, Layout, Tally

BLOCK_DEALS = 512
"""Deals of a block: large enough that Python costs little, small enough for short waits."""

SHARD_BLOCKS = 32
"""Blocks of a file of kept games."""

TASK_SECONDS = (0.01, 0.25)
"""Shortest and longest task: short at first, because what is played ahead of the last look is thrown away."""

CONFIDENCE = 0.95

Segment = tuple[int, int]
StopReason = Literal["games", "precision", "decided", "equal", "budget", "beaten", "max-time", "interrupted"]


@dataclass(frozen=True)
class Plan:
    """How long to play and with what.

    Parameters
    ----------
    games : int or None
        Exactly so many games; None: until `precision`.
    precision : float
        In points: the longer arm wanted of every side's interval; used where `games` is None.
    budget : int or None
        At most so many games, where `games` is None; rounded up to whole deals.
    max_time : float or None
        Seconds after which no further block is started.
    jobs : int
        Threads or processes.
    backend : "threading" or "loky"
    block_deals : int
        For tests: no result depends on it.
    """

    games: int | None = None
    precision: float = 0.5
    budget: int | None = None
    max_time: float | None = None
    jobs: int = 1
    backend: Literal["threading", "loky"] = "threading"
    block_deals: int = BLOCK_DEALS

    def limit(self, rotations: int) -> int | None:
        """Return the games at which a run ends at the latest: whole deals."""
        if self.games is not None or self.budget is None:
            return self.games
        return -(-self.budget // rotations) * rotations


class Question(Protocol):
    """What is played and counted, and when that is enough. It travels to other processes: names and numbers only.

    Attributes
    ----------
    matches : tuple of Match
        Played side by side: game k of each, with the same number of rotations.
    first : int
        Games of the first look.
    target : float
        What is asked for, in `unit`, where no number of games is planned.
    """

    @property
    def matches(self) -> tuple[Match, ...]: ...  # noqa: D102
    @property
    def first(self) -> int: ...  # noqa: D102
    @property
    def target(self) -> float: ...  # noqa: D102
    @property
    def unit(self) -> str: ...  # noqa: D102

    def tally(self, players: Sequence[Player]) -> Any:
        """Return empty counts; they have `games` and `add`."""

    def count(self, tally: Any, rows: Sequence[Any], first: int) -> None:
        """Add the outcome rows of whole deals, one array for each match, the games from index `first` on."""

    def look(self, tally: Any) -> Any:
        """Return the answer so far; it has `games`."""

    def enough(self, look: Any) -> StopReason | None:
        """Return why a look is enough, where no number of games is planned."""

    def reached(self, look: Any) -> float:
        """Return what a look is worth, in `unit`."""


@dataclass(frozen=True)
class Odds:
    """Who wins a match, until every side's share is known to `precision` points."""

    match: Match
    precision: float
    unit = "points"

    @property
    def matches(self) -> tuple[Match, ...]:
        """The one match."""
        return (self.match,)

    @property
    def first(self) -> int:
        """Games at which a lucky side cannot end the run at once."""
        return first_look(self.precision / 100, CONFIDENCE, len(self.match.rotations))

    @property
    def target(self) -> float:
        """The longer arm that every side's interval may have, in points."""
        return self.precision

    def tally(self, players: Sequence[Player]) -> Tally:
        """Return empty counts."""
        return Tally(Layout.of(players[0].game, self.match))

    def count(self, tally: Tally, rows: Sequence[Any], first: int) -> None:
        """Add the rows of whole deals."""
        tally.count(rows[0], first)

    def look(self, tally: Tally) -> Look:
        """Return every side's share so far."""
        sides = range(tally.layout.n_sides)
        return Look(tally.games, tuple(side_interval(tally, side, CONFIDENCE) for side in sides))

    def enough(self, look: Look) -> StopReason | None:
        """Stop when the longest arm is short enough."""
        return "precision" if look.arm <= self.precision / 100 else None

    def reached(self, look: Look) -> float:
        """Return the longest arm, in points."""
        return look.arm * 100


@dataclass(frozen=True)
class Look:
    """The answer at one look: (rate, low, high) of every side."""

    games: int
    sides: tuple[tuple[float, float, float], ...]

    @property
    def arm(self) -> float:
        """Longest arm of the sides' intervals, as a share."""
        return max(longer_arm(low, rate, high) for rate, low, high in self.sides)


@dataclass
class Run:
    """A run and why it stopped. `target` and `reached` are in `unit`: games, or what the question is measured by."""

    tally: Any
    looks: list[Any]
    reason: StopReason
    target: float
    reached: float
    unit: str
    seconds: float
    jobs: int
    fault: MachineError | None = None
    """What of the machine failed; the games finished until then count."""


@dataclass
class Watch:
    """What the caller wants to see and say while a run goes on.

    Parameters
    ----------
    look : function of the question's looks
    progress : function of (games finished, games of the current look, games per second)
    rows : function of (first game, rows)
        Kept rows of the first match in finished blocks, in order.
    interrupted : function
        True once the user wants to stop.
    """

    look: Callable[[Any], None] = lambda look: None
    progress: Callable[[int, int, float], None] = lambda done, goal, speed: None
    rows: Callable[[int, Any], None] | None = None
    interrupted: Callable[[], bool] = lambda: False


@dataclass
class _Pace:
    """Groups blocks into tasks that take about a twentieth of the time so far, within `TASK_SECONDS`."""

    jobs: int
    seconds: float = 0.0
    games: int = 0
    started: float = field(default_factory=time.perf_counter)

    def add(self, games: int, seconds: float) -> None:
        self.games += games
        self.seconds += seconds

    def group(self, parts: Iterable[Segment]) -> Iterator[list[Segment]]:
        task: list[Segment] = []
        size = 0
        for start, end in parts:
            wanted = min(max(self.elapsed / 20, TASK_SECONDS[0]), TASK_SECONDS[1])
            most = wanted * self.games / self.seconds if self.seconds else 0.0
            if task and size + end - start > most:
                yield task
                task, size = [], 0
            task.append((start, end))
            size += end - start
        if task:
            yield task

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started


def run(match: Match, loader: Any, plan: Plan, watch: Watch, say: Callable[[str], None] = lambda text: None) -> Run:
    """Play `match` by `plan` and return the finished prefix; see `answer`."""
    return answer(Odds(match, plan.precision), loader, plan, watch, say)


def answer(
    question: Question,
    loader: Any,
    plan: Plan,
    watch: Watch,
    say: Callable[[str], None] = lambda text: None,
    before: Any = None,
) -> Run:
    """Play the matches of `question` by `plan` and return the finished prefix.

    `before` is the tally of an earlier run of the same question, shorter than this one: it is played on.

    Raises
    ------
    IllegalActionError, StuckGameError
        From a game that cannot go on.
    """
    import joblib

    players = [Player(match, loader, say) for match in question.matches]  # compiles here, before anything fans out
    rotations = len(question.matches[0].rotations)
    tally = question.tally(players) if before is None else before
    pace = _Pace(plan.jobs)
    seen: list[Any] = []
    keep = watch.rows is not None

    def stopped() -> StopReason | None:
        if watch.interrupted():
            return "interrupted"
        if plan.max_time is not None and pace.elapsed > plan.max_time:
            return "max-time"
        return None

    work = _Work(question.first, plan, rotations, pace, lambda: bool(reason) or stopped() is not None)
    work.start = tally.games
    goals = work.goals()
    goal = next(goals)
    reason: StopReason | None = None
    fault: MachineError | None = None
    with joblib.Parallel(
        n_jobs=plan.jobs, backend=plan.backend, return_as="generator", pre_dispatch="n_jobs + 1"
    ) as pool:
        play = _task(question, players, loader, plan)
        answers = _answers(pool, (joblib.delayed(play)(task, keep) for task in work.tasks()))
        for part, rows, seconds in answers:
            if isinstance(part, MachineError):
                fault = None if watch.interrupted() else part  # who stops us may have stopped the workers first
                reason = reason or "interrupted"
            if reason is not None:  # played ahead of an answer that was good enough
                continue
            first_game = tally.games
            tally.add(part)
            pace.add(part.games, seconds)
            if watch.rows is not None:
                try:
                    watch.rows(first_game, rows)
                except MachineError as error:
                    fault, reason = error, "interrupted"
                    continue
            watch.progress(tally.games, plan.games or goal, tally.games / pace.elapsed)
            if tally.games == goal:
                seen.append(question.look(tally))
                watch.look(seen[-1])
                if plan.games is None:
                    reason = question.enough(seen[-1])
                goal = next(goals, goal)
    if plan.backend == "loky":
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)  # no worker outlives its run
    if tally.games and (not seen or seen[-1].games != tally.games):
        seen.append(question.look(tally))
    if reason is None and tally.games == plan.limit(rotations):
        reason = "games" if plan.games is not None else "budget"
    if reason is None:
        reason = stopped() or "interrupted"
    if plan.games is not None:
        return Run(tally, seen, reason, plan.games, tally.games, "games", pace.elapsed, plan.jobs, fault)
    reached = question.reached(seen[-1]) if seen else 100.0
    return Run(tally, seen, reason, question.target, reached, question.unit, pace.elapsed, plan.jobs, fault)


@dataclass
class _Work:
    """The tasks of a run, look after look, as far as the workers get before it is stopped.

    Workers run ahead of the answers: a look is judged while the next is played.
    """

    first: int
    plan: Plan
    rotations: int
    pace: _Pace
    stopped: Callable[[], bool]
    start: int = 0

    def goals(self) -> Iterator[int]:
        """Return the looks that are not behind."""
        every = looks(self.rotations, first=self.first, limit=self.plan.limit(self.rotations))
        return (goal for goal in every if goal > self.start)

    def tasks(self) -> Iterator[list[Segment]]:
        """Yield lists of segments; none reaches over a look."""
        done = self.start
        for goal in self.goals():
            for task in self.pace.group(segments(done, goal, self.plan.block_deals * self.rotations)):
                if self.stopped():
                    return
                yield task
            done = goal


def segments(first: int, end: int, block: int) -> Iterator[Segment]:
    """Yield the parts of ``first .. end`` cut at multiples of `block`."""
    while first < end:
        cut = min((first // block + 1) * block, end)
        yield first, cut
        first = cut


def side_interval(tally: Tally, side: int, confidence: float) -> tuple[float, float, float]:
    """Return (rate, low, high) of a side's share of wins."""
    total, squares = tally.share_sums(side)
    low, high = share_interval(tally.deals, total, squares, tally.rotations, confidence)
    rate = total / (WHOLE_WIN * tally.games) if tally.games else 0.0
    return rate, low, high


def _task(question: Question, players: Sequence[Player], loader: Any, plan: Plan) -> Callable[..., Any]:
    if plan.backend == "threading":
        return lambda task, keep: _play(question, players, task, keep)
    return _Remote(question, loader.__name__, jit.sources_digest(), os.getpid())


def _play(question: Question, players: Sequence[Player], task: list[Segment], keep: bool) -> tuple[Any, Any, float]:
    """Play the segments of a task; return their counts, the first match's rows if kept, and the seconds it took."""
    import numpy as np

    started = time.perf_counter()
    tally = question.tally(players)
    kept = []
    for start, end in task:
        rows = [player.play(start, end - start) for player in players]
        question.count(tally, rows, start)
        if keep:
            kept.append(rows[0])
    return tally, np.concatenate(kept) if keep else None, time.perf_counter() - started


@dataclass(frozen=True)
class _Remote:
    """A task for another process: it gets names and numbers, and finds its kernels by itself."""

    question: Question
    loader: str
    sources: str
    parent: int

    def __call__(self, task: list[Segment], keep: bool) -> tuple[Any, Any, float]:
        import signal

        if os.getpid() != self.parent:  # who alone decides, though all of us are signalled; one job runs there
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if jit.sources_digest() != self.sources:
            raise MachineError("a worker runs other sources than this program; install the same version everywhere")
        players = [_player(_Key(match, self.loader)) for match in self.question.matches]
        return _play(self.question, players, task, keep)


class _Key:
    """A match as a cache key: equal if all its names and numbers are."""

    def __init__(self, match: Match, loader: str) -> None:
        self.match, self.loader = match, loader
        self._content = (
            match.game,
            match.seed,
            match.n_seats,
            match.rotations,
            match.strategies,
            match.pace,
            match.params.tobytes(),
            match.tabs.tobytes(),
        )

    def __hash__(self) -> int:
        return hash(self._content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._content == other._content


@lru_cache(maxsize=4)
def _player(key: _Key) -> Player:
    import importlib

    return Player(key.match, importlib.import_module(key.loader))


def _answers(pool: Any, calls: Any) -> Iterator[Any]:
    """Yield the answers of `calls` in order, whatever the order they finish in; the loss of a worker is the last."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        yield from pool(calls)
    except BrokenProcessPool:
        yield MachineError("a worker process was lost"), None, 0.0
