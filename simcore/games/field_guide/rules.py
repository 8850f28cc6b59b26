"""The rules of the hunt and the race as a step machine. "RB" is the rulebook, "ruling H1" the table in docs/games.md.

Kernels only: set-up, rounds and turns, what may be answered. An action writes what is to be settled into the position;
`advance` settles one thing after the other until somebody has to choose. Beside it, from the bottom: the ``table``
(pieces, hands, piles, questions), ``fights``, the ``race``, the ``house``, ``cards``, and the ``outcome``.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.field_guide.cards import do_effect, draw_card_of_turn, move_by_card, next_effect
from simcore.games.field_guide.fights import begin_fight, end_fight, fall_back, go_on_fighting, strike, ward, wards_held
from simcore.games.field_guide.house import empty_rooms, face_down, lay, legal_exits, turn_next, walk
from simcore.games.field_guide.race import land, legal_moves, move_chosen, run
from simcore.games.field_guide.state import (
    AIM,
    ALL_CHILDREN,
    ALL_GRUZELS,
    BY_ROUND,
    CAGE,
    CAGE_ROLL,
    CAPPED,
    CARD,
    CARD_DUE,
    CARD_MOVE,
    CARRY,
    CARRYING,
    CHAIN,
    CHILD,
    CHILDREN,
    COUNCIL,
    EFFECT,
    FIGHT,
    FIGHTING,
    FORWARD,
    FREE,
    HOUSE,
    KEEPER,
    KINDS,
    LANDING,
    LAY,
    LAYING,
    NEW_ROUND,
    NEW_TURN,
    NONE,
    OPPONENT,
    PASS,
    PIECE,
    PIECES,
    RACE,
    RESULT,
    RETREAT,
    ROOMS,
    SEATS,
    SPEND,
    STAY,
    STOP,
    STRIKE,
    TARGET,
    TOKENS,
    TURN,
    TURN_END,
    WARD,
)
from simcore.games.field_guide.table import ask, children_choose, colour_of, held, roll
from simcore.jit import kernel
from simcore.masks import lowest
from simcore.rng import below, rekey, shuffle


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setup."""
    tab = state.tab
    play = state.play
    clear(state)
    for child in range(CHILDREN):
        play.square[child] = tab.start if child < tab.n_children else NONE
        play.space[child] = NONE
        play.path[child] = ALL_CHILDREN
    for piece in range(CHILDREN, PIECES):
        play.space[piece] = tab.camp if piece < CHILDREN + tab.n_gruzels else NONE
        play.path[piece] = ALL_GRUZELS
    for kind in range(KINDS):
        is_card = kind < tab.first_kind[2]
        play.stock[kind] = tab.kinds[kind].count if is_card else 0
        play.discard[kind] = 0
        for seat in range(SEATS):
            play.hand[seat, kind] = 0
        if is_card:
            play.n_stock[colour_of(state, kind)] += tab.kinds[kind].count
    take_cage_tokens(state)
    play.active = tab.n_seats
    if tab.chosen:
        play.next = 1
        ask(state, LAYING, tab.n_children, KEEPER)
    else:
        lay_at_random(state)
        begin_round(state)
        begin_turn(state)


@kernel
def clear(state: Any) -> None:
    """Write what is the same at the start of every game."""
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.rounds = 0
    play.turns = 0
    play.seat = 0
    play.role = CHILD
    play.phase = FREE
    play.in_turn = 0
    play.extra = 0
    play.die = 0
    play.mover = NONE
    play.guide = NONE
    play.outside = 0
    play.up = 0
    play.next = 0
    play.loser = NONE
    play.landing = 0
    play.fallen = 0
    play.moving = 0
    play.one_of = 0
    play.way = FORWARD
    play.amount = 0
    play.targets = 0
    play.card = NONE
    play.step = 0
    play.card_due = 0
    play.mover_of_fight = NONE
    play.child = NONE
    play.gruzel = NONE
    play.struck = NONE
    play.strikes = 0
    play.won = 0
    play.found_round = ABSENT
    play.found_turn = ABSENT
    play.left_round = ABSENT
    play.left_turn = ABSENT
    play.changes = 0
    play.passes = 0
    play.cage_won = 0
    play.cage_used = 0
    play.sent_back = 0
    play.reshuffles = 0
    for room in range(ROOMS):
        play.token[room] = 0
        play.known[room] = 0
    for colour in range(2):
        play.n_stock[colour] = 0
        play.n_discard[colour] = 0
    for seat in range(SEATS):
        play.n_hand[seat] = 0
        play.drawn[seat] = 0
        play.fights_won[seat] = 0
        play.fights_lost[seat] = 0
        state.log.dealt[seat] = 0
        state.log.played[seat] = 0


