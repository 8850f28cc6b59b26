"""What a run notes as it goes on: every line is an event that a program can read, and tells which run it is about."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from console import balance
from test_cli import DUEL

PLAYED = ("duel.yaml", "--games", "4000", "--jobs", "1")
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def events(text: str) -> list[dict[str, Any]]:
    """Return the events of a log of JSON lines, each of which must be strict and timed."""
    found = [
        json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} in {text}")) for line in text.split("\n")[:-1]
    ]
    assert text.endswith("\n")
    assert all(re.fullmatch(STAMP, event.pop("time")) for event in found)
    return found


def test_a_log_of_a_run_tells_its_start_its_looks_and_its_stop(folder: Path) -> None:
    done = balance(folder, "run", *PLAYED, "-o", "x", "--keep-games", "--json", "--log-file", "log", "--log-json")
    assert done.returncode == 0, done.stderr
    first, *looks, stop, saved = events((folder / "log").read_text(encoding="utf-8"))
    assert first == {
        **{"event": "start", "scenario": "duel.yaml", "seed": 5, "games": 0, "target": 4000, "unit": "games"},
        **{"budget": None, "max_time": None, "backend": "threads", "jobs": 1},
    }
    looks = [event for event in looks if event["event"] != "checkpoint"]
    assert {event["event"] for event in looks} == {"look"}
    games = [event["games"] for event in looks]
    assert games == sorted(set(games)) and games[-1] == 4000
    answer = json.loads(done.stdout)
    arms = [max(side["high"] - side["rate"], side["rate"] - side["low"]) for side in answer["sides"]]
    assert looks[-1]["reached"] == pytest.approx(100 * max(arms))
    assert {"event": "stop", "reason": "games", "games": 4000, "fault": ""}.items() <= stop.items()
    assert 0 < stop["seconds"] <= answer["timing"]["seconds"]
    assert (saved["event"], saved["games"]) == ("checkpoint", 4000)
    more = balance(folder, "run", "duel.yaml", "--games", "6000", "-o", "x", "--keep-games", "--resume", "-v")
    assert re.search(rf"^{STAMP} start scenario=duel.yaml seed=5 games=4000 target=6000 ", more.stderr, re.M)


def test_words_and_json_tell_the_same(folder: Path) -> None:
    assert balance(folder, "odds", *PLAYED).returncode == 0  # compiles, and says so
    shown = balance(folder, "odds", *PLAYED, "-v", "--set", "rules.hits_to_win=3")
    lines = [line.split(" ") for line in shown.stderr.splitlines()]
    assert all(re.fullmatch(STAMP, line[0]) for line in lines)
    assert 'scenario="duel.yaml --set rules.hits_to_win=3" ' in shown.stderr
    typed = balance(folder, "odds", *PLAYED, "-v", "--log-json", "--set", "rules.hits_to_win=3")
    assert [line[1] for line in lines] == [event["event"] for event in events(typed.stderr)]
    for line, event in zip(lines[1:], events(typed.stderr)[1:], strict=True):
        assert f"games={event['games']}" in line


def test_each_run_of_a_command_says_which_it_is(folder: Path) -> None:
    words = (
        "sweep",
        "duel.yaml",
        "--over",
        "rules.hits_to_win=3,4",
        "--budget",
        "4000",
        "--log-file",
        "log",
        "--log-json",
    )
    assert balance(folder, *words).returncode in (0, 3)
    found = events((folder / "log").read_text(encoding="utf-8"))
    assert [name for name, _ in groupby(event["event"] for event in found)] == ["start", "look", "stop"] * 2
    begun = [event["scenario"] for event in found if event["event"] == "start"]
    assert begun == [f"duel.yaml --set rules.hits_to_win={hits}" for hits in (3, 4)]


def test_what_went_wrong_stands_in_the_log_and_a_log_is_added_to(folder: Path) -> None:
    log = ("--log-file", "log", "--log-json")
    done = balance(folder, "odds", "duel.yaml", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9", *log)
    assert done.returncode == 4
    (folder / "out").write_text("")
    for _ in range(2):
        assert balance(folder, "run", "duel.yaml", "-o", "out", *log).returncode == 2
    lost, *refused = [event for event in events((folder / "log").read_text("utf-8")) if event["event"] == "error"]
    assert lost == {"event": "error", "code": 4, "message": done.stderr.rstrip("\n")}
    assert [(each["code"], each["message"].startswith("out: ")) for each in refused] == [(2, True)] * 2


def test_json_without_a_log_is_refused(folder: Path) -> None:
    done = balance(folder, "odds", *PLAYED, "--log-json")
    assert (done.returncode, done.stderr) == (2, "--log-json: expected -v or --log-file FILE with it\n")


def test_a_log_that_cannot_be_written_is_told_once_and_ends_no_run(folder: Path) -> None:
    done = balance(folder, "odds", *PLAYED, "--log-file", "/dev/full")
    assert done.returncode == 0
    assert done.stderr.count("balance: the log cannot be written: [Errno 28] No space left on device") == 1
