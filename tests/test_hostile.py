"""Mistakes, failing machines and interrupts: one line, the right exit code, nothing half-written, no answer lost."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from commands.playing import Work
from console import COMMAND, balance, environment
from report_kinds import KINDS, command
from reports import machine
from simcore import blocks, results
from simcore.errors import InputError, MachineError, Problem, ResultsError, kind_of
from simcore.rundir import RunDirectory
from support import logged, wait_for
from test_cli import DUEL

HEAD = "from simcore.contract import Param, strategy\n"
SIGNATURE = "def f(state, seat, actions, n, params, work, tools):\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def hidden(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.startswith(".")]


# ---------------------------------------------------------------- run directories


def finished(path: Path, text: str, force: bool = False) -> RunDirectory:
    made = RunDirectory(path, force)
    (made.work / "manifest.json").write_text(text)
    return made


def test_a_directory_that_is_being_written_is_refused_to_others(tmp_path: Path) -> None:
    one = finished(tmp_path / "x", "one")
    for force in (False, True):
        with pytest.raises(InputError, match="another process is writing this directory"):
            RunDirectory(tmp_path / "x", force)
    one.finish()
    assert (tmp_path / "x" / "manifest.json").read_text() == "one"
    finished(tmp_path / "x", "third", force=True).finish()
    assert (tmp_path / "x" / "manifest.json").read_text() == "third"
    assert not hidden(tmp_path)


def test_what_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    one = finished(tmp_path / "x", "one")
    (tmp_path / "x").mkdir()
    one.finish()
    assert one.path == tmp_path / "x-2"
    assert (tmp_path / "x-2" / "manifest.json").read_text() == "one"
    assert not hidden(tmp_path)


def test_an_abandoned_run_leaves_no_folder_and_replaces_none(tmp_path: Path) -> None:
    finished(tmp_path / "x", "one").finish()
    finished(tmp_path / "x", "two", force=True).abandon()
    finished(tmp_path / "a" / "b" / "c", "three").abandon()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x" / "manifest.json").read_text() == "one"


@pytest.mark.parametrize("name", [".", "..", "", "/", "link", "dangling", "y" * 300, "a\0b"], ids=ascii)
def test_what_cannot_be_a_run_directory_is_refused_at_once(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finished(tmp_path / "x", "one").finish()
    Path("link").symlink_to("x")
    Path("dangling").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError):
        RunDirectory(Path(name), force=True)
    assert sorted(tmp_path.rglob("*")) == before
    assert not RunDirectory.unfinished


def test_a_run_without_games_writes_nothing_and_replaces_nothing(folder: Path) -> None:
    finished(folder / "x", "one").finish()
    slow_start = ("--backend", "processes", "--jobs", "2", "--max-time", "0.001", "--games", "1000000000")
    done = balance(folder, "run", "duel.yaml", "-o", "x", "--force", *slow_start)
    assert done.returncode == 3
    assert "no game was finished, so nothing is written" in done.stderr
    assert "Again" not in done.stdout
    assert (folder / "x" / "manifest.json").read_text() == "one"
    assert not hidden(folder)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("run", "check")])  # they have tests of it
def test_time_for_nothing_is_no_answer_and_said_to_be_none(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(Work, "seconds", 1000.0)
    monkeypatch.setattr(blocks._Progress, "stopped", lambda progress: "max-time")
    scenario = "hate-to-kill-you/player-in-numbers" if kind == "tune" else "duel.yaml"
    words = [*command(kind, scenario, ["greedy", "patient"], "x"), "--json", "--max-time", "1"]
    done = CliRunner().invoke(cli.app, words)
    assert done.exit_code == 3, done.exception
    assert json.loads(done.stdout)["games"] == 0
    assert "no game was finished, so nothing is written" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["duel.yaml"]


# ---------------------------------------------------------------- interrupts


def interrupted(folder: Path, number: int, group: bool, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command, signal it once it has had time to play, and return what came of it."""
    log = folder.with_name(f"{folder.name}.log")
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--log-file", str(log)],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(lambda: logged(log, "look"))
    (os.killpg if group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@pytest.mark.parametrize("group", [False, True], ids=["threads", "processes"])
def test_a_terminated_run_keeps_what_was_played(folder: Path, group: bool) -> None:
    backend = ("--backend", "processes", "--jobs", "2") if group else ()
    endless = ("run", "duel.yaml", "-o", "a/x", "--games", "100000000000", "--json")
    done = interrupted(folder, signal.SIGTERM, group, *endless, *backend)
    assert done.returncode == 143, done.stderr
    found = json.loads(done.stdout)
    assert found["stop"]["reason"] == "interrupted"
    assert (folder / "a" / "x" / "summary.json").is_file() == (found["games"] > 0)
    assert not hidden(folder)


# ---------------------------------------------------------------- streams and disks


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_standard_output_is_code_4(folder: Path) -> None:
    for arguments in (("list", "games"), ("run", "duel.yaml", "-o", "x", "--games", "50")):
        with open("/dev/full", "w") as full:
            process = [*COMMAND, *arguments]
            done = subprocess.run(
                process, cwd=folder, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 4
        assert "standard output: No space left on device" in done.stderr
    assert (folder / "x" / "summary.json").is_file()


@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("<&- >&- 2>&-", 0)])
def test_closed_streams_change_no_code(folder: Path, closed: str, code: int) -> None:
    command = " ".join(f"'{word}'" for word in [*COMMAND, "list", "games"])
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert bool(done.stdout) == (">&-" not in closed.split())


