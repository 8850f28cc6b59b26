"""Runs a match: fixed blocks of games fanned out with joblib, judged at fixed looks, stopped by one rule.

No result depends on blocks, tasks, jobs or speed: games are numbered, a look is a game count, and only the longest
finished prefix of the numbering counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

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
StopReason = Literal["games", "precision", "max-time", "interrupted"]


@dataclass(frozen=True)
class Plan:
    """How long to play and with what.

    Parameters
    ----------
    games : int or None
        Exactly so many games; None: until `precision`.
    precision : float
        In points: the longer arm wanted of every side's interval; used where `games` is None.
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
    max_time: float | None = None
    jobs: int = 1
    backend: Literal["threading", "loky"] = "threading"
    block_deals: int = BLOCK_DEALS


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
    """A run and why it stopped. `target` and `reached` are in `unit`: games, or points of precision."""

    tally: Tally
    looks: list[Look]
    reason: StopReason
    target: float
    reached: float
    unit: Literal["games", "points"]
    seconds: float
    jobs: int


@dataclass
class Watch:
    """What the caller wants to see and say while a run goes on.

    Parameters
    ----------
    look : function of Look
    progress : function of (games finished, games of the current look, games per second)
    rows : function of (first game, rows)
        Kept rows of finished blocks, in order.
    interrupted : function
        True once the user wants to stop.
    """

    look: Callable[[Look], None] = lambda look: None
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
    """Play `match` by `plan` and return the finished prefix.

    Raises
    ------
    IllegalActionError, StuckGameError
        From a game that cannot go on.
    MachineError
        If workers were lost.
    """
    import joblib

    player = Player(match, loader, say)  # compiles here, once, before anything is fanned out
    rotations = len(match.rotations)
    layout = Layout.of(player.game, match)
    tally = Tally(layout)
    pace = _Pace(plan.jobs)
    seen: list[Look] = []
    precision = plan.precision / 100
    first = first_look(precision, CONFIDENCE, rotations)
    keep = watch.rows is not None

    def stopped() -> StopReason | None:
        if watch.interrupted():
            return "interrupted"
        if plan.max_time is not None and pace.elapsed > plan.max_time:
            return "max-time"
        return None

    work = _Work(first, plan, rotations, pace, lambda: bool(reason) or stopped() is not None)
    goals = looks(rotations, first=first, limit=plan.games)
    goal = next(goals)
    reason: StopReason | None = None
    with joblib.Parallel(
        n_jobs=plan.jobs, backend=plan.backend, return_as="generator", pre_dispatch="n_jobs + 1"
    ) as pool:
        play = _task(player, match, loader, plan)
        for part, rows, seconds in _answers(pool, (joblib.delayed(play)(task, keep) for task in work.tasks())):
            if reason == "precision":  # played ahead of an answer that was precise enough
                continue
            first_game = tally.games
            tally.add(part)
            pace.add(part.games, seconds)
            if watch.rows is not None:
                watch.rows(first_game, rows)
            watch.progress(tally.games, plan.games or goal, tally.games / pace.elapsed)
            if tally.games == goal:
                seen.append(_look(tally))
                watch.look(seen[-1])
                if plan.games is None and seen[-1].arm <= precision:
                    reason = "precision"
                goal = next(goals, goal)
    if plan.backend == "loky":
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)  # no worker outlives its run
    if tally.games and (not seen or seen[-1].games != tally.games):
        seen.append(_look(tally))
    if reason is None:
        reason = "games" if tally.games == plan.games else stopped() or "interrupted"
    return _finished(plan, tally, seen, reason, pace)


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

    def tasks(self) -> Iterator[list[Segment]]:
        """Yield lists of segments; none reaches over a look."""
        done = 0
        for goal in looks(self.rotations, first=self.first, limit=self.plan.games):
            for task in self.pace.group(segments(done, goal, self.plan.block_deals * self.rotations)):
                if self.stopped():
                    return
                yield task
            done = goal


def _finished(plan: Plan, tally: Tally, seen: list[Look], reason: StopReason, pace: _Pace) -> Run:
    if plan.games is not None:
        return Run(tally, seen, reason, plan.games, tally.games, "games", pace.elapsed, plan.jobs)
    reached = seen[-1].arm * 100 if seen else 100.0
    return Run(tally, seen, reason, plan.precision, reached, "points", pace.elapsed, plan.jobs)


def segments(first: int, end: int, block: int) -> Iterator[Segment]:
    """Yield the parts of ``first .. end`` cut at multiples of `block`."""
    while first < end:
        cut = min((first // block + 1) * block, end)
        yield first, cut
        first = cut


def _look(tally: Tally) -> Look:
    return Look(tally.games, tuple(side_interval(tally, side, CONFIDENCE) for side in range(tally.layout.n_sides)))


def side_interval(tally: Tally, side: int, confidence: float) -> tuple[float, float, float]:
    """Return (rate, low, high) of a side's share of wins."""
    total, squares = tally.share_sums(side)
    low, high = share_interval(tally.deals, total, squares, tally.rotations, confidence)
    rate = total / (WHOLE_WIN * tally.games) if tally.games else 0.0
    return rate, low, high


def _task(player: Player, match: Match, loader: Any, plan: Plan) -> Callable[..., Any]:
    if plan.backend == "threading":
        return lambda task, keep: _play(player, task, keep)
    return _Remote(match, loader.__name__, jit.sources_digest())


def _play(player: Player, task: list[Segment], keep: bool) -> tuple[Tally, Any, float]:
    """Play the segments of a task; return their tally, their rows if kept, and the seconds it took."""
    import numpy as np

    started = time.perf_counter()
    tally = Tally(Layout.of(player.game, player.match))
    kept = []
    for start, end in task:
        rows = player.play(start, end - start)
        tally.count(rows, start)
        if keep:
            kept.append(rows)
    return tally, np.concatenate(kept) if keep else None, time.perf_counter() - started


@dataclass(frozen=True)
class _Remote:
    """A task for another process: it gets names and numbers, and finds its kernels by itself."""

    match: Match
    loader: str
    sources: str

    def __call__(self, task: list[Segment], keep: bool) -> tuple[Tally, Any, float]:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides; its terminal signals all of us
        if jit.sources_digest() != self.sources:
            raise MachineError("a worker runs other sources than this program; install the same version everywhere")
        return _play(_player(_Key(self.match, self.loader)), task, keep)


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
    """Yield the answers of `calls` in order, whatever the order they finish in."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield from pool(calls)
    except TerminatedWorkerError:
        raise MachineError("a worker process was lost; finished blocks are kept") from None
