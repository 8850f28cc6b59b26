"""The rules of the library race as a step machine. "RB" is the rulebook, "ruling X1" the tables in docs/games.md.

Kernels only: set-up, rounds, turns, steps. Beside it, from the bottom: the ``board`` (spaces, walls, reach), ``rooms``
(what steps do), ``books`` (deck, piles, trophies), ``answers`` that are allowed, and the ``outcome``.
"""

from __future__ import annotations

from typing import Any

from simcore.games.grimoire_shuffle.answers import landings, partners, specials_out
from simcore.games.grimoire_shuffle.board import draw_room, reach, rows_to_go
from simcore.games.grimoire_shuffle.books import (
    add_to_pile,
    badge_slot,
    distribute,
    exchange_badges,
    finish,
    keep_book,
    leader_of,
    take_up_pile,
    win_trophy,
)
from simcore.games.grimoire_shuffle.rooms import (
    cover_room,
    flip_room,
    lift_special,
    move_pawn,
    put_back,
    swap_pawns,
    turn_room,
    walk,
)
from simcore.games.grimoire_shuffle.state import (
    ALL,
    ARRANGING,
    BOOKS,
    CAPPED,
    CLEAR,
    CLEAR_ROOM,
    CLEARING,
    COVER,
    CROSSINGS,
    DECK_STREAM,
    DISTRIBUTING,
    EVERYBODY,
    FLIP,
    FLIP_ROOM,
    FLIPPING,
    GIVE,
    IGNORE_WALLS,
    KEEP,
    KEEPING,
    LEADER,
    LEADER_STREAM,
    MOVE,
    MOVING,
    NONE,
    NORTH_EDGE,
    OTHER,
    OWN,
    PAWN,
    PICKING,
    PLACE_ROOM,
    PLACING,
    PROGRAM,
    ROOM_STREAM,
    ROOMS,
    ROTATE,
    ROTATE_ROOM,
    SEATS,
    SENDING,
    SKIP,
    SOUTH_EDGE,
    SPACES,
    SPECIALS,
    STACK,
    STRETCH,
    SWAP,
    TEAM,
    TEAMS,
    TELEPORT,
    THROUGH_WALL,
    TROPHIES,
    TURN_STREAM,
    TURNING,
    WALKER,
)
from simcore.jit import kernel, routine
from simcore.rng import below, rekey, seek, shuffle


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setting Up and First Turn."""
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.winner = NONE
    play.sudden = 0
    play.rounds = 0
    play.turns = 0
    play.turn = 0
    clear_turn(state)
    for index in range(PROGRAM):
        write_step(play.program[index], 0, 0, 0, 0)
    clear_log(state)
    lay_rooms(state)
    place_pawns(state)
    choose_leaders(state)
    deal_books(state)
    begin_round(state)
    advance(state)


@kernel
def clear_log(state: Any) -> None:
    """Start all counters."""
    log = state.log
    log.flips, log.rotations, log.specials, log.skipped, log.walks, log.idle_walks = 0, 0, 0, 0, 0, 0
    for seat in range(SEATS):
        log.rows[seat], log.idle_turns[seat] = 0, 0
        log.held[seat], log.played[seat], log.badge[seat] = 0, 0, 0
    for book in range(BOOKS):
        log.book_rows[book], log.book_uses[book] = 0, 0


@routine
def clear_turn(state: Any) -> None:
    """Forget all about the turn before."""
    play = state.play
    play.book, play.book_team, play.book_slot = NONE, NONE, NONE
    play.step, play.n_program = 0, 0
    play.crossings, play.passing, play.immune, play.banned = 0, 0, 0, 0
    play.last_flip, play.last_turned, play.picked, play.room = NONE, NONE, NONE, NONE
    play.lifted = 0
    play.start_row = 0


@routine
def lay_rooms(state: Any) -> None:
    """Lay out the board: random rooms, each with a random face and half turn (ruling A1)."""
    tab = state.tab
    play = state.play
    for direction in range(4):
        play.own[direction, 0], play.own[direction, 1] = 0, 0
    for word in range(2):
        play.slide[word], play.stop[word], play.blocked[word] = 0, 0, 0
    for special in range(SPECIALS):
        play.special_at[special], play.special_turned[special] = NONE, 0
    items = state.tmp.items[:]
    for card in range(tab.n_cards):
        items[card] = card
    shuffle(state.rng, ROOM_STREAM, items, int(tab.n_cards))
    for room in range(ROOMS):
        play.covered[room], play.card[room], play.face[room] = NONE, NONE, 0
    for room in range(tab.n_rooms):
        play.card[room] = items[room]
        play.face[room] = below(state.rng, ROOM_STREAM, 4)
        draw_room(state, room)


@kernel
def place_pawns(state: Any) -> None:
    """Put the pawns of each team on its own edge: even seats in the south, odd ones in the north (ruling A2)."""
    play = state.play
    play.taken[0], play.taken[1] = 0, 0
    for seat in range(SEATS):
        play.pos[seat] = SOUTH_EDGE if seat % 2 == 0 else NORTH_EDGE
        play.heading[seat] = NORTH_EDGE if seat % 2 == 0 else SOUTH_EDGE
        play.trophies[seat] = 0
    for team in range(TEAMS):
        play.team_trophies[team], play.first_trophy[team] = 0, NONE


@kernel
def choose_leaders(state: Any) -> None:
    """Draw the first leaders: any seat of the red team, and a neighbour (rulings A3 and A4)."""
    play = state.play
    n = state.tab.n_seats
    red = TEAMS * below(state.rng, LEADER_STREAM, n // TEAMS)
    left = below(state.rng, LEADER_STREAM, 2)
    play.right = red if left else (red + n - 1) % n
    play.first_right = play.right


@routine
def deal_books(state: Any) -> None:
    """Shuffle the books and deal a stack to each team, the red one first."""
    tab = state.tab
    play = state.play
    items = state.tmp.items[:]
    for book in range(BOOKS):
        items[book] = book
        play.trophy_of[book] = NONE
        play.deck[book] = NONE
        play.deck_known[book] = 0
    shuffle(state.rng, DECK_STREAM, items, int(tab.n_books))
    dealt = 0
    for team in range(TEAMS):
        play.n_stack[team], play.n_pile[team], play.dealt_out[team] = tab.n_hand, 0, 0
        for slot in range(STACK):
            play.stack[team, slot], play.stack_known[team, slot] = NONE, 0
            play.dest[team, slot], play.shown[team, slot] = NONE, 0
            play.pile[team, slot], play.pile_known[team, slot] = NONE, 0
            if slot < tab.n_hand:
                play.stack[team, slot] = items[dealt]
                dealt += 1
    play.head = 0
    play.left = tab.n_books - dealt
    for place in range(play.left):
        play.deck[place] = items[dealt + place]


# -- rounds -----------------------------------------------------------------------------------------------------------


@routine
def begin_round(state: Any) -> None:
    """Let both leaders look at their stacks and distribute them. Source: RB, 1 - Distribution; ruling A7."""
    play = state.play
    play.rounds += 1
    play.turn = 0
    rekey(state.rng, TURN_STREAM, play.rounds)
    for team in range(TEAMS):
        leader = leader_of(state, team)
        play.dealt_out[team] = 0
        for slot in range(STACK):
            play.dest[team, slot], play.shown[team, slot] = NONE, 0
            if slot < play.n_stack[team]:
                play.stack_known[team, slot] |= 1 << leader
                state.log.held[leader] |= 1 << int(play.stack[team, slot])
    play.phase = DISTRIBUTING
    play.role = LEADER


@kernel
def ask_leader(state: Any) -> bool:
    """Ask the first leader who has not distributed, the right-hand one first; return whether there is one."""
    play = state.play
    team = play.right % TEAMS
    if play.dealt_out[team]:
        team = 1 - team
    play.seat = leader_of(state, team)
    return play.dealt_out[team] == 0


@routine
def end_round(state: Any) -> None:
    """Look who is complete, exchange badge books, pass the right-hand badge. RB, End of Round; rulings B4 to B8."""
    tab = state.tab
    play = state.play
    if play.sudden == 0:
        red = play.team_trophies[0] >= tab.goal
        blue = play.team_trophies[1] >= tab.goal
        if red != blue:
            finish(state, 0 if red else 1, TROPHIES)
            return
        play.sudden = 1 if red else 0
    if play.rounds >= tab.round_cap:
        play.over = 1
        return
    exchange_badges(state)
    for team in range(TEAMS):
        take_up_pile(state, team)
    play.right = (play.right + 1) % tab.n_seats
    begin_round(state)


# -- turns ------------------------------------------------------------------------------------------------------------


@kernel
def show_badges(state: Any) -> None:
    """Show the books on the badges if they count."""
    play = state.play
    for team in range(TEAMS):
        slot = badge_slot(state, team)
        if slot != NONE:
            state.log.badge[leader_of(state, team)] |= 1 << int(play.stack[team, slot])
            if state.tab.advanced:
                play.shown[team, slot] = 1
                play.stack_known[team, slot] = EVERYBODY


@routine
def begin_turn(state: Any) -> None:
    """Show the next player's book. Source: RB, 2 - Turns."""
    play = state.play
    n = state.tab.n_seats
    clear_turn(state)
    seat = (play.right + 2 + play.turn) % n
    play.seat = seat
    play.role = WALKER
    play.phase = MOVING
    play.turn += 1
    play.turns += 1
    for team in range(TEAMS):
        for slot in range(play.n_stack[team]):
            if play.dest[team, slot] == seat:
                play.book, play.book_team, play.book_slot = play.stack[team, slot], team, slot
                play.shown[team, slot] = 1
                play.stack_known[team, slot] = EVERYBODY
                state.log.played[seat] |= 1 << play.book
    write_program(state, seat)
    play.start_row = rows_to_go(state, play.heading[seat], play.pos[seat])