def test_json_survives_a_narrow_encoding(folder: Path) -> None:
    label = "Müller ⚔ 🎲"
    (folder / "names.yaml").write_text(DUEL.replace("inigo}", f"inigo, label: {label}}}"), encoding="utf-8")
    narrow = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = balance(folder, "odds", "names.yaml", "--games", "50", "--json", **narrow)
    assert json.loads(done.stdout)["sides"][0]["label"] == label


def test_failing_disks_are_faults_of_the_machine_whoever_writes() -> None:
    import polars as pl

    for error in (OSError(28, "No space left on device"), pl.exceptions.ComputeError("No space left on device")):
        with pytest.raises(MachineError, match=r"^x: cannot be written: No space left on device$"), fails():
            raise error


def fails() -> Any:
    return results.machine_faults("x")


# ---------------------------------------------------------------- code of one's own

BAD_CODE = {
    "exit": ("import os\n" + SIGNATURE + "    os._exit(0)\n", "bad.py:2:1: ended the process"),
    "kill": ("import os\n" + SIGNATURE + "    os.kill(os.getpid(), 9)\n", "bad.py:2:1: ended the process"),
    "raises an exit": (SIGNATURE + "    raise SystemExit(0)\n", "bad.py:2:5: strategy 'f' raised SystemExit"),
    "raises an interrupt": (SIGNATURE + "    raise KeyboardInterrupt\n", "bad.py:2:5: strategy 'f' raised Keyboard"),
    "an array": (SIGNATURE + "    return actions\n", "bad.py:1:1: strategy 'f' answered array"),
    "divides by zero": (
        SIGNATURE + "    return actions[seat // state.play.over]\n",
        "bad.py:2:20: strategy 'f' raised",
    ),
    "swallows": (
        SIGNATURE + "    while True:\n        try:\n            seat += 1\n        except BaseException:\n"
        "            seat = 0\n",
        "bad.py:1:1: strategy 'f' gave no answer within 5 s",
    ),
    "exit at the top": (
        "import os\nos._exit(0)\n" + SIGNATURE + "    return actions[0]\n",
        "bad.py:1:1: ends the process",
    ),
    "sys.exit at the top": (
        "import sys\nsys.exit(3)\n" + SIGNATURE + "    return actions[0]\n",
        "bad.py:2:1: SystemExit",
    ),
    "no modules": ("import sys\nsys.modules.clear()\n" + SIGNATURE + "    return actions[0]\n", "bad.py:"),
    "replaced": (SIGNATURE + "    return actions[0]\nf = 5\n", "bad.py:1:1: 'f' is no function any more"),
    "deleted": (SIGNATURE + "    return actions[0]\ndel f\n", "bad.py:1:1: 'f' is no function any more"),
    "parameter": (
        HEAD + "@strategy(a=3)\n" + SIGNATURE + "    return actions[0]\n",
        "bad.py:2:2: TypeError: strategy(a=3)",
    ),
    "range": (
        HEAD + "@strategy(a=Param(5, 0, 1, 'x'))\n" + SIGNATURE + "    return actions[0]\n",
        "bad.py:2:13: ValueError",
    ),
    "cookie": ("# -*- coding: nope -*-\n" + SIGNATURE + "    return actions[0]\n", "bad.py:1:1: is no Python"),
}


