"""Who plays which piece, questions and dice, hands and piles. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.field_guide.state import (
    ALL_CHILDREN,
    ALL_GRUZELS,
    CHILD,
    CHILDREN,
    DICE,
    HELD_BY_GRUZELS,
    KEEPER,
    NONE,
    PILES,
)
from simcore.jit import kernel
from simcore.masks import members
from simcore.rng import below


@kernel
def ask(state: Any, phase: int, seat: int, role: int) -> None:
    """Let a seat choose next."""
    play = state.play
    play.phase = phase
    play.seat = seat
    play.role = role


@kernel
def roll(state: Any, seat: int) -> int:
    """Return a roll of the die by `seat`."""
    return int(state.tab.faces[below(state.rng, DICE + seat, state.tab.n_faces)])


@kernel
def children_choose(state: Any) -> bool:
    """Return whether the guide is with a child outside and could be with another one."""
    play = state.play
    carried = play.guide != NONE and play.guide != HELD_BY_GRUZELS and play.outside >> play.guide & 1
    return bool(carried and members(play.outside) > 1)


# -- pieces -----------------------------------------------------------------------------------------------------------


@kernel
def role_of(state: Any, seat: int) -> int:
    """Return the role in which a seat plays its pieces."""
    return CHILD if seat < state.tab.n_children else KEEPER


@kernel
def owner_of(state: Any, piece: int) -> int:
    """Return the seat of a piece."""
    return piece if piece < CHILDREN else int(state.tab.n_children)


@kernel
def side_of(piece: int) -> int:
    """Return the side of a piece, whose number is that of its own path, too."""
    return ALL_CHILDREN if piece < CHILDREN else ALL_GRUZELS


@kernel
def path_of(reached: int) -> int:
    """Return the path by which a move comes to its end."""
    return ALL_CHILDREN if reached >= 0 else ALL_GRUZELS


# -- hands and piles --------------------------------------------------------------------------------------------------


@kernel
def colour_of(state: Any, kind: int) -> int:
    """Return 0 for a blue kind, 1 for a green one."""
    return 0 if kind < state.tab.first_kind[1] else 1


@kernel
def draw(state: Any, seat: int, colour: int) -> int:
    """Draw a card: a fight card goes to the hand of `seat`, an action to the discards; return its kind, or NONE.

    An empty pile is made of its discards first (ruling C1). Every card left is equally likely: a pile has no order.
    """
    tab = state.tab
    play = state.play
    if play.n_stock[colour] == 0:
        if play.n_discard[colour] == 0:
            return NONE
        for kind in range(tab.first_kind[colour], tab.first_kind[colour + 1]):
            play.stock[kind] = play.discard[kind]
            play.discard[kind] = 0
        play.n_stock[colour] = play.n_discard[colour]
        play.n_discard[colour] = 0
        play.reshuffles += 1
    kind = int(tab.first_kind[colour])
    left = below(state.rng, PILES + colour, play.n_stock[colour]) - play.stock[kind]
    while left >= 0:
        kind += 1
        left -= play.stock[kind]
    play.stock[kind] -= 1
    play.n_stock[colour] -= 1
    play.drawn[seat] += 1
    state.log.dealt[seat] |= 1 << kind
    if tab.kinds[kind].fight:
        play.hand[seat, kind] += 1
        play.n_hand[seat] += 1
    else:
        play.discard[kind] += 1
        play.n_discard[colour] += 1
    return kind


@kernel
def discard(state: Any, seat: int, kind: int) -> None:
    """Lay a card from a hand on its discard pile."""
    play = state.play
    colour = colour_of(state, kind)
    play.hand[seat, kind] -= 1
    play.n_hand[seat] -= 1
    play.discard[kind] += 1
    play.n_discard[colour] += 1


@kernel
def held(state: Any, seat: int, colour: int) -> int:
    """Return the kinds of cards in a hand as a bit mask."""
    kinds = 0
    for kind in range(state.tab.first_kind[colour], state.tab.first_kind[colour + 1]):
        if state.play.hand[seat, kind]:
            kinds |= 1 << kind
    return kinds
