"""What a seat of the drafting game cannot know: the deck, what others concealed or left, perhaps characters."""

from __future__ import annotations

from typing import Any

from simcore.games.as_you_wish.state import CHARACTER_STREAM, DECK_STREAM
from simcore.jit import kernel
from simcore.rng import reseed, shuffle


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Re-deal what `seat` cannot know, and re-seed every stream but its own, from `random` (uint64).

    The cards of all places unknown to it are laid back in another order: the deck, offered cards that another dealer
    has drawn or concealed, leftovers that nobody saw (rulings 6 and 24). With hidden characters, those of the others
    and those not dealt change places (ruling 27).
    """
    reseed(state.rng, random, seat)
    redeal_cards(state, seat)
    if state.tab.secret:
        redeal_characters(state, seat)


@kernel
def redeal_cards(state: Any, seat: int) -> None:
    """Sort the cards that `seat` cannot place, so that nothing of their order remains, then shuffle them."""
    play = state.play
    pile = state.tmp.pile[:]
    unknown = state.tmp.unknown[:]
    for index in range(state.tab.n_cards):
        unknown[index] = 0
    for place in range(state.tab.n_cards):
        if play.known[place] >> seat & 1 == 0:
            unknown[play.deck[place]] = 1
    n = 0
    for index in range(state.tab.n_cards):
        if unknown[index]:
            pile[n] = index
            n += 1
    shuffle(state.rng, DECK_STREAM, pile, n)
    for place in range(state.tab.n_cards):
        if play.known[place] >> seat & 1 == 0:
            n -= 1
            play.deck[place] = pile[n]


@kernel
def redeal_characters(state: Any, seat: int) -> None:
    """Sort and shuffle all characters but the one of `seat`."""
    play = state.play
    pile = state.tmp.pile[:]
    n = 0
    for character in range(state.tab.n_characters):
        if character != play.characters[seat]:
            pile[n] = character
            n += 1
    shuffle(state.rng, CHARACTER_STREAM, pile, n)
    for place in range(state.tab.n_characters):
        if place != seat:
            n -= 1
            play.characters[place] = pile[n]
