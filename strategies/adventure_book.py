"""Teams that tell the book together. All complete a challenge when they can; they differ in what they do before."""

from __future__ import annotations

from typing import Any

from simcore.contract import strategy
from simcore.games.adventure_book.features import (
    NOWHERE,
    is_spare,
    knows_hand,
    members_left,
    note_goals,
    plan,
    steps_from,
    target_needs,
    target_short,
    target_walk,
)
from simcore.games.adventure_book.state import (
    CARD,
    CHALLENGE,
    ELSE,
    END,
    FETCHING,
    FIGURES,
    GETTING,
    GIVING,
    ICONS,
    IS_DRAW,
    IS_FETCH,
    IS_WALK,
    LOOKING,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    MOVING,
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

_NEVER = -1_000_000

# How a team uses Miracles
SPENDS, WAITS, SAVES = range(3)


@routine
def worth(state: Any, seat: int, kind: int, target: int, next_target: int) -> int:
    """Return what a card in hand is worth keeping: wilds most, then icons of the target, and of the one after it."""
    tab = state.tab
    play = state.play
    if tab.wild >> kind & 1:
        return 100
    if kind >= ICONS:
        return 30
    held = knows_hand(state, seat, seat, kind)
    if held <= target_needs(state, target, kind):
        return 80
    if held <= target_needs(state, target, kind) + target_needs(state, next_target, kind):
        return 60
    wanted = 0
    chapter = tab.chapters[play.chapter]
    for index in range(chapter.n_challenges):
        if play.done >> index & 1 == 0:
            wanted += chapter.challenges[index].cost.need[kind]
    return int(5 * wanted - 4 * held)


@routine
def after_that(state: Any, target: int) -> int:
    """Return the first challenge, besides the target, that is not completed."""
    play = state.play
    for index in range(state.tab.chapters[play.chapter].n_challenges):
        if index != target and play.done >> index & 1 == 0:
            return index
    return NOWHERE


@routine
def pick_card(state: Any, seat: int, actions: Any, n: int, keep: int) -> Any:
    """Return the card of the own hand that is worth least; `keep` is how many challenges are thought of."""
    target = plan(state) if seat == state.play.active else NOWHERE
    following = after_that(state, target) if keep > 1 else NOWHERE
    best = actions[0]
    least = -_NEVER
    for i in range(n):
        if actions[i] >= CARD:
            value = worth(state, seat, actions[i] - CARD, target, following)
            if value < least:
                least = value
                best = actions[i]
    return best


@routine
def pick_wanted(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the card, of somebody else's hand or of the discard pile, that is wanted most; the end if none is."""
    play = state.play
    target = plan(state)
    best = actions[0]
    most = 0 if actions[0] == END else _NEVER
    for i in range(n):
        if actions[i] >= CARD:
            kind = actions[i] - CARD
            value = 1
            if state.tab.wild >> kind & 1:
                value = 100
            elif kind < ICONS:
                value = 10 * (target_needs(state, target, kind) - play.hand[seat, kind])
            if value > most:
                most = value
                best = actions[i]
    return best


@routine
def settle(state: Any, seat: int, actions: Any, n: int, keep: int) -> Any:
    """Return what to pay with: the least worthy card; a wound rather than a wild, as long as it is not the last."""
    play = state.play
    if actions[0] == ELSE:
        toll = state.tab.chapters[play.chapter].tolls[play.target]
        last = state.tab.chapters[play.chapter].counter_last[toll.counter]
        fatal = play.counter[toll.counter] + toll.by >= last
        if n == 1 or (not fatal and actions[1] - CARD >= ICONS):
            return actions[0]
    return pick_card(state, seat, actions, n, keep)


@routine
def best_step(state: Any, actions: Any, n: int, target: int, goals: Any) -> Any:
    """Return the step that brings a figure nearest to the target, over the Miracle between equals; END if none does.

    `goals` (FIGURES, int64) is written over.
    """
    play = state.play
    note_goals(state, target, goals)
    best = actions[0]
    most = 0
    for i in range(n):
        action = actions[i]
        if action >= STEP:
            figure = (action - STEP) // 32
            goal = goals[figure]
            if goal:
                space = (action - STEP) % 32
                saved = 4 * (steps_from(state, play.space[figure], goal) - steps_from(state, space, goal))
                if saved > 0:
                    saved += 1 if space == play.star else 0
                    saved -= 1 if play.up >> space & 1 else 0
                    if saved > most:
                        most = saved
                        best = action
    return best


@kernel
def fetch_star(state: Any, actions: Any, n: int) -> Any:
    """Return a step onto the Miracle, END if there is none."""
    for i in range(n):
        if actions[i] >= STEP and (actions[i] - STEP) % 32 == state.play.star:
            return actions[i]
    return actions[0]


@routine
def lay_order(state: Any, actions: Any, n: int) -> Any:
    """Return the looked-at plot number with the most effects: the first one laid back is turned last."""
    play = state.play
    best = actions[0]
    most = -1
    for i in range(n):
        effects = int(state.tab.chapters[play.chapter].entry[actions[i] - NUMBER].n)
        if effects > most:
            most = effects
            best = actions[i]
    return best


@routine
def pick_trade(state: Any, seat: int, actions: Any, n: int, target: int) -> Any:
    """Return a trade with a seat that is known to hold an icon or a wild that the target lacks, END if there is none.

    A spare card must be there to be given.
    """
    play = state.play
    tab = state.tab
    spare = False
    for kind in range(tab.n_kinds):
        if play.hand[seat, kind] > 0 and is_spare(state, seat, kind, target):
            spare = True
    if not spare:
        return END
    for i in range(n):
        if TRADE <= actions[i] < SPECIAL:
            partner = actions[i] - TRADE
            for kind in range(tab.n_kinds):
                useful = bool(tab.wild >> kind & 1)
                if kind < ICONS:
                    useful = target_needs(state, target, kind) > play.hand[seat, kind]
                if useful and knows_hand(state, seat, partner, kind) > 0:
                    return actions[i]
    return END


@routine
def pick_special(state: Any, actions: Any, n: int, walk: int, short: int) -> Any:
    """Return a Special that helps: cards when there are too few, a walk when that reaches the target; else END."""
    tab = state.tab
    for i in range(n):
        if SPECIAL <= actions[i] < CARD:
            kind = actions[i] - SPECIAL
            op = tab.card_op[kind]
            if op == IS_DRAW and short > 0:
                return actions[i]
            if op == IS_FETCH and short > 0:
                for icon in range(tab.n_kinds):
                    if state.play.discard[icon] > 0 and target_needs(state, plan(state), min(icon, ICONS)) > 0:
                        return actions[i]
            if op == IS_WALK and short == 0 and 0 < walk <= tab.card_a[kind] * tab.card_b[kind]:
                return actions[i]
    return END


@kernel
def wants_miracle(state: Any, way: int, walk: int, short: int) -> bool:
    """Return whether a team uses a Miracle now."""
    play = state.play
    if way == SPENDS:
        return True
    if way == WAITS:
        return short > 0 and walk <= 2
    final = play.at == state.tab.n_chapters - 1 and members_left(state) == 1
    return short > 0 and walk == 0 and (final or play.n_plot <= 3)


@routine
def tell(state: Any, seat: int, actions: Any, n: int, keep: int, burn: int, way: int, goals: Any) -> Any:
    """Return what the active seat does in Storytelling.

    `keep` is for how many challenges icons are kept; `burn` whether cards are burnt to move although the target cannot
    be completed in this turn; `way` how Miracles are used.
    """
    play = state.play
    target = plan(state)
    for i in range(n):
        if CHALLENGE <= actions[i] < RULE:
            return actions[i]
    if target == NOWHERE:
        return END
    for i in range(n):
        if RULE <= actions[i] < TRADE and (actions[i] - RULE) // WAYS == target - FIGURES:
            return actions[i]
    walk = target_walk(state, target)
    short = target_short(state, seat, target)
    if short > 0:
        action = pick_trade(state, seat, actions, n, target)
        if action != END:
            return action
    action = pick_special(state, actions, n, walk, short)
    if action != END:
        return action
    if play.miracles > 0 and wants_miracle(state, way, walk, short):
        return MIRACLE_STORY
    if walk > 0 and (burn or short == 0):
        spare = play.held[seat] - target_cards(state, target)
        if keep > 1:
            spare -= 3
        if spare >= walk or (burn and spare > 0):
            return best_step(state, actions, n, target, goals)
    return END


@kernel
def target_cards(state: Any, target: int) -> int:
    """Return how many cards a target costs."""
    total = 0
    for icon in range(ICONS + 1):
        total += target_needs(state, target, icon)
    return total


@routine
def help_out(state: Any, seat: int, actions: Any, n: int, way: int) -> Any:
    """Return what a seat does in somebody else's turn, or when a plot card is turned.

    Against a plot card that does something a Special is played; a walk when that completes the target; a Miracle by
    those who spend them. How short the active hand is counts only as far as it is seen.
    """
    play = state.play
    if play.phase == TURNED:
        if play.last > play.next:
            for i in range(n):
                if actions[i] >= SPECIAL:
                    return actions[i]
        return actions[0]
    target = plan(state) if state.tab.hands_open else NOWHERE
    if target == NOWHERE:
        return actions[0]
    walk = target_walk(state, target)
    if target_short(state, play.active, target) == 0 and walk > 0:
        for i in range(n):
            if actions[i] >= SPECIAL and state.tab.card_op[actions[i] - SPECIAL] == IS_WALK:
                if walk <= state.tab.card_b[actions[i] - SPECIAL]:
                    return actions[i]
    if way == SPENDS and play.miracles > 0:
        return MIRACLE_SPECIAL
    return actions[0]


@routine
def team(state: Any, seat: int, actions: Any, n: int, keep: int, burn: int, way: int, goals: Any) -> Any:
    """Return the answer of a team with these habits; see `tell`. `goals` is work space (FIGURES, int64)."""
    play = state.play
    phase = play.phase
    if phase == TELLING:
        return tell(state, seat, actions, n, keep, burn, way, goals)
    if phase in (MOVING, WALKING):
        if play.seat != play.active and state.tab.hands_open == 0:
            return actions[0]
        action = best_step(state, actions, n, plan(state), goals)
        if action == END and phase == MOVING and way != SPENDS:
            return fetch_star(state, actions, n)
        return action
    if phase == PAYING:
        return settle(state, seat, actions, n, keep)
    if phase == GIVING:
        return pick_card(state, seat, actions, n, keep)
    if phase == GETTING:
        if seat != play.active:
            return pick_card(state, seat, actions, n, keep)
        return pick_wanted(state, seat, actions, n)
    if phase == FETCHING:
        return pick_wanted(state, seat, actions, n) if seat == play.active else actions[n - 1]
    if phase == LOOKING:
        return lay_order(state, actions, n)
    return help_out(state, seat, actions, n, way)


@strategy()
def nearest(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Nearest challenge first: walks towards what takes the fewest steps and missing cards, and completes it.

    Burns cards to move only if that completes the challenge in this turn. A Miracle is used when a card is missing and
    the figures are almost there.
    """
    return team(state, seat, actions, n, 1, 0, WAITS, work.ints[:FIGURES])


@strategy()
def hoarder(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Keeps icons for two challenges: discards what neither the next nor the one after it needs, and burns little."""
    return team(state, seat, actions, n, 2, 0, WAITS, work.ints[:FIGURES])


@strategy()
def rusher(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """In a hurry: burns cards to move towards the next challenge even when it cannot be completed in this turn."""
    return team(state, seat, actions, n, 1, 1, WAITS, work.ints[:FIGURES])


@strategy()
def saver(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Saves Miracles for the end: uses one at the last challenge of the book, or when the plot is about to run out."""
    return team(state, seat, actions, n, 1, 0, SAVES, work.ints[:FIGURES])


@strategy()
def spender(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Spends each Miracle as soon as it is there: Story cards in one's own turn, a Special in another's."""
    return team(state, seat, actions, n, 1, 0, SPENDS, work.ints[:FIGURES])