@pytest.mark.parametrize("name", BAD_CODE)
def test_whatever_code_of_ones_own_does_is_one_line_with_its_place(folder: Path, name: str) -> None:
    code, start = BAD_CODE[name]
    (folder / "bad.py").write_text(code, encoding="utf-8")
    done = balance(folder, "odds", "duel.yaml", "--games", "50", "--set", "seats.1.strategy=bad.py:f")
    assert done.returncode == 2, done.stderr
    message = [line for line in done.stderr.splitlines() if not line.startswith("balance: checking")]
    assert len(message) == 1
    assert message[0].startswith(start)
    assert done.stdout == ""


def test_what_code_of_ones_own_prints_is_no_answer_of_ours(folder: Path) -> None:
    code = "import atexit, os, sys, threading, time\nprint('top')\nos.write(1, b'raw')\natexit.register(print, 'bye')\n"
    code += "threading.Thread(target=time.sleep, args=(1000,)).start()\nsys.stdout.close()\n"
    (folder / "loud.py").write_text(code + SIGNATURE + "    print(n)\n    return actions[0]\n", encoding="utf-8")
    options = ("--games", "50", "--json", "--set", "seats.1.strategy=loud.py:f")
    done = balance(folder, "odds", "duel.yaml", *options)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 50


# ---------------------------------------------------------------- paths, names and files


@pytest.mark.parametrize(
    "name", ["x" * 5000, "x" * 5000 + ".yaml", "fifo.yaml", b"\xff.yaml"], ids=["long", "file", "fifo", "bytes"]
)
def test_a_scenario_that_is_none_is_one_short_line(folder: Path, name: Any) -> None:
    os.mkfifo(folder / "fifo.yaml")
    done = balance(folder, "odds", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 300


def test_names_that_can_be_no_path_are_nothing(tmp_path: Path) -> None:
    assert [kind_of(tmp_path / name) for name in ("no", "x" * 5000, "a\0b")] == ["", "", ""]
    assert kind_of(tmp_path) == "folder"
    assert kind_of(Path(os.devnull)) == "other"


def test_messages_steer_no_terminal_and_stay_short() -> None:
    text = str(Problem("a\x1b[31m.yaml", 1, 2, f"unknown\nkey \u202e{'x' * 5000}"))
    assert text == f"a\\x1b[31m.yaml:1:2: unknown\\x0akey \\x202e{'x' * 54}…"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyError("games"), "summary.json: 'games' is missing"),
        (TypeError("no list"), "summary.json: is not as it was written (TypeError: no list)"),
        (IndexError("5"), "summary.json: is not as it was written (IndexError: 5)"),
    ],
)
def test_an_edited_answer_is_named(error: Exception, words: str) -> None:
    with pytest.raises(ResultsError) as caught, results.written_by_us(Path("summary.json")):
        raise error
    assert str(caught.value) == words


def test_deeply_nested_results_are_refused(tmp_path: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        (tmp_path / name).write_text("[" * 200_000)
    with pytest.raises(ResultsError, match="cannot be read"):
        results.read_run(tmp_path)


def test_no_cell_of_a_table_is_a_formula() -> None:
    rows = [{"side": -1, "label": text} for text in ("=1+1", "@x", "-2", "a\x1b[31m", "plain")]
    text = machine.to_csv({"sides": rows})
    found = list(csv.DictReader(io.StringIO(text)))
    assert [row["label"] for row in found] == ["'=1+1", "'@x", "'-2", "a [31m", "plain"]
    assert {row["side"] for row in found} == {"-1"}
