"""What the steps of a book do to pawns and rooms. "RB" is the rulebook, "ruling X1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.board import (
    draw_room,
    high_bit,
    low_bit,
    placed_high,
    placed_low,
    rows_to_go,
    turned_space,
    walls_passed,
)
from simcore.games.grimoire_shuffle.state import NONE, SPACES
from simcore.jit import kernel, routine
from simcore.masks import lowest


@kernel
def room_spaces(state: Any, room: int) -> tuple[int, int]:
    """Return the spaces of a room."""
    tab = state.tab
    first = tab.corner[room]
    return placed_low(tab.outline, first), placed_high(tab.outline, first)


@routine
def walk(state: Any, seat: int, op: int, steps: int, space: int) -> None:
    """Move the walker's own pawn to where its movement ends."""
    play = state.play
    to_go = rows_to_go(state, play.heading[seat], play.pos[seat])
    if to_go:
        state.log.walks += 1
        if rows_to_go(state, play.heading[seat], space) >= to_go:
            state.log.idle_walks += 1
    play.crossings -= walls_passed(state, seat, op, steps, space)
    move_pawn(state, seat, space)


@kernel
def move_pawn(state: Any, seat: int, space: int) -> None:
    """Take a pawn from where it is and put it down elsewhere."""
    play = state.play
    play.taken[0] &= ~low_bit(play.pos[seat])
    play.taken[1] &= ~high_bit(play.pos[seat])
    put_pawn(state, seat, space)


@kernel
def put_pawn(state: Any, seat: int, space: int) -> None:
    """Put down a pawn that is in nobody's way."""
    play = state.play
    play.pos[seat] = space
    play.taken[0] |= low_bit(space)
    play.taken[1] |= high_bit(space)


@kernel
def swap_pawns(state: Any, seat: int, other: int) -> None:
    """Let two pawns change places; nobody enters a free space, blocked or not (ruling D10)."""
    play = state.play
    play.pos[seat], play.pos[other] = play.pos[other], play.pos[seat]


@kernel
def pawns_in(state: Any, room: int) -> int:
    """Return the bit mask of seats with a pawn in a room."""
    found = 0
    for seat in range(state.tab.n_seats):
        space = state.play.pos[seat]
        if space < SPACES and state.tab.room_of[space] == room:
            found |= 1 << seat
    return found


# -- flips, turns and special rooms -----------------------------------------------------------------------------------


@routine
def flip_room(state: Any, room: int, turned: int) -> None:
    """Turn a room over, laid down either way; its pawns are lifted, to be put back one by one (rulings D1 and D2)."""
    play = state.play
    play.last_flip = room
    play.room = room
    play.lifted = pawns_in(state, room)
    low, high = room_spaces(state, room)
    play.taken[0] &= ~low
    play.taken[1] &= ~high
    state.log.flips += 1
    lay_face(state, room, turned)


@kernel
def lay_face(state: Any, room: int, turned: int) -> None:
    """Turn over the card that lies uppermost in a room; both faces of a special room are alike (ruling D2)."""
    play = state.play
    if play.covered[room] != NONE:
        play.special_turned[play.covered[room]] = turned
    else:
        play.face[room] = 2 * turned + 1 - (play.face[room] & 1)
    draw_room(state, room)


@kernel
def put_back(state: Any, space: int) -> None:
    """Put the first lifted pawn down in the room."""
    play = state.play
    seat = lowest(play.lifted)
    play.lifted &= play.lifted - 1
    put_pawn(state, seat, space)


@routine
def turn_room(state: Any, room: int) -> None:
    """Turn a room by 180 degrees with the pawns in it. Source: RB, Rotate a Room."""
    play = state.play
    state.log.rotations += 1
    pawns = pawns_in(state, room)
    low, high = room_spaces(state, room)
    play.taken[0] &= ~low
    play.taken[1] &= ~high
    while pawns:
        seat = lowest(pawns)
        pawns &= pawns - 1
        put_pawn(state, seat, turned_space(state, room, play.pos[seat]))
    turn_face(state, room)


@kernel
def turn_face(state: Any, room: int) -> None:
    """Turn the card that lies uppermost in a room by 180 degrees."""
    play = state.play
    if play.covered[room] != NONE:
        play.special_turned[play.covered[room]] ^= 1
    else:
        play.face[room] ^= 2
    draw_room(state, room)


@routine
def cover_room(state: Any, special: int, room: int) -> None:
    """Lay a special room on a room; pawns stay where they are (rulings D4 to D6)."""
    play = state.play
    if play.special_at[special] != NONE:
        lift_special(state, special)
    if play.covered[room] != NONE:
        lift_special(state, int(play.covered[room]))
    play.covered[room] = special
    play.special_at[special] = room
    play.special_turned[special] = 0
    state.log.specials += 1
    draw_room(state, room)


@routine
def lift_special(state: Any, special: int) -> None:
    """Take a special room off the board; pawns stay in the room underneath."""
    play = state.play
    room = int(play.special_at[special])
    play.covered[room] = NONE
    play.special_at[special] = NONE
    play.special_turned[special] = 0
    draw_room(state, room)
