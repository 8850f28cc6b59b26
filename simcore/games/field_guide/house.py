"""The hunt in the house: rooms, tokens and the ways out. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.field_guide.race import add_reached, leads_there, put
from simcore.games.field_guide.state import (
    ALL_CHILDREN,
    ALL_GRUZELS,
    CHAIN,
    CHILD,
    EVERYBODY,
    FORWARD,
    LAYING,
    LEFT_BEHIND,
    MOVE,
    NONE,
    STAY,
    STOP,
    STRIDE,
    TURN,
)
from simcore.games.field_guide.table import ask
from simcore.jit import kernel
from simcore.masks import lowest, members


@kernel
def legal_exits(state: Any, actions: Any, n: int) -> int:
    """Write spaces outside behind the `n` actions for the squares; return how many actions there are then (H10)."""
    tab = state.tab
    play = state.play
    left = int(tab.exits[play.square[play.active], play.die])
    first = n
    while left:
        steps = lowest(left)
        left &= left - 1
        n = add_reached(state, actions, first, n, play.active, tab.first[ALL_CHILDREN], FORWARD, steps)
    return n


@kernel
def walk(state: Any, action: int) -> None:
    """Move in the house, stay, or go out of the door (RB, Object Tokens; rulings H6 to H12)."""
    play = state.play
    child = play.active
    if action >= MOVE:
        leave_house(state, action)
    elif action != STAY:
        play.square[child] = action
        find_token(state, state.tab.room_at[action])
    elif may_retry(state):
        open_chain(state, state.tab.room_at[play.square[child]])


@kernel
def find_token(state: Any, room: int) -> None:
    """Turn the token over on which a child ends; number 1 lets it turn others (ruling H12: dead after the guide)."""
    play = state.play
    if room != NONE and play.guide == NONE and play.token[room] > 0:
        play.known[room] = EVERYBODY
        if play.token[room] == 1:
            open_chain(state, room)


@kernel
def may_retry(state: Any) -> bool:
    """Return whether a child that stays may try the tokens again: alone, on number 1, high enough (ruling H8)."""
    tab = state.tab
    play = state.play
    room = tab.room_at[play.square[play.active]]
    stands = room != NONE and play.guide == NONE and play.token[room] == 1
    return bool(stands and tab.n_seats <= tab.retry_players and play.die >= tab.retry_roll)


@kernel
def open_chain(state: Any, room: int) -> None:
    """Let the child on token 1 turn the next one over."""
    state.play.up = 1 << room
    state.play.next = 2
    ask(state, CHAIN, state.play.active, CHILD)


@kernel
def face_down(state: Any) -> int:
    """Return the rooms whose token lies face down."""
    mask = 0
    for room in range(state.tab.n_rooms):
        if state.play.token[room] > 0 and state.play.up >> room & 1 == 0:
            mask |= 1 << room
    return mask


@kernel
def turn_next(state: Any, action: int) -> None:
    """Turn a token over in the chain; a wrong one, or stopping, turns all face down (RB; ruling H7)."""
    play = state.play
    right = False
    if action != STOP:
        room = action - TURN
        play.known[room] = EVERYBODY
        right = play.token[room] == play.next
        play.up |= 1 << room
    if right and play.next < state.tab.n_tokens:
        play.next += 1
        play.phase = CHAIN
        return
    play.up = 0
    play.next = 0
    if right:
        play.guide = play.active
        play.found_round = play.rounds
        play.found_turn = play.turns


@kernel
def leave_house(state: Any, action: int) -> None:
    """Go through the door, with steps left over along a path; Part 2 begins for the child (ruling H10)."""
    tab = state.tab
    play = state.play
    child = play.active
    square = play.square[child]
    space = action - MOVE - STRIDE * child
    play.square[child] = NONE
    play.outside |= 1 << child
    play.mover = child
    play.card_due = 1
    if play.left_round == ABSENT:
        play.left_round = play.rounds
        play.left_turn = play.turns
    put(state, child, space, way_out(state, square, space))
    if play.guide == NONE and members(play.outside) == tab.n_children:
        play.reason = LEFT_BEHIND  # nobody may go back in (ruling H11), and nobody can win
        play.over = 1


@kernel
def way_out(state: Any, square: int, space: int) -> int:
    """Return the path by which a child comes from the house to `space`, its own one if that leads there."""
    tab = state.tab
    if tab.index[ALL_CHILDREN, space] < 0:
        return ALL_GRUZELS
    if tab.index[ALL_GRUZELS, space] < 0:
        return ALL_CHILDREN
    left = int(tab.exits[square, state.play.die])
    while left:
        if leads_there(state, tab.first[ALL_CHILDREN], FORWARD, lowest(left), space, ALL_CHILDREN):
            return ALL_CHILDREN
        left &= left - 1
    return ALL_GRUZELS


@kernel
def empty_rooms(state: Any) -> int:
    """Return the rooms without a token."""
    mask = 0
    for room in range(state.tab.n_rooms):
        if state.play.token[room] == 0:
            mask |= 1 << room
    return mask


@kernel
def lay(state: Any, room: int) -> None:
    """Lay the next object token, seen by the gruzel player alone (ruling H1, chosen)."""
    play = state.play
    play.token[room] = play.next
    play.known[room] = 1 << state.tab.n_children
    play.next += 1
    if play.next <= state.tab.n_tokens:
        play.phase = LAYING
    else:
        play.next = 0
