"""A cluster plays the same games, says what is wrong with it, and costs time but no results when it loses workers."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import ROOT, sampled
from test_cli import COMMAND, DUEL, balance, environment

GAMES = 60_000
RUN = ("run", "duel.yaml", "--keep-games", "--json", "--block-deals", "64", "--games", str(GAMES))


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

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.close()


def content(out: Path) -> dict[str, Any]:
    """Return the rows, tables and counts of a run directory."""
    files = {
        str(file.relative_to(out)): file.read_bytes() for name in ("games", "tables") for file in (out / name).iterdir()
    }
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    del summary["timing"]
    return files | {"summary": summary}


def test_a_cluster_that_loses_workers_plays_the_same_games(folder: Path, cluster: Cluster) -> None:
    # B31: a worker that is killed costs time, not results
    whole = balance(folder, *RUN, "-o", "whole")
    assert whole.returncode == 0, whole.stderr
    chance = random.Random(4)
    for moment in range(sampled(2, 20)):
        victim = cluster.worker()
        cluster.worker()
        words = (*RUN, "-o", f"cluster-{moment}", "--backend", "dask", "--scheduler", cluster.address)
        process = subprocess.Popen(
            [*COMMAND, *words],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(chance.uniform(2.0, 5.0))
        victim.send_signal(signal.SIGKILL)
        _, err = process.communicate(timeout=90)
        assert process.returncode == 0, err
        assert content(folder / f"cluster-{moment}") == content(folder / "whole")


def test_a_cluster_that_is_gone_is_said_in_one_line(folder: Path, cluster: Cluster) -> None:
    for _ in range(2):  # what one alone has to play joblib plays in this process
        cluster.worker()
    time.sleep(5.0)
    words = ("odds", "duel.yaml", "--games", "100000000", "--json", "--backend", "dask", "--scheduler", cluster.address)
    words += ("-v",)
    process = subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    while "look" not in (line := process.stderr.readline()):  # it plays
        assert line, "it ended"
    cluster.close()
    out, err = process.communicate(timeout=120)
    assert process.returncode == 4, err
    assert "the cluster" in err and "Traceback" not in err
    assert json.loads(out)["stop"]["reason"] == "interrupted"


def test_who_has_no_cluster_is_told_so(folder: Path) -> None:
    nobody = balance(folder, "odds", "duel.yaml", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert (nobody.returncode, nobody.stderr.count("\n")) == (4, 1)
    assert "no Dask scheduler answers there" in nobody.stderr
    missing = balance(folder, "odds", "duel.yaml", "--backend", "dask")
    assert (missing.returncode, missing.stderr) == (2, "--backend dask: expected --scheduler ADDRESS with it\n")
    other = balance(folder, "odds", "duel.yaml", "--scheduler", "tcp://127.0.0.1:9")
    assert (other.returncode, other.stderr) == (2, "--scheduler: expected --backend dask with it\n")


def test_a_worker_of_other_sources_is_refused(folder: Path, cluster: Cluster, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for part in ("simcore", "strategies"):
        shutil.copytree(ROOT / part, other / part)
    with (other / "simcore" / "rng.py").open("a", encoding="utf-8") as file:
        file.write("\n# another version\n")
    cluster.worker(PYTHONPATH=str(other))
    refused = balance(folder, "odds", "duel.yaml", "--backend", "dask", "--scheduler", cluster.address)
    assert refused.returncode == 4, refused.stderr
    assert "runs other sources than this program; install the same version everywhere" in refused.stderr
    assert [line for line in refused.stderr.splitlines()[:-1] if "compiling" not in line] == []
