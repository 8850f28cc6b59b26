"""What a seat of the library race cannot know: books in stacks, on badges and in the deck."""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.books import leader_of
from simcore.games.grimoire_shuffle.rules import clear_log
from simcore.games.grimoire_shuffle.state import BOOKS, DECK_STREAM, DISTRIBUTING, NONE, STACK, TEAMS
from simcore.jit import kernel
from simcore.rng import reseed, shuffle


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Re-deal what `seat` cannot know, and re-seed every stream but its own, from `random` (uint64).

    Which books lie in the deck and in the stacks is dealt anew among all places unknown to it; then, in each stack,
    which of the books that nobody has shown lies on which badge. A leader knows how he has distributed (ruling A7);
    nobody else does, the receivers included (ruling A8). A distribution that the other leader has finished before
    everybody has is taken back. The counters say what leaders held, so they are cleared.
    """
    reseed(state.rng, random, seat)
    clear_log(state)
    redeal_books(state, seat)
    for team in range(TEAMS):
        if leader_of(state, team) != seat:
            if state.play.phase == DISTRIBUTING:
                take_back(state, team)
            else:
                redeal_badges(state, team)


@kernel
def redeal_books(state: Any, seat: int) -> None:
    """Sort the books that `seat` cannot place, so that nothing of their order remains, then shuffle them."""
    play = state.play
    mark = state.tmp.mark[:]
    items = state.tmp.items[:]
    for book in range(BOOKS):
        mark[book] = 0
    for place in range(BOOKS):
        if play.deck[place] != NONE and play.deck_known[place] >> seat & 1 == 0:
            mark[play.deck[place]] = 1
    for team in range(TEAMS):
        for slot in range(STACK):
            if play.stack[team, slot] != NONE and play.stack_known[team, slot] >> seat & 1 == 0:
                mark[play.stack[team, slot]] = 1
            if play.pile[team, slot] != NONE and play.pile_known[team, slot] >> seat & 1 == 0:
                mark[play.pile[team, slot]] = 1
    n = 0
    for book in range(BOOKS):
        if mark[book]:
            items[n] = book
            n += 1
    shuffle(state.rng, DECK_STREAM, items, n)
    for place in range(BOOKS):
        if play.deck[place] != NONE and play.deck_known[place] >> seat & 1 == 0:
            n -= 1
            play.deck[place] = items[n]
    for team in range(TEAMS):
        for slot in range(STACK):
            if play.stack[team, slot] != NONE and play.stack_known[team, slot] >> seat & 1 == 0:
                n -= 1
                play.stack[team, slot] = items[n]
            if play.pile[team, slot] != NONE and play.pile_known[team, slot] >> seat & 1 == 0:
                n -= 1
                play.pile[team, slot] = items[n]


@kernel
def take_back(state: Any, team: int) -> None:
    """Let a leader distribute anew."""
    state.play.dealt_out[team] = 0
    for slot in range(STACK):
        state.play.dest[team, slot] = NONE


@kernel
def redeal_badges(state: Any, team: int) -> None:
    """Lay the books of a stack that nobody has shown on their badges in another order."""
    play = state.play
    items = state.tmp.items[:]
    n = 0
    for slot in range(play.n_stack[team]):
        if play.shown[team, slot] == 0:
            place = n
            while place > 0 and items[place - 1] > play.dest[team, slot]:
                items[place] = items[place - 1]
                place -= 1
            items[place] = play.dest[team, slot]
            n += 1
    shuffle(state.rng, DECK_STREAM, items, n)
    for slot in range(play.n_stack[team]):
        if play.shown[team, slot] == 0:
            n -= 1
            play.dest[team, slot] = items[n]
