"""Hands and piles, what is asked of them, what can be paid. "RB" is the rulebook, "ruling n" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.state import ANY, ICONS, KINDS, NONE, PAYING, STORY_STREAM, TELLER
from simcore.jit import kernel, routine
from simcore.masks import lowest
from simcore.rng import shuffle


@routine
def draw_story(state: Any, seat: int, cards: int) -> None:
    """Draw Story cards; the discard pile becomes the pile when that is empty (rulings 11 and 12)."""
    play = state.play
    for _ in range(cards):
        if play.n_pile == 0:
            shuffle_discard(state)
            if play.n_pile == 0:
                return
            play.reshuffles += 1
        play.n_pile -= 1
        kind = int(play.pile[play.n_pile])
        play.pile[play.n_pile] = NONE
        state.log.dealt[seat] |= 1 << kind
        add_card(state, seat, kind)


@routine
def shuffle_discard(state: Any) -> None:
    """Shuffle the discard pile to form the Story pile, which is empty; the last card is drawn first."""
    play = state.play
    n = 0
    for kind in range(KINDS):
        for _ in range(play.discard[kind]):
            play.pile[n] = kind
            n += 1
        play.discard[kind] = 0
    play.n_pile = n
    pile = play.pile[:]
    shuffle(state.rng, STORY_STREAM, pile, n)


@routine
def draw_specials(state: Any, seat: int, cards: int) -> None:
    """Draw Special cards, as far as there are any (ruling 13); they are shown when they are drawn."""
    play = state.play
    for _ in range(cards):
        if play.n_special == 0:
            return
        play.n_special -= 1
        kind = int(play.specials[play.n_special])
        play.specials[play.n_special] = NONE
        play.specials_drawn += 1
        state.log.dealt[seat] |= 1 << kind
        add_card(state, seat, kind)
        see_card(state, seat, kind, NONE)


@kernel
def add_card(state: Any, seat: int, kind: int) -> None:
    """Take a card into a hand."""
    play = state.play
    play.hand[seat, kind] += 1
    play.held[seat] += 1
    play.kinds[seat] |= 1 << kind


@routine
def see_card(state: Any, seat: int, kind: int, only: int) -> None:
    """Let everybody, or `only` one seat, know a card that `seat` has taken; open hands need no memory."""
    if state.tab.hands_open == 0:
        for viewer in range(state.tab.n_seats):
            if viewer != seat and (only == NONE or viewer == only):
                state.play.seen[seat, viewer, kind] += 1


@routine
def remove_card(state: Any, seat: int, kind: int, only: int) -> None:
    """Take a card out of a hand; everybody sees it, or `only` one seat.

    Who does not see it can be sure of one card less of each kind.
    """
    play = state.play
    play.hand[seat, kind] -= 1
    play.held[seat] -= 1
    if play.hand[seat, kind] == 0:
        play.kinds[seat] &= ~(1 << kind)
    if state.tab.hands_open == 0:
        for viewer in range(state.tab.n_seats):
            for other in range(KINDS):
                if other == kind or not (only == NONE or viewer == only):
                    play.seen[seat, viewer, other] = max(0, play.seen[seat, viewer, other] - 1)


# -- what is asked for ------------------------------------------------------------------------------------------------


@routine
def ask_cost(state: Any, purpose: int, target: int, cost: Any) -> None:
    """Let the active seat pay a cost."""
    play = state.play
    for icon in range(ICONS + 1):
        play.need[icon] = cost.need[icon]
    play.purpose = purpose
    play.target = target
    play.alternative = 0
    play.wanted = cost.total
    play.seat = play.active
    play.role = TELLER
    play.phase = PAYING


@routine
def ask_any(state: Any, purpose: int, cards: int) -> None:
    """Let the active seat discard so many cards of any kind."""
    play = state.play
    for icon in range(ICONS):
        play.need[icon] = 0
    play.need[ANY] = cards
    play.purpose = purpose
    play.target = NONE
    play.alternative = 0
    play.wanted = cards
    play.seat = play.active
    play.role = TELLER
    play.phase = PAYING


@kernel
def next_wanted(state: Any) -> int:
    """Return the icon that is paid next, ANY if only any cards are left to pay."""
    play = state.play
    for icon in range(ICONS):
        if play.need[icon] > 0:
            return icon
    return ANY


# -- what can be paid -------------------------------------------------------------------------------------------------


@kernel
def wilds(state: Any, seat: int) -> int:
    """Return how many wilds a seat holds."""
    play = state.play
    n = 0
    left = play.kinds[seat] & state.tab.wild
    while left:
        n += play.hand[seat, lowest(left)]
        left &= left - 1
    return n


@routine
def can_pay(state: Any, cost: Any) -> bool:
    """Return whether the active seat can pay a cost: one wild stands for one icon (rulings 31 to 33)."""
    play = state.play
    if play.held[play.active] < cost.total:
        return False
    short = 0
    for icon in range(ICONS):
        short += max(0, cost.need[icon] - play.hand[play.active, icon])
    return short == 0 or short <= wilds(state, play.active)


@kernel
def wild_fits(state: Any, icon: int) -> bool:
    """Return whether a wild may be paid for `icon` so that the rest can still be paid."""
    play = state.play
    short = 0
    for other in range(ICONS):
        need = play.need[other] - (1 if other == icon else 0)
        short += max(0, need - play.hand[play.active, other])
    return bool(short < wilds(state, play.active))
