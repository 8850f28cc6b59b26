"""Deck and piles, trophies, badges and who gets which book. "RB" is the rulebook, "ruling X1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.state import (
    BADGE,
    BOOKS,
    KEEPING,
    NONE,
    NORTH_EDGE,
    SOUTH_EDGE,
    STACK,
    SUDDEN,
    TEAMS,
)
from simcore.jit import kernel, routine


@kernel
def leader_of(state: Any, team: int) -> int:
    """Return the seat of a team's leader: the right-hand one, or the seat to his left."""
    right = state.play.right
    return right if right % TEAMS == team else (right + 1) % state.tab.n_seats


@kernel
def badge_slot(state: Any, team: int) -> int:
    """Return the slot of the book on a leader badge, NONE if it is short."""
    for slot in range(state.play.n_stack[team]):
        if state.play.dest[team, slot] == BADGE:
            return slot
    return NONE


@kernel
def gifts(state: Any, team: int) -> int:
    """Return how many books a leader gives away: players first, the badge last (ruling A12)."""
    return min(state.tab.n_hand - 1, state.play.n_stack[team])


@kernel
def receiver(state: Any, leader: int, number: int) -> int:
    """Return who gets gift `number`: the other leader, then the teammates to the left."""
    n = state.tab.n_seats
    if number == 0:
        return (leader + 1) % n if leader == state.play.right else (leader + n - 1) % n
    return (leader + TEAMS * number) % n


@kernel
def distribute(state: Any, code: int) -> None:
    """Lay the books of the acting leader face down on the badges. Source: RB, 1 - Distribution."""
    play = state.play
    leader = play.seat
    team = leader % TEAMS
    count = gifts(state, team)
    for slot in range(play.n_stack[team]):
        play.dest[team, slot] = BADGE
    for number in range(count):
        slot = code >> (4 - 2 * number) & 3
        play.dest[team, slot] = receiver(state, leader, number)
    play.dealt_out[team] = 1


# -- deck and piles ---------------------------------------------------------------------------------------------------


@kernel
def take_top(state: Any) -> None:
    """Take the top book off the deck."""
    play = state.play
    play.deck[play.head], play.deck_known[play.head] = NONE, 0
    play.head = (play.head + 1) % BOOKS
    play.left -= 1


@kernel
def draw_to_pile(state: Any, team: int) -> None:
    """Put the top book of the deck under a badge; who knew where it lay knows where it went."""
    play = state.play
    book, known = int(play.deck[play.head]), int(play.deck_known[play.head])
    take_top(state)
    add_to_pile(state, team, book, known)


@routine
def put_under_deck(state: Any, book: int, known: int) -> None:
    """Put a book under the deck."""
    play = state.play
    place = (play.head + play.left) % BOOKS
    play.deck[place], play.deck_known[place] = book, known
    play.left += 1


@routine
def add_to_pile(state: Any, team: int, book: int, known: int) -> None:
    """Put a book under a leader badge."""
    play = state.play
    place = play.n_pile[team]
    play.pile[team, place], play.pile_known[team, place] = book, known
    play.n_pile[team] = place + 1


@kernel
def take_up_pile(state: Any, team: int) -> None:
    """Make the books under a badge the next stack."""
    play = state.play
    play.n_stack[team] = play.n_pile[team]
    play.n_pile[team] = 0
    for slot in range(STACK):
        play.stack[team, slot], play.stack_known[team, slot] = play.pile[team, slot], play.pile_known[team, slot]
        play.pile[team, slot], play.pile_known[team, slot] = NONE, 0


# -- trophies ---------------------------------------------------------------------------------------------------------


@kernel
def win_trophy(state: Any, seat: int) -> None:
    """Put the book aside, turn round, and choose between the top two books of the deck (ruling A12)."""
    play = state.play
    team = seat % TEAMS
    play.trophy_of[play.book] = seat
    play.trophies[seat] += 1
    play.team_trophies[team] += 1
    if play.first_trophy[team] == NONE:
        play.first_trophy[team] = play.rounds
    if play.sudden:
        finish(state, team, SUDDEN)
        return
    play.heading[seat] = NORTH_EDGE + SOUTH_EDGE - play.heading[seat]
    if play.left >= 2:
        play.phase = KEEPING
        for index in range(2):
            play.deck_known[(play.head + index) % BOOKS] = 1 << seat
        return
    if play.left == 1:
        play.deck_known[play.head] |= 1 << seat
        draw_to_pile(state, team)


@kernel
def keep_book(state: Any, which: int) -> None:
    """Put one of two drawn books under the badge and the other under the deck; only the drawer has seen them."""
    play = state.play
    seat = play.seat
    other = int(play.deck[(play.head + 1 - which) % BOOKS])
    kept = int(play.deck[(play.head + which) % BOOKS])
    for _ in range(2):
        take_top(state)
    add_to_pile(state, seat % TEAMS, kept, 1 << seat)
    put_under_deck(state, other, 1 << seat)


@kernel
def finish(state: Any, team: int, reason: int) -> None:
    """End the game with a winner."""
    play = state.play
    play.winner = team
    play.reason = reason
    play.over = 1


@kernel
def exchange_badges(state: Any) -> None:
    """Put the badge books under the deck, the right-hand leader's first, then draw as many (ruling A11)."""
    play = state.play
    short = 0
    for index in range(TEAMS):
        team = (play.right + index) % TEAMS
        slot = badge_slot(state, team)
        if slot == NONE:
            short |= 1 << team
        else:
            put_under_deck(state, int(play.stack[team, slot]), int(play.stack_known[team, slot]))
            play.stack[team, slot] = NONE
    for index in range(TEAMS):
        team = (play.right + index) % TEAMS
        if short >> team & 1 == 0:
            draw_to_pile(state, team)
