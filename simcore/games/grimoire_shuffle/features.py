"""What an action of the library race is worth at first sight: for weight vectors, and for scripted strategies.

A *way* is the fewest movements from a pawn to its edge as the walls stand, round blocked rooms, pawns and ice left
aside. A pawn that is walled in has a long way: twice the rows of the board and those that it still has to go.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.grimoire_shuffle.board import edge_bit, high_bit, low_bit, rows_to_go, spread
from simcore.games.grimoire_shuffle.books import receiver
from simcore.games.grimoire_shuffle.rules import carry_out
from simcore.games.grimoire_shuffle.state import (
    BOOKS,
    DISTRIBUTING,
    GIVE,
    KEEP,
    KEEPING,
    NONE,
    SKIP,
    TEAMS,
)
from simcore.jit import kernel, routine

FEATURES = (
    Feature("way", "walking: movements that the player's own way gets shorter"),
    Feature("rows", "walking: rows that the player's own pawn gets closer"),
    Feature("arrives", "walking: 1 if the player's own pawn then stands on the edge that it is heading for"),
    Feature("team_way", "walking: movements that the ways of teammates get shorter, added up"),
    Feature("rival_way", "walking: movements that the ways of rivals get shorter, added up"),
    Feature("left_out", "walking: 1 for leaving out a step"),
    Feature("keep_worth", "after a trophy: worth of the book that is kept"),
    Feature("give_team", "distributing: worth of the books given to teammates, added up"),
    Feature("give_nearest", "distributing: worth of the book given to the teammate with the shortest way"),
    Feature("give_rival", "distributing: worth of the book given to the other leader"),
    Feature("badge_worth", "distributing: worth of the leader effect of the book kept for the badge"),
    Feature("badge_book", "distributing: worth of the steps of the book kept for the badge, which nobody walks with"),
)
WAY, ROWS, ARRIVES, TEAM_WAY, RIVAL_WAY, LEFT_OUT, KEEP_WORTH, GIVE_TEAM, GIVE_NEAREST, GIVE_RIVAL = range(10)
BADGE_WORTH, BADGE_BOOK = 10, 11
COUNT_OF_FEATURES = len(FEATURES)


@routine
def way_from(state: Any, heading: int, space: int) -> int:
    """Return the way from a place to an edge."""
    tab = state.tab
    play = state.play
    low, high, edges = low_bit(space), high_bit(space), edge_bit(space)
    enter_0, enter_1 = (tab.whole[0] & ~play.blocked[0]) | low, (tab.whole[1] & ~play.blocked[1]) | high
    return rings_to(state, heading, low, high, edges, enter_0, enter_1, rows_to_go(state, heading, space))


@routine
def rings_to(state: Any, heading: int, low: int, high: int, edges: int, enter_0: int, enter_1: int, rows: int) -> int:
    """Return how many movements lie between an edge and the nearest of a set of places; `rows` if it is walled in."""
    ring_0, ring_1, ring_edges = 0, 0, edge_bit(heading)
    steps = 0
    while (ring_0 & low) | (ring_1 & high) | (ring_edges & edges) == 0:
        enter_0, enter_1 = enter_0 & ~ring_0, enter_1 & ~ring_1
        ring_0, ring_1, ring_edges = spread(state, ring_0, ring_1, ring_edges, enter_0, enter_1)
        ring_edges &= ~edge_bit(heading)
        steps += 1
        if ring_0 | ring_1 | ring_edges == 0 or steps > state.tab.n_spaces:
            return 2 * state.tab.n_rows + rows
    return steps


@kernel
def way(state: Any, seat: int) -> int:
    """Return the way of a pawn; of one that has been lifted, from where it stood."""
    return way_from(state, state.play.heading[seat], state.play.pos[seat])


@kernel
def nearest_teammate(state: Any, leader: int) -> int:
    """Return which gift, from 1, is for the teammate with the shortest way."""
    best, shortest = 1, 1 << 30
    for number in range(1, state.tab.n_hand - 1):
        far = way(state, receiver(state, leader, number))
        if far < shortest:
            best, shortest = number, far
    return best


@kernel
def gift(state: Any, team: int, action: int, number: int) -> int:
    """Return the book that goes to receiver `number` (0: the other leader) in a distribution, NONE if there is none."""
    if number >= min(state.tab.n_hand - 1, state.play.n_stack[team]):
        return NONE
    return int(state.play.stack[team, (action - GIVE) >> (4 - 2 * number) & 3])


@kernel
def kept(state: Any, team: int, action: int) -> int:
    """Return the book that stays for the badge in a distribution, NONE if there is none."""
    n = state.play.n_stack[team]
    given = min(state.tab.n_hand - 1, n)
    for slot in range(n):
        free = True
        for number in range(given):
            free &= (action - GIVE) >> (4 - 2 * number) & 3 != slot
        if free:
            return int(state.play.stack[team, slot])
    return NONE


@kernel
def book_worth(state: Any, book: int) -> float:
    """Return about how many spaces of the way a book saves; 0 for none."""
    return float(state.tab.books[book].worth) if book != NONE else 0.0


@kernel
def badge_worth(state: Any, book: int) -> float:
    """Return about what a leader effect is worth to the own team; 0 for none, and in the basic game."""
    return float(state.tab.books[book].badge_worth) if book != NONE and state.tab.advanced else 0.0


@kernel
def gift_features(state: Any, seat: int, action: int, out: Any) -> None:
    """Write the features of a distribution."""
    team = seat % TEAMS
    nearest = nearest_teammate(state, seat)
    out[GIVE_RIVAL] = book_worth(state, gift(state, team, action, 0))
    for number in range(1, state.tab.n_hand - 1):
        worth = book_worth(state, gift(state, team, action, number))
        out[GIVE_TEAM] += worth
        if number == nearest:
            out[GIVE_NEAREST] = worth
    book = kept(state, team, action)
    out[BADGE_WORTH] = badge_worth(state, book)
    out[BADGE_BOOK] = book_worth(state, book)


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write `FEATURES` of `action` for the acting `seat` into ``out[:F]``; uses ``work.line``."""
    for i in range(COUNT_OF_FEATURES):
        out[i] = 0.0
    play = state.play
    if play.phase == DISTRIBUTING:
        gift_features(state, seat, action, out)
        return
    if play.phase == KEEPING:
        out[KEEP_WORTH] = book_worth(state, int(play.deck[(play.head + action - KEEP) % BOOKS]))
        return
    if action == SKIP:
        out[LEFT_OUT] = 1.0
        return
    line = work.line
    work.line = state
    carry_out(line, action)
    for other in range(state.tab.n_seats):
        saved = float(way(state, other) - way(line, other))
        if other == seat:
            out[WAY] = saved
        elif other % TEAMS == seat % TEAMS:
            out[TEAM_WAY] += saved
        else:
            out[RIVAL_WAY] += saved
    heading = play.heading[seat]
    out[ROWS] = float(rows_to_go(state, heading, play.pos[seat]) - rows_to_go(line, heading, line.play.pos[seat]))
    out[ARRIVES] = 1.0 if line.play.pos[seat] == heading else 0.0
