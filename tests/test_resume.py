"""Long runs: whatever stops one, what was finished is kept, and going on gives what an undisturbed run gives."""

from __future__ import annotations

import json
import os
import random
import resource
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import strategies
from simcore import blocks, results, rundir, scenario
from simcore.blocks import Plan, Watch
from simcore.errors import InputError, MachineError, ResultsError
from simcore.tally import Tally
from support import SCENARIOS, sampled
from test_cli import COMMAND, DUEL, balance, environment

GAMES = 60_000
RUN = ("run", "duel.yaml", "--keep-games", "--json", "--block-deals", "64")
"""With files of 2,048 games each."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def hidden(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.name.startswith("."))


def content(out: Path) -> dict[str, Any]:
    """Return every file of a run directory that has no times in it, and the summary without them."""
    names = ("games", "tables")
    found: dict[str, Any] = {
        f"{name}/{file.name}": file.read_bytes() for name in names for file in (out / name).iterdir()
    }
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    del summary["timing"]
    return found | {"summary": summary, "manifest": (out / "manifest.json").read_bytes()}


# ---------------------------------------------------------------- in this process


def load(folder: Path, *overrides: tuple[str, str], **options: str) -> Any:
    return scenario.load(folder / "duel.yaml", strategies, "duel.yaml", overrides, list(options.items()))


def played(
    folder: Path, out: str, games: int, stop_after: float = float("inf"), keep: bool = True, **how: Any
) -> dict[str, Any] | None:
    """Play as `balance run --resume` does, with a checkpoint after each task; None: it broke off after `stop_after`."""
    found = load(folder, games=str(games))
    directory = rundir.RunDirectory(folder / out, resume=True)
    saved = rundir.Checkpoint.of(directory)
    start = saved.start(found, keep, 2048, folder / out) if saved else None
    recorder = rundir.Recorder(directory, found, 2048 if keep else None, start)

    def finished(tally: Any, looks: Any, seconds: float) -> None:
        recorder.save(tally, looks, seconds)
        if tally.games >= stop_after:
            raise MachineError("pulled the plug")

    watch = Watch(rows=recorder.rows, finished=finished)
    question = blocks.Odds(found.match, 0.5)
    run = blocks.answer(question, strategies, Plan(games=games, block_deals=64, **how), watch, start=start)
    if run.fault:  # as if the process had been killed: nothing is tidied up
        os.close(directory._lock or 0)
        rundir.RunDirectory.unfinished.discard(directory)
        return None
    recorder.close(run)
    results.write_run(directory.work, found, run, results.summary(found, run), 2048)
    directory.finish()
    assert not hidden(folder)
    return content(folder / out)


def test_a_run_that_is_broken_off_anywhere_and_gone_on_with_is_as_one_never_interrupted(folder: Path) -> None:
    """B32: counts and rows agree, whatever was written in between."""
    whole = played(folder, "whole", 9000)
    assert whole is not None
    for stops in ([1], [2048, 2049], [1500, 4096, 5000, 8999]):
        for stop in stops:
            assert played(folder, "parts", 9000, stop_after=stop, jobs=2) is None
        assert rundir_games(folder / ".parts.partial") >= stops[-1]
        assert played(folder, "parts", 9000) == whole
        (folder / "parts").rename(folder / f"parts-{stops[0]}")
    for games in (100, 1001, 4096, 9000, 9000):
        grown = played(folder, "grown", games)
    assert grown == whole
    assert rows_of(folder / "whole") == list(range(9000))


def rundir_games(work: Path) -> int:
    return int(json.loads((work / "checkpoint.json").read_text())["tally"]["games"])


def rows_of(out: Path) -> list[int]:
    return pl.scan_parquet(out / "games" / "*.parquet").select("game").collect()["game"].to_list()


def test_what_is_finished_is_counted_the_same_once_written_and_read(folder: Path) -> None:
    """A tally goes through JSON and back: sums beyond 64 bits, rare values, exposures, uses of components."""
    for name in ("as-you-wish/three-players", "grimoire-shuffle/four-players", "hate-to-kill-you/film-duel"):
        found = scenario.load(SCENARIOS / f"{name}.yaml", strategies)
        tally = blocks.run(found.match, strategies, Plan(games=60 * len(found.match.rotations)), Watch()).tally
        tally._products = tally._products * 10**30
        tally._rare[0, -7] += 3
        saved = json.loads(json.dumps(tally.saved(), allow_nan=False))
        again = Tally.restored(tally.layout, saved)
        assert json.loads(json.dumps(again.saved())) == saved
        again.add(tally)
        assert again.games == 2 * tally.games
        assert again.share_sums(0) == tuple(2 * part for part in tally.share_sums(0))


def test_what_differs_is_named_and_nothing_is_touched(folder: Path) -> None:
    whole = played(folder, "x", 3000)
    before = (folder / "x" / "checkpoint.json").read_text()
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (load(folder, ("rules.hits_to_win", "3")), {}, "rules.hits_to_win was 5, is 3"),
        (load(folder, seed="6"), {}, "seed was 5, is 6"),
        (load(folder, ("components.feint.rank", "2")), {}, "components.feint.rank was None, is"),
        (load(folder), {"keep": False}, "it was begun with --keep-games"),
        (load(folder), {"block": 512}, "its files hold 2048 games each, not 512"),
        (load(folder, games="2000"), {}, "holds 3,000 games already, more than --games 2,000"),
    ]
    for found, how, words in cases:
        with pytest.raises(ResultsError) as caught:
            going_on(folder, found, **how)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
    for old, new, words in (
        ('"sources": "', '"sources": "0', "other sources"),
        ("checkpoint/1", "checkpoint/9", "another version"),
        ('"winners": [[', '"winners": [[[', "cannot be read"),
        ('"winners": [[', '"winners": [[1, 2, ', "is not as it was written"),
    ):
        (folder / "x" / "checkpoint.json").write_text(before.replace(old, new))
        with pytest.raises(ResultsError, match=words):
            going_on(folder, load(folder))
    (folder / "x" / "checkpoint.json").write_text(before)
    label = going_on(folder, load(folder, ("seats.1.label", "Somebody")))
    assert label.tally.games == 3000  # a name decides no game
    (folder / "x" / "games" / "games-000000000000.parquet").rename(folder / "away.parquet")
    with pytest.raises(ResultsError, match="kept games are missing"):
        played(folder, "x", 4000)
    (folder / "away.parquet").rename(folder / "x" / "games" / "games-000000000000.parquet")
    for directory in list(rundir.RunDirectory.unfinished):
        directory.abandon()
    assert content(folder / "x") == whole
    assert not hidden(folder)


def going_on(folder: Path, found: Any, keep: bool = True, block: int = 2048) -> blocks.Start:
    directory = rundir.RunDirectory(folder / "x", resume=True)
    try:
        saved = rundir.Checkpoint.of(directory)
        assert saved
        return saved.start(found, keep, block, folder / "x")
    finally:
        directory.abandon()


def test_an_unfinished_run_is_not_forgotten(folder: Path) -> None:
    assert played(folder, "x", 3000, stop_after=1000) is None
    with pytest.raises(InputError, match=r"an unfinished run is left in .*; --resume goes on with it, --force starts"):
        rundir.RunDirectory(folder / "x")
    assert hidden(folder) == [".x.partial"]
    rundir.RunDirectory(folder / "x", force=True).abandon()
    assert hidden(folder) == []


def test_answers_never_wait_in_great_number(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B33: a slow disk makes the workers wait; without that all games would lie in memory."""
    made, most = 0, 0
    real = blocks.play

    def counted(*arguments: Any) -> Any:
        nonlocal made
        made += 1
        return real(*arguments)

    taken = 0

    def slow(tally: Any, looks: Any, seconds: float) -> None:
        nonlocal taken, most
        taken += 1
        time.sleep(0.01)
        most = max(most, made - taken)

    monkeypatch.setattr(blocks, "play", counted)
    monkeypatch.setattr(blocks, "TASK_SECONDS", (0.0, 0.0))
    plan = Plan(games=8000, jobs=2, block_deals=50)
    run = blocks.run(load(folder).match, strategies, plan, Watch(finished=slow))
    assert run.tally.games == 8000
    assert made >= 160
    assert most <= blocks.AHEAD * 3


