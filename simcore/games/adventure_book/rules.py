"""The rules of the book as a step machine. "RB" is the rulebook, "ruling n" the table in docs/games.md.

Kernels only, in the order of the rulebook: a try of a chapter, the five steps of a turn, cards, Miracles, the
primitives of chapters, the end. An action leads to a phase; phases that ask nobody (`state.AUTOMATIC` and above) are
worked off by `advance` until somebody has to decide.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.adventure_book.state import (
    ABOVE,
    ADVANCE,
    AFTER_CHALLENGE,
    AFTER_PLOT,
    AFTER_RULE,
    ALLOWED,
    ANY,
    ASK_NEXT,
    ASKING,
    AT,
    AT_LEAST,
    AT_MOST,
    AUTOMATIC,
    AWAY,
    BEGIN_STORY,
    BEGIN_TRY,
    BEGIN_TURN,
    CAPPED,
    CARD,
    CAUSES,
    CHALLENGE,
    CHALLENGE_BIT,
    CHALLENGES,
    CHAPTERS,
    CLEAR,
    COMPLETED,
    COUNT,
    COUNTERS,
    DEALT,
    DISCARD,
    DONE,
    DRAW,
    DRAW_AND_PLOT,
    ELSE,
    END,
    END_TURN,
    ENTRIES,
    FETCHING,
    FIGURES,
    FOR_CHALLENGE,
    FOR_EFFECT,
    FOR_LIMIT,
    FOR_RULE,
    FOR_TOLL,
    FOR_WALK,
    FORCED,
    GAIN,
    GETTING,
    GIVING,
    HELD,
    HELPER,
    ICONS,
    IN_MOVE,
    IN_SPECIAL,
    IN_STORY,
    IS_DRAW,
    IS_FETCH,
    IS_LOOK,
    IS_WALK,
    JOIN,
    KINDS,
    LIMIT,
    LITTERED,
    LOOKED,
    LOOKING,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    MOVE,
    MOVING,
    NEAR,
    NONE,
    NUMBER,
    PASSED,
    PAYING,
    PLAYED,
    PLOT,
    PLOT_STREAM,
    PUT,
    REACHED,
    RULE,
    RUN,
    SEAT_STREAM,
    SEATS,
    SPACES,
    SPECIAL,
    SPECIAL_STREAM,
    SPECIALS,
    STEP,
    STORY,
    STORY_STREAM,
    TAKE,
    TELLER,
    TELLING,
    TILE,
    TILE_STREAM,
    TILES,
    TOGETHER,
    TRADE,
    TURNED,
    UNDONE,
    WALKING,
    WAYS,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest
from simcore.rng import below, rekey, shuffle

ABSENT_METRIC = ABSENT
TRIES = 8
"""Room for the tries of a chapter in the number that re-keys its streams."""


@routine
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setup."""
    tab = state.tab
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.rounds = 0
    play.turns = 0
    play.seat = 0
    play.role = TELLER
    play.at = 0
    play.attempt = 0
    play.replays = 0
    play.replay_in = NONE
    play.miracles = 0
    play.miracles_before = 0
    play.supply = tab.miracles
    play.star = NONE
    play.challenges = 0
    play.specials_drawn = 0
    play.specials_played = 0
    play.miracles_taken = 0
    play.miracles_used = 0
    play.trades = 0
    play.walked = 0
    play.cancelled = 0
    play.reshuffles = 0
    play.n_pile = 0
    for seat in range(SEATS):
        play.held[seat] = 0
        play.kinds[seat] = 0
        play.completed[seat] = 0
        state.log.dealt[seat] = 0
        state.log.spent[seat] = 0
        for kind in range(KINDS):
            play.hand[seat, kind] = 0
            for other in range(SEATS):
                play.seen[seat, other, kind] = 0
    for kind in range(KINDS):
        play.discard[kind] = tab.n_story[kind]
        play.aside[kind] = 0
    for chapter in range(CHAPTERS):
        play.attempts[chapter] = 0
        play.won[chapter] = 0
        play.turns_of[chapter] = 0
        play.plot_left[chapter] = 0
        for cause in range(CAUSES):
            play.lost[chapter, cause] = 0
    shuffle_specials(state)
    play.phase = BEGIN_TRY
    advance(state)


