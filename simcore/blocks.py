"""Answers a question: fixed blocks of games fanned out with joblib, judged at fixed looks, stopped by one rule.

A `Question` says which matches are played, how their games are counted and when that is enough: the odds of one match
here, the difference of two in `comparison`.

No result depends on blocks, tasks, jobs or speed: games are numbered, a look is a game count, and only the longest
finished prefix of the numbering counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal, Protocol

from simcore import logs, remote
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

AHEAD = 4
"""Tasks that each worker may be ahead of the answers taken: what bounds memory where the disk is slow."""

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
        At most so many games, rounded up to whole deals.
    max_time : float or None
        Seconds after which no further block is started.
    jobs : int
        Threads or processes; a cluster has its own number.
    backend : "threading", "loky" or "dask"
    scheduler : str
        Address of the cluster's scheduler, for "dask".
    block_deals : int
        For tests: no result depends on it.
    """

    games: int | None = None
    precision: float = 0.5
    budget: int | None = None
    max_time: float | None = None
    jobs: int = 1
    backend: Literal["threading", "loky", "dask"] = "threading"
    scheduler: str = ""
    block_deals: int = BLOCK_DEALS

    def limit(self, rotations: int) -> int | None:
        """Return the games at which a run ends at the latest: whole deals."""
        budget = None if self.budget is None else -(-self.budget // rotations) * rotations
        return min((games for games in (self.games, budget) if games is not None), default=None)


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


@dataclass(frozen=True)
class Start:
    """Where an earlier run of the same question stopped: what it had counted, its looks, and the seconds it took."""

    tally: Any
    looks: Sequence[Any]
    seconds: float


@dataclass
class Watch:
    """What the caller wants to see and say while a run goes on.

    Parameters
    ----------
    look : function of the question's looks
    progress : function of (games finished, games of the current look, games per second)
    rows : function of (first game, rows)
        Kept rows of the first match in finished blocks, in order.
    finished : function of (tally, looks, seconds)
        All that is finished, each time there is more of it; may raise a `MachineError`.
    interrupted : function
        True once the user wants to stop.
    """

    look: Callable[[Any], None] = lambda look: None
    progress: Callable[[int, int, float], None] = lambda done, goal, speed: None
    rows: Callable[[int, Any], None] | None = None
    finished: Callable[[Any, Sequence[Any], float], None] = lambda tally, looks, seconds: None
    interrupted: Callable[[], bool] = lambda: False


@dataclass
class _Pace:
    """Groups blocks into tasks that take about a twentieth of the time so far, within `TASK_SECONDS`."""

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
    start: Start | None = None,
) -> Run:
    """Play the matches of `question` by `plan`, from `start` on, and return the finished prefix.

    Raises
    ------
    IllegalActionError, StuckGameError
        From a game that cannot go on.
    MachineError
        If there is no cluster, or one of other sources.
    """
    players = [Player(match, loader, say) for match in question.matches]  # compiles here, before anything fans out
    state = _Progress(question, plan, watch, players, start)
    with ExitStack() as stack:
        pool, jobs = _pool(plan, stack, watch.interrupted)
        work = _Work(state, jobs)
        for part, rows, seconds in _answers(pool, work, _task(question, players, loader, plan)):
            state.take(part, rows, seconds)
    return state.end(jobs)


