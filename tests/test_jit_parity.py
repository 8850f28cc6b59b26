"""The same numbers bit for bit: with JIT and without, in any block, in any order, alone or among others."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parity
import strategies
from simcore import jit
from simcore.player import Player
from support import ROOT, first_scenario, params_of, scaled, seated

GAMES = strategies.game_names()
ODD = ((0, 1), (1, 7), (8, 2), (10, 13), (23, 37))
"""Blocks (first, games) that cover 60 games and begin in either rotation."""


@pytest.fixture(scope="module")
def other_process() -> Any:
    """Return what `parity` prints in a process whose JIT is off (on, where it is off here)."""
    env = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    if jit.ENABLED:
        env["NUMBA_DISABLE_JIT"] = "1"
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    command = [sys.executable, "-W", "error::RuntimeWarning", str(ROOT / "tests" / "parity.py")]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_games_are_the_same_with_jit_and_without(other_process: Any) -> None:
    assert other_process["jit"] is not jit.ENABLED
    here = parity.digests()
    assert len(set(here.values())) == len(here)
    assert other_process["digests"] == here


def test_every_strategy_takes_part(other_process: Any) -> None:
    text = "\n".join(other_process["digests"])
    for name in GAMES:
        for strategy in strategies.strategy_names(name):
            assert text.count(f"{strategy} - ") >= 1
            assert text.count(f" - {strategy}") >= 1


@pytest.fixture(params=[(game, rotate) for game in GAMES for rotate in (True, False)], ids=str)
def played(
    request: pytest.FixtureRequest, load_scenario: Callable[..., Any], player_of: Callable[..., Player]
) -> tuple[Player, Any]:
    """Return a player of strategies that draw a lot, and its first games."""
    name, rotate = request.param
    file = first_scenario(name)
    n = load_scenario(file).match.n_seats
    names = [("weights", "random")[seat % 2] for seat in range(n)]
    params = [params_of(strategies.game(name), strategy) for strategy in names]
    overrides = [("rotate", str(rotate).lower()), ("seed", "9"), *seated(names, params)]
    player = player_of(load_scenario(file, overrides))
    # who sits where is nothing to a game that has one side
    assert (len(player.match.rotations) > 1) == (rotate and len(player.game.sides(n)) > 1)
    return player, player.play(0, ODD[-1][0] + scaled(ODD[-1][1], 10))


def test_games_do_not_depend_on_the_blocks_they_are_played_in(played: tuple[Player, Any]) -> None:
    # B7
    player, rows = played
    blocks = [(first, min(games, len(rows) - first)) for first, games in ODD]
    found = {first: player.play(first, games) for first, games in random.Random(1).sample(blocks, len(blocks))}
    joined = np.concatenate([found[first] for first in sorted(found)])
    assert joined.tobytes() == rows.tobytes()


def test_a_game_alone_is_the_row_of_a_run(played: tuple[Player, Any]) -> None:
    player, rows = played
    log = np.zeros(1 << 12, np.int32)
    for index in (0, 1, 2, len(rows) - 1):
        assert player.play(index, 1).tobytes() == rows[index : index + 1].tobytes()
        assert player.play_logged(index, log).tobytes() == rows[index : index + 1].tobytes()


def test_the_first_games_of_a_long_run_are_the_short_run(played: tuple[Player, Any]) -> None:
    player, rows = played
    assert player.play(0, 11).tobytes() == rows[:11].tobytes()


def test_a_far_game_is_played_like_any_other(played: tuple[Player, Any]) -> None:
    player, _ = played
    first = 10**12 - 3
    assert player.play(first, 3)[1:].tobytes() == player.play(first + 1, 2).tobytes()


def test_no_games_are_no_rows(played: tuple[Player, Any]) -> None:
    player, _ = played
    assert len(player.play(5, 0)) == 0