@routine
def shuffle_specials(state: Any) -> None:
    """Remove the Specials from the Story cards and shuffle them, once (ruling 15); the last is drawn first."""
    play = state.play
    n = 0
    for kind in range(KINDS):
        for _ in range(state.tab.n_special[kind]):
            play.specials[n] = kind
            n += 1
    play.n_special = n
    for place in range(n, SPECIALS):
        play.specials[place] = NONE
    specials = play.specials[:]
    shuffle(state.rng, SPECIAL_STREAM, specials, n)


@routine
def advance(state: Any) -> None:
    """Work off what happens by itself until somebody has to decide, or the game is over."""
    play = state.play
    while play.over == 0 and play.phase >= AUTOMATIC:
        if play.phase == ASK_NEXT:
            ask_next(state)
        elif play.phase == BEGIN_STORY:
            play.window_plot = 0
            play.asked = 1
            play.phase = ASK_NEXT
        elif play.phase == RUN:
            run_effects(state)
        elif play.phase == DRAW_AND_PLOT:
            draw_and_plot(state)
        elif play.phase == LIMIT:
            keep_to_limit(state)
        elif play.phase == END_TURN:
            end_turn(state)
        elif play.phase == BEGIN_TURN:
            begin_turn(state)
        else:
            begin_try(state)


# -- a try of a chapter ---------------------------------------------------------------------------------------------


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


# -- a turn ---------------------------------------------------------------------------------------------------------


@routine
def begin_turn(state: Any) -> None:
    """Step 1, Move, begins (rulings 26 to 29)."""
    tab = state.tab
    play = state.play
    if play.turn % tab.n_seats == 0:
        if play.rounds >= tab.round_cap:
            note_try(state)
            play.over = 1
            return
        play.rounds += 1
    play.turn += 1
    play.turns += 1
    play.traded = 0
    play.used = 0
    play.turned = NONE
    play.user = play.active
    play.seat = play.active
    play.role = TELLER
    allow_steps(state, IN_MOVE, tab.moves, FIGURES, tab.moves)
    play.phase = MOVING if tab.moves > 0 else BEGIN_STORY


@routine
def allow_steps(state: Any, context: int, steps: int, figures: int, each: int) -> None:
    """Let the acting seat move figures: so many steps, figures, and steps of one figure."""
    play = state.play
    play.context = context
    play.left = steps
    play.most_figures = figures
    play.each = each
    play.moved = 0
    for figure in range(FIGURES):
        play.paces[figure] = 0


@routine
def ask_next(state: Any) -> None:
    """Ask the next seat that could use something; when all are past, go on (rulings 16 to 18).

    The windows: before each action of the active seat in Storytelling (the others), and when a plot card is turned
    (all, the active seat first). Each seat is asked once, in the order round the table.
    """
    tab = state.tab
    play = state.play
    n = tab.n_seats
    useful = tab.cancels if play.window_plot else tab.playable
    while play.asked < n:
        seat = (play.active + play.asked) % n
        play.asked += 1
        if play.miracles > 0 or play.kinds[seat] & useful:
            play.seat = seat
            play.user = seat
            play.role = TELLER if seat == play.active else HELPER
            play.phase = TURNED if play.window_plot else ASKING
            return
    play.seat = play.active
    play.user = play.active
    play.role = TELLER
    play.phase = RUN if play.window_plot else TELLING


@kernel
def after_action(state: Any) -> None:
    """Go on after something was used: the window goes on, or opens anew after an action of the active seat."""
    play = state.play
    play.phase = BEGIN_STORY if play.user == play.active and play.window_plot == 0 else ASK_NEXT


