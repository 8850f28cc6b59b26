"""A try of a chapter: its set-up and its ends. "RB" is the rulebook, "ruling n" the table in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.cards import draw_story, shuffle_discard
from simcore.games.adventure_book.state import (
    BEGIN_TRY,
    BEGIN_TURN,
    COMPLETED,
    COUNTERS,
    ENTRIES,
    FIGURES,
    ICONS,
    IN_MOVE,
    KINDS,
    LOOKED,
    NONE,
    PLOT,
    PLOT_STREAM,
    SEAT_STREAM,
    SEATS,
    SPACES,
    STORY,
    STORY_STREAM,
    TILE_STREAM,
    TILES,
)
from simcore.jit import routine
from simcore.masks import lowest
from simcore.rng import below, rekey, shuffle

TRIES = 8
"""Room for the tries of a chapter in the number that re-keys its streams."""


@routine
def begin_try(state: Any) -> None:
    """Set a chapter up and draw who begins. Source: RB, Chapter Setup; rulings 7 to 10, 39, 43 and 44."""
    tab = state.tab
    play = state.play
    play.chapter = tab.book[play.at]
    key = int(play.chapter) * TRIES + play.attempt
    for stream in (SEAT_STREAM, STORY_STREAM, PLOT_STREAM, TILE_STREAM):
        rekey(state.rng, stream, key)
    play.attempts[play.chapter] += 1
    play.active = below(state.rng, SEAT_STREAM, tab.n_seats) if tab.first_drawn else 0
    play.user = play.active
    play.turn = 0
    play.traded = 0
    play.used = 0
    play.partner = NONE
    play.given = NONE
    play.window_plot = 0
    play.asked = 0
    play.turned = NONE
    play.lacking = 0
    play.done = 0
    play.purpose = NONE
    play.target = NONE
    play.alternative = 0
    play.wanted = 0
    play.left = 0
    play.most_figures = 0
    play.each = 0
    play.context = IN_MOVE
    play.walker = NONE
    play.walk_to = NONE
    play.moved = 0
    play.next = 0
    play.last = 0
    play.then = NONE
    play.catching = 0
    play.to_fetch = 0
    play.n_looked = 0
    for icon in range(ICONS + 1):
        play.need[icon] = 0
    for place in range(LOOKED):
        play.looked[place] = NONE
    shuffle_plot(state)
    gather_story(state)
    set_up_board(state)
    for seat in range(tab.n_seats):
        draw_story(state, seat, tab.deal)
    play.phase = BEGIN_TURN


@routine
def shuffle_plot(state: Any) -> None:
    """Shuffle all plot cards; those beyond the deck's length are laid aside, the last of the others is turned first."""
    tab = state.tab
    play = state.play
    n = 0
    for number in range(ENTRIES):
        play.plot_gone[number] = 0
        for _ in range(tab.n_plot[number]):
            play.plot[n] = number
            n += 1
    for place in range(PLOT):
        play.plot_known[place] = 0
        if place >= n:
            play.plot[place] = NONE
    plot = play.plot[:]
    shuffle(state.rng, PLOT_STREAM, plot, n)
    play.n_plot = tab.plot_cards


@routine
def gather_story(state: Any) -> None:
    """Discard all hands and shuffle every card that is not in the Special pile into the Story pile (ruling 10)."""
    play = state.play
    for place in range(play.n_pile):
        play.discard[play.pile[place]] += 1
    for kind in range(KINDS):
        for seat in range(SEATS):
            play.discard[kind] += play.hand[seat, kind]
            play.hand[seat, kind] = 0
            for other in range(SEATS):
                play.seen[seat, other, kind] = 0
        play.discard[kind] += play.aside[kind]
        play.aside[kind] = 0
    for seat in range(SEATS):
        play.held[seat] = 0
        play.kinds[seat] = 0
    for place in range(STORY):
        play.pile[place] = NONE
    play.n_pile = 0
    shuffle_discard(state)


