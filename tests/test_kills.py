"""Kills, signals and full disks at random moments: what was finished is kept, and nothing else is left over."""

from __future__ import annotations

import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from console import COMMAND, balance, environment
from runs import ENDLESS, KEPT, Started, checkpoint_games, content, enough, hidden, timeline
from simcore import kept, results
from support import sampled
from test_cli import DUEL

GAMES = 30_000
"""Games that each disturbed run has to add at least."""

PROCESSES = ("--backend", "processes", "--jobs", "2")

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists() or not hasattr(resource, "prlimit"),
    reason="the processes of a session are listed by /proc only, limits of another process are set on Linux only",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def is_whole(out: Path) -> bool:
    """Tell whether a run directory is there; if it is, it must be a finished one."""
    if not out.is_dir():
        return False
    answer, tables = results.read_run(out)
    assert kept.recount(out / "games", answer, tables) == answer["games"]
    return True


def test_a_run_that_is_killed_at_any_moment_goes_on_as_if_it_had_not_been(folder: Path) -> None:
    """B31, B32: `kill -9` of program and workers, again and again, of a run that is given more to do each time."""
    chance = random.Random(9)
    victims = ["program", "worker"] * sampled(2, 20)
    total, hits = GAMES * len(victims), dict.fromkeys(victims, 0)
    assert balance(folder, "odds", "duel.yaml", "--games", "1000").returncode == 0  # compiles, which takes its time
    seen = timeline(Started(folder, "whole", total, *PROCESSES))
    play = (seen["stop"] - seen["playing"]) / len(victims)
    life = {
        "program": seen["playing"] - seen["begun"] + play + seen["over"] - seen["stop"],
        "worker": seen["playing"] - seen["workers"] + play,
    }
    for number, victim in enumerate(victims, 1):
        backend = PROCESSES if victim == "worker" or number % 4 == 1 else ()
        run = Started(folder, "x", GAMES * number, "--resume", *backend)
        assert run.until(run.workers if victim == "worker" else run.begun)
        time.sleep(chance.uniform(0, life[victim]))
        for pid in (run.workers() if victim == "worker" else [run.process.pid])[:1]:
            os.kill(pid, signal.SIGKILL)
        code, _, err = run.end()
        assert code in (0, 4 if victim == "worker" else -9), err
        assert "Traceback" not in err
        hits[victim] += code != 0
        assert (folder / ".x.lock").exists() == (code == -9)  # of a dead owner: the next run takes it over
        is_whole(folder / "x")
    last = balance(folder, *KEPT, "-o", "x", "--games", str(total), "--resume")
    assert last.returncode == 0, last.stderr
    assert content(folder / "x") == content(folder / "whole")
    assert is_whole(folder / "x")
    assert hidden(folder) == []
    assert all(enough(hits[victim], len(victims) // 2) for victim in hits)


def test_workers_that_are_killed_while_they_send_an_answer_are_not_waited_for(folder: Path) -> None:
    """Half an answer stays in the pipe; who reads on after that waits for ever."""
    run = Started(folder, "x", ENDLESS, *PROCESSES)
    assert run.until(run.playing)
    os.kill(run.process.pid, signal.SIGSTOP)  # nobody reads now, and an answer is longer than a pipe is
    time.sleep(2)
    for pid in run.workers():
        os.kill(pid, signal.SIGKILL)
    os.kill(run.process.pid, signal.SIGCONT)
    code, _, err = run.end()
    assert code == 4, err
    assert "a worker process was lost" in err


def _more_than(run: Started, games: int) -> bool:
    return run.kept() > games


NOT_KEPT = tuple(word for word in KEPT if word != "--keep-games")


@pytest.mark.parametrize("command", [KEPT, pytest.param(NOT_KEPT, marks=pytest.mark.slow)], ids=["kept", "not"])
def test_a_disk_that_is_full_in_the_middle_keeps_what_was_finished(folder: Path, command: tuple[str, ...]) -> None:
    """No file may grow beyond a limit any more: neither one of kept games nor a checkpoint."""
    chance = random.Random(len(command))
    done = 0
    for _ in range(sampled(1, 5)):
        run = Started(folder, "x", ENDLESS, "--resume", command=command)
        assert run.until(partial(_more_than, run, done))
        time.sleep(chance.uniform(0, 1))
        resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (1000, 1000))
        code, out, err = run.end()
        assert code == 4, err
        beside = ("goes on from", "compiling", "the log cannot be written")
        lines = [line for line in err.splitlines() if not any(words in line for words in beside)]
        assert "x: cannot be written: File too large" in lines[0]
        there = f"balance: x keeps the first {run.kept():,} of them; "
        assert lines[1].startswith(f"{there}go on with: balance run duel.yaml --seed 5 --games")
        assert len(lines) == 2
        assert not (folder / "x").exists()
        assert hidden(folder) == [".x.partial"]
        found = json.loads(out)
        assert done < run.kept() <= found["games"] < ENDLESS
        assert found["stop"]["reason"] == "interrupted"
        done = run.kept()
    games = str(done + 5000)
    last = balance(folder, *command, "-o", "x", "--games", games, "--resume")
    assert f"x: goes on from {done:,} finished games" in last.stderr
    assert last.returncode == balance(folder, *command, "-o", "whole", "--games", games).returncode == 0
    assert content(folder / "x") == content(folder / "whole")
    assert hidden(folder) == []


FILLED = """
mount -t tmpfs -o size=16m tmpfs disk && cp duel.yaml disk && cd disk || exit
play() { n=$1; shift; "$@" $KEPT -o x --resume --games $n; }
play $ENDLESS "$@" >../out 2>../err &
until [ -e .x.partial/checkpoint.json ]; do kill -0 $! && sleep 0.02 || exit; done
cat /dev/zero >fill 2>/dev/null
wait $!
echo $? >../code
ls -A >../left
cp .x.partial/checkpoint.json ..
rm fill
games=$("$1" -c 'import json; print(json.load(open("../checkpoint.json"))["tally"]["games"])')
play $((games + 5000)) "$@" 2>&1 >../json
cp -r x ..
ls -A >../left-at-last
"""
"""A disk of its own, which somebody else fills, and makes room on again; `"$@"` is `balance`."""


def test_a_disk_that_somebody_else_fills_keeps_what_was_finished(folder: Path) -> None:
    (folder / "disk").mkdir()
    namespace = ["unshare", "--map-root-user", "--mount"]
    probe = [*namespace, "mount", "-t", "tmpfs", "tmpfs", str(folder / "disk")]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("a disk of its own is not permitted here")
    assert balance(folder, "odds", "duel.yaml", "--games", "1000").returncode == 0  # compiles, which takes its time
    variables = environment(KEPT=" ".join(KEPT), ENDLESS=str(ENDLESS))
    words = [*namespace, "sh", "-c", FILLED, "sh", *COMMAND]
    last = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=120)
    done = checkpoint_games(folder)
    first, second = (folder / "err").read_text(encoding="utf-8").splitlines()
    played = json.loads((folder / "out").read_text(encoding="utf-8"))["games"]
    assert first == f"balance: x: cannot be written: No space left on device; {played:,} finished games count"
    assert second.startswith(f"balance: x keeps the first {done:,} of them; go on with: balance run duel.yaml --seed 5")
    assert (folder / "code").read_text() == "4\n"
    assert 0 < done <= played
    assert last.stdout == f"balance: x: goes on from {done:,} finished games\nbalance: wrote x/report.html\n"
    left = [(folder / name).read_text().split() for name in ("left", "left-at-last")]
    assert left == [[".x.partial", "duel.yaml", "fill"], ["duel.yaml", "x"]]
    assert balance(folder, *KEPT, "-o", "whole", "--games", str(done + 5000)).returncode == 0
    assert content(folder / "x") == content(folder / "whole")


