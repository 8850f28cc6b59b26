"""The race outside: paths, moves and landings. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.field_guide.fights import begin_fight
from simcore.games.field_guide.state import (
    ALL_CHILDREN,
    ALL_GRUZELS,
    ARTHUR,
    CHILDREN,
    EITHER,
    END,
    HELD_BY_GRUZELS,
    MOVE,
    MULGARAAT,
    NONE,
    OPPONENT,
    RACE,
    STRIDE,
    TARGETS,
)
from simcore.games.field_guide.table import ask, owner_of, path_of, role_of, side_of
from simcore.jit import kernel
from simcore.masks import lowest


@kernel
def run(state: Any, pieces: int) -> None:
    """Ask the active seat for a move of one of `pieces` by the roll (RB, Turn Order; rulings M1, M8)."""
    play = state.play
    play.moving = pieces
    play.one_of = 1
    play.way = EITHER
    play.amount = play.die
    ask(state, RACE, play.active, role_of(state, play.active))


@kernel
def legal_moves(state: Any, actions: Any) -> int:
    """Write the moves of the pieces that may move: of all candidates, or of the next piece that a card moves."""
    play = state.play
    left = play.moving if play.one_of else play.moving & -play.moving
    n = 0
    while left:
        piece = lowest(left)
        left &= left - 1
        first = n
        for way in range(2):
            if play.way == EITHER or play.way == way:
                n = add_reached(state, actions, first, n, piece, play.space[piece], way, play.amount)
    return n


@kernel
def add_reached(state: Any, actions: Any, first: int, n: int, piece: int, start: int, way: int, steps: int) -> int:
    """Add what `steps` from `start` reach to ``actions[first:n]``, ascending, each once; return the new n."""
    for i in range(TARGETS):
        reached = int(state.tab.reach[start, way, steps, i])
        if reached == END:
            break
        action = MOVE + STRIDE * piece + stopping_place(state, piece, reached)
        place = n
        while place > first and actions[place - 1] > action:
            place -= 1
        if place == first or actions[place - 1] != action:
            for j in range(n, place, -1):
                actions[j] = actions[j - 1]
            actions[place] = action
            n += 1
    return n


@kernel
def stopping_place(state: Any, piece: int, reached: int) -> int:
    """Return where a piece stops that the board lets go as far as `reached` (rulings M3, M5 and M6)."""
    tab = state.tab
    path = path_of(reached)
    space = reached if path == ALL_CHILDREN else -1 - reached
    if space == tab.finish[path]:
        side = side_of(piece)
        holder = HELD_BY_GRUZELS if side == ALL_GRUZELS else piece
        if side != path or state.play.guide != holder:
            return int(tab.before[path])
    elif space == tab.camp and piece < CHILDREN:
        return int(tab.first[ALL_GRUZELS])
    return space


@kernel
def move_chosen(state: Any, phase: int, action: int) -> None:
    """Move the chosen piece to the chosen space."""
    play = state.play
    piece = (action - MOVE) // STRIDE
    space = (action - MOVE) % STRIDE
    path = way_taken(state, piece, space)
    if phase == RACE:
        play.mover = piece
    if play.one_of:
        play.moving = 0
    else:
        play.moving &= ~(1 << piece)
    put(state, piece, space, path)


@kernel
def way_taken(state: Any, piece: int, space: int) -> int:
    """Return the path by which a piece comes to `space`; where both lead to a crossing, its own one."""
    play = state.play
    own = side_of(piece)
    if state.tab.index[own, space] < 0:
        return 1 - own
    if state.tab.index[1 - own, space] < 0:
        return own
    by_own = False
    for way in range(2):
        if play.way == EITHER or play.way == way:
            by_own |= leads_there(state, play.space[piece], way, play.amount, space, own)
    return own if by_own else 1 - own


@kernel
def leads_there(state: Any, start: int, way: int, steps: int, space: int, path: int) -> bool:
    """Return whether so many steps from `start` end on `space` by `path`."""
    for i in range(TARGETS):
        if state.tab.reach[start, way, steps, i] == (space if path == ALL_CHILDREN else -1 - space):
            return True
    return False


@kernel
def put(state: Any, piece: int, space: int, path: int) -> None:
    """Stand a piece on a space; it lands there if it comes from another one. Home with the guide, it wins."""
    play = state.play
    if space != play.space[piece]:
        play.landing |= 1 << piece
    play.space[piece] = space
    play.path[piece] = path
    side = side_of(piece)
    if space == state.tab.finish[side]:
        play.reason = ARTHUR if side == ALL_CHILDREN else MULGARAAT
        play.over = 1


@kernel
def land(state: Any, piece: int) -> None:
    """Settle where a piece has ended: red leaves, and who is to be fought (RB, Board Layout, Fighting; F3 to F5).

    Of several pieces that a card has moved, none fights who has fallen back to its space meanwhile (ruling F11).
    """
    tab = state.tab
    play = state.play
    play.landing &= ~(1 << piece)
    fallen = play.fallen
    if play.landing == 0:
        play.fallen = 0
    space = play.space[piece]
    red = tab.red[space] and tab.index[side_of(piece), space] < 0
    if piece >= CHILDREN:
        if space == tab.camp:
            return
        if red:
            play.space[piece] = tab.camp
            play.path[piece] = ALL_GRUZELS
            play.sent_back += 1
            return
        first, last = 0, int(tab.n_children)
    else:
        first, last = CHILDREN, CHILDREN + int(tab.n_gruzels)
    anybody = tab.swords[space] or red
    targets = 0
    for other in range(first, last):
        stands_here = play.space[other] == space and fallen >> other & 1 == 0
        if stands_here or (anybody and play.space[other] != NONE):
            targets |= 1 << other
    if targets == 0:
        return
    play.mover_of_fight = piece
    if targets & (targets - 1) == 0:
        begin_fight(state, piece, lowest(targets))
    else:
        play.targets = targets
        seat = owner_of(state, piece)
        ask(state, OPPONENT, seat, role_of(state, seat))
