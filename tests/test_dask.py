"""A cluster plays the same games, says what is wrong with it, and costs time but no results when it loses workers."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from console import COMMAND, balance, environment
from runs import ENDLESS, KEPT, Started, content, enough, hidden, timeline
from support import ROOT, sampled
from test_cli import DUEL

GAMES = 60_000
ENDLESS_ODDS = ("odds", "duel.yaml", "--games", str(ENDLESS), "--json", "-v")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dask")
    (folder / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return folder


class Cluster:
    """A scheduler and its workers, each a process of its own as on a real cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.processes = [self._start("dask_scheduler", *words)]
        deadline = time.monotonic() + 60
        while not file.exists() or not file.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline, "no scheduler"
            time.sleep(0.05)
        self.address = str(json.loads(file.read_text(encoding="utf-8"))["address"])

    def _start(self, program: str, *words: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *words],
            cwd=self.folder,
            env=environment() | more,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def worker(self, **more: str) -> subprocess.Popen[bytes]:
        """Start a worker; the scheduler learns of it a little later."""
        words = (self.address, "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        self.processes.append(self._start("dask_worker", *words, **more))
        return self.processes[-1]

    def staffed(self, workers: int) -> None:
        """Wait until the scheduler knows so many workers."""
        self.asked(lambda client: client.wait_for_workers(workers, timeout=60))

    def asked(self, question: Callable[[Any], Any]) -> Any:
        """Ask the cluster something, from outside of the program."""
        with Client(self.address, timeout=30, set_as_default=False) as client:
            return question(client)

    def options(self) -> tuple[str, ...]:
        return ("--backend", "dask", "--scheduler", self.address)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.close()


MATCHES_PLAYED = "__import__('simcore.remote').remote._player.cache_info().currsize"
"""For a worker: how many matches it has played."""


def began(folder: Path, cluster: Cluster) -> subprocess.Popen[str]:
    """Start to play games without end; return once some are played."""
    process = subprocess.Popen(
        [*COMMAND, *ENDLESS_ODDS, *cluster.options()],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    while "look" not in (line := process.stderr.readline()):
        assert line, "it ended"
    return process


def test_a_cluster_that_loses_workers_at_any_moment_plays_the_same_games(folder: Path, cluster: Cluster) -> None:
    # B31: a worker that is killed costs time, not results
    whole = balance(folder, *KEPT, "-o", "whole", "--games", str(GAMES))
    assert whole.returncode == 0, whole.stderr
    cluster.worker()
    victim = cluster.worker()
    chance = random.Random(4)
    moments, hits, life = sampled(2, 20), 0, 0.0
    for moment in range(1 + moments):
        cluster.staffed(2)
        run = Started(folder, "x", GAMES, "--force", *cluster.options())
        if not moment:
            seen = timeline(run)
            life = seen["stop"] - seen["playing"]
            continue
        assert run.until(run.playing)
        time.sleep(chance.uniform(0, life))
        hits += not run.noted("stop")
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        victim = cluster.worker()
        code, _, err = run.end()
        assert code == 0, err
        assert content(folder / "x") == content(folder / "whole")
        assert [name for name in hidden(folder) if "dask" not in name] == []
    assert enough(hits, moments)


def test_a_cluster_of_one_thread_plays_and_is_checked_while_it_plays(
    folder: Path, cluster: Cluster, tmp_path: Path
) -> None:
    # joblib alone would play in this process where it finds one place only
    cluster.worker()
    cluster.staffed(1)
    here = balance(folder, "odds", "duel.yaml", "--games", "20000", "--json")
    there = balance(folder, "odds", "duel.yaml", "--games", "20000", "--json", *cluster.options())
    one, other = (json.loads(done.stdout) for done in (here, there))
    assert other["timing"].pop("jobs") == 1
    assert {**one, "timing": 0} == {**other, "timing": 0}
    assert list(cluster.asked(lambda client: client.run(eval, MATCHES_PLAYED)).values()) == [1]
    process = began(folder, cluster)
    cluster.worker(PYTHONPATH=str(other_sources(tmp_path)))  # comes later
    out, err = process.communicate(timeout=120)
    assert process.returncode == 4, err
    assert "a worker runs other sources than this program; install the same version everywhere" in err
    assert "Traceback" not in err
    assert json.loads(out)["stop"]["reason"] == "interrupted"


def test_a_cluster_whose_workers_are_gone_need_not_be_waited_for(folder: Path, cluster: Cluster) -> None:
    worker = cluster.worker()
    cluster.staffed(1)
    process = began(folder, cluster)
    worker.send_signal(signal.SIGKILL)
    time.sleep(1.0)
    assert process.poll() is None  # another one may come
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert json.loads(out)["stop"]["reason"] == "interrupted"


def test_a_cluster_that_is_gone_is_said_in_one_line(folder: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.staffed(1)
    process = began(folder, cluster)
    cluster.close()
    out, err = process.communicate(timeout=120)
    assert process.returncode == 4, err
    assert "the cluster" in err and "Traceback" not in err
    assert json.loads(out)["stop"]["reason"] == "interrupted"


def test_a_scheduler_that_dies_while_the_program_connects_is_said_in_one_line(folder: Path, tmp_path: Path) -> None:
    chance = random.Random(6)
    for moment in range(sampled(1, 12)):
        place = tmp_path / str(moment)
        place.mkdir()
        found = Cluster(place)
        try:
            found.worker()
            found.staffed(1)
            process = subprocess.Popen(
                [*COMMAND, "odds", "duel.yaml", "--games", str(ENDLESS), *found.options()],
                cwd=folder,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            time.sleep(chance.uniform(0.8, 3.0))
            found.processes[0].kill()
            _, err = process.communicate(timeout=120)
        finally:
            found.close()
        assert process.returncode == 4, err
        lines = [line for line in err.splitlines() if "compiling" not in line]
        assert len(lines) == 1 and "cluster" in lines[0], err


def test_a_cluster_without_workers_is_told_apart(folder: Path, cluster: Cluster) -> None:
    done = balance(folder, "odds", "duel.yaml", *cluster.options())
    words = f"--scheduler {cluster.address}: has no worker; start one: dask worker {cluster.address}\n"
    assert (done.returncode, done.stderr) == (4, words)


def test_who_has_no_cluster_is_told_so(folder: Path) -> None:
    nobody = balance(folder, "odds", "duel.yaml", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert (nobody.returncode, nobody.stderr.count("\n")) == (4, 1)
    assert "no Dask cluster answers there" in nobody.stderr
    missing = balance(folder, "odds", "duel.yaml", "--backend", "dask")
    assert (missing.returncode, missing.stderr) == (2, "--backend dask: expected --scheduler ADDRESS with it\n")
    other = balance(folder, "odds", "duel.yaml", "--scheduler", "tcp://127.0.0.1:9")
    assert (other.returncode, other.stderr) == (2, "--scheduler: expected --backend dask with it\n")


def other_sources(folder: Path) -> Path:
    """Return where another version of this program lies."""
    other = folder / "other"
    for part in ("simcore", "strategies"):
        shutil.copytree(ROOT / part, other / part)
    with (other / "simcore" / "rng.py").open("a", encoding="utf-8") as file:
        file.write("\n# another version\n")
    return other


def test_a_worker_of_other_sources_is_refused(folder: Path, cluster: Cluster, tmp_path: Path) -> None:
    cluster.worker(PYTHONPATH=str(other_sources(tmp_path)))
    refused = balance(folder, "odds", "duel.yaml", "--backend", "dask", "--scheduler", cluster.address)
    assert refused.returncode == 4, refused.stderr
    assert "runs other sources than this program; install the same version everywhere" in refused.stderr
    assert [line for line in refused.stderr.splitlines()[:-1] if "compiling" not in line] == []
