"""The rules of the race as a step machine. Kernels only."""

from typing import Any

from simcore.jit import kernel
from simcore.rng import below, rekey

from .state import CAPPED, DIE_STREAM, GOAL, ROLL, SEATS, STOP


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and begin the first turn."""
    play = state.play
    play.over = 0
    play.role = 0
    play.reason = CAPPED
    play.rounds = 1
    play.turns = 0
    play.rolls = 0
    for seat in range(SEATS):
        play.points[seat] = state.tab.head_start[seat]
        play.busts[seat] = 0
    begin_turn(state, 0)


@kernel
def begin_turn(state: Any, seat: int) -> None:
    """Give the die to `seat`; its rolls of this round depend on nothing that happened before."""
    play = state.play
    play.seat = seat
    play.turns += 1
    play.pot = 0
    play.face = 0
    rekey(state.rng, DIE_STREAM + seat, play.rounds)


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may do into `actions` (int64) and return how many."""
    if state.play.face == 0:
        actions[0] = ROLL
        return 1
    actions[0] = STOP
    actions[1] = ROLL
    return 2


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat. Legality is not checked."""
    play = state.play
    if action == ROLL:
        roll(state)
    else:
        play.points[play.seat] += play.pot
        end_turn(state)


@kernel
def roll(state: Any) -> None:
    """Roll the die: points for the pot, a bust, or the goal."""
    tab = state.tab
    play = state.play
    play.face = tab.faces[below(state.rng, DIE_STREAM + play.seat, tab.n_faces)]
    play.rolls += 1
    if play.face == tab.bust:
        play.busts[play.seat] += 1
        end_turn(state)
        return
    play.pot += play.face
    if play.points[play.seat] + play.pot >= tab.goal:
        play.points[play.seat] += play.pot
        play.reason = GOAL
        play.over = 1


@kernel
def end_turn(state: Any) -> None:
    """Pass the die on, or end the game at the round cap."""
    play = state.play
    following = play.seat + 1
    if following == state.tab.n_seats:
        if play.rounds == state.tab.round_cap:
            play.over = 1
            return
        following = 0
        play.rounds += 1
    begin_turn(state, following)


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome of a finished game into `row`."""
    play = state.play
    row.winners = 1 << play.seat if play.reason == GOAL else 0
    row.reason = play.reason
    row.turns = play.turns
    row.rounds = play.rounds
    row.rolls = play.rolls
    for seat in range(SEATS):
        row.busts[seat] = play.busts[seat]
        row.points[seat] = play.points[seat]
    for seat in range(state.tab.n_seats):
        row.exposed[seat, 0, 0] |= 1 << state.tab.runner[seat]


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far `side` is ahead of its best rival, as a share of the way: -1 to 1."""
    play = state.play
    best = 0
    for seat in range(state.tab.n_seats):
        if seat != side:
            best = max(best, min(play.points[seat], state.tab.goal))
    return float(min(play.points[side], state.tab.goal) - best) / float(state.tab.goal)