@routine
def draw_and_plot(state: Any) -> None:
    """Step 3, Draw, and step 4, Plot, as far as the window (rulings 1, 11 and 12)."""
    tab = state.tab
    play = state.play
    draw_story(state, play.active, tab.drawn)
    if play.n_plot == 0:
        interrupt(state, 0)
        return
    play.n_plot -= 1
    play.turned = int(play.plot[play.n_plot])
    play.plot_gone[play.turned] += 1
    entry = tab.chapters[play.chapter].entry[play.turned]
    play.next = entry.first
    play.last = entry.first + entry.n
    play.then = AFTER_PLOT
    play.window_plot = 1
    play.asked = 0
    play.phase = ASK_NEXT


@kernel
def keep_to_limit(state: Any) -> None:
    """Step 5, Discard: the active player keeps to the hand limit (rulings 37 and 38)."""
    play = state.play
    play.window_plot = 0
    over = play.held[play.active] - state.tab.hand_limit
    play.phase = END_TURN
    if over > 0:
        ask_any(state, FOR_LIMIT, over)


@kernel
def end_turn(state: Any) -> None:
    """Discard the Specials that have brought cards; the next seat's turn."""
    play = state.play
    for kind in range(ICONS, state.tab.n_kinds):
        play.discard[kind] += play.aside[kind]
        play.aside[kind] = 0
    play.active = (play.active + 1) % state.tab.n_seats
    play.phase = BEGIN_TURN


# -- what may be answered -------------------------------------------------------------------------------------------


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
def next_wanted(state: Any) -> int:
    """Return the icon that is paid next, ANY if only any cards are left to pay."""
    play = state.play
    for icon in range(ICONS):
        if play.need[icon] > 0:
            return icon
    return ANY


@kernel
def wild_fits(state: Any, icon: int) -> bool:
    """Return whether a wild may be paid for `icon` so that the rest can still be paid."""
    play = state.play
    short = 0
    for other in range(ICONS):
        need = play.need[other] - (1 if other == icon else 0)
        short += max(0, need - play.hand[play.active, other])
    return bool(short < wilds(state, play.active))


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


# -- what answers do ------------------------------------------------------------------------------------------------


