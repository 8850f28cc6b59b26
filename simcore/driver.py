"""The one game loop. It is pasted into each game's `play_block`, which names the game's own kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.jit import inlined, reference, table
from simcore.rng import derive, open_streams

STUCK, ILLEGAL, ENDLESS = 1, 2, 3
"""Fault codes: nothing was offered although the game goes on; a strategy answered what was not offered; no end came."""

ENDLESS_AFTER = 1 << 24
"""Actions after which a game is taken to be one that never ends: seconds of work, far beyond any round cap."""


@inlined
def play_games(
    setup: Any,
    legal: Any,
    apply: Any,
    score: Any,
    roles: int,
    strategies: Any,
    desks: Any,
    tools: Any,
    run_key: Any,
    span: Any,
    rows: Any,
    log: Any,
    faults: Any,
) -> Any:
    """Play the games of one rotation; return the row of the first that had a fault, else how many rows there are.

    Parameters
    ----------
    setup, legal, apply, score : kernels of the game; strategies are asked only where more than one action is legal
    roles : int
        Roles a seat; `strategies` and the desk's `params` are indexed by ``seat * roles + role``.
    desks : (1,) record of `contract.desk_dtype`, modified; `state.tab` and `params` must be filled
    run_key : uint64
        ``derive(seed, 0)``.
    span : (first, start, rotations) of int
        Row r is game ``first + r``, its deal that number divided by `rotations`. Rows `start`, `start` + `rotations`,
        ... are played: the games in which the players sit as in this rotation.
    rows : (G,) Outcome, these written. `log` : int32, written with the actions of the game, as far as it reaches
    faults : (4,) int64
        Written on a fault: code, seat, action, number of actions so far.
    """
    desk = desks[0]
    state = desk.state
    play = state.play
    chooser = table(strategies)
    kit = reference(tools)
    actions = desk.actions[:]  # numba takes the slice, not the field itself, for a plain array
    for g in range(span[1], rows.shape[0], span[2]):
        open_streams(state.rng, derive(run_key, np.uint64((span[0] + g) // span[2])))
        setup(state)
        decisions = 0
        steps = 0
        while play.over == 0:
            n = legal(state, actions)
            if n <= 0 or steps == ENDLESS_AFTER:
                faults[0] = STUCK if n <= 0 else ENDLESS
                faults[1] = play.seat
                faults[3] = steps
                return g
            action = actions[0]
            if n > 1:
                which = play.seat * roles + play.role
                action = chooser[which](state, play.seat, actions, n, desk.params[which], desk.work, kit)
                decisions += 1
                offered = False
                for i in range(n):
                    offered |= actions[i] == action
                if not offered:
                    faults[0] = ILLEGAL
                    faults[1] = play.seat
                    faults[2] = action
                    faults[3] = steps
                    return g
            if steps < log.shape[0]:
                log[steps] = action
            steps += 1
            apply(state, action)
        score(state, rows[g])
        rows[g].decisions = decisions
    return rows.shape[0]
