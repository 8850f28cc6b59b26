"""How a fight is fought. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.field_guide.state import (
    ALL_GRUZELS,
    CARD,
    CARRYING,
    CHILD,
    CHILDREN,
    COUNCIL,
    HELD_BY_GRUZELS,
    KEEPER,
    NONE,
    PASS,
    STRIKE,
    WARD,
)
from simcore.games.field_guide.table import ask, children_choose, discard, held, owner_of, roll
from simcore.jit import kernel
from simcore.masks import lowest


@kernel
def begin_fight(state: Any, piece: int, other: int) -> None:
    """Let a child and a gruzel fight (RB, How is a fight fought?)."""
    play = state.play
    play.child = piece if piece < CHILDREN else other
    play.gruzel = other if piece < CHILDREN else piece
    play.strikes = 0


@kernel
def go_on_fighting(state: Any) -> None:
    """Ask the child for a card; it lays first, and with none left it has lost (ruling F1)."""
    play = state.play
    if play.n_hand[play.child] > 0:
        ask(state, STRIKE, play.child, CHILD)
    else:
        play.loser = play.child


@kernel
def wards_held(state: Any) -> int:
    """Return the kinds of the gruzel player that stop the card played."""
    kinds = held(state, state.tab.n_children, 1)
    found = 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        if state.tab.kinds[kind].wards >> state.play.struck & 1:
            found |= 1 << kind
    return found


@kernel
def strike(state: Any, action: int) -> None:
    """Play a fight card, or none and lose (ruling F2); who cannot ward it off has lost.

    By the translator's note, gruzels who cannot ward off the first card have won instead.
    """
    play = state.play
    if action == PASS:
        play.loser = play.child
        return
    kind = action - CARD
    play.struck = kind
    discard(state, play.child, kind)
    state.log.played[play.child] |= 1 << kind
    if wards_held(state):
        ask(state, WARD, state.tab.n_children, KEEPER)
    elif state.tab.translated and play.strikes == 0:
        play.loser = play.child
    else:
        play.loser = play.gruzel


@kernel
def ward(state: Any, action: int) -> None:
    """Ward the played card off, or lose; warded off, the child may go on."""
    play = state.play
    seat = state.tab.n_children
    if action == PASS:
        play.loser = play.gruzel
        return
    discard(state, seat, action - CARD)
    state.log.played[seat] |= 1 << (action - CARD)
    play.strikes += 1


@kernel
def end_fight(state: Any) -> None:
    """Let the guide change sides if the loser had it (RB, Consequences; rulings G4 and G5)."""
    play = state.play
    loser = play.loser
    winner = play.child + play.gruzel - loser
    play.child = NONE
    play.gruzel = NONE
    play.struck = NONE
    play.strikes = 0
    play.fights_won[owner_of(state, winner)] += 1
    play.fights_lost[owner_of(state, loser)] += 1
    if loser < CHILDREN:
        if play.guide == loser:
            play.guide = HELD_BY_GRUZELS
            play.changes += 1
    elif play.guide == HELD_BY_GRUZELS:
        play.guide = winner
        play.changes += 1
        if children_choose(state):
            ask(state, CARRYING, winner, COUNCIL)


@kernel
def fall_back(state: Any) -> None:
    """Let the loser discard its hand and move back by a roll; it does not land (rulings F7, F8 and F11)."""
    tab = state.tab
    play = state.play
    piece = play.loser
    play.loser = NONE
    seat = owner_of(state, piece)
    colour = 0 if piece < CHILDREN else 1
    if play.n_hand[seat]:
        for kind in range(tab.first_kind[colour], tab.first_kind[colour + 1]):
            while play.hand[seat, kind]:
                discard(state, seat, kind)
    path = play.path[piece]
    lowest_place = 1 if path == ALL_GRUZELS and piece < CHILDREN else 0
    place = max(lowest_place, tab.index[path, play.space[piece]] - roll(state, seat))
    play.space[piece] = tab.at[path, place]
    if play.landing:
        play.fallen |= 1 << piece
