"""What may be answered: books, rooms, landings, partners. "RB" is the rulebook, "ruling X1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.board import placed_high, placed_low, reach, row_of, write_spaces
from simcore.games.grimoire_shuffle.books import gifts
from simcore.games.grimoire_shuffle.rooms import room_spaces
from simcore.games.grimoire_shuffle.state import (
    ARRANGING,
    CLEAR,
    CLEARING,
    COVER,
    DISTRIBUTING,
    FLIP,
    FLIP_ROOM,
    GIVE,
    IN_ROW,
    KEEP,
    KEEPING,
    MOVING,
    NONE,
    NORTH_EDGE,
    OPPONENT,
    OTHER,
    OWN,
    PAWN,
    PICKING,
    PLACE_ROOM,
    ROTATE,
    SAME_ROW,
    SENDING,
    SKIP,
    TEAMMATE,
    TEAMS,
    TELEPORT,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64), ascending, and return how many."""
    play = state.play
    if play.phase == DISTRIBUTING:
        return write_gifts(state, play.seat % TEAMS, actions)
    if play.phase == KEEPING:
        actions[0], actions[1] = KEEP, KEEP + 1
        return 2
    if play.phase == ARRANGING:
        low, high = room_spaces(state, play.room)
        return write_spaces(actions, low & ~play.taken[0], high & ~play.taken[1], 0)
    step = play.program[play.step]
    if play.phase == MOVING:
        sets = reach(state, play.seat, int(step.op), int(step.n))
        tmp = state.tmp
        return write_spaces(actions, tmp.near[sets - 1, 0], tmp.near[sets - 1, 1], tmp.edges[sets - 1])
    n = 0
    if play.phase == SENDING:
        low, high = landings(state, play.picked, int(step.n))
        n = write_spaces(actions, low, high, 0)
        if step.other:
            return n
    elif play.phase == PICKING:
        n = write_members(actions, partners(state, play.seat, step), PAWN)
    elif play.phase == CLEARING:
        n = write_members(actions, specials_out(state), CLEAR)
    else:
        n = write_rooms(state, step, actions)
    if step.may:
        actions[n] = SKIP
        n += 1
    return n


@routine
def write_gifts(state: Any, team: int, actions: Any) -> int:
    """Write every way to distribute a stack."""
    n = state.play.n_stack[team]
    count = gifts(state, team)
    written = 0
    for first in range(n if count > 0 else 1):
        for second in range(n if count > 1 else 1):
            for third in range(n if count > 2 else 1):
                if (count > 1 and second == first) or (count > 2 and third in (first, second)):
                    continue
                actions[written] = GIVE + 16 * first + 4 * second + third
                written += 1
    return written


@kernel
def write_members(actions: Any, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, into `actions`; return how many."""
    n = 0
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@routine
def write_rooms(state: Any, step: Any, actions: Any) -> int:
    """Write the rooms that may be flipped, turned or covered, and how a flipped one may be laid down."""
    play = state.play
    own = state.tab.room_of[play.pos[play.seat]] if step.op != PLACE_ROOM and step.n == OWN else NONE
    last = play.last_flip if step.op == FLIP_ROOM else play.last_turned
    barred = last if step.op != PLACE_ROOM and step.n == OTHER else NONE
    n = 0
    for room in range(state.tab.n_rooms):
        if room == barred or (own != NONE and room != own):
            continue
        if step.op == FLIP_ROOM:
            actions[n], actions[n + 1] = FLIP + 2 * room, FLIP + 2 * room + 1
            n += 2
        else:
            actions[n] = (COVER if step.op == PLACE_ROOM else ROTATE) + room
            n += 1
    return n


@routine
def landings(state: Any, seat: int, to: int) -> tuple[int, int]:
    """Return where a pawn may be teleported to: free, not blocked, never from or to an edge (rulings D8 and D9)."""
    tab = state.tab
    play = state.play
    space = play.pos[seat]
    if space >= NORTH_EDGE:
        return 0, 0
    if to == SAME_ROW:
        first = row_of(state, space) * tab.width
        row = (1 << tab.width) - 1
        low, high = placed_low(row, first), placed_high(row, first)
    else:
        low, high = room_spaces(state, int(tab.room_of[space]))
    return low & ~play.taken[0] & ~play.blocked[0], high & ~play.taken[1] & ~play.blocked[1]


@routine
def partners(state: Any, seat: int, step: Any) -> int:
    """Return the bit mask of seats whose pawn may be chosen for a swap or to be teleported."""
    play = state.play
    found = 0
    space = play.pos[seat]
    for other in range(state.tab.n_seats):
        if other == seat or play.pos[other] >= NORTH_EDGE:
            continue
        if step.op == TELEPORT:
            low, high = landings(state, other, int(step.n))
            fits = (low | high) != 0
        elif space >= NORTH_EDGE:
            fits = False
        else:
            teammate = other % TEAMS == seat % TEAMS
            in_row = row_of(state, play.pos[other]) == row_of(state, space)
            fits = step.n == TEAMMATE and teammate
            fits |= step.n == IN_ROW and in_row
            fits |= step.n == OPPONENT and in_row and not teammate
        if fits:
            found |= 1 << other
    return found


@kernel
def specials_out(state: Any) -> int:
    """Return the bit mask of special rooms on the board."""
    found = 0
    for special in range(state.tab.n_specials):
        if state.play.special_at[special] != NONE:
            found |= 1 << special
    return found
