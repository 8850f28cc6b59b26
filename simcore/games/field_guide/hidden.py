"""What a seat of the hunt and the race cannot know: tokens nobody has shown it, the other side's hand, what comes next.

A pile has no order (see `table.draw`): which card comes next is decided when it is drawn.
"""

from __future__ import annotations

from typing import Any

from simcore.games.field_guide.state import PILES, SEATS, TOKENS
from simcore.jit import kernel
from simcore.masks import lowest
from simcore.rng import below, reseed, shuffle


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Re-deal what `seat` cannot know, and re-seed every stream but its own, from `random` (uint64).

    Tokens it has not seen change rooms (ruling H9). Children know each other's cards, and everybody how many cards a
    hand has, all of them fight cards: the hands of the other side are dealt again from the fight cards that it and its
    pile hold together.
    """
    reseed(state.rng, random, seat)
    redeal_tokens(state, seat)
    if seat < state.tab.n_children:
        redeal_hands(state, state.tab.n_children, state.tab.n_seats, 1)
    else:
        redeal_hands(state, 0, state.tab.n_children, 0)
    for other in range(SEATS):
        state.log.dealt[other] = 0
        state.log.played[other] = 0


@kernel
def redeal_tokens(state: Any, seat: int) -> None:
    """Sort the tokens that `seat` does not know, shuffle them, and lay them into the rooms they lay in."""
    play = state.play
    pile = state.tmp.pile[:]
    numbers = 0
    for room in range(state.tab.n_rooms):
        if is_unknown(state, seat, room):
            numbers |= 1 << play.token[room]
    n = 0
    while numbers:
        pile[n] = lowest(numbers)
        numbers &= numbers - 1
        n += 1
    shuffle(state.rng, TOKENS, pile, n)
    for room in range(state.tab.n_rooms):
        if is_unknown(state, seat, room):
            n -= 1
            play.token[room] = pile[n]


@kernel
def is_unknown(state: Any, seat: int, room: int) -> bool:
    """Return whether there is a token in a room that `seat` has not seen."""
    return bool(state.play.token[room] > 0 and state.play.known[room] >> seat & 1 == 0)


@kernel
def redeal_hands(state: Any, first: int, last: int, colour: int) -> None:
    """Take the fight cards of seats ``first <= seat < last`` back to the pile, and deal as many to each again."""
    tab = state.tab
    play = state.play
    low, high = tab.first_kind[colour], tab.first_kind[colour + 1]
    total = 0
    for kind in range(low, high):
        if tab.kinds[kind].fight:
            for seat in range(first, last):
                play.stock[kind] += play.hand[seat, kind]
                play.hand[seat, kind] = 0
            total += play.stock[kind]
    for seat in range(first, last):
        for _ in range(play.n_hand[seat]):
            rest = below(state.rng, PILES + colour, total)
            total -= 1
            for kind in range(low, high):
                if tab.kinds[kind].fight:
                    if rest < play.stock[kind]:
                        play.stock[kind] -= 1
                        play.hand[seat, kind] += 1
                        break
                    rest -= play.stock[kind]