@kernel
def concerns(state: Any, team: int, seat: int) -> bool:
    """Return whether the leader effect on the badge of a team works on a seat (ruling L1)."""
    scope = state.tab.books[state.play.stack[team, badge_slot(state, team)]].scope
    return scope == ALL or (scope == TEAM) == (seat % TEAMS == team)


@kernel
def effect_of(state: Any, team: int, seat: int) -> int:
    """Return the book whose leader effect a team's badge has for a seat, NONE if there is none (ruling L3)."""
    if state.tab.advanced == 0:
        return NONE
    slot = badge_slot(state, team)
    if slot == NONE or not concerns(state, team, seat):
        return NONE
    return int(state.play.stack[team, slot])


@routine
def write_program(state: Any, seat: int) -> None:
    """Write what the turn consists of: steps of leader effects before, of the book, and after; the own badge first."""
    tab = state.tab
    play = state.play
    bonus, penalty, shakes = 0, 0, 0
    for index in range(TEAMS):
        book = effect_of(state, (seat + index) % TEAMS, seat)
        if book != NONE:
            effect = tab.books[book]
            bonus += effect.bonus
            penalty += effect.penalty
            shakes |= effect.shakes
            play.crossings += effect.crossings
            play.passing |= effect.passing
            play.immune |= effect.immune
            play.banned |= effect.banned
            for position in range(effect.n_before):
                add_step(state, effect.before[position])
    play.crossings = min(play.crossings, CROSSINGS)
    if play.book != NONE:
        book_steps = tab.books[play.book]
        for position in range(book_steps.n_steps):
            add_step(state, book_steps.steps[position])
            if bonus and book_steps.steps[position].op == MOVE:
                play.program[play.n_program - 1].n += bonus
                bonus = 0
    for index in range(TEAMS):
        book = effect_of(state, (seat + index) % TEAMS, seat)
        if book != NONE:
            effect = tab.books[book]
            for position in range(effect.n_after):
                add_step(state, effect.after[position])
    for position in range(play.n_program):
        step = play.program[position]
        if step.op == MOVE or step.op == IGNORE_WALLS:
            step.n = min(STRETCH, max(min(step.n, 1), step.n - penalty))
    if shakes and play.banned >> ROTATE_ROOM & 1 == 0:
        seek(state.rng, TURN_STREAM, play.turn - 1)
        turn_room(state, below(state.rng, TURN_STREAM, int(tab.n_rooms)))


