"""Workers in other processes, here or on a cluster: what they are given, what they check, how they end."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from simcore import jit
from simcore.errors import InputError, MachineError
from simcore.match import Match
from simcore.player import Player

OTHER_SOURCES = "runs other sources than this program; install the same version everywhere"
CONNECT_SECONDS = 10
"""A scheduler that does not answer for so long is gone; as long may the first worker take to come."""

WORKER_SECONDS = 60
"""A cluster without any worker for so long has lost them for good."""

_PARENT_SECONDS = 0.5


@dataclass(frozen=True, eq=False)  # Dask puts tasks into sets, and arrays have no hash
class Remote:
    """A task for another process: it gets names, numbers and digests, and finds its kernels by itself.

    Parameters
    ----------
    question : Question
    play : function of (question, players, task, keep)
    loader : str
        Module that finds games and strategies by name.
    sources : str
        Digest of our code.
    own : tuple of (reference, digest)
        A designer's own code.
    """

    question: Any
    play: Callable[..., Any]
    loader: str
    sources: str
    own: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, question: Any, players: Sequence[Player], loader: Any, play: Callable[..., Any]) -> Remote:
        """Return the task that does here what the players do."""
        own = {pair for player in players for pair in _own_code(player, loader)}
        return cls(question, play, loader.__name__, jit.sources_digest(), tuple(sorted(own)))

    def __call__(self, task: Any, keep: bool) -> Any:
        """Play a task; raise a `MachineError` where that would be another game."""
        import importlib

        if jit.sources_digest() != self.sources:
            raise MachineError(f"a worker {OTHER_SOURCES}")
        loader = importlib.import_module(self.loader)
        try:
            players = [_player(_Key(match, self.loader)) for match in self.question.matches]
            own = {pair for player in players for pair in _own_code(player, loader)}
        except InputError as error:
            raise MachineError(f"a worker lacks what the scenario names: {error}".splitlines()[0]) from None
        if own != set(self.own):
            name = min(own.symmetric_difference(self.own))[0]
            raise MachineError(f"a worker has another {name}; put the same file there")
        return self.play(self.question, players, task, keep)


def _own_code(player: Player, loader: Any) -> Iterator[tuple[str, str]]:
    match = player.match
    for ref in {ref for row in match.strategies for ref in row}:
        digest = loader.strategy(match.game, ref).code(player.game)
        if digest:
            yield ref, digest


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


# -- processes of this machine --------------------------------------------------------------------------------------


def serve(parent: int) -> None:
    """Begin the life of a worker process: the parent alone decides what signals mean, and no worker outlives it.

    The system's own signal for a lost parent would come when the parent's thread ends that started the worker.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def processes(jobs: int, **options: Any) -> Iterator[Any]:
    """Give what plays tasks in worker processes; none outlives the context."""
    import joblib
    from joblib.externals.loky import get_reusable_executor

    over = threading.Event()
    workers = {"backend": "loky", "initializer": serve, "initargs": (os.getpid(),)}
    try:
        with joblib.Parallel(n_jobs=jobs, **workers, **options) as pool:
            executor = get_reusable_executor(reuse=True)
            threading.Thread(target=_end_together, args=(executor, over), daemon=True).start()
            yield pool
    finally:
        get_reusable_executor(reuse=True).shutdown(wait=True)
        over.set()


def _end_together(executor: Any, over: threading.Event) -> None:
    """End all workers once one was killed, and close the pipe for their answers.

    A worker that is killed while it writes leaves half an answer there, and loky would wait for the rest for ever.
    """
    while not over.wait(_PARENT_SECONDS):
        workers = list(executor._processes.values())
        if any(worker.exitcode for worker in workers):
            for worker in workers:
                if worker.exitcode is None:
                    with suppress(ProcessLookupError):
                        os.kill(worker.pid, signal.SIGKILL)
            executor._result_queue._writer.close()
            return


# -- a cluster ------------------------------------------------------------------------------------------------------


