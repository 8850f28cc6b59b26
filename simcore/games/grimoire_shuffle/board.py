"""The board of the library race: walls, rooms that turn, and where a pawn can go. "RB" is the rulebook.

A set of spaces is two words (low, high); `edges` is a bit mask of far edges, 1 north, 2 south. One movement of all
pawns that could be anywhere in a set is a handful of shifts, so that a search goes ring by ring.
"""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.state import (
    BLOCKED,
    EAST,
    FULL,
    MOVE,
    NONE,
    NORTH,
    NORTH_EDGE,
    SIDESTEP,
    SLIDE,
    SOUTH,
    SOUTH_EDGE,
    SPACES,
    STOP,
    STRAIGHT,
    THROUGH_WALL,
    WEST,
    WORD,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest

_TOP = WORD - 1


# -- sets of spaces -------------------------------------------------------------------------------------------------


@kernel
def low_bit(space: int) -> int:
    """Return the low word of the set that holds a space only; 0 for an edge."""
    return 1 << space if space < WORD else 0


@kernel
def high_bit(space: int) -> int:
    """Return the high word of the set that holds a space only; 0 for an edge."""
    return 1 << (space - WORD) if WORD <= space < SPACES else 0


@kernel
def edge_bit(space: int) -> int:
    """Return the mask of edges for a place: 0 for a space of the board."""
    return 1 << (space - NORTH_EDGE) if space >= NORTH_EDGE else 0


@kernel
def holds(low: int, high: int, edges: int, space: int) -> bool:
    """Return whether a place is in a set."""
    return (low & low_bit(space)) | (high & high_bit(space)) | (edges & edge_bit(space)) != 0


@kernel
def placed_low(pattern: int, first: int) -> int:
    """Return the low word of a pattern of the room in position 0, drawn from space `first` on."""
    return (pattern << first) & FULL if first < WORD else 0


@kernel
def placed_high(pattern: int, first: int) -> int:
    """Return the high word of a pattern of the room in position 0, drawn from space `first` on."""
    return (pattern << (first - WORD)) & FULL if first >= WORD else pattern >> (WORD - first)


@kernel
def write_spaces(actions: Any, low: int, high: int, edges: int) -> int:
    """Write the numbers of the places in a set into `actions`, ascending; return how many."""
    n = 0
    while low:
        actions[n] = lowest(low)
        low &= low - 1
        n += 1
    while high:
        actions[n] = WORD + lowest(high)
        high &= high - 1
        n += 1
    for edge in range(2):
        if edges >> edge & 1:
            actions[n] = NORTH_EDGE + edge
            n += 1
    return n


# -- rooms ----------------------------------------------------------------------------------------------------------


@routine
def draw_room(state: Any, room: int) -> None:
    """Write walls and rules of the card that lies uppermost in a room; a special room hides what it covers."""
    draw_walls(state, room)
    play = state.play
    first = state.tab.corner[room]
    low = placed_low(state.tab.outline, first)
    high = placed_high(state.tab.outline, first)
    rule = NONE
    if play.covered[room] != NONE:
        rule = state.tab.special_rule[play.covered[room]]
    set_rule(play.slide, low, high, rule == SLIDE)
    set_rule(play.stop, low, high, rule == STOP)
    set_rule(play.blocked, low, high, rule == BLOCKED)


@kernel
def set_rule(mask: Any, low: int, high: int, on: bool) -> None:
    """Put the spaces of a room into a set, or take them out."""
    mask[0] = (mask[0] & ~low) | (low if on else 0)
    mask[1] = (mask[1] & ~high) | (high if on else 0)


@kernel
def draw_walls(state: Any, room: int) -> None:
    """Write the walls of the card that lies uppermost in a room."""
    tab = state.tab
    play = state.play
    first = tab.corner[room]
    low = placed_low(tab.outline, first)
    high = placed_high(tab.outline, first)
    for direction in range(4):
        if play.covered[room] != NONE:
            special = play.covered[room]
            pattern = tab.special_walls[special, play.special_turned[special], direction]
        else:
            pattern = tab.faces[play.card[room], play.face[room], direction]
        play.own[direction, 0] = (play.own[direction, 0] & ~low) | placed_low(pattern, first)
        play.own[direction, 1] = (play.own[direction, 1] & ~high) | placed_high(pattern, first)
    join_walls(state)


@kernel
def join_walls(state: Any) -> None:
    """Write where the ways are open: a wall that one of two touching cards shows is a wall (ruling C7)."""
    tab = state.tab
    play = state.play
    own = play.own
    width = tab.width
    west = own[WEST, 1]
    play.open_e[0] = tab.inner[0] & ~(own[EAST, 0] | (own[WEST, 0] >> 1) | ((west & 1) << _TOP))
    play.open_e[1] = tab.inner[1] & ~(own[EAST, 1] | (west >> 1))
    north = own[NORTH, 1]
    below = (own[NORTH, 0] >> width) | ((north << (WORD - width)) & FULL)
    play.open_s[0] = tab.whole[0] & ~(own[SOUTH, 0] | below)
    play.open_s[1] = tab.whole[1] & ~(own[SOUTH, 1] | (north >> width))
    play.open_n[0] = tab.first_row[0] & ~own[NORTH, 0]
    play.open_n[1] = tab.first_row[1] & ~own[NORTH, 1]


@kernel
def turned_space(state: Any, room: int, space: int) -> int:
    """Return where a space of a room lies after a half turn of the room."""
    tab = state.tab
    return 2 * tab.corner[room] + (tab.deep - 1) * tab.width + tab.broad - 1 - space


@kernel
def row_of(state: Any, space: int) -> int:
    """Return the row of a space of the board, 0 in the north."""
    return space // state.tab.width


@kernel
def rows_to_go(state: Any, heading: int, space: int) -> int:
    """Return how many rows lie between a place and the edge that a pawn is heading for, 0 if it is there."""
    rows = state.tab.n_rows
    if space >= NORTH_EDGE:
        return 0 if space == heading else rows + 1
    row = row_of(state, space)
    return row + 1 if heading == NORTH_EDGE else rows - row


# -- one movement ---------------------------------------------------------------------------------------------------


@kernel
def east_of(low: int, high: int) -> tuple[int, int]:
    """Return a set moved one space to the east."""
    return (low << 1) & FULL, ((high << 1) & FULL) | (low >> _TOP)


@kernel
def west_of(low: int, high: int) -> tuple[int, int]:
    """Return a set moved one space to the west."""
    return (low >> 1) | ((high & 1) << _TOP), high >> 1


@kernel
def south_of(low: int, high: int, width: int) -> tuple[int, int]:
    """Return a set moved one row to the south."""
    return (low << width) & FULL, ((high << width) & FULL) | (low >> (WORD - width))


@kernel
def north_of(low: int, high: int, width: int) -> tuple[int, int]:
    """Return a set moved one row to the north."""
    return (low >> width) | ((high << (WORD - width)) & FULL), high >> width


@kernel
def has(mask: Any, space: int) -> bool:
    """Return whether a space of the board is in a set."""
    return bool((mask[0] >> space if space < WORD else mask[1] >> (space - WORD)) & 1)


@routine
def next_place(state: Any, direction: int, space: int, through: int) -> int:
    """Return where one step from a space of the board leads, NONE if a wall is in the way or the world ends.

    With `through` 1 it is the other way round: where a step through a wall leads, NONE if there is none (C3, C6).
    """
    tab = state.tab
    play = state.play
    if direction == EAST:
        free, place = has(play.open_e, space), space + 1
        exists = has(tab.inner, space)
    elif direction == WEST:
        exists = space % tab.width > 0
        place = space - 1
        free = exists and has(play.open_e, place)
    elif direction == SOUTH:
        exists, free = True, has(play.open_s, space)
        place = SOUTH_EDGE if has(tab.last_row, space) else space + tab.width
    elif has(tab.first_row, space):
        exists, free, place = True, has(play.open_n, space), NORTH_EDGE
    else:
        place = space - tab.width
        exists, free = True, has(play.open_s, place)
    return place if exists and free == (through == 0) else NONE


@kernel
def is_free(free_0: int, free_1: int, place: int) -> bool:
    """Return whether a place may be entered: a far edge always (ruling C2)."""
    return place >= NORTH_EDGE or (free_0 & low_bit(place)) | (free_1 & high_bit(place)) != 0


@routine
def slide_end(state: Any, direction: int, place: int, free_0: int, free_1: int) -> int:
    """Return where somebody ends who has stepped into a place in a direction.

    In a sliding room he goes on until a wall, a taken or blocked space, or the first space outside (D12, D13).
    """
    while place < NORTH_EDGE and has(state.play.slide, place):
        beyond = next_place(state, direction, place, 0)
        if beyond == NONE or not is_free(free_0, free_1, beyond):
            break
        place = beyond
    return place


@routine
def slid(state: Any, direction: int, low: int, high: int, free_0: int, free_1: int) -> tuple[int, int, int]:
    """Return where those end who have stepped into the spaces of a set in a direction."""
    slide = state.play.slide
    left_0, left_1 = low & slide[0], high & slide[1]
    low, high, edges = low & ~slide[0], high & ~slide[1], 0
    while left_0 | left_1:
        if left_0:
            space = lowest(left_0)
            left_0 &= left_0 - 1
        else:
            space = WORD + lowest(left_1)
            left_1 &= left_1 - 1
        end = slide_end(state, direction, space, free_0, free_1)
        low, high, edges = low | low_bit(end), high | high_bit(end), edges | edge_bit(end)
    return low, high, edges


@kernel
def spread(state: Any, low: int, high: int, edges: int, enter_0: int, enter_1: int) -> tuple[int, int, int]:
    """Return what one movement from anywhere in a set reaches, round walls, where nothing slides.

    `enter` are the spaces that may be entered.
    """
    tab = state.tab
    play = state.play
    width = tab.width
    open_0, open_1 = play.open_s[0], play.open_s[1]
    east_0, east_1 = east_of(low & play.open_e[0], high & play.open_e[1])
    west_0, west_1 = west_of(low, high)
    north_0, north_1 = north_of(low, high, width)
    south_0, south_1 = south_of(low & open_0, high & open_1, width)
    if edges & 1:
        south_0, south_1 = south_0 | play.open_n[0], south_1 | play.open_n[1]
    if edges & 2:
        north_0, north_1 = north_0 | tab.last_row[0], north_1 | tab.last_row[1]
    out = 1 if (low & play.open_n[0]) | (high & play.open_n[1]) else 0
    if (low & open_0 & tab.last_row[0]) | (high & open_1 & tab.last_row[1]):
        out |= 2
    low = (east_0 | (west_0 & play.open_e[0]) | (north_0 & open_0) | south_0) & enter_0
    high = (east_1 | (west_1 & play.open_e[1]) | (north_1 & open_1) | south_1) & enter_1
    return low, high, out


@routine
def one_step(
    state: Any,
    op: int,
    through: bool,
    slippery: bool,
    low: int,
    high: int,
    edges: int,
    enter_0: int,
    enter_1: int,
    free_0: int,
    free_1: int,
) -> tuple[int, int, int]:
    """Return what one movement of any kind from anywhere in a set reaches.

    Parameters
    ----------
    through : whether walls do not count; for `op` SIDESTEP only east and west do
    slippery : whether sliding rooms carry on who enters them
    enter : spaces that may be entered; `free` those where a slide does not stop before
    """
    tab = state.tab
    play = state.play
    width = tab.width
    if through:
        e_0, e_1, s_0, s_1 = tab.inner[0], tab.inner[1], tab.whole[0], tab.whole[1]
        n_0, n_1 = tab.first_row[0], tab.first_row[1]
    else:
        e_0, e_1, s_0, s_1 = play.open_e[0], play.open_e[1], play.open_s[0], play.open_s[1]
        n_0, n_1 = play.open_n[0], play.open_n[1]
    east_0, east_1 = east_of(low & e_0, high & e_1)
    west_0, west_1 = west_of(low, high)
    west_0, west_1 = west_0 & e_0, west_1 & e_1
    north_0, north_1, south_0, south_1 = 0, 0, 0, 0
    out = 0
    if op != SIDESTEP:
        south_0, south_1 = south_of(low & s_0, high & s_1, width)
        north_0, north_1 = north_of(low, high, width)
        north_0, north_1 = north_0 & s_0, north_1 & s_1
        if (low & n_0) | (high & n_1):
            out |= 1
        if (low & s_0 & tab.last_row[0]) | (high & s_1 & tab.last_row[1]):
            out |= 2
        if edges & 1:
            south_0 |= n_0
            south_1 |= n_1
        if edges & 2:
            north_0 |= s_0 & tab.last_row[0]
            north_1 |= s_1 & tab.last_row[1]
    if slippery:
        east_0, east_1, more = slid(state, EAST, east_0 & enter_0, east_1 & enter_1, free_0, free_1)
        west_0, west_1, more = slid(state, WEST, west_0 & enter_0, west_1 & enter_1, free_0, free_1)
        north_0, north_1, more = slid(state, NORTH, north_0 & enter_0, north_1 & enter_1, free_0, free_1)
        out |= more
        south_0, south_1, more = slid(state, SOUTH, south_0 & enter_0, south_1 & enter_1, free_0, free_1)
        out |= more
    low = (east_0 | west_0 | north_0 | south_0) & enter_0
    high = (east_1 | west_1 | north_1 | south_1) & enter_1
    return low, high, out


# -- whole steps of a book ------------------------------------------------------------------------------------------


@kernel
def reach(state: Any, seat: int, op: int, steps: int) -> int:
    """Write where a movement step may end into ``state.tmp.near[0]`` and ``edges[0]``; return how many sets there are.

    For a move with walls to pass, ``near[k]`` is what is reached with at most k of them. RB, Grimoire Actions;
    rulings C1 to C9, D12, D13.
    """
    if op in (STRAIGHT, THROUGH_WALL):
        lines(state, seat, op)
    elif op == MOVE and state.play.crossings > 0:
        return search_through(state, seat, steps)
    else:
        search(state, seat, op, steps)
    return 1


@routine
def search(state: Any, seat: int, op: int, steps: int) -> None:
    """Search ring by ring from the pawn of `seat`; whoever enters a stopping room goes no further in this step."""
    tab = state.tab
    play = state.play
    tmp = state.tmp
    start = play.pos[seat]
    low, high, edges = low_bit(start), high_bit(start), edge_bit(start)
    if op == SIDESTEP and edges:
        steps = 0
    free_0 = tab.whole[0] & ~play.blocked[0] & ~(play.taken[0] & ~low)
    free_1 = tab.whole[1] & ~play.blocked[1] & ~(play.taken[1] & ~high)
    enter_0, enter_1 = free_0, free_1
    if play.passing and op != SIDESTEP:
        enter_0, enter_1 = tab.whole[0] & ~play.blocked[0], tab.whole[1] & ~play.blocked[1]
    stop_0, stop_1, slippery = play.stop[0], play.stop[1], (play.slide[0] | play.slide[1]) != 0
    if play.immune:
        stop_0, stop_1, slippery = 0, 0, False
    ring_0, ring_1, ring_edges = low, high, edges
    first_0, first_1 = low, high
    while steps > 0 and (ring_0 | ring_1 | ring_edges):
        steps -= 1
        if op == MOVE and not slippery:
            ring_0, ring_1, ring_edges = spread(state, ring_0, ring_1, ring_edges, enter_0, enter_1)
        else:
            ring_0, ring_1, ring_edges = one_step(
                state, op, op != MOVE, slippery, ring_0, ring_1, ring_edges, enter_0, enter_1, free_0, free_1
            )
        ring_0, ring_1, ring_edges = ring_0 & ~low, ring_1 & ~high, ring_edges & ~edges
        low, high, edges = low | ring_0, high | ring_1, edges | ring_edges
        ring_0, ring_1 = ring_0 & ~stop_0, ring_1 & ~stop_1
    tmp.near[0, 0] = low & (free_0 | first_0)
    tmp.near[0, 1] = high & (free_1 | first_1)
    tmp.edges[0] = edges


@routine
def search_through(state: Any, seat: int, steps: int) -> int:
    """Search as `search` does for a move, by how many walls are passed on the way."""
    tab = state.tab
    play = state.play
    tmp = state.tmp
    start = play.pos[seat]
    first_0, first_1, first_edges = low_bit(start), high_bit(start), edge_bit(start)
    free_0 = tab.whole[0] & ~play.blocked[0] & ~(play.taken[0] & ~first_0)
    free_1 = tab.whole[1] & ~play.blocked[1] & ~(play.taken[1] & ~first_1)
    enter_0, enter_1 = free_0, free_1
    if play.passing:
        enter_0, enter_1 = tab.whole[0] & ~play.blocked[0], tab.whole[1] & ~play.blocked[1]
    stop_0, stop_1, slippery = play.stop[0], play.stop[1], (play.slide[0] | play.slide[1]) != 0
    if play.immune:
        stop_0, stop_1, slippery = 0, 0, False
    walls = play.crossings
    for k in range(walls + 1):
        tmp.near[k, 0], tmp.near[k, 1], tmp.edges[k] = first_0, first_1, first_edges
    for _ in range(steps):
        for back in range(walls + 1):
            k = walls - back
            new_0, new_1, new_edges = 0, 0, 0
            for passing in range(2 if k else 1):
                low = (tmp.near[k - passing, 0] & ~stop_0) | first_0
                high = (tmp.near[k - passing, 1] & ~stop_1) | first_1
                edges = tmp.edges[k - passing]
                low, high, edges = one_step(
                    state, MOVE, passing == 1, slippery, low, high, edges, enter_0, enter_1, free_0, free_1
                )
                new_0, new_1, new_edges = new_0 | low, new_1 | high, new_edges | edges
            tmp.near[k, 0] |= new_0
            tmp.near[k, 1] |= new_1
            tmp.edges[k] |= new_edges
    for k in range(walls + 1):
        tmp.near[k, 0] &= free_0 | first_0
        tmp.near[k, 1] &= free_1 | first_1
    return walls + 1


@routine
def lines(state: Any, seat: int, op: int) -> None:
    """Find the ends of straight lines (ruling C8), or of single steps through a wall (C3, C9), one direction at a time.

    From an edge there is one line for each rim space. A line runs on over ice by itself; a stopping room ends it.
    """
    tab = state.tab
    play = state.play
    tmp = state.tmp
    start = play.pos[seat]
    free_0 = tab.whole[0] & ~play.blocked[0] & ~(play.taken[0] & ~low_bit(start))
    free_1 = tab.whole[1] & ~play.blocked[1] & ~(play.taken[1] & ~high_bit(start))
    low, high, edges = 0, 0, 0
    if op == STRAIGHT:
        low, high, edges = low_bit(start), high_bit(start), edge_bit(start)
    through = 1 if op == THROUGH_WALL else 0
    for number in range(4 if start < NORTH_EDGE else tab.width):
        direction = number
        place = start
        if start < NORTH_EDGE:
            place = next_place(state, direction, start, through)
        else:
            direction = SOUTH if start == NORTH_EDGE else NORTH
            place = number if start == NORTH_EDGE else tab.n_spaces - tab.width + number
            is_open = has(play.open_n, place) if start == NORTH_EDGE else has(play.open_s, place)
            if is_open == (through == 1):
                place = NONE
        if through and place != NONE and not play.immune and is_free(free_0, free_1, place):
            place = slide_end(state, direction, place, free_0, free_1)
        while place != NONE and is_free(free_0, free_1, place):
            low, high, edges = low | low_bit(place), high | high_bit(place), edges | edge_bit(place)
            if through or place >= NORTH_EDGE or (not play.immune and has(play.stop, place)):
                break
            place = next_place(state, direction, place, 0)
    tmp.near[0, 0], tmp.near[0, 1], tmp.edges[0] = low, high, edges


@kernel
def walls_passed(state: Any, seat: int, op: int, steps: int, space: int) -> int:
    """Return how few walls a movement step has to pass to end in a place, if it may pass walls at all."""
    if op != MOVE or state.play.crossings == 0:
        return 0
    sets = reach(state, seat, op, steps)
    tmp = state.tmp
    for k in range(sets):
        if holds(tmp.near[k, 0], tmp.near[k, 1], tmp.edges[k], space):
            return k
    return sets - 1
