"""What green and blue cards do. "RB" is the rulebook, "ruling H1" is in docs/games.md."""

from __future__ import annotations

from typing import Any

from simcore.games.field_guide.race import put, run, stopping_place
from simcore.games.field_guide.state import (
    ALL_THE_CHILDREN,
    ANY_CHILD,
    ANY_GRUZEL,
    BACK,
    BEARER,
    CHILDREN,
    DRAWER,
    EITHER,
    END,
    FORWARD,
    GO_BACK,
    GO_FORWARD,
    GRUZELS_DRAW,
    GRUZELS_MOVE,
    HELD_BY_GRUZELS,
    LOST,
    NONE,
    PIECE,
    ROLL_AGAIN,
    SWAP,
    TARGET,
    TO_CROSSING,
)
from simcore.games.field_guide.table import ask, discard, draw, owner_of, path_of, role_of, roll
from simcore.jit import kernel
from simcore.masks import lowest
from simcore.rng import below


@kernel
def draw_card_of_turn(state: Any) -> None:
    """Take a card at the end of a move: blue for a child, green for the gruzel player (RB, Turn Order; ruling F6)."""
    play = state.play
    play.card_due = 0
    seat = play.active
    kind = draw(state, seat, 0 if seat < state.tab.n_children else 1)
    if kind != NONE and state.tab.kinds[kind].fight == 0:
        play.card = kind
        play.step = 0
        state.log.played[seat] |= 1 << kind


@kernel
def next_effect(state: Any) -> None:
    """Begin the next effect of the card; ask its drawer whom it means if there is a choice."""
    tab = state.tab
    play = state.play
    card = tab.kinds[play.card]
    if play.step == card.n_effects:
        play.card = NONE
        return
    effect = card.effects[play.step]
    play.step += 1
    gruzels = ((1 << tab.n_gruzels) - 1) << CHILDREN
    who = effect.who
    if who == BEARER and (play.guide == NONE or play.guide == HELD_BY_GRUZELS or play.outside >> play.guide & 1 == 0):
        who = ANY_CHILD
    one = True
    if who == DRAWER:
        targets = 1 << play.mover
    elif who == BEARER:
        targets = 1 << play.guide
    elif who == ANY_CHILD or who == ALL_THE_CHILDREN:
        targets = play.outside
        one = who == ANY_CHILD
    else:
        targets = gruzels
        one = who == ANY_GRUZEL
    if effect.op == SWAP:
        targets = play.outside & ~(1 << play.mover)
    if targets == 0:
        return  # what cannot be done is ignored (ruling C2)
    if one and targets & (targets - 1):
        play.targets = targets
        ask(state, TARGET, play.active, role_of(state, play.active))
    else:
        do_effect(state, targets)


@kernel
def do_effect(state: Any, targets: int) -> None:
    """Carry out the effect before `step` on the pieces of a mask."""
    tab = state.tab
    play = state.play
    effect = tab.kinds[play.card].effects[play.step - 1]
    op = effect.op
    if op == GO_FORWARD or op == GO_BACK:
        play.moving = targets
        play.one_of = 0
        play.way = FORWARD if op == GO_FORWARD else BACK
        play.amount = effect.amount
    elif op == GRUZELS_MOVE:
        play.moving = ((1 << tab.n_gruzels) - 1) << CHILDREN
        play.one_of = 1
        play.way = EITHER
        play.amount = effect.amount
    elif op == ROLL_AGAIN:
        play.die = roll(state, play.active)
        run(state, 1 << play.mover)
    elif op == TO_CROSSING:
        go_to_crossing(state, targets)
    elif op == SWAP:
        swap(state, play.mover, lowest(targets))
    elif op == GRUZELS_DRAW:
        for _ in range(effect.amount):
            draw(state, tab.n_children, 1)
    else:
        lose_cards(state, targets, effect.amount)


@kernel
def move_by_card(state: Any) -> None:
    """Move the next piece of a card; its owner chooses where there is a choice."""
    play = state.play
    piece = lowest(play.moving)
    seat = owner_of(state, piece)
    if play.one_of == 0 and only_way(state, piece):
        reached = int(state.tab.reach[play.space[piece], play.way, play.amount, 0])
        play.moving &= ~(1 << piece)
        put(state, piece, stopping_place(state, piece, reached), path_of(reached))
    else:
        ask(state, PIECE, seat, role_of(state, seat))


@kernel
def only_way(state: Any, piece: int) -> bool:
    """Return whether a card leaves a piece no choice."""
    play = state.play
    return bool(state.tab.reach[play.space[piece], play.way, play.amount, 1] == END)


@kernel
def go_to_crossing(state: Any, targets: int) -> None:
    """Move pieces to the next crossing ahead on the paths they stand on, if there is one."""
    play = state.play
    while targets:
        piece = lowest(targets)
        targets &= targets - 1
        ahead = int(state.tab.ahead[play.path[piece], play.space[piece]])
        if ahead != NONE:
            put(state, piece, ahead, play.path[piece])


@kernel
def swap(state: Any, child: int, other: int) -> None:
    """Exchange the places of two children; neither lands."""
    play = state.play
    play.space[child], play.space[other] = play.space[other], play.space[child]
    play.path[child], play.path[other] = play.path[other], play.path[child]


@kernel
def lose_cards(state: Any, targets: int, count: int) -> None:
    """Discard random cards of the hands to which the pieces of a mask belong."""
    tab = state.tab
    left = targets
    done = 0
    while left:
        seat = owner_of(state, lowest(left))
        left &= left - 1
        if done >> seat & 1 == 0:
            done |= 1 << seat
            for _ in range(min(count, state.play.n_hand[seat])):
                colour = 0 if seat < tab.n_children else 1
                kind = int(tab.first_kind[colour])
                rest = below(state.rng, LOST, state.play.n_hand[seat]) - state.play.hand[seat, kind]
                while rest >= 0:
                    kind += 1
                    rest -= state.play.hand[seat, kind]
                discard(state, seat, kind)
