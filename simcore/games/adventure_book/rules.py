"""The rules of the book as a step machine. "RB" is the rulebook, "ruling n" the table in docs/games.md.

Kernels only: set-up, the five steps of a turn, what answers do. An action leads to a phase; phases that ask nobody
(`state.AUTOMATIC` and above) are worked off by `advance` until somebody has to decide. Beside it, from the bottom:
``conditions``, ``cards``, ``tries`` of chapters, ``effects`` of challenges and chapters, ``answers`` that are allowed,
and the ``outcome``.
"""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.cards import (
    add_card,
    ask_any,
    ask_cost,
    can_pay,
    draw_specials,
    draw_story,
    next_wanted,
    remove_card,
    see_card,
)
from simcore.games.adventure_book.effects import (
    after_action,
    begin_effects,
    complete,
    count,
    is_defeated,
    place_figure,
    run_effects,
)
from simcore.games.adventure_book.state import (
    AFTER_PLOT,
    AFTER_RULE,
    ALLOWED,
    ASK_NEXT,
    ASKING,
    AUTOMATIC,
    BEGIN_STORY,
    BEGIN_TRY,
    BEGIN_TURN,
    CAPPED,
    CARD,
    CAUSES,
    CHALLENGE,
    CHAPTERS,
    DRAW_AND_PLOT,
    ELSE,
    END,
    END_TURN,
    FETCHING,
    FIGURES,
    FOR_CHALLENGE,
    FOR_EFFECT,
    FOR_LIMIT,
    FOR_RULE,
    FOR_TOLL,
    FOR_WALK,
    FORCED,
    GETTING,
    GIVING,
    HELPER,
    ICONS,
    IN_MOVE,
    IN_SPECIAL,
    IN_STORY,
    IS_DRAW,
    IS_FETCH,
    IS_LOOK,
    IS_WALK,
    KINDS,
    LIMIT,
    LOOKING,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    MOVING,
    NONE,
    NUMBER,
    PAYING,
    RULE,
    RUN,
    SEATS,
    SPECIAL,
    SPECIAL_STREAM,
    SPECIALS,
    STEP,
    TELLER,
    TELLING,
    TRADE,
    TURNED,
    WALKING,
    WAYS,
)
from simcore.games.adventure_book.tries import begin_try, interrupt, note_try
from simcore.jit import kernel, routine
from simcore.rng import shuffle


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


# -- a turn -----------------------------------------------------------------------------------------------------------


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


# -- what answers do --------------------------------------------------------------------------------------------------


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


# -- Special cards ----------------------------------------------------------------------------------------------------


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


# -- moving figures ---------------------------------------------------------------------------------------------------


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