# ---------------------------------------------------------------- the real command


def start_run(folder: Path, out: str, *options: str) -> subprocess.Popen[str]:
    """Start a run in a session of its own."""
    return subprocess.Popen(
        [*COMMAND, *RUN, "-o", out, "--games", str(GAMES), *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def members(session: int) -> Iterator[tuple[int, str]]:
    """Yield (id, command line) of the living processes of a session."""
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if entry.name.isdigit() and int(fields[3]) == session and fields[0] != "Z":
                yield int(entry.name), (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, IndexError):
            continue


def wait_for(what: Any, seconds: float = 60) -> Any:
    """Wait until `what` returns something true, and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s")


def kill(process: subprocess.Popen[str], work: Path, which: str, delay: float) -> int:
    """Kill a run, or one of its workers, some time after it began to write; return the exit code."""
    wait_for(lambda: work.is_dir() or process.poll() is not None)
    if which == "worker":
        wait_for(lambda: workers_of(process) or process.poll() is not None)
    time.sleep(delay)
    if process.poll() is None:
        victims = workers_of(process) if which == "worker" else [process.pid]
        for victim in victims[:1]:
            os.kill(victim, signal.SIGKILL)
    process.communicate(timeout=120)
    wait_for(lambda: not list(members(process.pid)), 20)  # no orphans
    return process.returncode


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    return [pid for pid, line in members(process.pid) if pid != process.pid and "popen_loky" in line]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes of a session are listed by /proc only")
def test_a_run_that_is_killed_at_any_moment_goes_on_as_if_it_had_not_been(folder: Path) -> None:
    """B31, B32: `kill -9` of the program and of its workers; no process and no file is left over."""
    whole = balance(folder, *RUN, "-o", "whole", "--games", str(GAMES))
    assert whole.returncode == 0, whole.stderr
    expected = content(folder / "whole")
    chance = random.Random(9)
    processes = ("--backend", "processes", "--jobs", "2")
    codes = []
    for moment in range(sampled(2, 20)):
        for which in ("program", "worker"):
            backend = processes if which == "worker" or moment % 2 else ()
            process = start_run(folder, "x", "--resume", *backend)
            codes.append(kill(process, folder / ".x.partial", which, chance.uniform(0, 2.5)))
        if (folder / "x").is_dir() and sampled(0, 1):
            assert content(folder / "x")["summary"]["games"] <= GAMES
    assert set(codes) <= {0, 4, -9}
    last = balance(folder, *RUN, "-o", "x", "--games", str(GAMES), "--resume")
    assert last.returncode == 0, last.stderr
    assert content(folder / "x") == expected
    assert hidden(folder) == []


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process are set on Linux only")
def test_a_full_disk_keeps_what_was_finished(folder: Path) -> None:
    """No file may grow beyond a limit: too small for the page at first, then for a file of kept games."""
    expected = played(folder, "whole", GAMES, jobs=2)
    for limit in (70_000, 2_000):
        process = start_run(folder, "x", "--resume")
        wait_for((folder / ".x.partial").is_dir)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        out, err = process.communicate(timeout=120)
        assert process.returncode == 4, err
        lines = [line for line in err.splitlines() if "goes on from" not in line and "compiling" not in line]
        assert "x: cannot be written: File too large" in lines[0]
        assert lines[1].startswith("balance: go on with: balance run duel.yaml --seed 5 --games 60000")
        assert len(lines) == 2
        assert json.loads(out)["games"] == rundir_games(folder / ".x.partial") == GAMES
    assert balance(folder, *RUN, "-o", "x", "--games", str(GAMES), "--resume").returncode == 0
    assert content(folder / "x") == expected
    assert hidden(folder) == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_prints_what_goes_on_with_the_run_and_that_does(folder: Path, number: int, code: int) -> None:
    process = start_run(folder, "x", "--games", "20000000000")
    wait_for(lambda: (folder / ".x.partial" / "checkpoint.json").is_file())
    second = balance(folder, *RUN, "-o", "x", "--games", "100", "--force")
    assert (second.returncode, second.stderr) == (2, "x: another process is writing this directory\n")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert out, err
    found = json.loads(out)
    assert found["stop"]["reason"] == "interrupted"
    assert found["sides"][0]["low"] < found["sides"][0]["rate"] < found["sides"][0]["high"]
    command = shlex.split(err.splitlines()[-1].partition("balance: go on with: balance ")[2])
    assert command[:1] == ["run"]
    done = balance(folder, *command, "--max-time", "0.3", "--json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["games"] > found["games"]
    assert hidden(folder) == []