@routine
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    phase = state.play.phase
    if phase == PAYING:
        pay(state, action)
    elif phase == MOVING or phase == WALKING:
        if action == END:
            end_steps(state)
        else:
            begin_step(state, (action - STEP) // 32, (action - STEP) % 32)
    elif phase == GIVING or phase == GETTING:
        trade(state, action - CARD)
    elif phase == FETCHING:
        fetch(state, action)
    elif phase == LOOKING:
        lay_back(state, action - NUMBER)
    else:
        use(state, action)
    advance(state)


@routine
def use(state: Any, action: int) -> None:
    """Carry out what a seat does in a window, or the active seat in Storytelling. Source: RB, Storytelling."""
    play = state.play
    if action == END:
        play.phase = DRAW_AND_PLOT if play.phase == TELLING else ASK_NEXT
    elif action == MIRACLE_STORY or action == MIRACLE_SPECIAL:
        use_miracle(state, action == MIRACLE_SPECIAL)
    elif action < RULE:
        index = action - CHALLENGE
        ask_cost(state, FOR_CHALLENGE, index, state.tab.chapters[play.chapter].challenges[index].cost)
    elif action < TRADE:
        index = (action - RULE) // WAYS
        rule = state.tab.chapters[play.chapter].rules[index]
        play.used |= 1 << index
        ask_cost(state, FOR_RULE, index, rule.ways[(action - RULE) % WAYS])
    elif action < SPECIAL:
        play.partner = action - TRADE
        play.traded += 1
        play.trades += 1
        play.phase = GIVING
    elif action < CARD:
        play_special(state, action - SPECIAL)
    else:
        play.context = IN_STORY
        play.walker = (action - STEP) // 32
        play.walk_to = (action - STEP) % 32
        play.walked += 1
        ask_any(state, FOR_WALK, 1)


@kernel
def use_miracle(state: Any, special: bool) -> None:
    """Discard a Miracle; its user draws Story cards or Specials (RB, Miracles; rulings 17 to 19)."""
    tab = state.tab
    play = state.play
    play.miracles -= 1
    play.supply += 1
    play.miracles_used += 1
    if special:
        draw_specials(state, play.seat, tab.miracle_special)
    else:
        draw_story(state, play.seat, tab.miracle_story)
    after_action(state)


# -- cards ----------------------------------------------------------------------------------------------------------


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


@routine
def pay(state: Any, action: int) -> None:
    """Discard a card for what is wanted next, or take the alternative; with the last card the payment is made."""
    play = state.play
    if action == ELSE:
        toll = state.tab.chapters[play.chapter].tolls[play.target]
        count(state, toll.counter, toll.by)
        play.wanted = 0
    else:
        kind = action - CARD
        play.need[next_wanted(state)] -= 1
        play.wanted -= 1
        remove_card(state, play.active, kind, NONE)
        play.discard[kind] += 1
        state.log.spent[play.active] |= 1 << kind
    if play.wanted == 0:
        play.alternative = 0
        play.seat = play.user
        play.role = TELLER if play.user == play.active else HELPER
        paid(state)


@kernel
def paid(state: Any) -> None:
    """Go on with what was paid for."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    if play.purpose == FOR_CHALLENGE:
        complete(state, play.target)
    elif play.purpose == FOR_RULE:
        begin_effects(state, chapter.rules[play.target].effects, AFTER_RULE)
    elif play.purpose == FOR_WALK or play.purpose == FOR_TOLL:
        go_on_walking(state)
    elif play.purpose == FOR_EFFECT:
        play.phase = RUN
    else:
        play.phase = END_TURN


@routine
def trade(state: Any, kind: int) -> None:
    """Give a card to the partner, then get one back (ruling 22).

    With open hands the active seat chooses both, as consent is taken for granted; with hidden ones the partner answers.
    """
    play = state.play
    if play.phase == GIVING:
        play.given = kind
        remove_card(state, play.active, kind, play.partner)
        add_card(state, play.partner, kind)
        see_card(state, play.partner, kind, play.active)
        play.phase = GETTING
        if state.tab.hands_open == 0:
            play.seat = play.partner
            play.role = HELPER
        return
    remove_card(state, play.partner, kind, play.active)
    add_card(state, play.active, kind)
    see_card(state, play.active, kind, play.partner)
    play.given = NONE
    play.partner = NONE
    play.seat = play.active
    play.role = TELLER
    play.phase = BEGIN_STORY


# -- Special cards --------------------------------------------------------------------------------------------------


@routine
def play_special(state: Any, kind: int) -> None:
    """Play a Special for its effect and discard it. Source: RB, Special Cards; ruling 14.

    One that brings cards waits until the end of the turn, or two of them could bring each other for ever.
    """
    tab = state.tab
    play = state.play
    op = tab.card_op[kind]
    remove_card(state, play.seat, kind, NONE)
    if op == IS_DRAW or op == IS_FETCH:
        play.aside[kind] += 1
    else:
        play.discard[kind] += 1
    play.specials_played += 1
    state.log.spent[play.seat] |= 1 << kind
    if op == IS_WALK:
        figures = int(tab.card_a[kind])
        each = int(tab.card_b[kind])
        allow_steps(state, IN_SPECIAL, figures * each, figures, each)
        play.phase = WALKING
    elif op == IS_FETCH:
        play.to_fetch = tab.card_a[kind]
        play.phase = FETCHING
    elif op == IS_LOOK:
        look(state, int(tab.card_a[kind]))
    elif op == IS_DRAW:
        draw_story(state, play.seat, int(tab.card_a[kind]))
        after_action(state)
    else:
        play.cancelled += 1
        play.phase = LIMIT
        play.seat = play.active
        play.user = play.active
        play.role = TELLER


@kernel
def fetch(state: Any, action: int) -> None:
    """Take a card from the Story discard pile, which lies open, or stop."""
    play = state.play
    if action == END:
        play.to_fetch = 0
    else:
        kind = action - CARD
        play.discard[kind] -= 1
        add_card(state, play.seat, kind)
        see_card(state, play.seat, kind, NONE)
        state.log.dealt[play.seat] |= 1 << kind
        play.to_fetch -= 1
    if play.to_fetch == 0:
        after_action(state)


@kernel
def look(state: Any, cards: int) -> None:
    """Look at the top plot cards, all together."""
    play = state.play
    play.n_looked = 0
    while play.n_looked < cards and play.n_plot > 0:
        play.n_plot -= 1
        play.looked[play.n_looked] = play.plot[play.n_plot]
        play.n_looked += 1
    if play.n_looked:
        play.phase = LOOKING
    else:
        after_action(state)


@kernel
def lay_back(state: Any, number: int) -> None:
    """Lay a looked-at plot card back on the pile: the last one laid is turned next."""
    play = state.play
    place = 0
    while play.looked[place] != number:
        place += 1
    play.n_looked -= 1
    play.looked[place] = play.looked[play.n_looked]
    play.looked[play.n_looked] = NONE
    play.plot[play.n_plot] = number
    play.plot_known[play.n_plot] = 1
    play.n_plot += 1
    if play.n_looked == 0:
        after_action(state)


# -- moving figures -------------------------------------------------------------------------------------------------


@routine
def begin_step(state: Any, figure: int, space: int) -> None:
    """Begin a single step of step 1 or of a Special."""
    play = state.play
    play.walker = figure
    play.walk_to = space
    play.moved |= 1 << figure
    play.paces[figure] += 1
    play.left -= 1
    play.purpose = FOR_WALK
    go_on_walking(state)


@routine
def go_on_walking(state: Any) -> None:
    """Let the active seat pay the toll of a face-up tile, then move the figure there."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    space = play.walk_to
    if play.purpose != FOR_TOLL and play.up >> space & 1:
        kind = int(play.tile[space])
        toll = chapter.tolls[kind]
        if toll.figure == play.walker:
            ask_cost(state, FOR_TOLL, kind, toll.less)
        else:
            ask_cost(state, FOR_TOLL, kind, toll.cost)
        if toll.has_else:
            payable = can_pay(state, toll.less) if toll.figure == play.walker else can_pay(state, toll.cost)
            play.alternative = ALLOWED if payable else FORCED
        return
    if play.purpose == FOR_TOLL:
        play.up &= ~(1 << space)
        if chapter.tolls[play.tile[space]].gone:
            play.tile[space] = NONE
    place_figure(state, play.walker, space, 1)
    play.walker = NONE
    play.walk_to = NONE
    if is_defeated(state):
        return
    if play.context == IN_STORY:
        after_action(state)
    elif play.left == 0:
        end_steps(state)
    else:
        play.phase = MOVING if play.context == IN_MOVE else WALKING


@kernel
def end_steps(state: Any) -> None:
    """Go on after step 1, or after a Special that moves figures."""
    play = state.play
    if play.context == IN_MOVE:
        play.phase = BEGIN_STORY
    else:
        after_action(state)


@routine
def place_figure(state: Any, figure: int, space: int, by_players: int) -> None:
    """Put a figure on a space with whom it carries, and take the Miracle there (rulings 20, 21 and 30)."""
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


# -- challenges, and what the chapter does --------------------------------------------------------------------------


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
                close_spaces(state)
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


# -- conditions -----------------------------------------------------------------------------------------------------


@kernel
def all_hold(state: Any, span: Any) -> bool:
    """Return whether a list of conditions holds."""
    return hold(state, span.first, span.n)


@routine
def hold(state: Any, first: int, n: int) -> bool:
    """Return whether conditions `first` to ``first + n - 1`` of the chapter hold."""
    for index in range(first, first + n):
        if not holds(state, index):
            return False
    return True


@routine
def holds(state: Any, index: int) -> bool:
    """Return whether one condition holds (docs/adventure-book.md)."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    condition = chapter.conditions[index]
    op = condition.op
    a = condition.a
    b = condition.b
    if op == AT:
        return bool(play.space[a] != NONE and condition.mask >> int(play.space[a]) & 1)
    if op == AWAY:
        return bool(play.space[a] == NONE or condition.mask >> int(play.space[a]) & 1 == 0)
    if op == TOGETHER:
        return bool(play.space[a] != NONE and play.space[a] == play.space[b])
    if op == TILE:
        return bool(play.space[a] != NONE and play.tile[play.space[a]] == b)
    if op == NEAR:
        return is_near(state, condition.mask, b)
    if op == CLEAR:
        return bool(play.pieces[a] == 0)
    if op == LITTERED:
        return bool(play.space[a] != NONE and play.pieces[play.space[a]] > 0)
    if op == AT_LEAST:
        return bool(play.counter[a] >= b)
    if op == AT_MOST:
        return bool(play.counter[a] <= b)
    if op == REACHED:
        return bool(play.counter[a] >= play.counter[b])
    if op == ABOVE:
        return bool(play.counter[a] > play.counter[b])
    if op == DONE:
        return bool(play.done & condition.mask == condition.mask)
    if op == UNDONE:
        return bool(play.done & condition.mask == 0)
    if op == PASSED:
        return has_passed(state, a, b, chapter.paths[condition.c])
    return bool(play.lacking)


@kernel
def is_near(state: Any, figures: int, kind: int) -> bool:
    """Return whether one of the figures stands on or next to a face-up tile of a kind."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    while figures:
        space = play.space[lowest(figures)]
        figures &= figures - 1
        if space != NONE:
            near = (chapter.ways[space] | 1 << int(space)) & play.up
            while near:
                if play.tile[lowest(near)] == kind:
                    return True
                near &= near - 1
    return False


@kernel
def has_passed(state: Any, a: int, b: int, path: Any) -> bool:
    """Return whether figure `a` is as far along a path as `b`; elsewhere counts as the path's `elsewhere`."""
    first = along(state, a, path)
    second = along(state, b, path)
    return bool(first != NONE and second != NONE and first >= second)


@kernel
def along(state: Any, figure: int, path: Any) -> int:
    """Return the place of a figure on a path, NONE if it has none."""
    space = state.play.space[figure]
    if space == NONE:
        return NONE
    return int(path.place[space] if path.place[space] != NONE else path.elsewhere)


# -- the end --------------------------------------------------------------------------------------------------------


@routine
def score(state: Any, row: Any) -> None:
    """Write the outcome row: the table has won, or nobody."""
    tab = state.tab
    play = state.play
    row.winners = 1 if play.reason == COMPLETED else 0
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.chapters = play.at
    row.replay_in = ABSENT_METRIC if play.replay_in == NONE else play.replay_in + 1
    row.challenges = play.challenges
    row.specials_drawn = play.specials_drawn
    row.specials_played = play.specials_played
    row.miracles_taken = play.miracles_taken
    row.miracles_used = play.miracles_used
    row.trades = play.trades
    row.walked = play.walked
    row.cancelled = play.cancelled
    row.reshuffles = play.reshuffles
    write_chapters(state, row)
    for seat in range(tab.n_seats):
        expose(state, row, seat)


@routine
def measure(state: Any, chapter: int, out: Any) -> None:
    """Write the metrics of a chapter (7,) in the order of `state.PER_CHAPTER`.

    Absent are all of a chapter that was not reached, and a defeat that it does not have.
    """
    play = state.play
    if play.attempts[chapter] == 0:
        out[:] = ABSENT_METRIC
        return
    out[0] = play.won[chapter] and play.attempts[chapter] == 1
    out[1] = play.won[chapter] and play.attempts[chapter] > 1
    out[2] = play.turns_of[chapter]
    out[3] = play.plot_left[chapter]
    out[4:] = ABSENT_METRIC
    for cause in range(1 + state.tab.chapters[chapter].n_defeats):
        out[4 + cause] = play.lost[chapter, cause]


@routine
def write_chapters(state: Any, row: Any) -> None:
    """Write the metrics of each chapter; a record has no way to count its fields, so each stands here."""
    of = state.tmp.chapters
    for chapter in range(CHAPTERS):
        measure(state, chapter, of[chapter])
    row.chapter_1_won_first = of[0, 0]
    row.chapter_1_won_again = of[0, 1]
    row.chapter_1_turns = of[0, 2]
    row.chapter_1_plot_left = of[0, 3]
    row.chapter_1_lost_plot = of[0, 4]
    row.chapter_1_lost_own_1 = of[0, 5]
    row.chapter_1_lost_own_2 = of[0, 6]
    row.chapter_2_won_first = of[1, 0]
    row.chapter_2_won_again = of[1, 1]
    row.chapter_2_turns = of[1, 2]
    row.chapter_2_plot_left = of[1, 3]
    row.chapter_2_lost_plot = of[1, 4]
    row.chapter_2_lost_own_1 = of[1, 5]
    row.chapter_2_lost_own_2 = of[1, 6]
    row.chapter_3_won_first = of[2, 0]
    row.chapter_3_won_again = of[2, 1]
    row.chapter_3_turns = of[2, 2]
    row.chapter_3_plot_left = of[2, 3]
    row.chapter_3_lost_plot = of[2, 4]
    row.chapter_3_lost_own_1 = of[2, 5]
    row.chapter_3_lost_own_2 = of[2, 6]
    row.chapter_4_won_first = of[3, 0]
    row.chapter_4_won_again = of[3, 1]
    row.chapter_4_turns = of[3, 2]
    row.chapter_4_plot_left = of[3, 3]
    row.chapter_4_lost_plot = of[3, 4]
    row.chapter_4_lost_own_1 = of[3, 5]
    row.chapter_4_lost_own_2 = of[3, 6]
    row.chapter_5_won_first = of[4, 0]
    row.chapter_5_won_again = of[4, 1]
    row.chapter_5_turns = of[4, 2]
    row.chapter_5_plot_left = of[4, 3]
    row.chapter_5_lost_plot = of[4, 4]
    row.chapter_5_lost_own_1 = of[4, 5]
    row.chapter_5_lost_own_2 = of[4, 6]
    row.chapter_6_won_first = of[5, 0]
    row.chapter_6_won_again = of[5, 1]
    row.chapter_6_turns = of[5, 2]
    row.chapter_6_plot_left = of[5, 3]
    row.chapter_6_lost_plot = of[5, 4]
    row.chapter_6_lost_own_1 = of[5, 5]
    row.chapter_6_lost_own_2 = of[5, 6]
    row.chapter_7_won_first = of[6, 0]
    row.chapter_7_won_again = of[6, 1]
    row.chapter_7_turns = of[6, 2]
    row.chapter_7_plot_left = of[6, 3]
    row.chapter_7_lost_plot = of[6, 4]
    row.chapter_7_lost_own_1 = of[6, 5]
    row.chapter_7_lost_own_2 = of[6, 6]
    row.chapter_8_won_first = of[7, 0]
    row.chapter_8_won_again = of[7, 1]
    row.chapter_8_turns = of[7, 2]
    row.chapter_8_plot_left = of[7, 3]
    row.chapter_8_lost_plot = of[7, 4]
    row.chapter_8_lost_own_1 = of[7, 5]
    row.chapter_8_lost_own_2 = of[7, 6]


@routine
def expose(state: Any, row: Any, seat: int) -> None:
    """Write which kinds of cards a seat was dealt, held at the end and spent, and the challenges it completed."""
    play = state.play
    for kind in range(state.tab.n_kinds):
        if state.log.dealt[seat] >> kind & 1:
            mark(row, seat, DEALT, kind)
        if play.hand[seat, kind]:
            mark(row, seat, HELD, kind)
        if state.log.spent[seat] >> kind & 1:
            mark(row, seat, PLAYED, kind)
    left = play.completed[seat]
    while left:
        mark(row, seat, PLAYED, CHALLENGE_BIT + lowest(left))
        left &= left - 1


@kernel
def mark(row: Any, seat: int, exposure: int, bit: int) -> None:
    """Set a bit of an exposure mask."""
    row.exposed[seat, exposure, bit >> 5] |= 1 << (bit & 31)