@kernel
def lay_at_random(state: Any) -> None:
    """Lay the object tokens face down into rooms, unseen by anybody (ruling H1)."""
    tab = state.tab
    token = state.play.token[:]
    for room in range(tab.n_rooms):
        token[room] = room + 1 if room < tab.n_tokens else 0
    shuffle(state.rng, TOKENS, token, tab.n_rooms)


@kernel
def take_cage_tokens(state: Any) -> None:
    """Put as many cage tokens in front of the gruzel player as a roll says (RB, Setup; ruling D2)."""
    tab = state.tab
    play = state.play
    rolled = int(tab.faces[below(state.rng, CAGE_ROLL, tab.n_faces)])
    play.cage_taken = min(rolled, tab.n_cage)
    play.cage = (1 << play.cage_taken) - 1


# -- rounds and turns -------------------------------------------------------------------------------------------------


@kernel
def advance(state: Any) -> None:
    """Settle one thing after the other until somebody has to choose or the game is over."""
    while state.play.phase == FREE and state.play.over == 0:
        settle(state)


@kernel
def pending(state: Any) -> int:
    """Return what is to be settled next: the number of one of `state.THINGS`."""
    play = state.play
    if play.child != NONE:
        return FIGHTING if play.loser == NONE else RESULT
    if play.loser != NONE:
        return RETREAT
    if play.moving:
        return CARD_MOVE
    if play.landing:
        return LANDING
    if play.card != NONE:
        return EFFECT
    if play.card_due:
        return CARD_DUE
    if play.in_turn:
        return TURN_END
    if play.active == state.tab.n_seats:
        return NEW_ROUND
    return NEW_TURN


@kernel
def settle(state: Any) -> None:
    """Settle the next thing."""
    thing = pending(state)
    if thing == FIGHTING:
        go_on_fighting(state)
    elif thing == RESULT:
        end_fight(state)
    elif thing == RETREAT:
        fall_back(state)
    elif thing == CARD_MOVE:
        move_by_card(state)
    elif thing == LANDING:
        land(state, lowest(state.play.landing))
    elif thing == EFFECT:
        next_effect(state)
    elif thing == CARD_DUE:
        draw_card_of_turn(state)
    elif thing == TURN_END:
        end_turn(state)
    elif thing == NEW_ROUND:
        begin_round(state)
    else:
        begin_turn(state)


@kernel
def begin_round(state: Any) -> None:
    """Begin a round with the choice of who carries the guide (RB, On the Way to the Finish; rulings G1 and G2)."""
    play = state.play
    if play.rounds >= state.tab.round_cap:
        play.over = 1
        return
    play.rounds += 1
    play.active = 0
    for i in range(len(BY_ROUND)):
        rekey(state.rng, BY_ROUND[i], play.rounds)
    if children_choose(state):
        ask(state, CARRYING, 0, COUNCIL)


@kernel
def begin_turn(state: Any) -> None:
    """Let the active seat roll; in the house, the gruzels try for a cage token (RB, The Gruzels' Turn)."""
    tab = state.tab
    play = state.play
    seat = play.active
    play.in_turn = 1
    play.turns += 1
    play.die = roll(state, seat)
    play.mover = NONE
    if seat < tab.n_children:
        if play.outside >> seat & 1:
            play.card_due = 1
            run(state, 1 << seat)
        else:
            ask(state, HOUSE, seat, CHILD)
    elif play.outside:
        play.card_due = 1
        run(state, ((1 << tab.n_gruzels) - 1) << CHILDREN)
    else:
        match_cage_token(state)


