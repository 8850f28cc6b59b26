"""The game loop on a made-up game: roles, empty chairs, shared wins, and the two ways to fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import toy_game as toy
from simcore import jit
from simcore.contract import PARAMETERS, Strategy
from simcore.errors import IllegalActionError, StuckGameError
from simcore.match import Match
from simcore.player import Player

STRATEGIES = {
    f.__name__: Strategy(f.__name__, f.__name__, f, {}, "") for f in (toy.by_parameter, toy.last, toy.nowhere)
}
LOADER = SimpleNamespace(game=lambda name: toy.GAME, strategy=lambda game, ref: STRATEGIES[ref])
Table = Sequence[tuple[int, int]]  # for each seat the position of the action it takes as climber and as judge


def seat(
    table: Table, names: Sequence[str] | None = None, top: int = 6, cap: int = 40, trap: int = 0, rotate: bool = False
) -> Player:
    """Return the player of a table; `names` are strategies by seat and role, by parameter where not given."""
    n = len(table)
    chairs = toy.SEATS * toy.ROLES
    rotations = toy.GAME.rotations(n) if rotate else toy.GAME.rotations(n)[:1]
    params = np.zeros((len(rotations), chairs, PARAMETERS))
    tabs = np.zeros(len(rotations), toy.STATE["tab"])
    tabs["n_seats"], tabs["top"], tabs["trap"], tabs["round_cap"] = n, top, trap, cap
    tabs["side_of"] = np.arange(toy.SEATS)
    for r, rotation in enumerate(rotations):
        for chair, entry in enumerate(rotation):
            params[r, chair * toy.ROLES : (chair + 1) * toy.ROLES, 0] = table[entry]
    names = names or ["by_parameter"] * chairs
    return Player(Match("toy", 1, n, rotations, (tuple(names),) * len(rotations), params, tabs, (5, 3, 2)), LOADER)


def by_hand(table: Table, top: int = 6, cap: int = 40) -> dict[str, int]:
    """Play the toy in plain Python."""
    n = len(table)
    height = [0] * n
    turns = decisions = rounds = 0
    while top not in height and rounds < cap:
        rounds += 1
        for who in range(n):
            turns += 1
            choice = height[who] + 2 <= top
            decisions += choice
            height[who] += 1 + (table[who][0] if choice else 0)
            if height[who] % 2 == 1 and height[who] < top:
                decisions += 1
                height[who] -= table[(who + 1) % n][1]
    winners = sum(1 << who for who in range(n) if height[who] == top)
    return {"winners": winners, "turns": turns, "rounds": rounds, "decisions": decisions, "reason": int(winners > 0)}


def played(player: Player) -> dict[str, int]:
    row = player.play(0, 1)[0]
    return {name: int(row[name]) for name in ("winners", "turns", "rounds", "decisions", "reason")}


ALL_TABLES = [
    [(0, 0), (1, 0)],
    [(1, 1), (0, 1)],
    [(0, 1), (0, 1)],
    [(0, 0), (0, 0), (0, 0)],
    [(1, 0), (0, 0), (1, 1)],
    [(0, 1), (1, 0), (0, 0)],
]


@pytest.mark.parametrize("table", ALL_TABLES, ids=str)
@pytest.mark.parametrize("top", [5, 6])
def test_every_seat_and_role_plays_by_its_own_parameters(table: Table, top: int) -> None:
    assert played(seat(table, top=top)) == by_hand(table, top)


def test_every_seat_and_role_plays_its_own_strategy() -> None:
    # `last` as climber of seat 2 and as judge of seat 3; the rest takes the first action.
    names = ["by_parameter"] * toy.SEATS * toy.ROLES
    names[1 * toy.ROLES + toy.CLIMB] = names[2 * toy.ROLES + toy.JUDGE] = "last"
    first = [(0, 0)] * 3
    found = played(seat(first, names, top=5))
    assert found == by_hand([(0, 0), (1, 0), (0, 1)], top=5)
    assert found != by_hand(first, top=5)


def test_an_empty_chair_is_never_asked() -> None:
    names = ["by_parameter"] * 2 * toy.ROLES + ["nowhere"] * toy.ROLES
    assert played(seat([(1, 0), (0, 0)], names)) == by_hand([(1, 0), (0, 0)])


def test_several_sides_may_win_together() -> None:
    assert played(seat([(1, 0), (0, 0), (1, 0)]))["winners"] == 0b101
    assert played(seat([(1, 0), (1, 0), (1, 0)]))["winners"] == 0b111


def test_a_game_without_an_end_stops_at_the_cap_as_unfinished() -> None:
    found = played(seat([(0, 1), (0, 1)], cap=7))
    assert found == by_hand([(0, 1), (0, 1)], cap=7)
    assert (found["winners"], found["rounds"], found["turns"], found["reason"]) == (0, 7, 14, 0)


def test_the_estimated_seconds_add_set_up_turns_and_rounds() -> None:
    row = seat(ALL_TABLES[4]).play(0, 1)[0]
    assert row["seconds"] == 5 + 3 * row["turns"] + 2 * row["rounds"]


def test_players_change_chairs_with_the_rotation() -> None:
    table = [(1, 0), (0, 0), (0, 1)]
    player = seat(table, rotate=True)
    rows = player.play(0, 6)
    for index in range(6):
        shift = index % 3
        moved = [table[(chair + shift) % 3] for chair in range(3)]
        assert {name: int(rows[name][index]) for name in by_hand(moved)} == by_hand(moved)


def assert_fault(call: Callable[[], Any], error: type[Exception], message: str, game: int) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    fault: Any = caught.value
    assert (fault.seed, fault.game, fault.exit_code) == (1, game, 70)
    assert f"--seed 1 --game {game}" in str(fault)


@pytest.mark.parametrize("first", [0, 4, 5])
@pytest.mark.parametrize("rotate", [False, True])
def test_a_game_in_which_nothing_is_legal_stops_the_run_and_is_named(first: int, rotate: bool) -> None:
    # B26: neither a draw nor unfinished. Whatever the rotation, the first such game is the one to name.
    player = seat([(0, 0), (1, 0)], trap=1, rotate=rotate)
    assert_fault(lambda: player.play(first, 9), StuckGameError, "nothing is legal for seat 1", first)


@pytest.mark.parametrize("first", [0, 5])
def test_an_answer_that_was_not_offered_stops_the_run_and_is_named(first: int) -> None:
    names = ["by_parameter"] * toy.SEATS * toy.ROLES
    names[1 * toy.ROLES + toy.CLIMB] = "nowhere"
    player = seat([(0, 0), (0, 0)], names)
    assert_fault(lambda: player.play(first, 9), IllegalActionError, "'nowhere' answered -5 in seat 2", first)


@pytest.mark.skipif(not jit.ENABLED, reason="minutes of interpreted play")
def test_a_game_that_never_ends_stops_the_run_and_is_named() -> None:
    player = seat([(0, 0), (0, 0)], top=2**30, cap=2**30)
    assert_fault(lambda: player.play(5, 2), StuckGameError, "not over after 16,777,216 actions", 5)


def test_a_logged_game_that_fails_is_named_too() -> None:
    player = seat([(0, 0), (1, 0)], trap=1, rotate=True)
    log = np.zeros(64, np.int32)
    assert_fault(lambda: player.play_logged(3, log), StuckGameError, "nothing is legal", 3)


def test_a_log_that_is_too_short_keeps_the_beginning() -> None:
    player = seat(ALL_TABLES[4])
    whole, short = np.full(64, -1, np.int32), np.full(3, -1, np.int32)
    assert player.play_logged(0, short).tobytes() == player.play_logged(0, whole).tobytes()
    assert short.tolist() == whole[:3].tolist()
