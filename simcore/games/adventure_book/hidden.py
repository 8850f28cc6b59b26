"""What a seat cannot know: the order of the piles, and with hidden hands what the others hold."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.state import (
    ENTRIES,
    KINDS,
    PLOT_STREAM,
    SEATS,
    SPECIAL_STREAM,
    STORY_STREAM,
)
from simcore.jit import kernel, routine
from simcore.rng import reseed, shuffle


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Re-deal what `seat` cannot know, and re-seed every stream but its own, from `random` (uint64).

    Each pile is laid in another order. With hidden hands, cards of the others that `seat` has not seen change places
    with the Story pile; Specials are shown when they are drawn, so that the Special pile stays apart.
    """
    reseed(state.rng, random, seat)
    for other in range(SEATS):
        state.log.dealt[other] = 0
        state.log.spent[other] = 0
    redeal_story(state, seat)
    redeal_specials(state)
    redeal_plot(state)


@routine
def redeal_story(state: Any, seat: int) -> None:
    """Sort what is unknown of the Story cards, so that nothing of its order remains, then lay it back shuffled."""
    tab = state.tab
    play = state.play
    count = state.tmp.count[:]
    cards = state.tmp.cards[:]
    for kind in range(KINDS):
        count[kind] = 0
    for place in range(play.n_pile):
        count[play.pile[place]] += 1
    if tab.hands_open == 0:
        for other in range(tab.n_seats):
            if other != seat:
                for kind in range(KINDS):
                    count[kind] += play.hand[other, kind] - play.seen[other, seat, kind]
    n = 0
    for kind in range(KINDS):
        for _ in range(count[kind]):
            cards[n] = kind
            n += 1
    shuffle(state.rng, STORY_STREAM, cards, n)
    for place in range(play.n_pile):
        n -= 1
        play.pile[place] = cards[n]
    if tab.hands_open == 0:
        for other in range(tab.n_seats):
            if other != seat:
                n = redeal_hand(state, seat, other, n)


@routine
def redeal_hand(state: Any, seat: int, other: int, n: int) -> int:
    """Deal a hand from the last of `n` cards, besides those that `seat` knows are in it; return how many are left."""
    play = state.play
    cards = state.tmp.cards[:]
    unknown = play.held[other]
    for kind in range(KINDS):
        unknown -= play.seen[other, seat, kind]
        play.hand[other, kind] = play.seen[other, seat, kind]
    for _ in range(unknown):
        n -= 1
        play.hand[other, cards[n]] += 1
    play.kinds[other] = 0
    for kind in range(KINDS):
        if play.hand[other, kind] > 0:
            play.kinds[other] |= 1 << kind
    return n


@routine
def redeal_specials(state: Any) -> None:
    """Sort and shuffle the Special pile."""
    play = state.play
    cards = state.tmp.cards[:]
    n = 0
    for kind in range(KINDS):
        for place in range(play.n_special):
            if play.specials[place] == kind:
                cards[n] = kind
                n += 1
    shuffle(state.rng, SPECIAL_STREAM, cards, n)
    for place in range(n):
        play.specials[place] = cards[place]


@routine
def redeal_plot(state: Any) -> None:
    """Sort and shuffle the plot cards that nobody has looked at, those laid aside among them."""
    tab = state.tab
    play = state.play
    cards = state.tmp.cards[:]
    n = 0
    for number in range(ENTRIES):
        left = tab.n_plot[number] - play.plot_gone[number]
        for place in range(play.n_looked):
            left -= 1 if play.looked[place] == number else 0
        for place in range(play.n_plot):
            left -= 1 if play.plot_known[place] and play.plot[place] == number else 0
        for _ in range(left):
            cards[n] = number
            n += 1
    shuffle(state.rng, PLOT_STREAM, cards, n)
    for place in range(play.n_plot):
        if play.plot_known[place] == 0:
            n -= 1
            play.plot[place] = cards[n]
    place = tab.plot_cards
    while n > 0:
        n -= 1
        play.plot[place] = cards[n]
        place += 1
