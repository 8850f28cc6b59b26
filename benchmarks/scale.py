"""What long runs cost: peak memory and time by number of games, and time by number of workers.

``python -m benchmarks.scale`` plays 1 and 10 million duel games, ``--full`` 10 and 100 million (minutes on two cores);
``--only memory`` or ``--only workers`` one of both. Every run is a process of its own, the command as a user types it;
the first, not shown, compiles. It prints:

* memory: `balance run` with and without ``--keep-games`` (there a tenth of the games), peak memory of the process;
* workers: the same games by 1 and 2 threads, 1, 2 and 4 processes, and on a Dask cluster of 1, 2 and 4 workers of this
  machine. More workers than cores show what is overhead.
* the model: N games by w workers on as many cores take ``a + N max(1 / (w r), c)`` seconds. ``a`` and ``r`` come from
  runs of N and N / 10 games by one worker; ``c`` is what the program itself, which hands out the work and adds up the
  answers, needs of its own processor for a game: beyond ``1 / (r c)`` workers it is the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-c", "import cli; cli.main()")
SCENARIO = "hate-to-kill-you/film-duel"


class Cost(NamedTuple):
    """What a command took: seconds by the clock, MiB at the most, seconds of the processor."""

    seconds: float
    memory: float
    processor: float


def measured(*words: str) -> Cost:
    """Run a command; return what its process took, without processes that it talked to."""
    started = time.perf_counter()
    process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"balance {' '.join(words)}: exit code {process.returncode}")
    return Cost(time.perf_counter() - started, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Start a scheduler and workers of one thread each; yield the scheduler's address."""
    file = folder / f"scheduler-{workers}.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    started = [_started("dask_scheduler", *words)]
    try:
        while not file.exists() or not file.read_text(encoding="utf-8"):
            time.sleep(0.1)
        address = str(json.loads(file.read_text(encoding="utf-8"))["address"])
        one = (address, "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        started += [_started("dask_worker", *one) for _ in range(workers)]
        time.sleep(3.0)
        yield address
    finally:
        for process in started:
            process.kill()
            process.wait()


def _started(program: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{program}", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
    )


def memory(folder: Path, sizes: tuple[int, int]) -> None:
    """Print peak memory and time of two lengths."""
    for games in sizes:
        seconds, peak, _ = measured("run", SCENARIO, "--games", str(games), "-o", str(folder / f"{games}"))
        print(f"{games:>13,} games                {seconds:7.1f} s  {peak:6.0f} MiB", flush=True)
    for games in sizes:
        kept = games // 10
        words = ("run", SCENARIO, "--games", str(kept), "--keep-games", "-o", str(folder / f"kept-{kept}"))
        seconds, peak, _ = measured(*words)
        print(f"{kept:>13,} games, rows kept     {seconds:7.1f} s  {peak:6.0f} MiB", flush=True)


def workers(folder: Path, games: int) -> None:
    """Print what the same games take by more and more workers, and the model of still more."""
    words = ("odds", SCENARIO, "--json", "--games")
    for backend, counts in (("threads", (1, 2)), ("processes", (1, 2, 4))):
        for jobs in counts:
            seconds = measured(*words, str(games), "--backend", backend, "--jobs", str(jobs)).seconds
            print(f"{jobs} {backend:<10} {seconds:7.1f} s  {games / seconds:12,.0f} games/s", flush=True)
    costs = {}
    for number in (1, 2, 4):
        with cluster(folder, number) as address:
            there = ("--backend", "dask", "--scheduler", address)
            few = measured(*words, str(games // 10), *there)  # workers load their kernels
            few = measured(*words, str(games // 10), *there)
            costs[number] = few, measured(*words, str(games), *there)
        seconds = costs[number][1].seconds
        print(f"{number} {'Dask':<10} {seconds:7.1f} s  {games / seconds:12,.0f} games/s", flush=True)
    few, many = costs[1]
    each = (many.seconds - few.seconds) / (games - games // 10)
    own = (many.processor - few.processor) / (games - games // 10)
    start = many.seconds - each * games
    print(f"model: {start:.1f} s + games x max({each * 1e6:.2f} us / workers, {own * 1e6:.3f} us): ", end="")
    print(f"up to {each / own:,.0f} workers")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="10 and 100 million games")
    parser.add_argument("--only", choices=("memory", "workers"), help="one of both")
    options = parser.parse_args()
    sizes = (10_000_000, 100_000_000) if options.full else (1_000_000, 10_000_000)
    with tempfile.TemporaryDirectory() as folder:
        measured("odds", SCENARIO, "--games", "1000")
        if options.only != "workers":
            memory(Path(folder), sizes)
        if options.only != "memory":
            workers(Path(folder), sizes[0])


if __name__ == "__main__":
    main()