@kernel
def add_step(state: Any, step: Any) -> None:
    """Add a step to the program of the turn."""
    play = state.play
    write_step(play.program[play.n_program], step.op, step.n, step.other, step.may)
    play.n_program += 1


@kernel
def write_step(step: Any, op: int, n: int, other: int, may: int) -> None:
    """Write a step of a program."""
    step.op, step.n, step.other, step.may = op, n, other, may


@routine
def end_turn(state: Any) -> None:
    """Let who stands on the far edge keep the book as a trophy and draw; else it goes under the badge (B1 to B3).

    The phase is KEEPING afterwards if there is a choice between two books.
    """
    play = state.play
    seat = play.seat
    arrived = play.pos[seat] == play.heading[seat]
    gained = play.start_row - rows_to_go(state, play.heading[seat], play.pos[seat])
    state.log.rows[seat] += gained
    if gained <= 0 and not arrived:
        state.log.idle_turns[seat] += 1
    if play.book == NONE:
        return
    state.log.book_rows[play.book] += gained
    state.log.book_uses[play.book] += 1
    play.stack[play.book_team, play.book_slot] = NONE
    if arrived:
        win_trophy(state, seat)
    else:
        add_to_pile(state, seat % TEAMS, play.book, EVERYBODY)


# -- steps ------------------------------------------------------------------------------------------------------------


