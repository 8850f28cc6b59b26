"""A small command for every kind of report, of any scenario: what writes a page, and into which file its answer."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import strategies
from console import balance
from support import SCENARIOS, scenarios_of

KINDS = (
    *("run", "compare", "matrix", "sweep", "sensitivity", "check"),
    *("components", "explain", "ladder", "tune"),
)
GAMES = 240  # a multiple of the rotations of every table
WRITTEN = (0, 1, 3)  # exit codes after which there is a page: all well, a check failed, not known well enough


def command(kind: str, scenario: str, scripts: Sequence[str], output: str) -> list[str]:
    """Return the words of a command; `scripts` are two strategies of the game."""
    few = ["--games", str(GAMES), "--seed", "7", "-o", output]
    both = ",".join(scripts[:2])
    own: dict[str, list[str]] = {
        "run": few,
        "compare": ["--set", f"seats.1.strategy={scripts[0]}", *few],
        "matrix": ["--strategies", both, *few],
        "sweep": ["--over", "rules.round_cap=20,40,60", *few],
        "sensitivity": ["--only", "rules", *few],
        "check": ["--set", f"seats.1.strategy={scripts[0]}", "--seed", "7", "--budget", "2000", "-o", output],
        "components": ["--budget", "4000", "--seed", "7", "-o", output],
        "explain": few,
        "ladder": ["--levels", both, *few],
        "tune": ["--seat", "1", "--budget", "10000", "--seed", "7", "-o", output],
    }
    return [kind, scenario, *own[kind]]


def scenario_of(game: str) -> str:
    """Return the scenario of a game with the fewest games a deal whose players are scripts."""
    names = [file for file in scenarios_of(game) if "player-in-numbers" not in file.name]
    wanted = ("film-duel", "three-players", "two-players", "four-players")
    return f"{game}/" + next(name for name in wanted if any(file.stem == name for file in names))


def write(kind: str, game: str, folder: Path) -> Path:
    """Write the report of a kind for a shipped game; return its directory."""
    own = [name for name in strategies.strategy_names(game) if name not in ("random", "weights", "lookahead")]
    scenario = scenario_of(game)
    if kind == "tune":
        scenario = f"{game}/player-in-numbers"
    if kind == "check":  # its baseline is one of ours, but for more games than a test has
        shutil.copy(SCENARIOS / f"{scenario}.yaml", folder / "checked.yaml")
        scenario = "checked.yaml"
        done = balance(folder, "baseline", "record", "--margin", "20", "--seed", "3", scenario)
        assert done.returncode == 0, done.stderr
    return written(folder, command(kind, scenario, ["random", *own], f"{kind}-{game}"))


def written(folder: Path, words: Sequence[str]) -> Path:
    """Run a command that writes a report; return its directory."""
    done = balance(folder, *words)
    assert done.returncode in WRITTEN, done.stderr
    return folder / words[words.index("-o") + 1]