@kernel
def match_cage_token(state: Any) -> None:
    """Win the cage token with the number rolled, if it is in front of the gruzel player."""
    play = state.play
    left = play.cage
    while left:
        token = lowest(left)
        left &= left - 1
        if state.tab.cage[token] == play.die:
            play.cage &= ~(1 << token)
            play.won += 1
            play.cage_won += 1
            return


@kernel
def end_turn(state: Any) -> None:
    """Go on to the next seat; in the race, a cage token can buy the gruzels one more turn (rulings C4 to C6)."""
    play = state.play
    if play.active == state.tab.n_children and play.extra == 0 and play.won > 0 and play.outside:
        ask(state, CAGE, play.active, KEEPER)
    else:
        pass_turn(state)


@kernel
def pass_turn(state: Any) -> None:
    """Make it the next seat's turn."""
    play = state.play
    play.in_turn = 0
    play.extra = 0
    play.active += 1


# -- what may be answered ---------------------------------------------------------------------------------------------


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64), ascending, and return how many."""
    play = state.play
    phase = play.phase
    if phase == RACE or phase == PIECE:
        return legal_moves(state, actions)
    n = 0
    first = 0
    members_of = 0
    last = NONE
    if phase == HOUSE:
        members_of = int(state.tab.inside[play.square[play.active], play.die])
        last = STAY
    elif phase == CAGE:
        first = SPEND
        members_of = 3
    elif phase == CARRYING:
        first = CARRY
        members_of = play.outside
    elif phase == STRIKE or phase == WARD:
        actions[0] = PASS
        n = 1
        first = CARD
        members_of = held(state, play.child, 0) if phase == STRIKE else wards_held(state)
    elif phase == OPPONENT:
        first = FIGHT
        members_of = play.targets
    elif phase == TARGET:
        first = AIM
        members_of = play.targets
    elif phase == CHAIN:
        first = TURN
        members_of = face_down(state)
        last = STOP
    elif phase == LAYING:
        first = LAY
        members_of = empty_rooms(state)
    n = write_set(actions, n, members_of, first)
    if last != NONE:
        actions[n] = last
        n += 1
    if phase == HOUSE and (play.guide != NONE or state.tab.early):
        n = legal_exits(state, actions, n)
    return n


@kernel
def write_set(actions: Any, n: int, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, into ``actions[n:]``; return how many there are then."""
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    answer(state, action)
    advance(state)


@kernel
def answer(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat; what follows from it is left to `settle`."""
    play = state.play
    phase = play.phase
    play.phase = FREE
    if phase == RACE or phase == PIECE:
        move_chosen(state, phase, action)
    elif phase == HOUSE:
        walk(state, action)
    elif phase == CAGE:
        spend(state, action)
    elif phase == CARRYING:
        carry(state, action - CARRY)
    elif phase == STRIKE:
        strike(state, action)
    elif phase == WARD:
        ward(state, action)
    elif phase == OPPONENT:
        begin_fight(state, play.mover_of_fight, action - FIGHT)
    elif phase == TARGET:
        do_effect(state, 1 << (action - AIM))
    elif phase == CHAIN:
        turn_next(state, action)
    else:
        lay(state, action - LAY)


@kernel
def spend(state: Any, action: int) -> None:
    """Take an extra turn for a cage token, or let the turn end."""
    play = state.play
    if action == SPEND:
        play.won -= 1
        play.cage_used += 1
        play.extra = 1
        play.in_turn = 0
    else:
        pass_turn(state)


@kernel
def carry(state: Any, child: int) -> None:
    """Give the guide to a child outside (rulings G1 to G4)."""
    play = state.play
    if play.in_turn == 0 and play.guide != child:
        play.passes += 1
    play.guide = child