@contextmanager
def cluster(scheduler: str) -> Iterator[Any]:
    """Connect to the Dask scheduler at an address, and check what its workers run.

    Raises
    ------
    InputError
        If the extra is not installed.
    MachineError
        If nobody answers, or a worker runs other sources.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError.of("--backend dask", "needs one more package: pip install 'tablebalance[dask]'") from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).disabled = True  # what goes wrong with a cluster is said by us, in one line
    with _answering(scheduler):
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    with client:
        with _answering(scheduler):
            _wait_for_a_worker(client, scheduler)
            digests = client.run(jit.sources_digest, on_error="return", callback_timeout=WORKER_SECONDS)
        for worker, digest in digests.items():
            if isinstance(digest, Exception):
                raise MachineError(f"worker {worker}: cannot play: {digest}; install this version there")
            if digest != jit.sources_digest():
                raise MachineError(f"worker {worker}: {OTHER_SOURCES}")
        yield client


@contextmanager
def _answering(scheduler: str) -> Iterator[None]:
    """Turn a cluster that is not there, or goes away while it is asked, into a `MachineError`."""
    try:
        yield
    except (OSError, ValueError, asyncio.CancelledError, concurrent.futures.CancelledError) as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise MachineError(f"--scheduler {scheduler}: no Dask cluster answers there ({reason})") from None


def _wait_for_a_worker(client: Any, scheduler: str) -> None:
    """Play a task of nothing: a cluster may have to start its first worker."""
    try:
        client.submit(int, pure=False).result(timeout=CONNECT_SECONDS)
    except TimeoutError:
        if client.status != "running":
            raise
        raise MachineError(f"--scheduler {scheduler}: has no worker; start one: dask worker {scheduler}") from None


def pool(client: Any, interrupted: Callable[[], bool], stack: ExitStack, **options: Any) -> tuple[Watched, int]:
    """Return what plays tasks on a cluster, and how many at once; `stack` ends it."""
    import joblib

    with joblib.parallel_config(backend="dask", client=client, wait_for_workers_timeout=WORKER_SECONDS) as found:
        backend = found["backend"]
    count = backend.effective_n_jobs
    # where there is one place only, joblib would play in this process instead
    backend.effective_n_jobs = lambda n_jobs: max(count(n_jobs), 2)
    tasks = stack.enter_context(joblib.Parallel(n_jobs=-1, backend=backend, **options))
    return Watched(tasks, client, interrupted), sum(client.ncores().values())


class Watched:
    """A pool on a cluster that notices when no answer can come any more: joblib would wait for it for ever."""

    def __init__(self, pool: Any, client: Any, interrupted: Callable[[], bool]) -> None:
        self.pool, self.client, self.interrupted = pool, client, interrupted

    def __call__(self, calls: Iterable[Any]) -> Iterator[Any]:
        """Yield the answers of `calls` in order.

        Raises
        ------
        MachineError
            If scheduler or workers are gone and do not come back, or if the user does not want to wait.
        """
        found: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._collect, args=(calls, found), daemon=True).start()
        heard = staffed = time.monotonic()
        while True:
            try:
                answer, error = found.get(timeout=_PARENT_SECONDS)
            except queue.Empty:
                cores, now = self._cores(), time.monotonic()
                heard = heard if cores is None else now
                staffed = now if cores else staffed
                if now - heard > CONNECT_SECONDS:
                    raise MachineError("the cluster is gone: its scheduler does not answer any more") from None
                if now - staffed > WORKER_SECONDS:
                    raise MachineError(f"the cluster has had no worker for {WORKER_SECONDS} seconds") from None
                if self.interrupted():
                    raise MachineError("the cluster was not waited for") from None
                continue
            heard = staffed = time.monotonic()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield answer

    def _cores(self) -> int | None:
        """Return how many tasks the cluster plays at once, None if its scheduler does not answer."""
        try:
            running = self.client.status == "running"
            return sum(self.client.ncores(callback_timeout=CONNECT_SECONDS).values()) if running else None
        except (OSError, ValueError, asyncio.CancelledError, concurrent.futures.CancelledError):
            return None

    def _collect(self, calls: Iterable[Any], found: queue.SimpleQueue[tuple[Any, BaseException | None]]) -> None:
        try:
            for answer in self.pool(calls):
                found.put((answer, None))
            found.put((None, StopIteration()))
        except BaseException as error:  # who waits for the answer hears of it
            found.put((None, error))


def lost(error: Exception) -> MachineError | None:
    """Return what to say of an error that means that workers were lost; None for any other."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"BrokenProcessPool", "TerminatedWorkerError"}:
        return MachineError("a worker process was lost")
    if names & {"KilledWorker", "CommClosedError", "FutureCancelledError", "CancelledError", "TimeoutError"}:
        return MachineError(f"the cluster failed: {' '.join(str(error).split())[:200]}")
    return error if isinstance(error, MachineError) else None
