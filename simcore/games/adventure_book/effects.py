"""Challenges and what the chapter does, in the vocabulary of docs/adventure-book.md. "RB" is the rulebook."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.cards import ask_any, draw_specials, draw_story
from simcore.games.adventure_book.conditions import all_hold, hold
from simcore.games.adventure_book.state import (
    ADVANCE,
    AFTER_CHALLENGE,
    AFTER_PLOT,
    ANY,
    ASK_NEXT,
    BEGIN_STORY,
    CHALLENGES,
    COUNT,
    DISCARD,
    DRAW,
    FOR_EFFECT,
    GAIN,
    JOIN,
    LIMIT,
    MOVE,
    NONE,
    PUT,
    RUN,
    TAKE,
)
from simcore.games.adventure_book.tries import after_challenge, close_spaces, interrupt, win_chapter
from simcore.jit import kernel, routine
from simcore.masks import lowest


@kernel
def complete(state: Any, index: int) -> None:
    """Complete a challenge that is paid, and give its reward (RB, Completing Challenges; rulings 35, 36, 42)."""
    play = state.play
    play.done |= 1 << index
    play.challenges += 1
    play.completed[play.active] |= 1 << (CHALLENGES * int(play.chapter) + index)
    after_challenge(state)
    begin_effects(state, state.tab.chapters[play.chapter].challenges[index].reward, AFTER_CHALLENGE)


@kernel
def begin_effects(state: Any, span: Any, then: int) -> None:
    """Begin a list of effects."""
    play = state.play
    play.next = span.first
    play.last = span.first + span.n
    play.then = then
    play.phase = RUN


@kernel
def is_complete(state: Any) -> bool:
    """Return whether all challenges are completed, so that nothing can go wrong any more (ruling 4)."""
    play = state.play
    return bool(play.done == (1 << int(state.tab.chapters[play.chapter].n_challenges)) - 1)


@routine
def run_effects(state: Any) -> None:
    """Carry out effects one by one, with a look at the defeats after each, until somebody has to pay (ruling 4)."""
    play = state.play
    while play.phase == RUN:
        if play.catching > 0:
            play.catching -= 1
            if play.held[play.active] > 1:
                ask_any(state, FOR_EFFECT, 1)
        elif play.next < play.last:
            effect = state.tab.chapters[play.chapter].effects[play.next]
            play.next += 1
            if hold(state, effect.first, effect.n):
                carry_out(state, effect)
                if is_defeated(state):
                    return
        else:
            end_effects(state)


@kernel
def end_effects(state: Any) -> None:
    """Go on after a list of effects (ruling 3)."""
    play = state.play
    if play.then == AFTER_PLOT:
        play.phase = LIMIT
    elif play.then == AFTER_CHALLENGE and is_complete(state):
        win_chapter(state)
    else:
        after_action(state)


@kernel
def after_action(state: Any) -> None:
    """Go on after something was used: the window goes on, or opens anew after an action of the active seat."""
    play = state.play
    play.phase = BEGIN_STORY if play.user == play.active and play.window_plot == 0 else ASK_NEXT


@routine
def is_defeated(state: Any) -> bool:
    """Interrupt the chapter if one of its own defeats holds, and return whether it does."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    if is_complete(state):
        return False
    for index in range(chapter.n_defeats):
        if all_hold(state, chapter.defeats[index]):
            interrupt(state, 1 + index)
            return True
    return False


@routine
def carry_out(state: Any, effect: Any) -> None:
    """Carry out one effect (docs/adventure-book.md)."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    op = effect.op
    if op <= ADVANCE:
        space = destination(state, effect)
        if space != NONE:
            place_figure(state, effect.a, space, 0)
            if chapter.guards >> effect.a & 1:
                catch_figures(state, effect.a)
    elif op == COUNT:
        count(state, effect.a, effect.c)
    elif op == PUT:
        if play.counter[chapter.pieces] > 0:
            play.counter[chapter.pieces] -= 1
            play.pieces[effect.a] += 1
        else:
            play.lacking = 1
    elif op == TAKE:
        space = play.space[effect.a]
        if space != NONE and play.pieces[space] > 0:
            play.pieces[space] -= 1
            play.counter[chapter.pieces] += 1
    elif op == DRAW:
        draw_story(state, play.active, effect.c)
    elif op == GAIN:
        draw_specials(state, play.active, effect.c)
    elif op == DISCARD:
        cards = min(effect.c, play.held[play.active] - 1)
        if cards > 0:
            ask_any(state, FOR_EFFECT, cards)
    else:
        demand(state, effect)


@kernel
def destination(state: Any, effect: Any) -> int:
    """Return where an effect puts its figure, NONE if nowhere."""
    play = state.play
    if effect.op == MOVE:
        return int(effect.b)
    if effect.op == JOIN:
        return int(play.space[effect.b])
    path = state.tab.chapters[play.chapter].paths[effect.b]
    space = play.space[effect.a]
    place = path.place[space] if space != NONE else NONE
    steps = effect.c
    if place == NONE:
        if path.elsewhere == NONE or steps <= 0:
            return NONE
        place = path.elsewhere
        steps -= 1
    if path.loop:
        return int(path.spaces[(place + steps) % path.n])
    return int(path.spaces[min(max(place + steps, 0), path.n - 1)])


@kernel
def count(state: Any, counter: int, by: int) -> None:
    """Move a counter, within its track."""
    play = state.play
    last = state.tab.chapters[play.chapter].counter_last[counter]
    play.counter[counter] = min(max(play.counter[counter] + by, 0), last)


@kernel
def demand(state: Any, effect: Any) -> None:
    """Let the active seat discard an icon or a wild, never its last card; who cannot, suffers the alternative."""
    play = state.play
    icon = effect.a
    if play.held[play.active] > 1 and (play.hand[play.active, icon] > 0 or play.kinds[play.active] & state.tab.wild):
        ask_any(state, FOR_EFFECT, 1)
        play.need[ANY] = 0
        play.need[icon] = 1
    else:
        count(state, effect.b, effect.c)


# -- figures ----------------------------------------------------------------------------------------------------------


@routine
def place_figure(state: Any, figure: int, space: int, by_players: int) -> None:
    """Put a figure on a space with whom it carries, and take the Miracle there (rulings 20, 21 and 30).

    A guard closes the space it stands on, whoever has moved it there.
    """
    tab = state.tab
    play = state.play
    chapter = tab.chapters[play.chapter]
    play.space[figure] = space
    if space == play.star and (by_players or tab.anyone_takes):
        play.star = NONE
        play.miracles += 1
        play.miracles_taken += 1
    for index in range(chapter.n_figures):
        other = chapter.figures[index]
        if other.carrier == figure and play.done >> other.carried_after & 1:
            play.space[index] = space
    if chapter.guards:
        close_spaces(state)


@routine
def catch_figures(state: Any, guard: int) -> None:
    """Send whom a guard has met to their space; each costs the active seat cards."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    left = chapter.caught
    while left:
        figure = lowest(left)
        left &= left - 1
        if play.space[figure] == play.space[guard]:
            place_figure(state, figure, chapter.caught_to, 0)
            play.catching += chapter.caught_discard
