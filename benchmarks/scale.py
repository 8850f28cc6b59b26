"""What long runs cost: peak memory and time by number of games, and time by number of workers.

``python -m benchmarks.scale`` plays 1 and 10 million duel games, ``--full`` 10 and 100 million (minutes on two cores).
Every run is a process of its own, the command as a user types it; the first, not shown, compiles. It prints:

* memory: `balance run` with and without ``--keep-games`` (there a tenth of the games), peak memory of the process;
* workers: the same games by 1 and 2 threads, 1, 2 and 4 processes, and on a Dask cluster of 1, 2 and 4 workers of this
  machine. What one worker more than there are cores brings is what to expect of nothing but overhead.
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

COMMAND = (sys.executable, "-c", "import cli; cli.main()")
SCENARIO = "hate-to-kill-you/film-duel"


def measured(*words: str) -> tuple[float, float]:
    """Run a command; return (seconds, peak memory in MiB)."""
    started = time.perf_counter()
    process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"balance {' '.join(words)}: exit code {process.returncode}")
    return time.perf_counter() - started, used.ru_maxrss / 1024


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
        seconds, peak = measured("run", SCENARIO, "--games", str(games), "-o", str(folder / f"{games}"))
        print(f"{games:>13,} games                {seconds:7.1f} s  {peak:6.0f} MiB", flush=True)
    for games in sizes:
        kept = games // 10
        words = ("run", SCENARIO, "--games", str(kept), "--keep-games", "-o", str(folder / f"kept-{kept}"))
        seconds, peak = measured(*words)
        print(f"{kept:>13,} games, rows kept     {seconds:7.1f} s  {peak:6.0f} MiB", flush=True)


def workers(folder: Path, games: int) -> None:
    """Print what the same games take by more and more workers."""
    words = ("odds", SCENARIO, "--games", str(games), "--json")
    for backend, counts in (("threads", (1, 2)), ("processes", (1, 2, 4))):
        for jobs in counts:
            seconds, _ = measured(*words, "--backend", backend, "--jobs", str(jobs))
            print(f"{jobs} {backend:<10} {seconds:7.1f} s  {games / seconds:12,.0f} games/s", flush=True)
    for number in (1, 2, 4):
        with cluster(folder, number) as address:
            again = (*words, "--backend", "dask", "--scheduler", address)
            measured(*again)  # workers load their kernels
            seconds, _ = measured(*again)
        print(f"{number} {'Dask':<10} {seconds:7.1f} s  {games / seconds:12,.0f} games/s", flush=True)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="10 and 100 million games")
    sizes = (10_000_000, 100_000_000) if parser.parse_args().full else (1_000_000, 10_000_000)
    with tempfile.TemporaryDirectory() as folder:
        measured("odds", SCENARIO, "--games", "1000")
        memory(Path(folder), sizes)
        workers(Path(folder), sizes[0])


if __name__ == "__main__":
    main()