@pytest.mark.slow
def test_a_disk_that_is_full_at_the_end_keeps_all_games(folder: Path) -> None:
    run = Started(folder, "x", GAMES)
    assert run.until(run.begun)
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (100_000, 100_000))  # too small for the page
    code, out, err = run.end()
    assert (code, json.loads(out)["games"], run.kept()) == (4, GAMES, GAMES)
    assert "x: cannot be written: File too large" in err
    assert balance(folder, *KEPT, "-o", "x", "--games", str(GAMES), "--resume").returncode == 0
    assert is_whole(folder / "x")
    assert hidden(folder) == []


def ranges(side: dict[str, float]) -> list[float]:
    return [side[key] for key in ("wins", "rate", "low", "high")]


def test_a_signal_at_any_moment_ends_a_run_with_its_answer(folder: Path) -> None:
    """Before the first games there is no answer; from then on it is strict JSON, with the range of so many games."""
    chance = random.Random(2)
    moments, answered = sampled(2, 40), 0
    for moment in range(moments):
        number, code = ((signal.SIGINT, 130), (signal.SIGTERM, 143))[moment % 2]
        run = Started(folder, "x", ENDLESS, "--force", *(PROCESSES if moment % 4 < 2 else ()))
        playing = chance.random() < 0.9  # the others come while it starts
        assert not playing or run.until(run.playing)
        time.sleep(chance.uniform(0, 0.8))
        os.killpg(run.process.pid, number) if moment % 3 else run.process.send_signal(number)
        found_code, out, err = run.end()
        assert (found_code, "Traceback" in err) == (code, False), err
        assert hidden(folder) == []
        found = json.loads(out or '{"games": 0}', parse_constant=lambda name: pytest.fail(f"{name} is no strict JSON"))
        assert is_whole(folder / "x") == (found["games"] > 0)
        assert found["games"] or not playing
        if found["games"]:
            answered += 1
            last = found
            assert found["stop"]["reason"] == "interrupted"
            assert "balance: go on with: balance run duel.yaml" in err.splitlines()[-1]
            shutil.rmtree(folder / "x")
    assert enough(answered, moments)
    again = json.loads(balance(folder, "odds", "duel.yaml", "--games", str(last["games"]), "--json").stdout)
    assert [ranges(side) for side in again["sides"]] == [ranges(side) for side in last["sides"]]


def test_no_library_raises_in_the_middle_of_what_is_still_to_be_written() -> None:
    # polars takes SIGINT for itself: kept games were lost where it came while they were put into a table
    code = """
import os, signal, threading, time
from simcore import frames
came = []
signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
pl = frames.polars()
table = pl.DataFrame({"x": range(400_000)}).reverse().lazy()
threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
while not came:
    table.sort("x").select(pl.col("x").cum_sum()).collect()
print(came)
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[2]\n"), done.stderr


def test_what_an_interrupted_run_prints_goes_on_with_it_and_a_living_one_is_left_alone(folder: Path) -> None:
    run = Started(folder, "x", ENDLESS)
    assert run.until(run.kept)
    for option in ("--force", "--resume"):
        second = balance(folder, *KEPT, "-o", "x", "--games", "100", option)
        assert (second.returncode, second.stderr) == (2, "x: another process is writing this directory\n")
    run.process.send_signal(signal.SIGINT)
    code, out, err = run.end()
    assert code == 130
    command = shlex.split(err.splitlines()[-1].partition("balance: go on with: balance ")[2])
    assert command[:1] == ["run"]
    done = balance(folder, *command, "--max-time", "0.3", "--json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["games"] > json.loads(out)["games"]
    assert is_whole(folder / "x")
    assert hidden(folder) == []