@routine
def advance(state: Any) -> None:
    """Go on to the next decision: the other distribution, the next step, turn or round, or the end."""
    play = state.play
    if play.phase == DISTRIBUTING:
        if ask_leader(state):
            return
        show_badges(state)
    elif play.phase != KEEPING:
        if find_step(state):
            return
        end_turn(state)
        if play.over or play.phase == KEEPING:
            return
    while True:
        if play.turn == state.tab.n_seats:
            end_round(state)
            if not play.over:
                ask_leader(state)
            return
        begin_turn(state)
        if find_step(state):
            return
        end_turn(state)
        if play.over or play.phase == KEEPING:
            return


@routine
def find_step(state: Any) -> bool:
    """Go to the next step that can be carried out and ask for it; return whether there is one.

    A step that is impossible or forbidden is skipped (rulings C10 and L2).
    """
    play = state.play
    while play.step < play.n_program:
        step = play.program[play.step]
        if play.banned >> step.op & 1 == 0 and ask_step(state, step):
            return True
        state.log.skipped += 1
        play.step += 1
    return False


@kernel
def ask_step(state: Any, step: Any) -> bool:
    """Set the phase for a step; return whether it can be carried out."""
    play = state.play
    seat = play.seat
    op = step.op
    if op == TELEPORT and step.other == 0:
        low, high = landings(state, seat, int(step.n))
        play.phase = SENDING
        play.picked = seat if low | high else NONE
        return low | high != 0
    if op == TELEPORT or op == SWAP:
        play.phase = PICKING
        return partners(state, seat, step) != 0
    if op == FLIP_ROOM or op == ROTATE_ROOM:
        play.phase = FLIPPING if op == FLIP_ROOM else TURNING
        if step.n == OWN:
            return play.pos[seat] < SPACES
        return step.n != OTHER or state.tab.n_rooms > 1
    if op == PLACE_ROOM:
        play.phase = PLACING
        return True
    if op == CLEAR_ROOM:
        play.phase = CLEARING
        return specials_out(state) != 0
    play.phase = MOVING
    if op == THROUGH_WALL:
        reach(state, seat, THROUGH_WALL, 1)
        return (state.tmp.near[0, 0] | state.tmp.near[0, 1] | state.tmp.edges[0]) != 0
    return True


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    play = state.play
    if play.phase == DISTRIBUTING:
        distribute(state, action - GIVE)
    elif play.phase == KEEPING:
        keep_book(state, action - KEEP)
    else:
        carry_out(state, action)
        if play.lifted:
            play.phase = ARRANGING
            return
        if play.picked != NONE and play.phase == PICKING:
            play.phase = SENDING
            return
        play.picked = NONE
        play.step += 1
    advance(state)


@kernel
def carry_out(state: Any, action: int) -> None:
    """Do to the board what `action` of a walker says, and nothing else."""
    play = state.play
    if action == SKIP:
        return
    if play.phase == MOVING:
        step = play.program[play.step]
        walk(state, play.seat, int(step.op), int(step.n), action)
    elif play.phase == FLIPPING:
        flip_room(state, (action - FLIP) >> 1, (action - FLIP) & 1)
    elif play.phase == ARRANGING:
        put_back(state, action)
    elif play.phase == TURNING:
        play.last_turned = action - ROTATE
        turn_room(state, action - ROTATE)
    elif play.phase == PLACING:
        cover_room(state, int(play.program[play.step].n), action - COVER)
    elif play.phase == CLEARING:
        lift_special(state, action - CLEAR)
    elif play.phase == SENDING:
        move_pawn(state, play.picked, action)
    elif play.program[play.step].op == TELEPORT:
        play.picked = action - PAWN
    else:
        swap_pawns(state, play.seat, action - PAWN)
