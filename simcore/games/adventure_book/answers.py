"""What may be answered in each phase."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.cards import can_pay, next_wanted, wild_fits
from simcore.games.adventure_book.conditions import all_hold
from simcore.games.adventure_book.state import (
    ANY,
    ASKING,
    CARD,
    CHALLENGE,
    ELSE,
    END,
    FETCHING,
    FORCED,
    GETTING,
    GIVING,
    LOOKING,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    MOVING,
    NONE,
    NUMBER,
    PAYING,
    RULE,
    SPECIAL,
    STEP,
    TELLING,
    TRADE,
    TURNED,
    WALKING,
    WAYS,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest


@routine
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64) and return how many."""
    play = state.play
    phase = play.phase
    if phase == PAYING:
        return legal_payment(state, actions)
    if phase == GIVING or phase == GETTING:
        return legal_trade(state, actions)
    if phase == FETCHING:
        return legal_fetch(state, actions)
    if phase == LOOKING:
        return legal_look(state, actions)
    actions[0] = END
    n = 1
    if phase == ASKING or phase == TELLING or phase == TURNED:
        if play.miracles > 0:
            actions[n] = MIRACLE_STORY
            actions[n + 1] = MIRACLE_SPECIAL
            n += 2
        if phase == TELLING:
            n = legal_story(state, actions, n)
        useful = state.tab.cancels if phase == TURNED else state.tab.playable
        n = write_set(actions, n, int(play.kinds[play.seat] & useful), SPECIAL)
    if phase == MOVING or phase == WALKING or (phase == TELLING and play.held[play.active] > 0):
        n = legal_steps(state, actions, n)
    return n


@kernel
def write_set(actions: Any, n: int, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, behind the first `n` actions; return how many there are."""
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@routine
def legal_story(state: Any, actions: Any, n: int) -> int:
    """Write challenges, chapter actions and trades."""
    tab = state.tab
    play = state.play
    chapter = tab.chapters[play.chapter]
    for index in range(chapter.n_challenges):
        if is_open(state, index) and can_pay(state, chapter.challenges[index].cost):
            if all_hold(state, chapter.challenges[index].needs):
                actions[n] = CHALLENGE + index
                n += 1
    for index in range(chapter.n_rules):
        rule = chapter.rules[index]
        if (rule.per_turn == 0 or play.used >> index & 1 == 0) and all_hold(state, rule.needs):
            for way in range(rule.n_ways):
                if can_pay(state, rule.ways[way]):
                    actions[n] = RULE + WAYS * index + way
                    n += 1
    if play.traded < tab.trades and play.held[play.active] > 0:
        for seat in range(tab.n_seats):
            if seat != play.active and play.held[seat] > 0:
                actions[n] = TRADE + seat
                n += 1
    return n


@kernel
def is_open(state: Any, index: int) -> bool:
    """Return whether a challenge is not completed, and the next one where the chapter sets an order (ruling 34)."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    if play.done >> index & 1:
        return False
    return chapter.in_order == 0 or play.done == (1 << index) - 1


@routine
def legal_payment(state: Any, actions: Any) -> int:
    """Write the cards that fit what is wanted next: icons one after the other, then any cards."""
    play = state.play
    n = 0
    if play.alternative:
        actions[0] = ELSE
        n = 1
        if play.alternative == FORCED:
            return n
    icon = next_wanted(state)
    if icon == ANY:
        return write_set(actions, n, int(play.kinds[play.active]), CARD)
    if play.hand[play.active, icon] > 0:
        actions[n] = CARD + icon
        n += 1
    if wild_fits(state, icon):
        n = write_set(actions, n, int(play.kinds[play.active] & state.tab.wild), CARD)
    return n


@kernel
def legal_trade(state: Any, actions: Any) -> int:
    """Write the cards of the active seat, or those of the partner but for the one it was just given."""
    play = state.play
    if play.phase == GIVING:
        return write_set(actions, 0, int(play.kinds[play.active]), CARD)
    mask = int(play.kinds[play.partner])
    if play.hand[play.partner, play.given] == 1:
        mask &= ~(1 << int(play.given))
    return write_set(actions, 0, mask, CARD)


@kernel
def legal_fetch(state: Any, actions: Any) -> int:
    """Write the kinds in the Story discard pile."""
    actions[0] = END
    n = 1
    for kind in range(state.tab.n_kinds):
        if state.play.discard[kind] > 0:
            actions[n] = CARD + kind
            n += 1
    return n


@kernel
def legal_look(state: Any, actions: Any) -> int:
    """Write the numbers that are still to be laid back."""
    play = state.play
    mask = 0
    for place in range(play.n_looked):
        mask |= 1 << int(play.looked[place])
    return write_set(actions, 0, mask, NUMBER)


@routine
def legal_steps(state: Any, actions: Any, n: int) -> int:
    """Write the single steps that the acting seat may make."""
    play = state.play
    left = play.movable
    begun = 0
    mask = play.moved
    while mask:
        mask &= mask - 1
        begun += 1
    telling = play.phase == TELLING
    while left:
        figure = lowest(left)
        left &= left - 1
        if play.space[figure] == NONE:
            continue
        if not telling:
            if play.paces[figure] >= play.each or (play.moved >> figure & 1 == 0 and begun >= play.most_figures):
                continue
        n = write_set(actions, n, reachable(state, figure, 1 if telling else 0), STEP + 32 * figure)
    return n


@routine
def reachable(state: Any, figure: int, spent: int) -> int:
    """Return the spaces that a figure may step to; `spent` cards of the active hand go for the step itself."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    mask = chapter.ways[play.space[figure]] & ~play.closed
    for index in range(chapter.n_barriers):
        barrier = chapter.barriers[index]
        if barrier.figure == figure and play.done >> barrier.until & 1 == 0:
            mask &= ~barrier.mask
    priced = mask & play.up
    while priced:
        space = lowest(priced)
        priced &= priced - 1
        toll = chapter.tolls[play.tile[space]]
        if toll.has_else == 0:
            total = toll.less.total if toll.figure == figure else toll.cost.total
            if play.held[play.active] < total + spent:
                mask &= ~(1 << space)
    return int(mask)
