"""The end: outcome rows and who is ahead. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.field_guide.state import (
    ALL_CHILDREN,
    ALL_GRUZELS,
    ARTHUR,
    CAPPED,
    CHILDREN,
    DEALT,
    EVERYBODY,
    HELD,
    HELD_BY_GRUZELS,
    MULGARAAT,
    NONE,
    PLAYED,
    SEATS,
)
from simcore.games.field_guide.table import held
from simcore.jit import kernel

WORTH_OF_GUIDE = 12.0
"""Steps that it costs a side if the other one has the guide: what it takes to catch up and to win a fight."""
HUNT = 30.0
"""Steps that the hunt for the guide counts for at its start."""


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side 0 are the children, side 1 the gruzels."""
    tab = state.tab
    play = state.play
    row.winners = 0
    row.distance_left = ABSENT
    if play.reason == ARTHUR:
        row.winners = 1 << ALL_CHILDREN
        row.distance_left = nearest(state, ALL_GRUZELS)
    elif play.reason == MULGARAAT:
        row.winners = 1 << ALL_GRUZELS
        row.distance_left = nearest(state, ALL_CHILDREN)
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.found_round = play.found_round
    row.found_turn = play.found_turn
    row.left_round = play.left_round
    row.left_turn = play.left_turn
    row.changes = play.changes
    row.passes = play.passes
    row.cage_taken = play.cage_taken
    row.cage_won = play.cage_won
    row.cage_used = play.cage_used
    row.sent_back = play.sent_back
    row.reshuffles = play.reshuffles
    by_children = 0
    for seat in range(SEATS):
        row.drawn[seat] = play.drawn[seat]
        row.fights_won[seat] = play.fights_won[seat]
        row.fights_lost[seat] = play.fights_lost[seat]
        by_children += play.fights_won[seat] if seat < tab.n_children else 0
    by_gruzels = play.fights_won[tab.n_children]
    row.fights_children = by_children
    row.fights_gruzels = by_gruzels
    row.fights = by_children + by_gruzels
    for seat in range(tab.n_seats):
        row.exposed[seat, DEALT, 0] = state.log.dealt[seat]
        row.exposed[seat, PLAYED, 0] = state.log.played[seat]
        row.exposed[seat, HELD, 0] = held(state, seat, 0 if seat < tab.n_children else 1)


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far `side` is ahead, -1 to 1: (other's need - own need) / (sum of both), in steps to the finish."""
    play = state.play
    if play.over and play.reason != CAPPED:
        sign = 0.0
        if play.reason == ARTHUR:
            sign = 1.0
        elif play.reason == MULGARAAT:
            sign = -1.0
        return sign if side == ALL_CHILDREN else -sign
    children = float(nearest(state, ALL_CHILDREN)) + 1.0
    gruzels = float(nearest(state, ALL_GRUZELS)) + 1.0
    if play.guide == HELD_BY_GRUZELS:
        children += WORTH_OF_GUIDE
    else:
        gruzels += WORTH_OF_GUIDE
    if play.guide == NONE:
        unseen = 0
        for room in range(state.tab.n_rooms):
            if play.token[room] > 0 and play.known[room] != EVERYBODY:
                unseen += 1
        children += HUNT * float(1 + unseen) / float(1 + state.tab.n_tokens)
        gruzels += HUNT / 2.0
    share = (gruzels - children) / (gruzels + children)
    return share if side == ALL_CHILDREN else -share


@kernel
def nearest(state: Any, side: int) -> int:
    """Return the steps of the nearest piece of a side to its finish; a child in the house counts from the door."""
    tab = state.tab
    play = state.play
    best = NONE
    first = 0 if side == ALL_CHILDREN else CHILDREN
    for piece in range(first, first + (tab.n_children if side == ALL_CHILDREN else tab.n_gruzels)):
        if play.space[piece] == NONE:
            steps = int(tab.left[side, tab.first[ALL_CHILDREN]]) + 1
        else:
            steps = int(tab.left[side, play.space[piece]])
        if best == NONE or steps < best:
            best = steps
    return best
