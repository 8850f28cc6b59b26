"""Counts that must not change unless the rules do: fixed-seed games, and positions below the first one.

`golden/<game>.txt` holds a line ``base`` (a scenario), then lines ``kind number overrides: counts``. When a
change is meant, run with ``--update-golden``, read the difference, and say in the changelog what it means for
results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import strategies
from simcore import jit
from simcore.contract import ABSENT
from simcore.player import Player
from support import Table

GOLDEN = Path(__file__).resolve().parent / "golden"
MOST_LINES = 30
Play = Callable[[Player, int], str]


def games(player: Player, number: int) -> str:
    """Count winners (by bit mask of sides), rounds, decisions, and every metric over the games that it applies to."""
    rows = player.play(0, number)
    winners = np.bincount(rows["winners"])
    totals = [f"{mask:b}:{count}" for mask, count in enumerate(winners.tolist())]
    skipped = ("winners", "turns", "seconds", "reason", "exposed")
    for column in rows.dtype.names:
        if column not in skipped and len(rows.dtype[column].shape) < 2:
            values = rows[column]
            sums = np.where(values == ABSENT, 0, values).sum(axis=0)
            totals.append(f"{column} {'/'.join(str(int(n)) for n in np.atleast_1d(sums))}")
    return ", ".join(totals)


def perft(player: Player, number: int) -> str:
    """Count positions after 1, 2, ... decisions of game 0, and those of them where the game is over."""
    table = Table(player)
    forced(table)
    counts: list[list[int]] = [[0, 0] for _ in range(number)]
    below(table, number, counts)
    return ", ".join(f"{positions} ({ended} over)" for positions, ended in counts)


def below(table: Table, depth: int, counts: list[list[int]]) -> None:
    """Add the positions below this one; a game that is over is counted once, where it ended."""
    saved = table.save()
    for action in table.offered():
        table.apply(action)
        forced(table)
        counts[-depth][0] += 1
        counts[-depth][1] += table.over
        if depth > 1 and not table.over:
            below(table, depth - 1, counts)
        table.load(saved)


def forced(table: Table) -> None:
    """Go on to the next real choice."""
    while not table.over and len(offered := table.offered()) == 1:
        table.apply(offered[0])


def divided(player: Player, number: int) -> str:
    """Return the positions below each first action, which shows where two programs part."""
    table = Table(player)
    forced(table)
    saved, lines = table.save(), []
    for action in table.offered():
        table.apply(action)
        forced(table)
        counts: list[list[int]] = [[0, 0] for _ in range(number - 1)]
        if number > 1 and not table.over:
            below(table, number - 1, counts)
        lines.append(f"    action {action}: {[positions for positions, _ in counts]}")
        table.load(saved)
    return "\n".join(lines)


KINDS: dict[str, Play] = {"games": games, "perft": perft}


def counted_anew(file: Path, player_for: Callable[..., Player]) -> tuple[list[str], str]:
    """Return the lines of a golden file as they are now, and what helps to find a difference."""
    lines, help_, base = [], "", {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("base "):
            base = yaml.safe_load(line.removeprefix("base "))
        if line.split(" ", 1)[0] not in KINDS:
            lines.append(line)
            continue
        head, _, expected = line.partition(": ")
        kind, number, *overrides = head.split()
        player = player_for(base, [tuple(override.split("=", 1)) for override in overrides])
        found = KINDS[kind](player, int(number))
        lines.append(f"{head}: {found}")
        if kind == "perft" and found != expected and not help_:
            help_ = f"positions below each first action of '{head}':\n{divided(player, int(number))}"
    return lines, help_


@pytest.fixture(scope="session")
def player_for(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> Callable[..., Player]:
    """Return the player of a base scenario with overrides."""
    return lambda base, overrides: player_of(load_scenario(base, overrides))


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
@pytest.mark.parametrize("game", strategies.game_names())
def test_the_counts_are_the_golden_ones(
    game: str, player_for: Callable[..., Player], request: pytest.FixtureRequest
) -> None:
    file = GOLDEN / f"{game}.txt"
    lines, help_ = counted_anew(file, player_for)
    if request.config.getoption("--update-golden"):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    golden = file.read_text(encoding="utf-8").splitlines()
    difference = "\n".join(unified_diff(golden, lines, file.name, "now", lineterm="", n=0))
    assert not difference, f"{difference}\n{help_}"


@pytest.mark.parametrize("game", strategies.game_names())
def test_a_golden_file_says_where_its_numbers_come_from_and_counts_every_kind(game: str) -> None:
    lines = (GOLDEN / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) < MOST_LINES
    kinds = Counter(line.split(" ", 1)[0] for line in lines)
    assert all(kinds[kind] for kind in KINDS)
    assert any(line.startswith("# Origin: ") for line in lines)