class _Progress:
    """What is finished of a run, and why it stopped once it has."""

    def __init__(
        self, question: Question, plan: Plan, watch: Watch, players: Sequence[Player], start: Start | None
    ) -> None:
        self.question, self.plan, self.watch = question, plan, watch
        self.rotations = len(question.matches[0].rotations)
        self.tally = start.tally if start else question.tally(players)
        self.limit = plan.limit(self.rotations)
        self.pace = _Pace()
        self.reason: StopReason | None = None
        self.fault: MachineError | None = None
        self.keep = watch.rows is not None
        self._first = self.tally.games
        self._seconds = start.seconds if start else 0.0
        before = set(takewhile(lambda games: games <= self._first, looks(self.rotations, first=question.first)))
        self._seen = [look for look in start.looks if look.games in before] if start else []
        if plan.games is None:  # an earlier run may have had another target
            self.reason = next((reason for reason in map(question.enough, self._seen) if reason), None)
        self._goals = self.goals()
        self._goal = next(self._goals, self._first)

    def goals(self) -> Iterator[int]:
        """Yield the looks that are still to come."""
        for goal in looks(self.rotations, first=self.question.first, limit=self.limit):
            if goal > self._first:
                yield goal

    @property
    def seconds(self) -> float:
        return self._seconds + self.pace.elapsed

    def stopped(self) -> StopReason | None:
        """Return what ends the run before its target."""
        if self.watch.interrupted():
            return "interrupted"
        if self.plan.max_time is not None and self.pace.elapsed > self.plan.max_time:
            return "max-time"
        return None

    def take(self, part: Any, rows: Any, seconds: float) -> None:
        """Add the answer of a task."""
        if isinstance(part, MachineError) and not self.watch.interrupted():
            self._fail(part)  # who stops us may have stopped the workers first
        if self.reason is not None or isinstance(part, MachineError):  # played ahead of an answer that was good enough
            return
        first_game = self.tally.games
        self.tally.add(part)
        self.pace.add(part.games, seconds)
        self._show()
        if self.tally.games == self._goal:
            self._look()
        try:
            if self.watch.rows is not None:
                self.watch.rows(first_game, rows)
            self.watch.finished(self.tally, self._seen, self.seconds)
        except MachineError as error:
            self._fail(error)

    def _fail(self, fault: MachineError) -> None:
        self.fault = self.fault or fault
        self.reason = self.reason or "interrupted"

    def _look(self) -> None:
        look = self.question.look(self.tally)
        self._seen.append(look)
        self.watch.look(look)
        reached = self.question.reached(look)
        logs.note("look", games=look.games, reached=reached, unit=self.question.unit, seconds=self.seconds)
        if self.plan.games is None:
            self.reason = self.question.enough(look)
        self._goal = next(self._goals, self._goal)

    def _show(self) -> None:
        """Say how far it is: a precision takes games by the square of the width that is still to go."""
        goal = self._goal if self.plan.games is None else self.limit or self.plan.games
        if self.plan.games is None and self._seen and self.question.target > 0:
            wanted = self._seen[-1].games * (self.question.reached(self._seen[-1]) / self.question.target) ** 2
            wanted = min(wanted, self.limit or wanted)
            goal = max(goal, int(wanted)) if math.isfinite(wanted) else goal  # the first ranges may have no end
        played = self.tally.games - self._first
        self.watch.progress(self.tally.games, goal, played / self.pace.elapsed)

    def end(self, jobs: int) -> Run:
        """Return the run as it stands."""
        tally, seen, reason = self.tally, self._seen, self.reason
        if tally.games and (not seen or seen[-1].games != tally.games):
            seen.append(self.question.look(tally))
        if reason is None and self.limit is not None and tally.games >= self.limit:  # an earlier run may hold more
            reason = "budget" if self.plan.games is None or self.plan.games > self.limit else "games"
        if reason is None:
            reason = self.stopped() or "interrupted"
        target, reached, unit = self.question.target, 100.0, self.question.unit
        if self.plan.games is not None:
            target, reached, unit = self.plan.games, tally.games, "games"
        elif seen:
            reached = self.question.reached(seen[-1])
        logs.note("stop", reason=reason, games=tally.games, seconds=self.seconds, fault=str(self.fault or ""))
        return Run(tally, seen, reason, target, reached, unit, self.seconds, jobs, self.fault)


class _Work:
    """The tasks of a run, look after look, as far as the workers get before it is stopped.

    Workers run ahead of the answers: a look is judged while the next is played. But not far ahead.
    """

    def __init__(self, state: _Progress, jobs: int) -> None:
        self.state = state
        self.over = False
        self._tasks = self._all()
        self._most = AHEAD * (jobs + 1)
        self._given = 0
        self._taken = 0

    def some(self) -> Iterator[list[Segment]]:
        """Yield tasks until there are no more, or until too many answers are waiting to be taken."""
        while self._given - self._taken < self._most:
            task = next(self._tasks, None)
            if task is None:
                self.over = True
                return
            self._given += 1  # by whoever hands out tasks; the other number by who takes answers
            yield task

    def taken(self) -> None:
        """Say that the answer of a task was taken."""
        self._taken += 1

    def _all(self) -> Iterator[list[Segment]]:
        """Yield lists of segments; none reaches over a look."""
        state = self.state
        done = state.tally.games
        for goal in state.goals():
            for task in state.pace.group(segments(done, goal, state.plan.block_deals * state.rotations)):
                if state.reason is not None or state.stopped():
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


def _pool(plan: Plan, stack: ExitStack, interrupted: Callable[[], bool]) -> tuple[Any, int]:
    """Return what plays tasks, and how many at once; `stack` ends it."""
    import joblib

    options: dict[str, Any] = {"return_as": "generator", "pre_dispatch": "n_jobs + 1", "batch_size": 1}
    jobs = plan.jobs
    if plan.backend == "dask":
        client = stack.enter_context(remote.cluster(plan.scheduler))
        return remote.pool(client, interrupted, stack, **options)
    if plan.backend == "loky":
        return stack.enter_context(remote.processes(jobs, **options)), jobs
    return stack.enter_context(joblib.Parallel(n_jobs=jobs, backend="threading", **options)), jobs


def _task(question: Question, players: Sequence[Player], loader: Any, plan: Plan) -> Callable[..., Any]:
    if plan.backend == "threading":
        return lambda task, keep: play(question, players, task, keep)
    return remote.Remote.of(question, players, loader, play)


def play(question: Question, players: Sequence[Player], task: list[Segment], keep: bool) -> tuple[Any, Any, float]:
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


def _answers(pool: Any, work: _Work, call: Callable[..., Any]) -> Iterator[Any]:
    """Yield the answers of all tasks in order, whatever the order they finish in; the loss of a worker is the last."""
    import joblib

    try:
        while not work.over:
            for answer in pool(joblib.delayed(call)(task, work.state.keep) for task in work.some()):
                work.taken()
                yield answer
    except Exception as error:
        lost = remote.lost(error)
        if lost is None:
            raise
        yield lost, None, 0.0
