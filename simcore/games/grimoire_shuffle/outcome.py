"""Scoring: outcome rows and who is ahead. "RB" is the rulebook, "ruling X1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.grimoire_shuffle.board import rows_to_go
from simcore.games.grimoire_shuffle.books import leader_of
from simcore.games.grimoire_shuffle.state import (
    BADGE_BIT,
    BOOKS,
    DEALT,
    FIRST_BIT,
    HELD,
    NONE,
    PLAYED,
    SEATS,
    STACK,
    STACK_BIT,
    TEAMS,
)
from simcore.jit import kernel


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side = team."""
    play = state.play
    log = state.log
    row.winners = 0 if play.winner == NONE else 1 << play.winner
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.sudden = play.sudden
    row.flips, row.rotations, row.specials = log.flips, log.rotations, log.specials
    row.skipped, row.walks, row.idle_walks = log.skipped, log.walks, log.idle_walks
    row.first_leader_won = 1 if play.winner == play.first_right % TEAMS else 0
    for seat in range(SEATS):
        team = seat % TEAMS
        seated = seat < state.tab.n_seats
        row.trophies[seat] = play.trophies[seat]
        row.team_trophies[seat] = play.team_trophies[team] if seated else 0
        row.first_trophy[seat] = ABSENT if play.first_trophy[team] == NONE else play.first_trophy[team]
        row.rows[seat] = log.rows[seat]
        row.idle_turns[seat] = log.idle_turns[seat]
        mark_books(row, seat, PLAYED, 0, log.played[seat])
        mark_books(row, seat, DEALT, STACK_BIT, log.held[seat])
        mark_books(row, seat, DEALT, BADGE_BIT, log.badge[seat])
    for book in range(BOOKS):
        row.rows_gained[book, 0], row.rows_gained[book, 1] = log.book_uses[book], log.book_rows[book]
    for team in range(TEAMS):
        leader = leader_of(state, team)
        for slot in range(STACK):
            if play.stack[team, slot] != NONE:
                mark_books(row, leader, HELD, 0, 1 << int(play.stack[team, slot]))
            if play.pile[team, slot] != NONE:
                mark_books(row, leader, HELD, 0, 1 << int(play.pile[team, slot]))
    row.exposed[play.first_right, DEALT, FIRST_BIT >> 5] |= 1


@kernel
def mark_books(row: Any, seat: int, exposure: int, first: int, books: int) -> None:
    """Set the bits of books, counted from `first`, in an exposure mask."""
    row.exposed[seat, exposure, first >> 5] |= books


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far a team is ahead, -1 to 1: d / (|d| + 2) for d trophies more, ways begun counted in part.

    A team that has won is ahead by 1.
    """
    play = state.play
    if play.winner != NONE:
        return 1.0 if play.winner == side else -1.0
    ahead = 0.0
    for seat in range(state.tab.n_seats):
        part = progress(state, seat)
        ahead += part if seat % TEAMS == side else -part
    ahead += float(play.team_trophies[side] - play.team_trophies[1 - side])
    return ahead / (abs(ahead) + 2.0)


@kernel
def progress(state: Any, seat: int) -> float:
    """Return how much of the way across the board a pawn has behind it, 0 to 1."""
    rows = state.tab.n_rows + 1
    return 1.0 - float(rows_to_go(state, state.play.heading[seat], state.play.pos[seat])) / float(rows)
