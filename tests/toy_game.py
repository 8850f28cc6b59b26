"""A made-up game for tests of the engine: what the shipped games leave unused, as small as can be.

Two or three seats climb a stair of `top` steps, one or two at a time. Who lands on an odd step is at the mercy of
the next seat, which (in its other role) leaves him there or sends him down one step. Whoever stands on the top at
the end of a round wins, all of them together. With `trap` set, nothing is legal from round 2 on.
"""

from __future__ import annotations

from dataclasses import fields
from types import ModuleType
from typing import Any

import numpy as np

from simcore.contract import Decision, Feature, Game, Rules, outcome_dtype, state_dtype
from simcore.driver import play_games
from simcore.jit import kernel
from simcore.rng import reseed

SEATS, ROLES = 3, 2
CLIMB, JUDGE = range(ROLES)
STATE = state_dtype(
    tab=[("top", "i4"), ("trap", "i4"), ("round_cap", "i4")],
    play=[("height", "i4", (SEATS,)), ("climber", "i4")],
    seats=SEATS,
    chance=1,
)
OUTCOME = outcome_dtype((), SEATS)


@kernel
def setup(state: Any) -> None:
    play = state.play
    play.seat = 0
    play.role = CLIMB
    play.rounds = 1
    play.turns = 1
    play.over = 0
    play.climber = 0
    for seat in range(SEATS):
        play.height[seat] = 0


@kernel
def legal(state: Any, actions: Any) -> Any:
    if state.tab.trap and state.play.rounds > 1:
        return np.int32(0)
    if state.play.role == JUDGE:
        actions[0] = 10
        actions[1] = 11
        return np.int32(2)
    actions[0] = 1
    actions[1] = 2
    return np.int32(2 if state.play.height[state.play.seat] + 2 <= state.tab.top else 1)


@kernel
def apply(state: Any, action: int) -> None:
    play = state.play
    if play.role == CLIMB:
        play.height[play.seat] = min(play.height[play.seat] + action, state.tab.top)
        if play.height[play.seat] % 2 == 1 and play.height[play.seat] < state.tab.top:
            play.role = JUDGE
            play.seat = (play.seat + 1) % state.tab.n_seats
            return
    elif action == 11:
        play.height[play.climber] -= 1
    next_turn(state)


@kernel
def next_turn(state: Any) -> None:
    play = state.play
    play.role = CLIMB
    play.climber = (play.climber + 1) % state.tab.n_seats
    play.seat = play.climber
    if play.climber == 0:
        for seat in range(state.tab.n_seats):
            if play.height[seat] == state.tab.top:
                play.over = 1
        if play.rounds == state.tab.round_cap:
            play.over = 1
        if play.over:
            return
        play.rounds += 1
    play.turns += 1


@kernel
def score(state: Any, row: Any) -> None:
    play = state.play
    row.winners = 0
    for seat in range(state.tab.n_seats):
        if play.height[seat] == state.tab.top:
            row.winners |= 1 << seat
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = 1 if row.winners else 0


@kernel
def lead(state: Any, side: int) -> float:
    most = 0
    for seat in range(state.tab.n_seats):
        if seat != side:
            most = max(most, state.play.height[seat])
    return float(state.play.height[side] - most) / float(state.tab.top)


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    reseed(state.rng, random, seat)


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    out[0] = float(action)


@kernel
def play_block(
    strategies: Any, desks: Any, tools: Any, run_key: Any, span: Any, rows: Any, log: Any, faults: Any
) -> Any:
    return play_games(setup, legal, apply, score, ROLES, strategies, desks, tools, run_key, span, rows, log, faults)


def by_parameter(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Take the action at the position that the first parameter says."""
    return actions[int(params[0])]


def last(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Take the last action."""
    return actions[n - 1]


def nowhere(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Answer what nobody offers."""
    return -5


def _no_words(*_: Any) -> Any:
    raise NotImplementedError("no test describes the toy")


GAME = Game(
    name="toy",
    version=1,
    seat_counts=(2, 3),
    roles=("climber", "judge"),
    state=STATE,
    outcome=OUTCOME,
    chance=("nothing",),
    reasons=lambda edition: ("round cap", "top"),
    metrics=(),
    features=(Feature("action", "the action itself"),),
    decisions=(Decision("climb", "climber", "how far"), Decision("judge", "judge", "stay or down")),
    actions=2,
    components=ModuleType("components"),
    rules=Rules(
        setup=setup,
        legal=legal,
        apply=apply,
        score=score,
        lead=lead,
        hide=hide,
        features=features,
        play_block=play_block,
    ),
    sides=lambda n: tuple((seat,) for seat in range(n)),
    rotations=lambda n: tuple(tuple((seat + shift) % n for seat in range(n)) for shift in range(n)),
    **{item.name: _no_words for item in fields(Game) if item.name.startswith("describe")},
)