@routine
def set_up_board(state: Any) -> None:
    """Place figures, counters, pieces, tiles and the Miracle."""
    tab = state.tab
    play = state.play
    chapter = tab.chapters[play.chapter]
    play.closed = 0
    for figure in range(FIGURES):
        play.space[figure] = NONE
        play.paces[figure] = 0
        if figure < chapter.n_figures:
            play.space[figure] = chapter.figures[figure].start
    for counter in range(COUNTERS):
        play.counter[counter] = chapter.counter_start[counter]
    play.up = 0
    for space in range(SPACES):
        play.pieces[space] = chapter.start_pieces[space]
        play.tile[space] = chapter.start_tiles[space] if space < chapter.n_spaces else NONE
    mix_tiles(state)
    for space in range(SPACES):
        if play.tile[space] != NONE:
            play.up |= 1 << space
    play.star = NONE
    if chapter.star != NONE and play.supply > 0:
        play.supply -= 1
        play.star = chapter.star
    after_challenge(state)
    close_spaces(state)


@routine
def mix_tiles(state: Any) -> None:
    """Mix the tiles face down and lay one on each space, as far as they go round; the rest stays unseen (ruling 44)."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    n = 0
    cards = state.tmp.cards[:]
    for kind in range(TILES):
        play.spare[kind] = 0
        for _ in range(chapter.mixed_tiles[kind]):
            cards[n] = kind
            n += 1
    if n == 0:
        return
    shuffle(state.rng, TILE_STREAM, cards, n)
    left = chapter.mixed
    while left and n > 0:
        n -= 1
        play.tile[lowest(left)] = cards[n]
        left &= left - 1
    while n > 0:
        n -= 1
        play.spare[cards[n]] += 1


@routine
def after_challenge(state: Any) -> None:
    """Note which figures the players move now, and who is carried."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    play.movable = 0
    for index in range(chapter.n_figures):
        figure = chapter.figures[index]
        if figure.moved or (figure.after != NONE and play.done >> figure.after & 1):
            play.movable |= 1 << index


@routine
def close_spaces(state: Any) -> None:
    """Note the spaces that guards stand on."""
    play = state.play
    play.closed = 0
    left = state.tab.chapters[play.chapter].guards
    while left:
        figure = lowest(left)
        left &= left - 1
        if play.space[figure] != NONE:
            play.closed |= 1 << int(play.space[figure])


@routine
def note_try(state: Any) -> None:
    """Count a try that has ended, and take the Miracle off the board."""
    play = state.play
    play.turns_of[play.chapter] = play.turn
    play.plot_left[play.chapter] = play.n_plot
    if play.star != NONE:
        play.star = NONE
        play.supply += 1


@routine
def win_chapter(state: Any) -> None:
    """Turn to the next chapter; with the last one the book is completed. Source: RB, Completing Chapters."""
    play = state.play
    note_try(state)
    play.won[play.chapter] = 1
    play.at += 1
    play.attempt = 0
    play.miracles_before = play.miracles
    play.phase = BEGIN_TRY
    if play.at == state.tab.n_chapters:
        play.over = 1
        play.reason = COMPLETED


@routine
def interrupt(state: Any, cause: int) -> None:
    """Interrupt the chapter: replay it, or lose the book (RB, Interruptions & Replaying Chapters; rulings 5 to 9)."""
    tab = state.tab
    play = state.play
    note_try(state)
    play.lost[play.chapter, cause] += 1
    if play.replays < tab.replays:
        play.replays += 1
        play.attempt += 1
        if play.replay_in == NONE:
            play.replay_in = play.chapter
        if tab.restore:
            play.miracles = play.miracles_before
            play.supply = tab.miracles - play.miracles_before
        play.phase = BEGIN_TRY
    else:
        play.over = 1
        play.reason = tab.first_reason[play.chapter] + cause
